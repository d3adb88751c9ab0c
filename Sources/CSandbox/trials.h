// The trials of the self-test: trials.c has them, self_test.c runs them.

#ifndef CSANDBOX_TRIALS_H
#define CSANDBOX_TRIALS_H

#include "internal.h"

#include <netinet/in.h>

// What is made before the lock-in, as a decoder has its descriptors before.
typedef struct setting {
    pid_t parent;
    int program;          // open for reading
    int memory;           // a file in memory
    int sealed;           // another one, sealed as a picture is that a decoder has handed over
    int pipe[2];          // with a byte in it
    int udp;
    int tcp;
    struct sockaddr_in listener;
    void *page;           // of its own, readable and writable
    bool has_own_mounts;
} setting;

// Gives 0 when it could be done, or the error.
typedef int attempt(const setting *setting);

typedef struct csandbox_trial_entry {
    const char *what;
    attempt *attempt;
    int also; // an error that means "denied" too, for a limit; else 0
} csandbox_trial_entry;

CSANDBOX_HIDDEN const csandbox_trial_entry *csandbox_trial_entry_of(int32_t number);

// What goes wrong here shows in the attempt: with a descriptor of -1 it fails by EBADF, which is "unclear".
CSANDBOX_HIDDEN setting csandbox_prepare(pid_t parent);

// Removes what an attempt may have left behind. Done by the process that tries nothing: one that could create a file
// is perhaps not able to remove it.
CSANDBOX_HIDDEN void csandbox_clean_up(pid_t parent);

#endif
