// CSandbox: the sandbox of the programs that read clips, and its self-test.

#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Configures the heap so that allocated memory is filled with zeros and freed memory is overwritten. Blocks below about
// 1 KiB may be exempt, because glibc caches them separately; FFmpeg's own blocks are aligned and never among those.
//
// The heap keeps up to 96 MiB of free memory at its end for the next clip, and serves blocks below 16 MiB from it: a
// page obtained from the kernel costs several times as much as filling one.
void csandbox_set_up_heap(void);

// Gives free memory that the heap keeps back to the system.
void csandbox_give_back_memory(void);

// Keeps the process from getting huge pages, even where a library asks for them. Such a page takes up memory as a
// whole, however little of it is used.
void csandbox_avoid_huge_pages(void);

// The parts of the sandbox, in the order they are applied.
typedef enum csandbox_part {
    CSANDBOX_LIMITS = 0,   // address space, file size, descriptors, processes, life of the parent
    CSANDBOX_CAPABILITIES, // drops them all, for a process of root
    CSANDBOX_PRIVILEGES,   // executing a program grants no new ones (no_new_privs)
    CSANDBOX_DUMPS,        // no core files; unprivileged processes cannot trace this one
    CSANDBOX_LANDLOCK,     // no opening of files, no TCP, no signals to processes outside
    CSANDBOX_SECCOMP,      // only the system calls listed in call_filter.c
} csandbox_part;
#define CSANDBOX_PARTS 6
#define CSANDBOX_ALL_PARTS ((1u << CSANDBOX_PARTS) - 1)
#define CSANDBOX_REASON_SIZE 160

// The kind of program that the sandbox is for.
typedef enum csandbox_program {
    CSANDBOX_DECODER = 0, // one thread; writes pictures
    CSANDBOX_COMPOSER,    // several threads; writes videos
} csandbox_program;

// The descriptor of the lifeline, which is the standard output: nothing is printed by a program that is sandboxed.
#define CSANDBOX_LIFELINE 1

// Which parts are in force after `csandbox_apply`, and why the others are not.
typedef struct csandbox_state {
    int32_t landlock_abi;                               // the kernel's Landlock ABI; 0 if that part is not in force
    char reasons[CSANDBOX_PARTS][CSANDBOX_REASON_SIZE]; // empty for a part that is in force
} csandbox_state;

// Applies the sandbox to this process, irrevocably. Descriptors that are already open stay usable; nothing else can be
// reached. `parts` is a set of `1u << part`. A part that is not in the set, or that cannot be applied, is recorded in
// `*state`, and the remaining parts are still applied. `address_space` is the limit in bytes; 0 for the program's usual
// one. `lifeline` is a socket, or -1: the kernel kills this process once its other end is closed. It must be
// CSANDBOX_LIFELINE, which a filtered process cannot close.
// Must be called while the process has a single thread, and after everything that is loaded by name has been loaded.
void csandbox_apply(csandbox_program program, uint32_t parts, uint64_t address_space, int lifeline,
                    csandbox_state *_Nonnull state);

// Lowers limits of this process for good: the size of the files that it writes (RLIMIT_FSIZE), and the number of
// threads that all processes of its user may have when it starts one (RLIMIT_NPROC; processes of root are exempt).
// UINT64_MAX changes nothing. Returns 0, or -1 with errno set.
int csandbox_lower_limits(uint64_t file_bytes, uint64_t tasks);

// Returns a stable name for a part, such as "landlock". The string is static.
const char *_Nonnull csandbox_part_name(csandbox_part part);

// Returns why a part is not in force, or NULL if it is. The string belongs to `state`.
const char *_Nullable csandbox_missing(const csandbox_state *_Nonnull state, csandbox_part part);

// The result of a trial: an attempt at something that a sandboxed process must not be able to do.
typedef enum csandbox_verdict {
    CSANDBOX_DENIED = 0,
    CSANDBOX_ALLOWED,
    CSANDBOX_UNCLEAR, // the attempt failed, but not for lack of permission
} csandbox_verdict;

typedef struct csandbox_trial {
    csandbox_verdict verdict;
    char how[32]; // the name of the error or signal; empty if the attempt succeeded
} csandbox_trial;

// Returns the number of trials.
int32_t csandbox_trial_count(void);

// Returns what a trial attempts, such as "open /etc/passwd". The string is static. `number` must be in
// 0..<csandbox_trial_count().
const char *_Nonnull csandbox_trial_name(int32_t number);

// Runs trial `number` in a child process that first applies the given parts of the sandbox to itself. Must be called
// while this process has a single thread. Returns 0, or -1 with errno set if the child could not be run.
int csandbox_try(int32_t number, csandbox_program program, uint32_t parts, csandbox_trial *_Nonnull trial);

#ifdef __cplusplus
}
#endif

#endif
