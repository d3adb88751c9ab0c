// The start time of the stream.
//
// libavformat takes it from the first packet, although pictures that follow may be shown before it, or from another
// stream, if it did not reach the first packet.

#include "Decoding/decoding.h"

int64_t ccover_start_of(const AVStream *stream) {
    return stream->start_time != AV_NOPTS_VALUE ? stream->start_time : 0;
}

int64_t ccover_first_time(const ccover_demuxer *demuxer) {
    int64_t start = demuxer->stream->start_time;
    return start != AV_NOPTS_VALUE ? start : demuxer->clock.first_time;
}

// Lets the stream start at another time, but end at the same.
static void move_start(AVStream *stream, int64_t start) {
    int64_t duration = av_sat_add64(stream->duration, av_sat_sub64(stream->start_time, start));
    if (stream->duration != AV_NOPTS_VALUE && duration > 0) {
        stream->duration = duration;
    }
    stream->start_time = start;
}

// MARK: Leading pictures

// The most packets that are looked at. No picture is shown so long before an earlier one.
enum { MAX_LEADING = 64 };

// Begins with the first packet that has a time. Returns whether the search continues.
static bool begin_search(ccover_start_search *search, const AVPacket *packet) {
    AVStream *stream = search->stream;
    int64_t second = av_rescale_q(1, (AVRational){1, 1}, stream->time_base);
    int64_t shown = ccover_shown_time(packet);
    if (shown == AV_NOPTS_VALUE) {
        return search->count < MAX_LEADING;
    }
    search->first = shown;
    search->is_hidden = (packet->flags & AV_PKT_FLAG_DISCARD) != 0;
    if (stream->start_time == AV_NOPTS_VALUE) {
        stream->start_time = shown;
    }
    if (packet->pts == AV_NOPTS_VALUE) {
        return false;
    }
    if (search->is_hidden) {
        return true;
    }
    if (av_sat_sub64(ccover_decoded_time(packet), stream->start_time) > second || shown < stream->start_time) {
        move_start(stream, shown);
    }
    ccover_picture_kind kind = ccover_picture_kind_of(stream->codecpar, packet);
    search->is_closed = kind == CCOVER_PICTURE_KEY;
    // After an open key picture, only those of HEVC may be whole.
    bool is_open_key = kind == CCOVER_PICTURE_OPEN_KEY && stream->codecpar->codec_id == AV_CODEC_ID_HEVC;
    return stream->start_time == shown && (search->is_closed || is_open_key);
}

// A movie that starts with packets that are not shown starts with the earliest frame that is. libavformat reckons the
// start from the first key frame in the list, which may be later.
static bool search_behind_edit(ccover_start_search *search, const AVPacket *packet) {
    AVStream *stream = search->stream;
    if (search->is_found && packet->dts >= stream->start_time) {
        return false;
    }
    if ((packet->flags & AV_PKT_FLAG_DISCARD) == 0 && packet->pts != AV_NOPTS_VALUE) {
        move_start(stream, FFMIN(stream->start_time, packet->pts));
        search->is_found = true;
    }
    return true;
}

static bool search_leading(ccover_start_search *search, const AVPacket *packet) {
    AVStream *stream = search->stream;
    // The second field of a frame may have no time.
    if (ccover_decoded_time(packet) >= search->first) {
        return false;
    }
    bool is_shown = (packet->flags & AV_PKT_FLAG_DISCARD) == 0 && packet->pts != AV_NOPTS_VALUE;
    bool is_whole =
        search->is_closed || ccover_picture_kind_of(stream->codecpar, packet) == CCOVER_PICTURE_LEADING;
    if (is_shown && packet->pts < stream->start_time && is_whole) {
        move_start(stream, packet->pts);
    }
    return search->count < MAX_LEADING;
}

ccover_start_search ccover_start_search_of(AVStream *stream) {
    return (ccover_start_search){.stream = stream, .first = AV_NOPTS_VALUE};
}

bool ccover_search_start(ccover_start_search *search, const AVPacket *packet) {
    search->count += 1;
    if (search->first == AV_NOPTS_VALUE) {
        return begin_search(search, packet);
    }
    return search->is_hidden ? search_behind_edit(search, packet) : search_leading(search, packet);
}

// MARK: The selected stream

// The earliest time of the packets read ahead; AV_NOPTS_VALUE if none has one. Those of decoding count only where no
// packet has a time of presentation.
static int64_t earliest_time(const ccover_demuxer *demuxer) {
    int64_t shown = AV_NOPTS_VALUE, decoded = AV_NOPTS_VALUE;
    for (int i = 0; i < demuxer->queue_count; i++) {
        const AVPacket *packet = demuxer->packet_queue[i];
        bool is_earlier = packet->pts != AV_NOPTS_VALUE && (shown == AV_NOPTS_VALUE || packet->pts < shown);
        shown = is_earlier ? packet->pts : shown;
        decoded = decoded == AV_NOPTS_VALUE ? packet->dts : decoded;
    }
    return shown != AV_NOPTS_VALUE ? shown : decoded;
}

void ccover_find_start_time(ccover_demuxer *demuxer) {
    int index = 0;
    const AVPacket *first = ccover_counts_time(demuxer) ? ccover_packet_ahead(demuxer, 0) : NULL;
    if (first) {
        demuxer->stream->start_time = ccover_dropped_after(demuxer, first, 1);
        return;
    }
    while (demuxer->stream->start_time == AV_NOPTS_VALUE && ccover_packet_ahead(demuxer, index)) {
        index += 1;
    }
    // libavformat takes it from times of decoding that follow one another from the first packet on.
    if (demuxer->stream->start_time == AV_NOPTS_VALUE) {
        demuxer->stream->start_time = earliest_time(demuxer);
    } else if (index > 1) {
        // If it has to determine DTS, it forgets the packets before. The first one shown may be earlier.
        index = 0;
        while (index + 1 < demuxer->queue_count && (demuxer->packet_queue[index]->flags & AV_PKT_FLAG_DISCARD) != 0) {
            index += 1;
        }
        int64_t shown = demuxer->packet_queue[index]->pts;
        bool is_earlier = shown != AV_NOPTS_VALUE && shown < demuxer->stream->start_time;
        demuxer->stream->start_time = is_earlier ? shown : demuxer->stream->start_time;
    } else {
        ccover_start_search search = ccover_start_search_of(demuxer->stream);
        index = 0;
        while ((first = ccover_packet_ahead(demuxer, index++)) && ccover_search_start(&search, first)) {
        }
    }
}

int64_t ccover_start_before(const ccover_demuxer *demuxer, int64_t timestamp, bool counted) {
    if (demuxer->stream->start_time != AV_NOPTS_VALUE || counted) {
        return ccover_start_of(demuxer->stream);
    }
    return demuxer->clock.first_time != AV_NOPTS_VALUE && demuxer->clock.first_time < timestamp
               ? demuxer->clock.first_time
               : timestamp;
}

void ccover_begin_with_frame(ccover_demuxer *demuxer, const AVFrame *frame) {
    int64_t time = ccover_timestamp(frame);
    if (time == ccover_unknown_time) {
        return;
    }
    if (demuxer->stream->start_time == AV_NOPTS_VALUE) {
        demuxer->stream->start_time = ccover_start_before(demuxer, time, false);
    } else if (time < demuxer->stream->start_time) {
        move_start(demuxer->stream, time);
    }
}
