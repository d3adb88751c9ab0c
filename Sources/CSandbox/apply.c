// Applies the parts of the sandbox in order, and records why a part could not be applied.

#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The limits of a program.
typedef struct limits {
    rlim_t address_space; // bytes
    rlim_t file_bytes;
    rlim_t descriptors;
    bool has_threads;
} limits;

static const limits LIMITS[] = {
    [CSANDBOX_DECODER] = {
        // Twice what the largest tested clips need (8K HEVC stays below 512 MiB). Without a limit, a few bytes in a
        // clip's index can cause gigabytes to be allocated.
        .address_space = (rlim_t)1 << 30,
        // Well above any cover: 64 Mi pixels with four 16-bit channels are 512 MiB before compression.
        .file_bytes = (rlim_t)1 << 30,
        // A request carries two descriptors.
        .descriptors = 64,
    },
    [CSANDBOX_COMPOSER] = {
        // More is granted to it for clips with large frames; see ComposerMemory.swift.
        .address_space = (rlim_t)2 << 30,
        // It lowers this limit once it knows its work; see ComposerRequest.
        .file_bytes = RLIM_INFINITY,
        // One for each clip.
        .descriptors = 320,
        .has_threads = true,
    },
};

// Applies until the first request; the parent raises the limit with each request.
static const rlim_t FIRST_PROCESSOR_SECONDS = 60;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

static int lower_limit(__rlimit_resource_t resource, rlim_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) {
        return -1;
    }
    // RLIM_INFINITY is the largest number.
    limit.rlim_max = limit.rlim_max < most ? limit.rlim_max : most;
    limit.rlim_cur = limit.rlim_cur < limit.rlim_max ? limit.rlim_cur : limit.rlim_max;
    return setrlimit(resource, &limit);
}

// The parent raises the soft limit with each request, so the limit ends work whose result nothing waits for. The
// signals that end the process must be neither ignored nor blocked once handlers can no longer be changed.
static int limit_processor_time(void) {
    struct rlimit limit;
    sigset_t none;
    sigemptyset(&none);
    if (signal(SIGALRM, SIG_DFL) == SIG_ERR || signal(SIGXCPU, SIG_DFL) == SIG_ERR ||
        sigprocmask(SIG_SETMASK, &none, NULL) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) {
        return -1;
    }
    limit.rlim_cur = limit.rlim_cur < FIRST_PROCESSOR_SECONDS ? limit.rlim_cur : FIRST_PROCESSOR_SECONDS;
    return setrlimit(RLIMIT_CPU, &limit);
}

// Has the kernel kill this process once the other end of the lifeline is closed, which its parent has. Nothing is ever
// sent over the lifeline, so no other event can cause the signal. SIGKILL cannot be blocked, and the filter of system
// calls denies what could disarm the lifeline: fcntl(), ioctl(), and closing it.
static int end_with_parent(int lifeline) {
    int flags = fcntl(lifeline, F_GETFL);
    if (flags < 0 || fcntl(lifeline, F_SETOWN, getpid()) != 0 || fcntl(lifeline, F_SETSIG, SIGKILL) != 0 ||
        fcntl(lifeline, F_SETFL, flags | O_ASYNC) != 0) {
        return -1;
    }
    // Files without such events ignore the flag.
    bool is_armed = fcntl(lifeline, F_GETSIG) == SIGKILL && (fcntl(lifeline, F_GETFL) & O_ASYNC) != 0;
    errno = is_armed ? 0 : ENOTSUP;
    return is_armed ? 0 : -1;
}

static int limit_resources(const limits *limits, int lifeline, char reason[CSANDBOX_REASON_SIZE]) {
    if (lifeline >= 0 && end_with_parent(lifeline) != 0) {
        return csandbox_give_up(reason, "ending with the parent", errno);
    }
    // A write past the file size limit must fail with an error that can be reported, not end the process.
    if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR) {
        return csandbox_give_up(reason, "ignoring SIGXFSZ", errno);
    }
    if (lower_limit(RLIMIT_FSIZE, limits->file_bytes) != 0) {
        return csandbox_give_up(reason, "limiting the size of files", errno);
    }
    if (lower_limit(RLIMIT_NOFILE, limits->descriptors) != 0) {
        return csandbox_give_up(reason, "limiting the number of descriptors", errno);
    }
    // No new processes or threads. Root is exempt from this limit; the system call filter holds for every user.
    if (!limits->has_threads && lower_limit(RLIMIT_NPROC, 0) != 0) {
        return csandbox_give_up(reason, "limiting the number of processes", errno);
    }
    if (limit_processor_time() != 0) {
        return csandbox_give_up(reason, "limiting processor time", errno);
    }
