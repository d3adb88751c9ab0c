// Encoding animated WebP with libwebp.

#include "Encoding/animation.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>
#include <string.h>
#include <webp/encode.h>
#include <webp/mux.h>

// The chunks of a file (RFC 9649): the sizes of their heads and of the fixed parts.
enum { FILE_HEAD = 12, CHUNK_HEAD = 8, CANVAS_CHUNK = 18, ANIMATION_CHUNK = 14, FRAME_HEAD = 16 };

typedef struct webp_animation {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    int width, height;
} webp_animation;

static int fail(const webp_animation *animation, WebPEncodingError code, ccover_error *error) {
    if (code == VP8_ENC_ERROR_OUT_OF_MEMORY || code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    const char *text = animation->encoder ? WebPAnimEncoderGetError(animation->encoder) : "";
    return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_UNSUPPORTED_PIXELS, 0, "cannot write WebP: %s", text);
}

static void close_webp(void *state) {
    webp_animation *animation = state;
    if (animation) {
        WebPAnimEncoderDelete(animation->encoder);
    }
    av_free(animation);
}

static int open_webp(const ccover_animation_options *options, void **state, ccover_error *error) {
    if (ccover_check_sides("WebP", CCOVER_MAX_WEBP_SIDE, options->width, options->height, error) != 0) {
        return -1;
    }
    webp_animation *animation = av_mallocz(sizeof(*animation));
    *state = animation;
    if (!animation) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    WebPAnimEncoderOptions animated;
    if (!WebPAnimEncoderOptionsInit(&animated) || !WebPConfigInit(&animation->config)) {
        return fail(animation, VP8_ENC_ERROR_INVALID_CONFIGURATION, error);
    }
    animated.anim_params.loop_count = 0; // for ever
    animation->config.quality = (float)options->quality;
    animation->config.thread_level = 0;
    animation->width = options->width;
    animation->height = options->height;
    animation->encoder = WebPAnimEncoderNew(options->width, options->height, &animated);
    return animation->encoder ? 0 : ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
}

static int add_to_webp(void *state, const ccover_picture *picture, int64_t start, int64_t end, ccover_error *error) {
    (void)end;
    webp_animation *animation = state;
    WebPPicture copy;
    if (!WebPPictureInit(&copy)) {
        return fail(animation, VP8_ENC_ERROR_INVALID_CONFIGURATION, error);
    }
    copy.width = picture->width;
    copy.height = picture->height;
    copy.use_argb = 1;
    int row_bytes = (int)picture->row_bytes;
    int is_good = picture->layout == CCOVER_RGBA8 ? WebPPictureImportRGBA(&copy, picture->rows, row_bytes)
                                                  : WebPPictureImportRGB(&copy, picture->rows, row_bytes);
    is_good = is_good && WebPAnimEncoderAdd(animation->encoder, &copy, (int)start, &animation->config);
    WebPEncodingError code = copy.error_code;
    WebPPictureFree(&copy);
    return is_good ? 0 : fail(animation, code, error);
}

// Returns the number of frames of a file, and the number of bytes before its first chunk of pixels. Both are 0 if
// libwebp has written something unknown.
static int count_frames(const WebPData *file, size_t *start) {
    int frames = 0;
    *start = 0;
    for (size_t at = FILE_HEAD; at + CHUNK_HEAD <= file->size;) {
        const uint8_t *chunk = file->bytes + at;
        bool is_pixels = memcmp(chunk, "ALPH", 4) == 0 || memcmp(chunk, "VP8 ", 4) == 0;
        frames += memcmp(chunk, "ANMF", 4) == 0;
        if (*start == 0 && is_pixels) {
            *start = at;
        }
        size_t length = AV_RL32(chunk + 4);
        at += CHUNK_HEAD + length + length % 2;
    }
    return frames;
}

static uint8_t *put_chunk(uint8_t *at, const char *name, size_t length) {
    memcpy(at, name, 4);
    AV_WL32(at + 4, (uint32_t)length);
    return at + CHUNK_HEAD;
}

// Writes an animation of one frame. libwebp does not: it makes a still picture of it, whose chunks of pixels are these.
static int write_single(const webp_animation *animation, const uint8_t *pixels, size_t count, int64_t duration,
                        ccover_bytes *encoded) {
    size_t size = FILE_HEAD + CANVAS_CHUNK + ANIMATION_CHUNK + CHUNK_HEAD + FRAME_HEAD + count;
    uint8_t *file = av_mallocz(size);
    if (!file) {
        return -1;
    }
    uint8_t *at = put_chunk(file, "RIFF", size - CHUNK_HEAD);
    memcpy(at, "WEBP", 4);
    at = put_chunk(at + 4, "VP8X", CANVAS_CHUNK - CHUNK_HEAD);
    at[0] = memcmp(pixels, "ALPH", 4) == 0 ? ANIMATION_FLAG | ALPHA_FLAG : ANIMATION_FLAG;
    AV_WL24(at + 4, (uint32_t)animation->width - 1);
    AV_WL24(at + 7, (uint32_t)animation->height - 1);
    at = put_chunk(at + CANVAS_CHUNK - CHUNK_HEAD, "ANIM", ANIMATION_CHUNK - CHUNK_HEAD);
    memset(at, 0xff, 4); // white, libwebp's background
    at = put_chunk(at + ANIMATION_CHUNK - CHUNK_HEAD, "ANMF", FRAME_HEAD + count);
    AV_WL24(at + 6, (uint32_t)animation->width - 1);
    AV_WL24(at + 9, (uint32_t)animation->height - 1);
    AV_WL24(at + 12, (uint32_t)duration);
    memcpy(at + FRAME_HEAD, pixels, count);
    *encoded = (ccover_bytes){file, size};
    return 0;
}

static int take_file(const webp_animation *animation, const WebPData *file, int64_t duration, ccover_bytes *encoded,
                     ccover_animation_facts *facts, ccover_error *error) {
    size_t start = 0;
    int frames = count_frames(file, &start);
    *facts = (ccover_animation_facts){frames == 0 ? 1 : frames, duration};
    if (frames == 0) {
        if (start == 0) {
            return fail(animation, VP8_ENC_OK, error); // a kind of picture that this encoder was not asked for
        }
        if (write_single(animation, file->bytes + start, file->size - start, duration, encoded) < 0) {
            return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
        }
        return 0;
    }
    encoded->start = av_memdup(file->bytes, file->size);
    encoded->count = encoded->start ? file->size : 0;
    return encoded->start ? 0 : ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
}

static int finish_webp(void *state, int64_t end, ccover_bytes *encoded, ccover_animation_facts *facts,
                       ccover_error *error) {
    webp_animation *animation = state;
    WebPData file;
    WebPDataInit(&file);
    // The end of the last frame is given by a call without a picture.
    bool is_good = WebPAnimEncoderAdd(animation->encoder, NULL, (int)end, NULL) &&
                   WebPAnimEncoderAssemble(animation->encoder, &file);
    // All pictures have been accepted, so nothing but memory can be missing.
    int failed = is_good ? take_file(animation, &file, end, encoded, facts, error)
                         : ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    WebPDataClear(&file);
    return failed;
}

const ccover_animation_encoder ccover_animated_webp_encoder = {open_webp, add_to_webp, finish_webp, close_webp};
