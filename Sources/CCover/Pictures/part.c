// Rendering a part of the picture: the whole frame is scaled and the part copied, so that the part has the same pixels
// as the whole picture. If the scaled frame is much longer than the part, only the visible pixels are scaled: a frame
// of 1×320 pixels that fills 1280×720 would become 409 600 pixels high.

#include "Pictures/pictures.h"

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <string.h>

// An axis is cropped if it is this many times longer than the part, or if the whole has more pixels than this.
enum { LONGEST_AXIS = 4, MAX_PIXELS = 128 << 20 };
// Larger pictures are refused because they would not fit into the memory available to a decoder.
enum { MAX_SCALED = 256 << 20 };
// Neighbouring pixels contribute little where they would be enlarged to more pixels than this.
enum { MAX_NEIGHBOUR_PIXELS = 32 << 20 };

// One axis of the stored frame: `frame` pixels are scaled to `scaled` pixels; `count` of them are visible, beginning
// with `start`.
typedef struct axis {
    int64_t frame, scaled, start, count;
} axis;

static int64_t divided(int64_t value, int64_t divisor) {
    return (value + divisor / 2) / divisor;
}

// Crops an axis to the visible pixels and the neighbours that the scaler reads. `across` is the scaled length of the
// other axis. Returns the first remaining pixel of the frame.
static int64_t cut_axis(axis *axis, int64_t across, int64_t alignment) {
    int64_t neighbours = 2 + 4 * axis->frame / axis->scaled;
    bool are_cheap = 2 * neighbours * axis->scaled / axis->frame * across <= MAX_NEIGHBOUR_PIXELS;
    int64_t beside = are_cheap ? neighbours : 0;
    int64_t low = FFMAX(axis->start * axis->frame / axis->scaled - beside, 0) / alignment * alignment;
    int64_t end = (axis->start + axis->count) * axis->frame / axis->scaled + 1 + beside;
    int64_t high = FFMIN((end + alignment - 1) / alignment * alignment, axis->frame);
    int64_t scaled = FFMAX(divided((high - low) * axis->scaled, axis->frame), axis->count);
    int64_t start = FFMAX(axis->start - divided(low * axis->scaled, axis->frame), 0);
    *axis = (struct axis){
        .frame = high - low, .scaled = scaled, .start = FFMIN(start, scaled - axis->count), .count = axis->count};
    return low;
}

// Returns a reference to the frame without the pixels that are not visible, to be freed by the caller, or NULL on
// failure, for example if memory ran out. Updates the axes accordingly.
static AVFrame *cut_frame(const AVFrame *frame, axis *x, axis *y) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    AVFrame *cut = av_frame_clone(frame);
    // In formats with several pixels per byte, a row can only start at a byte boundary.
    if (!cut || !format || (format->flags & AV_PIX_FMT_FLAG_BITSTREAM) != 0) {
        return cut;
    }
    bool is_large = x->scaled * y->scaled > MAX_PIXELS;
    int64_t width = frame->width, height = frame->height, left = 0, top = 0;
    if (is_large || x->scaled > LONGEST_AXIS * x->count) {
        int64_t least = format->flags & AV_PIX_FMT_FLAG_BAYER ? 2 : 1;
        left = cut_axis(x, y->scaled, FFMAX(INT64_C(1) << format->log2_chroma_w, least));
    }
    if (is_large || y->scaled > LONGEST_AXIS * y->count) {
        // A field has every other line, and its chroma is subsampled.
        top = cut_axis(y, x->scaled, INT64_C(2) << format->log2_chroma_h);
    }
    cut->crop_left = (size_t)left;
    cut->crop_right = (size_t)(width - left - x->frame);
    cut->crop_top = (size_t)top;
    cut->crop_bottom = (size_t)(height - top - y->frame);
    if (av_frame_apply_cropping(cut, AV_FRAME_CROP_UNALIGNED) < 0) {
        av_frame_free(&cut);
    }
    return cut;
}

// Converts the visible range between the stored orientation and the upright one.
static void mirror(ccover_orientation orientation, axis *across, axis *down) {
    if (orientation.mirrors_x) {
        across->start = across->scaled - across->start - across->count;
    }
    if (orientation.mirrors_y) {
        down->start = down->scaled - down->start - down->count;
    }
}

// Crops the kept frame; `across` and `down` are the axes of the upright picture. Returns NULL on failure.
static AVFrame *cut_upright(const ccover_clip *clip, axis *across, axis *down) {
    const AVFrame *frame = clip->position->frame;
    ccover_orientation orientation;
    ccover_find_orientation(clip->demuxer->stream, frame, &orientation);
    axis *x = orientation.transposes ? down : across;
    axis *y = orientation.transposes ? across : down;
    x->frame = frame->width;
    y->frame = frame->height;
    mirror(orientation, across, down);
    AVFrame *cut = cut_frame(frame, x, y);
    mirror(orientation, across, down);
    return cut;
}

// How a frame is scaled, and which part of the result is visible, upright.
typedef struct placement {
    axis across, down;
    bool deinterlaces;
} placement;

// Scales a frame to the axes and copies the visible part.
static int render_and_copy(ccover_clip *clip, const AVFrame *frame, const placement *placement,
                           const ccover_picture *picture, ccover_error *error) {
    axis x = placement->across, y = placement->down;
    if (x.scaled * y.scaled > MAX_SCALED) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_TOO_LARGE, 0,
                           "the frame would have to be enlarged to %lld×%lld pixels", (long long)x.scaled,
                           (long long)y.scaled);
    }
    ccover_picture whole = {.width = (int32_t)x.scaled, .height = (int32_t)y.scaled, .layout = picture->layout};
    if (ccover_allocate_rows(&whole, error) != 0) {
        return -1;
    }
    int failed = ccover_render_frame(clip, frame, &whole, placement->deinterlaces, error);
    size_t pixel = ccover_pixel_bytes(picture->layout);
    for (int64_t row = 0; !failed && row < y.count; row++) {
        memcpy(picture->rows + (size_t)row * picture->row_bytes,
               whole.rows + (size_t)(y.start + row) * whole.row_bytes + (size_t)x.start * pixel,
               (size_t)x.count * pixel);
    }
    av_free(whole.rows);
    return failed;
}

int ccover_render_part(ccover_clip *clip, const ccover_picture *picture, ccover_part part, bool deinterlaces,
                       ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    bool is_inside = part.left >= 0 && part.top >= 0 && (int64_t)part.left + picture->width <= part.whole_width &&
                     (int64_t)part.top + picture->height <= part.whole_height;
    if (!is_inside || !clip->position->frame->buf[0] || !ccover_has_room(picture)) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_MISUSE, 0,
                           "no frame, no such part, or no room for it");
    }
    placement placement = {
        .across = {.scaled = part.whole_width, .start = part.left, .count = picture->width},
        .down = {.scaled = part.whole_height, .start = part.top, .count = picture->height},
        .deinterlaces = deinterlaces,
    };
    AVFrame *frame = cut_upright(clip, &placement.across, &placement.down);
    if (!frame) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "cannot crop the frame");
    }
    int failed = render_and_copy(clip, frame, &placement, picture, error);
    av_frame_free(&frame);
    return failed;
}
