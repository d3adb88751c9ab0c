// The times of frames without a PTS.
//
// In AVI, and in some MXF files, packets only have a DTS. The decoder holds back a
// fixed number of frames, and whenever it gets another packet, it returns the first of those that it holds. By this,
// all frames are late by the time of that number of packets.
//
// In program and transport streams, only some packets have times. Those of MPEG-1 and MPEG-2 in program streams follow
// from the packets before. Raw streams have none. libavformat makes up times for most of them, but not for H.264 and
// HEVC, and wrong ones for Dirac, MPEG-1, MPEG-2 and MPEG-4. There the packets are counted, each with the
// duration in its header, and frames are counted from the packet that decoding started with.

#include "Support/compat.h"
#include "Demuxing/demuxing.h"

// MARK: Frames

void ccover_stop_clock(ccover_demuxer *demuxer) {
    ccover_frame_clock *clock = &demuxer->clock.frames;
    *clock = (ccover_frame_clock){0};
    clock->next = clock->previous = clock->last_sent_dts = clock->stated = AV_NOPTS_VALUE;
}

bool ccover_may_lack_times(const ccover_demuxer *demuxer) {
    return ccover_is_container(demuxer, "mpeg") && ccover_codec_of(demuxer->stream->codecpar->codec_id)->has_nal_units;
}

// The least time between two packets in a row at the beginning of the clip, in ticks. It is several ticks where an AVI
// file was copied from another container, whose packets may be those of fields. Its index leaves out empty packets,
// which stand for frames that are shown for longer.
static int64_t least_distance(const ccover_demuxer *demuxer) {
    enum { MAX_PACKETS = 16 };
    int count = FFMIN(avformat_index_get_entries_count(demuxer->stream), MAX_PACKETS);
    int64_t least = INT64_MAX, distance;
    for (int i = 1; i < count; i++) {
        int64_t before = avformat_index_get_entry(demuxer->stream, i - 1)->timestamp;
        int64_t time = avformat_index_get_entry(demuxer->stream, i)->timestamp;
        bool follows = !__builtin_sub_overflow(time, before, &distance) && distance > 0;
        least = follows ? FFMIN(least, distance) : least;
    }
    return least < INT64_MAX ? least : 1;
}

// The time between two frames by the rate of the stream, in ticks; -1 if unknown.
static int64_t interval_of(const AVStream *stream) {
    AVRational rate = stream->avg_frame_rate;
    return rate.num > 0 && rate.den > 0 ? av_rescale_q(1, av_inv_q(rate), stream->time_base) : -1;
}

// How long the frame is shown, in ticks; 0 if unknown. Unless a packet is known to hold a whole frame, its duration may
// be that of a field.
static int64_t interval_after(const ccover_demuxer *demuxer, const AVFrame *frame) {
    if (ccover_counts_time(demuxer) || (ccover_derives_times(demuxer) && ccover_compat_duration(frame) > 0)) {
        return ccover_compat_duration(frame);
    }
    if (demuxer->clock.frames.times == CCOVER_TIMES_DTS_ONLY) {
        return least_distance(demuxer);
    }
    int64_t interval = interval_of(demuxer->stream);
    if (demuxer->clock.frames.interval > 0 && !(interval >= 0 && ccover_may_lack_times(demuxer))) {
        return demuxer->clock.frames.interval;
    }
    return interval >= 0 ? interval : ccover_compat_duration(frame);
}

static bool is_b_picture(const ccover_demuxer *demuxer, const AVPacket *packet) {
    return ccover_picture_kind_of(demuxer->stream->codecpar, packet) == CCOVER_PICTURE_B;
}

// Whether pictures may be shown in another order than they are decoded, given those that follow.
static bool may_be_reordered(ccover_demuxer *demuxer) {
    enum { MAX_PACKETS = 8 };
    bool is_mpeg = ccover_codec_of(demuxer->stream->codecpar->codec_id)->is_mpeg_1_or_2;
    const AVPacket *next;
    for (int i = 0; is_mpeg && i < MAX_PACKETS && (next = ccover_packet_ahead(demuxer, i)); i++) {
        if (is_b_picture(demuxer, next)) {
            return true;
        }
    }
    return !is_mpeg;
}

// Whether the packets have no times of presentation, or wrong ones, given the first that is sent to the decoder.
static bool lacks_shown_times(ccover_demuxer *demuxer, const AVPacket *packet) {
    if (ccover_is_container(demuxer, "avi")) {
        return true;
    }
    // Some muxers of MXF store both times as the same, although the decoder reorders the frames. libavformat leaves out
    // that of decoding where a single frame is held back.
    bool is_same = packet->dts == AV_NOPTS_VALUE || ccover_shown_time(packet) == packet->dts;
    return ccover_is_container(demuxer, "mxf") && (packet->flags & AV_PKT_FLAG_KEY) != 0 && is_same &&
           may_be_reordered(demuxer);
}

