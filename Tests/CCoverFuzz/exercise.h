// The part of exercise.c that frames made by hand need, too.

#ifndef EXERCISE_H
#define EXERCISE_H

#include "CCover.h"

typedef struct layout_case {
    ccover_layout layout;
    int channels;
    int bits; // of a channel
} layout_case;
extern const layout_case layout_cases[];
extern const int layout_case_count;

// Renders into rows that end at a forbidden page and hold `filling` before. The rows stay until the next call; NULL
// when rendering failed, which is then checked and counted.
const uint8_t *render_guarded(ccover_clip *clip, int width, int height, layout_case layout, uint8_t filling,
                              size_t *row_bytes);

#endif
