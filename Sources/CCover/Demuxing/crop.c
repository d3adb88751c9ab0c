// The cropping of Matroska (PixelCrop elements) and MXF (the display rectangle). libavformat ignores it, and divides
// the display size by the size of the whole frame, so that pixels have the wrong shape.

#include "Support/compat.h"
#include "Demuxing/demuxing.h"

#include <libavutil/pixdesc.h>

static bool fits(const ccover_crop *crop, int64_t width, int64_t height) {
    bool is_of_height = crop->whole_height == 0 || crop->whole_height == height;
    return is_of_height && crop->left + crop->right < width && crop->top + crop->bottom < height;
}

void ccover_find_crop(ccover_demuxer *demuxer) {
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    AVRational *aspect = &demuxer->stream->sample_aspect_ratio;
    ccover_crop crop = {0};
    if (demuxer->kind->is_matroska) {
        ccover_matroska_crop(&demuxer->input, ccover_video_track(demuxer), &crop);
    } else if (ccover_is_container(demuxer, "mxf") &&
               ccover_mxf_crop(&demuxer->input, parameters->width, parameters->height, &crop)) {
        crop.shown_width = (int64_t)aspect->num * parameters->width;
        crop.shown_height = (int64_t)aspect->den * parameters->height;
    }
    if (!crop.is_stated || demuxer->all_streams || !fits(&crop, parameters->width, parameters->height)) {
        return;
    }
    demuxer->crop = crop;
    if (crop.shown_width > 0 && crop.shown_height > 0) {
        int64_t width = parameters->width - crop.left - crop.right;
        int64_t height = parameters->height - crop.top - crop.bottom;
        av_reduce(&aspect->num, &aspect->den, crop.shown_width * height, crop.shown_height * width, INT32_MAX);
    }
}

void ccover_crop_frame(const ccover_demuxer *demuxer, AVFrame *frame) {
    const ccover_crop *crop = &demuxer->crop;
    if (!crop->is_stated || !fits(crop, frame->width, frame->height)) {
        return;
    }
    // The first line shown of two fields stays a line of the first field, and so does that of chroma, which may have
    // half of the lines.
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    int64_t lines = format && ccover_compat_is_interlaced(frame) ? 2 << format->log2_chroma_h : 1;
    int64_t top = crop->top / lines * lines;
    frame->crop_left = (size_t)crop->left;
    frame->crop_top = (size_t)top;
    frame->crop_right = (size_t)crop->right;
    frame->crop_bottom = (size_t)(crop->bottom + crop->top - top);
    av_frame_apply_cropping(frame, AV_FRAME_CROP_UNALIGNED);
}
