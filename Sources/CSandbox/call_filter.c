// The system calls that a locked-in decoder may make, put into the kernel by libseccomp.
//
// Everything else gives EPERM: a library that can do without falls back, and what a hostile clip gains is an error. One
// thing ends the process instead: a call by the numbers of another architecture (int 0x80, x32). No library
// makes one; it only serves to get around a filter.
//
// No call that takes a path is on the list. That is why `fstat` is to be called as such (see CCover's input.c): many a
// C library makes it of `newfstatat`, which looks up names too.

#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
    // Threads of the decoders. Starting one is below.
    SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(gettid),
    SCMP_SYS(getpid), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(getcpu), SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    // Signals to itself, and the alarm of a request.
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall), SCMP_SYS(alarm), SCMP_SYS(setitimer),
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

// What a new thread is, and what it is not: a process, or the first of a new namespace.
enum {
    THREAD_FLAGS = CLONE_THREAD | CLONE_VM | CLONE_SIGHAND,
    PROCESS_FLAGS = CLONE_VFORK | CLONE_PTRACE | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
};
// The socket is standard input, and there is no other.
enum { SOCKET = STDIN_FILENO };

// A condition on an argument of 32 bits, such as a descriptor or flags.
static struct scmp_arg_cmp equal(unsigned argument, unsigned value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value};
}

static struct scmp_arg_cmp equal_under(unsigned mask, unsigned argument, unsigned value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

static int allow_conditionally(scmp_filter_ctx filter) {
    const conditional calls[] = {
        {SCMP_SYS(recvmsg), 1, {equal(0, SOCKET)}},
        {SCMP_SYS(sendmsg), 1, {equal(0, SOCKET)}},
        // No page becomes code any more: all code is loaded.
        {SCMP_SYS(mmap), 1, {equal_under(PROT_EXEC, 2, 0)}},
        {SCMP_SYS(mprotect), 1, {equal_under(PROT_EXEC, 2, 0)}},
        // Of a struct, as clone3 takes it, a filter sees only the address; see below.
        {SCMP_SYS(clone), 1, {equal_under(THREAD_FLAGS | PROCESS_FLAGS, 0, THREAD_FLAGS)}},
        // abort() and raise().
        {SCMP_SYS(tgkill), 1, {equal(0, (unsigned)getpid())}},
        // Threads are given names.
        {SCMP_SYS(prctl), 1, {equal(0, PR_SET_NAME)}},
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
    int code = allow_conditionally(filter);
    // "There is no such call": then the C library starts a thread with clone, whose flags a filter can see.
    return code < 0 ? code : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
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
