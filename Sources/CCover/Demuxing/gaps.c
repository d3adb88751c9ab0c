// Damage that shows in the container after a packet: bytes that are missing or were inserted, so that the next packet
// is not found where it should be, and packets that the demuxer drops.

#include "Demuxing/demuxing.h"

// Records where the container stops making sense. At the end of the file, that is not damage.
static void note_gap(ccover_demuxer *demuxer) {
    if (demuxer->gap_position < 0 && !demuxer->io->eof_reached) {
        demuxer->gap_position = avio_tell(demuxer->io);
    }
}

void ccover_note_container_error(ccover_demuxer *demuxer) {
    demuxer->container_errors += 1;
    note_gap(demuxer);
}

static void set_corrupt(ccover_demuxer *demuxer, AVPacket *packet) {
    packet->flags |= AV_PKT_FLAG_CORRUPT;
    demuxer->has_untimed_corruption = true;
}

// When the packet is read again, the damage may not be noticed: the demuxer may skip a gap without a word.
void ccover_mark_corrupt(ccover_demuxer *demuxer, AVPacket *packet) {
    set_corrupt(demuxer, packet);
    demuxer->corrupt_positions[demuxer->corrupt_position_count % CCOVER_MAX_CORRUPT] = packet->pos;
    demuxer->corrupt_position_count += 1;
}

bool ccover_was_marked_corrupt(const ccover_demuxer *demuxer, const AVPacket *packet) {
    bool is_found = false;
    for (int64_t i = 0; i < demuxer->corrupt_position_count && i < CCOVER_MAX_CORRUPT; i++) {
        is_found = is_found || (packet->pos >= 0 && demuxer->corrupt_positions[i] == packet->pos);
    }
    return is_found;
}

int64_t ccover_content_end(ccover_demuxer *demuxer) {
    if (demuxer->content_size == 0) {
        demuxer->content_size = ccover_content_size(&demuxer->input);
    }
    return demuxer->content_size;
}

// The end of the packets of the clip: nothing but zeros, or what does not belong to the clip, follows.
static int64_t end_of_packets(ccover_demuxer *demuxer) {
    int64_t end = ccover_content_end(demuxer);
    return ccover_is_matroska(demuxer->format) ? FFMIN(end, ccover_matroska_segment_end(&demuxer->input)) : end;
}

void ccover_note_gap(ccover_demuxer *demuxer, int code, AVPacket *before, AVPacket *after) {
    bool is_failure = code < 0 && code != AVERROR_EOF && code != AVERROR_EXIT && demuxer->input.read_errno == 0;
    if (is_failure) {
        note_gap(demuxer);
    }
    if (demuxer->gap_position >= 0 && demuxer->gap_position < end_of_packets(demuxer)) {
        demuxer->is_after_gap = true;
        if (before && demuxer->kind->shows_damage_late) {
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
