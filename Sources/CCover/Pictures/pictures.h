// Making pictures of frames.

#ifndef CCOVER_PICTURES_H
#define CCOVER_PICTURES_H

#include "Decoding/decoding.h"

#include <libswscale/swscale.h>

// picture.c
size_t ccover_pixel_bytes(ccover_layout layout);
int ccover_channels(ccover_layout layout);
bool ccover_is_deep(ccover_layout layout);
// A channel of a colour with alpha on a black background.
static inline uint32_t ccover_on_black(uint32_t value, uint32_t alpha) {
    return (value * alpha + 127) / 255;
}
// The largest side of a WebP picture, in pixels.
enum { CCOVER_MAX_WEBP_SIDE = 16383 };
// Whether the picture has pixels of 8 bits per channel and rows for them, as encoders require.
bool ccover_is_encodable(const ccover_picture *picture);
// Checks the size of a picture against the largest side, in pixels, that the format of the name allows. Returns -1 with
// the error filled in if it is larger.
int ccover_check_sides(const char *format, int most, int width, int height, ccover_error *error);
// Whether `row_bytes` and the size allow a frame to be rendered into the picture.
bool ccover_has_room(const ccover_picture *picture);
// Allocates rows for the picture's width, height and layout, to be freed with av_free(), and sets `row_bytes`.
int ccover_allocate_rows(ccover_picture *picture, ccover_error *error);
// Returns a frame with any content, to be freed by the caller, or NULL if memory ran out.
AVFrame *ccover_make_frame(int format, int width, int height);

// scale.c
// Replaces the deprecated "J" formats, which imply full range, with the formats that do not imply a range.
// `*is_full_range` is set for them, and otherwise stays.
enum AVPixelFormat ccover_without_range(enum AVPixelFormat format, bool *is_full_range);
bool ccover_is_convertible(const AVFrame *frame);
// Scales and converts a frame into a picture of the same orientation, with `flags` of swscale. Does not change the
// transfer or primaries.
int ccover_scale_pixels(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, int flags,
                        ccover_error *error);
// Also maps HDR to SDR.
int ccover_scale_frame(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, ccover_error *error);

// A value of 16 bits as one of 8, rounded to nearest.
static inline uint8_t ccover_reduced(uint16_t value) {
    return (uint8_t)((value * 255U + 32767) / 65535);
}

// transparency.c
// Whether the colours of transparent pixels would be seen if the frame was simply scaled into the picture.
bool ccover_hides_colours(const AVFrame *frame, const ccover_picture *picture);
// Scales and converts such a frame like `ccover_scale_pixels`, so that they are not.
int ccover_scale_transparent(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, int flags,
                             ccover_error *error);

// render.c
int ccover_render_frame(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, bool deinterlaces,
                        ccover_error *error);

// orientation.c
static inline bool ccover_is_identity(ccover_orientation orientation) {
    return !orientation.transposes && !orientation.mirrors_x && !orientation.mirrors_y;
}

// The pixels of a picture or of one plane of a frame. `row_bytes` is negative if the bottom row comes first in memory.
typedef struct ccover_plane {
    const uint8_t *rows;
    ptrdiff_t row_bytes;
    int width, height;
    size_t pixel_bytes;
} ccover_plane;
// Copies the pixels to `destination`, turned upright. If the orientation transposes, width and height are swapped
// there.
void ccover_orient(const ccover_plane *source, ccover_orientation orientation, uint8_t *destination,
                   size_t destination_row_bytes);
// Returns the frame turned upright, to be freed by the caller, or NULL if its pixel format does not allow it or memory
// ran out.
AVFrame *ccover_turned_frame(const AVFrame *frame, ccover_orientation orientation);

// tone_map.c
// Maps a picture with 16 bits per channel that was scaled from `frame` to SDR, except its alpha. `stream` may be NULL.
void ccover_tone_map(const AVFrame *frame, const AVStream *stream, const ccover_picture *picture);

// deinterlace.c
// Returns a deinterlaced copy of the frame, to be freed by the caller: the field presented first, with the lines of the
// other field interpolated from it. Returns NULL if the pixel format is not supported or memory ran out.
AVFrame *ccover_deinterlaced_frame(const AVFrame *frame);

#endif
