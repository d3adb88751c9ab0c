// The state of a copy, for the files that make it.

#ifndef CCOMPOSER_COPY_H
#define CCOMPOSER_COPY_H

#include "Remux/remux.h"

struct ccomposer_copy {
    ccomposer_copy_options options;
    int *clips;
    int32_t count;
    int32_t index;            // of the clip that is being copied
    ccomposer_part part;      // not open between two clips
    ccomposer_place place;    // of that clip
    int64_t bytes_read;       // of the clips before
    int64_t last_position;    // of an intact packet of the clip, in its file; 0 if unknown
    ccomposer_part_facts *facts; // of all clips
    AVFormatContext *muxer;
    AVIOContext *io;
    ccomposer_output output;
    AVPacket *packet;
    ccomposer_times times[CCOMPOSER_MAX_STREAMS];
    int64_t silence;          // bytes written where clips have gaps
    int untimed;              // packets of the clip that were left out because damage took their times
    ccomposer_adts adts[CCOMPOSER_MAX_STREAMS];
    bool has_header;
};

// Returns the end of what was written of streams of types up to the last one, in microseconds. The last subtitle may be
// shown for longer than there are frames.
int64_t ccomposer_end_of(const ccomposer_copy *copy, enum AVMediaType last);
// Notes that the clip is damaged after what was copied until now, and that a number of packets is lost with that.
void ccomposer_note_damage(ccomposer_copy *copy, int packets);
// Writes a packet of the clip that is being copied, and takes the packet's data. If that fails, `*part` is the index of
// the clip to blame; -1 for none.
int ccomposer_write_packet(ccomposer_copy *copy, AVPacket *packet, int32_t *part, ccover_error *error);

// Whether the part ends before its clip, and all of its video and sound was read.
bool ccomposer_has_reached_end(const ccomposer_copy *copy);

// Fills in an error for a clip that holds another recording, which begins at a byte. Returns -1.
int ccomposer_fail_for_recording(const ccomposer_copy *copy, int64_t byte, ccover_error *error);

#endif