#ifdef HAS_SANITIZER
    snprintf(reason, CSANDBOX_REASON_SIZE, "the address space has no limit: this build's sanitizer reserves terabytes");
    return -1;
#else
    if (lower_limit(RLIMIT_AS, limits->address_space) != 0) {
        return csandbox_give_up(reason, "limiting the address space", errno);
    }
    return 0;
#endif
}

// Root's privileges are its capabilities. Without them it is an ordinary user, except that it owns root's files.
static int drop_capabilities(char reason[CSANDBOX_REASON_SIZE]) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    // The C library has no wrapper. Clearing the inheritable set also clears the ambient set.
    if (syscall(SYS_capset, &header, none) != 0) {
        return csandbox_give_up(reason, "capset", errno);
    }
    return 0;
}

static int forbid_privileges(char reason[CSANDBOX_REASON_SIZE]) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return csandbox_give_up(reason, "prctl(PR_SET_NO_NEW_PRIVS)", errno);
    }
    return 0;
}

// Does both: a kernel that pipes core dumps to a program ignores the limit, and clearing the "dumpable" attribute also
// keeps other processes of the same user from tracing this one and reading its memory.
static int forbid_dumps(char reason[CSANDBOX_REASON_SIZE]) {
    if (lower_limit(RLIMIT_CORE, 0) != 0) {
        return csandbox_give_up(reason, "forbidding core files", errno);
    }
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        return csandbox_give_up(reason, "prctl(PR_SET_DUMPABLE)", errno);
    }
    return 0;
}

static int apply(csandbox_program program, csandbox_part part, const limits *limits, int lifeline,
                 csandbox_state *state) {
    char *reason = state->reasons[part];
    switch (part) {
    case CSANDBOX_LIMITS:
        return limit_resources(limits, lifeline, reason);
    case CSANDBOX_CAPABILITIES:
        return drop_capabilities(reason);
    case CSANDBOX_PRIVILEGES:
        return forbid_privileges(reason);
    case CSANDBOX_DUMPS:
        return forbid_dumps(reason);
    case CSANDBOX_LANDLOCK:
        return csandbox_forbid_files(&state->landlock_abi, reason);
    case CSANDBOX_SECCOMP:
        return csandbox_filter_calls(program, reason);
    }
    return csandbox_give_up(reason, "an unknown part", EINVAL);
}

void csandbox_apply(csandbox_program program, uint32_t parts, uint64_t address_space, int lifeline,
                    csandbox_state *state) {
    *state = (csandbox_state){0};
    limits limits = LIMITS[program];
    limits.address_space = address_space > 0 ? (rlim_t)address_space : limits.address_space;
    for (csandbox_part part = CSANDBOX_LIMITS; part <= CSANDBOX_SECCOMP; part++) {
        char *reason = state->reasons[part];
        if (!(parts & 1u << part)) {
            snprintf(reason, CSANDBOX_REASON_SIZE, "it was left out");
        } else if (apply(program, part, &limits, lifeline, state) == 0) {
            reason[0] = '\0';
        } else if (!reason[0]) {
            snprintf(reason, CSANDBOX_REASON_SIZE, "it cannot be applied");
        }
    }
}

int csandbox_lower_limits(uint64_t file_bytes, uint64_t tasks) {
    return lower_limit(RLIMIT_FSIZE, file_bytes) == 0 ? lower_limit(RLIMIT_NPROC, tasks) : -1;
}

const char *csandbox_part_name(csandbox_part part) {
    switch (part) {
    case CSANDBOX_LIMITS:
        return "limits";
    case CSANDBOX_CAPABILITIES:
        return "capabilities";
    case CSANDBOX_PRIVILEGES:
        return "privileges";
    case CSANDBOX_DUMPS:
        return "dumps";
    case CSANDBOX_LANDLOCK:
        return "landlock";
    case CSANDBOX_SECCOMP:
        return "seccomp";
    }
    return "unknown";
}

const char *csandbox_missing(const csandbox_state *state, csandbox_part part) {
    return state->reasons[part][0] ? state->reasons[part] : NULL;
}
