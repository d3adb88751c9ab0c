// Finding the key frame at or before a given time, without decoding the frames between them.

#include "compat.h"
#include "internal.h"

static int64_t known_or(int64_t time, int64_t otherwise) {
    return time != AV_NOPTS_VALUE ? time : otherwise;
}

// Reads packets until one is decoded later than `time`, so that every key frame up to then has been seen, and moves the
// last of these to `key`. Returns false if there is none, or if the clip ends a second or more before the time.
static bool read_key_packet(ccover_clip *clip, int64_t time, int64_t second, AVPacket *key) {
    int64_t last = INT64_MIN;
    bool found = false, is_past = false;
    while (!is_past && ccover_next_packet(clip) >= 0) {
        AVPacket *packet = clip->packet;
        int64_t shown = known_or(packet->pts, packet->dts), decoded = known_or(packet->dts, packet->pts);
        bool is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0 &&
                      (packet->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) == 0;
        is_past = decoded != AV_NOPTS_VALUE && decoded > time;
        last = shown > last ? shown : last;
        if (is_key && shown != AV_NOPTS_VALUE && shown <= time) {
            av_packet_unref(key);
            av_packet_move_ref(key, packet);
            found = true;
        }
        av_packet_unref(packet);
    }
    return found && (is_past || last > av_sat_sub64(time, second));
}

// Decodes the packet of a key frame without any others and keeps its frame. Returns false if it is not intact.
static bool keep_packet_alone(ccover_clip *clip, AVPacket *key) {
    ccover_note_packet(clip, key);
    bool is_decoded = ccover_decode_alone(clip->decoder, &key, 1, clip->spare);
    clip->reached_end = true;
    clip->packets_read += 1;
    bool is_good = is_decoded && ccover_compat_is_key_frame(clip->spare) && ccover_is_clean(clip);
    if (is_good) {
        clip->frames_decoded += 1;
        ccover_keep_spare(clip);
    }
    av_frame_unref(clip->spare);
    return is_good;
}

// Decodes frames until the one of the key packet, and keeps the last intact key frame that is not later than `time`.
// Its time can differ from that of the packet in containers that store no presentation times. Returns whether a frame
// was kept.
static bool decode_up_to(ccover_clip *clip, int64_t key_time, int64_t time) {
    bool is_reached = false;
    while (!is_reached && ccover_next_frame(clip) >= 0) {
        int64_t shown = ccover_timestamp(clip->spare);
        bool is_past = shown == ccover_unknown_time || shown > time;
        if (ccover_is_clean(clip) && !is_past && ccover_compat_is_key_frame(clip->spare)) {
            ccover_keep_spare(clip);
            is_reached = shown >= key_time;
        }
        is_reached = is_reached || is_past;
    }
    av_frame_unref(clip->spare);
    return clip->frame->buf[0] != NULL;
}

// Decodes from the key packet on, or from a second earlier if the seek overshot. To be used where a packet may hold
// only the first field of a picture, so that it cannot be decoded alone.
static bool decode_in_order(ccover_clip *clip, const AVPacket *key, int64_t time, int64_t second) {
    int64_t shown = known_or(key->pts, key->dts), from = known_or(key->dts, key->pts);
    return (ccover_seek(clip, from, false) && decode_up_to(clip, shown, time)) ||
           (ccover_seek(clip, av_sat_sub64(from, second), false) && decode_up_to(clip, shown, time));
}

// Finds the key frame from the current position on.
static bool keep_key_frame(ccover_clip *clip, int64_t time, int64_t second) {
    AVPacket *key = av_packet_alloc();
    bool found = key && read_key_packet(clip, time, second, key) &&
                 (ccover_holds_whole_pictures(clip->format) ? keep_packet_alone(clip, key)
                                                            : decode_in_order(clip, key, time, second));
    av_packet_free(&key);
    return found;
}

bool ccover_decode_key_frame_at(ccover_clip *clip, int64_t time, int64_t start, int64_t second) {
    int64_t from;
    for (int attempt = 0; ccover_time_to_seek(time, start, second, attempt, &from); attempt++) {
        if (ccover_seek(clip, from, false) && keep_key_frame(clip, time, second)) {
            return true;
        }
    }
    return ccover_seek(clip, start, true) && keep_key_frame(clip, time, second);
}

// MARK: In two steps

bool ccover_find_key_packet(ccover_clip *clip, int64_t time, int64_t start, int64_t second) {
    AVPacket *key = av_packet_alloc();
    bool found = false;
    int64_t from;
    for (int attempt = 0; key && !found && ccover_time_to_seek(time, start, second, attempt, &from); attempt++) {
        found = ccover_seek(clip, from, false) && read_key_packet(clip, time, second, key);
    }
    found = found || (key && ccover_seek(clip, start, true) && read_key_packet(clip, time, second, key));
    if (found) {
        clip->key_pts = known_or(key->pts, key->dts);
        clip->key_dts = known_or(key->dts, key->pts);
    }
    av_packet_free(&key);
    return found;
}

// Drops the packets before the one of the key frame. Returns false if it does not follow.
static bool skip_to_key_packet(ccover_clip *clip) {
    const AVPacket *packet;
    while ((packet = ccover_packet_ahead(clip, 0))) {
        int64_t decoded = known_or(packet->dts, packet->pts);
        if (decoded != AV_NOPTS_VALUE && decoded >= clip->key_dts) {
            return decoded == clip->key_dts;
        }
        ccover_drop_packets(clip, 1);
    }
    return false;
}

bool ccover_decode_found_key_frame(ccover_clip *clip, int64_t second) {
    // In a container without an index, the seek may overshoot.
    bool is_there = (ccover_seek(clip, clip->key_dts, false) && skip_to_key_packet(clip)) ||
                    (ccover_seek(clip, av_sat_sub64(clip->key_dts, second), false) && skip_to_key_packet(clip));
    return is_there && decode_up_to(clip, clip->key_pts, clip->key_pts);
}
