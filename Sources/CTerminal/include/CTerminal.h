// CTerminal: puts a terminal into raw mode, restores it however the program ends, and draws pictures in it.
//
// The mode is in C because Swift code is not safe to run in a signal handler. Only picture.c includes the headers of
// libchafa and GLib. A process can use one terminal, which one thread enters and leaves.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The bytes that are read from the descriptor of `cterminal_enter`, one per event.
enum {
    CTERMINAL_RESIZED = 'w',   // the size of the terminal has changed
    CTERMINAL_SUSPENDED = 'z', // the program is about to be stopped, or continues in the background
    CTERMINAL_RESUMED = 'c',   // the program continues in the foreground, and has to redraw its screen
};

// Disables echo, line buffering and the translation of keys on the terminal `descriptor`, and writes `enter` to it.
// `leave` is written and the terminal restored
//   - when the program exits or calls `cterminal_leave`;
//   - when a signal ends the program (HUP, INT, QUIT, TERM, PIPE or a crash), which then takes effect;
//   - while the program is stopped (TSTP); when it continues in the foreground, it enters the terminal again.
// Ctrl-C, Ctrl-\ and Ctrl-Z still generate signals. Both texts are copied; each may have up to 512 bytes. The caller
// keeps `descriptor` open until the program ends.
// Returns a non-blocking descriptor for reading events, which must not be closed, or -1 with errno set and nothing
// changed.
int cterminal_enter(int descriptor, const char *_Nonnull enter, size_t enter_bytes, const char *_Nonnull leave,
                    size_t leave_bytes);

// Restores the terminal. Does nothing if called again, or before `cterminal_enter`.
void cterminal_leave(void);

// Returns whether the terminal is entered. In the background it belongs to other programs.
int cterminal_is_entered(void);

// The size of a terminal.
typedef struct cterminal_size {
    int columns, rows;             // at least 1
    int pixel_width, pixel_height; // 0 if unknown
} cterminal_size;

// Stores the size of the terminal `descriptor`. Returns 0, or -1 with errno set.
int cterminal_get_size(int descriptor, cterminal_size *_Nonnull size);

// Pictures. The caller owns the pixels; the bytes that are returned are allocated here.

// The number of colours that characters can have.
typedef enum cterminal_picture_colours {
    CTERMINAL_PICTURE_COLOURS_NONE,
    CTERMINAL_PICTURE_COLOURS_16,
    CTERMINAL_PICTURE_COLOURS_256,
    CTERMINAL_PICTURE_COLOURS_TRUE,
} cterminal_picture_colours;

// How a picture is drawn.
typedef enum cterminal_picture_kind {
    CTERMINAL_PICTURE_SYMBOLS, // coloured characters, in lines separated by newlines
    CTERMINAL_PICTURE_SIXEL,   // pixels, as one sixel sequence that draws at the cursor
    CTERMINAL_PICTURE_KITTY,   // pixels, as one sequence of kitty's graphics protocol that draws at the cursor
} cterminal_picture_kind;

// The capabilities of a terminal.
typedef struct cterminal_picture_abilities {
    cterminal_picture_colours colours;
    int has_sixel, has_kitty;
} cterminal_picture_abilities;

// Returns the capabilities that libchafa derives from environment variables.
cterminal_picture_abilities cterminal_picture_detect(void);

// A picture, and the area of the terminal that it fills.
typedef struct cterminal_picture_order {
    const uint8_t *_Nonnull pixels; // 8 bits per channel
    uint32_t width, height;         // of the picture, in pixels
    uint32_t channels;              // 3 (RGB) or 4 (RGBA, not premultiplied)
    size_t row_bytes;               // bytes from one row to the next
    cterminal_picture_kind kind;
    cterminal_picture_colours colours;
    int columns, rows;                     // of the area, 1 to 1000 characters each
    int character_width, character_height; // in pixels; not used for CTERMINAL_PICTURE_SYMBOLS
} cterminal_picture_order;

// Returns the bytes to write to the terminal, to be freed with `cterminal_picture_free`, and stores their number in
// `*count`.
char *_Nonnull cterminal_picture_draw(const cterminal_picture_order *_Nonnull order, size_t *_Nonnull count);

// Frees bytes from `cterminal_picture_draw`.
void cterminal_picture_free(char *_Nonnull bytes);

#ifdef __cplusplus
}
#endif

#endif
