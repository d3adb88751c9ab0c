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

// Returns memory that is shared with the guard, filled with zeros; memory of this process alone if there is no other.
cterminal_guarded *cterminal_guarded_memory(void);

// Starts the guard, unless there are no descriptors or processes to be had. It ends with this process.
void cterminal_start_guard(const cterminal_guarded *guarded);

#endif
