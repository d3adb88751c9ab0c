// CTerminalPicture: draws pictures in a terminal through libchafa. The only target that includes the headers of
// libchafa and GLib.
//
// Ownership: the caller owns the pixels. The bytes that are returned are allocated here and must be freed with
// `cterminalpicture_free`.

#ifndef CTERMINALPICTURE_H
#define CTERMINALPICTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The number of colours that characters can have.
typedef enum cterminalpicture_colours {
    CTERMINALPICTURE_COLOURS_NONE,
    CTERMINALPICTURE_COLOURS_16,
    CTERMINALPICTURE_COLOURS_256,
    CTERMINALPICTURE_COLOURS_TRUE,
} cterminalpicture_colours;

// How a picture is drawn.
typedef enum cterminalpicture_kind {
    CTERMINALPICTURE_SYMBOLS, // coloured characters, in lines separated by newlines
    CTERMINALPICTURE_SIXEL,   // pixels, as one sixel sequence that draws at the cursor
    CTERMINALPICTURE_KITTY,   // pixels, as one sequence of kitty's graphics protocol that draws at the cursor
} cterminalpicture_kind;

// The capabilities of a terminal.
typedef struct cterminalpicture_abilities {
    cterminalpicture_colours colours;
    int has_sixel, has_kitty;
} cterminalpicture_abilities;

// Returns the capabilities that libchafa derives from environment variables.
cterminalpicture_abilities cterminalpicture_detect(void);

// A picture, and the area of the terminal that it fills.
typedef struct cterminalpicture_order {
    const uint8_t *_Nonnull pixels; // 8 bits per channel
    uint32_t width, height;         // of the picture, in pixels
    uint32_t channels;              // 3 (RGB) or 4 (RGBA, not premultiplied)
    size_t row_bytes;               // bytes from one row to the next
    cterminalpicture_kind kind;
    cterminalpicture_colours colours;
    int columns, rows;                     // of the area, 1 to 1000 characters each
    int character_width, character_height; // in pixels; not used for CTERMINALPICTURE_SYMBOLS
} cterminalpicture_order;

// Returns the bytes to write to the terminal, to be freed with `cterminalpicture_free`, and stores their number in
// `*count`.
char *_Nonnull cterminalpicture_draw(const cterminalpicture_order *_Nonnull order, size_t *_Nonnull count);

// Frees bytes from `cterminalpicture_draw`.
void cterminalpicture_free(char *_Nonnull bytes);

#ifdef __cplusplus
}
#endif

#endif
