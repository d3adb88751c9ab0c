// Declarations shared by the files that encode animations.

#ifndef CCOVER_ANIMATION_H
#define CCOVER_ANIMATION_H

#include "Pictures/pictures.h"

// The encoder of one file format. `add` and `finish` do the work of the functions of `ccover_animation`, whose
// arguments have been checked. `state` belongs to the encoder.
typedef struct ccover_animation_encoder {
    int (*open)(const ccover_animation_options *options, void **state, ccover_error *error);
    int (*add)(void *state, const ccover_picture *picture, int64_t start, int64_t end, ccover_error *error);
    int (*finish)(void *state, int64_t end, ccover_bytes *encoded, ccover_animation_facts *facts, ccover_error *error);
    void (*close)(void *state); // must accept NULL
} ccover_animation_encoder;

// animation_webp.c
extern const ccover_animation_encoder ccover_animated_webp_encoder;

// animation_gif.c
extern const ccover_animation_encoder ccover_gif_encoder;

// palette.c: choosing the colours of a GIF.

// The most colours of a palette; the last index of a GIF is left for pixels that do not change.
#define CCOVER_PALETTE_COLOURS 255

// The colours of a palette, and how pixels are mapped to them.
typedef struct ccover_palette ccover_palette;

// Returns an empty palette, to be freed with `av_free`; NULL if memory ran out.
ccover_palette *ccover_palette_alloc(void);
// Counts the colours of `count` pixels, at least one. A pixel is 0xFFRRGGBB.
void ccover_palette_count(ccover_palette *palette, const uint32_t *pixels, size_t count);
// Chooses at most `colours` colours, up to CCOVER_PALETTE_COLOURS, for the pixels that were counted.
void ccover_palette_choose(ccover_palette *palette, int colours);
// Writes CCOVER_PALETTE_COLOURS colours as 0xFFRRGGBB.
void ccover_palette_write(const ccover_palette *palette, uint32_t *colours);
// Returns the index of the colour for a pixel at a position.
uint8_t ccover_palette_index(ccover_palette *palette, uint32_t pixel, int x, int y);

#endif
