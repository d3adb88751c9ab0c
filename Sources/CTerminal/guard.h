// The process that restores the terminal if this one is killed.

#ifndef CTERMINAL_GUARD_H
#define CTERMINAL_GUARD_H

#include <signal.h>
#include <stddef.h>
#include <termios.h>

// What the guard needs to know, in memory that both processes share.
typedef struct cterminal_guarded {
    volatile sig_atomic_t is_entered;
    int descriptor;
    struct termios before, raw;
    char leave[512];
    size_t leave_bytes;
} cterminal_guarded;

// Returns memory that is shared with the guard, filled with zeros; private memory if sharing fails.
cterminal_guarded *cterminal_guarded_memory(void);

// Starts the guard, unless no descriptor or process can be created. It ends with this process.
void cterminal_start_guard(const cterminal_guarded *guarded);

#endif
