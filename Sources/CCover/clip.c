// Opening a clip: container, streams, facts.

#include "compat.h"
#include "internal.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <stdio.h>
#include <string.h>

// Whatever a container asks to open, it gets nothing: external references (`dref`, playlists, key files) end here.
static int refuse_to_open(AVFormatContext *format, AVIOContext **io, const char *url, int flags,
                          AVDictionary **options) {
    (void)format, (void)url, (void)flags, (void)options;
    *io = NULL;
    return AVERROR(EACCES);
}

static int is_interrupted(void *opaque) {
    return ccover_deadline_passed(opaque);
}

// Recognises the container and checks it against the allow-list, before any of its code but the recognising has run.
static int probe_container(ccover_clip *clip, const AVInputFormat **input_format, ccover_error *error) {
    int code = av_probe_input_buffer2(clip->io, input_format, "", NULL, 0, 0);
    if (code < 0) {
        ccover_cause cause = ccover_cause_of(clip, code);
        if (cause == CCOVER_CAUSE_DAMAGED && clip->input.bytes_read == 0) {
            return ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_EMPTY, 0, "the file is empty");
        }
        if (cause == CCOVER_CAUSE_DAMAGED) {
            return ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_UNRECOGNISED, 0,
                               "its content is no video format that is known here");
        }
        return ccover_fail(error, CCOVER_STAGE_PROBE, cause, code, "cannot read it");
    }
    if (ccover_points_elsewhere(*input_format)) {
        return ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_REFUSED, 0,
                           "it is a list that points to other files (%s), not a clip", (*input_format)->name);
    }
    if (!ccover_allows_container(*input_format)) {
        return ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_REFUSED, 0,
                           "its format (%s) is not one that clips are made of", (*input_format)->name);
    }
    return 0;
}

static bool is_artwork(const AVStream *stream) {
    return (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) != 0;
}

static int count_streams(const AVFormatContext *format, enum AVMediaType type, bool artwork) {
    int count = 0;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVStream *stream = format->streams[i];
        count += stream->codecpar->codec_type == type && is_artwork(stream) == artwork;
    }
    return count;
}

static AVStream *first_video_stream(const AVFormatContext *format, bool artwork) {
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && is_artwork(stream) == artwork) {
            return stream;
        }
    }
    return NULL;
}

// The stream to decode; without a word from the caller the first video stream that is no artwork, as ffmpeg's `0:V:0`.
static AVStream *choose_stream(const AVFormatContext *format, const ccover_limits *limits) {
    if (limits->stream >= 0) {
        bool is_there = (unsigned)limits->stream < format->nb_streams;
        AVStream *stream = is_there ? format->streams[limits->stream] : NULL;
        return stream && stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO ? stream : NULL;
    }
    AVStream *video = first_video_stream(format, false);
    AVStream *artwork = limits->embedded == CCOVER_EMBEDDED_NEVER ? NULL : first_video_stream(format, true);
    bool takes_artwork = artwork && (!video || limits->embedded == CCOVER_EMBEDDED_PREFER);
    return takes_artwork ? artwork : video;
}

// Chooses the stream; the others are discarded in the demuxer.
static int select_stream(ccover_clip *clip, const ccover_limits *limits, ccover_error *error) {
    clip->stream = choose_stream(clip->format, limits);
    for (unsigned i = 0; i < clip->format->nb_streams; i++) {
        if (clip->format->streams[i] != clip->stream) {
            clip->format->streams[i]->discard = AVDISCARD_ALL;
        }
    }
    if (clip->stream) {
        return 0;
    }
    if (limits->stream >= 0) {
        return ccover_fail(error, CCOVER_STAGE_SELECT_STREAM, CCOVER_CAUSE_NO_VIDEO_STREAM, 0,
                           "stream %d is no video stream (%u streams)", limits->stream, clip->format->nb_streams);
    }
    int audio = count_streams(clip->format, AVMEDIA_TYPE_AUDIO, false);
    bool has_artwork = count_streams(clip->format, AVMEDIA_TYPE_VIDEO, true) > 0;
    return ccover_fail(error, CCOVER_STAGE_SELECT_STREAM, CCOVER_CAUSE_NO_VIDEO_STREAM, 0,
                       "no video stream (%d audio %s%s)", audio, audio == 1 ? "stream" : "streams",
                       has_artwork ? " and artwork" : "");
}

