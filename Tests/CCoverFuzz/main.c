// The program of `make sanitize`. It exits with status 1 if an invariant was violated; a sanitizer ends it immediately.
//
//     ccover-harness sweep [--jobs N] [--seed N] [--mutations N] [--only N] [--every N] FILE...
//     ccover-harness pixels [--jobs N] [--all]
//
// `--jobs N` shares the work among N processes. `--only N` repeats one mutation of the given files.
// `--every N` exercises intact files in every Nth way only, and lets every Nth allocation fail.

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_JOBS = 64 };

typedef struct work {
    bool is_sweep;
    bool all; // of the pixels' cases
    int jobs;
    sweep_options options;
} work;

static int usage(void) {
    fputs("usage: ccover-harness sweep [--jobs N] [--seed N] [--mutations N] [--only N] [--every N] FILE...\n"
          "       ccover-harness pixels [--jobs N] [--all]\n",
          stderr);
    return 64;
}

// Returns the number of words that were understood.
static int parse_options(int count, char **words, work *work) {
    int i = 0;
    for (; i < count && strncmp(words[i], "--", 2) == 0; i++) {
        if (!work->is_sweep && strcmp(words[i], "--all") == 0) {
            work->all = true;
            continue;
        }
        long value = i + 1 < count ? strtol(words[i + 1], NULL, 10) : -1;
        if (strcmp(words[i], "--jobs") == 0 && value > 0 && value <= MAX_JOBS) {
            work->jobs = (int)value;
        } else if (work->is_sweep && strcmp(words[i], "--seed") == 0) {
            work->options.seed = (uint64_t)value;
        } else if (work->is_sweep && strcmp(words[i], "--mutations") == 0) {
            work->options.mutations = value;
        } else if (work->is_sweep && strcmp(words[i], "--only") == 0) {
            work->options.only = value;
        } else if (work->is_sweep && strcmp(words[i], "--every") == 0 && value > 0) {
            work->options.spacing = value;
        } else {
            break;
        }
        i++;
    }
    return i;
}

static bool parse(int count, char **words, work *work) {
    *work = (struct work){.jobs = 1, .options = {.seed = 1, .mutations = 200, .only = -1, .spacing = 1}};
    if (count < 1) {
        return false;
    }
    work->is_sweep = strcmp(words[0], "sweep") == 0;
    if (!work->is_sweep && strcmp(words[0], "pixels") != 0) {
        return false;
    }
    int used = 1 + parse_options(count - 1, words + 1, work);
    work->options.files = words + used;
    work->options.file_count = count - used;
    return work->is_sweep ? used < count && strncmp(words[used], "--", 2) != 0 : used == count;
}

// Returns the exit status.
static int run_share(const work *work, int share) {
    if (work->is_sweep) {
        sweep(&work->options, share, work->jobs);
    } else {
        sweep_pixels(work->all, share, work->jobs);
    }
    printf("%ld clips, %ld frames, %ld pictures, %ld failures reported, %ld broken\n", counts.clips, counts.frames,
           counts.pictures, counts.failures, counts.broken);
    return counts.broken > 0;
}

// Runs each share in a separate process. Returns the exit status.
static int run_shares(const work *work) {
    for (int share = 0; share < work->jobs; share++) {
        pid_t child = fork();
        if (child == 0) {
            exit(run_share(work, share));
        } else if (child < 0) {
            perror("fork");
            return 1;
        }
    }
    int status = 0;
    bool has_failed = false;
    while (wait(&status) > 0) {
        has_failed = has_failed || status != 0;
    }
    return has_failed;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    work work;
    if (!parse(argc - 1, argv + 1, &work)) {
        return usage();
    }
    return run_shares(&work);
}
