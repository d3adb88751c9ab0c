// Encoding animations: what holds for all file formats.

#include "Encoding/animation.h"

#include <libavutil/mem.h>

struct ccover_animation {
    ccover_animation_options options;
    const ccover_animation_encoder *encoder;
    void *state;   // of the encoder
    int64_t end;   // of the last picture, in milliseconds
    bool is_over;  // it was finished, or a call failed
};

static int misused(ccover_error *error, const char *text) {
    return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_MISUSE, 0, "%s", text);
}

int ccover_animation_open(ccover_animation_options options, ccover_animation **animation, ccover_error *error) {
    *error = (ccover_error){0};
    *animation = NULL;
    ccover_log_begin();
    if (options.width < 1 || options.height < 1 || options.quality < 1 || options.quality > 100) {
        return misused(error, "no size, or no quality of 1 to 100");
    }
    ccover_animation *opened = av_mallocz(sizeof(*opened));
    if (!opened) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    opened->options = options;
    opened->encoder = options.encoding == CCOVER_GIF ? &ccover_gif_encoder : &ccover_animated_webp_encoder;
    if (opened->encoder->open(&opened->options, &opened->state, error) < 0) {
        ccover_animation_close(&opened);
        return -1;
    }
    *animation = opened;
    return 0;
}

static int check_picture(const ccover_animation *animation, const ccover_picture *picture, int32_t milliseconds,
                         ccover_error *error) {
    bool is_size = picture->width == animation->options.width && picture->height == animation->options.height;
    if (!ccover_is_encodable(picture) || !is_size) {
        return misused(error, "no picture of the animation's size");
    }
    // Both formats count time in 32 bits at most.
    if (milliseconds < 1 || milliseconds > CCOVER_MAX_PICTURE_MILLISECONDS ||
        animation->end > INT32_MAX - milliseconds) {
        return misused(error, "the picture is shown for no time, or too long");
    }
    return 0;
}

int ccover_animation_add(ccover_animation *animation, const ccover_picture *picture, int32_t milliseconds,
                         ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (animation->is_over) {
        return misused(error, "the animation is over");
    }
    if (check_picture(animation, picture, milliseconds, error) < 0) {
        return -1;
    }
    int64_t start = animation->end;
    animation->end = start + milliseconds;
    animation->is_over = animation->encoder->add(animation->state, picture, start, animation->end, error) < 0;
    return animation->is_over ? -1 : 0;
}

int ccover_animation_finish(ccover_animation *animation, ccover_bytes *encoded, ccover_animation_facts *facts,
                            ccover_error *error) {
    *error = (ccover_error){0};
    *encoded = (ccover_bytes){0};
    *facts = (ccover_animation_facts){0};
    ccover_log_begin();
    if (animation->is_over || animation->end == 0) {
        return misused(error, "the animation has no picture, or is over");
    }
    animation->is_over = true;
    return animation->encoder->finish(animation->state, animation->end, encoded, facts, error);
}

void ccover_animation_close(ccover_animation **animation) {
    if (*animation) {
        (*animation)->encoder->close((*animation)->state);
    }
    av_freep(animation);
}
