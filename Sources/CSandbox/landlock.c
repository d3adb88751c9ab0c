// Landlock without a rule: no file can be opened, made, removed or run, no TCP, no signal to a process outside.

#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's interface as of ABI 7, under names of our own: Debian's header knows ABI 2.
struct ruleset {
    uint64_t files;
    uint64_t network; // ABI 4
    uint64_t scoped;  // ABI 6
};
enum {
    CREATE_RULESET_VERSION = 1 << 0,
    FILES_OF_ABI_1 = (1 << 13) - 1, // execute, read, write, list, remove and make files of every kind
    FILES_REFER = 1 << 13,          // ABI 2: link and rename into another folder
    FILES_TRUNCATE = 1 << 14,       // ABI 3
    FILES_IOCTL_DEVICE = 1 << 15,   // ABI 5
    NETWORK_BIND_AND_CONNECT_TCP = (1 << 0) | (1 << 1),
    SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = (1 << 0) | (1 << 1),
    // ABI 7: do not put what this program is denied into the system's audit log. It tries one thing, to see.
    RESTRICT_SELF_LOG_SAME_EXEC_OFF = 1 << 0,
};

// Up to ABI 7 a ruleset holds for the calling thread and those it starts, so there must be no other.
static int check_alone(char reason[CSANDBOX_REASON_SIZE]) {
    struct stat status;
    if (stat("/proc/self/task", &status) != 0) {
        return csandbox_give_up(reason, "counting threads in /proc/self/task", errno);
    }
    // The folder of one thread, "." and "..".
    if (status.st_nlink != 3) {
        snprintf(reason, CSANDBOX_REASON_SIZE, "other threads run already, which it would not hold for");
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
    // An older kernel takes the longer struct as long as what it does not know is 0.
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
