// The duration of a clip whose header does not give it, from the times of its last packets.

#include "Decoding/decoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The PTS of the packets that were read.
typedef struct packet_times {
    int64_t previous, latest;
    int64_t latest_duration; // together with the packets without a time that follow
    int64_t shortest_interval; // between two packets in a row; 0 if unknown
    int64_t longest_interval;  // 0 if unknown
} packet_times;

static void note_latest(packet_times *times, const AVPacket *packet, int64_t time) {
    if (times->latest == AV_NOPTS_VALUE || time > times->latest) {
        times->latest = time;
        times->latest_duration = packet->duration;
    }
}

static void note_interval(packet_times *times, int64_t time) {
    int64_t interval;
    if (times->previous == AV_NOPTS_VALUE) {
        return;
    }
    bool is_known = !__builtin_sub_overflow(time, times->previous, &interval) && interval > -INT64_MAX;
    interval = is_known ? llabs(interval) : INT64_MAX;
    bool is_shortest = interval > 0 && (times->shortest_interval == 0 || interval < times->shortest_interval);
    times->shortest_interval = is_known && is_shortest ? interval : times->shortest_interval;
    times->longest_interval = FFMAX(times->longest_interval, interval);
}

static void add_packet(ccover_demuxer *demuxer, packet_times *times, const AVPacket *packet) {
    if (packet->pts == AV_NOPTS_VALUE) {
        // If a unit of a program stream has several pictures, only one states when it is shown. No picture is shown
        // before it is decoded.
        int64_t shown = ccover_derived_shown_time(demuxer, packet);
        if (shown != AV_NOPTS_VALUE) {
            note_latest(times, packet, shown);
        } else if (ccover_may_lack_times(demuxer) || ccover_derives_times(demuxer)) {
            times->latest_duration = av_sat_add64(times->latest_duration, packet->duration);
        }
        return;
    }
    note_interval(times, packet->pts);
    times->previous = packet->pts;
    note_latest(times, packet, packet->pts);
}

// Stores the end of the last frame. The duration of an H.264 packet may be that of a field, so the frame is
// shown at least for the shortest interval between frames, if all have times. Returns false if the time is unknown.
static bool get_end(const ccover_demuxer *demuxer, const packet_times *times, int64_t *end) {
    bool may_be_field = demuxer->stream->codecpar->codec_id == AV_CODEC_ID_H264 && !ccover_may_lack_times(demuxer);
    bool is_stated = times->latest_duration > 0 && !may_be_field;
    int64_t duration = is_stated ? times->latest_duration : FFMAX(times->latest_duration, times->shortest_interval);
    return times->latest != AV_NOPTS_VALUE && !__builtin_add_overflow(times->latest, duration, end);
}

// The times and the number of all packets from the next one on; `from_middle` of a program or transport stream, some
// lack the times that others determine. Discarded frames and frames that were cut off do not count.
static int read_times(ccover_demuxer *demuxer, bool from_middle, packet_times *times, int64_t *count) {
    int code;
    bool may_be_false = demuxer->kind->is_mpeg_stream || demuxer->kind->is_raw;
    int ignored = AV_PKT_FLAG_DISCARD | (may_be_false ? 0 : AV_PKT_FLAG_CORRUPT);
    *times = (packet_times){.previous = AV_NOPTS_VALUE, .latest = AV_NOPTS_VALUE};
    *count = 0;
    while ((code = ccover_next_packet(demuxer)) >= 0) {
        AVPacket *packet = demuxer->packet;
        if (!from_middle) {
            packet->pts = ccover_shown_time(packet);
        } else if (ccover_derives_times(demuxer) && packet->pos < 0) {
            // The container has no time for it. libavformat may have taken the time of decoding.
            packet->pts = AV_NOPTS_VALUE;
        }
        if ((packet->flags & ignored) == 0) {
            add_packet(demuxer, times, packet);
            *count += 1;
        }
        av_packet_unref(packet);
    }
    return code;
}

// The end of the last frame, by reading all packets that follow; AV_NOPTS_VALUE if unknown.
static int64_t end_of_packets(ccover_demuxer *demuxer, bool from_middle) {
    packet_times times;
    int64_t count, end;
    read_times(demuxer, from_middle, &times, &count);
    return get_end(demuxer, &times, &end) ? end : AV_NOPTS_VALUE;
}

