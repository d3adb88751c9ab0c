// CTerminal: the state of a terminal, restored however the program ends, and pictures as what a terminal shows.
//
// Signal handlers are in C because no Swift code is safe to call in one. Only picture.c includes the headers of libchafa
// and GLib.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The state of the terminal (terminal.c): one terminal per process, entered and left by one thread.

// What is read from the descriptor of signals, a byte each.
enum {
    CTERMINAL_RESIZED = 'w', // the terminal has another size
    CTERMINAL_RESUMED = 'c', // the program goes on after a stop; its screen is gone
};

// Turns echo, lines and the translation of keys off on the terminal `descriptor`, writes `enter` to it, and sees to it
// that `leave` is written and the terminal is as before
//   - when the program exits or calls `cterminal_leave`;
//   - when a signal ends it (HUP, INT, QUIT, TERM, PIPE, and those of crashes), which it then still does;
//   - while it is stopped (TSTP); when it goes on, all is entered again.
// Ctrl-C, Ctrl-\ and Ctrl-Z stay signals. Both texts are copied, and have at most 512 bytes.
// Gives a descriptor to read signals from, never blocking, or -1 with errno set and nothing changed.
int cterminal_enter(int descriptor, const char *_Nonnull enter, size_t enter_bytes, const char *_Nonnull leave,
                    size_t leave_bytes);

// Brings the terminal back. Harmless when called again, or before `cterminal_enter`.
void cterminal_leave(void);

// Columns and rows of the terminal, at least 1 each. Pixels are 0 where it does not tell. Gives 0, or -1 with errno set.
typedef struct cterminal_size {
    int columns, rows;
    int pixel_width, pixel_height;
} cterminal_size;
int cterminal_get_size(int descriptor, cterminal_size *_Nonnull size);

// Pictures (picture.c). No handle outlives a call.

// How many colours characters can have.
typedef enum cterminal_picture_colours {
    CTERMINAL_PICTURE_COLOURS_NONE,
    CTERMINAL_PICTURE_COLOURS_16,
    CTERMINAL_PICTURE_COLOURS_256,
    CTERMINAL_PICTURE_COLOURS_TRUE,
} cterminal_picture_colours;

// What a picture is made of.
typedef enum cterminal_picture_kind {
    CTERMINAL_PICTURE_SYMBOLS, // characters with colours; lines with a newline between them
    CTERMINAL_PICTURE_SIXEL,   // pixels; one sequence that starts where the cursor is
    CTERMINAL_PICTURE_KITTY,   // the same by kitty's protocol
} cterminal_picture_kind;

// What the terminal can, by libchafa's knowledge of environment variables.
typedef struct cterminal_picture_abilities {
    cterminal_picture_colours colours;
    int has_sixel, has_kitty;
} cterminal_picture_abilities;
cterminal_picture_abilities cterminal_picture_detect(void);

// What to draw: `channels` is 3 (RGB) or 4 (RGBA, not premultiplied), 8 bits each, and where to: `columns` by `rows`
// characters (1 to 1000 each), which the picture fills, of so many pixels each, which only pixels mind.
typedef struct cterminal_picture_order {
    const uint8_t *_Nonnull pixels;
    uint32_t width, height, channels;
    size_t row_bytes;
    cterminal_picture_kind kind;
    cterminal_picture_colours colours;
    int columns, rows;
    int character_width, character_height;
} cterminal_picture_order;

// Gives the bytes for the terminal, to free with `cterminal_picture_free`, and their number.
char *_Nonnull cterminal_picture_draw(const cterminal_picture_order *_Nonnull order, size_t *_Nonnull count);

// Frees bytes from `cterminal_picture_draw`.
void cterminal_picture_free(char *_Nonnull bytes);

#ifdef __cplusplus
}
#endif

#endif
