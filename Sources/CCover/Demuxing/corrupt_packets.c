// The packets that libavformat logs as corrupt, and other lines of demuxers and parsers about damage.
//
// Some multiplexers of transport streams state a wrong size in all packets. libavformat marks each of them as corrupt,
// although nothing is missing.

#include "Demuxing/demuxing.h"

#include <inttypes.h>
#include <libavutil/avstring.h>
#include <stdio.h>

// Records a line of the demuxer of transport streams.
static void note_wrong_size(ccover_demuxer *demuxer, const char *format) {
    if (av_strstart(format, "Continuity check failed", NULL) || av_strstart(format, "Packet had TEI flag set", NULL)) {
        demuxer->logged_loss = CCOVER_LOGGED_LOST_BYTES;
    } else if (demuxer->logged_loss == CCOVER_LOGGED_NOTHING && av_strstart(format, "PES packet size mismatch", NULL)) {
        demuxer->logged_loss = CCOVER_LOGGED_WRONG_SIZE;
    }
}

// Stores the time in a line about a corrupt packet.
static void note_corrupt_packet(ccover_demuxer *demuxer, const char *line) {
    ccover_corrupt_packet packet = {.has_only_wrong_size = demuxer->logged_loss == CCOVER_LOGGED_WRONG_SIZE};
    demuxer->logged_loss = CCOVER_LOGGED_NOTHING;
    if (sscanf(line, "Packet corrupt (stream = %d, dts = %" SCNd64, &packet.stream, &packet.time) < 2) {
        demuxer->has_untimed_corruption = true;
    } else if (!demuxer->has_wrong_sizes || !packet.has_only_wrong_size) {
        demuxer->corrupt[demuxer->corrupt_count % CCOVER_MAX_CORRUPT] = packet;
        demuxer->corrupt_count += 1;
    }
}

// What was logged about a corrupt packet; NULL if nothing was.
static const ccover_corrupt_packet *report_of(const ccover_demuxer *demuxer, const AVPacket *packet) {
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
    return report_of(demuxer, packet) || ccover_was_marked_corrupt(demuxer, packet) ||
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
    } else {
        note_wrong_size(demuxer, format);
    }
}

// Forgets the wrong sizes that were reported, also for packets that are about to be read.
static void forget_wrong_sizes(ccover_demuxer *demuxer) {
    enum { NO_STREAM = -1 };
    for (int64_t i = 0; i < demuxer->corrupt_count && i < CCOVER_MAX_CORRUPT; i++) {
        if (demuxer->corrupt[i].has_only_wrong_size) {
            demuxer->corrupt[i].stream = NO_STREAM;
        }
    }
    for (int i = 0; i < demuxer->queue_count; i++) {
        if (!ccover_is_called_corrupt(demuxer, demuxer->packet_queue[i])) {
            demuxer->packet_queue[i]->flags &= ~AV_PKT_FLAG_CORRUPT;
        }
    }
}

void ccover_find_wrong_sizes(ccover_demuxer *demuxer) {
    enum { SAMPLE = 6 };
    // Packets of all streams are not read ahead.
    bool may_read_ahead = ccover_is_container(demuxer, "mpegts") && !demuxer->all_streams;
    for (int i = 0; i < SAMPLE; i++) {
        const AVPacket *packet = may_read_ahead ? ccover_packet_ahead(demuxer, i) : NULL;
        const ccover_corrupt_packet *report = packet ? report_of(demuxer, packet) : NULL;
        if (!report || !report->has_only_wrong_size) {
            return;
        }
    }
    demuxer->has_wrong_sizes = true;
    forget_wrong_sizes(demuxer);
}
