// Transport streams whose packets all state a wrong size, as some multiplexers write it. libavformat calls each of them
// corrupt, although nothing is missing.

#include "Demuxing/demuxing.h"

#include <libavutil/avstring.h>

void ccover_note_wrong_size(ccover_demuxer *demuxer, const char *format) {
    if (av_strstart(format, "Continuity check failed", NULL) || av_strstart(format, "Packet had TEI flag set", NULL)) {
        demuxer->logged_loss = CCOVER_LOGGED_LOST_BYTES;
    } else if (demuxer->logged_loss == CCOVER_LOGGED_NOTHING && av_strstart(format, "PES packet size mismatch", NULL)) {
        demuxer->logged_loss = CCOVER_LOGGED_WRONG_SIZE;
    }
}

bool ccover_has_only_wrong_size(ccover_demuxer *demuxer) {
    bool result = demuxer->logged_loss == CCOVER_LOGGED_WRONG_SIZE;
    demuxer->logged_loss = CCOVER_LOGGED_NOTHING;
    return result;
}

// Forgets the wrong sizes that were reported so far, also for packets that are about to be read.
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
        const ccover_corrupt_packet *report = packet ? ccover_report_of(demuxer, packet) : NULL;
        if (!report || !report->has_only_wrong_size) {
            return;
        }
    }
    demuxer->has_wrong_sizes = true;
    forget_wrong_sizes(demuxer);
}
