// All calls of the shim that encode animations.

#include "exercise.h"

#include <limits.h>

enum { PICTURES = 3 };

static const int32_t durations[PICTURES] = {33, 1, 500};

static void check_file(const char *call, int result, const ccover_bytes *encoded, const ccover_animation_facts *facts) {
    bool is_good = result == 0;
    if (is_good != (encoded->start != NULL) || is_good != (encoded->count > 0)) {
        broken("%s returns %d and %zu bytes", call, result, encoded->count);
    }
    bool is_plausible = facts->frames >= 1 && facts->frames <= PICTURES && facts->milliseconds >= 530 &&
                        facts->milliseconds <= 534;
    if (is_good && !is_plausible) {
        broken("%s reports %d frames and %lld ms", call, facts->frames, (long long)facts->milliseconds);
    }
}

static void misuse_pictures(ccover_animation *animation, const ccover_picture *picture) {
    ccover_error error;
    ccover_picture other = *picture;
    other.width += 1;
    must_be_misuse("adding a wider picture", ccover_animation_add(animation, &other, 1, &error), &error);
    other = *picture;
    other.row_bytes = pixel_bytes(picture->layout) * (size_t)picture->width - 1;
    must_be_misuse("adding short rows", ccover_animation_add(animation, &other, 1, &error), &error);
    other = *picture;
    other.layout = CCOVER_RGB16;
    must_be_misuse("adding 16 bits", ccover_animation_add(animation, &other, 1, &error), &error);
    must_be_misuse("adding no time", ccover_animation_add(animation, picture, 0, &error), &error);
    must_be_misuse("adding too long a time", ccover_animation_add(animation, picture, INT32_MAX, &error), &error);
}

static void misuse_the_end(ccover_animation *animation, const char *call) {
    ccover_bytes encoded;
    ccover_animation_facts facts;
    ccover_error error;
    int result = ccover_animation_finish(animation, &encoded, &facts, &error);
    must_be_misuse(call, result, &error);
    check_file(call, result, &encoded, &facts);
}

static void animate(const ccover_picture *picture, ccover_animation_encoding encoding) {
    ccover_animation_options options = {encoding, picture->width, picture->height, 1 + picture->height % 100};
    ccover_animation *animation;
    ccover_error error;
    int result = ccover_animation_open(options, &animation, &error);
    if (!shim_succeeded_in_order("ccover_animation_open", result, &error)) {
        return;
    }
    misuse_the_end(animation, "finishing without a picture");
    misuse_pictures(animation, picture);
    bool is_good = true;
    for (int i = 0; is_good && i < PICTURES; i++) {
        result = ccover_animation_add(animation, picture, durations[i], &error);
        is_good = shim_succeeded_in_order("ccover_animation_add", result, &error);
    }
    if (is_good) {
        ccover_bytes encoded;
        ccover_animation_facts facts;
        result = ccover_animation_finish(animation, &encoded, &facts, &error);
        shim_succeeded_in_order("ccover_animation_finish", result, &error);
        check_file("ccover_animation_finish", result, &encoded, &facts);
        ccover_free_bytes(&encoded);
    }
    misuse_the_end(animation, "finishing twice");
    ccover_animation_close(&animation);
    ccover_animation_close(&animation);
}

void exercise_animations(const ccover_picture *picture) {
    animate(picture, CCOVER_ANIMATED_WEBP);
    animate(picture, CCOVER_GIF);
}
