// CLinux: what Swift does not import from the system: the arguments as bytes, passing descriptors over a Unix socket,
// sealed files in memory, the processor time limit of another process, two names that change places, and message
// digests.
//
// It is separate from CSandbox because the parent does not need libseccomp.
//
// Ownership: the caller owns all descriptors, including those that are received.
// Errors: on failure, functions return -1 with errno set.

#ifndef CLINUX_H
#define CLINUX_H

// MD5 and SHA-256 from libmd, a library with the message digests of BSD. The names of thumbnails in freedesktop.org's
// cache are MD5 digests; SHA-256 finds clips with the same content. A target that calls it links libmd itself, so that
// the decoder does not load it.
#include <md5.h>
#include <sha2.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Returns the number of arguments of the process, including the program's name. On Linux, Swift's `CommandLine` finds
// them through /proc/self/maps, so it is empty if /proc is not mounted.
int clinux_argument_count(void);

// Returns an argument of the process, or NULL if `index` is out of range. The string lives as long as the process.
const char *_Nullable clinux_argument(int index);

// The maximum number of descriptors in one message.
#define CLINUX_MOST_DESCRIPTORS 4

// Creates a pair of connected Unix stream sockets, both close-on-exec. Returns 0, or -1.
int clinux_socket_pair(int pair[_Nonnull 2]);

// Sends up to `length` bytes, with the descriptors attached to the first byte. `descriptors` may be NULL if
// `descriptor_count` is 0. Never raises SIGPIPE. Returns the number of bytes sent, or -1; EINVAL for more than
// CLINUX_MOST_DESCRIPTORS descriptors.
ssize_t clinux_send(int socket, const void *_Nonnull bytes, size_t length, const int *_Nullable descriptors,
                    size_t descriptor_count);

// Receives up to `length` bytes and the descriptors attached to them, which are close-on-exec. `descriptors` has room
// for CLINUX_MOST_DESCRIPTORS descriptors; if it is NULL, none are accepted. Returns the number of bytes received, 0 if
// the peer has closed the connection, or -1; EMSGSIZE if more descriptors were received than are accepted (all of them
// are closed).
ssize_t clinux_receive(int socket, void *_Nonnull bytes, size_t length, int *_Nullable descriptors,
                       size_t *_Nonnull descriptor_count);

// Creates a file in memory that contains `length` zero bytes and cannot grow. `name` is only for debugging. Returns a
// close-on-exec descriptor open for reading and writing, or -1.
int clinux_memory_file(const char *_Nonnull name, size_t length);

// Creates an empty file without a name. `pattern` is the path of a temporary file as for mkstemp(3). Returns a
// close-on-exec descriptor open for reading and writing, or -1.
int clinux_temporary_file(char *_Nonnull pattern);

// Truncates a file in memory to `length` bytes and seals it, so that no process can change it any more. Returns 0, or
// -1: EBUSY if a process has mapped it for writing, EPERM if it is already sealed, EINVAL if it is shorter than
// `length`.
int clinux_seal_file(int descriptor, size_t length);

// Makes a descriptor refer to the file of another one, and be closed on exec. Returns -1 and sets errno on error.
int clinux_replace(int descriptor, int file);

// Renames `from` in an open folder to `to` in another or the same. If `exchanges`, both must exist and change places in
// one step; otherwise `to` must not exist. Returns 0, or -1; EINVAL or ENOSYS if the file system or kernel cannot do
// this.
int clinux_rename(int from_folder, const char *_Nonnull from, int to_folder, const char *_Nonnull to,
                  bool exchanges);

// Sets the soft limit on a child's processor time to the time it has used plus `seconds`, or to the hard limit if that
// is lower. Returns 0, or -1.
int clinux_allow_processor_time(pid_t process, unsigned seconds);

// Begins to write the data of a file to disk, without waiting, so that less is left to do when the file is synced.
void clinux_begin_writeback(int descriptor);

// Returns whether a path leads to a file system that other machines or programs may change without the kernel noticing.
bool clinux_is_on_network(const char *_Nonnull path);

#ifdef __cplusplus
}
#endif

#endif
