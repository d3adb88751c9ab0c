// CDescriptors: what a decoder process and its parent need of descriptors and the C library does not offer Swift: passing
// them over a Unix socket, and files in memory.
//
// A target of its own, because the parent has no use for the lock-in and the library that it needs.

#ifndef CDESCRIPTORS_H
#define CDESCRIPTORS_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// How many descriptors one message can carry.
#define CDESCRIPTORS_MOST 4

// Makes a connected pair of Unix stream sockets, both closed on exec. Gives 0, or -1 with errno set.
int cdescriptors_socket_pair(int pair[_Nonnull 2]);

// Sends up to `length` bytes, the descriptors along with the first of them. Never raises SIGPIPE.
// Gives how many bytes went out (the descriptors went with them), or -1 with errno set.
ssize_t cdescriptors_send(int socket, const void *_Nonnull bytes, size_t length, const int *_Nullable descriptors,
                      size_t descriptor_count);

// Receives up to `length` bytes and the descriptors that came with them, closed on exec, at most
// CDESCRIPTORS_MOST. Gives how many bytes came, 0 when the other side closed, or -1 with errno set; EMSGSIZE
// when more descriptors came than fit (they are closed).
ssize_t cdescriptors_receive(int socket, void *_Nonnull bytes, size_t length, int *_Nonnull descriptors,
                         size_t *_Nonnull descriptor_count);

// Makes a file in memory, closed on exec. Gives a descriptor open for reading and writing, or -1 with errno set.
int cdescriptors_memory_file(const char *_Nonnull name);

#ifdef __cplusplus
}
#endif

#endif
