// Encoding GIF with libavcodec and libavformat.
//
// One palette serves all frames, so that libavcodec can store only what changes from one frame to the next. That is why
// the pictures are kept until the end. Transparent pixels are composited on black, because libavcodec 59 writes wrong
// frames if only some of them have transparent pixels.

#include "Encoding/animation.h"

#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <stdlib.h>

// The limit of the format, in pixels per side.
enum { MAX_SIDE = 65535 };
// The index in the palette that libavcodec gives to pixels that have not changed.
enum { UNCHANGED = CCOVER_PALETTE_COLOURS };
// Browsers show a frame with a shorter delay, in hundredths of a second, for a tenth of a second.
enum { LEAST_DELAY = 2 };
// From this quality on, all colours are used.
enum { ALL_COLOURS_QUALITY = 75 };

// A picture to encode. A pixel is 0xFFRRGGBB.
typedef struct gif_picture {
    uint32_t *pixels;
    int64_t start;        // in hundredths of a second
    int64_t milliseconds; // its requested duration
} gif_picture;

typedef struct gif_animation {
    int width, height, quality;
    gif_picture *pictures;
    int count;
} gif_animation;

// What is needed to write a file.
typedef struct gif_file {
    AVFormatContext *muxer;
    AVCodecContext *encoder;
    AVFrame *frame;
    AVPacket *packet;
    ccover_palette *palette;
    uint32_t *drawn; // for each position, the pixel that its index was last chosen for; 0 before the first frame
} gif_file;

static int64_t hundredths(int64_t milliseconds) {
    return (milliseconds + 5) / 10;
}

static void close_gif(void *state) {
    gif_animation *animation = state;
    if (animation) {
        for (int i = 0; i < animation->count; i++) {
            av_free(animation->pictures[i].pixels);
        }
        av_free(animation->pictures);
    }
    av_free(animation);
}

static int open_gif(const ccover_animation_options *options, void **state, ccover_error *error) {
    if (!avcodec_find_encoder(AV_CODEC_ID_GIF) || !av_guess_format("gif", NULL, NULL)) {
        return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           "the installed FFmpeg cannot write GIF");
    }
    if (ccover_check_sides("GIF", MAX_SIDE, options->width, options->height, error) != 0) {
        return -1;
    }
    gif_animation *animation = av_mallocz(sizeof(*animation));
    *state = animation;
    if (!animation) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    *animation = (gif_animation){.width = options->width, .height = options->height, .quality = options->quality};
    return 0;
}

static void copy_pixels(const ccover_picture *picture, uint32_t *pixels) {
    size_t channels = picture->layout == CCOVER_RGBA8 ? 4 : 3;
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *at = picture->rows + (size_t)y * picture->row_bytes;
        for (int x = 0; x < picture->width; x++, at += channels) {
            uint32_t alpha = channels == 4 ? at[3] : 255;
            *pixels++ = 0xff000000U | ccover_on_black(at[0], alpha) << 16 | ccover_on_black(at[1], alpha) << 8 |
                        ccover_on_black(at[2], alpha);
        }
    }
}

// Appends a picture without pixels. Returns false if memory ran out.
static bool append_picture(gif_animation *animation, int64_t start) {
    size_t count = (size_t)animation->count;
    gif_picture *pictures = av_realloc_array(animation->pictures, count + 1, sizeof(*pictures));
    if (!pictures) {
        return false;
    }
    animation->pictures = pictures;
    uint32_t *pixels = av_malloc_array((size_t)animation->width * (size_t)animation->height, sizeof(*pixels));
    if (!pixels) {
        return false;
    }
    pictures[count] = (gif_picture){.pixels = pixels, .start = hundredths(start)};
    animation->count++;
    return true;
}

static int add_to_gif(void *state, const ccover_picture *picture, int64_t start, int64_t end, ccover_error *error) {
    gif_animation *animation = state;
    const gif_picture *before = animation->count > 0 ? &animation->pictures[animation->count - 1] : NULL;
    bool is_separate = !before || hundredths(start) - before->start >= LEAST_DELAY;
    if (is_separate && !append_picture(animation, start)) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    gif_picture *place = &animation->pictures[animation->count - 1];
    if (end - start > place->milliseconds) {
        copy_pixels(picture, place->pixels);
        place->milliseconds = end - start;
    }
    return 0;
}

// Whether two pixels differ by at most `most` in each channel.
static bool is_similar(uint32_t left, uint32_t right, int most) {
    int difference = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        difference = FFMAX(difference, abs((int)(left >> shift & 0xff) - (int)(right >> shift & 0xff)));
    }
    return difference <= most;
}

// Draws a picture over the frame before it. A pixel that has hardly changed keeps its colour, which hides noise and
// makes the file smaller.
static void draw(const gif_animation *animation, const gif_picture *picture, const gif_file *file) {
    int most = (100 - animation->quality) / 8;
    for (int y = 0; y < animation->height; y++) {
        uint8_t *row = file->frame->data[0] + (ptrdiff_t)y * file->frame->linesize[0];
        for (int x = 0; x < animation->width; x++) {
            size_t place = (size_t)y * (size_t)animation->width + (size_t)x;
            uint32_t pixel = picture->pixels[place];
            if (file->drawn[place] == 0 || !is_similar(pixel, file->drawn[place], most)) {
                file->drawn[place] = pixel;
                row[x] = ccover_palette_index(file->palette, pixel, x, y);
            }
        }
    }
}

