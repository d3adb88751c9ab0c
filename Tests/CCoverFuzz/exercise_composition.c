// Measuring a clip, and composing it with its sound into a short video.

#include "exercise.h"

#include "CComposer.h"

#include <sys/mman.h>
#include <unistd.h>

enum { SIDE = 64, FRAMES = 12, MICROSECONDS = DEADLINE_SECONDS * 1000000 };

static void measure(int descriptor) {
    ccover_limits limits = {
        .deadline_microseconds = MICROSECONDS, .max_pixels = MAX_PIXELS, .max_streams = 16, .stream = -1};
    ccomposition_measure measure;
    ccover_error error;
    int result = ccomposition_measure_clip(descriptor, &limits, &measure, &error);
    if (shim_succeeded_in_order("ccomposition_measure_clip", result, &error) && measure.microseconds < 0) {
        broken("a clip lasts %lld µs", (long long)measure.microseconds);
    }
}

static void check_problems(const ccomposition *composition) {
    for (int32_t i = 0; i < ccomposition_problem_count(composition); i++) {
        ccomposition_problem problem;
        ccomposition_get_problem(composition, i, &problem);
        if (problem.canvas != 0 || problem.seconds < 0 || problem.error.message[0] == '\0') {
            broken("a problem of canvas %d at %f s without a message", problem.canvas, problem.seconds);
        }
    }
}

static void compose(ccomposition *composition) {
    ccomposition_progress progress;
    ccover_error error;
    int result = 0;
    while (result == 0) {
        result = ccomposition_step(composition, 5, &progress, &error);
    }
    if (result > 0) {
        result = ccomposition_finish(composition, &progress, &error);
    }
    if (!shim_succeeded_in_order("composing", result, &error) || progress.frames != FRAMES || progress.bytes <= 0) {
        broken("%lld frames and %lld bytes were composed", (long long)progress.frames, (long long)progress.bytes);
    }
    check_problems(composition);
}

void exercise_composition(int descriptor) {
    measure(descriptor);
    int output = memfd_create("video", MFD_CLOEXEC);
    ccomposition_options options = {
        .descriptor = output, .width = SIDE, .height = SIDE, .rate = {30, 1}, .frames = FRAMES, .quality = 30,
        .has_sound = true, .sound_bit_rate = 64000, .has_index_in_front = true, .stall_microseconds = MICROSECONDS,
        .max_pixels = MAX_PIXELS, .max_streams = 16,
    };
    ccomposition_canvas canvas = {
        .x = 1, .y = 3, .width = SIDE - 2, .height = SIDE - 3, .gutter = 2, .descriptor = descriptor, .frames = FRAMES - 2,
        .end = CCOMPOSITION_END_LOOP, .least_shown = 0.6, .least_shown_turned = 0.75, .left_gain = 1, .right_gain = 1,
    };
    ccomposition *composition = NULL;
    ccover_error error;
    int result = ccomposition_open(&options, &canvas, 1, &composition, &error);
    if (shim_succeeded_in_order("ccomposition_open", result, &error)) {
        compose(composition);
    }
    ccomposition_close(&composition);
    close(output);
}
