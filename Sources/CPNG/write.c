// Writing PNG pictures.

#include "internal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER_BYTES = 64 * 1024 };

// A buffer for the descriptor: libpng writes a few bytes at a time.
typedef struct sink {
    int descriptor;
    int system_error;
    size_t used;
    uint8_t buffer[BUFFER_BYTES];
} sink;

static int flush_sink(sink *sink) {
    size_t done = 0;
    while (done < sink->used) {
        ssize_t count = write(sink->descriptor, sink->buffer + done, sink->used - done);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            sink->system_error = errno;
            return -1;
        }
        done += (size_t)count;
    }
    sink->used = 0;
    return 0;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t length) {
    sink *sink = png_get_io_ptr(png);
    while (length > 0) {
        if (sink->used == BUFFER_BYTES && flush_sink(sink) != 0) {
            png_error(png, strerror(sink->system_error));
        }
        size_t room = BUFFER_BYTES - sink->used;
        size_t part = length < room ? length : room;
        memcpy(sink->buffer + sink->used, bytes, part);
        sink->used += part;
        bytes += part;
        length -= part;
    }
}

static void flush_bytes(png_structp png) {
    (void)png;
}

// PNG stores numbers in big-endian byte order.
static bool is_little_endian(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void write_picture(png_structp png, png_infop info, const cpng_picture *picture, png_textp texts,
                          size_t text_count) {
    png_set_IHDR(png, info, picture->width, picture->height, (int)picture->bits,
                 picture->channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (text_count > 0) {
        png_set_text(png, info, texts, (int)text_count);
    }
    // Run-length encoding with a single filter: five times faster than libpng's defaults, for files 5 to 12 % larger.
    png_set_compression_strategy(png, Z_RLE);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_write_info(png, info);
    if (picture->bits == 16 && is_little_endian()) {
        png_set_swap(png);
    }
    for (uint32_t y = 0; y < picture->height; y++) {
        png_write_row(png, picture->rows + y * picture->row_bytes);
    }
    png_write_end(png, info);
}

// Converts the texts to libpng's struct. To be freed with free(); NULL if memory ran out.
static png_textp png_texts_of(const cpng_text *texts, size_t count) {
    png_textp result = calloc(count + 1, sizeof(*result));
    for (size_t i = 0; result && i < count; i++) {
        // libpng copies both strings, although its struct lacks the `const`.
        result[i].compression = PNG_TEXT_COMPRESSION_NONE;
        result[i].key = (char *)texts[i].keyword;
        result[i].text = (char *)texts[i].text;
        result[i].text_length = strlen(texts[i].text);
    }
    return result;
}

int cpng_write(int descriptor, const cpng_picture *picture, const cpng_text *texts, size_t text_count,
               cpng_error *error) {
    int failed = -1;
    png_structp png = NULL;
    png_infop info = NULL;
    *error = (cpng_error){.message = "out of memory"};
    sink *sink = calloc(1, sizeof(*sink));
    png_textp png_texts = png_texts_of(texts, text_count);
    if (!sink || !png_texts) {
        goto done;
    }
    sink->descriptor = descriptor;
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, error, cpng_on_error, cpng_on_warning);
    info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        goto done;
    }
    // No local variable that is read after `done` may change between this line and a jump.
    if (setjmp(png_jmpbuf(png)) != 0) {
        error->system_error = sink->system_error;
        goto done;
    }
    png_set_write_fn(png, sink, write_bytes, flush_bytes);
    write_picture(png, info, picture, png_texts, text_count);
    if (flush_sink(sink) != 0) {
        png_error(png, strerror(sink->system_error));
    }
    *error = (cpng_error){0};
    failed = 0;

done:
    png_destroy_write_struct(&png, &info);
    free(png_texts);
    free(sink);
    return failed;
}
