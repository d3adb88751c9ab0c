// The packets that libavformat calls corrupt in its log, and other lines of demuxers and parsers about damage.

#include "Demuxing/demuxing.h"

#include <libavutil/avstring.h>
#include <stdlib.h>

// Remembers the time in a line about a packet that libavformat calls corrupt.
static void note_corrupt_packet(ccover_demuxer *demuxer, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    int stream = va_arg(copy, int);
    const char *text = va_arg(copy, const char *);
    char *end;
    int64_t time = strtoll(text, &end, 10);
    bool has_only_wrong_size = ccover_has_only_wrong_size(demuxer);
    if (end == text) {
        demuxer->has_untimed_corruption = true;
    } else if (!demuxer->has_wrong_sizes || !has_only_wrong_size) {
        demuxer->corrupt[demuxer->corrupt_count % CCOVER_MAX_CORRUPT] =
            (ccover_corrupt_packet){.stream = stream, .time = time, .has_only_wrong_size = has_only_wrong_size};
        demuxer->corrupt_count += 1;
    }
    va_end(copy);
}

const ccover_corrupt_packet *ccover_report_of(const ccover_demuxer *demuxer, const AVPacket *packet) {
    for (int64_t i = 0; i < demuxer->corrupt_count && i < CCOVER_MAX_CORRUPT; i++) {
        // Times in transport and program streams wrap around; the log has them as stored.
        uint64_t difference = (uint64_t)demuxer->corrupt[i].time ^ (uint64_t)packet->dts;
        if (demuxer->corrupt[i].stream == packet->stream_index && (difference & 0x1ffffffff) == 0) {
            return &demuxer->corrupt[i];
        }
    }
    return NULL;
}

bool ccover_is_called_corrupt(const ccover_demuxer *demuxer, const AVPacket *packet) {
    return ccover_report_of(demuxer, packet) || ccover_was_marked_corrupt(demuxer, packet) ||
           (demuxer->has_untimed_corruption && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0);
}

// Parsers read the headers of packets while libavformat reads these, with a context that does not name the clip. What
// a thread reads is of one clip.
static _Thread_local bool has_parser_report;

void ccover_note_parser_report(void) {
    has_parser_report = true;
}

void ccover_forget_parser_reports(void) {
    has_parser_report = false;
}

bool ccover_has_parser_report(void) {
    return has_parser_report;
}

void ccover_read_demuxer_line(ccover_demuxer *demuxer, int level, const char *format, va_list arguments) {
    if (level <= AV_LOG_ERROR) {
        ccover_note_container_error(demuxer);
    }
    if (av_strstart(format, "Packet corrupt (stream = %d, dts = %s)", NULL)) {
        note_corrupt_packet(demuxer, arguments);
    } else {
        ccover_note_wrong_size(demuxer, format);
    }
}
