// The program of `make sanitize`. It exits with status 1 if an invariant was violated; a sanitizer ends it immediately.
//
//     ccover-harness sweep [--seed N] [--mutations N] [--only N] FILE...
//     ccover-harness pixels [--all]
//
// `--only N` repeats one mutation of the given files.

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void) {
    fputs("usage: ccover-harness sweep [--seed N] [--mutations N] [--only N] FILE...\n"
          "       ccover-harness pixels [--all]\n",
          stderr);
    return 64;
}

static int parse_sweep(int count, char **words, sweep_options *options) {
    *options = (sweep_options){.seed = 1, .mutations = 200, .only = -1};
    int i = 0;
    for (; i + 1 < count && strncmp(words[i], "--", 2) == 0; i += 2) {
        long value = strtol(words[i + 1], NULL, 10);
        if (strcmp(words[i], "--seed") == 0) {
            options->seed = (uint64_t)value;
        } else if (strcmp(words[i], "--mutations") == 0) {
            options->mutations = value;
        } else if (strcmp(words[i], "--only") == 0) {
            options->only = value;
        } else {
            return -1;
        }
    }
    options->files = words + i;
    options->file_count = count - i;
    return options->file_count > 0 ? 0 : -1;
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    sweep_options options;
    if (argc >= 2 && strcmp(argv[1], "pixels") == 0) {
        sweep_pixels(argc == 3 && strcmp(argv[2], "--all") == 0);
    } else if (argc >= 3 && strcmp(argv[1], "sweep") == 0 && parse_sweep(argc - 2, argv + 2, &options) == 0) {
        sweep(&options);
    } else {
        return usage();
    }
    printf("%ld clips, %ld frames, %ld pictures, %ld failures reported, %ld broken\n", counts.clips, counts.frames,
           counts.pictures, counts.failures, counts.broken);
    return counts.broken > 0;
}
