// Descriptors sent over a Unix socket (SCM_RIGHTS), and files in memory. Swift does not import the CMSG macros.

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// A control buffer with the alignment of its header.
typedef union control_buffer {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(CLINUX_MOST_DESCRIPTORS * sizeof(int))];
} control_buffer;

int clinux_socket_pair(int pair[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
}

// Uses send() because the decoder's sandbox forbids sendmsg(), which can pass descriptors.
static ssize_t send_bytes(int socket, const void *bytes, size_t length) {
    ssize_t count;
    do {
        count = send(socket, bytes, length, MSG_NOSIGNAL);
    } while (count < 0 && errno == EINTR);
    return count;
}

ssize_t clinux_send(int socket, const void *bytes, size_t length, const int *descriptors,
                    size_t descriptor_count) {
    if (descriptor_count == 0) {
        return send_bytes(socket, bytes, length);
    }
    if (descriptor_count > CLINUX_MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    control_buffer control = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    size_t payload = descriptor_count * sizeof(int);
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = CMSG_SPACE(payload),
    };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(payload);
    memcpy(CMSG_DATA(header), descriptors, payload);
    ssize_t count;
    do {
        count = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (count < 0 && errno == EINTR);
    return count;
}

// Stores the descriptors of a received message. Returns their number.
static size_t take_descriptors(struct msghdr *message, int *descriptors) {
    size_t count = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
            count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            memcpy(descriptors, CMSG_DATA(header), count * sizeof(int));
        }
    }
    return count;
}

ssize_t clinux_receive(int socket, void *bytes, size_t length, int *descriptors, size_t *descriptor_count) {
    control_buffer control = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        // Without a control buffer the kernel closes received descriptors and sets MSG_CTRUNC.
        .msg_control = descriptors ? control.bytes : NULL,
        .msg_controllen = descriptors ? sizeof(control.bytes) : 0,
    };
    *descriptor_count = 0;
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return count;
    }
    *descriptor_count = take_descriptors(&message, descriptors);
    if (message.msg_flags & MSG_CTRUNC) {
        for (size_t i = 0; i < *descriptor_count; i++) {
            close(descriptors[i]);
        }
        *descriptor_count = 0;
        errno = EMSGSIZE;
        return -1;
    }
    return count;
}

// From Linux 6.3; vm.memfd_noexec may require it. Older kernels do not know it.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

int clinux_memory_file(const char *name, size_t length) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (descriptor < 0 && errno == EINVAL) {
        descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    }
    if (descriptor < 0) {
        return -1;
    }
    if (ftruncate(descriptor, (off_t)length) != 0 || fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

int clinux_temporary_file(char *pattern) {
    int descriptor = mkostemp(pattern, O_CLOEXEC);
    if (descriptor >= 0) {
        unlink(pattern);
    }
    return descriptor;
}

int clinux_seal_file(int descriptor, size_t length) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return -1;
    }
    if ((off_t)length > status.st_size) {
        errno = EINVAL;
        return -1;
    }
    if (ftruncate(descriptor, (off_t)length) != 0) {
        return -1;
    }
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
}

int clinux_replace(int descriptor, int file) {
    return dup3(file, descriptor, O_CLOEXEC) < 0 ? -1 : 0;
}

int clinux_rename(int from_folder, const char *from, int to_folder, const char *to, bool exchanges) {
    return renameat2(from_folder, from, to_folder, to, exchanges ? RENAME_EXCHANGE : RENAME_NOREPLACE);
}
