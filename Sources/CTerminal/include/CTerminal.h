// CTerminal: puts a terminal into raw mode, and restores it however the program ends. It is written in C because Swift
// code is not safe to run in a signal handler.
//
// A process can use one terminal, which one thread enters and leaves.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The bytes that are read from the descriptor of `cterminal_enter`, one per event.
enum {
    CTERMINAL_RESIZED = 'w', // the size of the terminal has changed
    CTERMINAL_RESUMED = 'c', // the program continues after being stopped, and has to redraw its screen
};

// Disables echo, line buffering and the translation of keys on the terminal `descriptor`, and writes `enter` to it.
// `leave` is written and the terminal restored
//   - when the program exits or calls `cterminal_leave`;
//   - when a signal ends the program (HUP, INT, QUIT, TERM, PIPE or a crash), which then takes effect;
//   - while the program is stopped (TSTP); when it continues, it enters the terminal again.
// Ctrl-C, Ctrl-\ and Ctrl-Z still generate signals. Both texts are copied; each may have up to 512 bytes. The caller
// keeps `descriptor` open until the program ends.
// Returns a non-blocking descriptor from which events are read, which must not be closed, or -1 with errno set and
// nothing changed.
int cterminal_enter(int descriptor, const char *_Nonnull enter, size_t enter_bytes, const char *_Nonnull leave,
                    size_t leave_bytes);

// Restores the terminal. Does nothing if called again, or before `cterminal_enter`.
void cterminal_leave(void);

// The size of a terminal.
typedef struct cterminal_size {
    int columns, rows;             // at least 1
    int pixel_width, pixel_height; // 0 if unknown
} cterminal_size;

// Stores the size of the terminal `descriptor`. Returns 0, or -1 with errno set.
int cterminal_get_size(int descriptor, cterminal_size *_Nonnull size);

#ifdef __cplusplus
}
#endif

#endif
