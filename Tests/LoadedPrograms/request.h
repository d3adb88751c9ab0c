// What clients and loaded programs agree on.

#ifndef REQUEST_H
#define REQUEST_H

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

// A request is one message: the folder and the words, each ended by a zero, with the standard files.
enum { MAX_BYTES = 1 << 16, FILES = 3 };

// Stores the address of the abstract socket of a name. Returns its size.
static inline socklen_t set_address(struct sockaddr_un *address, const char *name) {
    size_t length = strnlen(name, sizeof(address->sun_path) - 1);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path + 1, name, length);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

#endif
