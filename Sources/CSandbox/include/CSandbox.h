// CSandbox: the decoder's lock-in, and its self-test.

#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// From now on the heap gives out zeros, and overwrites what is given back; blocks below about 1 KiB may be left out, as
// glibc keeps them apart. FFmpeg's own blocks are aligned and never among those.
//
// It keeps up to 96 MiB of what is given back at its end for the next clip, and blocks below 16 MiB among it: a page that
// comes from the kernel costs several times what filling one does.
void csandbox_set_up_heap(void);

// The parts of the lock-in, in the order in which they are put on.
typedef enum csandbox_part {
    CSANDBOX_LIMITS = 0,   // address space, size of a file, descriptors, processes
    CSANDBOX_CAPABILITIES, // none, for root
    CSANDBOX_PRIVILEGES,   // no new ones by starting a program (no_new_privs)
    CSANDBOX_DUMPS,        // no core file; nobody without privileges may look into the process
    CSANDBOX_LANDLOCK,     // no file can be opened, no TCP, no signal to others
    CSANDBOX_SECCOMP,      // only the system calls of the list in call_filter.c
} csandbox_part;
#define CSANDBOX_PARTS 6
#define CSANDBOX_ALL_PARTS ((1u << CSANDBOX_PARTS) - 1)
#define CSANDBOX_REASON_SIZE 160

// What holds after a lock-in, and why the rest does not.
typedef struct csandbox_state {
    int32_t landlock_abi;                               // of the kernel's Landlock, 0 where that part does not hold
    char reasons[CSANDBOX_PARTS][CSANDBOX_REASON_SIZE]; // empty for a part that holds
} csandbox_state;

// Locks this process in, for good: what is open stays usable, nothing else can be reached. `parts` is a set of
// `1u << part`; the others are noted as left out. A part that cannot be put on is noted and the next one tried.
// To be called while the process has one thread, and after everything is loaded that is loaded by name.
void csandbox_lock_in(uint32_t parts, csandbox_state *_Nonnull state);

// A stable word for a part, such as "landlock".
const char *_Nonnull csandbox_part_name(csandbox_part part);

// Why a part does not hold, NULL when it does. Lives as long as `state`.
const char *_Nullable csandbox_missing(const csandbox_state *_Nonnull state, csandbox_part part);

// What became of something that a locked-in process must not be able to do.
typedef enum csandbox_verdict {
    CSANDBOX_DENIED = 0,
    CSANDBOX_ALLOWED,
    CSANDBOX_UNCLEAR, // it failed, but not for want of a right
} csandbox_verdict;

typedef struct csandbox_trial {
    csandbox_verdict verdict;
    char how[32]; // the name of the error or signal, empty when it was allowed
} csandbox_trial;

// How many trials there are.
int32_t csandbox_trial_count(void);

// What a trial is about, such as "open /etc/passwd".
const char *_Nonnull csandbox_trial_name(int32_t number);

// Starts a process that locks itself in as above and then tries what trial `number` is about. To be called while this
// process has one thread. Gives 0, or -1 with errno set when no process could be started.
int csandbox_try(int32_t number, uint32_t parts, csandbox_trial *_Nonnull trial);

#ifdef __cplusplus
}
#endif

#endif
