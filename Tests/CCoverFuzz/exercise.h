// Declarations shared by the callers of the shim.

#ifndef EXERCISE_H
#define EXERCISE_H

#include "CCover.h"
#include "harness.h"

// A layout of pixels, and what it means.
typedef struct layout_case {
    ccover_layout layout;
    int channels;
    int bits; // per channel
} layout_case;
// Indexed by ccover_layout.
extern const layout_case layout_cases[];
extern const int layout_case_count;

// The number of bytes of one pixel.
size_t pixel_bytes(ccover_layout layout);

// check_calls.c: what must hold after each call.

// Checks the result of a call: 0 and an empty error, or -1 and an error filled in. Returns whether it was 0.
bool shim_succeeded(const char *call, int result, const ccover_error *error);
// Like `shim_succeeded`, for a call that must not fail with CCOVER_CAUSE_MISUSE.
bool shim_succeeded_in_order(const char *call, int result, const ccover_error *error);
void must_be_misuse(const char *call, int result, const ccover_error *error);
void check_clip_facts(const ccover_clip_facts *facts);
void check_stream_facts(const ccover_stream_facts *facts);
void check_frame_facts(const ccover_frame_facts *facts);

// exercise_animation.c: encoding animations.

// Encodes animations of a picture with 8 bits per channel.
void exercise_animations(const ccover_picture *picture);

// exercise_composition.c: measuring and composing.

// Measures a clip and composes it into a video. Whatever the clip is, there is a video.
void exercise_composition(int descriptor);

// exercise_copy.c: copying into other containers.

// Copies a clip according to `plan->copy`.
void exercise_copy(int descriptor, const plan *plan);

// exercise_render.c: rendering and encoding.

// Renders into rows that end at an inaccessible page and are filled with `filling` before. Takes the width, height and
// layout of `picture` and sets its other fields; the rows are valid until the next call. Returns false if rendering
// failed, which is checked and counted.
bool render_guarded(ccover_clip *clip, ccover_picture *picture, uint8_t filling);
// Renders a decoded frame at several sizes, whole and in part.
void render_sizes(ccover_clip *clip, const ccover_frame_facts *facts, const plan *plan);
// Calls the rendering functions with arguments out of range. None of the calls may touch the rows.
void misuse_rendering(ccover_clip *clip);

#endif
