// Pictures with 16 bits per channel: what is missing to white after swscale has widened fewer bits, and the way back to
// 8 bits.

#include "Pictures/pictures.h"

#include <libavutil/pixdesc.h>

// What swscale makes of the largest value of some bits: it shifts them to the left.
static uint32_t shifted(int bits) {
    // Formats with fewer bits are read through a palette of 8 bits.
    int depth = bits < 4 ? 8 : bits;
    return depth >= 16 ? UINT16_MAX : (uint32_t)((1 << depth) - 1) << (16 - depth);
}

// Whether the format and the path through swscale keep the scale: 12 bits of XYZ are converted by tables, Bayer and
// floating-point formats are converted specially, and so is planar RGB of more than 8 bits that is not scaled.
static bool keeps_scale(const AVFrame *frame, const AVPixFmtDescriptor *format, const ccover_picture *picture) {
    bool is_scaled = frame->width != picture->width || frame->height != picture->height;
    bool is_planar_rgb = (format->flags & AV_PIX_FMT_FLAG_RGB) != 0 && (format->flags & AV_PIX_FMT_FLAG_PLANAR) != 0;
    bool is_xyz = frame->format == AV_PIX_FMT_XYZ12LE || frame->format == AV_PIX_FMT_XYZ12BE;
    return (format->flags & (AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT)) != 0 || is_xyz ||
           (is_planar_rgb && format->comp[0].depth > 8 && !is_scaled);
}

// Stores the values that swscale makes of white and of opaque pixels.
static void set_largest(const AVPixFmtDescriptor *format, bool is_full_range, uint32_t largest[4]) {
    bool is_rgb = (format->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
    for (int i = 0; i < 3; i++) {
        // In limited range, white is 235 of 255 whatever the number of bits.
        largest[i] = is_rgb ? shifted(format->comp[i].depth) : shifted(is_full_range ? format->comp[0].depth : 8);
    }
    const AVComponentDescriptor *alpha = &format->comp[format->nb_components - 1];
    bool has_alpha = (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    bool is_packed_rgb = is_rgb && (format->flags & AV_PIX_FMT_FLAG_PLANAR) == 0;
    // The alpha of packed RGB is widened to 14 bits by repeating its bits.
    largest[3] = !has_alpha ? UINT16_MAX : shifted(is_packed_rgb && alpha->depth == 8 ? 14 : alpha->depth);
}

// Stretches each channel from its largest value to the largest of 16 bits, with what it gains as a fixed-point number.
static void stretch(const ccover_picture *picture, const uint32_t largest[4]) {
    enum { FRACTION_BITS = 18 };
    int channels = ccover_channels(picture->layout);
    uint32_t gains[4];
    for (int i = 0; i < 4; i++) {
        gains[i] = (uint32_t)(((uint64_t)(UINT16_MAX - largest[i]) << FRACTION_BITS) / largest[i]);
    }
    for (int y = 0; y < picture->height; y++) {
        uint16_t *pixel = (void *)(picture->rows + (size_t)y * picture->row_bytes);
        for (int x = 0; x < picture->width; x++, pixel += channels) {
            for (int i = 0; i < channels; i++) {
                uint32_t value = FFMIN(pixel[i], largest[i]);
                uint32_t gain = (value * gains[i] + (1U << (FRACTION_BITS - 1))) >> FRACTION_BITS;
                pixel[i] = (uint16_t)(value + gain);
            }
        }
    }
}

void ccover_complete_depth(const AVFrame *frame, bool is_full_range, const ccover_picture *picture) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (!format || keeps_scale(frame, format, picture)) {
        return;
    }
    uint32_t largest[4];
    set_largest(format, is_full_range, largest);
    if (FFMIN3(FFMIN(largest[0], largest[1]), largest[2], largest[3]) < UINT16_MAX) {
        stretch(picture, largest);
    }
}

void ccover_reduce_depth(const ccover_picture *source, const ccover_picture *target) {
    size_t values = (size_t)target->width * (size_t)ccover_channels(target->layout);
    for (int y = 0; y < target->height; y++) {
        const uint16_t *from = (const void *)(source->rows + (size_t)y * source->row_bytes);
        uint8_t *to = target->rows + (size_t)y * target->row_bytes;
        for (size_t i = 0; i < values; i++) {
            to[i] = ccover_reduced(from[i]);
        }
    }
}
