// Reading packets until the facts about all streams are known (avformat_find_stream_info).
//
// This decodes, so the limits of the clip's own decoding apply. Streams named by the header that libavformat must not
// decode are hidden from it; for streams that turn up while reading, ccover_restrict_decoders() sets `codec_whitelist`.

#include "Demuxing/demuxing.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <string.h>

// Whether libavformat may open a decoder to analyse a stream. To analyse PNG, it skips the texts that could exhaust the
// memory, but not to analyse APNG, whose parameters are in its header.
static bool may_be_decoded(const ccover_demuxer *demuxer, const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    const AVCodec *decoder = avcodec_find_decoder(parameters->codec_id);
    if (parameters->codec_type == AVMEDIA_TYPE_AUDIO) {
        return demuxer->all_streams && decoder && ccover_allows_sound_decoder(decoder);
    }
    return parameters->codec_type == AVMEDIA_TYPE_VIDEO && parameters->codec_id != AV_CODEC_ID_APNG && decoder &&
           ccover_allows_decoder(decoder);
}

// What the header of the container states about a stream, while libavformat reads on.
typedef struct header_stream {
    AVCodecParameters *parameters;
    AVRational sample_aspect_ratio;
    bool is_hidden;
} header_stream;

// Saves the parameters of a stream, and hides those that libavformat must not decode: it opens a decoder for every
// stream whose codec it knows, including sound and subtitles.
static int save_stream(const ccover_demuxer *demuxer, AVStream *stream, header_stream *saved) {
    AVCodecParameters *parameters = stream->codecpar;
    saved->sample_aspect_ratio = stream->sample_aspect_ratio;
    saved->parameters = avcodec_parameters_alloc();
    if (!saved->parameters || avcodec_parameters_copy(saved->parameters, parameters) < 0) {
        return AVERROR(ENOMEM);
    }
    // Without a decoder there is nothing to open. The codec of such a stream may be found from its first packets.
    saved->is_hidden = avcodec_find_decoder(parameters->codec_id) && !may_be_decoded(demuxer, stream);
    if (saved->is_hidden) {
        parameters->codec_type = AVMEDIA_TYPE_DATA;
        // If these are wanted, `codec_whitelist` alone keeps libavformat from opening their decoders.
        if (!demuxer->all_streams || !ccover_codec_of(parameters->codec_id)->is_rewritten) {
            parameters->codec_id = AV_CODEC_ID_NONE;
        }
    }
    return 0;
}

// Restores what libavformat may have replaced.
static void restore_stream(AVStream *stream, header_stream *saved) {
    if (saved->is_hidden) {
        avcodec_parameters_copy(stream->codecpar, saved->parameters);
    } else if (saved->parameters) {
        ccover_complete_parameters(stream->codecpar, ccover_stated_tags(saved->parameters));
    }
    // In MOV, FFmpeg replaces the pixel shape of the container by that in an atom for Avid's editors.
    if (saved->sample_aspect_ratio.num > 0) {
        stream->sample_aspect_ratio = saved->sample_aspect_ratio;
    }
    avcodec_parameters_free(&saved->parameters);
}

// Calls avformat_find_stream_info() with `max_pixels` set for the streams that the header names.
static int find_stream_info(ccover_demuxer *demuxer) {
    unsigned count = demuxer->format->nb_streams;
    AVDictionary **options = av_calloc((size_t)count + 1, sizeof(*options));
    header_stream *saved = av_calloc((size_t)count + 1, sizeof(*saved));
    int code = options && saved ? 0 : AVERROR(ENOMEM);
    for (unsigned i = 0; i < count && code >= 0; i++) {
        code = save_stream(demuxer, demuxer->format->streams[i], &saved[i]);
        if (demuxer->max_pixels > 0) {
            av_dict_set_int(&options[i], "max_pixels", demuxer->max_pixels, 0);
        }
    }
    if (code >= 0) {
        code = avformat_find_stream_info(demuxer->format, count > 0 ? options : NULL);
    }
    for (unsigned i = 0; i < count; i++) {
        if (saved) {
            restore_stream(demuxer->format->streams[i], &saved[i]);
        }
        if (options) {
            av_dict_free(&options[i]);
        }
    }
    av_free(saved);
    av_free(options);
    return code;
}

// Reads packets until the facts about all streams are known.
static int read_stream_info(ccover_demuxer *demuxer, ccover_error *error) {
    int code = find_stream_info(demuxer);
    // libavformat may not be able to take the parameters of a damaged packet; those that follow may be intact.
    if (code < 0 && code != AVERROR_INVALIDDATA) {
        return ccover_fail(error, CCOVER_STAGE_PROBE, ccover_cause_of(&demuxer->input, code), code,
                           "cannot read the streams");
    }
    return 0;
}

