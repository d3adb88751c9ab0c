// Reading PNG pictures.

#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct source {
    int descriptor;
    off_t position; // of the next read; the descriptor's own offset is shared with other processes and stays unchanged
    int system_error; // errno of the failed read
} source;

static void read_bytes(png_structp png, png_bytep bytes, size_t length) {
    source *source = png_get_io_ptr(png);
    while (length > 0) {
        ssize_t count = pread(source->descriptor, bytes, length, source->position);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            source->system_error = errno;
            png_error(png, strerror(errno));
        }
        if (count == 0) {
            png_error(png, "the file ends too early");
        }
        bytes += count;
        length -= (size_t)count;
        source->position += count;
    }
}

// The names of chunks that are skipped, each with a NUL, as libpng expects them.
enum { CHUNK_NAME_BYTES = 5 };
static const png_byte unused_chunks[] = "tEXt\0zTXt\0iTXt\0iCCP\0sPLT\0eXIf";

// Converts everything to 8-bit RGB or RGBA.
static void normalise(png_structp png, png_infop info) {
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

// Reads the whole file into `picture`. Does not return if it fails; rows that were allocated by then are in `picture`.
static void read_picture(png_structp png, png_infop info, uint64_t max_pixels, cpng_picture *picture) {
    png_read_info(png, info);
    normalise(png, info);
    picture->width = png_get_image_width(png, info);
    picture->height = png_get_image_height(png, info);
    picture->channels = png_get_channels(png, info);
    picture->bits = 8;
    picture->row_bytes = png_get_rowbytes(png, info);
    if ((uint64_t)picture->width * picture->height > max_pixels) {
        png_error(png, "the picture has too many pixels");
    }
    uint8_t *rows = malloc(picture->row_bytes * picture->height);
    if (!rows) {
        png_error(png, "out of memory");
    }
    picture->rows = rows;
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < picture->height; y++) {
            png_read_row(png, rows + y * picture->row_bytes, NULL);
        }
    }
    // A file that ends before its last chunk is truncated, even if all pixels are present.
    png_read_end(png, NULL);
}

int cpng_read(int descriptor, uint64_t max_pixels, cpng_picture *picture, cpng_error *error) {
    int failed = -1;
    source source = {.descriptor = descriptor};
    png_infop info = NULL;
    *picture = (cpng_picture){0};
    *error = (cpng_error){.message = "out of memory"};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, error, cpng_on_error, cpng_on_warning);
    info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        goto done;
    }
    // No local variable that is read after `done` may change between this line and a jump.
    if (setjmp(png_jmpbuf(png)) != 0) {
        error->system_error = source.system_error;
        goto done;
    }
    png_set_read_fn(png, &source, read_bytes);
    // Texts and profiles are not used, and inflating them would take up to 8 MB each.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unused_chunks,
                                sizeof(unused_chunks) / CHUNK_NAME_BYTES);
    read_picture(png, info, max_pixels, picture);
    *error = (cpng_error){0};
    failed = 0;

done:
    if (failed) {
        cpng_free(picture);
    }
    png_destroy_read_struct(&png, &info, NULL);
    return failed;
}

void cpng_free(cpng_picture *picture) {
    free((void *)picture->rows);
    *picture = (cpng_picture){0};
}
