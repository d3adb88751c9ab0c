// Rendering the kept frame: deinterlacing, scaling and turning it upright.

#include "Support/compat.h"
#include "Pictures/pictures.h"

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

// Scales the frame in its stored orientation, then turns the result. This is the least work because a cover is small.
static int scale_then_turn(ccover_clip *clip, const AVFrame *frame, ccover_orientation orientation,
                           const ccover_picture *picture, ccover_error *error) {
    ccover_picture scaled = {
        .width = orientation.transposes ? picture->height : picture->width,
        .height = orientation.transposes ? picture->width : picture->height,
        .layout = picture->layout,
    };
    if (ccover_allocate_rows(&scaled, error) != 0) {
        return -1;
    }
    int failed = ccover_scale_frame(clip, frame, &scaled, error);
    if (!failed) {
        ccover_plane source = {
            .rows = scaled.rows,
            .row_bytes = (ptrdiff_t)scaled.row_bytes,
            .width = scaled.width,
            .height = scaled.height,
            .pixel_bytes = ccover_pixel_bytes(scaled.layout),
        };
        ccover_orient(&source, orientation, picture->rows, picture->row_bytes);
    }
    av_free(scaled.rows);
    return failed;
}

int ccover_render_frame(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, bool deinterlaces,
                        ccover_error *error) {
    if (!ccover_is_convertible(frame)) {
        const char *name = av_get_pix_fmt_name(frame->format);
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_UNSUPPORTED_PIXELS, 0,
                           "cannot convert the pixel format %s", name ? name : "unknown");
    }
    ccover_orientation orientation;
    ccover_find_orientation(clip->demuxer->stream, frame, &orientation);
    bool has_two_fields = ccover_compat_is_interlaced(frame) && !ccover_is_field(clip->demuxer, frame);
    AVFrame *deinterlaced = deinterlaces && has_two_fields ? ccover_deinterlaced_frame(frame) : NULL;
    if (deinterlaced) {
        frame = deinterlaced;
    }
    // A full-size cover with width and height swapped whose pixels are not square is turned before scaling, as ffmpeg
    // does it: squaring the pixels along the other axis would result in different chroma.
    bool keeps_one_side = (picture->width == frame->height) != (picture->height == frame->width);
    bool turns_first = orientation.transposes && keeps_one_side;
    AVFrame *turned = turns_first ? ccover_turned_frame(frame, orientation) : NULL;
    int failed = turned || ccover_is_identity(orientation)
                     ? ccover_scale_frame(clip, turned ? turned : frame, picture, error)
                     : scale_then_turn(clip, frame, orientation, picture, error);
    av_frame_free(&turned);
    av_frame_free(&deinterlaced);
    return failed;
}

int ccover_render(ccover_clip *clip, const ccover_picture *picture, bool deinterlaces, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (!clip->position->frame->buf[0] || !ccover_has_room(picture)) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_MISUSE, 0, "no frame, or no room for it");
    }
    return ccover_render_frame(clip, clip->position->frame, picture, deinterlaces, error);
}
