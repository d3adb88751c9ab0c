// Attempts to reach the file system.

#include "trials.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int look_up_file(const csandbox_resources *resources) {
    (void)resources;
    struct stat status;
    return csandbox_error_of(stat("/etc/passwd", &status));
}

enum { NAME_SIZE = 64 };

static void name_created_file(char name[NAME_SIZE], pid_t parent) {
    snprintf(name, NAME_SIZE, "/tmp/clipcanvas-self-test.%d", (int)parent);
}

static int create_file(const csandbox_resources *resources) {
    char name[NAME_SIZE];
    name_created_file(name, resources->parent);
    return csandbox_error_of(open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

void csandbox_clean_up(pid_t parent) {
    char name[NAME_SIZE];
    name_created_file(name, parent);
    unlink(name);
}

static int write_through_proc(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(open("/proc/self/comm", O_WRONLY | O_CLOEXEC));
}

static int open_own_memory(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(open("/proc/self/mem", O_RDWR | O_CLOEXEC));
}

static int change_folder(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(chdir("/"));
}

static int mount_folder(const csandbox_resources *resources) {
    // Without a private mount namespace, the process asks for a mount that cannot succeed.
    return csandbox_error_of(mount("none", resources->has_own_mounts ? "/tmp" : NULL, "tmpfs", 0, NULL));
}

static const csandbox_trial_entry TRIALS[] = {
    {"open /etc/passwd", open_file, 0},
    {"look up /etc/passwd", look_up_file, 0},
    {"create a file in /tmp", create_file, 0},
    {"write through /proc/self", write_through_proc, 0},
    {"open /proc/self/mem", open_own_memory, 0},
    {"change the working folder", change_folder, 0},
    {"mount a file system", mount_folder, 0},
};

const csandbox_trial_group csandbox_file_trials = CSANDBOX_TRIAL_GROUP(TRIALS);
