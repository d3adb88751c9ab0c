// Raw streams, which have no times: the packets are counted, each for as long as its header says.
//
// libavformat makes up times for most of them, but not for H.264 and HEVC, and wrong ones for Dirac, MPEG-1, MPEG-2 and
// MPEG-4. There, frames are counted from the packet at which decoding started.

#include "Demuxing/demuxing.h"

#include <libavutil/mem.h>

void ccover_choose_clock(ccover_demuxer *demuxer) {
    AVFormatContext *format = demuxer->format;
    demuxer->clock.packets.is_used = demuxer->kind->has_no_times;
    if (demuxer->clock.packets.is_used && format->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) {
        // The headers of raw streams give the largest rate, if any.
        format->duration = demuxer->stream->duration = AV_NOPTS_VALUE;
    }
}

void ccover_confirm_clock(ccover_demuxer *demuxer) {
    bool is_mpeg = demuxer->clock.packets.is_used && ccover_is_container(demuxer, "mpegvideo");
    const AVPacket *first = is_mpeg ? ccover_packet_ahead(demuxer, 0) : NULL;
    if (first && (first->flags & AV_PKT_FLAG_KEY) == 0) {
        demuxer->clock.packets.is_used = false;
        ccover_forget_packets(demuxer);
        av_seek_frame(demuxer->format, -1, 0, AVSEEK_FLAG_BYTE);
    }
}

bool ccover_counts_time(const ccover_demuxer *demuxer) {
    return demuxer->clock.packets.is_used;
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
static bool replaces_packed_picture(const ccover_demuxer *demuxer, const AVPacket *packet) {
    enum { MOST_BYTES = 8 }; // a picture of a few blocks takes more
    return demuxer->stream->codecpar->video_delay > 0 && packet->size <= MOST_BYTES &&
           ccover_vop_type(packet) == CCOVER_VOP_P;
}

static bool holds_picture(const ccover_demuxer *demuxer, const AVPacket *packet) {
    switch (demuxer->stream->codecpar->codec_id) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
        return ccover_slice_type(demuxer->stream, packet) >= 0;
    case AV_CODEC_ID_DIRAC:
        return holds_dirac_picture(packet);
    case AV_CODEC_ID_MPEG4:
        return !replaces_packed_picture(demuxer, packet);
    default:
        return true;
    }
}

// Sets the duration of a packet to that of its frame. Returns the packet's share of it: two fields may have a packet
// each.
static int64_t set_duration(const ccover_demuxer *demuxer, AVPacket *packet) {
    enum { USUAL_RATE = 25 };
    const AVCodecParserContext *parser = av_stream_get_parser(demuxer->stream);
    int64_t usual = av_rescale_q(1, (AVRational){1, USUAL_RATE}, demuxer->stream->time_base);
    int64_t duration = packet->duration > 0 ? packet->duration : usual;
    bool is_field = parser && (parser->picture_structure == AV_PICTURE_STRUCTURE_TOP_FIELD ||
                               parser->picture_structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD);
    packet->duration = is_field ? 2 * duration : duration;
    return duration;
}

// Makes room for one more key picture. Returns false if memory ran out.
static bool grow(ccover_packet_clock *count) {
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
static void remember_key(ccover_demuxer *demuxer, const AVPacket *packet) {
    ccover_packet_clock *count = &demuxer->clock.packets;
    int64_t second = av_rescale_q(1, (AVRational){1, 1}, demuxer->stream->time_base);
    bool is_far = count->key_count == 0 || packet->dts - count->keys[count->key_count - 1].time >= second / 2;
    if ((packet->flags & AV_PKT_FLAG_KEY) != 0 && packet->pos >= 0 && is_far && grow(count)) {
        count->keys[count->key_count++] = (ccover_key_position){.time = packet->dts, .byte = packet->pos};
    }
}

void ccover_count_packet(ccover_demuxer *demuxer, AVPacket *packet) {
    ccover_packet_clock *count = &demuxer->clock.packets;
    packet->pts = AV_NOPTS_VALUE;
    packet->dts = count->next;
    if (!holds_picture(demuxer, packet)) {
        return;
    }
    if (count->next >= count->end) {
        remember_key(demuxer, packet);
    }
    count->next = av_sat_add64(count->next, set_duration(demuxer, packet));
    count->end = FFMAX(count->end, count->next);
}

// Whether decoding can start at the packet, but not of the pictures that are shown before its own.
static bool starts_open_group(const ccover_demuxer *demuxer, const AVPacket *packet) {
    switch (demuxer->stream->codecpar->codec_id) {
    case AV_CODEC_ID_HEVC:
        return ccover_is_hevc_key(demuxer->stream, packet);
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
static bool is_dropped(const ccover_demuxer *demuxer, const AVPacket *packet) {
    int type;
    switch (demuxer->stream->codecpar->codec_id) {
    case AV_CODEC_ID_HEVC:
        type = ccover_slice_type(demuxer->stream, packet);
        return type == CCOVER_HEVC_RASL_N || type == CCOVER_HEVC_RASL_R;
    case AV_CODEC_ID_MPEG4:
        return ccover_vop_type(packet) == CCOVER_VOP_B;
    default:
        return ccover_holds_b_picture(packet);
    }
}

int64_t ccover_dropped_after(ccover_demuxer *demuxer, const AVPacket *key, int index) {
    int64_t duration = 0;
    const AVPacket *next = starts_open_group(demuxer, key) ? ccover_packet_ahead(demuxer, index) : NULL;
    while (next && is_dropped(demuxer, next)) {
        duration = av_sat_add64(duration, next->duration);
        index += 1;
        next = ccover_packet_ahead(demuxer, index);
    }
    return duration;
}

// The last key picture up to a time that is known; the beginning without one.
static ccover_key_position last_key_until(const ccover_packet_clock *count, int64_t time) {
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

static bool go_to(ccover_demuxer *demuxer, ccover_key_position key) {
    ccover_forget_packets(demuxer);
    demuxer->clock.packets.next = key.time;
    return av_seek_frame(demuxer->format, -1, key.byte, AVSEEK_FLAG_BYTE) >= 0;
}

// Reads on, without decoding, from the last known key picture to the time, or to the end.
static void count_up_to(ccover_demuxer *demuxer, int64_t time) {
    bool is_there = go_to(demuxer, last_key_until(&demuxer->clock.packets, INT64_MAX));
    while (is_there && demuxer->clock.packets.next <= time && ccover_next_packet(demuxer) >= 0) {
        av_packet_unref(demuxer->packet);
    }
}

bool ccover_seek_by_count(ccover_demuxer *demuxer, int64_t time) {
    if (time >= demuxer->clock.packets.end) {
        count_up_to(demuxer, time);
    }
    return go_to(demuxer, last_key_until(&demuxer->clock.packets, time));
}

int64_t ccover_count_all(ccover_demuxer *demuxer) {
    count_up_to(demuxer, INT64_MAX);
    return demuxer->clock.packets.end;
}