// The PTS of the frame that a decoder which holds back some frames returns when it gets the packet at `time`.
static int64_t shown_at_packet(const ccover_demuxer *demuxer, int64_t time, int frames) {
    int64_t delay;
    bool is_known = !__builtin_mul_overflow(frames, least_distance(demuxer), &delay);
    return is_known ? av_sat_sub64(time, delay) : time;
}

// The PTS of a frame whose packet has only a DTS; AV_NOPTS_VALUE if it is unknown.
static int64_t time_of_late(const ccover_demuxer *demuxer, const AVFrame *frame, int delay) {
    const ccover_frame_clock *clock = &demuxer->clock.frames;
    bool is_first = clock->previous == AV_NOPTS_VALUE;
    if (frame->pkt_dts != AV_NOPTS_VALUE) {
        int64_t time = shown_at_packet(demuxer, frame->pkt_dts, delay);
        return is_first || time > clock->previous ? time : clock->next;
    }
    // When the decoder is drained, no packet with a time follows. The first frame may be a key picture whose leading
    // pictures were dropped.
    int64_t end = av_sat_add64(clock->last_sent_dts, least_distance(demuxer));
    bool is_known = is_first && clock->last_sent_dts != AV_NOPTS_VALUE;
    return is_known ? FFMAX(shown_at_packet(demuxer, end, delay), clock->next) : clock->next;
}

// Follows the times that packets state. Returns whether the frame is shown at its own. After a single frame with the
// time of the one before, FFmpeg uses the DTS of all that follow; but other frames may have been left out
// because of what their packets state.
static bool follow_stated_time(ccover_demuxer *demuxer, const AVFrame *frame) {
    enum { MOST_STALLS = 2 };
    ccover_frame_clock *clock = &demuxer->clock.frames;
    if (frame->pts == AV_NOPTS_VALUE || ccover_is_container(demuxer, "mpeg")) {
        return false;
    }
    // AV_NOPTS_VALUE, before the first frame, is less than any time.
    clock->stalls = frame->pts > clock->stated ? 0 : clock->stalls + 1;
    if (clock->stalls >= MOST_STALLS || frame->pts < clock->stated) {
        clock->times = CCOVER_TIMES_DISORDERED;
    }
    clock->stated = frame->pts;
    return clock->times != CCOVER_TIMES_DISORDERED;
}

void ccover_time_frame(ccover_demuxer *demuxer, AVFrame *frame, int delay) {
    ccover_frame_clock *clock = &demuxer->clock.frames;
    if (clock->times == CCOVER_TIMES_DTS_ONLY) {
        frame->best_effort_timestamp = time_of_late(demuxer, frame, delay);
    } else if (follow_stated_time(demuxer, frame)) {
        frame->best_effort_timestamp = frame->pts;
    }
    // A decoder that delays frames takes the time of another packet, or a time of decoding.
    bool is_guessed = ccover_counts_time(demuxer) || (ccover_may_lack_times(demuxer) && frame->pts == AV_NOPTS_VALUE &&
                                                   clock->next != AV_NOPTS_VALUE);
    if (frame->best_effort_timestamp == AV_NOPTS_VALUE || is_guessed) {
        frame->best_effort_timestamp = clock->next;
    }
    int64_t time = frame->best_effort_timestamp, interval;
    bool follows = time != AV_NOPTS_VALUE && clock->previous != AV_NOPTS_VALUE;
    if (follows && !__builtin_sub_overflow(time, clock->previous, &interval) && interval > 0) {
        clock->interval = interval;
    }
    clock->previous = time;
    interval = interval_after(demuxer, frame);
    bool is_known = time != AV_NOPTS_VALUE && interval > 0 && !__builtin_add_overflow(time, interval, &clock->next);
    if (!is_known) {
        clock->next = AV_NOPTS_VALUE;
    }
}

void ccover_start_clock(ccover_demuxer *demuxer, AVPacket *packet) {
    if (ccover_counts_time(demuxer)) {
        demuxer->clock.frames.next = av_sat_add64(packet->dts, ccover_dropped_after(demuxer, packet, 0));
    } else if (lacks_shown_times(demuxer, packet)) {
        demuxer->clock.frames.times = CCOVER_TIMES_DTS_ONLY;
        demuxer->clock.frames.next = ccover_shown_time(packet);
    } else if (ccover_derives_times(demuxer) && packet == demuxer->packet) {
        packet->pts = ccover_derived_shown_time(demuxer, packet);
    }
}

