// The packets that libavformat logs as corrupt, and other lines of demuxers and parsers about damage.

#include "Demuxing/demuxing.h"

#include <inttypes.h>
#include <libavutil/avstring.h>
#include <stdio.h>

// Stores the time in a line about a corrupt packet. That of a transport stream counts only if bytes of it were lost: some
// multiplexers state a wrong size in all packets, for which libavformat marks each of them.
static void note_corrupt_packet(ccover_demuxer *demuxer, const char *line) {
    ccover_corrupt_packet packet;
    bool counts = demuxer->has_logged_loss || !ccover_is_container(demuxer, "mpegts");
    demuxer->has_logged_loss = false;
    if (counts && sscanf(line, "Packet corrupt (stream = %d, dts = %" SCNd64, &packet.stream, &packet.time) == 2) {
        demuxer->corrupt[demuxer->corrupt_count % CCOVER_MAX_CORRUPT] = packet;
        demuxer->corrupt_count += 1;
    } else {
        demuxer->has_untimed_corruption = demuxer->has_untimed_corruption || counts;
    }
}

// Whether a packet was logged as corrupt.
static bool was_logged(const ccover_demuxer *demuxer, const AVPacket *packet) {
    bool was_logged = false;
    for (int64_t i = 0; i < demuxer->corrupt_count && i < CCOVER_MAX_CORRUPT; i++) {
        // Times in transport and program streams wrap around; the log has them as stored.
        uint64_t difference = (uint64_t)demuxer->corrupt[i].time ^ (uint64_t)packet->dts;
        bool is_same = demuxer->corrupt[i].stream == packet->stream_index && (difference & 0x1ffffffff) == 0;
        was_logged = was_logged || is_same;
    }
    return was_logged;
}

bool ccover_is_called_corrupt(const ccover_demuxer *demuxer, const AVPacket *packet) {
    return was_logged(demuxer, packet) || ccover_was_marked_corrupt(demuxer, packet) ||
           (demuxer->has_untimed_corruption && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0);
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

void ccover_read_demuxer_line(ccover_demuxer *demuxer, int level, const char *format, va_list arguments) {
    if (level <= AV_LOG_ERROR) {
        ccover_note_container_error(demuxer);
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
