// Descriptors that given bytes can be read from.

#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int descriptor, const uint8_t *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t count = write(descriptor, bytes + done, size - done);
        if (count <= 0) {
            return false;
        }
        done += (size_t)count;
    }
    return true;
}

int memory_file(const uint8_t *bytes, size_t size) {
    int descriptor = memfd_create("harness", MFD_CLOEXEC);
    if (descriptor < 0 || !write_all(descriptor, bytes, size) || lseek(descriptor, 0, SEEK_SET) != 0) {
        perror("harness: a file in memory");
        exit(2);
    }
    return descriptor;
}

int full_pipe(const uint8_t *bytes, size_t size) {
    enum { MAX_BYTES = 1 << 20 };
    int ends[2];
    if (size > MAX_BYTES || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        return -1;
    }
    bool is_full = fcntl(ends[1], F_SETPIPE_SZ, MAX_BYTES) >= 0 && write_all(ends[1], bytes, size);
    close(ends[1]);
    if (!is_full) {
        close(ends[0]);
        return -1;
    }
    return ends[0];
}

uint8_t *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    struct stat status;
    uint8_t *bytes = NULL;
    if (file && fstat(fileno(file), &status) == 0) {
        *size = (size_t)status.st_size;
        bytes = malloc(*size + 1);
        if (bytes && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (!bytes) {
        perror(path);
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}