void ccover_note_sent(ccover_demuxer *demuxer, AVPacket *packet) {
    // libavformat takes times of decoding from those of presentation, as if these were right.
    if (demuxer->clock.frames.times == CCOVER_TIMES_DTS_ONLY && packet->pts != AV_NOPTS_VALUE) {
        packet->dts = packet->pts;
    }
    demuxer->clock.frames.last_sent_dts = packet->dts;
}

// MARK: Program streams

bool ccover_derives_times(const ccover_demuxer *demuxer) {
    return ccover_is_container(demuxer, "mpeg") && ccover_codec_of(demuxer->stream->codecpar->codec_id)->is_mpeg_1_or_2;
}

void ccover_derive_times(ccover_demuxer *demuxer, AVPacket *packet) {
    if (demuxer->clock.next_dts == AV_NOPTS_VALUE && ccover_lacks_picture_header(packet)) {
        // The time is that of the first picture that starts in the unit.
        demuxer->clock.next_dts = packet->dts;
        packet->pts = packet->dts = AV_NOPTS_VALUE;
        return;
    }
    // Only the first picture in a unit of the container has a position and a time. For the others, libavformat makes up
    // times, which are wrong after a seek.
    if (packet->pos < 0 || packet->pts == AV_NOPTS_VALUE) {
        packet->dts = demuxer->clock.next_dts;
        packet->pts = packet->pts != AV_NOPTS_VALUE ? demuxer->clock.next_dts : AV_NOPTS_VALUE;
    }
    bool is_known = packet->dts != AV_NOPTS_VALUE && packet->duration > 0;
    demuxer->clock.next_dts = is_known ? av_sat_add64(packet->dts, packet->duration) : AV_NOPTS_VALUE;
}

int64_t ccover_derived_shown_time(ccover_demuxer *demuxer, const AVPacket *packet) {
    int64_t wait = packet->duration;
    bool is_open = ccover_derives_times(demuxer) && packet->pts == AV_NOPTS_VALUE && packet->dts != AV_NOPTS_VALUE;
    if (!is_open || wait <= 0 || is_b_picture(demuxer, packet)) {
        return ccover_shown_time(packet);
    }
    // The pictures that are predicted from this one and an earlier one are shown before it.
    const AVPacket *next;
    for (int i = 0; (next = ccover_packet_ahead(demuxer, i)) && is_b_picture(demuxer, next); i++) {
        wait = av_sat_add64(wait, next->duration);
    }
    return av_sat_add64(packet->dts, wait);
}

int64_t ccover_time_after(const ccover_demuxer *demuxer, int64_t shown, int64_t decoded) {
    int64_t interval = interval_of(demuxer->stream);
    // Otherwise the presentation order is unknown.
    bool is_in_order = shown != AV_NOPTS_VALUE && shown == decoded && demuxer->stream->codecpar->video_delay == 0;
    return ccover_may_lack_times(demuxer) && is_in_order && interval >= 0 ? av_sat_add64(shown, interval)
                                                                          : AV_NOPTS_VALUE;
}

bool ccover_settle_times(ccover_demuxer *demuxer, AVPacket *packet) {
    // A seek leads to a unit of the container, which may begin inside a picture. Its times are those of the first
    // picture that starts in it, so not those of a key picture whose parameters are in the unit before.
    int zeros = 0;
    while (zeros < packet->size && packet->data[zeros] == 0) {
        zeros += 1;
    }
    bool has_start_code = zeros >= 2 && zeros < packet->size && packet->data[zeros] == 1;
    if (!has_start_code && ccover_lacks_parameters(demuxer->stream, packet)) {
        demuxer->clock.next_dts = packet->dts;
        demuxer->clock.next_pts = packet->pts;
        return false;
    }
    if (packet->pts == AV_NOPTS_VALUE && packet->dts == AV_NOPTS_VALUE) {
        packet->dts = demuxer->clock.next_dts;
        packet->pts = demuxer->clock.next_pts;
    }
    demuxer->clock.next_dts = demuxer->clock.next_pts = AV_NOPTS_VALUE;
    return true;
}

int64_t ccover_timestamp(const AVFrame *frame) {
    return frame->best_effort_timestamp != AV_NOPTS_VALUE ? frame->best_effort_timestamp : ccover_unknown_time;
}

void ccover_note_first_time(ccover_demuxer *demuxer, int64_t time) {
    if (demuxer->clock.first_time == AV_NOPTS_VALUE) {
        demuxer->clock.first_time = time;
    }
}
