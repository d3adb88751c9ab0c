// Checks that a part of the sandbox has taken effect, and the reasons recorded if it has not.

#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int csandbox_give_up(char reason[CSANDBOX_REASON_SIZE], const char *step, int error) {
    const char *name = strerrorname_np(error);
    snprintf(reason, CSANDBOX_REASON_SIZE, "%s gives %s", step, name ? name : "an unknown error");
    return -1;
}

int csandbox_check_denial(int error, char reason[CSANDBOX_REASON_SIZE]) {
    int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        close(folder);
        snprintf(reason, CSANDBOX_REASON_SIZE, "it was applied, but a folder can still be opened");
        return -1;
    }
    return errno == error ? 0 : csandbox_give_up(reason, "it was applied, but the test of opening a folder", errno);
}