// Allocates what is needed to write the file, and begins it. Returns 0 or an AVERROR.
static int begin(const gif_animation *animation, gif_file *file) {
    int code = avformat_alloc_output_context2(&file->muxer, NULL, "gif", NULL);
    AVStream *stream = code < 0 ? NULL : avformat_new_stream(file->muxer, NULL);
    AVCodecContext *encoder = file->encoder = avcodec_alloc_context3(avcodec_find_encoder(AV_CODEC_ID_GIF));
    file->frame = ccover_make_frame(AV_PIX_FMT_PAL8, animation->width, animation->height);
    file->packet = av_packet_alloc();
    file->palette = ccover_palette_alloc();
    file->drawn = av_calloc((size_t)animation->width * (size_t)animation->height, sizeof(*file->drawn));
    if (!stream || !encoder || !file->frame || !file->packet || !file->palette || !file->drawn) {
        return code < 0 ? code : AVERROR(ENOMEM);
    }
    file->muxer->flags |= AVFMT_FLAG_BITEXACT;
    encoder->width = animation->width;
    encoder->height = animation->height;
    encoder->pix_fmt = AV_PIX_FMT_PAL8;
    encoder->time_base = stream->time_base = (AVRational){1, 100};
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    encoder->thread_count = 1;
    code = avio_open_dyn_buf(&file->muxer->pb);
    if (code >= 0) {
        code = avcodec_open2(encoder, NULL, NULL);
    }
    if (code >= 0) {
        code = avcodec_parameters_from_context(stream->codecpar, encoder);
    }
    return code < 0 ? code : avformat_write_header(file->muxer, NULL);
}

// Encodes the frame, or what is left if it is NULL. Returns 0 or an AVERROR.
static int encode(const gif_file *file, const AVFrame *frame) {
    int code = avcodec_send_frame(file->encoder, frame);
    while (code >= 0) {
        code = avcodec_receive_packet(file->encoder, file->packet);
        if (code >= 0) {
            code = av_write_frame(file->muxer, file->packet);
            av_packet_unref(file->packet);
        }
    }
    return code == AVERROR(EAGAIN) || code == AVERROR_EOF ? 0 : code;
}

static int encode_pictures(const gif_animation *animation, const gif_file *file) {
    for (int i = 0; i < animation->count; i++) {
        ccover_palette_count(file->palette, animation->pictures[i].pixels,
                             (size_t)animation->width * (size_t)animation->height);
    }
    int quality = FFMIN(animation->quality, ALL_COLOURS_QUALITY), code = 0;
    ccover_palette_choose(file->palette, 15 + (CCOVER_PALETTE_COLOURS - 15) * quality / ALL_COLOURS_QUALITY);
    for (int i = 0; code >= 0 && i < animation->count; i++) {
        code = av_frame_make_writable(file->frame); // the encoder refers to the frame before
        if (code >= 0) {
            uint32_t *colours = (uint32_t *)(void *)file->frame->data[1];
            ccover_palette_write(file->palette, colours);
            colours[UNCHANGED] = 0; // libavcodec recognises it as the only one without alpha
            draw(animation, &animation->pictures[i], file);
            file->frame->pts = animation->pictures[i].start;
            code = encode(file, file->frame);
        }
    }
    return code < 0 ? code : encode(file, NULL);
}

// Ends the file. Returns 0 or an AVERROR.
static int end_file(const gif_file *file, int64_t last_delay, ccover_bytes *encoded) {
    int code = av_opt_set_int(file->muxer->priv_data, "final_delay", last_delay, 0);
    if (code >= 0) {
        code = av_write_trailer(file->muxer);
    }
    if (code >= 0) {
        code = file->muxer->pb->error; // set if memory ran out
    }
    if (code < 0) {
        return code;
    }
    int size = avio_close_dyn_buf(file->muxer->pb, &encoded->start);
    file->muxer->pb = NULL;
    encoded->count = (size_t)size;
    return 0;
}

static void free_file(gif_file *file) {
    if (file->muxer && file->muxer->pb) {
        uint8_t *written = NULL;
        avio_close_dyn_buf(file->muxer->pb, &written);
        av_free(written);
    }
    avformat_free_context(file->muxer);
    avcodec_free_context(&file->encoder);
    av_frame_free(&file->frame);
    av_packet_free(&file->packet);
    av_free(file->palette);
    av_free(file->drawn);
}

static int finish_gif(void *state, int64_t end, ccover_bytes *encoded, ccover_animation_facts *facts,
                      ccover_error *error) {
    gif_animation *animation = state;
    int64_t last_start = animation->pictures[animation->count - 1].start;
    if (animation->count > 1 && hundredths(end) - last_start < LEAST_DELAY) {
        // Its time is added to that of the picture before it.
        animation->count--;
        av_freep(&animation->pictures[animation->count].pixels);
        last_start = animation->pictures[animation->count - 1].start;
    }
    int64_t last_delay = hundredths(end) > last_start ? hundredths(end) - last_start : 1;
    gif_file file = {0};
    int code = begin(animation, &file);
    if (code >= 0) {
        code = encode_pictures(animation, &file);
    }
    if (code >= 0) {
        code = end_file(&file, last_delay, encoded);
    }
    free_file(&file);
    if (code < 0) {
        ccover_cause cause = code == AVERROR(ENOMEM) ? CCOVER_CAUSE_OUT_OF_MEMORY : CCOVER_CAUSE_UNSUPPORTED_PIXELS;
        return ccover_fail(error, CCOVER_STAGE_ENCODE, cause, code, "cannot write GIF");
    }
    *facts = (ccover_animation_facts){animation->count, 10 * (last_start + last_delay)};
    return 0;
}

const ccover_animation_encoder ccover_gif_encoder = {open_gif, add_to_gif, finish_gif, close_gif};