// Whether the header alone tells what a decoder needs. Reading on decodes a frame just to learn what the decoder will
// say anyway, and opens a decoder for every other stream too.
static bool header_suffices(const AVFormatContext *format, const ccover_limits *limits) {
    const AVStream *stream = choose_stream(format, limits);
    const char *container = format->iformat->name;
    if (stream && (strcmp(container, "h264") == 0 || strcmp(container, "hevc") == 0)) {
        // A bare stream has no header; all that there is stands in its first packets.
        return true;
    }
    // In other containers reading on tells more: how long a transport stream is, the shape of MXF's pixels.
    if (!stream || !ccover_holds_whole_pictures(format) || stream->codecpar->width <= 0 || stream->codecpar->height <= 0) {
        return false;
    }
    const AVCodecDescriptor *codec = avcodec_descriptor_get(stream->codecpar->codec_id);
    if (codec && (codec->props & AV_CODEC_PROP_INTRA_ONLY) != 0) {
        return true;
    }
    switch (stream->codecpar->codec_id) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_MPEG4:
        // Their parameters stand in the header, or else in packets that may be far on.
        return stream->codecpar->extradata_size > 0;
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
        return true;
    default:
        return false;
    }
}

// Whether libavformat may open a decoder to learn more of a stream.
static bool may_be_decoded(const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    const AVCodec *decoder = avcodec_find_decoder(parameters->codec_id);
    return parameters->codec_type == AVMEDIA_TYPE_VIDEO && decoder && ccover_allows_decoder(decoder);
}

// What libavformat knows of the streams that it must not decode, while it is made to know nothing. It opens a decoder for
// every stream whose codec it knows, sound and subtitles too.
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

// Reads on until every stream's facts are known, with `max_pixels` for the streams that the header names.
static int find_stream_info(ccover_clip *clip) {
    unsigned count = clip->format->nb_streams;
    AVDictionary **options = av_calloc((size_t)count + 1, sizeof(*options));
    if (!options) {
        return AVERROR(ENOMEM);
    }
    for (unsigned i = 0; i < count && clip->max_pixels > 0; i++) {
        av_dict_set_int(&options[i], "max_pixels", clip->max_pixels, 0);
    }
    int code = avformat_find_stream_info(clip->format, count > 0 ? options : NULL);
    for (unsigned i = 0; i < count; i++) {
        av_dict_free(&options[i]);
    }
    av_free(options);
    return code;
}

// Reads on until every stream's facts are known. This decodes, so it gets the same limits as our own decoding: decoders of
// streams that the header names are allowed here, those of streams that turn up later by `codec_whitelist`.
static int read_streams(ccover_clip *clip, ccover_error *error) {
    hidden_streams hidden;
    int code = hide_streams(clip->format, &hidden);
    if (code >= 0) {
        code = find_stream_info(clip);
    }
    show_streams(clip->format, &hidden);
    if (code < 0) {
        return ccover_fail(error, CCOVER_STAGE_PROBE, ccover_cause_of(clip, code), code, "cannot read its streams");
    }
    return 0;
}

