// The times of packets: from those of a clip to those of the output.

#include "../CCover/Support/compat.h"
#include "Remux/remux.h"

#include <string.h>

// Times that go back by more than this are not rounding errors, but a fault of the clip.
enum { MAX_STEP_BACK_MICROSECONDS = 500000 };
// A frame may be shown this much later because the times of packets have to rise: containers round times. Sound whose
// first samples are not heard may be later where clips are joined.
enum { MAX_LATE_MICROSECONDS = 5000, MAX_LATE_AT_JOIN_MICROSECONDS = 10000 };

static bool is_video(const AVStream *stream) {
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
}

void ccomposer_begin_times(ccomposer_times *times) {
    times->derives = false;
    times->goes_back = false;
    times->given = AV_NOPTS_VALUE;
    times->waiting = 0;
    times->latest = times->covered = INT64_MIN;
}

// Frames are decoded in the order of their packets and shown in the order of their times, at most `delay` frames later.
// So each packet is decoded when the frame that was shown `delay` frames before it in the order of times is. Frames may
// be shown before that of the first packet.
static int64_t derive_decoding_time(ccomposer_times *times, const AVPacket *packet, const AVStream *from) {
    int delay = FFMIN(FFMAX(from->codecpar->video_delay, 0), CCOMPOSER_MAX_DELAY);
    int64_t step = packet->duration;
    if (step <= 0 && from->avg_frame_rate.num > 0) {
        step = av_rescale_q(1, av_inv_q(from->avg_frame_rate), from->time_base);
    }
    bool is_preceded = from->start_time != AV_NOPTS_VALUE && from->start_time < packet->pts;
    for (; times->waiting < delay; times->waiting++) {
        int64_t earlier = (delay - times->waiting) * av_clip64(step, 1, INT32_MAX);
        times->presented[times->waiting] = av_sat_sub64(is_preceded ? from->start_time : packet->pts, earlier);
    }
    int place = times->waiting++;
    for (; place > 0 && times->presented[place - 1] > packet->pts; place--) {
        times->presented[place] = times->presented[place - 1];
    }
    times->presented[place] = packet->pts;
    int64_t first = times->presented[0];
    times->waiting -= 1;
    memmove(times->presented, times->presented + 1, (size_t)times->waiting * sizeof(first));
    return first;
}

// Fills in the times that can be derived from others. Returns false if the packet has none.
static bool complete_times(AVPacket *packet, const AVStream *from, const ccomposer_place *place,
                           ccomposer_times *times) {
    if (ccover_is_artwork(from)) {
        packet->pts = packet->dts = av_rescale_q(place->start, AV_TIME_BASE_Q, from->time_base);
        packet->duration = 0;
    } else if (packet->pts == AV_NOPTS_VALUE && (!is_video(from) || from->codecpar->video_delay == 0)) {
        packet->pts = packet->dts;
    }
    if (packet->pts == AV_NOPTS_VALUE) {
        return false;
    }
    // Sound is heard in the order of its packets; after damage, some demuxers mix up times.
    if (from->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && packet->dts != AV_NOPTS_VALUE) {
        packet->pts = packet->dts;
    }
    // Some demuxers derive decoding times themselves, but not those of the first packets.
    times->derives = times->derives || packet->dts == AV_NOPTS_VALUE;
    if (times->derives) {
        packet->dts = is_video(from) ? derive_decoding_time(times, packet, from) : packet->pts;
    }
    return true;
}

// The number of samples at the end of a packet that are not heard, in ticks.
static int64_t padding_of(const AVPacket *packet, const AVStream *stream) {
    size_t size = 0;
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
    int rate = stream->codecpar->sample_rate;
    if (!data || size < 8 || rate <= 0) {
        return 0;
    }
    return av_rescale_q((int64_t)AV_RL32(data + 4), (AVRational){1, rate}, stream->time_base);
}

// Whether a time in ticks of a stream is before one in microseconds.
static bool is_before(int64_t time, const AVStream *stream, int64_t microseconds) {
    return av_compare_ts(time, stream->time_base, microseconds, AV_TIME_BASE_Q) < 0;
}

// Whether a packet is heard or shown, in part or as a whole, after the start of its clip.
static bool ends_after(const AVPacket *packet, const AVStream *from, int64_t start) {
    int64_t end = av_sat_add64(packet->pts, FFMAX(packet->duration, 1));
    return av_compare_ts(end, from->time_base, start, AV_TIME_BASE_Q) > 0;
}

// Whether a packet of sound is not heard itself, but prepares the decoder for the first packet that is heard: sound is
// encoded in overlapping windows. At the start of the output, there is room for such a packet.
static bool prepares(const AVPacket *packet, const AVStream *from, const ccomposer_place *place) {
    AVPacket next = {.pts = av_sat_add64(packet->pts, packet->duration), .duration = packet->duration};
    return place->is_first && from->codecpar->codec_type == AVMEDIA_TYPE_AUDIO &&
           !ccomposer_is_pcm(from->codecpar->codec_id) && ends_after(&next, from, place->start);
}

