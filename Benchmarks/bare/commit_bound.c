// The lower bound for a change to a board: lock, read, write, sync and rename its file, then sync its folder.
//
//     commit_bound FILE
//
// The new file has the bytes of the old one, without parsing JSON or running the state machine. The lock is FILE.lock.

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *subject;

static int checked(int result) {
    if (result < 0) {
        fprintf(stderr, "commit_bound: %s: %s\n", subject, strerror(errno));
        exit(1);
    }
    return result;
}

static char *read_all(const char *path, size_t *size) {
    int file = checked(open(path, O_RDONLY | O_CLOEXEC));
    struct stat status;
    checked(fstat(file, &status));
    *size = (size_t)status.st_size;
    char *bytes = malloc(*size + 1);
    if (!bytes || read(file, bytes, *size) != status.st_size) {
        errno = EIO;
        checked(-1);
    }
    checked(close(file));
    return bytes;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: commit_bound FILE\n");
        return 64;
    }
    subject = argv[1];
    char lock_path[PATH_MAX], new_path[PATH_MAX], folder[PATH_MAX];
    if (snprintf(lock_path, sizeof(lock_path), "%s.lock", subject) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        checked(-1);
    }
    snprintf(new_path, sizeof(new_path), "%s.new", subject);
    snprintf(folder, sizeof(folder), "%s", subject);
    checked(flock(checked(open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)), LOCK_EX));
    size_t size;
    char *bytes = read_all(subject, &size);
    int file = checked(open(new_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (write(file, bytes, size) != (ssize_t)size) {
        errno = EIO;
        checked(-1);
    }
    checked(fsync(file));
    checked(rename(new_path, subject));
    int parent = checked(open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    checked(fsync(parent));
    free(bytes);
    return 0;
}
