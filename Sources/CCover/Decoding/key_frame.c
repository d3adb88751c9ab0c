// Finding the key frame at or before a given time, without decoding the frames between them.

#include "Decoding/decoding.h"

// A search for the last key frame that is not later than `time`. All times are in ticks of the stream: `start` is its
// first one, and `second` the number in a second.
typedef struct key_search {
    int64_t time, start, second;
    bool by_decoding;    // by the flags of decoded frames; otherwise by those of packets
    bool are_all_marked; // all of several packets are marked as key frames
} key_search;

// Reads packets until one is decoded later than the time, so that every key frame up to then has been seen, and stores
// the last of these. Returns false if no key frame is found, or if the clip ends a second or more before the time.
static bool read_key_packet(ccover_clip *clip, key_search *search) {
    ccover_position *position = clip->position;
    int64_t last = INT64_MIN, next_time = AV_NOPTS_VALUE;
    bool found = false, is_first = false, is_past = false;
    int marked = 0, unmarked = 0;
    while (!is_past && ccover_next_packet(clip->demuxer) >= 0) {
        AVPacket *packet = clip->demuxer->packet;
        int64_t shown = ccover_derived_shown_time(clip->demuxer, packet), decoded = ccover_decoded_time(packet);
        shown = shown != AV_NOPTS_VALUE ? shown : next_time;
        decoded = decoded != AV_NOPTS_VALUE ? decoded : next_time;
        next_time = ccover_time_after(clip->demuxer, shown, decoded);
        bool is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0 &&
                      (packet->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) == 0;
        marked += is_key;
        unmarked += !is_key;
        is_past = decoded != AV_NOPTS_VALUE && decoded > search->time;
        last = FFMAX(shown, last);
        if (is_key && shown != AV_NOPTS_VALUE && shown <= search->time) {
            position->key = (ccover_key){.shown = shown, .decoded = decoded, .target_pts = search->time};
            av_packet_unref(position->key_packet);
            av_packet_move_ref(position->key_packet, packet);
            found = true;
            is_first = marked + unmarked == 1;
        }
        av_packet_unref(packet);
    }
    search->are_all_marked = marked > 1 && unmarked == 0;
    ccover_set_at_beginning(clip->damage, !clip->damage->is_past_beginning && is_first);
    return found && (is_past || last > av_sat_sub64(search->time, search->second));
}

// Decodes the packet of a key frame without any others and keeps its frame. Returns false if it is not intact; sets
// `is_decoded` if there is a frame at all.
static bool keep_packet_alone(ccover_clip *clip, bool *is_decoded) {
    AVPacket *key = clip->position->key_packet;
    if (!clip->demuxer->kind->holds_whole_pictures || !key->data) {
        return false;
    }
    ccover_note_packet(clip, clip->position->decoder, key);
    *is_decoded = ccover_decode_alone(clip->position->decoder, &key, 1, clip->position->decoding_frame);
    ccover_enter_phase(clip->damage, CCOVER_PHASE_ENDED);
    ccover_count_sent(clip->demuxer, 1);
    bool is_good =
        *is_decoded && ccover_is_clean(clip) && ccover_is_key_frame(clip->demuxer, clip->position->decoding_frame);
    if (is_good) {
        clip->position->frames_decoded += 1;
        ccover_keep(clip->position, clip->position->decoding_frame);
    }
    av_frame_unref(clip->position->decoding_frame);
    return is_good;
}

// Decodes frames until the one of the key packet, and keeps the last intact key frame that is not later than `time`.
// Its time can differ from that of the packet in containers that store no presentation times. Returns whether a frame
// was kept.
static bool decode_up_to(ccover_clip *clip, int64_t key_time, int64_t time) {
    bool is_reached = false;
    while (!is_reached && ccover_next_frame(clip) >= 0) {
        int64_t shown = ccover_timestamp(clip->position->decoding_frame);
        bool is_past = shown == ccover_unknown_time || shown > time;
        if (ccover_is_clean(clip) && !is_past && ccover_is_key_frame(clip->demuxer, clip->position->decoding_frame)) {
            ccover_keep(clip->position, clip->position->decoding_frame);
            is_reached = shown >= key_time;
        }
        is_reached = is_reached || is_past;
    }
    av_frame_unref(clip->position->decoding_frame);
    return clip->position->frame->buf[0] != NULL;
}

// Drops packets before the packet that is decoded at the time, which stays as the first ahead. Returns false if no such
// packet follows.
static bool skip_to_packet(ccover_clip *clip, int64_t time) {
    const AVPacket *packet;
    while ((packet = ccover_packet_ahead(clip->demuxer, 0))) {
        int64_t decoded = ccover_decoded_time(packet);
        if (decoded != AV_NOPTS_VALUE && decoded >= time) {
            return decoded == time;
        }
        ccover_drop_packets(clip->demuxer, 1);
        ccover_set_at_beginning(clip->damage, false);
    }
    return false;
}

// Seeks to a second before the key frame, or to the beginning.
static bool seek_before_key(ccover_clip *clip, ccover_key key, int64_t second) {
    int64_t earlier = av_sat_sub64(key.decoded, second);
    return ccover_seek(clip, earlier, earlier <= ccover_start_of(clip->demuxer->stream));
}

