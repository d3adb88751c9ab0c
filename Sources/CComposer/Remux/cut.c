// Copying a part of a clip.

#include "Remux/copy.h"

// The times of packets may differ by this much from those of decoded frames.
enum { TOLERANCE_MICROSECONDS = 2000 };

// Continues at least a second before the key frame where the index of the container leads there, for the sound.
static void seek_before(ccomposer_part *part, const AVStream *video, int64_t key) {
    AVFormatContext *format = part->clip->demuxer->format;
    int64_t time = av_sat_sub64(key, av_rescale_q(AV_TIME_BASE, AV_TIME_BASE_Q, video->time_base));
    bool has_index = part->clip->demuxer->kind->is_matroska || ccomposer_lists_all_samples(part->clip);
    if (has_index && time > ccover_start_of(video) &&
        avformat_seek_file(format, video->index, INT64_MIN, time, time, 0) >= 0) {
        ccomposer_forget_ahead(part);
    }
}

void ccomposer_select_part(ccomposer_part *part, const ccomposer_copy_options *options) {
    AVStream *video = part->clip->demuxer->stream;
    if (options->ends_earlier) {
        part->end = av_rescale_q_rnd(options->end, video->time_base, AV_TIME_BASE_Q, AV_ROUND_DOWN);
    }
    if (options->starts_later) {
        const enum AVRounding rounding = AV_ROUND_DOWN | AV_ROUND_PASS_MINMAX;
        int64_t key = av_rescale_q_rnd(options->key, video->time_base, AV_TIME_BASE_Q, rounding);
        seek_before(part, video, options->key);
        video->start_time = options->start;
        part->start = av_rescale_q(options->start, video->time_base, AV_TIME_BASE_Q);
        part->key = FFMAX(av_sat_sub64(key, TOLERANCE_MICROSECONDS), INT64_MIN + 1);
    }
}

bool ccomposer_has_reached_end(const ccomposer_copy *copy) {
    bool has_reached_end = copy->part.end != INT64_MAX;
    for (int i = 0; i < copy->part.stream_count && has_reached_end; i++) {
        const AVStream *stream = copy->part.streams[i];
        // Subtitles may have no packet after the end.
        bool is_sparse = stream->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE || ccover_is_artwork(stream);
        has_reached_end = copy->times[i].has_ended || is_sparse;
    }
    return has_reached_end;
}
