// The sound of a clip: choosing its stream, and decoding it.
//
// The sound is read through a second container context, so that sound and video are read independently. The
// times of the packets count: gaps are filled with silence, and what overlaps is dropped.

#include "Compose/composition.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <string.h>

// MARK: Choosing a stream

int composer_sound_stream(const AVFormatContext *format, enum AVCodecID *codec) {
    *codec = AV_CODEC_ID_NONE;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVCodecParameters *parameters = format->streams[i]->codecpar;
        if (parameters->codec_type != AVMEDIA_TYPE_AUDIO) {
            continue;
        }
        const AVCodec *decoder = avcodec_find_decoder(parameters->codec_id);
        if (decoder && ccover_allows_sound_decoder(decoder)) {
            return (int)i;
        }
        *codec = parameters->codec_id;
    }
    return -1;
}

// MARK: Opening

// Reads packets until the stream is known, in containers whose header does not list the streams. The packets are lost,
// but such containers can be read from the beginning again.
static int find_stream(composer_sound *sound, enum AVCodecID *codec) {
    enum { MAX_PACKETS = 2000 };
    AVFormatContext *format = sound->clip->demuxer->format;
    int stream = composer_sound_stream(format, codec);
    bool may_have_more = (format->ctx_flags & AVFMTCTX_NOHEADER) != 0;
    if (stream >= 0 || !may_have_more) {
        return stream;
    }
    for (int i = 0; i < MAX_PACKETS && stream < 0 && av_read_frame(format, sound->packet) >= 0; i++) {
        av_packet_unref(sound->packet);
        stream = composer_sound_stream(format, codec);
    }
    av_seek_frame(format, -1, 0, AVSEEK_FLAG_BYTE);
    return stream;
}

static int open_decoder(composer_sound *sound, ccover_error *error) {
    const AVStream *stream = sound->stream;
    const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
    sound->decoder = avcodec_alloc_context3(codec);
    if (!sound->decoder) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN_DECODER);
    }
    int code = avcodec_parameters_to_context(sound->decoder, stream->codecpar);
    sound->decoder->pkt_timebase = stream->time_base;
    sound->decoder->thread_count = 1;
    if (code >= 0) {
        code = avcodec_open2(sound->decoder, codec, NULL);
    }
    return code >= 0 ? 0
                     : ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, CCOVER_CAUSE_DAMAGED, code,
                                   "cannot open the decoder for the audio codec %s",
                                   avcodec_get_name(stream->codecpar->codec_id));
}

// Selects the stream of the sound; `*exists` is false if the clip has no sound.
static int select_stream(composer_sound *sound, bool *exists, ccover_error *error) {
    enum AVCodecID codec;
    int index = find_stream(sound, &codec);
    AVFormatContext *format = sound->clip->demuxer->format;
    *exists = index >= 0 || codec != AV_CODEC_ID_NONE;
    if (index < 0) {
        return *exists ? ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, CCOVER_CAUSE_REFUSED, 0,
                                     "the audio codec %s is not supported", avcodec_get_name(codec))
                       : 0;
    }
    for (unsigned i = 0; i < format->nb_streams; i++) {
        format->streams[i]->discard = i == (unsigned)index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    }
    sound->stream = format->streams[index];
    if (av_dict_get(sound->stream->metadata, "enc_key_id", NULL, 0)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_ENCRYPTED, 0, "the sound is encrypted");
    }
    return open_decoder(sound, error);
}

int composer_open_sound(int descriptor, const ccomposition_options *options, double origin, composer_sound **result,
                        ccover_error *error) {
    ccover_limits limits = {
        .deadline_microseconds = options->stall_microseconds,
        .max_streams = options->max_streams,
        .stream = -1,
    };
    bool exists = false;
    int failed = -1;
    *result = NULL;
    composer_sound *sound = av_mallocz(sizeof(*sound));
    if (sound) {
        *sound = (composer_sound){.options = options, .origin = origin};
        sound->packet = av_packet_alloc();
        sound->frame = av_frame_alloc();
    }
    if (!sound || !sound->packet || !sound->frame) {
        ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN);
    } else if (ccover_open_unselected(descriptor, &limits, &sound->clip, error) == 0) {
        failed = select_stream(sound, &exists, error);
    }
    if (failed || !exists) {
        composer_close_sound(&sound);
    }
    *result = sound;
    return failed;
}

void composer_close_sound(composer_sound **handle) {
    composer_sound *sound = *handle;
    if (!sound) {
        return;
    }
    avcodec_free_context(&sound->decoder);
    swr_free(&sound->resampler);
    av_channel_layout_uninit(&sound->source_layout);
    av_frame_free(&sound->frame);
    av_packet_free(&sound->packet);
    av_free(sound->samples);
    ccover_close(&sound->clip);
    av_freep(handle);
}

// MARK: Decoding

// Sends the next packet to the decoder, or signals the end. Returns 0 or an AVERROR.
static int feed(composer_sound *sound) {
    int code;
    size_t size;
    do {
        av_packet_unref(sound->packet);
        code = av_read_frame(sound->clip->demuxer->format, sound->packet);
    } while (code >= 0 && sound->packet->stream_index != sound->stream->index);
    if (code < 0) {
        avcodec_send_packet(sound->decoder, NULL);
        return code == AVERROR_EOF ? 0 : code;
    }
    if (av_packet_get_side_data(sound->packet, AV_PKT_DATA_ENCRYPTION_INFO, &size)) {
        return AVERROR(EACCES);
    }
    // A damaged packet gives no samples; the gap is filled with silence.
    avcodec_send_packet(sound->decoder, sound->packet);
    av_packet_unref(sound->packet);
    return 0;
}

// Decodes the next frame into `sound->frame`, and places it. Returns 0 or an AVERROR; AVERROR_EOF at the end.
static int next_frame(composer_sound *sound) {
    for (;;) {
        int code = avcodec_receive_frame(sound->decoder, sound->frame);
        if (code >= 0) {
            return composer_place_frame(sound);
        }
        if (code == AVERROR_EOF) {
            return code;
        }
        code = feed(sound);
        if (code < 0) {
            return code;
        }
    }
}

// Makes some progress towards more samples.
static int advance(composer_sound *sound) {
    if (sound->silence > 0) {
        return composer_add_silence(sound);
    }
    return sound->frame->buf[0] ? composer_add_frame(sound) : next_frame(sound);
}

static int fail_to_read(const composer_sound *sound, int code, ccover_error *error) {
    if (code == AVERROR(EACCES)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_ENCRYPTED, 0, "the sound is encrypted");
    }
    return ccover_fail(error, CCOVER_STAGE_DECODE, ccover_cause_of(&sound->clip->demuxer->input, code), code,
                       "cannot read the sound");
}

int composer_read_sound(composer_sound *sound, float *samples, int count, ccover_error *error) {
    int code = 0;
    ccover_set_deadline(sound->clip, sound->options->stall_microseconds);
    while (!sound->is_over && sound->count < count) {
        code = advance(sound);
        if (code < 0) {
            sound->is_over = true;
            code = code == AVERROR_EOF ? composer_drain_resampler(sound) : code;
        }
    }
    int read = FFMIN(count, sound->count);
    memset(samples + 2 * read, 0, (size_t)(count - read) * 2 * sizeof(float));
    if (read > 0) {
        memcpy(samples, sound->samples, (size_t)read * 2 * sizeof(float));
        sound->count -= read;
        memmove(sound->samples, sound->samples + 2 * read, (size_t)sound->count * 2 * sizeof(float));
    }
    return code < 0 ? fail_to_read(sound, code, error) : 0;
}
