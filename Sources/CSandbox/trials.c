// The list of all trials, and the resources they use.

#include "trials.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

static const csandbox_trial_group *const GROUPS[] = {
    &csandbox_file_trials,   &csandbox_network_trials, &csandbox_process_trials,
    &csandbox_kernel_trials, &csandbox_memory_trials,
};
enum { GROUP_COUNT = sizeof(GROUPS) / sizeof(GROUPS[0]) };

int32_t csandbox_trial_count(void) {
    int32_t count = 0;
    for (int i = 0; i < GROUP_COUNT; i++) {
        count += GROUPS[i]->count;
    }
    return count;
}

const csandbox_trial_entry *csandbox_trial_entry_of(int32_t number) {
    int group = 0;
    while (number >= GROUPS[group]->count) {
        number -= GROUPS[group]->count;
        group += 1;
    }
    return &GROUPS[group]->entries[number];
}

const char *csandbox_trial_name(int32_t number) {
    return csandbox_trial_entry_of(number)->name;
}

// Creates a socket that listens on the loopback interface, and stores its address.
static void listen_on_loopback(struct sockaddr_in *address) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t length = sizeof(*address);
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)address, length) == 0 && listen(listener, 1) == 0) {
        getsockname(listener, (struct sockaddr *)address, &length);
    }
}

csandbox_resources csandbox_prepare(pid_t parent) {
    csandbox_resources resources = {.parent = parent};
    resources.program = open(CSANDBOX_SHELL, O_RDONLY | O_CLOEXEC);
    resources.memory = memfd_create("self-test", MFD_CLOEXEC);
    resources.sealed = memfd_create("self-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    (void)!ftruncate(resources.sealed, 1);
    fcntl(resources.sealed, F_ADD_SEALS, F_SEAL_WRITE);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        dup2(pair[0], STDIN_FILENO);
    }
    resources.lifeline = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        dup2(pair[0], CSANDBOX_LIFELINE);
        resources.lifeline = pair[1];
    }
    resources.page = mmap(NULL, CSANDBOX_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pipe2(resources.pipe, O_CLOEXEC) == 0) {
        (void)!write(resources.pipe[1], "x", 1);
    }
    // No other process sees what a trial mounts.
    resources.has_own_mounts = unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
    listen_on_loopback(&resources.listener);
    resources.tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    resources.udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return resources;
}
