// The differences between the versions of FFmpeg, from 5.1 to 9, that affect the shim.

#ifndef CCOVER_COMPAT_H
#define CCOVER_COMPAT_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <errno.h>
#include <libavutil/frame.h>
#include <stdbool.h>
#include <string.h>

// Animated WebP has a codec since FFmpeg 9 (libavcodec 63).
#if LIBAVCODEC_VERSION_MAJOR < 63
#define AV_CODEC_ID_WEBP_ANIM AV_CODEC_ID_NONE
#endif

// FLV has an extended header with the code of the codec since FFmpeg 6.1 (libavformat 60.16.100).
#define CCOVER_FLV_IS_ENHANCED (LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 16, 100))

// `av_parser_init` takes the enumeration since FFmpeg 9 (libavcodec 63), and an `int` before.
static inline AVCodecParserContext *ccover_compat_parser(enum AVCodecID codec) {
#if LIBAVCODEC_VERSION_MAJOR >= 63
    return av_parser_init(codec);
#else
    return av_parser_init((int)codec);
#endif
}

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

// Since FFmpeg 6.1, decoders attach the matrix of the container to each frame, before that of the frame itself. The
// stream has it, too, so the decoder need not.
static inline void ccover_compat_drop_matrix(AVCodecContext *decoder) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    av_packet_side_data_remove(decoder->coded_side_data, &decoder->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
#else
    (void)decoder;
#endif
}

// Copies the side data of a stream, where it is not a part of the parameters.
static inline int ccover_compat_copy_side_data(AVStream *to, const AVStream *from) {
#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 15, 100)
    for (int i = 0; i < from->nb_side_data; i++) {
        const AVPacketSideData *source = &from->side_data[i];
        uint8_t *data = av_stream_new_side_data(to, source->type, source->size);
        if (!data) {
            return AVERROR(ENOMEM);
        }
        memcpy(data, source->data, source->size);
    }
#else
    (void)to, (void)from;
#endif
    return 0;
}

// The delay that Matroska adds to the timestamps of a stream's packets (CodecDelay), in ticks of the stream, if the
// muxer does not add it itself, as that of FFmpeg 6 (since libavformat 59.31) does.
static inline int64_t ccover_compat_missing_codec_delay(const AVStream *stream, bool is_matroska) {
#if LIBAVFORMAT_VERSION_INT <= AV_VERSION_INT(59, 30, 100)
    const AVCodecParameters *parameters = stream->codecpar;
    if (is_matroska && parameters->codec_id == AV_CODEC_ID_OPUS && parameters->initial_padding > 0) {
        return av_rescale_q(parameters->initial_padding, (AVRational){1, 48000}, stream->time_base);
    }
#else
    (void)stream, (void)is_matroska;
#endif
    return 0;
}

// `key_frame`, `interlaced_frame` and `top_field_first` became flags in FFmpeg 6.1 (libavutil 58.7.100).
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
#define CCOVER_COMPAT_FLAG(frame, flag, member) (((frame)->flags & (flag)) != 0)
#else
#define CCOVER_COMPAT_FLAG(frame, flag, member) ((frame)->member != 0)
#endif

static inline bool ccover_compat_is_key_frame(const AVFrame *frame) {
    return CCOVER_COMPAT_FLAG(frame, AV_FRAME_FLAG_KEY, key_frame);
}

static inline bool ccover_compat_is_interlaced(const AVFrame *frame) {
    return CCOVER_COMPAT_FLAG(frame, AV_FRAME_FLAG_INTERLACED, interlaced_frame);
}

static inline bool ccover_compat_is_top_field_first(const AVFrame *frame) {
    return CCOVER_COMPAT_FLAG(frame, AV_FRAME_FLAG_TOP_FIELD_FIRST, top_field_first);
}

// Says that a frame consists of two fields, or of none.
static inline void ccover_compat_set_fields(AVFrame *frame, bool is_interlaced, bool is_top_field_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
    frame->flags |= is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0;
    frame->flags |= is_interlaced && is_top_field_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0;
#else
    frame->interlaced_frame = is_interlaced;
    frame->top_field_first = is_interlaced && is_top_field_first;
#endif
}

// `duration` replaced `pkt_duration` in FFmpeg 6 (libavutil 57.30.100). In ticks of the stream; 0 if unknown.
static inline int64_t ccover_compat_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
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
