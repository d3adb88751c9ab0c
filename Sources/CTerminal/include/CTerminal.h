// CTerminal: the state of a terminal, brought back whatever ends the program. Handlers of signals are C because nothing
// of Swift is safe to call in one.
//
// One terminal a process, entered and left by one thread.

#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
