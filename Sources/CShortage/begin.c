// Setting up: the limits that a program needs, and the name for its messages.

#include "CShortage.h"
#include "internal.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

// Reading a board with the maximum nesting depth takes less than 384 KiB in a debug build.
#define LEAST_STACK ((rlim_t)512 << 10)
#define USUAL_STACK ((rlim_t)8 << 20)
// `watch` needs 8, more than any other command that does not start a program.
#define LEAST_DESCRIPTORS 10

static struct rlimit limit_of(__rlimit_resource_t resource) {
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    getrlimit(resource, &limit);
    return limit;
}

// Raises the soft limit to `wanted`, or to the hard limit if that is lower. Returns the resulting soft limit.
static rlim_t raised(__rlimit_resource_t resource, rlim_t wanted) {
    struct rlimit limit = limit_of(resource);
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(resource, &limit);
    return limit_of(resource).rlim_cur;
}

// The stack of the main thread grows up to the current limit. The stacks of other threads have the size of the limit at
// program start.
static void make_room_on_stacks(void) {
    if (limit_of(RLIMIT_STACK).rlim_cur >= LEAST_STACK) return;
    rlim_t bytes = raised(RLIMIT_STACK, USUAL_STACK);
    if (bytes < LEAST_STACK) cshortage_end_without_stack(bytes);
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, LEAST_STACK);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

static void make_room_for_descriptors(void) {
    if (limit_of(RLIMIT_NOFILE).rlim_cur >= LEAST_DESCRIPTORS) return;
    if (raised(RLIMIT_NOFILE, LEAST_DESCRIPTORS) < LEAST_DESCRIPTORS) cshortage_end_without_descriptor();
}

void cshortage_begin(const char *program) {
    cshortage_set_name(program);
    signal(SIGXFSZ, SIG_IGN);
    make_room_on_stacks();
    make_room_for_descriptors();
    // Each further malloc arena would reserve 64 MiB of address space, and their number varies between runs.
    if (limit_of(RLIMIT_AS).rlim_cur != RLIM_INFINITY) cshortage_use_one_arena();
}

void cshortage_use_one_arena(void) {
    mallopt(M_ARENA_MAX, 1);
}

void cshortage_begin_threads(void) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/stat", getpid());
    if (access(path, R_OK) != 0) cshortage_end_without_proc();
}
