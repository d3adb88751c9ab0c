// The compositor: plays clips side by side and encodes them as one video.
//
// The output is an MP4 file with H.264 video (BT.709, 4:2:0) and, if requested, AAC sound (48 kHz stereo). Its time
// line is counted in frames. Each canvas is a rectangle of the frame; its clip plays from a given frame on, once or
// repeatedly. What is shown before, after and instead of it is given as pictures. All decisions, such as which clip
// starts when, are the caller's.
//
// Each playing clip is decoded in its own thread, with one decoder thread; the encoder has a fixed number of
// threads, so that the same input always results in the same bytes on one machine. Only playing clips are open.
//
// Frames look like covers: upright, with square pixels, deinterlaced, HDR mapped to SDR, transparency over the ground.
//
// Threads: a handle may be used by one thread at a time.
// Ownership: the caller owns all descriptors and must keep them open for as long as the handle exists. Pictures are
// copied.
// Errors: as in CCover.h.

#ifndef CCOMPOSITION_H
#define CCOMPOSITION_H

#include "CCover.h"

#ifdef __cplusplus
extern "C" {
#endif

// The largest number of canvases.
#define CCOMPOSITION_MAX_CANVASES 64
// The largest side of the output, in pixels.
#define CCOMPOSITION_MAX_SIDE 4096
// The limits of the output's frame rate, in frames per second.
#define CCOMPOSITION_MAX_RATE 120

// A composition in progress.
typedef struct ccomposition ccomposition;

// What a canvas shows after its clip has ended.
typedef enum ccomposition_end {
    CCOMPOSITION_END_PICTURE = 0, // the picture `after`
    CCOMPOSITION_END_HOLD,        // the last frame
    CCOMPOSITION_END_LOOP,        // the clip again, with its sound
} ccomposition_end;

// The red, green and blue components of a colour.
typedef struct ccomposition_colour {
    uint8_t red, green, blue;
} ccomposition_colour;

// A canvas. The pictures have the size of its place, with three bytes per pixel (red, green, blue) and no space between
// the rows; a picture that is NULL has the colour of the canvas's ground.
typedef struct ccomposition_canvas {
    int32_t x, y, width, height; // the place in the frame, in pixels from the top left corner; within the frame
    int32_t gutter; // the width of an edge in the frame's ground, outside the place: 0 to CCOMPOSITION_MAX_SIDE
    const uint8_t *_Nullable cover;    // shown before the clip starts, and from where it cannot be decoded any more
    const uint8_t *_Nullable after;    // for CCOMPOSITION_END_PICTURE
    const uint8_t *_Nullable backdrop; // around a frame that does not fill the place
    ccomposition_colour ground; // under transparent parts of the clip
    int descriptor;    // the clip; -1 for none: then the cover is always shown
    int64_t skip;      // the part of the clip that is left out at its start, in microseconds
    int64_t start;     // the frame of the output that the clip starts with
    int64_t frames;    // the duration of the part that is shown, in frames of the output; at least 1
    ccomposition_end end;
    // The clip is cropped to fill the place if the shape of the place has at least this share of the clip's shape, and
    // otherwise shown whole: 0.25 to 1. The second value applies if one of them is upright and the other wide.
    double least_shown, least_shown_turned;
    float left_gain, right_gain; // of the sound; if both are 0, the sound is not decoded
} ccomposition_canvas;

// The output and the limits of a composition.
typedef struct ccomposition_options {
    int descriptor;         // an empty file, open for reading and writing
    int32_t width, height;  // even
    ccover_rational rate;   // frames per second, at most CCOMPOSITION_MAX_RATE
    int64_t frames;         // the duration
    ccomposition_colour ground; // outside the canvases
    double quality;         // x264's constant rate factor: 0 is lossless, 23 usual, 51 worst
    bool has_sound;         // whether the file has a sound track
    int32_t sound_bit_rate; // bits per second
    bool has_index_in_front; // whether the file can be played while it is downloaded; it is then written twice
    int64_t stall_microseconds; // a clip that gives no frame for so long counts as broken; 0 for no limit
    int64_t max_pixels;     // of a frame of a clip; 0 for no limit
    int32_t max_streams;    // of a clip; 0 for no limit
} ccomposition_options;

// The progress of a composition.
typedef struct ccomposition_progress {
    int64_t frames; // that were composed
    int64_t bytes;  // that were written
} ccomposition_progress;

// What went wrong with a clip.
typedef enum ccomposition_problem_kind {
    CCOMPOSITION_PROBLEM_BROKEN = 0, // from the given time on, the cover is shown instead, without sound
    CCOMPOSITION_PROBLEM_DAMAGED, // from the given time on, frames are damaged; the ones before are shown instead
    CCOMPOSITION_PROBLEM_SILENT,  // from the given time on, the clip is shown without sound
} ccomposition_problem_kind;

// A problem with the clip of a canvas. The composition continues without what is missing.
typedef struct ccomposition_problem {
    int32_t canvas; // its index
    ccomposition_problem_kind kind;
    double seconds; // the time in the clip
    ccover_error error;
} ccomposition_problem;

// What is measured in a clip.
typedef struct ccomposition_measure {
    int64_t microseconds; // the duration of the video by its packets; INT64_MAX if it is longer than a number can be
    int64_t declared_microseconds; // by the header, if packets are missing; otherwise ccover_unknown_time
    int64_t longest_step;          // the longest time between two frames, or for the last; INT64_MAX as above
    ccover_rational frame_rate; // the average; `den` is 0 if unknown
    int64_t pixels;       // of a frame, according to the container or codec
    bool has_sound;       // whether there is a sound track that can be decoded
    char unsupported_sound[CCOVER_NAME_SIZE]; // the codec of the sound, if it cannot be decoded; otherwise empty
} ccomposition_measure;

// Measures a clip by reading all its packets. Nothing is decoded.
int ccomposition_measure_clip(int descriptor, const ccover_limits *_Nonnull limits,
                              ccomposition_measure *_Nonnull measure, ccover_error *_Nonnull error);

// Starts a composition. No clip is opened yet. On success `*composition` is a new handle, to be freed with
// `ccomposition_close`; on failure it is NULL. An encoder that is missing is an error of stage CCOVER_STAGE_ENCODE and
// cause CCOVER_CAUSE_UNSUPPORTED_CODEC, whose message names it.
int ccomposition_open(const ccomposition_options *_Nonnull options, const ccomposition_canvas *_Nonnull canvases,
                      int32_t count, ccomposition *_Nullable *_Nonnull composition, ccover_error *_Nonnull error);

// Composes and encodes up to `frames` frames. Returns 0 if there are more, 1 if all frames were composed, or -1 with
// `*error` filled in; the composition can then only be closed. A clip that cannot be decoded is not an error.
int ccomposition_step(ccomposition *_Nonnull composition, int32_t frames, ccomposition_progress *_Nonnull progress,
                      ccover_error *_Nonnull error);

// Completes the file after all frames were composed.
int ccomposition_finish(ccomposition *_Nonnull composition, ccomposition_progress *_Nonnull progress,
                        ccover_error *_Nonnull error);

// Returns the number of problems found, at most one of each kind for each canvas.
int32_t ccomposition_problem_count(const ccomposition *_Nonnull composition);

// Stores a problem, whose index must be less than their number. They are in the order of their discovery.
void ccomposition_get_problem(const ccomposition *_Nonnull composition, int32_t index,
                              ccomposition_problem *_Nonnull problem);

// Stops all threads, frees a handle and sets `*composition` to NULL. Does nothing if it already is NULL.
void ccomposition_close(ccomposition *_Nullable *_Nonnull composition);

#ifdef __cplusplus
}
#endif

#endif
