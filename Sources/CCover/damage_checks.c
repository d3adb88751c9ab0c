// Damage that FFmpeg does not report, found where that is cheap and no intact clip can look the same.

#include "internal.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <string.h>

enum { HOLE_BYTES = 128 };

static bool is_zero(const uint8_t *bytes, size_t count) {
    size_t i = 0;
    while (i < count && bytes[i] == 0) {
        i++;
    }
    return i == count;
}

// Whether zeros at `start` of a packet are not part of a slice of H.264 or HEVC. Units between start codes may be followed
// by zeros.
static bool is_padding(const AVCodecContext *decoder, const AVPacket *packet, int start) {
    bool has_lengths = decoder->extradata_size > 0 && decoder->extradata[0] == 1;
    if (!ccover_is_avc_or_hevc(decoder->codec_id) || has_lengths) {
        return false;
    }
    int end = start;
    while (end < packet->size && packet->data[end] == 0) {
        end++;
    }
    return end == packet->size || packet->data[end] == 1 || !ccover_is_in_slice(decoder->codec_id, packet, start);
}

// Whether the codec's data cannot contain a long run of zeros: H.264 and HEVC escape them; in the codes of HuffYUV and Ut
// Video zeros stand for the rarest values; in the others, long runs are too unlikely to occur, even in flat pictures.
static bool has_no_zeros(const AVCodecContext *decoder) {
    switch (decoder->codec_id) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
    case AV_CODEC_ID_FFV1:
    case AV_CODEC_ID_FFVHUFF:
    case AV_CODEC_ID_HUFFYUV:
    case AV_CODEC_ID_UTVIDEO:
        return true;
    default:
        return false;
    }
}

// Whether the blocks of a DV frame name the sections that they must hold (IEC 61834-2): in each sequence of 150 blocks
// a header, 2 of subcode, 3 of auxiliary data, then 9 times one of sound and 15 of video.
static bool has_all_dv_blocks(const AVPacket *packet) {
    enum { BLOCK = 80, SEQUENCE = 150, FIRST_SOUND = 6, PERIOD = 16, VIDEO = 4 };
    for (int i = 0; i < packet->size / BLOCK; i++) {
        int place = i % SEQUENCE;
        bool is_video = place >= FIRST_SOUND && (place - FIRST_SOUND) % PERIOD != 0;
        if (is_video && packet->data[(ptrdiff_t)i * BLOCK] >> 5 != VIDEO) {
            return false;
        }
    }
    return true;
}

// Whether a JPEG picture ends in zeros that do not follow its end marker. Some cameras leave the marker out.
static bool ends_in_hole(const AVPacket *packet) {
    int end = packet->size;
    while (end > 0 && packet->data[end - 1] == 0) {
        end--;
    }
    bool has_marker = end >= 2 && packet->data[end - 2] == 0xff && packet->data[end - 1] == 0xd9;
    return packet->size - end >= HOLE_BYTES && !has_marker;
}

bool ccover_has_hole(const AVCodecContext *decoder, const AVPacket *packet) {
    if (decoder->codec_id == AV_CODEC_ID_DVVIDEO) {
        return !has_all_dv_blocks(packet);
    }
    if (decoder->codec_id == AV_CODEC_ID_MJPEG) {
        return ends_in_hole(packet);
    }
    if (!has_no_zeros(decoder)) {
        return false;
    }
    // Only blocks at multiples of their size are checked; a run of almost twice that size always contains a block.
    for (int start = 0; start + HOLE_BYTES <= packet->size; start += HOLE_BYTES) {
        if (is_zero(packet->data + start, HOLE_BYTES) && !is_padding(decoder, packet, start)) {
            return true;
        }
    }
    return false;
}

// Whether two frames have the same pixels.
static bool are_equal(const AVFrame *one, const AVFrame *other) {
    if (one->format != other->format || one->width != other->width || one->height != other->height) {
        return false;
    }
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(one->format);
    for (int plane = 0; plane < 4 && one->data[plane]; plane++) {
        int bytes = av_image_get_linesize(one->format, one->width, plane);
        int shift = format && (plane == 1 || plane == 2) ? format->log2_chroma_h : 0;
        for (int row = 0; row < AV_CEIL_RSHIFT(one->height, shift); row++) {
            const uint8_t *first = one->data[plane] + (ptrdiff_t)row * one->linesize[plane];
            const uint8_t *second = other->data[plane] + (ptrdiff_t)row * other->linesize[plane];
            if (bytes > 0 && memcmp(first, second, (size_t)bytes) != 0) {
                return false;
            }
        }
    }
    return true;
}

bool ccover_depends_on_what_follows(AVCodecContext *decoder, const AVPacket *packet, const AVFrame *frame) {
    enum { MORE_BYTES = 256 };
    AVPacket *longer = av_packet_clone(packet);
    AVFrame *again = av_frame_alloc();
    bool result = false;
    if (longer && again && av_grow_packet(longer, MORE_BYTES) >= 0) {
        memset(longer->data + packet->size, 0x5a, MORE_BYTES);
        avcodec_flush_buffers(decoder);
        result = !ccover_decode_alone(decoder, &longer, 1, again) || !are_equal(frame, again);
    }
    av_frame_free(&again);
    av_packet_free(&longer);
    return result;
}
