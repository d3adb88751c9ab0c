// Copying a clip into other containers, alone and after itself.

#include "exercise.h"

#include "CComposer.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP_BYTES = 1 << 16, MAX_STEPS = 10000 };

static bool copy_all(ccomposer_copy *copy, ccomposer_copy_facts *facts) {
    ccover_error error;
    int32_t part = 0;
    int result = 0;
    int64_t progress = -1;
    for (int steps = 0; result == 0; steps++) {
        result = ccomposer_copy_step(copy, STEP_BYTES, &part, &error);
        if (ccomposer_copy_progress(copy) < progress || steps == MAX_STEPS) {
            broken("ccomposer_copy_step makes no progress");
            break;
        }
        progress = ccomposer_copy_progress(copy);
    }
    if (result < 0) {
        shim_succeeded_in_order("ccomposer_copy_step", result, &error);
        return false;
    }
    result = ccomposer_copy_finish(copy, facts, &error);
    bool is_good = shim_succeeded_in_order("ccomposer_copy_finish", result, &error);
    ccomposer_copy_facts again;
    must_be_misuse("finishing twice", ccomposer_copy_finish(copy, &again, &error), &error);
    return is_good;
}

static void check_file(int output, const ccomposer_copy_facts *facts) {
    struct stat status;
    if (fstat(output, &status) != 0 || status.st_size != facts->bytes || facts->bytes <= 0) {
        broken("a copy of %lld bytes has %lld", (long long)facts->bytes, (long long)status.st_size);
    }
    if (facts->duration < 0 || facts->video_streams < 1 || facts->audio_streams < 0 || facts->subtitle_streams < 0) {
        broken("the facts of a copy are wrong");
    }
}

static void check_part(const ccomposer_copy *copy, int32_t count) {
    for (int32_t i = -1; i <= count; i++) {
        ccomposer_part_facts facts;
        ccomposer_copy_get_part(copy, i, &facts);
        bool exists = i >= 0 && i < count;
        if (facts.packets < exists || facts.duration < 0 || facts.left_out < 0 || (!exists && facts.packets > 0)) {
            broken("the facts of part %d are wrong", i);
        }
    }
}

void exercise_copy(int descriptor, const plan *plan) {
    const int clips[] = {descriptor, descriptor};
    int32_t count = 1 + (int32_t)(plan->copy / 4 % 2);
    ccomposer_copy_options options = {
        .container = (ccomposer_container)(plan->copy % 4),
        .index_first = plan->copy / 8 % 2 == 1,
        // A part, whose ticks may mean any time.
        .starts_later = count == 1 && plan->copy / 8 % 2 == 1,
        .ends_earlier = count == 1 && plan->copy / 16 % 2 == 1,
        .key = 1000,
        .start = 20000,
        .end = 100000,
        .max_pixels = MAX_PIXELS,
        .max_streams = 16,
        .deadline_microseconds = DEADLINE_SECONDS * 1000000,
    };
    int output = memfd_create("copy", MFD_CLOEXEC);
    ccomposer_copy *copy = NULL;
    ccover_error error;
    int32_t part = 0;
    int result = ccomposer_copy_open(clips, count, output, &options, &copy, &part, &error);
    counts.clips += 1;
    bool is_open = shim_succeeded_in_order("ccomposer_copy_open", result, &error);
    if (is_open != (copy != NULL) || part < -1 || part >= count) {
        broken("ccomposer_copy_open returns %d, part %d and %s handle", result, part, copy ? "a" : "no");
    }
    ccomposer_copy_facts facts;
    if (copy && copy_all(copy, &facts)) {
        check_file(output, &facts);
        check_part(copy, count);
    }
    ccomposer_copy_close(&copy);
    if (copy) {
        broken("ccomposer_copy_close does not clear the handle");
    }
    close(output);
}
