// Silence between clips, for sound that is stored without times.

#include "Remux/remux.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <string.h>

bool ccomposer_is_pcm(enum AVCodecID codec) {
    return codec >= AV_CODEC_ID_FIRST_AUDIO && codec < AV_CODEC_ID_ADPCM_IMA_QT;
}

bool ccomposer_loses_gaps(const AVStream *stream, ccomposer_container container) {
    return ccomposer_is_movie(container) && ccomposer_is_pcm(stream->codecpar->codec_id);
}

// The value of all bytes of a silent sample.
static int silent_byte(enum AVCodecID codec) {
    switch (codec) {
    case AV_CODEC_ID_PCM_U8:
        return 0x80;
    case AV_CODEC_ID_PCM_ALAW:
        return 0xd5;
    case AV_CODEC_ID_PCM_MULAW:
        return 0xff;
    default:
        return 0;
    }
}

static int sample_bytes_of(const AVCodecParameters *parameters) {
    return av_get_bits_per_sample(parameters->codec_id) / 8 * parameters->ch_layout.nb_channels;
}

// The bytes of PCM of a second.
static int64_t byte_rate_of(const AVStream *stream) {
    return (int64_t)stream->codecpar->sample_rate * sample_bytes_of(stream->codecpar);
}

int64_t ccomposer_pcm_bytes(const AVStream *stream, int64_t ticks) {
    return av_rescale(ticks, byte_rate_of(stream) * stream->time_base.num, stream->time_base.den);
}

int64_t ccomposer_pcm_ticks(const AVStream *stream, int64_t bytes) {
    int64_t rate = byte_rate_of(stream) * stream->time_base.num;
    return rate > 0 ? av_rescale(bytes, stream->time_base.den, rate) : 0;
}

int ccomposer_write_silence(AVFormatContext *muxer, int index, int64_t from, int64_t to) {
    enum { MAX_TICKS = 48000 };
    const AVCodecParameters *parameters = muxer->streams[index]->codecpar;
    int sample_bytes = sample_bytes_of(parameters);
    AVPacket *packet = av_packet_alloc();
    int code = packet && sample_bytes > 0 ? 0 : AVERROR(ENOMEM);
    for (int64_t time = from; time < to && code >= 0; time += MAX_TICKS) {
        int ticks = (int)FFMIN(to - time, MAX_TICKS);
        AVRational sample = {1, parameters->sample_rate};
        int64_t samples = av_rescale_q(ticks, muxer->streams[index]->time_base, sample);
        code = av_new_packet(packet, (int)samples * sample_bytes);
        if (code >= 0) {
            memset(packet->data, silent_byte(parameters->codec_id), (size_t)packet->size);
            packet->stream_index = index;
            packet->pts = packet->dts = time;
            packet->duration = ticks;
            packet->flags = AV_PKT_FLAG_KEY;
            code = av_interleaved_write_frame(muxer, packet);
        }
    }
    av_packet_free(&packet);
    return code;
}
