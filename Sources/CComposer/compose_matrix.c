// Conversion between the matrices of YUV, without the detour of RGB.

#include "composition.h"

#include <math.h>

// The weights of red and blue in luma.
typedef struct weights {
    double red;
    double blue;
} weights;

// As in scale.c of CCover, unknown and contradictory tags mean BT.601.
static weights weights_of(enum AVColorSpace matrix) {
    switch (matrix) {
    case AVCOL_SPC_BT709:
        return (weights){0.2126, 0.0722};
    case AVCOL_SPC_FCC:
        return (weights){0.30, 0.11};
    case AVCOL_SPC_SMPTE240M:
        return (weights){0.212, 0.087};
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return (weights){0.2627, 0.0593};
    default:
        return (weights){0.299, 0.114};
    }
}

bool composer_knows_matrix(enum AVColorSpace matrix) {
    return matrix == AVCOL_SPC_BT709 || matrix == AVCOL_SPC_FCC || matrix == AVCOL_SPC_SMPTE240M ||
           matrix == AVCOL_SPC_BT470BG || matrix == AVCOL_SPC_SMPTE170M || matrix == AVCOL_SPC_BT2020_NCL ||
           matrix == AVCOL_SPC_BT2020_CL || ccover_assumes_matrix(matrix);
}

// The conversion of values around zero, times 4096: luma changes by a sum of the chroma values, and each chroma value
// becomes a sum of both. Grey stays as it is.
typedef struct change {
    int luma[2];
    int cb[2];
    int cr[2];
} change;

// One unit of chroma as red, green and blue in a matrix, and the result in BT.709.
static void set_column(weights from, double cb, double cr, int column, change *change) {
    const weights to = {0.2126, 0.0722};
    double red = 2 * (1 - from.red) * cr, blue = 2 * (1 - from.blue) * cb;
    double green = -(from.red * red + from.blue * blue) / (1 - from.red - from.blue);
    double luma = to.red * red + to.blue * blue + (1 - to.red - to.blue) * green;
    // Luma has 219 steps, and chroma 224.
    change->luma[column] = (int)lrint(luma * 219 / 224 * 4096);
    change->cb[column] = (int)lrint((blue - luma) / (2 * (1 - to.blue)) * 4096);
    change->cr[column] = (int)lrint((red - luma) / (2 * (1 - to.red)) * 4096);
}

static inline uint8_t clipped(int value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Adds to each of two rows what the chroma values of their pixels change.
static void convert_luma(uint8_t *upper, uint8_t *lower, const int16_t *difference, int pairs) {
    for (int x = 0; x < pairs; x++) {
        upper[2 * x] = clipped(upper[2 * x] + difference[x]);
        upper[2 * x + 1] = clipped(upper[2 * x + 1] + difference[x]);
        lower[2 * x] = clipped(lower[2 * x] + difference[x]);
        lower[2 * x + 1] = clipped(lower[2 * x + 1] + difference[x]);
    }
}

// Converts a row of chroma, and stores by how much luma changes.
static void convert_chroma(const change *change, uint8_t *cb, uint8_t *cr, int16_t *difference, int pairs) {
    for (int x = 0; x < pairs; x++) {
        int u = cb[x] - 128, v = cr[x] - 128;
        difference[x] = (int16_t)((change->luma[0] * u + change->luma[1] * v + 2048) >> 12);
        cb[x] = clipped(128 + ((change->cb[0] * u + change->cb[1] * v + 2048) >> 12));
        cr[x] = clipped(128 + ((change->cr[0] * u + change->cr[1] * v + 2048) >> 12));
    }
}

void composer_convert_matrix(AVFrame *tile, int x, int y, int width, int height, enum AVColorSpace matrix) {
    enum { MAX_PAIRS = CCOMPOSITION_MAX_SIDE / 2 };
    int16_t difference[MAX_PAIRS];
    change change;
    set_column(weights_of(matrix), 1, 0, 0, &change);
    set_column(weights_of(matrix), 0, 1, 1, &change);
    for (int row = y; row < y + height; row += 2) {
        convert_chroma(&change, tile->data[1] + row / 2 * tile->linesize[1] + x / 2,
                       tile->data[2] + row / 2 * tile->linesize[2] + x / 2, difference, width / 2);
        uint8_t *upper = tile->data[0] + row * tile->linesize[0] + x;
        convert_luma(upper, upper + tile->linesize[0], difference, width / 2);
    }
}
