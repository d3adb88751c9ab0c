// Replacements for functions of the C library, used by the program and all libraries that it loads.

#include "internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CSHORTAGE_HAS_CALLS 0
#else
#define CSHORTAGE_HAS_CALLS 1
#endif

#if CSHORTAGE_HAS_CALLS

// The C library's own functions, under their alternative names.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void *checked(void *block, size_t size) {
    if (!block && size > 0 && cshortage_has_begun()) cshortage_end_without_memory();
    return block;
}

void *malloc(size_t size) { return checked(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) { return checked(__libc_calloc(count, size), count ? size : 0); }

void *realloc(void *block, size_t size) { return checked(__libc_realloc(block, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return checked(__libc_memalign(alignment, size), size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *new_block = checked(__libc_memalign(alignment, size), size);
    if (!new_block) return ENOMEM;
    *block = new_block;
    return 0;
}

// How long a failed call is repeated: other threads or processes may end in the meantime.
#define PATIENCE_SECONDS 3
#define PAUSE_NANOSECONDS 20000000

typedef int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static create create_of_library(void) {
    static _Atomic create known;
    create found = atomic_load(&known);
    if (!found) {
        found = (create)dlsym(RTLD_NEXT, "pthread_create");
        atomic_store(&known, found);
    }
    return found;
}

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

// Waits a moment, so that a call that failed at `start` or later can be repeated. Returns false when it is too late.
static bool waits_to_repeat(time_t start) {
    if (now() - start > PATIENCE_SECONDS) return false;
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NANOSECONDS}, NULL);
    return true;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    create create = create_of_library();
    int error = create(thread, attributes, body, argument);
    if (error != EAGAIN || !cshortage_has_begun()) return error;
    time_t start = now();
    while (error == EAGAIN) {
        if (!waits_to_repeat(start)) cshortage_end_without_thread();
        error = create(thread, attributes, body, argument);
    }
    return error;
}

// libdispatch opens the status of each of its threads in /proc once a second, and traps if it cannot.
static bool is_of_thread(const char *path) {
    static const char folder[] = "/proc/";
    return strncmp(path, folder, sizeof folder - 1) == 0;
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    int descriptor = openat(AT_FDCWD, path, flags, mode);
    if (descriptor >= 0 || !is_of_thread(path) || !cshortage_has_begun()) return descriptor;
    time_t start = now();
    while (descriptor < 0 && (errno == EMFILE || errno == ENFILE)) {
        if (!waits_to_repeat(start)) cshortage_end_without_descriptor();
        descriptor = openat(AT_FDCWD, path, flags, mode);
    }
    return descriptor;
}

static int checked_result(long result) {
    if (result < 0 && cshortage_has_begun()) {
        if (errno == EMFILE || errno == ENFILE) cshortage_end_without_descriptor();
        // ENOSPC: epoll's limit on watched descriptors, which is a share of the memory.
        if (errno == ENOMEM || errno == ENOSPC) cshortage_end_without_memory();
    }
    return (int)result;
}

int eventfd(unsigned int count, int flags) { return checked_result(syscall(SYS_eventfd2, count, flags)); }

int timerfd_create(clockid_t clock, int flags) { return checked_result(syscall(SYS_timerfd_create, clock, flags)); }

int epoll_create1(int flags) { return checked_result(syscall(SYS_epoll_create1, flags)); }

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
    return checked_result(syscall(SYS_epoll_ctl, epoll, operation, descriptor, event));
}

#endif
