// Encoding JPEG and WebP pictures with libavcodec.
//
// The conversion to YCbCr does not use libswscale, so that the result is the same on every machine, and because
// libswscale reads chroma from beyond the last pixel of a row of odd length.

#include "Pictures/pictures.h"

#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <stdlib.h>
#include <string.h>

// From this quality on, the chroma of a JPEG is not subsampled, as in other programs.
enum { FULL_CHROMA_QUALITY = 90 };
// Limits of the formats, in pixels per side.
enum { MAX_JPEG_SIDE = 65500 };
// The quantiser scale that leaves the quantisation tables of a JPEG unchanged in libavcodec.
enum { UNCHANGED_SCALE = 8 };

typedef struct pixel {
    int red, green, blue, alpha;
} pixel;

static inline pixel pixel_at(const ccover_picture *picture, int x, int y) {
    int channels = picture->layout == CCOVER_RGBA8 ? 4 : 3;
    const uint8_t *at = picture->rows + (size_t)y * picture->row_bytes + (ptrdiff_t)x * channels;
    return (pixel){at[0], at[1], at[2], channels == 4 ? at[3] : 255};
}

static inline pixel opaque_pixel_at(const ccover_picture *picture, int x, int y) {
    pixel pixel = pixel_at(picture, x, y);
    if (picture->layout == CCOVER_RGBA8) {
        uint32_t alpha = (uint32_t)pixel.alpha;
        pixel.red = (int)ccover_on_black((uint32_t)pixel.red, alpha);
        pixel.green = (int)ccover_on_black((uint32_t)pixel.green, alpha);
        pixel.blue = (int)ccover_on_black((uint32_t)pixel.blue, alpha);
    }
    return pixel;
}

// JFIF's formulas (ITU-T T.871, section 7), with 16 fractional bits.

static void fill_luma(const ccover_picture *picture, int y, uint8_t *row) {
    for (int x = 0; x < picture->width; x++) {
        pixel p = opaque_pixel_at(picture, x, y);
        row[x] = av_clip_uint8((19595 * p.red + 38470 * p.green + 7471 * p.blue + 32768) >> 16);
    }
}

// Computes a row of chroma. Each sample is the mean of `step` × `step` pixels; beyond the edge of an odd side, the last
// column or line is repeated.
static void fill_chroma(const ccover_picture *picture, int y, int step, uint8_t *cb, uint8_t *cr) {
    int bits = step == 2 ? 18 : 16, middle = (128 << bits) + (1 << (bits - 1)); // of sums of one or four pixels
    int lower = FFMIN(y + step, picture->height) - 1;
    for (int x = 0; x < picture->width; x += step) {
        int right = FFMIN(x + step, picture->width) - 1;
        pixel sum = opaque_pixel_at(picture, x, y);
        if (step == 2) {
            pixel others[] = {opaque_pixel_at(picture, right, y), opaque_pixel_at(picture, x, lower),
                              opaque_pixel_at(picture, right, lower)};
            for (int i = 0; i < 3; i++) {
                sum.red += others[i].red;
                sum.green += others[i].green;
                sum.blue += others[i].blue;
            }
        }
        cb[x / step] = av_clip_uint8((-11058 * sum.red - 21710 * sum.green + 32768 * sum.blue + middle) >> bits);
        cr[x / step] = av_clip_uint8((32768 * sum.red - 27439 * sum.green - 5329 * sum.blue + middle) >> bits);
    }
}

static void fill_ycbcr(const ccover_picture *picture, AVFrame *frame) {
    int step = frame->format == AV_PIX_FMT_YUVJ420P ? 2 : 1;
    for (int y = 0; y < picture->height; y++) {
        fill_luma(picture, y, frame->data[0] + (ptrdiff_t)y * frame->linesize[0]);
    }
    for (int y = 0; y < picture->height; y += step) {
        fill_chroma(picture, y, step, frame->data[1] + (ptrdiff_t)(y / step) * frame->linesize[1],
                    frame->data[2] + (ptrdiff_t)(y / step) * frame->linesize[2]);
    }
}

static void fill_argb(const ccover_picture *picture, AVFrame *frame) {
    for (int y = 0; y < picture->height; y++) {
        uint8_t *row = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        for (int x = 0; x < picture->width; x++) {
            pixel p = pixel_at(picture, x, y);
            uint32_t word = (uint32_t)p.alpha << 24 | (uint32_t)p.red << 16 | (uint32_t)p.green << 8 | (uint32_t)p.blue;
            memcpy(row + 4 * (ptrdiff_t)x, &word, sizeof(word));
        }
    }
}

// Returns the quantisation table of ITU-T T.81, K.1 or K.2, scaled like the Independent JPEG Group's library does it,
// so that the quality has its usual meaning. To be freed with av_free(); NULL if memory ran out.
static uint16_t *quantisers(bool is_chroma, int quality) {
    static const uint8_t luma[64] = {
        16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,  14, 13, 16, 24, 40,  57,
        69, 56, 14, 17, 22,  29,  51,  87,  80, 62, 18, 22, 37,  56,  68,  109, 103, 77, 24, 35, 55,  64,
        81, 104, 113, 92, 49, 64,  78,  87,  103, 121, 120, 101, 72,  92,  95,  98,  112, 100, 103, 99};
    static const uint8_t chroma[16] = {17, 18, 24, 47, 18, 21, 26, 66, 24, 26, 56, 99, 47, 66, 99, 99};
    uint16_t *table = av_malloc(64 * sizeof(*table));
    int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    for (int i = 0; table && i < 64; i++) {
        int coarse = i % 8 > 3 || i / 8 > 3 ? 99 : chroma[i / 8 * 4 + i % 8];
        int value = ((is_chroma ? coarse : luma[i]) * scale + 50) / 100;
        table[i] = (uint16_t)av_clip(value, 1, 255);
    }
    return table;
}

