// Reading packets until the facts about all streams are known (avformat_find_stream_info).
//
// This decodes, so the limits of the clip's own decoding apply. Streams named by the header that libavformat must not
// decode are hidden from it; for streams that turn up while reading, ccover_restrict_decoders() sets `codec_whitelist`.

#include "internal.h"

#include <errno.h>
#include <libavutil/mem.h>

// Whether libavformat may open a decoder to analyse a stream.
static bool may_be_decoded(const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    const AVCodec *decoder = avcodec_find_decoder(parameters->codec_id);
    return parameters->codec_type == AVMEDIA_TYPE_VIDEO && decoder && ccover_allows_decoder(decoder);
}

// The saved parameters of the streams that libavformat must not decode. While they are hidden, their codec is unknown:
// libavformat opens a decoder for every stream whose codec it knows, including sound and subtitles.
typedef struct hidden_streams {
    unsigned count;
    AVCodecParameters **parameters; // NULL for a stream that is not hidden
} hidden_streams;

static int hide_streams(AVFormatContext *format, hidden_streams *hidden) {
    *hidden = (hidden_streams){.count = format->nb_streams};
    hidden->parameters = av_calloc((size_t)hidden->count + 1, sizeof(*hidden->parameters));
    for (unsigned i = 0; hidden->parameters && i < hidden->count; i++) {
        AVCodecParameters *parameters = format->streams[i]->codecpar;
        if (may_be_decoded(format->streams[i])) {
            continue;
        }
        hidden->parameters[i] = avcodec_parameters_alloc();
        int code = hidden->parameters[i] ? avcodec_parameters_copy(hidden->parameters[i], parameters) : AVERROR(ENOMEM);
        if (code < 0) {
            return code;
        }
        parameters->codec_type = AVMEDIA_TYPE_DATA;
        parameters->codec_id = AV_CODEC_ID_NONE;
    }
    return hidden->parameters ? 0 : AVERROR(ENOMEM);
}

static void show_streams(AVFormatContext *format, hidden_streams *hidden) {
    for (unsigned i = 0; hidden->parameters && i < hidden->count; i++) {
        if (hidden->parameters[i]) {
            avcodec_parameters_copy(format->streams[i]->codecpar, hidden->parameters[i]);
            avcodec_parameters_free(&hidden->parameters[i]);
        }
    }
    av_freep(&hidden->parameters);
}

// Calls avformat_find_stream_info() with `max_pixels` set for the streams that the header names.
static int find_stream_info(ccover_clip *clip) {
    unsigned count = clip->format->nb_streams;
    AVDictionary **options = av_calloc((size_t)count + 1, sizeof(*options));
    if (!options) {
        return AVERROR(ENOMEM);
    }
    for (unsigned i = 0; i < count && clip->max_pixels > 0; i++) {
        av_dict_set_int(&options[i], "max_pixels", clip->max_pixels, 0);
    }
    AVRational *shapes = av_calloc((size_t)count + 1, sizeof(*shapes));
    for (unsigned i = 0; shapes && i < count; i++) {
        shapes[i] = clip->format->streams[i]->sample_aspect_ratio;
    }
    int code = avformat_find_stream_info(clip->format, count > 0 ? options : NULL);
    for (unsigned i = 0; shapes && i < count; i++) {
        // In MOV, FFmpeg replaces the pixel shape of the container by that in an atom for Avid's editors.
        if (shapes[i].num > 0) {
            clip->format->streams[i]->sample_aspect_ratio = shapes[i];
        }
    }
    av_free(shapes);
    for (unsigned i = 0; i < count; i++) {
        av_dict_free(&options[i]);
    }
    av_free(options);
    return code;
}

int ccover_read_stream_info(ccover_clip *clip, ccover_error *error) {
    hidden_streams hidden;
    int code = hide_streams(clip->format, &hidden);
    if (code >= 0) {
        code = find_stream_info(clip);
    }
    show_streams(clip->format, &hidden);
    if (code < 0) {
        return ccover_fail(error, CCOVER_STAGE_PROBE, ccover_cause_of(clip, code), code, "cannot read the streams");
    }
    return 0;
}