// Whether a packet is not in the part of the clip that is copied. Its video starts with a key frame. It ends before a
// frame that is shown after `end` and that no frame from before `end` can follow.
static bool is_outside(const AVPacket *packet, const AVStream *from, const ccomposer_place *place,
                       ccomposer_times *times) {
    bool is_late = !is_before(packet->pts, from, place->end), is_early = false;
    if (ccover_is_artwork(from)) {
        return false;
    }
    if (is_video(from)) {
        bool is_complete = !is_before(FFMAX(times->covered, packet->dts), from, place->end);
        bool is_start = times->given != AV_NOPTS_VALUE || (packet->flags & AV_PKT_FLAG_KEY) != 0;
        is_late = is_late && packet->pts > times->latest && is_complete;
        is_early = is_before(packet->pts, from, place->key) || !is_start;
    } else if (place->can_hide) {
        is_early = !ends_after(packet, from, place->start) && !prepares(packet, from, place);
    } else {
        is_early = is_before(packet->pts, from, place->start);
    }
    times->has_ended = times->has_ended || is_late;
    if (times->has_ended || (is_early && place->key != INT64_MIN)) {
        return true;
    }
    times->latest = FFMAX(times->latest, packet->pts);
    times->covered = FFMAX(times->covered, av_sat_add64(packet->pts, packet->duration));
    return false;
}

// What happens to a packet. A leading frame follows the first packet, and precedes the first frame that is shown of its
// stream: it requires frames that the clip does not have, and no other frame requires it.
static ccomposer_packet_disposition outcome_of(const AVPacket *packet, const AVStream *from,
                                               const ccomposer_place *place, ccomposer_times *times, bool is_leading) {
    if (is_outside(packet, from, place, times)) {
        return CCOMPOSER_DROPPED;
    }
    if (is_video(from)) {
        bool is_hidden = (packet->flags & AV_PKT_FLAG_DISCARD) != 0;
        bool is_early = !ends_after(packet, from, place->start);
        if (is_hidden && !(place->can_hide && is_early)) {
            return CCOMPOSER_HIDDEN;
        }
        return is_leading && !place->can_hide ? CCOMPOSER_DROPPED : CCOMPOSER_WRITTEN;
    }
    // The first packets of AAC and others are not heard.
    bool is_kept = place->can_hide || ends_after(packet, from, place->start) || prepares(packet, from, place);
    return is_kept ? CCOMPOSER_WRITTEN : CCOMPOSER_DROPPED;
}

// Shifts a time from the clip to the output. Counted in microseconds, the start of the clip may be later than its first
// frame, by less than one, and MP4 would not show that frame. So times of video are counted from its own start.
static int64_t shift(int64_t time, const AVStream *from, const AVStream *to, const ccomposer_place *place) {
    bool has_start = is_video(from) && !ccover_is_artwork(from) && from->start_time != AV_NOPTS_VALUE;
    int64_t origin = has_start ? from->start_time : 0;
    int64_t distance = av_sat_sub64(av_rescale_q(origin, from->time_base, AV_TIME_BASE_Q), place->start);
    int64_t ticks = av_rescale_q_rnd(av_sat_sub64(time, origin), from->time_base, to->time_base,
                                     AV_ROUND_NEAR_INF | AV_ROUND_PASS_MINMAX);
    return av_sat_add64(ticks, av_rescale_q(av_sat_add64(place->offset, distance), AV_TIME_BASE_Q, to->time_base));
}

// Whether a packet of sound covers, for the most part, what the one before covers already.
static bool is_covered(const AVPacket *packet, const AVStream *to, const ccomposer_times *times) {
    if (to->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || times->last == AV_NOPTS_VALUE) {
        return false;
    }
    int64_t covered = av_sat_sub64(times->next, packet->pts);
    int64_t late = av_rescale_q(MAX_LATE_MICROSECONDS, AV_TIME_BASE_Q, to->time_base);
    return covered > late && covered > packet->duration / 2;
}

