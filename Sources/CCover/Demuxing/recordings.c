// Finding another recording in the file, as after `cat a b`.

#include "Demuxing/demuxing.h"

#include <string.h>
#include <unistd.h>

// Whether FFmpeg recognises the same format at a position; it needs more of transport and program streams. For a movie,
// the name of any box is enough for it.
static bool begins_recording(const ccover_demuxer *demuxer, int64_t position) {
    enum { BYTES = 4096 };
    uint8_t data[BYTES + AVPROBE_PADDING_SIZE] = {0};
    ssize_t count = pread(demuxer->input.descriptor, data, BYTES, position);
    AVProbeData probe = {.filename = "", .buf = data, .buf_size = (int)FFMAX(count, 0)};
    int score;
    // Each frame of JPEG 2000 begins like a separate file.
    bool is_box = !ccover_is_movie(demuxer->format) || (AV_RB24(data) == 0 && AV_RB32(data + 8) != AV_RB32("jp2 "));
    return demuxer->kind->is_mpeg_stream || (is_box && av_probe_input_format3(&probe, 1, &score) == demuxer->container);
}

int64_t ccover_find_recording(const ccover_demuxer *demuxer, int64_t from, int64_t end, bool finds_first) {
    enum { WINDOW = 1 << 16 };
    uint8_t window[WINDOW];
    const ccover_input *input = &demuxer->input;
    const int64_t offset = demuxer->kind->signature.offset, bytes = demuxer->signature_bytes;
    int64_t found = -1, count = finds_first && demuxer->kind->is_mpeg_stream ? 0 : bytes;
    for (int64_t at = FFMAX(from, 1); bytes > 0 && count >= bytes && at < end; at += count - bytes + 1) {
        size_t most = (size_t)FFMIN(WINDOW, end - at + bytes - 1);
        count = ccover_deadline_passed(input) ? 0 : pread(input->descriptor, window, most, at + offset);
        for (int64_t i = 0; i + bytes <= count; i++) {
            const uint8_t *hit = memmem(window + i, (size_t)(count - i), demuxer->signature, (size_t)bytes);
            i = hit ? hit - window : count;
            if (hit && begins_recording(demuxer, at + i)) {
                found = at + i;
            }
            if (found >= 0 && finds_first) {
                return found;
            }
        }
    }
    return found;
}

int64_t ccover_find_next_recording(const ccover_demuxer *demuxer, int64_t max_bytes) {
    enum { FIRST_PAGES = 4096 }; // in Ogg, all streams begin there
    const ccover_input *input = &demuxer->input;
    int64_t from = FIRST_PAGES;
    ccover_box box = {0};
    if (ccover_is_movie(demuxer->format)) {
        for (int64_t i = max_bytes >> 13; i > 0 && ccover_read_box(input, box.end, input->size, &box); i--) {
            if (box.start > 0 && box.type == AV_RB32("ftyp")) {
                return box.start;
            }
        }
        return -1;
    }
    if (demuxer->kind->is_matroska && ccover_extent_of(input, input->size, CCOVER_MATROSKA) == CCOVER_EXTENT_WHOLE) {
        from = ccover_matroska_segment_end(input);
    }
    return ccover_find_recording(demuxer, from, FFMIN(from + max_bytes, input->size), true);
}

// The first packet with a DTS and a position from a byte on, or NULL.
static const AVPacket *packet_at(ccover_demuxer *demuxer, int64_t byte) {
    ccover_forget_packets(demuxer);
    bool is_there = av_seek_frame(demuxer->format, -1, byte, AVSEEK_FLAG_BYTE) >= 0;
    const AVPacket *packet = is_there ? ccover_packet_ahead(demuxer, 0) : NULL;
    for (int i = 1; packet && (packet->dts == AV_NOPTS_VALUE || packet->pos < 0); i++) {
        packet = ccover_packet_ahead(demuxer, i);
    }
    return packet;
}

void ccover_find_restart(ccover_demuxer *demuxer, int32_t places) {
    enum { LAST_BYTES = 1 << 15, PACKET_BYTES = 188, LEAST_MICROSECONDS = 500000 };
    int64_t least = av_rescale_q(LEAST_MICROSECONDS, AV_TIME_BASE_Q, demuxer->stream->time_base);
    int64_t size = demuxer->input.size, before = 0, after = 0, restart = -1;
    int64_t step = (size - FFMIN(size / 8, LAST_BYTES)) / FFMAX(places, 1) + 1;
    const AVPacket *packet = packet_at(demuxer, 0);
    int64_t first = packet ? packet->dts : 0, latest = first, end = first;
    // When times go back between two places, the places between them are searched.
    while (packet && (restart >= 0 ? after - before > PACKET_BYTES : after + step < size)) {
        int64_t byte = restart >= 0 ? before + (after - before) / 2 : after + step;
        packet = packet_at(demuxer, byte);
        bool is_later = packet && packet->dts >= av_sat_sub64(latest, least);
        restart = packet && !is_later ? packet->pos : restart;
        after = !is_later || restart < 0 ? byte : after;
        before = is_later ? byte : before;
        latest = is_later ? packet->dts : latest;
        end = is_later ? av_sat_add64(packet->dts, packet->duration) : end;
    }
    int64_t found = ccover_find_recording(demuxer, before, restart, false);
    demuxer->next_recording = found >= 0 ? found : restart;
    demuxer->stream->duration = restart >= 0 ? av_sat_sub64(end, first) : demuxer->stream->duration;
}
