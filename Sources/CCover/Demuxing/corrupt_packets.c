// The packets that libavformat logs as corrupt, other lines of demuxers and parsers that report damage, and damage that
// shows in the container after a packet: bytes that are missing or were inserted, and packets that the demuxer drops.

#include "Demuxing/demuxing.h"

#include <inttypes.h>
#include <libavutil/avstring.h>
#include <stdio.h>

// Stores the time in a line about a corrupt packet. That of a transport stream counts only if bytes of it were lost:
// some multiplexers state a wrong size in all packets, and libavformat then marks each of them.
static void note_corrupt_packet(ccover_demuxer *demuxer, const char *line) {
    ccover_corrupt_packet packet = {.position = -1};
    bool counts = demuxer->has_logged_loss || !ccover_is_container(demuxer, "mpegts");
    demuxer->has_logged_loss = false;
    if (counts && sscanf(line, "Packet corrupt (stream = %d, dts = %" SCNd64, &packet.stream, &packet.time) == 2) {
        demuxer->corrupt[demuxer->corrupt_count++ % CCOVER_MAX_CORRUPT] = packet;
    } else {
        demuxer->has_untimed_corruption = demuxer->has_untimed_corruption || counts;
    }
}

bool ccover_is_called_corrupt(const ccover_demuxer *demuxer, const AVPacket *packet) {
    bool is_called = demuxer->has_untimed_corruption && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    for (int64_t i = 0; i < demuxer->corrupt_count && i < CCOVER_MAX_CORRUPT; i++) {
        const ccover_corrupt_packet *corrupt = &demuxer->corrupt[i];
        // Times in transport and program streams wrap around; the log has them as stored.
        bool is_same_time = (((uint64_t)corrupt->time ^ (uint64_t)packet->dts) & 0x1ffffffff) == 0;
        bool is_same = corrupt->position >= 0 ? corrupt->position == packet->pos
                                              : corrupt->stream == packet->stream_index && is_same_time;
        is_called = is_called || is_same;
    }
    return is_called;
}

// Parsers read the headers of packets while libavformat reads these, with a context that does not name the clip. What
// a thread reads is of one clip.
static _Thread_local bool has_parser_report;

void ccover_note_parser_report(void) {
    has_parser_report = true;
}

bool ccover_take_parser_report(void) {
    bool result = has_parser_report;
    has_parser_report = false;
    return result;
}

// Records where the container stops making sense. At the end of the file, that is not damage.
static void note_gap(ccover_demuxer *demuxer) {
    if (demuxer->gap_position < 0 && !demuxer->io->eof_reached) {
        demuxer->gap_position = avio_tell(demuxer->io);
    }
}

void ccover_read_demuxer_line(ccover_demuxer *demuxer, const char *format, va_list arguments) {
    const char *const *loss = demuxer->kind->losses;
    while (*loss && !av_strstart(format, *loss, NULL)) {
        loss++;
    }
    if (*loss) {
        demuxer->container_errors += 1;
        note_gap(demuxer);
    }
    if (av_strstart(format, "Packet corrupt (stream = ", NULL)) {
        char line[128];
        va_list copy;
        va_copy(copy, arguments);
        vsnprintf(line, sizeof(line), format, copy);
        va_end(copy);
        note_corrupt_packet(demuxer, line);
    } else if (av_strstart(format, "Continuity check failed", NULL) ||
               av_strstart(format, "Packet had TEI flag set", NULL)) {
        demuxer->has_logged_loss = true;
    }
}

// MARK: Gaps

static void set_corrupt(ccover_demuxer *demuxer, AVPacket *packet) {
    packet->flags |= AV_PKT_FLAG_CORRUPT;
    demuxer->has_untimed_corruption = true;
}

// When the packet is read again, the damage may not be noticed: the demuxer may skip a gap without a word.
void ccover_mark_corrupt(ccover_demuxer *demuxer, AVPacket *packet) {
    set_corrupt(demuxer, packet);
    if (packet->pos >= 0) {
        demuxer->corrupt[demuxer->corrupt_count++ % CCOVER_MAX_CORRUPT].position = packet->pos;
    }
}

int64_t ccover_content_end(ccover_demuxer *demuxer) {
    if (demuxer->content_size == 0) {
        demuxer->content_size = ccover_content_size(&demuxer->input);
    }
    return demuxer->content_size;
}

void ccover_note_gap(ccover_demuxer *demuxer, int code, AVPacket *before, AVPacket *after) {
    bool is_failure = code < 0 && code != AVERROR_EOF && code != AVERROR_EXIT && demuxer->input.read_errno == 0;
    if (is_failure) {
        note_gap(demuxer);
    }
    // After the packets of the clip, nothing but zeros follows, or what does not belong to it.
    int64_t end = demuxer->gap_position < 0 ? 0 : ccover_content_end(demuxer);
    if (end > 0 && demuxer->kind->is_matroska) {
        end = FFMIN(end, ccover_matroska_segment_end(&demuxer->input));
    }
    if (demuxer->gap_position >= 0 && demuxer->gap_position < end) {
        demuxer->is_after_gap = true;
        // What the demuxer reads between two packets of the stream, such as sound, may be damaged as well.
        if (before && demuxer->kind->shows_damage_late &&
            !(demuxer->kind->is_matroska && ccover_matroska_goes_on(&demuxer->input, before))) {
            ccover_mark_corrupt(demuxer, before);
        }
    }
    if (!after || !demuxer->is_after_gap) {
        return;
    }
    // The packet may depend on a missing one. In Ogg, a part of the packet itself may be missing.
    if ((after->flags & AV_PKT_FLAG_KEY) == 0 || ccover_is_container(demuxer, "ogg")) {
        set_corrupt(demuxer, after);
    }
    demuxer->is_after_gap = false;
}
