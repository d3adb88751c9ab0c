// A part of the picture: the whole is scaled and the part copied, so its pixels lie where they lie in the whole. Of a
// frame that is much longer than the part, only what shows is scaled: a picture of 1×320 pixels that fills 1280×720
// would be 409 600 pixels high.

#include "internal.h"

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <string.h>

// An axis is cut down where it is this much longer than the part, or the whole is larger than this.
enum { LONGEST_AXIS = 4, MOST_PIXELS = 128 << 20 };
// Larger pictures are not tried: they would not fit into the memory that a decoder is given.
enum { MOST_SCALED = 256 << 20 };
// The neighbours of what shows count for little where they would be enlarged to more than this.
enum { MOST_OF_NEIGHBOURS = 32 << 20 };

// One side of the frame as it is stored: `frame` pixels become `scaled`, and `count` of these show, from `start` on.
typedef struct axis {
    int64_t frame;
    int64_t scaled;
    int64_t start;
    int64_t count;
} axis;

static int64_t divided(int64_t value, int64_t divisor) {
    return (value + divisor / 2) / divisor;
}

static int64_t at_least(int64_t value, int64_t least) {
    return value < least ? least : value;
}

static int64_t at_most(int64_t value, int64_t most) {
    return value > most ? most : value;
}

// Cuts an axis down to what shows, and what the scaler looks at beside that. `across` is the other axis's scaled
// length. Gives the first pixel of the frame.
static int64_t cut_axis(axis *axis, int64_t across, int64_t alignment) {
    int64_t neighbours = 2 + 4 * axis->frame / axis->scaled;
    bool are_cheap = 2 * neighbours * axis->scaled / axis->frame * across <= MOST_OF_NEIGHBOURS;
    int64_t beside = are_cheap ? neighbours : 0;
    int64_t low = at_least(axis->start * axis->frame / axis->scaled - beside, 0) / alignment * alignment;
    int64_t end = (axis->start + axis->count) * axis->frame / axis->scaled + 1 + beside;
    int64_t high = at_most((end + alignment - 1) / alignment * alignment, axis->frame);
    int64_t scaled = at_least(divided((high - low) * axis->scaled, axis->frame), axis->count);
    int64_t start = at_least(axis->start - divided(low * axis->scaled, axis->frame), 0);
    *axis = (struct axis){
        .frame = high - low, .scaled = scaled, .start = at_most(start, scaled - axis->count), .count = axis->count};
    return low;
}

// The frame without what does not show, for the caller to free; NULL where that cannot be had, as when memory ran out.
// The axes are changed to what is left.
static AVFrame *cut_frame(const AVFrame *frame, axis *x, axis *y) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    AVFrame *cut = av_frame_clone(frame);
    // Bits cannot be begun in the midst of a byte.
    if (!cut || !format || (format->flags & AV_PIX_FMT_FLAG_BITSTREAM) != 0) {
        return cut;
    }
    bool is_large = x->scaled * y->scaled > MOST_PIXELS;
    int64_t width = frame->width, height = frame->height, left = 0, top = 0;
    if (is_large || x->scaled > LONGEST_AXIS * x->count) {
        left = cut_axis(x, y->scaled, at_least(INT64_C(1) << format->log2_chroma_w, format->flags & AV_PIX_FMT_FLAG_BAYER ? 2 : 1));
    }
    if (is_large || y->scaled > LONGEST_AXIS * y->count) {
        // A field has every other line, and of its colours only a part.
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

static void mirror(axis *axis) {
    axis->start = axis->scaled - axis->start - axis->count;
}

// Scales a frame to the axes, counted upright, and copies what shows.
static int render_and_copy(ccover_clip *clip, const AVFrame *frame, axis x, axis y, ccover_layout layout,
                           bool deinterlaces, uint8_t *rows, size_t row_bytes, ccover_error *error) {
    if (x.scaled * y.scaled > MOST_SCALED) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_TOO_LARGE, 0,
                           "it would have to be enlarged to %lld×%lld pixels", (long long)x.scaled,
                           (long long)y.scaled);
    }
    size_t whole_row_bytes = ccover_row_bytes((int32_t)x.scaled, layout);
    uint8_t *whole = av_malloc(whole_row_bytes * (size_t)y.scaled + CCOVER_TAIL_PADDING);
    if (!whole) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
    }
    int failed = ccover_render_frame(clip, frame, (int)x.scaled, (int)y.scaled, layout, deinterlaces, whole,
                                     whole_row_bytes, error);
    size_t pixel = ccover_pixel_bytes(layout);
    for (int64_t row = 0; !failed && row < y.count; row++) {
        memcpy(rows + (size_t)row * row_bytes, whole + (size_t)(y.start + row) * whole_row_bytes + (size_t)x.start * pixel,
               (size_t)x.count * pixel);
    }
    av_free(whole);
    return failed;
}

int ccover_render_part(ccover_clip *clip, int32_t width, int32_t height, ccover_part part, ccover_layout layout,
                       bool deinterlaces, uint8_t *rows, size_t row_bytes, bool *is_opaque, ccover_error *error) {
    *error = (ccover_error){0};
    *is_opaque = true;
    ccover_log_begin();
    bool is_inside = part.left >= 0 && part.top >= 0 && (int64_t)part.left + part.width <= width &&
                     (int64_t)part.top + part.height <= height;
    if (!is_inside || !ccover_has_room(clip, part.width, part.height, layout, row_bytes)) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_MISUSE, 0, "no frame, no such part, or no room for it");
    }
    ccover_orientation turn = clip->orientation;
    axis across = {.scaled = width, .start = part.left, .count = part.width};
    axis down = {.scaled = height, .start = part.top, .count = part.height};
    if (turn.mirrors_x) {
        mirror(&across);
    }
    if (turn.mirrors_y) {
        mirror(&down);
    }
    axis *x = turn.transposes ? &down : &across;
    axis *y = turn.transposes ? &across : &down;
    x->frame = clip->frame->width;
    y->frame = clip->frame->height;
    AVFrame *frame = cut_frame(clip->frame, x, y);
    if (!frame) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "cannot cut the frame");
    }
    if (turn.mirrors_x) {
        mirror(&across);
    }
    if (turn.mirrors_y) {
        mirror(&down);
    }
    int failed = render_and_copy(clip, frame, across, down, layout, deinterlaces, rows, row_bytes, error);
    av_frame_free(&frame);
    if (!failed) {
        *is_opaque = ccover_is_opaque(rows, row_bytes, part.width, part.height, layout);
    }
    return failed;
}
