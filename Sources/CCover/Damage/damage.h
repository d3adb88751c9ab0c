// Which frames are intact.

#ifndef CCOVER_DAMAGE_H
#define CCOVER_DAMAGE_H

#include "Demuxing/demuxing.h"

// The number of packets whose records are kept. No decoder delays a frame by more.
enum { CCOVER_MAX_RECORDS = 64 };

typedef struct ccover_packet_record {
    bool is_key; // according to the container, or to libavformat's parser
    bool is_discarded; // its frame is not shown, although others are predicted from it
    int reports; // of damage
    bool lacks_end; // it is a JPEG picture without an end marker
    int64_t shown; // the PTS of its frame; AV_NOPTS_VALUE if the packet has none
} ccover_packet_record;

// How far decoding is since the beginning or the last seek.
typedef enum ccover_phase {
    CCOVER_PHASE_START,      // no packet was sent to the decoder
    CCOVER_PHASE_RUNNING,
    CCOVER_PHASE_RESTARTING, // the decoder is being drained, and will be reset before the packet at hand
    CCOVER_PHASE_ENDED,      // the demuxer has no more packets, and the decoder is being drained
} ccover_phase;

// What is known about the packets sent to the decoder, and whether frames are intact.
typedef struct ccover_damage {
    ccover_phase phase;
    bool is_past_beginning; // the next packet to be sent is not the first of the stream
    int64_t beginning;    // the number of that packet when it was sent last; 0 if it was not
    int64_t position;   // the number of that packet
    bool may_lack_numbers; // see ccover_may_lack_numbers(); as of the last key picture that was sent
    bool starts_open_gop;   // it is a key picture of H.264 that frames shown before it may need more than
    bool has_clean_references; // an intact frame has been decoded since then, so that the following ones are intact as
                               // well
    bool is_damaged;    // damage has been found since then, or since the last intact key frame
    bool has_predicted; // a packet without the key frame flag was sent
    bool has_false_keys; // the container wrongly marks some frames as key frames
    int64_t intact_since;  // the number of the packet that started the sequence of intact frames
    int64_t intact_from;   // the PTS of its frame, if that is a key frame; otherwise AV_NOPTS_VALUE
    int64_t packet_number; // of the packet sent to the decoder last, counted from 1
    ccover_packet_record records[CCOVER_MAX_RECORDS]; // by packet number, modulo their number
    bool is_htj2k;  // of JPEG 2000: High-Throughput, which FFmpeg 5 turns into noise
    int frame_reports;     // of damage to the frame judged last itself
} ccover_damage;

// damage.c
void ccover_enter_phase(ccover_damage *damage, ccover_phase phase);
void ccover_set_at_beginning(ccover_damage *damage, bool is_at_beginning);
bool ccover_is_key_frame(const ccover_demuxer *demuxer, const AVFrame *frame);
void ccover_distrust_keys(ccover_clip *clip);
// Whether a frame is not to be shown, because it is outside of the clip's edit list.
bool ccover_is_discarded(ccover_clip *clip, const AVFrame *frame);
void ccover_start_position(ccover_clip *clip);
void ccover_note_packet(ccover_clip *clip, AVCodecContext *decoder, AVPacket *packet);
void ccover_note_damage(ccover_damage *damage);
// Records a gap before the frame number of the H.264 packet sent last: frames that it may reference are missing.
void ccover_note_gap_of_numbers(ccover_damage *damage);
void ccover_note_missing_end(ccover_damage *damage);
// Whether the decoder must be drained and reset before the packet, so that it marks the frames from there on until the
// picture is complete again.
bool ccover_restarts_at(const ccover_clip *clip, const AVPacket *packet);
// Whether a frame is intact. To be called once for each frame, in order.
bool ccover_is_intact(ccover_clip *clip, const AVFrame *frame);
// Whether no frame after this one can be intact until the next key frame, which the decoder does not have yet.
bool ccover_awaits_key(ccover_clip *clip, const AVFrame *frame);

// log_lines.c
// Reads a line of FFmpeg's log. To be registered before the first clip is opened.
ccover_log_listener ccover_read_log_line;

// damage_checks.c
// Whether a part of the packet is missing, typically replaced by zeros.
bool ccover_has_hole(const AVCodecParameters *parameters, const AVPacket *packet);
// Whether the file's content ends inside the packet, and the zeros after that continue past the packet.
bool ccover_reaches_past_content(ccover_demuxer *demuxer, const AVPacket *packet);
// Whether a JPEG picture ends with its end marker, apart from zeros.
bool ccover_has_end_marker(const AVPacket *packet);

// damage_blocks.c
bool ccover_has_blank_block(enum AVCodecID codec, const AVFrame *frame);

#endif
