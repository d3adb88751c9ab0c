// Declarations shared by the files of the harness.
//
// The harness calls the shim (CCover), the copying (CComposer) and the PNG code (CPNG) directly, built with AddressSanitizer and
// UndefinedBehaviorSanitizer (`make sanitize`, `make fuzz`). FFmpeg and libpng are not instrumented; the guard pages of
// guarded.c detect their accesses beyond the memory passed to them.

#ifndef HARNESS_H
#define HARNESS_H

#include "CPNG.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// cases.c: the current case, and the results.

typedef struct tally {
    long clips;    // opened or refused
    long frames;   // decoded
    long pictures; // rendered
    long failures; // reported as errors
    long broken;   // violated invariants
} tally;
extern tally counts;
// Whether a violated invariant ends the program, so that libFuzzer keeps the input, or is only counted.
extern bool broken_is_fatal;
// Starts a case. Its description appears in the messages of `broken` and if the program crashes. The program is aborted
// if the case does not end within `seconds`.
void begin_case(unsigned seconds, const char *format, ...) __attribute__((format(printf, 2, 3)));
void end_case(void);
// Reports an invariant that is violated in the current case.
void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

// guarded.c: memory that is followed by an inaccessible page.

// Memory that is reused. To be initialised with `{0}`.
typedef struct arena {
    uint8_t *start;
    size_t capacity;
} arena;
// Returns `size` bytes that are followed by an inaccessible page, and invalidates those returned before. The address is
// a multiple of 64 if `size` is.
uint8_t *guarded_bytes(arena *arena, size_t size);
// Whether the bytes directly before the `size` bytes last returned are unchanged.
bool guarded_front_is_whole(const arena *arena, size_t size);
// While on, memory that the shim allocates with av_malloc() is followed by an inaccessible page as well.
void guard_allocations(bool on);
// av_malloc() with guarding as set by `guard_allocations`.
void *guarded_av_malloc(size_t size);
// From now on, every allocation in the program of up to 64 KiB is filled with this byte.
void fill_allocations(uint8_t filling);

// starved.c: failing allocations.

// From now on, the `failing`th allocation by the shim or the PNG code returns NULL; 0 for none. Returns the number of
// allocations since the last call.
long starve(long failing);
// Whether an allocation is set to fail.
bool is_starved(void);

// mutate.c: reproducible damage.

// Returns a pseudo-random number and advances the state.
uint64_t next_random(uint64_t *state);
// Damages `*size` bytes in place and never increases the size. The same seed causes the same damage.
void mutate(uint8_t *bytes, size_t *size, uint64_t seed);

// exercise.c: a clip from opening to closing.

typedef struct plan {
    bool complete_facts;
    bool at_time;         // decode at a time instead of the first frame
    bool key_frame;       // decode only the key frame before that time
    bool searches_again;  // decode frames at further times
    int64_t microseconds; // the time if `at_time` is set
    int64_t deadline_microseconds; // 0 for DEADLINE_SECONDS
    bool thorough;        // render more sizes, and make calls out of order
    bool with_png;        // write covers as PNG and read them back
    bool composes;        // compose the clip into a video instead
    unsigned copy;        // how to copy the clip instead, from 1 to COPIES; 0 to decode it
} plan;
enum { MAX_PIXELS = 4 << 20, DEADLINE_SECONDS = 2, COPIES = 32 };
// Opens, decodes, renders and closes a clip. Returns whether a frame was decoded.
bool exercise(int descriptor, const plan *plan);

// exercise_png.c: all calls of CPNG.

// Writes the picture as a PNG, reads it back and compares the two.
void exercise_png_writing(const cpng_picture *picture);
void exercise_png_reading(const uint8_t *bytes, size_t size);
void exercise_png_failures(void);

// files.c: descriptors that given bytes can be read from.

// Return a file in memory, or a pipe that contains all the bytes (up to 1 MiB; -1 for more). The caller closes it.
int memory_file(const uint8_t *bytes, size_t size);
int full_pipe(const uint8_t *bytes, size_t size);
// Returns the contents of a file, to be freed with free(), or NULL after a message on standard error.
uint8_t *read_whole(const char *path, size_t *size);

// The two modes of main.c.

typedef struct sweep_options {
    uint64_t seed;
    long mutations; // of all files together
    long only;      // the number of a single mutation, or -1 for all
    long spacing;   // of the ways to exercise an intact file and of the allocations that fail, every how manyth
    char **files;
    int file_count;
} sweep_options;
// Exercises one of `shares` shares of the files, intact and damaged.
void sweep(const sweep_options *options, int share, int shares);
// Renders one of `shares` shares of the pixel formats at widths 1 to 66: with every combination of the other properties
// if `all`, otherwise with a varying choice of them.
void sweep_pixels(bool all, int share, int shares);

#endif
