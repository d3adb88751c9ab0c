// Whether a clip was copied to its end. Demuxers report a damaged cluster or a missing end as the regular end of the
// file.

#include "Remux/remux.h"

// Headers round durations, and do not know that of the last frame.
enum { TOLERANCE_MICROSECONDS = 500000 };

bool ccomposer_lists_all_samples(const ccover_clip *clip) {
    const ccover_box file = {.end = clip->demuxer->input.size};
    ccover_box fragment;
    return ccover_is_movie(clip->demuxer->format) &&
           !ccover_find_box(&clip->demuxer->input, &file, AV_RB32("moof"), &fragment);
}

bool ccomposer_is_unfinished(const ccover_demuxer *demuxer) {
    return ccover_extent_of(&demuxer->input, demuxer->input.size, demuxer->container->name) == CCOVER_EXTENT_UNFINISHED;
}

// Whether the duration of the whole clip may be that of a stream that is not copied.
static bool leaves_out_media(const ccomposer_part *part) {
    int media = 0;
    for (unsigned i = 0; i < part->clip->demuxer->format->nb_streams; i++) {
        const AVStream *stream = part->clip->demuxer->format->streams[i];
        media += stream->codecpar->codec_type != AVMEDIA_TYPE_ATTACHMENT && !ccover_is_artwork(stream);
    }
    return media > part->stream_count;
}

// The duration that the container states, in microseconds; 0 if it states none.
static int64_t stated_duration(const ccomposer_part *part) {
    const AVFormatContext *format = part->clip->demuxer->format;
    int64_t longest = 0;
    // If all samples are listed, the header adds nothing.
    if (format->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE || ccomposer_lists_all_samples(part->clip) ||
        ccomposer_is_unfinished(part->clip->demuxer)) {
        return 0;
    }
    for (int i = 0; i < part->stream_count; i++) {
        const AVStream *stream = part->streams[i];
        if (stream->duration != AV_NOPTS_VALUE && stream->duration > 0) {
            longest = FFMAX(longest, av_rescale_q(stream->duration, stream->time_base, AV_TIME_BASE_Q));
        }
    }
    if (longest == 0 && format->duration != AV_NOPTS_VALUE && !leaves_out_media(part)) {
        longest = format->duration;
    }
    // Some muxers count from zero, even if the first frame is later.
    return av_sat_sub64(longest, FFMAX(part->start, 0));
}

bool ccomposer_lacks_end(const ccomposer_part *part, int64_t copied) {
    int64_t missing = av_sat_sub64(stated_duration(part), copied);
    return missing > TOLERANCE_MICROSECONDS || ccover_is_cut_off(part->clip->demuxer);
}
