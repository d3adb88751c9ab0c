// The times of frames that have none of their own.
//
// In AVI, and in some MXF files, packets only have the time at which the decoder gets them. The decoder holds back a
// fixed number of frames, and whenever it gets another packet, it returns the first of those that it holds. By this,
// all frames are late by the time of that number of packets.
//
// In program and transport streams, only some packets have times. Those of MPEG-1 and MPEG-2 in program streams follow
// from the packets before. Raw streams have none. libavformat makes up times for most of them, but not for H.264 and
// HEVC, and wrong ones for Dirac, MPEG-1, MPEG-2 and MPEG-4. There the packets are counted, each for as long as its
// header says, and frames are counted from the packet at which decoding started.

#include "compat.h"
#include "internal.h"

#include <libavutil/mem.h>
#include <string.h>

// MARK: Frames

void ccover_stop_clock(ccover_clip *clip) {
    clip->clock = (ccover_clock){
        .next = AV_NOPTS_VALUE,
        .previous = AV_NOPTS_VALUE,
        .sent = AV_NOPTS_VALUE,
        .stated = AV_NOPTS_VALUE,
    };
}

bool ccover_may_lack_times(const ccover_clip *clip) {
    return ccover_is_container(clip, "mpeg") && ccover_is_avc_or_hevc(clip->stream->codecpar->codec_id);
}

