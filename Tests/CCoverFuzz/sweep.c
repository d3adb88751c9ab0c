// Exercises every file, intact in several ways and then damaged.

#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { HANGING_SECONDS = 120, MAX_STARVED_BYTES = 50000 };

static double slowest_seconds;
static char slowest_name[300];
static long late;

// Counts the ways to exercise an intact file. Of these and of the allocations that fail, every `spacing`th is taken.
static long ways;
static long spacing;

// Processor time, which does not include other work on the machine.
static double used_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

// Exercises one clip. Exceeding the deadline is reported but does not count as a violated invariant, because the parent
// process kills such a decoder.
static void run(const char *name, int descriptor, const plan *plan) {
    double start = used_seconds();
    exercise(descriptor, plan);
    double seconds = used_seconds() - start;
    if (seconds > DEADLINE_SECONDS + 1) {
        late += 1;
        printf("late: %.1f s with %s\n", seconds, name);
    }
    if (seconds > slowest_seconds) {
        slowest_seconds = seconds;
        snprintf(slowest_name, sizeof(slowest_name), "%s", name);
    }
}

// Exercises a file once for each allocation of the shim and the PNG code that is to fail.
static void run_starved(const char *path, const uint8_t *bytes, size_t size) {
    int file = memory_file(bytes, size);
    bool all_succeeded = false;
    for (long failing = 1; !all_succeeded; failing += spacing) {
        begin_case(HANGING_SECONDS, "%s, allocation %ld fails", path, failing);
        starve(failing);
        run(path, file, &(plan){.complete_facts = failing / spacing % 2 == 0, .with_png = true});
        all_succeeded = starve(0) < failing;
    }
    close(file);
    end_case();
}

// Exercises an intact file in one way, unless that is left out.
static void run_way(const char *name, int descriptor, const plan *plan) {
    if (ways++ % spacing == 0) {
        run(name, descriptor, plan);
    }
}

static void run_whole(const char *path, const uint8_t *bytes, size_t size) {
    static const int64_t times[] = {0, 1, 500000, 3600000000, INT64_MAX / 2, INT64_MAX, INT64_MIN, -1};
    begin_case(HANGING_SECONDS, "%s", path);
    int file = memory_file(bytes, size);
    run(path, file, &(plan){.thorough = true, .with_png = true});
    run_way(path, file, &(plan){.complete_facts = true, .thorough = true});
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        begin_case(HANGING_SECONDS, "%s at %lld µs", path, (long long)times[i]);
        run_way(path, file, &(plan){.at_time = true, .searches_again = true, .microseconds = times[i]});
        run_way(path, file, &(plan){.at_time = true, .key_frame = true, .microseconds = times[i]});
    }
    for (int64_t deadline = 1; deadline < 10000; deadline *= 4) {
        begin_case(HANGING_SECONDS, "%s within %lld µs", path, (long long)deadline);
        run_way(path, file, &(plan){.deadline_microseconds = deadline, .complete_facts = deadline % 5 == 1});
    }
    begin_case(HANGING_SECONDS, "%s, composed", path);
    run_way(path, file, &(plan){.composes = true});
    end_case();
    // Three ways to copy, which differ from file to file.
    for (unsigned copy = 1 + (unsigned)(size % 5); copy <= COPIES; copy += 5) {
        begin_case(HANGING_SECONDS, "%s, copy %u", path, copy);
        run_way(path, file, &(plan){.copy = copy});
    }
    close(file);
    begin_case(HANGING_SECONDS, "%s from a pipe", path);
    int pipe = full_pipe(bytes, size);
    if (pipe >= 0) {
        run_way(path, pipe, &(plan){0});
        close(pipe);
    }
    exercise_png_reading(bytes, size);
    end_case();
}

// The same name, seed and number result in the same damage, regardless of the other files.
static uint64_t mutation_seed(const char *path, uint64_t seed, long number) {
    const char *slash = strrchr(path, '/');
    uint64_t state = seed;
    for (const char *c = slash ? slash + 1 : path; *c != '\0'; c++) {
        state = next_random(&state) ^ (unsigned char)*c;
    }
    state ^= (uint64_t)number << 32;
    return next_random(&state);
}