bool ccover_move_to_key(ccover_clip *clip, ccover_key key, int64_t second) {
    // In a container without an index, the seek may overshoot.
    return (ccover_seek(clip, key.decoded, false) && skip_to_packet(clip, key.decoded)) ||
           (seek_before_key(clip, key, second) && skip_to_packet(clip, key.decoded));
}

// Decodes from the packet of the key frame on, which need not hold all of the frame.
static bool decode_in_order(ccover_clip *clip, ccover_key key, int64_t second) {
    bool is_first = !clip->damage->is_past_beginning;
    // In a program stream, the times of packets depend on where reading began.
    return (ccover_move_to_key(clip, key, second) && decode_up_to(clip, key.shown, key.target_pts)) ||
           (ccover_seek(clip, key.decoded, false) && decode_up_to(clip, key.shown, key.target_pts)) ||
           (seek_before_key(clip, key, second) && decode_up_to(clip, key.shown, key.target_pts)) ||
           (is_first && ccover_seek(clip, key.decoded, true) && decode_up_to(clip, key.shown, key.target_pts));
}

// Searches from the current position on.
static bool search_here(ccover_clip *clip, key_search *search) {
    return search->by_decoding ? decode_up_to(clip, INT64_MAX, search->time) : read_key_packet(clip, search);
}

// Searches from several positions; the last one is the beginning.
static bool find_key(ccover_clip *clip, key_search *search) {
    bool found = false;
    int64_t from;
    int attempt = 0;
    while (!found && ccover_time_to_seek(search->time, search->start, search->second, attempt++, &from)) {
        found = ccover_seek(clip, from, false) && search_here(clip, search);
    }
    return found || (ccover_seek(clip, search->start, true) && search_here(clip, search));
}

// In H.264, a packet marked as a key frame may only begin a gradual refresh, and without PTS, a key frame may be shown
// later than its packet suggests. Then an earlier one is used. If the marks mean nothing, everything up to the time is
// decoded, which is slow.
bool ccover_decode_key_frame_at(ccover_clip *clip, int64_t time, int64_t start, int64_t second) {
    enum { MAX_REJECTED = 4 };
    key_search search = {.time = time, .start = start, .second = second};
    for (int tries = 0; tries < MAX_REJECTED && search.time >= start && find_key(clip, &search); tries++) {
        bool is_decoded = false;
        if (keep_packet_alone(clip, &is_decoded) ||
            (!is_decoded && decode_in_order(clip, clip->position->key, second))) {
            return true;
        }
        if (search.are_all_marked) {
            ccover_distrust_keys(clip);
        }
        if (clip->damage->has_false_keys || ccover_deadline_passed(&clip->demuxer->input)) {
            break;
        }
        search.time = av_sat_sub64(clip->position->key.shown, 1);
    }
    search = (key_search){.time = time, .start = start, .second = second, .by_decoding = true};
    return clip->damage->has_false_keys && find_key(clip, &search);
}

// The index of an MP4 or MOV file may have a later key frame than the one found, because FFmpeg's parser does not
// recognise a damaged one as such. Without it, an earlier frame would be shown as if nothing were damaged.
static void trust_index(ccover_clip *clip, int64_t time) {
    enum { MAX_ENTRIES = 4 };
    ccover_position *position = clip->position;
    int64_t before = time;
    for (int i = 0; ccover_is_container(clip->demuxer, CCOVER_MOVIE) && i < MAX_ENTRIES; i++) {
        const AVIndexEntry *entry =
            avformat_index_get_entry_from_timestamp(clip->demuxer->stream, before, AVSEEK_FLAG_BACKWARD);
        if (!entry || (entry->flags & AVINDEX_KEYFRAME) == 0 || entry->timestamp <= position->key.decoded ||
            entry->timestamp > before) {
            return;
        }
        int64_t dts = entry->timestamp;
        bool is_there = ccover_seek(clip, dts, false) && skip_to_packet(clip, dts); // the seek may end earlier
        int64_t pts = is_there ? ccover_packet_ahead(clip->demuxer, 0)->pts : AV_NOPTS_VALUE;
        if (pts != AV_NOPTS_VALUE && pts <= time) {
            position->key = (ccover_key){.shown = pts, .decoded = dts, .target_pts = position->key.target_pts};
            av_packet_unref(position->key_packet);
            return;
        }
        before = av_sat_sub64(dts, 1);
    }
}

bool ccover_find_key_packet(ccover_clip *clip, int64_t time, int64_t start, int64_t second, bool trusts_index) {
    key_search search = {.time = time, .start = start, .second = second};
    bool is_found = find_key(clip, &search);
    if (is_found && trusts_index) {
        trust_index(clip, time);
    }
    return is_found;
}

// A packet that holds only the first field of a picture cannot be decoded alone; ffmpeg writes such packets also into
// containers whose packets should hold whole pictures.
bool ccover_decode_found_key_frame(ccover_clip *clip, int64_t second, bool alone) {
    bool is_decoded;
    return (alone && keep_packet_alone(clip, &is_decoded)) || decode_in_order(clip, clip->position->key, second);
}
