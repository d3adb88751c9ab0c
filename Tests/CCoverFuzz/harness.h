// What the files of the harness share.
//
// The harness drives the shim (CCover) and the PNG code (CPNG) directly, built with AddressSanitizer and
// UndefinedBehaviorSanitizer (`make sanitize`, `make fuzz`). FFmpeg and libpng are not instrumented; what they do to
// memory of ours is seen by the pages in `guarded.c`.

#ifndef HARNESS_H
#define HARNESS_H

#include "CPNG.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// cases.c: what is being worked on, and what was found.

typedef struct tally {
    long clips;    // opened or refused
    long frames;   // decoded
    long pictures; // rendered
    long failures; // told by an error, as they should be
    long broken;   // invariants that do not hold
} tally;
extern tally counts;
// Whether a broken invariant ends the program (libFuzzer keeps the input then) or is counted.
extern bool broken_is_fatal;
// Remembers what is being worked on, for the messages of `broken` and of a dying program, and gives the work so many
// seconds until the program is taken for hanging.
void begin_case(unsigned seconds, const char *format, ...) __attribute__((format(printf, 2, 3)));
void end_case(void);
// Tells of an invariant that does not hold in the case at hand.
void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

// guarded.c: memory whose end is watched without instrumentation.

// Kept between uses; `{0}` at first.
typedef struct arena {
    uint8_t *start;
    size_t capacity;
} arena;
// `size` bytes that end where a page begins that may not be touched; what the arena held before is gone. The address is
// a multiple of 64 if `size` is.
uint8_t *guarded_bytes(arena *arena, size_t size);
// Whether the bytes just before those given out are as they were.
bool guarded_front_is_whole(const arena *arena, size_t size);
// While on, what the shim takes by `av_malloc` ends at such a page too.
void guard_allocations(bool on);
void *guarded_av_malloc(size_t size);
// From now on all memory allocated anywhere in the program, up to 64 KiB at a time, holds these bytes at first.
void fill_allocations(uint8_t filling);

// starved.c: memory that runs out.

// From now on the `failing`th allocation by the shim or the PNG code gives NULL; 0 for none. Gives how many there were
// since the last call.
long starve(long failing);
bool is_starved(void);

// mutate.c: damage that can be repeated.

uint64_t next_random(uint64_t *state);
// Damages `*size` bytes in place, never making them more. The same seed does the same damage.
void mutate(uint8_t *bytes, size_t *size, uint64_t seed);

// exercise.c: all use of the shim's interface.

typedef struct plan {
    bool complete_facts;
    bool at_time;         // else the first frame
    int64_t microseconds; // of the frame, when `at_time`
    int64_t deadline_microseconds; // 0 for DEADLINE_SECONDS
    bool thorough;        // every size and calls out of order too
    bool with_png;        // write a cover and read it back
} plan;
enum { MAX_PIXELS = 4 << 20, DEADLINE_SECONDS = 2 };
// Opens, decodes, renders and closes; true when a frame came out.
bool exercise(int descriptor, const plan *plan);

// exercise_png.c: all calls of CPNG.

// Writes the picture as a PNG, reads it back and compares the two.
void exercise_png_writing(const cpng_picture *picture);
void exercise_png_reading(const uint8_t *bytes, size_t size);
void exercise_png_failures(void);

// files.c: bytes as descriptors.

// A file in memory, or a pipe that holds all the bytes (up to 1 MiB; -1 for more). The caller closes it.
int memory_file(const uint8_t *bytes, size_t size);
int full_pipe(const uint8_t *bytes, size_t size);
// A whole file, for the caller to free; NULL with a message on standard error.
uint8_t *read_whole(const char *path, size_t *size);

// The two programs of main.c.

typedef struct sweep_options {
    uint64_t seed;
    long mutations; // over all files together
    long only;      // the number of one mutation, -1 for all
    char **files;
    int file_count;
} sweep_options;
void sweep(const sweep_options *options);
// Every pixel format at widths 1 to 66: with `all`, every combination of the other properties, else a changing choice.
void sweep_pixels(bool all);

#endif
