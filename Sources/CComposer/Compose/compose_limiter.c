// A limiter that looks ahead.
//
// Each sample permits a gain that keeps it below the ceiling. The smallest one of a window, averaged over a
// window as well, is applied to the sample that leaves the window: it never lets a sample exceed the ceiling, and falls
// and rises without a step. After a peak, the gain rises slowly, so that a loud passage is not distorted.

#include "Compose/composition.h"

#include <math.h>

// AAC overshoots by a little.
static const float ceiling = 0.94F;
// The share of the way back to full gain for each sample: half of it in about 30 ms.
static const float release = 0.0005F;

void composer_start_limiter(composer_limiter *limiter) {
    *limiter = (composer_limiter){.sum = COMPOSER_LOOKAHEAD, .released = 1};
    for (int i = 0; i < COMPOSER_LOOKAHEAD; i++) {
        limiter->wanted[i] = limiter->lowest[i] = 1;
    }
}

static float smallest(const float *values) {
    float result = 1;
    for (int i = 0; i < COMPOSER_LOOKAHEAD; i++) {
        result = values[i] < result ? values[i] : result;
    }
    return result;
}

// Enters the gain that a sample permits, and returns the gain for the sample that leaves the window.
static float next_gain(composer_limiter *limiter, float peak) {
    int position = limiter->position;
    limiter->wanted[position] = peak > ceiling ? ceiling / peak : 1;
    float lowest = smallest(limiter->wanted);
    float rising = limiter->released + (1 - limiter->released) * release;
    limiter->released = FFMIN(lowest, rising);
    limiter->sum += (double)limiter->released - (double)limiter->lowest[position];
    limiter->lowest[position] = limiter->released;
    return (float)(limiter->sum / (double)COMPOSER_LOOKAHEAD);
}

void composer_limit(composer_limiter *limiter, float *samples, int count) {
    for (int i = 0; i < count; i++) {
        float left = samples[2 * i], right = samples[2 * i + 1];
        float *delayed = &limiter->delayed[2 * limiter->position];
        float gain = next_gain(limiter, fmaxf(fabsf(left), fabsf(right)));
        samples[2 * i] = delayed[0] * gain;
        samples[2 * i + 1] = delayed[1] * gain;
        delayed[0] = left;
        delayed[1] = right;
        limiter->position = (limiter->position + 1) % COMPOSER_LOOKAHEAD;
    }
}
