// The differences between FFmpeg 5, 6 and 7 that affect the shim.

#ifndef CCOVER_COMPAT_H
#define CCOVER_COMPAT_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <stdbool.h>

// Side data of a stream moved from AVStream to AVCodecParameters in FFmpeg 6.1 (libavformat 60.15.100).
static inline const uint8_t *ccover_compat_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type,
                                                            size_t *size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                                           stream->codecpar->nb_coded_side_data, type);
    *size = data ? data->size : 0;
    return data ? data->data : NULL;
#else
    return av_stream_get_side_data(stream, type, size);
#endif
}

// `key_frame`, `interlaced_frame` and `top_field_first` became flags in FFmpeg 6.1 (libavutil 58.7.100).
static inline bool ccover_compat_is_key_frame(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame != 0;
#endif
}

static inline bool ccover_compat_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame != 0;
#endif
}

static inline bool ccover_compat_is_top_field_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
    return frame->top_field_first != 0;
#endif
}

// Attaches a number to the packet that is sent to the decoder next, and so to the frame decoded from it. FFmpeg 6
// (libavcodec 60) replaced `reordered_opaque`.
static inline void ccover_compat_set_number(AVCodecContext *decoder, AVPacket *packet, int64_t number) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
    decoder->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
    packet->opaque = (void *)(intptr_t)number;
#else
    (void)packet;
    decoder->reordered_opaque = number;
#endif
}

// Returns the number of the packet that a frame was decoded from.
static inline int64_t ccover_compat_number(const AVFrame *frame) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
    return (int64_t)(intptr_t)frame->opaque;
#else
    return frame->reordered_opaque;
#endif
}

#endif
