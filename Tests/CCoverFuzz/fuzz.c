// The libFuzzer target of `make fuzz`: reads the bytes as a clip, and also as a PNG if they begin like one.

#include "harness.h"

#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    broken_is_fatal = true;
    // The plan depends only on the bytes, so that a finding can be reproduced.
    unsigned choice = size > 0 ? bytes[size / 2] ^ (unsigned)size : 0;
    plan plan = {
        .complete_facts = choice % 4 == 1,
        .at_time = choice % 4 == 2,
        .key_frame = choice % 8 == 2,
        .searches_again = choice % 8 == 6,
        .microseconds = (int64_t)choice * 10000,
        .composes = choice % 16 == 7,
        .copy = choice % 8 == 3 ? 1 + choice / 8 % COPIES : 0,
    };
    int descriptor = memory_file(bytes, size);
    exercise(descriptor, &plan);
    close(descriptor);
    if (size > 8 && memcmp(bytes, "\x89PNG", 4) == 0) {
        exercise_png_reading(bytes, size);
    }
    return 0;
}
