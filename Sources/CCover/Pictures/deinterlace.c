// Deinterlacing a single frame: the field presented first is kept, and the lines of the other are interpolated from it.
//
// Deinterlacers such as ffmpeg's yadif also use the frames before and after. Here a single frame has to suffice: the
// cover of a clip with one frame must look like that of a longer clip, and the next frame would have to be decoded as
// well.

#include "Support/compat.h"
#include "Pictures/pictures.h"

#include <libavutil/pixdesc.h>

// The samples of one component.
typedef struct component {
    uint8_t *first;
    ptrdiff_t row_bytes;
    int step; // bytes from one sample to the next
    int width, height;
    bool is_wide; // two bytes per sample
    int most;     // the largest value
} component;

// Whether every sample is stored separately, in one byte or in two bytes in native byte order.
static bool is_supported(const AVPixFmtDescriptor *format) {
    const uint64_t unfit = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                           AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    if (!format || (format->flags & unfit) != 0) {
        return false;
    }
    // In packed formats with more than 8 bits, samples share bytes.
    bool may_be_wide = (format->flags & AV_PIX_FMT_FLAG_PLANAR) != 0 || format->nb_components == 1;
    for (int i = 0; i < format->nb_components; i++) {
        const AVComponentDescriptor *part = &format->comp[i];
        bool is_byte = part->depth == 8 && part->shift == 0;
        bool is_wide = may_be_wide && part->depth > 8 && part->depth + part->shift <= 16 && part->step >= 2;
        if (!is_byte && !is_wide) {
            return false;
        }
    }
    return format->nb_components > 0;
}

static component component_of(const AVFrame *frame, const AVPixFmtDescriptor *format, int index) {
    const AVComponentDescriptor *part = &format->comp[index];
    bool is_chroma = (index == 1 || index == 2) && format->nb_components >= 3;
    return (component){
        .first = frame->data[part->plane] + part->offset,
        .row_bytes = frame->linesize[part->plane],
        .step = part->step,
        .width = is_chroma ? AV_CEIL_RSHIFT(frame->width, format->log2_chroma_w) : frame->width,
        .height = is_chroma ? AV_CEIL_RSHIFT(frame->height, format->log2_chroma_h) : frame->height,
        .is_wide = part->depth > 8,
        .most = ((1 << part->depth) - 1) << part->shift,
    };
}

static inline int value_of(const component *part, const uint8_t *sample) {
    return part->is_wide ? *(const uint16_t *)(const void *)sample : *sample;
}

static inline void set_value(const component *part, uint8_t *sample, int value) {
    if (part->is_wide) {
        *(uint16_t *)(void *)sample = (uint16_t)value;
    } else {
        *sample = (uint8_t)value;
    }
}

// Interpolates the lines of the other field. The four taps are those of bwdif's spatial filter, -981/8192 and
// 5077/8192, whose sum is 1. The edge-directed interpolation of yadif was tried as well: it mistakes texture for edges,
// and is up to 3 dB worse on frames whose other field is known.
static void fill_component(const component *part, int kept_parity) {
    for (int y = 1 - kept_parity; y < part->height; y += 2) {
        // At the edges of the picture the nearest line of the field replaces the missing one.
        int up = y > 0 ? y - 1 : y + 1;
        int down = y + 1 < part->height ? y + 1 : y - 1;
        if (up >= part->height) {
            return; // the picture has a single line, which belongs to the other field
        }
        int far_up = up >= 2 && y > 0 ? up - 2 : up, far_down = down + 2 < part->height && down > y ? down + 2 : down;
        const int lines[] = {far_up, up, down, far_down};
        const uint8_t *kept[4];
        for (int i = 0; i < 4; i++) {
            kept[i] = part->first + lines[i] * part->row_bytes;
        }
        uint8_t *made = part->first + y * part->row_bytes;
        for (ptrdiff_t x = 0; x < (ptrdiff_t)part->width * part->step; x += part->step) {
            int near = value_of(part, kept[1] + x) + value_of(part, kept[2] + x);
            int far = value_of(part, kept[0] + x) + value_of(part, kept[3] + x);
            set_value(part, made + x, av_clip((5077 * near - 981 * far + 4096) >> 13, 0, part->most));
        }
    }
}

AVFrame *ccover_deinterlaced_frame(const AVFrame *frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (!is_supported(format)) {
        return NULL;
    }
    AVFrame *made = ccover_make_frame(frame->format, frame->width, frame->height);
    if (!made || av_frame_copy(made, frame) < 0 || av_frame_copy_props(made, frame) < 0) {
        av_frame_free(&made);
        return NULL;
    }
    for (int i = 0; i < format->nb_components; i++) {
        component part = component_of(made, format, i);
        fill_component(&part, ccover_compat_is_top_field_first(frame) ? 0 : 1);
    }
    return made;
}
