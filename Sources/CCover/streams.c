// Counting the streams of a clip and selecting the one to decode.

#include "internal.h"

static bool is_artwork(const AVStream *stream) {
    return (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) != 0;
}

int ccover_count_streams(const AVFormatContext *format, enum AVMediaType type, bool artwork) {
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

AVStream *ccover_choose_stream(const AVFormatContext *format, const ccover_limits *limits) {
    if (limits->stream >= 0) {
        bool exists = (unsigned)limits->stream < format->nb_streams;
        AVStream *stream = exists ? format->streams[limits->stream] : NULL;
        return stream && stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO ? stream : NULL;
    }
    AVStream *video = first_video_stream(format, false);
    AVStream *artwork = limits->embedded == CCOVER_EMBEDDED_NEVER ? NULL : first_video_stream(format, true);
    bool takes_artwork = artwork && (!video || limits->embedded == CCOVER_EMBEDDED_PREFER);
    return takes_artwork ? artwork : video;
}

int ccover_select_stream(ccover_clip *clip, const ccover_limits *limits, ccover_error *error) {
    clip->stream = ccover_choose_stream(clip->format, limits);
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
                           "there is no video stream %d (the clip has %u streams)", limits->stream, clip->format->nb_streams);
    }
    int audio = ccover_count_streams(clip->format, AVMEDIA_TYPE_AUDIO, false);
    bool has_artwork = ccover_count_streams(clip->format, AVMEDIA_TYPE_VIDEO, true) > 0;
    return ccover_fail(error, CCOVER_STAGE_SELECT_STREAM, CCOVER_CAUSE_NO_VIDEO_STREAM, 0,
                       "no video stream (%d audio %s%s)", audio, audio == 1 ? "stream" : "streams",
                       has_artwork ? " and artwork" : "");
}
