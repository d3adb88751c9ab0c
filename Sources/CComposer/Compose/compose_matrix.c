// Conversion between the matrices of YUV, without the detour of RGB.

#include "Compose/composition.h"

#include <libavutil/csp.h>
#include <math.h>

// The weights of red and blue in luma.
typedef struct weights {
    double red, blue;
} weights;

static weights weights_of(enum AVColorSpace matrix) {
    const AVLumaCoefficients *coefficients = av_csp_luma_coeffs_from_avcsp(matrix);
    return (weights){av_q2d(coefficients->cr), av_q2d(coefficients->cb)};
}

// The conversion of values around zero, times 4096: luma changes by a sum of the chroma values, and each chroma value
// becomes a sum of both. Grey stays as it is.
typedef struct change {
    int16_t luma[2], cb[2], cr[2];
} change;

// One unit of chroma as red, green and blue in a matrix, and the result in BT.709.
static void set_column(weights from, double cb, double cr, int column, change *change) {
    const weights to = {0.2126, 0.0722};
    double red = 2 * (1 - from.red) * cr, blue = 2 * (1 - from.blue) * cb;
    double green = -(from.red * red + from.blue * blue) / (1 - from.red - from.blue);
    double luma = to.red * red + to.blue * blue + (1 - to.red - to.blue) * green;
    // Luma has 219 steps, and chroma 224.
    change->luma[column] = (int16_t)lrint(luma * 219 / 224 * 4096);
    change->cb[column] = (int16_t)lrint((blue - luma) / (2 * (1 - to.blue)) * 4096);
    change->cr[column] = (int16_t)lrint((red - luma) / (2 * (1 - to.red)) * 4096);
}

// The loops below are written so that compilers vectorise them: 16 bits are enough for the values, and no row overlaps
// another.

static inline uint8_t clipped(int value) {
    int16_t narrow = (int16_t)value;
    return (uint8_t)(narrow < 0 ? 0 : narrow > 255 ? 255 : narrow);
}

// Adds to a row what the chroma values of its pixels change.
static void convert_luma(uint8_t *restrict luma, const int16_t *restrict difference, int pairs) {
    for (int x = 0; x < pairs; x++) {
        luma[2 * x] = clipped(luma[2 * x] + difference[x]);
        luma[2 * x + 1] = clipped(luma[2 * x + 1] + difference[x]);
    }
}

// Converts a row of chroma, and stores by how much luma changes.
static void convert_chroma(change change, uint8_t *restrict cb, uint8_t *restrict cr, int16_t *restrict difference,
                           int pairs) {
    for (int x = 0; x < pairs; x++) {
        int16_t u = (int16_t)(cb[x] - 128), v = (int16_t)(cr[x] - 128);
        difference[x] = (int16_t)((change.luma[0] * u + change.luma[1] * v + 2048) >> 12);
        cb[x] = clipped(128 + ((change.cb[0] * u + change.cb[1] * v + 2048) >> 12));
        cr[x] = clipped(128 + ((change.cr[0] * u + change.cr[1] * v + 2048) >> 12));
    }
}

void composer_convert_matrix(AVFrame *tile, int x, int y, int width, int height, const AVFrame *frame) {
    enum { MAX_PAIRS = CCOMPOSITION_MAX_SIDE / 2 };
    int16_t difference[MAX_PAIRS];
    change change;
    // As in scale.c of CCover, unknown and contradictory tags mean BT.601.
    weights from = weights_of(ccover_assumes_matrix(frame) ? AVCOL_SPC_SMPTE170M : ccover_matrix_of(frame));
    set_column(from, 1, 0, 0, &change);
    set_column(from, 0, 1, 1, &change);
    for (int row = y; row < y + height; row += 2) {
        convert_chroma(change, tile->data[1] + row / 2 * tile->linesize[1] + x / 2,
                       tile->data[2] + row / 2 * tile->linesize[2] + x / 2, difference, width / 2);
        uint8_t *upper = tile->data[0] + row * tile->linesize[0] + x;
        convert_luma(upper, difference, width / 2);
        convert_luma(upper + tile->linesize[0], difference, width / 2);
    }
}