static void run_damaged(const char *path, const uint8_t *bytes, size_t size, uint64_t seed, long number) {
    char name[300];
    snprintf(name, sizeof(name), "%s, mutation %ld of seed %llu", path, number, (unsigned long long)seed);
    uint8_t *damaged = malloc(size + 1);
    memcpy(damaged, bytes, size);
    uint64_t state = mutation_seed(path, seed, number);
    mutate(damaged, &size, state);

    begin_case(HANGING_SECONDS, "%s", name);
    uint64_t way = next_random(&state);
    int file = way % 8 == 7 ? full_pipe(damaged, size) : memory_file(damaged, size);
    plan plan = {
        .complete_facts = way % 4 == 1,
        .at_time = way % 4 == 2,
        .key_frame = way % 8 == 2,
        .searches_again = way % 8 == 6,
        .microseconds = (int64_t)(next_random(&state) % 2000000),
        .with_png = way % 16 == 0,
        .composes = way % 16 == 6,
        .copy = way % 8 == 5 ? 1 + (unsigned)(way / 8 % COPIES) : 0,
    };
    if (file >= 0) {
        run(name, file, &plan);
        close(file);
    }
    end_case();
    free(damaged);
}

// Exercises damaged PNGs, the default format of covers.
static void run_damaged_png(uint64_t seed, long mutations) {
    static const uint8_t head[] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
    uint8_t bytes[4096];
    for (long number = 0; number < mutations; number++) {
        begin_case(HANGING_SECONDS, "a PNG of noise, mutation %ld of seed %llu", number, (unsigned long long)seed);
        uint64_t state = mutation_seed("png", seed, number);
        size_t size = sizeof(head) + 25 + (size_t)(next_random(&state) % 2000);
        memcpy(bytes, head, sizeof(head));
        // An IHDR chunk for 7 × 5 RGB pixels, followed by noise.
        static const uint8_t ihdr[] = {0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 7, 0, 0, 0, 5, 8, 2, 0, 0, 0};
        memcpy(bytes + sizeof(head), ihdr, sizeof(ihdr));
        for (size_t i = sizeof(head) + sizeof(ihdr); i < size; i++) {
            bytes[i] = (uint8_t)next_random(&state);
        }
        exercise_png_reading(bytes, size);
        end_case();
    }
}

// Exercises descriptors that cannot be read.
static void run_unreadable(void) {
    int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int write_only = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int empty = memfd_create("empty", MFD_CLOEXEC);
    int descriptors[] = {-1, folder, write_only, empty};
    for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++) {
        begin_case(HANGING_SECONDS, "unreadable descriptor %zu", i);
        if (exercise(descriptors[i], &(plan){0})) {
            broken("a frame from nothing");
        }
        end_case();
    }
    close(folder);
    close(write_only);
    close(empty);
}

// Returns the number of damaged copies of a file that were exercised.
static long run_file(const sweep_options *options, int index) {
    const char *path = options->files[index];
    size_t size = 0;
    uint8_t *bytes = read_whole(path, &size);
    if (!bytes) {
        broken("%s cannot be read", path);
        return 0;
    }
    if (options->only >= 0) {
        run_damaged(path, bytes, size, options->seed, options->only);
        free(bytes);
        return 1;
    }
    run_whole(path, bytes, size);
    // Every fifth file suffices, because most do not differ in their allocations; large ones take minutes.
    if (index % 5 == 0 && size <= MAX_STARVED_BYTES) {
        run_starved(path, bytes, size);
    }
    long first = options->mutations * index / options->file_count;
    long last = options->mutations * (index + 1) / options->file_count;
    for (long number = 0; number < last - first; number++) {
        run_damaged(path, bytes, size, options->seed, number);
    }
    free(bytes);
    return last - first;
}

void sweep(const sweep_options *options, int share, int shares) {
    spacing = options->spacing;
    if (share == 0) {
        run_unreadable();
        exercise_png_failures();
        run_damaged_png(options->seed, options->mutations);
    }
    int files = 0;
    long damaged = 0;
    for (int i = share; i < options->file_count; i += shares) {
        damaged += run_file(options, i);
        files += 1;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("sweep: %d files, %ld damaged ones of seed %llu; the slowest took %.1f s (%s), %ld were late; "
           "at most %ld MiB\n",
           files, damaged, (unsigned long long)options->seed, slowest_seconds, slowest_name, late,
           usage.ru_maxrss / 1024);
}