// The least time between two packets in a row at the beginning of the clip, in ticks. It is several ticks where an AVI
// file was copied from another container, whose packets may be those of fields. Its index leaves out empty packets,
// which stand for frames that are shown for longer.
static int64_t least_distance(const ccover_clip *clip) {
    enum { MAX_PACKETS = 16 };
    int count = FFMIN(avformat_index_get_entries_count(clip->stream), MAX_PACKETS);
    int64_t least = INT64_MAX, distance;
    for (int i = 1; i < count; i++) {
        int64_t before = avformat_index_get_entry(clip->stream, i - 1)->timestamp;
        int64_t time = avformat_index_get_entry(clip->stream, i)->timestamp;
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

// How long the frame is shown, in ticks; 0 if unknown. Unless packets are counted, that of a packet may be a field's.
static int64_t interval_after(const ccover_clip *clip, const AVFrame *frame) {
    if (ccover_counts_time(clip)) {
        return ccover_compat_duration(frame);
    }
    if (clip->clock.is_late) {
        return least_distance(clip);
    }
    int64_t interval = interval_of(clip->stream);
    if (clip->clock.interval > 0 && !(interval >= 0 && ccover_may_lack_times(clip))) {
        return clip->clock.interval;
    }
    return interval >= 0 ? interval : ccover_compat_duration(frame);
}

// Whether the packet holds a picture of MPEG-1 or MPEG-2 that is predicted from both sides.
static bool holds_b_picture(const AVPacket *packet) {
    enum { PICTURE = 0x100, TYPE_B = 3 };
    for (int i = 0; i + 6 <= packet->size; i++) {
        if (AV_RB32(packet->data + i) == PICTURE) {
            return (packet->data[i + 5] >> 3 & 7) == TYPE_B;
        }
    }
    return false;
}

static bool is_mpeg_1_or_2(const ccover_clip *clip) {
    enum AVCodecID codec = clip->stream->codecpar->codec_id;
    return codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO;
}

// Whether pictures may be shown in another order than that in which they are decoded, given those that follow.
static bool may_be_reordered(ccover_clip *clip) {
    enum { MAX_PACKETS = 8 };
    bool is_mpeg = is_mpeg_1_or_2(clip);
    const AVPacket *next;
    for (int i = 0; is_mpeg && i < MAX_PACKETS && (next = ccover_packet_ahead(clip, i)); i++) {
        if (holds_b_picture(next)) {
            return true;
        }
    }
    return !is_mpeg;
}

// Whether the packets have no times of presentation, or wrong ones, given the first that is sent to the decoder.
static bool lacks_shown_times(ccover_clip *clip, const AVPacket *packet) {
    if (ccover_is_container(clip, "avi")) {
        return true;
    }
    // Some muxers of MXF store both times as the same, although the decoder reorders the frames. libavformat leaves out
    // that of decoding where a single frame is held back.
    bool is_same = packet->dts == AV_NOPTS_VALUE || ccover_shown_time(packet) == packet->dts;
    return ccover_is_container(clip, "mxf") && (packet->flags & AV_PKT_FLAG_KEY) != 0 && is_same &&
           may_be_reordered(clip);
}

// The time at which the frame is shown that the decoder returns when it gets a packet at another time.
static int64_t shown_at_packet(const ccover_clip *clip, int64_t time) {
    int64_t delay;
    bool is_known = !__builtin_mul_overflow(clip->decoder->has_b_frames, least_distance(clip), &delay);
    return is_known ? av_sat_sub64(time, delay) : time;
}

// The time at which a frame is shown whose packet has only a time of decoding; AV_NOPTS_VALUE if that is unknown.
static int64_t time_of_late(const ccover_clip *clip, const AVFrame *frame) {
    const ccover_clock *clock = &clip->clock;
    bool is_first = clock->previous == AV_NOPTS_VALUE;
    if (frame->pkt_dts != AV_NOPTS_VALUE) {
        int64_t time = shown_at_packet(clip, frame->pkt_dts);
        return is_first || time > clock->previous ? time : clock->next;
    }
    // When the decoder is drained, no packet follows that gives a time. The first frame may be a key picture behind
    // which pictures were dropped that would be shown before it.
    int64_t end = av_sat_add64(clock->sent, least_distance(clip));
    bool is_known = is_first && clock->sent != AV_NOPTS_VALUE;
    return is_known ? FFMAX(shown_at_packet(clip, end), clock->next) : clock->next;
}

// Whether the frame is shown at the time that its packet states. After a single frame with the time of the one before,
// FFmpeg takes times of decoding for all that follow; but other frames may have been left out because of what their
// packets state.
static bool has_right_time(ccover_clip *clip, const AVFrame *frame) {
    enum { MOST_STALLS = 2 };
    ccover_clock *clock = &clip->clock;
    if (frame->pts == AV_NOPTS_VALUE || ccover_is_container(clip, "mpeg")) {
        return false;
    }
    // AV_NOPTS_VALUE, before the first frame, is less than any time.
    clock->stalls = frame->pts > clock->stated ? 0 : clock->stalls + 1;
    clock->is_disordered = clock->is_disordered || clock->stalls >= MOST_STALLS || frame->pts < clock->stated;
    clock->stated = frame->pts;
    return !clock->is_disordered;
}

void ccover_time_frame(ccover_clip *clip) {
    AVFrame *frame = clip->spare;
    ccover_clock *clock = &clip->clock;
    if (clock->is_late) {
        frame->best_effort_timestamp = time_of_late(clip, frame);
    } else if (has_right_time(clip, frame)) {
        frame->best_effort_timestamp = frame->pts;
    }
    // A decoder that delays frames takes the time of another packet, or a time of decoding.
    bool is_guessed = ccover_counts_time(clip) || (ccover_may_lack_times(clip) && frame->pts == AV_NOPTS_VALUE &&
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
    interval = interval_after(clip, frame);
    bool is_known = time != AV_NOPTS_VALUE && interval > 0 && !__builtin_add_overflow(time, interval, &clock->next);
    if (!is_known) {
        clock->next = AV_NOPTS_VALUE;
    }
}

// MARK: Program streams

bool ccover_derives_times(const ccover_clip *clip) {
    return ccover_is_container(clip, "mpeg") && is_mpeg_1_or_2(clip);
}

// Whether a packet starts inside a picture, as the first one after a seek may.
static bool lacks_picture_header(const AVPacket *packet) {
    enum { PICTURE = 0x100, LAST_SLICE = 0x1af };
    for (int i = 0; i + 4 <= packet->size; i++) {
        uint32_t code = AV_RB32(packet->data + i);
        if (code >= PICTURE && code <= LAST_SLICE) {
            return code != PICTURE;
        }
    }
    return true;
}

void ccover_derive_times(ccover_clip *clip, AVPacket *packet) {
    if (clip->due == AV_NOPTS_VALUE && lacks_picture_header(packet)) {
        // The time is that of the first picture that starts in the unit.
        clip->due = packet->dts;
        packet->pts = packet->dts = AV_NOPTS_VALUE;
        return;
    }
    // Only the first picture in a unit of the container has a position and a time. For the others, libavformat makes up
    // times, which are wrong after a seek.
    if (packet->pos < 0 || packet->pts == AV_NOPTS_VALUE) {
        packet->dts = clip->due;
        packet->pts = packet->pts != AV_NOPTS_VALUE ? clip->due : AV_NOPTS_VALUE;
    }
    bool is_known = packet->dts != AV_NOPTS_VALUE && packet->duration > 0;
    clip->due = is_known ? av_sat_add64(packet->dts, packet->duration) : AV_NOPTS_VALUE;
}

int64_t ccover_derived_shown_time(ccover_clip *clip, const AVPacket *packet) {
    int64_t wait = packet->duration;
    bool is_open = ccover_derives_times(clip) && packet->pts == AV_NOPTS_VALUE && packet->dts != AV_NOPTS_VALUE;
    if (!is_open || wait <= 0 || holds_b_picture(packet)) {
        return ccover_shown_time(packet);
    }
    // The pictures that are predicted from this one and an earlier one are shown before it.
    const AVPacket *next;
    for (int i = 0; (next = ccover_packet_ahead(clip, i)) && holds_b_picture(next); i++) {
        wait = av_sat_add64(wait, next->duration);
    }
    return av_sat_add64(packet->dts, wait);
}

int64_t ccover_due_after(const ccover_clip *clip, int64_t shown, int64_t decoded) {
    int64_t interval = interval_of(clip->stream);
    // Otherwise the order in which frames are shown is unknown.
    bool is_in_order = shown != AV_NOPTS_VALUE && shown == decoded && clip->stream->codecpar->video_delay == 0;
    return ccover_may_lack_times(clip) && is_in_order && interval >= 0 ? av_sat_add64(shown, interval) : AV_NOPTS_VALUE;
}

// Whether a packet starts with a start code.
static bool has_start_code(const AVPacket *packet) {
    int zeros = 0;
    while (zeros < packet->size && packet->data[zeros] == 0) {
        zeros += 1;
    }
    return zeros >= 2 && zeros < packet->size && packet->data[zeros] == 1;
}

bool ccover_settle_times(ccover_clip *clip, AVPacket *packet) {
    // A seek leads to a unit of the container, which may begin inside a picture. Its times are those of the first
    // picture that starts in it, so not those of a key picture whose parameters are in the unit before.
    if (!has_start_code(packet) && ccover_lacks_parameters(clip->stream, packet)) {
        clip->due = packet->dts;
        clip->due_shown = packet->pts;
        return false;
    }
    if (packet->pts == AV_NOPTS_VALUE && packet->dts == AV_NOPTS_VALUE) {
        packet->dts = clip->due;
        packet->pts = clip->due_shown;
    }
    clip->due = clip->due_shown = AV_NOPTS_VALUE;
    return true;
}

// MARK: Raw streams

void ccover_choose_clock(ccover_clip *clip) {
    static const char *const formats[] = {"h264", "hevc", "dirac", "mpegvideo", "m4v"};
    AVFormatContext *format = clip->format;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        clip->count.is_used = clip->count.is_used || strcmp(format->iformat->name, formats[i]) == 0;
    }
    if (clip->count.is_used && format->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) {
        // The headers of raw streams give the largest rate, if any.
        format->duration = clip->stream->duration = AV_NOPTS_VALUE;
    }
}

void ccover_confirm_clock(ccover_clip *clip) {
    bool is_mpeg = clip->count.is_used && ccover_is_container(clip, "mpegvideo");
    const AVPacket *first = is_mpeg ? ccover_packet_ahead(clip, 0) : NULL;
    if (first && (first->flags & AV_PKT_FLAG_KEY) == 0) {
        clip->count.is_used = false;
        ccover_forget_packets(clip);
        av_seek_frame(clip->format, -1, 0, AVSEEK_FLAG_BYTE);
    }
}

bool ccover_counts_time(const ccover_clip *clip) {
    return clip->count.is_used;
}

// Whether a packet of Dirac holds a picture, and not only parameters or the end of the sequence.
static bool holds_dirac_picture(const AVPacket *packet) {
    enum { HEADER = 13, CODE = 4, NEXT = 5, PICTURE = 0x08 };
    int64_t at = 0;
    while (at + HEADER <= packet->size) {
        const uint8_t *unit = packet->data + at;
        uint32_t next = AV_RB32(unit + NEXT);
        if ((unit[CODE] & PICTURE) != 0) {
            return true;
        }
        at += next >= HEADER ? next : packet->size;
    }
    return false;
}

// Whether a packet of MPEG-4 says that a picture is not coded; no frame is decoded from it. Xvid writes such packets
// behind packets that hold two pictures, which the parser separates.
static bool replaces_packed_picture(const ccover_clip *clip, const AVPacket *packet) {
    enum { MOST_BYTES = 8 }; // a picture of a few blocks takes more
    return clip->stream->codecpar->video_delay > 0 && packet->size <= MOST_BYTES &&
           ccover_vop_type(packet) == CCOVER_VOP_P;
}

static bool holds_picture(const ccover_clip *clip, const AVPacket *packet) {
    switch (clip->stream->codecpar->codec_id) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
        return ccover_slice_type(clip->stream, packet) >= 0;
    case AV_CODEC_ID_DIRAC:
        return holds_dirac_picture(packet);
    case AV_CODEC_ID_MPEG4:
        return !replaces_packed_picture(clip, packet);
    default:
        return true;
    }
}

// Sets the duration of a packet to that of its frame. Returns the packet's share of it: two fields may have a packet
// each.
static int64_t set_duration(const ccover_clip *clip, AVPacket *packet) {
    enum { USUAL_RATE = 25 };
    const AVCodecParserContext *parser = av_stream_get_parser(clip->stream);
    int64_t usual = av_rescale_q(1, (AVRational){1, USUAL_RATE}, clip->stream->time_base);
    int64_t duration = packet->duration > 0 ? packet->duration : usual;
    bool is_field = parser && (parser->picture_structure == AV_PICTURE_STRUCTURE_TOP_FIELD ||
                               parser->picture_structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD);
    packet->duration = is_field ? 2 * duration : duration;
    return duration;
}

// Makes room for one more key picture. Returns false if memory ran out.
static bool grow(ccover_count *count) {
    if (count->key_count < count->key_room) {
        return true;
    }
    int room = count->key_room > 0 ? 2 * count->key_room : 64;
    ccover_key_position *larger = av_realloc_array(count->keys, (size_t)room, sizeof(count->keys[0]));
    if (!larger) {
        return false;
    }
    count->keys = larger;
    count->key_room = room;
    return true;
}

// Remembers where a key picture starts, but not of every picture where all are key pictures. The index of libavformat
// is of no use, because it holds times that libavformat made up after seeks.
static void remember_key(ccover_clip *clip, const AVPacket *packet) {
    ccover_count *count = &clip->count;
    int64_t second = av_rescale_q(1, (AVRational){1, 1}, clip->stream->time_base);
    bool is_far = count->key_count == 0 || packet->dts - count->keys[count->key_count - 1].time >= second / 2;
    if ((packet->flags & AV_PKT_FLAG_KEY) != 0 && packet->pos >= 0 && is_far && grow(count)) {
        count->keys[count->key_count++] = (ccover_key_position){.time = packet->dts, .byte = packet->pos};
    }
}

void ccover_count_packet(ccover_clip *clip, AVPacket *packet) {
    ccover_count *count = &clip->count;
    packet->pts = AV_NOPTS_VALUE;
    packet->dts = count->next;
    if (!holds_picture(clip, packet)) {
        return;
    }
    if (count->next >= count->end) {
        remember_key(clip, packet);
    }
    count->next = av_sat_add64(count->next, set_duration(clip, packet));
    count->end = FFMAX(count->end, count->next);
}

// Whether decoding can start at the packet, but not of the pictures that are shown before its own.
static bool starts_open_group(const ccover_clip *clip, const AVPacket *packet) {
    switch (clip->stream->codecpar->codec_id) {
    case AV_CODEC_ID_HEVC:
        return ccover_is_hevc_key(clip->stream, packet);
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_MPEG2VIDEO:
        return !ccover_starts_closed_group(packet);
    case AV_CODEC_ID_MPEG4:
        return true;
    default:
        return false;
    }
}

// Whether the decoder drops the picture of a packet after the key picture of an open group.
static bool is_dropped(const ccover_clip *clip, const AVPacket *packet) {
    int type;
    switch (clip->stream->codecpar->codec_id) {
    case AV_CODEC_ID_HEVC:
        type = ccover_slice_type(clip->stream, packet);
        return type == CCOVER_HEVC_RASL_N || type == CCOVER_HEVC_RASL_R;
    case AV_CODEC_ID_MPEG4:
        return ccover_vop_type(packet) == CCOVER_VOP_B;
    default:
        return holds_b_picture(packet);
    }
}

// How long the pictures after a key picture are shown that the decoder drops, because they are predicted from earlier
// pictures as well. They would be shown before the key picture. They start `index` packets ahead.
static int64_t dropped_after(ccover_clip *clip, const AVPacket *key, int index) {
    int64_t duration = 0;
    const AVPacket *next = starts_open_group(clip, key) ? ccover_packet_ahead(clip, index) : NULL;
    while (next && is_dropped(clip, next)) {
        duration = av_sat_add64(duration, next->duration);
        index += 1;
        next = ccover_packet_ahead(clip, index);
    }
    return duration;
}

void ccover_start_clock(ccover_clip *clip, AVPacket *packet) {
    if (ccover_counts_time(clip)) {
        clip->clock.next = av_sat_add64(packet->dts, dropped_after(clip, packet, 0));
    } else if (lacks_shown_times(clip, packet)) {
        clip->clock.is_late = true;
        clip->clock.next = ccover_shown_time(packet);
    } else if (ccover_derives_times(clip) && packet == clip->packet) {
        packet->pts = ccover_derived_shown_time(clip, packet);
    }
}

void ccover_note_sent(ccover_clip *clip, AVPacket *packet) {
    // libavformat takes times of decoding from those of presentation, as if these were right.
    if (clip->clock.is_late && packet->pts != AV_NOPTS_VALUE) {
        packet->dts = packet->pts;
    }
    clip->clock.sent = packet->dts;
}

int64_t ccover_counted_start(ccover_clip *clip, const AVPacket *first) {
    return dropped_after(clip, first, 1);
}

// The last key picture up to a time that is known; the beginning without one.
static ccover_key_position last_key_until(const ccover_count *count, int64_t time) {
    int first = 0, end = count->key_count;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (count->keys[middle].time <= time) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first > 0 ? count->keys[first - 1] : (ccover_key_position){0};
}

static bool go_to(ccover_clip *clip, ccover_key_position key) {
    ccover_forget_packets(clip);
    clip->count.next = key.time;
    return av_seek_frame(clip->format, -1, key.byte, AVSEEK_FLAG_BYTE) >= 0;
}

// Reads on, without decoding, from the last known key picture to the time, or to the end.
static void count_up_to(ccover_clip *clip, int64_t time) {
    bool is_there = go_to(clip, last_key_until(&clip->count, INT64_MAX));
    while (is_there && clip->count.next <= time && ccover_next_packet(clip) >= 0) {
        av_packet_unref(clip->packet);
    }
}

bool ccover_seek_by_count(ccover_clip *clip, int64_t time) {
    if (time >= clip->count.end) {
        count_up_to(clip, time);
    }
    return go_to(clip, last_key_until(&clip->count, time));
}

int64_t ccover_count_all(ccover_clip *clip) {
    count_up_to(clip, INT64_MAX);
    return clip->count.end;
}
