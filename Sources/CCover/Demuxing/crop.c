// The cropping of Matroska (PixelCrop elements). libavformat ignores it, and divides the display size by the size of
// the whole frame, so that pixels have the wrong shape.

#include "Support/compat.h"
#include "Demuxing/demuxing.h"

static bool fits(const ccover_crop *crop, int64_t width, int64_t height) {
    return crop->left + crop->right < width && crop->top + crop->bottom < height;
}

void ccover_find_crop(ccover_demuxer *demuxer) {
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    ccover_crop crop = {0};
    if (!ccover_is_matroska(demuxer->format) || demuxer->all_streams ||
        !ccover_matroska_crop(&demuxer->input, ccover_video_track(demuxer), &crop) ||
        !fits(&crop, parameters->width, parameters->height)) {
        return;
    }
    demuxer->crop = crop;
    if (crop.shown_width > 0 && crop.shown_height > 0) {
        int64_t width = parameters->width - crop.left - crop.right;
        int64_t height = parameters->height - crop.top - crop.bottom;
        AVRational *aspect = &demuxer->stream->sample_aspect_ratio;
        av_reduce(&aspect->num, &aspect->den, crop.shown_width * height, crop.shown_height * width, INT32_MAX);
    }
}

// The first line that is shown. In a frame of two fields, it stays a line of the first field, and so does that of
// chroma with half of the lines.
static int64_t first_line(const ccover_crop *crop, const AVFrame *frame) {
    enum { LINES = 4 };
    return ccover_compat_is_interlaced(frame) ? crop->top / LINES * LINES : crop->top;
}

void ccover_crop_frame(const ccover_demuxer *demuxer, AVFrame *frame) {
    const ccover_crop *crop = &demuxer->crop;
    if (!crop->is_stated || !fits(crop, frame->width, frame->height)) {
        return;
    }
    int64_t top = first_line(crop, frame);
    frame->crop_left = (size_t)crop->left;
    frame->crop_top = (size_t)top;
    frame->crop_right = (size_t)crop->right;
    frame->crop_bottom = (size_t)(crop->bottom + crop->top - top);
    av_frame_apply_cropping(frame, AV_FRAME_CROP_UNALIGNED);
}
