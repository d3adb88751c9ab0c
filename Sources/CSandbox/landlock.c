// A Landlock ruleset without rules: no file can be opened, created, removed or executed, no TCP socket can be bound or
// connected, and no signal can be sent to a process outside.

#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's interface as of ABI 7, declared here because Debian's header only has ABI 2.
struct ruleset {
    uint64_t files;
    uint64_t network; // ABI 4
    uint64_t scoped;  // ABI 6
};
enum {
    CREATE_RULESET_VERSION = 1 << 0,
    FILES_OF_ABI_1 = (1 << 13) - 1, // execute, read, write, list, remove and create files of every kind
    FILES_REFER = 1 << 13,          // ABI 2: link and rename into another folder
    FILES_TRUNCATE = 1 << 14,       // ABI 3
    FILES_IOCTL_DEVICE = 1 << 15,   // ABI 5
    NETWORK_BIND_AND_CONNECT_TCP = (1 << 0) | (1 << 1),
    SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = (1 << 0) | (1 << 1),
    // ABI 7: keeps denials of this program out of the audit log. csandbox_check_denial() causes one on purpose.
    RESTRICT_SELF_LOG_SAME_EXEC_OFF = 1 << 0,
};

// Up to ABI 7 a ruleset applies to the calling thread and the threads it starts, so no other thread may exist.
static int check_alone(char reason[CSANDBOX_REASON_SIZE]) {
    struct stat status;
    if (stat("/proc/self/task", &status) != 0) {
        return csandbox_give_up(reason, "counting threads in /proc/self/task", errno);
    }
    // The links are ".", ".." and the directory of one thread.
    if (status.st_nlink != 3) {
        snprintf(reason, CSANDBOX_REASON_SIZE, "other threads are already running, and it would not apply to them");
        return -1;
    }
    return 0;
}

static struct ruleset everything(int abi) {
    struct ruleset ruleset = {.files = FILES_OF_ABI_1};
    ruleset.files |= abi >= 2 ? FILES_REFER : 0;
    ruleset.files |= abi >= 3 ? FILES_TRUNCATE : 0;
    ruleset.files |= abi >= 5 ? FILES_IOCTL_DEVICE : 0;
    ruleset.network = abi >= 4 ? NETWORK_BIND_AND_CONNECT_TCP : 0;
    ruleset.scoped = abi >= 6 ? SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS : 0;
    return ruleset;
}

int csandbox_forbid_files(int32_t *abi, char reason[CSANDBOX_REASON_SIZE]) {
    int known = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    if (known < 0) {
        return csandbox_give_up(reason, "asking the kernel for Landlock", errno);
    }
    if (check_alone(reason) != 0) {
        return -1;
    }
    struct ruleset ruleset = everything(known);
    // An older kernel accepts the larger struct as long as the fields it does not know are 0.
    int descriptor = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof(ruleset), 0);
    if (descriptor < 0) {
        return csandbox_give_up(reason, "landlock_create_ruleset", errno);
    }
    long failed = syscall(SYS_landlock_restrict_self, descriptor, known >= 7 ? RESTRICT_SELF_LOG_SAME_EXEC_OFF : 0);
    int error = errno;
    close(descriptor);
    if (failed) {
        return csandbox_give_up(reason, "landlock_restrict_self", error);
    }
    if (csandbox_check_denial(EACCES, reason) != 0) {
        return -1;
    }
    *abi = known;
    return 0;
}
