// The system calls that a sandboxed program may make, enforced by a seccomp filter built with libseccomp.
//
// Every other call fails with EPERM: a library that can do without the call falls back, and a hostile clip gains
// nothing but an error. For example, FFmpeg cannot load the tables of iconv, and keeps the names in a transport stream
// as they are. A call through another architecture's system call table (int 0x80, x32) ends the process
// instead, because no library makes one and its only use is to get around a filter.
//
// No call that takes a path is allowed. That is why CCover's input.c makes the fstat system call itself: many C
// libraries implement fstat() with newfstatat, which can also look up paths.

#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Calls that are allowed with any arguments.
static const int ALWAYS[] = {
    // The clip and the cover, which are already open.
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(lseek), SCMP_SYS(_llseek), SCMP_SYS(fstat),
    // Waiting for the socket.
    SCMP_SYS(poll), SCMP_SYS(ppoll),
    // Memory. For mmap and mprotect see allow_conditionally().
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    // Locks. No call in this list starts a thread.
    SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // No allowed call installs a handler for a signal, ignores it or blocks it, so that the limit on processor time
    // ends the process even if an attacker controls it.
    SCMP_SYS(restart_syscall),
    // Clocks (usually read through the vDSO) and random numbers (hash seeds, malloc).
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_nanosleep_time64), SCMP_SYS(nanosleep), SCMP_SYS(getrandom),
};

// A call that is allowed if all of its conditions hold.
typedef struct conditional {
    int call;
    unsigned count;
    struct scmp_arg_cmp conditions[2];
} conditional;

// The decoder's only socket is its standard input.
enum { SOCKET = STDIN_FILENO };

// A condition on a 32-bit argument, such as a descriptor or flags.
static struct scmp_arg_cmp equal(unsigned argument, unsigned value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value};
}

static struct scmp_arg_cmp equal_under(unsigned mask, unsigned argument, unsigned value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

static struct scmp_arg_cmp not_zero(unsigned argument) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_NE, .datum_a = 0};
}

// A condition on a pointer. A filter cannot inspect the memory it points to.
static struct scmp_arg_cmp null(unsigned argument) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = 0};
}

static int allow_conditionally(scmp_filter_ctx filter) {
    const conditional calls[] = {
        {SCMP_SYS(recvmsg), 1, {equal(0, SOCKET)}},
        // Without an address. sendmsg() is not allowed because it could pass descriptors on.
        {SCMP_SYS(sendto), 2, {equal(0, SOCKET), null(4)}},
        // An alarm can be postponed but not cancelled. It ends a process that hangs. A process that an attacker
        // controls is ended by its lifeline, along with its parent.
        {SCMP_SYS(alarm), 1, {not_zero(0)}},
        // All code is loaded, so no page may become executable.
        {SCMP_SYS(mmap), 1, {equal_under(PROT_EXEC, 2, 0)}},
        {SCMP_SYS(mprotect), 1, {equal_under(PROT_EXEC, 2, 0)}},
        // For abort() and raise().
        {SCMP_SYS(tgkill), 1, {equal(0, (unsigned)getpid())}},
        // Limits may be read, not set.
        {SCMP_SYS(prlimit64), 2, {equal(0, 0), equal(2, 0)}},
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        int code = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, calls[i].call, calls[i].count, calls[i].conditions);
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

// Closing, but neither of the socket nor of the lifeline, which are 0 and 1. The number of any other descriptor has one
// of these bits. Comparing the whole argument would not do: the kernel ignores its upper half.
static int allow_closing(scmp_filter_ctx filter) {
    int code = 0;
    for (unsigned bit = 1; bit < 31 && code >= 0; bit++) {
        const struct scmp_arg_cmp condition = equal_under(1u << bit, 0, 1u << bit);
        code = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(close), 1, &condition);
    }
    return code;
}

// Limits that the composer lowers once it knows its work. The kernel lets no process without capabilities raise them.
static int allow_limits(scmp_filter_ctx filter) {
    static const unsigned limits[] = {RLIMIT_FSIZE, RLIMIT_NPROC};
    int code = 0;
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]) && code >= 0; i++) {
        const struct scmp_arg_cmp conditions[] = {equal(0, 0), equal(1, limits[i])};
        code = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, conditions);
    }
    return code;
}

// Threads, for the composer. A new thread has everything in common with the others, and belongs to the same process.
static int allow_threads(scmp_filter_ctx filter) {
    const unsigned flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    const struct scmp_arg_cmp condition = equal_under(flags, 0, flags);
    int code = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, &condition);
    // A filter cannot inspect the flags of clone3(), which are in memory. Without it, the C library uses clone().
    code = code < 0 ? code : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    code = code < 0 ? code : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(set_robust_list), 0);
    return code < 0 ? code : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(rseq), 0);
}

static int add_rules(scmp_filter_ctx filter, csandbox_program program) {
    for (size_t i = 0; i < sizeof(ALWAYS) / sizeof(ALWAYS[0]); i++) {
        int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, ALWAYS[i], 0);
        if (code < 0) {
            return code;
        }
    }
    int code = allow_closing(filter);
    if (program == CSANDBOX_COMPOSER) {
        code = code < 0 ? code : allow_threads(filter);
        code = code < 0 ? code : allow_limits(filter);
    }
    return code < 0 ? code : allow_conditionally(filter);
}

static int set_attributes(scmp_filter_ctx filter) {
    // The filter applies to every thread; no_new_privs is a separate part of the sandbox, so libseccomp must not set
    // it; and the reported error is to be the kernel's, not libseccomp's.
    const struct {
        enum scmp_filter_attr attribute;
        uint32_t value;
    } attributes[] = {
        {SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS},
        {SCMP_FLTATR_CTL_NNP, 0},
        {SCMP_FLTATR_CTL_TSYNC, 1},
        {SCMP_FLTATR_API_SYSRAWRC, 1},
    };
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
        int code = seccomp_attr_set(filter, attributes[i].attribute, attributes[i].value);
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

int csandbox_filter_calls(csandbox_program program, char reason[CSANDBOX_REASON_SIZE]) {
    int failed = -1;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) {
        return csandbox_give_up(reason, "making a filter of system calls", ENOMEM);
    }
    int code = set_attributes(filter);
    if (code < 0) {
        csandbox_give_up(reason, "asking the kernel for seccomp", -code);
        goto done;
    }
    code = add_rules(filter, program);
    if (code < 0) {
        csandbox_give_up(reason, "making a filter of system calls", -code);
        goto done;
    }
    code = seccomp_load(filter);
    if (code < 0) {
        csandbox_give_up(reason, "seccomp", -code);
        goto done;
    }
    failed = csandbox_check_denial(EPERM, reason);

done:
    seccomp_release(filter);
    return failed;
}
