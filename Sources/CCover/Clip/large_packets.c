// Finding frames that show something without decoding them: by the size of their packets.

#include "Clip/clip.h"

#include <string.h>

// The largest packet in each of several parts of equal duration.
typedef struct parts {
    ccover_large_packet *largest; // by part; 0 bytes if the part has no packet
    int count;
    int64_t microseconds; // the duration of all parts together
} parts;

static void add(const ccover_demuxer *demuxer, parts *parts, int64_t time, int64_t bytes, bool is_key) {
    int64_t ticks;
    if (time == AV_NOPTS_VALUE || __builtin_sub_overflow(time, ccover_start_of(demuxer->stream), &ticks)) {
        return;
    }
    int64_t shown = av_rescale_q(ticks, demuxer->stream->time_base, AV_TIME_BASE_Q);
    shown = FFMAX(shown, 0);
    if (shown >= parts->microseconds) {
        return;
    }
    int64_t number = av_rescale_rnd(shown, parts->count, parts->microseconds, AV_ROUND_DOWN);
    ccover_large_packet *part = &parts->largest[number];
    if (bytes > part->bytes) {
        *part = (ccover_large_packet){.microseconds = shown, .bytes = bytes, .is_key = is_key};
    }
}

// Adds the packets in the index of a container that stores their sizes there. Returns false if it is
// another container, or if the index has gaps or ends too early, as in a fragmented file.
static bool add_from_index(const ccover_demuxer *demuxer, parts *parts) {
    AVStream *stream = demuxer->stream;
    int count = avformat_index_get_entries_count(stream);
    if ((!ccover_is_movie(demuxer->format) && !ccover_is_container(demuxer, "avi")) || count == 0 ||
        ccover_lists_fragments(demuxer)) {
        return false;
    }
    const AVIndexEntry *last = avformat_index_get_entry(stream, count - 1);
    int64_t end = av_rescale_q(last->timestamp, stream->time_base, AV_TIME_BASE_Q);
    if (end < parts->microseconds - parts->microseconds / parts->count) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        if ((entry->flags & AVINDEX_DISCARD_FRAME) == 0) {
            add(demuxer, parts, entry->timestamp, entry->size, (entry->flags & AVINDEX_KEYFRAME) != 0);
        }
    }
    return true;
}

// Reads the packets from the beginning on.
static void add_from_packets(ccover_clip *clip, parts *parts, int64_t max_bytes) {
    int64_t first_byte = clip->demuxer->input.bytes_read;
    bool is_read = ccover_seek(clip, ccover_start_of(clip->demuxer->stream), true);
    while (is_read && clip->demuxer->input.bytes_read - first_byte < max_bytes &&
           ccover_next_packet(clip->demuxer) >= 0) {
        const AVPacket *packet = clip->demuxer->packet;
        if ((packet->flags & AV_PKT_FLAG_DISCARD) == 0) {
            add(clip->demuxer, parts, ccover_shown_time(packet), packet->size, (packet->flags & AV_PKT_FLAG_KEY) != 0);
        }
        av_packet_unref(clip->demuxer->packet);
    }
}

int ccover_list_large_packets(ccover_clip *clip, ccover_large_packet *result, int capacity, int64_t max_bytes) {
    parts parts = {.largest = result, .count = capacity, .microseconds = ccover_duration_microseconds(clip->demuxer)};
    if (capacity <= 0 || parts.microseconds <= 0) {
        return 0;
    }
    memset(result, 0, (size_t)capacity * sizeof(*result));
    ccover_log_begin();
    if (!add_from_index(clip->demuxer, &parts)) {
        add_from_packets(clip, &parts, max_bytes);
    }
    int count = 0;
    for (int i = 0; i < capacity; i++) {
        if (result[i].bytes > 0) {
            result[count++] = result[i];
        }
    }
    return count;
}