// Decoding times have to rise. Those of packets that last for less than a tick of Matroska, or follow each other as
// fast, only must not fall: it has no decoding times. Returns what happens to a packet whose time goes back.
static ccomposer_packet_disposition follow(AVPacket *packet, const AVStream *to, const ccomposer_place *place,
                             ccomposer_times *times, bool is_heard, bool rises, bool *moved) {
    bool may_stay = packet->duration < 2 || (rises && is_covered(packet, to, times));
    int64_t least_step = place->is_matroska && !is_video(to) && may_stay ? 0 : 1;
    int64_t least = times->last == AV_NOPTS_VALUE ? INT64_MIN : av_sat_add64(times->last, least_step);
    int64_t back = packet->dts >= least ? 0 : av_sat_sub64(least, packet->dts);
    if (av_rescale_q(back, to->time_base, AV_TIME_BASE_Q) > MAX_STEP_BACK_MICROSECONDS) {
        return CCOMPOSER_BACKWARDS;
    }
    *moved = *moved || av_rescale_q(back, to->time_base, AV_TIME_BASE_Q) > MAX_LATE_MICROSECONDS;
    // Such packets prepare the decoder where a clip begins, and are found where times go back. Where the times of the
    // clip rise, the durations are wrong, or the times of all packets.
    times->goes_back = is_covered(packet, to, times) && (times->goes_back || !rises);
    if (times->goes_back || (!is_heard && is_covered(packet, to, times))) {
        return CCOMPOSER_DROPPED;
    }
    packet->dts = FFMAX(packet->dts, least);
    if (packet->pts < packet->dts) {
        int64_t late = av_rescale_q(av_sat_sub64(packet->dts, packet->pts), to->time_base, AV_TIME_BASE_Q);
        if (late > (is_heard || is_video(to) ? MAX_LATE_MICROSECONDS : MAX_LATE_AT_JOIN_MICROSECONDS)) {
            return CCOMPOSER_BACKWARDS;
        }
        packet->pts = packet->dts;
    }
    if (times->last != AV_NOPTS_VALUE) {
        times->last_step = av_sat_sub64(packet->dts, times->last);
    }
    times->last = packet->dts;
    return CCOMPOSER_WRITTEN;
}

bool ccomposer_is_gap(const AVStream *stream, int64_t end, int64_t time) {
    return av_rescale_q(av_sat_sub64(time, end), stream->time_base, AV_TIME_BASE_Q) > MAX_LATE_MICROSECONDS;
}

// Notes when the packet ends. The samples of PCM follow each other, so their number counts unless there is a gap, and
// not the times, which containers round.
static void note_next(const AVPacket *packet, const AVStream *to, ccomposer_times *times) {
    bool is_pcm = ccomposer_is_pcm(to->codecpar->codec_id);
    bool follows = is_pcm && times->next > 0 && !ccomposer_is_gap(to, times->next, packet->dts);
    int64_t ticks = is_pcm ? ccomposer_pcm_ticks(to, packet->size) : packet->duration;
    times->next = av_sat_add64(follows ? times->next : packet->dts, ticks);
}

// Notes by how much the frames of the first clip are shown before that of its first packet.
static void note_lead(const AVPacket *packet, const AVStream *from, ccomposer_times *times, bool is_shown) {
    if (times->first == AV_NOPTS_VALUE) {
        times->first = packet->pts;
    } else if (is_video(from) && is_shown) {
        times->lead = FFMAX(times->lead, av_sat_sub64(times->first, packet->pts));
    }
}

ccomposer_packet_disposition ccomposer_place_packet(AVPacket *packet, const AVStream *from, const AVStream *to,
                                      const ccomposer_place *place, ccomposer_times *times, bool *moved) {
    if (!complete_times(packet, from, place, times)) {
        return CCOMPOSER_UNTIMED;
    }
    bool is_first = times->given == AV_NOPTS_VALUE;
    bool rises = is_first || packet->dts > times->given;
    bool is_shown = packet->pts >= from->start_time;
    ccomposer_packet_disposition outcome = outcome_of(packet, from, place, times, !is_first && rises && !is_shown);
    if (outcome != CCOMPOSER_WRITTEN) {
        return outcome;
    }
    times->given = packet->dts;
    int64_t padding = av_rescale_q(padding_of(packet, from), from->time_base, to->time_base);
    packet->duration = av_rescale_q(FFMAX(packet->duration, 0), from->time_base, to->time_base);
    bool is_heard = av_compare_ts(packet->pts, from->time_base, place->start, AV_TIME_BASE_Q) >= 0;
    bool was_moved = false;
    int64_t delay = ccover_compat_missing_codec_delay(to, place->is_matroska);
    packet->pts = av_sat_add64(shift(packet->pts, from, to, place), delay);
    packet->dts = av_sat_add64(shift(packet->dts, from, to, place), delay);
    outcome = follow(packet, to, place, times, is_heard, rises, &was_moved);
    // At the start of a clip, what only prepares the decoder takes the room that is left.
    *moved = *moved || (was_moved && is_heard);
    if (outcome != CCOMPOSER_WRITTEN) {
        return outcome;
    }
    if (packet->duration == 0 && is_video(from) && !ccover_is_artwork(from)) {
        packet->duration = times->last_step;
    }
    if (place->is_first) {
        note_lead(packet, from, times, is_shown);
    }
    note_next(packet, to, times);
    int64_t end = av_sat_add64(packet->pts, av_sat_sub64(packet->duration, av_sat_add64(padding, delay)));
    times->end = FFMAX(times->end, av_rescale_q(end, to->time_base, AV_TIME_BASE_Q));
    return CCOMPOSER_WRITTEN;
}
