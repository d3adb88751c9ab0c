// Has a loaded program (loaded.c) do the work of the program that this one is named after: with the same words and
// standard files, in the same folder. Ends as that does. If no program listens at the socket that CLIPCANVAS_LOADED
// names, it is executed instead.

#define _GNU_SOURCE
#include "request.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Stores the folder and the words, each ended by a zero. Returns the number of bytes, or 0 if these are too many.
static size_t join(char **words, char bytes[MAX_BYTES]) {
    if (!getcwd(bytes, PATH_MAX)) {
        return 0;
    }
    size_t count = strlen(bytes) + 1;
    for (char **word = words; *word; word++) {
        size_t length = strlen(*word) + 1;
        if (count + length > MAX_BYTES) {
            return 0;
        }
        memcpy(bytes + count, *word, length);
        count += length;
    }
    return count;
}

static int connect_to(const char *name) {
    struct sockaddr_un address;
    socklen_t size = set_address(&address, name);
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return connect(connection, (struct sockaddr *)&address, size) == 0 ? connection : -1;
}

static ssize_t request(int connection, char *bytes, size_t count) {
    static const int files[FILES] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    char control[CMSG_SPACE(sizeof(files))] = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(files)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(head), files, sizeof(files));
    return sendmsg(connection, &message, MSG_NOSIGNAL);
}

int main(int argc, char **argv) {
    static char bytes[MAX_BYTES];
    const char *name = getenv("CLIPCANVAS_LOADED"), *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    argv[0] = slash ? (char *)slash + 1 : argv[0];
    unsetenv("CLIPCANVAS_LOADED");
    int status, connection = name ? connect_to(name) : -1;
    size_t count = connection >= 0 ? join(argv, bytes) : 0;
    if (count == 0 || request(connection, bytes, count) < 0) {
        execvp(argv[0], argv);
        return 127;
    }
    if (recv(connection, &status, sizeof(status), 0) != sizeof(status)) {
        return 126;
    }
    if (WIFSIGNALED(status)) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}
