// Counting the streams of a clip and selecting the one to decode.

#include "Demuxing/demuxing.h"

#include <stdio.h>

bool ccover_is_artwork(const AVStream *stream) {
    return (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) != 0;
}

int ccover_count_streams(const AVFormatContext *format, enum AVMediaType type, bool artwork) {
    int count = 0;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        const AVStream *stream = format->streams[i];
        count += stream->codecpar->codec_type == type && ccover_is_artwork(stream) == artwork;
    }
    return count;
}

bool ccover_is_video(const AVStream *stream, bool artwork) {
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && ccover_is_artwork(stream) == artwork;
}

// Whether no programme that is read has the stream.
static bool is_left_out(AVFormatContext *format, const AVStream *stream) {
    AVProgram *programme = NULL;
    bool is_discarded = false;
    for (unsigned i = 0; i < format->nb_programs; i++) {
        is_discarded = is_discarded || format->programs[i]->discard == AVDISCARD_ALL;
    }
    while (is_discarded && (programme = av_find_program_from_stream(format, programme, stream->index))) {
        is_discarded = programme->discard == AVDISCARD_ALL;
    }
    return is_discarded;
}

static bool is_wanted(const AVFormatContext *format, const AVStream *stream, bool artwork) {
    return ccover_is_video(stream, artwork) && !is_left_out((AVFormatContext *)format, stream);
}

// The video stream with the largest pictures of the first programme that has pictures, as players choose it. NULL if
// the clip has no programmes, or the size of no picture is known.
static AVStream *largest_stream(const AVFormatContext *format) {
    AVStream *largest = NULL;
    int64_t most = 0;
    for (unsigned i = 0; i < format->nb_programs && !largest; i++) {
        for (unsigned j = 0; j < format->programs[i]->nb_stream_indexes; j++) {
            AVStream *stream = format->streams[format->programs[i]->stream_index[j]];
            int64_t pixels = (int64_t)stream->codecpar->width * stream->codecpar->height;
            largest = is_wanted(format, stream, false) && pixels > most ? stream : largest;
            most = largest == stream ? pixels : most;
        }
    }
    return largest;
}

static AVStream *first_video_stream(const AVFormatContext *format, bool artwork) {
    AVStream *disabled = NULL;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        // Players do not show disabled tracks: those of MP4 and MOV that libavformat does not call default ones.
        bool is_disabled = ccover_is_movie(format) && (stream->disposition & AV_DISPOSITION_DEFAULT) == 0;
        if (is_wanted(format, stream, artwork) && !is_disabled) {
            return stream;
        }
        disabled = !disabled && is_wanted(format, stream, artwork) ? stream : disabled;
    }
    return disabled;
}

AVStream *ccover_choose_stream(const AVFormatContext *format, const ccover_limits *limits) {
    if (limits->stream >= 0) {
        bool exists = (unsigned)limits->stream < format->nb_streams;
        AVStream *stream = exists ? format->streams[limits->stream] : NULL;
        return stream && stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO ? stream : NULL;
    }
    AVStream *largest = largest_stream(format), *video = largest ? largest : first_video_stream(format, false);
    AVStream *artwork = limits->embedded == CCOVER_EMBEDDED_NEVER ? NULL : first_video_stream(format, true);
    bool takes_artwork = artwork && (!video || limits->embedded == CCOVER_EMBEDDED_PREFER);
    return takes_artwork ? artwork : video;
}

// Fills in the error for a clip without a stream to decode; `stream` is the stream asked for, if any.
static int fail_without_video(const AVFormatContext *format, int stream, ccover_error *error) {
    const AVStream *video = first_video_stream(format, false);
    char hint[64] = "it has no video";
    int audio = ccover_count_streams(format, AVMEDIA_TYPE_AUDIO, false);
    char text[128] = "contains neither video nor sound";
    ccover_log_begin();
    if (stream >= 0) {
        bool exists = (unsigned)stream < format->nb_streams;
        if (video) {
            snprintf(hint, sizeof(hint), "the clip's video is stream %d", video->index);
        }
        snprintf(text, sizeof(text), exists ? "stream %d is not video; %s" : "there is no stream %d; %s", stream, hint);
    } else {
        error->has_artwork = ccover_count_streams(format, AVMEDIA_TYPE_VIDEO, true) > 0;
        if (audio > 0 || error->has_artwork) {
            snprintf(text, sizeof(text), "no video stream (%d audio %s%s)", audio, audio == 1 ? "stream" : "streams",
                     error->has_artwork ? " and artwork" : "");
        }
    }
    return ccover_fail(error, CCOVER_STAGE_SELECT_STREAM, CCOVER_CAUSE_NO_VIDEO_STREAM, 0, "%s", text);
}

// Returns the stream, or another video stream if that has packets at the beginning of the clip and this one has none:
// recordings may announce streams that they do not have. To be called before a stream is selected.
static AVStream *or_other_with_packets(ccover_demuxer *demuxer, AVStream *stream) {
    AVStream *other = NULL;
    const AVPacket *packet;
    for (int i = 0; (packet = ccover_packet_ahead(demuxer, i)); i++) {
        AVStream *next = demuxer->format->streams[packet->stream_index];
        if (next == stream) {
            return stream;
        }
        other = !other && ccover_is_video(next, false) ? next : other;
    }
    return other ? other : stream;
}

int ccover_select_stream(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    AVStream *stream = ccover_choose_stream(demuxer->format, limits);
    bool has_others = ccover_count_streams(demuxer->format, AVMEDIA_TYPE_VIDEO, false) > 1;
    if (stream && has_others && limits->stream < 0 && !limits->all_streams && ccover_is_video(stream, false)) {
        stream = or_other_with_packets(demuxer, stream);
    }
    demuxer->stream = stream;
    for (unsigned i = 0; stream && i < demuxer->format->nb_streams; i++) {
        AVStream *other = demuxer->format->streams[i];
        if ((other != stream && !limits->all_streams) || is_left_out(demuxer->format, other)) {
            other->discard = AVDISCARD_ALL;
        }
    }
    if (stream || (limits->may_lack_video && limits->stream < 0)) {
        return 0;
    }
    if (demuxer->format->nb_streams == 0 && demuxer->container_errors > 0) {
        return ccover_fail(error, CCOVER_STAGE_SELECT_STREAM, CCOVER_CAUSE_DAMAGED, 0,
                           "no stream can be found: the clip's header is damaged");
    }
    return fail_without_video(demuxer->format, limits->stream, error);
}
