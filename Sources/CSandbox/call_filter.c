// The system calls that a locked-in decoder may make, put into the kernel by libseccomp.
//
// Everything else fails with EPERM: a library that can do without the call falls back, and a hostile clip gains only an
// error. For example, FFmpeg cannot load the tables of iconv, and keeps the names in a transport stream as they are. One
// thing ends the process instead: a call with the numbers of another architecture (int 0x80, x32). No library makes one;
// it only serves to get around a filter.
//
// No call that takes a path is on the list. That is why `fstat` is to be called as such (see CCover's input.c): many a
// C library makes it of `newfstatat`, which looks up names too.

#include "internal.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// A call that is allowed whatever its arguments are.
static const int ALWAYS[] = {
    // The clip and the cover, open already.
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(lseek), SCMP_SYS(_llseek), SCMP_SYS(fstat), SCMP_SYS(close),
    // Waiting for the socket.
    SCMP_SYS(poll), SCMP_SYS(ppoll),
    // Memory. Mapping and protecting are below.
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
    // Locks of the decoders, which have one thread: no call starts another.
    SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // No signal can be handled, ignored or held back: the alarm of a request and the limit of processor time end the
    // process, whoever has taken it over.
    SCMP_SYS(restart_syscall),
    // Clocks (mostly read without a call) and random numbers (hash seeds, malloc).
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_nanosleep_time64), SCMP_SYS(nanosleep), SCMP_SYS(getrandom),
};

// A call that is allowed when all of its conditions hold.
typedef struct conditional {
    int call;
    unsigned count;
    struct scmp_arg_cmp conditions[2];
} conditional;

// The socket is standard input, and there is no other.
enum { SOCKET = STDIN_FILENO };

// A condition on an argument of 32 bits, such as a descriptor or flags.
static struct scmp_arg_cmp equal(unsigned argument, unsigned value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value};
}

static struct scmp_arg_cmp equal_under(unsigned mask, unsigned argument, unsigned value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

static struct scmp_arg_cmp not_zero(unsigned argument) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_NE, .datum_a = 0};
}

// A condition on a pointer: of what it leads to a filter sees nothing.
static struct scmp_arg_cmp null(unsigned argument) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = 0};
}

static int allow_conditionally(scmp_filter_ctx filter) {
    const conditional calls[] = {
        {SCMP_SYS(recvmsg), 1, {equal(0, SOCKET)}},
        // Without an address, and so by send() and not by sendmsg(), which could pass descriptors on.
        {SCMP_SYS(sendto), 2, {equal(0, SOCKET), null(4)}},
        // An alarm can be put off and not called off.
        {SCMP_SYS(alarm), 1, {not_zero(0)}},
        // No page becomes code any more: all code is loaded.
        {SCMP_SYS(mmap), 1, {equal_under(PROT_EXEC, 2, 0)}},
        {SCMP_SYS(mprotect), 1, {equal_under(PROT_EXEC, 2, 0)}},
        // abort() and raise().
        {SCMP_SYS(tgkill), 1, {equal(0, (unsigned)getpid())}},
        // Limits may be read.
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

static int add_rules(scmp_filter_ctx filter) {
    for (size_t i = 0; i < sizeof(ALWAYS) / sizeof(ALWAYS[0]); i++) {
        int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, ALWAYS[i], 0);
        if (code < 0) {
            return code;
        }
    }
    return allow_conditionally(filter);
}

static int set_attributes(scmp_filter_ctx filter) {
    // Every thread of the process gets the filter; "no new privileges" is a part of its own; and the kernel's own error
    // is to be told, not the library's.
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

int csandbox_filter_calls(char reason[CSANDBOX_REASON_SIZE]) {
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
    code = add_rules(filter);
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