// Whether libavformat stopped reading before the first packet of a video stream. A container without a header, such as
// a program stream, may not even have named the stream by then.
static bool is_video_late(const ccover_demuxer *demuxer) {
    AVFormatContext *format = demuxer->format;
    bool may_follow = (format->ctx_flags & AVFMTCTX_NOHEADER) != 0;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVStream *stream = format->streams[i];
        const AVCodecParameters *parameters = stream->codecpar;
        if (parameters->codec_type != AVMEDIA_TYPE_VIDEO || ccover_is_artwork(stream)) {
            continue;
        }
        may_follow = false;
        if (!may_be_decoded(demuxer, stream)) {
            continue;
        }
        // The parser starts with the first packet.
        const AVCodecParserContext *parser = av_stream_get_parser(stream);
        bool is_unread = parser && (parser->flags & PARSER_FLAG_FETCHED_OFFSET) == 0;
        if (is_unread || parameters->format == AV_PIX_FMT_NONE || parameters->width <= 0) {
            return true;
        }
    }
    return may_follow;
}

int ccover_read_stream_info_to_video(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    enum { LATEST_SECONDS = 60, MAX_BYTES = 32 << 20 };
    int failed = read_stream_info(demuxer, error);
    if (failed || !demuxer->input.is_seekable || !is_video_late(demuxer)) {
        return failed;
    }
    // libavformat cannot resume, so the clip is opened again.
    failed = ccover_open_header(demuxer, limits, error);
    if (failed) {
        return failed;
    }
    demuxer->format->max_analyze_duration = LATEST_SECONDS * (int64_t)AV_TIME_BASE;
    demuxer->format->probesize = MAX_BYTES;
    return read_stream_info(demuxer, error);
}

// Whether the container may give the aspect ratio of the display, which libavformat takes into account only when it
// reads the stream info.
static bool may_have_display_aspect(const ccover_demuxer *demuxer, const AVStream *stream) {
    enum {
        AVID_1 = MKTAG('A', 'V', 'd', '1'),
        AVID_2 = MKTAG('A', 'V', 'j', '2'),
        AVID_DNXHD = MKTAG('A', 'V', 'd', 'n'),
    };
    uint32_t tag = stream->codecpar->codec_tag;
    bool is_avid = tag == AVID_1 || tag == AVID_2 || tag == AVID_DNXHD;
    return (is_avid || ccover_is_container(demuxer, "mxf")) && stream->sample_aspect_ratio.num == 0;
}

// Reads the aspect ratio that the container gives, while libavformat may open no decoder. Any pixel format keeps it
// from reading on to find that.
static int read_display_aspect(ccover_demuxer *demuxer, AVStream *stream, ccover_error *error) {
    AVCodecParameters *parameters = stream->codecpar;
    char *allowed = demuxer->format->codec_whitelist, *none = av_strdup("none");
    int format = parameters->format;
    if (!none) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_PROBE);
    }
    if (format == AV_PIX_FMT_NONE && parameters->width > 0 && parameters->height > 0) {
        parameters->format = AV_PIX_FMT_YUV420P;
    }
    demuxer->format->codec_whitelist = none;
    demuxer->format->fps_probe_size = 0;
    int failed = read_stream_info(demuxer, error);
    demuxer->format->codec_whitelist = allowed;
    av_free(none);
    parameters->format = format == AV_PIX_FMT_NONE ? format : parameters->format;
    // The size in the header may include rows that are not shown.
    AVRational size = {parameters->width, parameters->height};
    demuxer->display_aspect = av_mul_q(stream->sample_aspect_ratio, size);
    return failed;
}

// Whether no stream that turns up later can be the one to decode.
static bool is_settled(const AVFormatContext *format, const AVStream *stream) {
    bool may_have_more = (format->ctx_flags & AVFMTCTX_NOHEADER) != 0;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVCodecParameters *parameters = format->streams[i]->codecpar;
        if (format->streams[i] == stream) {
            bool is_artwork = (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
            return parameters->codec_id != AV_CODEC_ID_NONE && !(is_artwork && may_have_more);
        }
        may_have_more = may_have_more || parameters->codec_type == AVMEDIA_TYPE_UNKNOWN;
        if (stream && parameters->codec_type == AVMEDIA_TYPE_UNKNOWN) {
            return false;
        }
    }
    return !may_have_more;
}

int ccover_find_stream(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    // As much as libavformat reads to find the streams.
    int64_t maximum_bytes = demuxer->input.bytes_read + demuxer->format->probesize;
    AVStream *stream;
    int code = 0;
    while (!is_settled(demuxer->format, (stream = ccover_choose_stream(demuxer->format, limits))) && code >= 0) {
        code = demuxer->input.bytes_read > maximum_bytes ? AVERROR(ENOSPC) : ccover_read_ahead(demuxer);
    }
    if (code < 0 && code != AVERROR_EOF) {
        return read_stream_info(demuxer, error);
    }
    return stream && may_have_display_aspect(demuxer, stream) ? read_display_aspect(demuxer, stream, error) : 0;
}