// Whether the edit list of a movie ends later than libavformat finds, which counts by DTS: the last frame may follow a
// pause, and have been decoded before others.
static bool may_end_later(const ccover_demuxer *demuxer, int64_t start, int64_t stated) {
    enum { LEAST_PAUSE = AV_TIME_BASE / 100 }; // the edit list counts in milliseconds
    int64_t end = 0;
    if (ccover_is_movie(demuxer->format) && stated < demuxer->format->duration) {
        ccover_last_time(&demuxer->input, demuxer->container->name, demuxer->stream->id, &end);
    }
    start = av_rescale_q(start, demuxer->stream->time_base, AV_TIME_BASE_Q);
    return end > 0 && av_sat_sub64(end, start) > stated + LEAST_PAUSE;
}

// Whether the container states no duration, or has too few bytes for it, as if it was never completed: a frame takes at
// least 8, at an unknown rate once a second.
static bool lacks_duration(const ccover_demuxer *demuxer, int64_t stated) {
    bool is_picture = strstr(demuxer->container->name, "_pipe") || ccover_is_attached_picture(demuxer);
    double least_bytes = 8 * fmax(av_q2d(demuxer->stream->avg_frame_rate), 1) * (double)stated / AV_TIME_BASE;
    return !is_picture && !demuxer->kind->is_raw &&
           (stated == ccover_unknown_time || least_bytes > (double)demuxer->input.size);
}

void ccover_find_duration(ccover_clip *clip, int32_t places, bool rewinds) {
    enum { MAX_BYTES = 64 << 20 };
    static const int64_t distances[] = {1 << 18, 1 << 20, 1 << 22};
    const ccover_input *input = &clip->demuxer->input;
    AVStream *stream = clip->demuxer->stream;
    bool is_mpeg = clip->demuxer->kind->is_mpeg_stream;
    int64_t start = is_mpeg ? stream->start_time : ccover_first_time(clip->demuxer);
    // Transport and program streams can be read from any byte. What libavformat makes of their ends is not used: it
    // finds that out only together with other facts, and a clip has one duration.
    if (clip->position->has_measured_duration || !input->is_seekable || start == AV_NOPTS_VALUE) {
        return;
    }
    int64_t stated = ccover_duration_microseconds(clip->demuxer);
    bool is_small = !is_mpeg && input->size <= MAX_BYTES; // others are not read to the end: that takes too long
    // In the header of a file that was cut off, the duration is too long.
    bool is_cut =
        is_small && ccover_extent_of(input, input->size, clip->demuxer->container->name) == CCOVER_EXTENT_CUT;
    bool is_unstated = is_small && lacks_duration(clip->demuxer, stated);
    bool is_late = !is_mpeg && !is_cut && may_end_later(clip->demuxer, start, stated);
    if (!is_mpeg && !is_cut && !is_unstated && !is_late) {
        return;
    }
    clip->position->has_measured_duration = true;
    // libavformat shortens the duration of AVI.
    int64_t frames = ccover_is_container(clip->demuxer, "avi") ? stream->nb_frames : 0;
    clip->position->declared_duration = !is_cut || stated == ccover_unknown_time ? 0
                                        : frames > 0 ? av_rescale_q(frames, stream->time_base, AV_TIME_BASE_Q)
                                                     : stated;
    ccover_enter_phase(clip->damage, CCOVER_PHASE_ENDED);
    ccover_forget_packets(clip->demuxer);
    int64_t end = AV_NOPTS_VALUE, from = is_late ? av_sat_add64(start, stream->duration) : start;
    if (!is_mpeg && av_seek_frame(clip->demuxer->format, stream->index, from, AVSEEK_FLAG_BACKWARD) >= 0) {
        end = end_of_packets(clip->demuxer, false);
    }
    for (size_t i = 0; is_mpeg && i < FF_ARRAY_ELEMS(distances) && end == AV_NOPTS_VALUE; i++) {
        int64_t byte = FFMAX(clip->demuxer->input.size - distances[i], 0);
        bool is_there = av_seek_frame(clip->demuxer->format, -1, byte, AVSEEK_FLAG_BYTE) >= 0;
        end = is_there ? end_of_packets(clip->demuxer, true) : AV_NOPTS_VALUE;
    }
    int64_t duration;
    if (end != AV_NOPTS_VALUE && !__builtin_sub_overflow(end, start, &duration) && duration > 0) {
        stream->duration = duration;
    }
    if (is_mpeg) {
        ccover_find_restart(clip->demuxer, places);
    }
    if (rewinds) {
        ccover_seek(clip, start, true);
    }
}

