// CTerminalPicture: pictures as what a terminal shows, through libchafa. The only place with its headers and GLib's.
//
// No handle outlives a call. What is drawn is allocated here and freed with `cterminalpicture_free`.

#ifndef CTERMINALPICTURE_H
#define CTERMINALPICTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How many colours characters can have.
typedef enum cterminalpicture_colours {
    CTERMINALPICTURE_COLOURS_NONE,
    CTERMINALPICTURE_COLOURS_16,
    CTERMINALPICTURE_COLOURS_256,
    CTERMINALPICTURE_COLOURS_TRUE,
} cterminalpicture_colours;

// What a picture is made of.
typedef enum cterminalpicture_kind {
    CTERMINALPICTURE_SYMBOLS, // characters with colours; lines with a newline between them
    CTERMINALPICTURE_SIXEL,   // pixels; one sequence that starts where the cursor is
    CTERMINALPICTURE_KITTY,   // the same by kitty's protocol
} cterminalpicture_kind;

// What the terminal can, by libchafa's knowledge of environment variables.
typedef struct cterminalpicture_abilities {
    cterminalpicture_colours colours;
    int has_sixel, has_kitty;
} cterminalpicture_abilities;
cterminalpicture_abilities cterminalpicture_detect(void);

// What to draw: `channels` is 3 (RGB) or 4 (RGBA, not premultiplied), 8 bits each, and where to: `columns` by `rows`
// characters (1 to 1000 each), which the picture fills, of so many pixels each, which only pixels mind.
typedef struct cterminalpicture_order {
    const uint8_t *_Nonnull pixels;
    uint32_t width, height, channels;
    size_t row_bytes;
    cterminalpicture_kind kind;
    cterminalpicture_colours colours;
    int columns, rows;
    int character_width, character_height;
} cterminalpicture_order;

// Gives the bytes for the terminal, to free with `cterminalpicture_free`, and their number.
char *_Nonnull cterminalpicture_draw(const cterminalpicture_order *_Nonnull order, size_t *_Nonnull count);

// Frees bytes from `cterminalpicture_draw`.
void cterminalpicture_free(char *_Nonnull bytes);

#ifdef __cplusplus
}
#endif

#endif
