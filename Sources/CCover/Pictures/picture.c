// Layouts and the memory of pictures.

#include "Pictures/pictures.h"

#include <libavutil/mem.h>
#include <limits.h>

// FFmpeg's vector code writes whole vectors, up to 32 pixels past the end of a row.
enum { ROW_PADDING_PIXELS = 32, ROW_ALIGNMENT = 64 };

size_t ccover_pixel_bytes(ccover_layout layout) {
    return (size_t)ccover_channels(layout) * (ccover_is_deep(layout) ? 2 : 1);
}

int ccover_channels(ccover_layout layout) {
    return layout == CCOVER_RGBA8 || layout == CCOVER_RGBA16 ? 4 : 3;
}

bool ccover_is_deep(ccover_layout layout) {
    return layout == CCOVER_RGB16 || layout == CCOVER_RGBA16;
}

size_t ccover_row_bytes(int32_t width, ccover_layout layout) {
    size_t bytes = ((size_t)width + ROW_PADDING_PIXELS) * ccover_pixel_bytes(layout);
    return FFALIGN(bytes, (size_t)ROW_ALIGNMENT);
}

bool ccover_is_encodable(const ccover_picture *picture) {
    return !ccover_is_deep(picture->layout) && picture->width >= 1 && picture->height >= 1 &&
           picture->row_bytes <= INT_MAX &&
           picture->row_bytes >= (size_t)picture->width * ccover_pixel_bytes(picture->layout);
}

int ccover_check_sides(const char *format, int most, int width, int height, ccover_error *error) {
    if (width <= most && height <= most) {
        return 0;
    }
    return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_TOO_LARGE, 0,
                       "a %s has at most %d pixels per side, not %d×%d", format, most, width, height);
}

bool ccover_has_room(const ccover_picture *picture) {
    // swscale stores the distance between rows in an int.
    return picture->width >= 1 && picture->height >= 1 &&
           picture->row_bytes >= ccover_row_bytes(picture->width, picture->layout) && picture->row_bytes <= INT_MAX;
}

int ccover_allocate_rows(ccover_picture *picture, ccover_error *error) {
    picture->row_bytes = ccover_row_bytes(picture->width, picture->layout);
    picture->rows = av_malloc(picture->row_bytes * (size_t)picture->height + CCOVER_TAIL_PADDING);
    return picture->rows ? 0 : ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT);
}

AVFrame *ccover_make_frame(int format, int width, int height) {
    AVFrame *frame = av_frame_alloc();
    if (frame) {
        frame->format = format;
        frame->width = width;
        frame->height = height;
    }
    if (frame && av_frame_get_buffer(frame, 0) < 0) {
        av_frame_free(&frame);
    }
    return frame;
}

bool ccover_is_opaque(const ccover_picture *picture) {
    if (ccover_channels(picture->layout) < 4) {
        return true;
    }
    size_t pixel = ccover_pixel_bytes(picture->layout);
    size_t alpha = pixel / 4; // bytes of the last of four channels
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *row = picture->rows + (size_t)y * picture->row_bytes;
        for (int x = 0; x < picture->width; x++) {
            const uint8_t *value = row + ((size_t)x + 1) * pixel - alpha;
            if (value[0] != 255 || value[alpha - 1] != 255) {
                return false;
            }
        }
    }
    return true;
}