void ccover_correct_duration(ccover_demuxer *demuxer) {
    AVStream *stream = demuxer->stream;
    int64_t first = ccover_first_time(demuxer), frame_end;
    int64_t start = first != AV_NOPTS_VALUE ? av_rescale_q(first, stream->time_base, AV_TIME_BASE_Q) : 0;
    int64_t declared = ccover_duration_microseconds(demuxer);
    // libavformat gives FLV without a duration the time of the last tag.
    bool is_flv = ccover_is_container(demuxer, "flv");
    bool may_lack_frame = is_flv && stream->duration == AV_NOPTS_VALUE && first != AV_NOPTS_VALUE;
    bool counts_start = declared > start && start >= (is_flv ? 1 : AV_TIME_BASE);
    // The edits of a movie may have no end.
    if (demuxer->all_streams || ccover_is_movie(demuxer->format) || !(may_lack_frame || counts_start)) {
        return;
    }
    int64_t end = ccover_last_time(&demuxer->input, demuxer->container->name, stream->id, &frame_end);
    bool lacks_frame = may_lack_frame && end == demuxer->format->duration;
    // It stores the PTS of the last packet as the duration of NUT.
    end = ccover_is_container(demuxer, "nut") ? declared : frame_end != ccover_unknown_time ? frame_end : end;
    if (lacks_frame && frame_end != ccover_unknown_time) {
        stream->duration = av_rescale_q(av_sat_sub64(end, start), AV_TIME_BASE_Q, stream->time_base);
    } else if (counts_start && end != ccover_unknown_time && llabs(declared - end) < llabs(declared - (end - start))) {
        // The duration is counted from 0, although the video starts later.
        stream->duration = av_rescale_q(declared - start, AV_TIME_BASE_Q, stream->time_base);
    }
}

void ccover_find_raw_duration(ccover_clip *clip) {
    if (!clip->demuxer->kind->is_raw || !clip->demuxer->input.is_seekable) {
        return;
    }
    int64_t duration, end;
    if (ccover_counts_time(clip->demuxer)) {
        end = ccover_count_all(clip->demuxer);
    } else {
        ccover_seek(clip, ccover_start_of(clip->demuxer->stream), true);
        end = end_of_packets(clip->demuxer, false);
    }
    bool is_known = end != AV_NOPTS_VALUE &&
                    !__builtin_sub_overflow(end, ccover_start_of(clip->demuxer->stream), &duration) && duration > 0;
    if (is_known && !ccover_deadline_passed(&clip->demuxer->input)) {
        clip->demuxer->stream->duration = duration;
    }
}

// The time in microseconds, from 0 on; INT64_MAX if that is more than a number can be.
static int64_t microseconds_of(int64_t ticks, AVRational base) {
    int64_t microseconds = av_rescale_q(ticks, base, AV_TIME_BASE_Q);
    return microseconds < 0 ? INT64_MAX : microseconds;
}

int ccover_measure(ccover_clip *clip, ccover_length *length, ccover_error *error) {
    packet_times times;
    int64_t count;
    AVRational rate = clip->demuxer->stream->avg_frame_rate, base = clip->demuxer->stream->time_base;
    int code = read_times(clip->demuxer, false, &times, &count);
    if (code == AVERROR_EXIT || count == 0) {
        return ccover_fail_without_frame(clip, code, error);
    }
    int64_t end;
    bool has_times = get_end(clip->demuxer, &times, &end) &&
                     !__builtin_sub_overflow(end, ccover_start_of(clip->demuxer->stream), &end) && end > 0;
    length->measured = has_times                      ? microseconds_of(end, base)
                       : rate.num > 0 && rate.den > 0 ? microseconds_of(count, av_inv_q(rate))
                                                      : count * AV_TIME_BASE / 25;
    length->longest_step = microseconds_of(FFMAX(times.longest_interval, times.latest_duration), base);
    // The header still has the duration of a file that was cut off, or that cannot be read in full.
    bool lacks_end = code != AVERROR_EOF || clip->demuxer->container_errors > 0 || ccover_is_cut_off(clip->demuxer);
    length->declared = lacks_end ? ccover_duration_microseconds(clip->demuxer) : ccover_unknown_time;
    return 0;
}
