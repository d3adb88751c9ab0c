// The trials of the self-test. trials.c combines the groups; self_test.c runs the trials.
//
// A trial attempts something that the kernel grants to any process with sufficient permission, so that the attempt
// succeeds unless the sandbox forbids it.

#ifndef CSANDBOX_TRIALS_H
#define CSANDBOX_TRIALS_H

#include "internal.h"

#include <errno.h>
#include <netinet/in.h>

enum { CSANDBOX_PAGE = 4096 };

// The program that a trial tries to execute.
#define CSANDBOX_SHELL "/bin/sh"

// The resources that trials use. They are created before the sandbox is applied, just as a decoder receives its
// descriptors before it opens a clip.
typedef struct csandbox_resources {
    pid_t parent;
    int program; // CSANDBOX_SHELL, open for reading
    int memory;  // a file in memory
    int sealed;  // a file in memory, sealed like a picture that a decoder has handed over
    int pipe[2]; // contains one byte
    int lifeline; // the other end of CSANDBOX_LIFELINE, as the parent has it
    int udp;
    int tcp;
    struct sockaddr_in listener; // the address of a listening TCP socket
    void *page;                  // a private page, readable and writable
    bool has_own_mounts;         // whether the process has a private mount namespace
} csandbox_resources;

// Attempts the operation. Returns 0 if it succeeded, or the errno value.
typedef int csandbox_attempt(const csandbox_resources *resources);

typedef struct csandbox_trial_entry {
    const char *name;
    csandbox_attempt *attempt;
    int also_denied; // what else means "denied": an errno value, used by limits, or a negated signal; otherwise 0
} csandbox_trial_entry;

typedef struct csandbox_trial_group {
    const csandbox_trial_entry *entries;
    int32_t count;
} csandbox_trial_group;

#define CSANDBOX_TRIAL_GROUP(entries) {(entries), (int32_t)(sizeof(entries) / sizeof((entries)[0]))}

CSANDBOX_HIDDEN extern const csandbox_trial_group csandbox_file_trials;    // trials_files.c
CSANDBOX_HIDDEN extern const csandbox_trial_group csandbox_network_trials; // trials_network.c
CSANDBOX_HIDDEN extern const csandbox_trial_group csandbox_process_trials; // trials_processes.c
CSANDBOX_HIDDEN extern const csandbox_trial_group csandbox_kernel_trials;  // trials_kernel.c
CSANDBOX_HIDDEN extern const csandbox_trial_group csandbox_memory_trials;  // trials_memory.c

// Returns trial `number`, which must be in 0..<csandbox_trial_count().
CSANDBOX_HIDDEN const csandbox_trial_entry *csandbox_trial_entry_of(int32_t number);

// Creates the resources. A descriptor that cannot be created is -1; an attempt that uses it fails with EBADF, which
// counts as unclear.
CSANDBOX_HIDDEN csandbox_resources csandbox_prepare(pid_t parent);

// Removes the file that a trial may have created. Called in the parent, because a child that was able to create the
// file may not be able to remove it.
CSANDBOX_HIDDEN void csandbox_clean_up(pid_t parent);

// Converts the result of a system call into 0 or the errno value.
static inline int csandbox_error_of(long result) {
    return result < 0 ? errno : 0;
}

#endif
