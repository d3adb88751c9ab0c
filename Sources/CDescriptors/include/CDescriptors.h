// CDescriptors: what a decoder process and its parent need of the system and Swift does not import: descriptors passed over
// a Unix socket, files in memory that can be sealed, and the limit of another process's processor time.
//
// It is a target of its own because the parent has no use for the lock-in and the library that it needs.

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

// Receives up to `length` bytes and the descriptors that came with them, closed on exec, at most CDESCRIPTORS_MOST. With
// NULL for `descriptors` none are accepted. Returns how many bytes came, 0 when the other side closed, or -1 with errno
// set; EMSGSIZE when more descriptors came than are accepted (they are closed).
ssize_t cdescriptors_receive(int socket, void *_Nonnull bytes, size_t length, int *_Nullable descriptors,
                             size_t *_Nonnull descriptor_count);

// Creates a file of `length` zeros in memory that cannot grow, closed on exec. Returns a descriptor open for reading and
// writing, or -1 with errno set.
int cdescriptors_memory_file(const char *_Nonnull name, size_t length);

// Cuts a file in memory to `length` and seals it: from then on nobody can change it, whoever has it open. Returns 0, or -1
// with errno set: EBUSY while somebody has it mapped for writing, EPERM when it has been sealed before, EINVAL when it is
// shorter than `length`.
int cdescriptors_seal_file(int descriptor, size_t length);

// Raises the soft limit of a child's processor time to what it has used and `seconds` more. Returns 0, or -1 with errno
// set.
int cdescriptors_allow_processor_time(pid_t process, unsigned seconds);

#ifdef __cplusplus
}
#endif

#endif
