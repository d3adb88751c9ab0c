// Deinterlacing a single frame: the field presented first is kept, and the lines of the other are interpolated from it.
//
// Deinterlacers such as ffmpeg's yadif also use the frames before and after. Here a single frame has to suffice: the
// cover of a clip with one frame must look like that of a longer clip, and the next frame would have to be decoded as
// well.

#include "Support/compat.h"
#include "Pictures/pictures.h"

#include <libavutil/mem.h>
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

static void read_line(const component *part, int y, uint16_t *line) {
    const uint8_t *sample = part->first + y * part->row_bytes;
    for (int x = 0; x < part->width; x++, sample += part->step) {
        line[x] = part->is_wide ? *(const uint16_t *)(const void *)sample : *sample;
    }
}

static void write_line(const component *part, int y, const uint16_t *line) {
    uint8_t *sample = part->first + y * part->row_bytes;
    for (int x = 0; x < part->width; x++, sample += part->step) {
        if (part->is_wide) {
            *(uint16_t *)(void *)sample = line[x];
        } else {
            *sample = (uint8_t)line[x];
        }
    }
}

// The two lines of the kept field next to an interpolated line, and the next line beyond each of them.
typedef struct neighbours {
    uint16_t *far_above, *above, *below, *far_below;
} neighbours;

// Interpolates a line. The four taps are those of bwdif's spatial filter, -981/8192 and 5077/8192, whose sum is 1. The
// edge-directed interpolation of yadif was tried as well: it mistakes texture for edges, and is up to 3 dB worse on
// frames whose other field is known.
static void make_line(const component *part, const neighbours *lines, uint16_t *line) {
    for (int x = 0; x < part->width; x++) {
        int near = lines->above[x] + lines->below[x], far = lines->far_above[x] + lines->far_below[x];
        int sum = 5077 * near - 981 * far;
        int value = (sum + 4096) >> 13;
        line[x] = (uint16_t)(value < 0 ? 0 : value > part->most ? part->most : value);
    }
}

// Interpolates the lines of the other field. `memory` has room for five lines.
static void fill_component(const component *part, int kept_parity, uint16_t *memory) {
    size_t width = (size_t)part->width;
    neighbours lines = {memory, memory + width, memory + 2 * width, memory + 3 * width};
    uint16_t *made = memory + 4 * width;
    for (int y = 1 - kept_parity; y < part->height; y += 2) {
        // At the edges of the picture the nearest line of the field replaces the missing one.
        int up = y > 0 ? y - 1 : y + 1;
        int down = y + 1 < part->height ? y + 1 : y - 1;
        if (up >= part->height) {
            return; // the picture has a single line, which belongs to the other field
        }
        read_line(part, up, lines.above);
        read_line(part, down, lines.below);
        read_line(part, up >= 2 && y > 0 ? up - 2 : up, lines.far_above);
        read_line(part, down + 2 < part->height && down > y ? down + 2 : down, lines.far_below);
        make_line(part, &lines, made);
        write_line(part, y, made);
    }
}

AVFrame *ccover_deinterlaced_frame(const AVFrame *frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (!is_supported(format)) {
        return NULL;
    }
    bool succeeded = false;
    AVFrame *made = av_frame_alloc();
    uint16_t *lines = av_malloc_array((size_t)frame->width, 5 * sizeof(*lines));
    if (!made || !lines) {
        goto done;
    }
    made->format = frame->format;
    made->width = frame->width;
    made->height = frame->height;
    if (av_frame_get_buffer(made, 0) < 0 || av_frame_copy(made, frame) < 0 || av_frame_copy_props(made, frame) < 0) {
        goto done;
    }
    int kept_parity = ccover_compat_is_top_field_first(frame) ? 0 : 1;
    for (int i = 0; i < format->nb_components; i++) {
        component part = component_of(made, format, i);
        fill_component(&part, kept_parity, lines);
    }
    succeeded = true;

done:
    av_free(lines);
    if (!succeeded) {
        av_frame_free(&made);
    }
    return made;
}