static int open_container(ccover_clip *clip, const ccover_limits *limits, ccover_error *error) {
    const AVInputFormat *input_format = NULL;
    int failed = probe_container(clip, &input_format, error);
    if (failed) {
        return failed;
    }
    clip->format = avformat_alloc_context();
    if (!clip->format) {
        return ccover_fail(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
    }
    clip->format->pb = clip->io;
    clip->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    clip->format->io_open = refuse_to_open;
    clip->format->interrupt_callback = (AVIOInterruptCB){is_interrupted, &clip->input};
    if (limits->max_streams > 0) {
        clip->format->max_streams = limits->max_streams;
    }
    if (ccover_restrict_decoders(clip->format) < 0) {
        return ccover_fail(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
    }
    // On failure this frees the context and clears the pointer.
    int code = avformat_open_input(&clip->format, "", input_format, NULL);
    if (code < 0) {
        return ccover_fail(error, CCOVER_STAGE_OPEN, ccover_cause_of(clip, code), code, "cannot read its header");
    }
    return limits->complete_facts || !header_suffices(clip->format, limits) ? read_streams(clip, error) : 0;
}

int ccover_open(int descriptor, const ccover_limits *limits, ccover_clip **result, ccover_error *error) {
    int failed = 0;
    *result = NULL;
    *error = (ccover_error){0};
    ccover_log_begin();

    ccover_clip *clip = av_mallocz(sizeof(*clip));
    if (!clip) {
        return ccover_fail(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
    }
    clip->max_pixels = limits->max_pixels;
    int64_t deadline =
        limits->deadline_microseconds > 0 ? ccover_now_microseconds() + limits->deadline_microseconds : 0;

    clip->io = ccover_input_open(&clip->input, descriptor, deadline);
    clip->packet = av_packet_alloc();
    clip->frame = av_frame_alloc();
    clip->spare = av_frame_alloc();
    bool has_packets = clip->packet != NULL;
    for (int i = 0; i < CCOVER_MOST_AHEAD; i++) {
        clip->ahead[i] = av_packet_alloc();
        has_packets = has_packets && clip->ahead[i];
    }
    if (!clip->io || !has_packets || !clip->frame || !clip->spare) {
        failed = ccover_fail(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
        goto done;
    }
    failed = open_container(clip, limits, error);
    if (failed) {
        goto done;
    }
    failed = select_stream(clip, limits, error);

done:
    if (failed) {
        ccover_close(&clip);
    }
    *result = clip;
    return failed;
}

void ccover_close(ccover_clip **handle) {
    ccover_clip *clip = *handle;
    if (!clip) {
        return;
    }
    sws_freeContext(clip->scaler);
    avcodec_free_context(&clip->decoder);
    avformat_close_input(&clip->format);
    ccover_input_close(&clip->io);
    av_packet_free(&clip->packet);
    for (int i = 0; i < CCOVER_MOST_AHEAD; i++) {
        av_packet_free(&clip->ahead[i]);
    }
    av_frame_free(&clip->frame);
    av_frame_free(&clip->spare);
    av_freep(handle);
}

static int64_t duration_microseconds(const ccover_clip *clip) {
    if (clip->stream->duration != AV_NOPTS_VALUE && clip->stream->duration > 0) {
        return av_rescale_q(clip->stream->duration, clip->stream->time_base, AV_TIME_BASE_Q);
    }
    if (clip->format->duration != AV_NOPTS_VALUE && clip->format->duration > 0) {
        return clip->format->duration;
    }
    return ccover_unknown_time;
}

void ccover_get_clip_facts(const ccover_clip *clip, ccover_clip_facts *facts) {
    const AVCodecParameters *parameters = clip->stream->codecpar;
    *facts = (ccover_clip_facts){0};
    facts->video_streams = count_streams(clip->format, AVMEDIA_TYPE_VIDEO, false);
    facts->artwork_streams = count_streams(clip->format, AVMEDIA_TYPE_VIDEO, true);
    facts->audio_streams = count_streams(clip->format, AVMEDIA_TYPE_AUDIO, false);
    ccover_set_name(facts->container, clip->format->iformat->name);
    const AVDictionaryEntry *brand = av_dict_get(clip->format->metadata, "major_brand", NULL, 0);
    ccover_set_name(facts->major_brand, brand ? brand->value : NULL);
    ccover_set_name(facts->codec, avcodec_get_name(parameters->codec_id));
    ccover_set_colour(&facts->colour, parameters->format, parameters->color_space, parameters->color_range,
                      parameters->color_trc, parameters->color_primaries);
    facts->stream_index = clip->stream->index;
    facts->stored_width = parameters->width;
    facts->stored_height = parameters->height;
    facts->sample_aspect_ratio = ccover_known(av_guess_sample_aspect_ratio(clip->format, clip->stream, NULL));
    AVRational average = clip->stream->avg_frame_rate;
    facts->frame_rate = ccover_known(average.num > 0 ? average : clip->stream->r_frame_rate);
    facts->duration_microseconds = duration_microseconds(clip);
    facts->bit_rate = clip->format->bit_rate > 0 ? clip->format->bit_rate : 0;

    size_t size = 0;
    const uint8_t *matrix = ccover_compat_stream_side_data(clip->stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (matrix && size >= 9 * sizeof(int32_t)) {
        int32_t values[9];
        memcpy(values, matrix, sizeof(values));
        ccover_orientation_from_matrix(values, &facts->orientation);
    }
}

void ccover_get_counters(const ccover_clip *clip, ccover_counters *counters) {
    *counters = (ccover_counters){
        .bytes_read = clip->input.bytes_read,
        .seeks = clip->input.seeks,
        .packets_read = clip->packets_read,
        .frames_decoded = clip->frames_decoded,
        .decode_errors = clip->decode_errors,
    };
}

static void set_version(char name[CCOVER_NAME_SIZE], unsigned version) {
    snprintf(name, CCOVER_NAME_SIZE, "%u.%u.%u", AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version),
             AV_VERSION_MICRO(version));
}

void ccover_get_versions(ccover_versions *versions) {
    set_version(versions->avformat, avformat_version());
    set_version(versions->avcodec, avcodec_version());
    set_version(versions->avutil, avutil_version());
    set_version(versions->swscale, swscale_version());
}
