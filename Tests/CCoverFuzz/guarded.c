// Memory whose end is guarded without instrumentation: the first byte after it is in an inaccessible page, so that
// reads and writes beyond the end are also detected in swscale's vector code.

#include "harness.h"

#include <sanitizer/allocator_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096, FRONT_BYTES = 64, FRONT_MARK = 0xc3, MAX_FILLED = 64 * 1024 };

static size_t in_pages(size_t bytes) {
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

// Maps `bytes`, a multiple of the page size, followed by an inaccessible page.
static uint8_t *map_guarded(size_t bytes) {
    uint8_t *start = mmap(NULL, bytes + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + bytes, PAGE_BYTES, PROT_NONE) != 0) {
        perror("harness: mmap");
        exit(2);
    }
    return start;
}

uint8_t *guarded_bytes(arena *arena, size_t size) {
    size_t needed = in_pages(size + FRONT_BYTES);
    if (needed > arena->capacity) {
        if (arena->start) {
            munmap(arena->start, arena->capacity + PAGE_BYTES);
        }
        arena->start = map_guarded(needed);
        arena->capacity = needed;
    }
    uint8_t *bytes = arena->start + arena->capacity - size;
    memset(bytes - FRONT_BYTES, FRONT_MARK, FRONT_BYTES);
    return bytes;
}

bool guarded_front_is_whole(const arena *arena, size_t size) {
    const uint8_t *front = arena->start + arena->capacity - size - FRONT_BYTES;
    for (int i = 0; i < FRONT_BYTES; i++) {
        if (front[i] != FRONT_MARK) {
            return false;
        }
    }
    return true;
}

// Allocations of the shim while it renders. The linker (`--wrap`) replaces libavutil's functions with these in the
// shim's calls only, so this memory must not be passed to FFmpeg to be freed.

void *__real_av_malloc(size_t size);
void __real_av_free(void *pointer);
void __wrap_av_free(void *pointer);
void __wrap_av_freep(void *pointer_to_pointer);

static bool is_guarding;
static struct {
    uint8_t *given;
    uint8_t *start;
    size_t bytes;
} allocations[16];
enum { ALLOCATIONS = sizeof(allocations) / sizeof(allocations[0]) };

void guard_allocations(bool on) {
    is_guarding = on;
}

void *guarded_av_malloc(size_t size) {
    for (int i = 0; is_guarding && size > 0 && size < SIZE_MAX / 2 && i < ALLOCATIONS; i++) {
        if (!allocations[i].given) {
            size_t aligned = (size + 63) / 64 * 64;
            allocations[i].bytes = in_pages(aligned);
            allocations[i].start = map_guarded(allocations[i].bytes);
            allocations[i].given = allocations[i].start + allocations[i].bytes - aligned;
            return allocations[i].given;
        }
    }
    return __real_av_malloc(size);
}

void __wrap_av_free(void *pointer) {
    for (int i = 0; pointer && i < ALLOCATIONS; i++) {
        if (allocations[i].given == pointer) {
            munmap(allocations[i].start, allocations[i].bytes + PAGE_BYTES);
            allocations[i].given = NULL;
            return;
        }
    }
    __real_av_free(pointer);
}

void __wrap_av_freep(void *pointer_to_pointer) {
    void *pointer;
    memcpy(&pointer, pointer_to_pointer, sizeof(pointer));
    memset(pointer_to_pointer, 0, sizeof(pointer));
    __wrap_av_free(pointer);
}

// Larger allocations are not filled: they come directly from the system, and calloc() relies on them being zero.
static uint8_t allocation_filling;

static void fill_allocation(const volatile void *pointer, size_t size) {
    if (size <= MAX_FILLED) {
        memset((void *)pointer, allocation_filling, size);
    }
}

static void ignore_freeing(const volatile void *pointer) {
    (void)pointer;
}

void fill_allocations(uint8_t filling) {
    static bool is_installed;
    allocation_filling = filling;
    if (!is_installed) {
        is_installed = __sanitizer_install_malloc_and_free_hooks(fill_allocation, ignore_freeing) > 0;
    }
}
