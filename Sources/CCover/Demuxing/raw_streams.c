// Raw streams, which have no times: the packets are counted, each with the duration in its header.
//
// libavformat makes up times for most of them, but not for H.264 and HEVC, and wrong ones for Dirac, MPEG-1, MPEG-2 and
// MPEG-4. There, frames are counted from the packet that decoding started with.

#include "Demuxing/demuxing.h"

void ccover_choose_clock(ccover_demuxer *demuxer) {
    AVFormatContext *format = demuxer->format;
    ccover_packet_clock *clock = &demuxer->clock.packets;
    clock->index = demuxer->kind->has_no_times ? avformat_alloc_context() : NULL;
    clock->keys = clock->index ? avformat_new_stream(clock->index, NULL) : NULL;
    clock->is_used = clock->keys != NULL;
    if (clock->is_used && format->duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) {
        // The headers of raw streams give the largest rate, if any.
        format->duration = demuxer->stream->duration = AV_NOPTS_VALUE;
    }
}

void ccover_confirm_clock(ccover_demuxer *demuxer) {
    // A copy reads its packets without this module, and needs all of them.
    bool is_mpeg = demuxer->clock.packets.is_used && !demuxer->all_streams && ccover_is_container(demuxer, "mpegvideo");
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

// Records key-frame positions; thinned out for intra-only streams. The index of the stream itself is of no use, because
// it holds times that libavformat made up after seeks.
static void remember_key(ccover_demuxer *demuxer, const AVPacket *packet) {
    AVStream *keys = demuxer->clock.packets.keys;
    int64_t second = av_rescale_q(1, (AVRational){1, 1}, demuxer->stream->time_base);
    const AVIndexEntry *last = avformat_index_get_entry(keys, avformat_index_get_entries_count(keys) - 1);
    bool is_far = !last || packet->dts - last->timestamp >= second / 2;
    if ((packet->flags & AV_PKT_FLAG_KEY) != 0 && packet->pos >= 0 && is_far) {
        av_add_index_entry(keys, packet->pos, packet->dts, 0, 0, AVINDEX_KEYFRAME);
    }
}

void ccover_count_packet(ccover_demuxer *demuxer, AVPacket *packet) {
    enum { MOST_BYTES = 8 }; // a picture of a few blocks takes more
    ccover_packet_clock *count = &demuxer->clock.packets;
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    ccover_picture_kind kind = ccover_picture_kind_of(parameters, packet);
    packet->pts = AV_NOPTS_VALUE;
    packet->dts = count->next;
    // No frame is decoded from it. Behind packets that hold two pictures of MPEG-4, which the parser separates, Xvid
    // writes a picture that is not coded.
    bool may_be_uncoded = parameters->codec_id == AV_CODEC_ID_MPEG4 && parameters->video_delay > 0;
    if (kind == CCOVER_PICTURE_NONE ||
        (may_be_uncoded && packet->size <= MOST_BYTES && kind == CCOVER_PICTURE_OTHER)) {
        return;
    }
    if (count->next >= count->end) {
        remember_key(demuxer, packet);
    }
    count->next = av_sat_add64(count->next, set_duration(demuxer, packet));
    count->end = FFMAX(count->end, count->next);
}

int64_t ccover_dropped_after(ccover_demuxer *demuxer, const AVPacket *key, int index) {
    int64_t duration = 0;
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    bool is_open = ccover_picture_kind_of(parameters, key) == CCOVER_PICTURE_OPEN_KEY;
    const AVPacket *next = is_open ? ccover_packet_ahead(demuxer, index) : NULL;
    while (next && ccover_picture_kind_of(parameters, next) == CCOVER_PICTURE_B) {
        duration = av_sat_add64(duration, next->duration);
        index += 1;
        next = ccover_packet_ahead(demuxer, index);
    }
    return duration;
}

// Goes to the last key picture up to a time that is known, or to the beginning without one.
static bool go_to(ccover_demuxer *demuxer, int64_t time) {
    const AVIndexEntry *key =
        avformat_index_get_entry_from_timestamp(demuxer->clock.packets.keys, time, AVSEEK_FLAG_BACKWARD);
    ccover_forget_packets(demuxer);
    demuxer->clock.packets.next = key ? key->timestamp : 0;
    return av_seek_frame(demuxer->format, -1, key ? key->pos : 0, AVSEEK_FLAG_BYTE) >= 0;
}

// Reads on, without decoding, from the last known key picture to the time, or to the end.
static void count_up_to(ccover_demuxer *demuxer, int64_t time) {
    bool is_there = go_to(demuxer, INT64_MAX);
    while (is_there && demuxer->clock.packets.next <= time && ccover_next_packet(demuxer) >= 0) {
        av_packet_unref(demuxer->packet);
    }
}

bool ccover_seek_by_count(ccover_demuxer *demuxer, int64_t time) {
    if (time >= demuxer->clock.packets.end) {
        count_up_to(demuxer, time);
    }
    return go_to(demuxer, time);
}

int64_t ccover_count_all(ccover_demuxer *demuxer) {
    count_up_to(demuxer, INT64_MAX);
    return demuxer->clock.packets.end;
}
