// Turning pixels upright.

#include "Pictures/pictures.h"

#include <libavutil/pixdesc.h>
#include <stdlib.h>
#include <string.h>

void ccover_orient(const ccover_plane *source, ccover_orientation orientation, uint8_t *destination,
                   size_t destination_row_bytes) {
    size_t pixel_bytes = source->pixel_bytes;
    int turned_width = orientation.transposes ? source->height : source->width;
    int turned_height = orientation.transposes ? source->width : source->height;
    ptrdiff_t step_x = orientation.transposes ? source->row_bytes : (ptrdiff_t)pixel_bytes;
    ptrdiff_t step_y = orientation.transposes ? (ptrdiff_t)pixel_bytes : source->row_bytes;
    for (int y = 0; y < turned_height; y++) {
        int from_y = orientation.mirrors_y ? turned_height - 1 - y : y;
        uint8_t *out = destination + (size_t)y * destination_row_bytes;
        for (int x = 0; x < turned_width; x++) {
            int from_x = orientation.mirrors_x ? turned_width - 1 - x : x;
            memcpy(out, source->rows + from_y * step_y + from_x * step_x, pixel_bytes);
            out += pixel_bytes;
        }
    }
}

// Stores the number of bytes per sample in each plane. Returns false if the planes cannot be turned separately because
// chroma is subsampled differently on the two axes, or because the format is bit-packed, paletted or Bayer.
static bool sample_bytes(const AVPixFmtDescriptor *format, size_t bytes[4]) {
    const uint64_t unfit = AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL |
                           AV_PIX_FMT_FLAG_BAYER;
    if (!format || (format->flags & unfit) != 0 || format->log2_chroma_w != format->log2_chroma_h) {
        return false;
    }
    for (int i = 0; i < format->nb_components; i++) {
        bytes[format->comp[i].plane] = (size_t)format->comp[i].step;
    }
    return true;
}

AVFrame *ccover_turned_frame(const AVFrame *frame, ccover_orientation orientation) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    size_t bytes[4] = {0};
    int width = orientation.transposes ? frame->height : frame->width;
    int height = orientation.transposes ? frame->width : frame->height;
    AVFrame *turned = sample_bytes(format, bytes) ? ccover_make_frame(frame->format, width, height) : NULL;
    if (!turned || av_frame_copy_props(turned, frame) < 0) {
        av_frame_free(&turned);
        return NULL;
    }
    for (int plane = 0; plane < 4 && frame->data[plane]; plane++) {
        bool is_chroma = (plane == 1 || plane == 2) && format->nb_components >= 3;
        ccover_plane source = {
            .rows = frame->data[plane],
            .row_bytes = frame->linesize[plane],
            .width = is_chroma ? AV_CEIL_RSHIFT(frame->width, format->log2_chroma_w) : frame->width,
            .height = is_chroma ? AV_CEIL_RSHIFT(frame->height, format->log2_chroma_h) : frame->height,
            .pixel_bytes = bytes[plane],
        };
        ccover_orient(&source, orientation, turned->data[plane], (size_t)turned->linesize[plane]);
    }
    return turned;
}
