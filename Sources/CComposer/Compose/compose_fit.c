// How frames are fitted into the places of canvases, like covers in the picture of a board.

#include "Compose/composition.h"

typedef struct size {
    int64_t width, height;
} size;

// The size of the upright frame with square pixels.
static size upright_size(const ccover_frame_format *format) {
    size size = {format->width, format->height};
    int64_t num = format->sample_aspect_ratio.num, den = format->sample_aspect_ratio.den;
    if (format->orientation.transposes) {
        FFSWAP(int64_t, size.width, size.height);
        FFSWAP(int64_t, num, den);
    }
    if (num > 0 && den > 0) {
        size.width = av_clip64((size.width * num + den / 2) / den, 1, INT32_MAX);
    }
    return size;
}

// A side that keeps the shape of a frame, rounded to nearest.
static int64_t side(int64_t other, int64_t numerator, int64_t denominator) {
    return (2 * other * numerator + denominator) / (2 * denominator);
}

// The nearest even number that is at least 2 and at most as large as the side of the place. If that is not even, the
// part shown may be as large as the place.
static int even_side(int64_t length, int place) {
    int64_t even = (length + 1) / 2 * 2;
    return even >= place ? place : (int)FFMAX(even, 2);
}

// The size of the part of the place that shows the frame.
static size box_of(size frame, const ccomposition_canvas *canvas) {
    double own = (double)canvas->width / canvas->height, other = (double)frame.width / (double)frame.height;
    double shown = FFMIN(own, other) / FFMAX(own, other);
    bool is_turned = (own - 1) * (other - 1) < 0;
    size box = {canvas->width, canvas->height};
    if (shown < (is_turned ? canvas->least_shown_turned : canvas->least_shown)) {
        if (other > own) {
            box.height = even_side(side(box.width, frame.height, frame.width), canvas->height);
        } else {
            box.width = even_side(side(box.height, frame.width, frame.height), canvas->width);
        }
    }
    return box;
}

composer_fit composer_fit_of(const ccover_frame_facts *facts, const ccomposition_canvas *canvas) {
    size frame = upright_size(&facts->format), box = box_of(frame, canvas);
    composer_fit fit = {
        .scaled_width = (int)FFMAX(box.width, side(box.height, frame.width, frame.height)),
        .scaled_height = (int)FFMAX(box.height, side(box.width, frame.height, frame.width)),
        .x = (int)(canvas->width - box.width) / 2 & ~1,
        .y = (int)(canvas->height - box.height) / 2 & ~1,
        .width = (int)box.width,
        .height = (int)box.height,
    };
    // A frame that is shown whole may be a little larger than its part, because sides are rounded.
    if (box.width != canvas->width || box.height != canvas->height) {
        fit.scaled_width = fit.width;
        fit.scaled_height = fit.height;
    }
    fit.left = (fit.scaled_width - fit.width) / 2;
    fit.top = (fit.scaled_height - fit.height) / 2;
    return fit;
}