static int set_jpeg(AVCodecContext *encoder, int quality) {
    encoder->pix_fmt = quality < FULL_CHROMA_QUALITY ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUVJ444P;
    encoder->color_range = AVCOL_RANGE_JPEG;
    encoder->colorspace = AVCOL_SPC_BT470BG;
    encoder->flags |= AV_CODEC_FLAG_QSCALE;
    encoder->global_quality = UNCHANGED_SCALE * FF_QP2LAMBDA;
    encoder->intra_matrix = quantisers(false, quality);
    encoder->chroma_intra_matrix = quantisers(true, quality);
    return encoder->intra_matrix && encoder->chroma_intra_matrix ? 0 : AVERROR(ENOMEM);
}

static int open_encoder(AVCodecContext *encoder, const AVCodec *codec, const ccover_picture *picture, int quality) {
    encoder->width = picture->width;
    encoder->height = picture->height;
    encoder->time_base = (AVRational){1, 25};
    encoder->sample_aspect_ratio = (AVRational){1, 1}; // without it, the JPEG has no JFIF header
    encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    encoder->thread_count = 1; // slices would change the encoded bytes
    encoder->pix_fmt = AV_PIX_FMT_RGB32; // libwebp's own conversion preserves coloured edges better than averaging
    int code = codec->id != AV_CODEC_ID_WEBP
                   ? set_jpeg(encoder, quality)
                   : av_opt_set_double(encoder, "quality", quality, AV_OPT_SEARCH_CHILDREN);
    return code < 0 ? code : avcodec_open2(encoder, codec, NULL);
}

// Returns the picture as the encoder expects it, to be freed by the caller, or NULL if memory ran out.
static AVFrame *frame_of(const AVCodecContext *encoder, const ccover_picture *picture) {
    AVFrame *frame = ccover_make_frame(encoder->pix_fmt, picture->width, picture->height);
    if (!frame) {
        return NULL;
    }
    frame->color_range = encoder->color_range;
    frame->colorspace = encoder->colorspace;
    frame->sample_aspect_ratio = encoder->sample_aspect_ratio;
    frame->quality = encoder->global_quality;
    frame->pts = 0;
    if (encoder->pix_fmt == AV_PIX_FMT_RGB32) {
        fill_argb(picture, frame);
    } else {
        fill_ycbcr(picture, frame);
    }
    return frame;
}

// Encodes the picture with the given encoder. Returns 0 or an AVERROR.
static int encode_with(const AVCodec *codec, const ccover_picture *picture, int quality, ccover_bytes *encoded) {
    AVCodecContext *encoder = avcodec_alloc_context3(codec);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = NULL;
    int code = encoder && packet ? open_encoder(encoder, codec, picture, quality) : AVERROR(ENOMEM);
    if (code >= 0) {
        frame = frame_of(encoder, picture);
        code = frame ? avcodec_send_frame(encoder, frame) : AVERROR(ENOMEM);
    }
    if (code >= 0) {
        code = avcodec_send_frame(encoder, NULL);
    }
    if (code >= 0) {
        code = avcodec_receive_packet(encoder, packet);
    }
    if (code >= 0) {
        encoded->start = av_memdup(packet->data, (size_t)packet->size);
        encoded->count = encoded->start ? (size_t)packet->size : 0;
        code = encoded->start ? 0 : AVERROR(ENOMEM);
    }
    av_packet_free(&packet);
    av_frame_free(&frame);
    if (encoder) {
        // Not every version of libavcodec frees both tables.
        av_freep(&encoder->intra_matrix);
        av_freep(&encoder->chroma_intra_matrix);
    }
    avcodec_free_context(&encoder);
    return code;
}

int ccover_encode(const ccover_picture *picture, ccover_encoding encoding, int32_t quality, ccover_bytes *encoded,
                  ccover_error *error) {
    *error = (ccover_error){0};
    *encoded = (ccover_bytes){0};
    ccover_log_begin();
    if (!ccover_is_encodable(picture) || quality < 1 || quality > 100) {
        return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_MISUSE, 0, "no picture, or no quality of 1 to 100");
    }
    bool is_webp = encoding == CCOVER_WEBP;
    const char *format = is_webp ? "WebP" : "JPEG", *name = is_webp ? "libwebp" : "mjpeg";
    const AVCodec *codec = avcodec_find_encoder_by_name(name);
    if (!codec) {
        return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           "the installed FFmpeg cannot write %s (it has no encoder %s)", format, name);
    }
    int most = is_webp ? CCOVER_MAX_WEBP_SIDE : MAX_JPEG_SIDE;
    if (ccover_check_sides(format, most, picture->width, picture->height, error) != 0) {
        return -1;
    }
    int code = encode_with(codec, picture, quality, encoded);
    if (code < 0) {
        ccover_cause cause = code == AVERROR(ENOMEM) ? CCOVER_CAUSE_OUT_OF_MEMORY : CCOVER_CAUSE_UNSUPPORTED_PIXELS;
        return ccover_fail(error, CCOVER_STAGE_ENCODE, cause, code, "cannot write %s", format);
    }
    return 0;
}

void ccover_free_bytes(ccover_bytes *bytes) {
    av_freep(&bytes->start);
    bytes->count = 0;
}
