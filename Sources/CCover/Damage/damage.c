// Which frames are intact: damage that was reported or found, and predictions from damaged or missing frames.
//
// A report belongs to the packet that was sent to the decoder last. A frame belongs to the packet that it was decoded
// from, which may be an earlier one, because decoders reorder frames. After damage, no frame counts as intact until the
// next key frame, or, in H.264, a recovery point.

#include "Support/compat.h"
#include "Damage/damage.h"

static enum AVCodecID codec_of(const ccover_demuxer *demuxer) {
    return demuxer->stream->codecpar->codec_id;
}

void ccover_enter_phase(ccover_damage *damage, ccover_phase phase) {
    damage->phase = phase;
}

void ccover_set_at_beginning(ccover_damage *damage, bool is_at_beginning) {
    damage->is_past_beginning = !is_at_beginning;
}

static ccover_packet_record *record_of(ccover_damage *damage, int64_t number) {
    return &damage->records[number % CCOVER_MAX_RECORDS];
}

void ccover_start_position(ccover_clip *clip) {
    clip->damage->phase = CCOVER_PHASE_START;
    clip->damage->has_clean_references = false;
    clip->damage->is_damaged = false;
    ccover_stop_clock(clip->demuxer);
}

// Whether the frame of a packet is a leading frame of the key frame that started the intact frames: its PTS is lower,
// and frames after the key frame are not predicted from it.
static bool leads(ccover_damage *damage, int64_t number) {
    int64_t shown = record_of(damage, number)->shown;
    return number > damage->intact_since && damage->intact_from != AV_NOPTS_VALUE &&
           shown != AV_NOPTS_VALUE && shown < damage->intact_from;
}

void ccover_note_damage(ccover_damage *damage) {
    ccover_packet_record *record = record_of(damage, damage->packet_number);
    record->reports += 1;
    // Nothing that is shown is predicted from what leads a key frame and is not shown itself.
    damage->is_damaged = damage->is_damaged || !record->is_discarded || !leads(damage, damage->packet_number);
}

void ccover_note_gap_of_numbers(ccover_damage *damage) {
    // At the start of decoding, earlier frames are missing anyway, and a key picture does not need them.
    bool follows = damage->packet_number > damage->position && !record_of(damage, damage->packet_number)->is_key;
    if (follows && !damage->may_lack_numbers) {
        ccover_note_damage(damage);
    }
}

void ccover_note_missing_end(ccover_damage *damage) {
    record_of(damage, damage->packet_number)->lacks_end = true;
}

// Whether one of the next packets is a JPEG picture with an end marker. Some cameras leave it out of all pictures.
static bool have_end_markers(ccover_demuxer *demuxer) {
    // The packet that was sent may still be the first ahead.
    for (int i = 0; i < 2; i++) {
        const AVPacket *packet = ccover_packet_ahead(demuxer, i);
        if (packet && ccover_has_end_marker(packet)) {
            return true;
        }
    }
    return false;
}

// Whether the index has a frame without the key frame flag, so that the container does not set it for all frames.
static bool has_unmarked_frames(ccover_clip *clip) {
    int count = avformat_index_get_entries_count(clip->demuxer->stream);
    for (int i = 0; i < count && !clip->damage->has_predicted; i++) {
        clip->damage->has_predicted =
            (avformat_index_get_entry(clip->demuxer->stream, i)->flags & AVINDEX_KEYFRAME) == 0;
    }
    const AVPacket *next = clip->damage->has_predicted ? NULL : ccover_packet_ahead(clip->demuxer, 0);
    return clip->damage->has_predicted || (next && (next->flags & AV_PKT_FLAG_KEY) == 0);
}

// Whether decoding can begin at the packet that is sent. Editors that cut MP4 without encoding it do not list the key
// picture before the cut.
static bool can_begin_at(ccover_clip *clip, const AVPacket *packet) {
    if ((packet->flags & AV_PKT_FLAG_KEY) == 0) {
        return ccover_picture_kind_of(clip->demuxer->stream->codecpar, packet) >= CCOVER_PICTURE_OPEN_KEY;
    }
    return clip->damage->packet_number == clip->damage->beginning ||
           !ccover_codec_of(codec_of(clip->demuxer))->hides_keys || has_unmarked_frames(clip);
}

void ccover_note_packet(ccover_clip *clip, AVCodecContext *decoder, AVPacket *packet) {
    bool is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
    clip->damage->has_predicted = clip->damage->has_predicted || !is_key;
    if (clip->damage->packet_number == 0) {
        ccover_note_first_time(clip->demuxer, packet->pts);
    }
    clip->damage->packet_number += 1;
    if (!clip->damage->is_past_beginning) {
        clip->damage->beginning = clip->damage->packet_number;
        clip->damage->is_past_beginning = true;
    }
    if (is_key && codec_of(clip->demuxer) == AV_CODEC_ID_H264) {
        clip->damage->may_lack_numbers = ccover_may_lack_numbers(clip->demuxer->stream, packet);
    }
    clip->damage->is_htj2k = codec_of(clip->demuxer) == AV_CODEC_ID_JPEG2000 && ccover_is_high_throughput(packet);
    bool is_discarded = (packet->flags & AV_PKT_FLAG_DISCARD) != 0;
    *record_of(clip->damage, clip->damage->packet_number) = (ccover_packet_record){
        .is_key = is_key,
        .is_discarded = is_discarded,
        .shown = packet->pts,
    };
    ccover_compat_set_number(decoder, packet, clip->damage->packet_number);
    // The decoder does not output a discarded key frame, but the frames that follow are predicted from it.
    if (clip->damage->phase == CCOVER_PHASE_START || (is_key && is_discarded)) {
        if (clip->damage->phase == CCOVER_PHASE_START) {
            ccover_start_clock(clip->demuxer, packet);
            clip->damage->phase = CCOVER_PHASE_RUNNING;
            clip->damage->position = clip->damage->packet_number;
            // Frames that are shown before a key picture in the middle of the clip may be predicted from earlier ones.
            // The decoder of HEVC drops such frames, and in other codecs they are marked.
            clip->damage->starts_open_gop =
                is_key && clip->damage->packet_number != clip->damage->beginning &&
                codec_of(clip->demuxer) == AV_CODEC_ID_H264 &&
                ccover_picture_kind_of(clip->demuxer->stream->codecpar, packet) != CCOVER_PICTURE_KEY;
        }
        clip->damage->has_clean_references = can_begin_at(clip, packet);
        clip->damage->intact_since = clip->damage->packet_number;
        clip->damage->intact_from = is_key ? packet->pts : AV_NOPTS_VALUE;
    }
    ccover_note_sent(clip->demuxer, packet);
    if (ccover_is_called_corrupt(clip->demuxer, packet) || ccover_has_hole(clip->demuxer->stream->codecpar, packet) ||
        ccover_reaches_past_content(clip->demuxer, packet)) {
        ccover_note_damage(clip->damage);
    }
}

// The number of reports for a range of packets, without those that are so old that their record is gone; without those
// that lead the key frame, if asked for.
static int reports_between(ccover_damage *damage, int64_t first, int64_t last, bool after_key) {
    int64_t oldest = damage->packet_number - CCOVER_MAX_RECORDS + 1;
    int count = 0;
    for (int64_t number = FFMAX(FFMAX(first, oldest), 1); number <= last; number++) {
        count += after_key && leads(damage, number) ? 0 : record_of(damage, number)->reports;
    }
    return count;
}

// The packets that a frame was decoded from: two if each field has its own.
static void get_packets(const ccover_clip *clip, const AVFrame *frame, int64_t *first, int64_t *last) {
    int64_t number = ccover_compat_number(frame);
    bool is_known = number > 0 && number > clip->damage->packet_number - CCOVER_MAX_RECORDS &&
                    number <= clip->damage->packet_number;
    *first = is_known ? number : clip->damage->packet_number;
    bool may_be_fields = ccover_compat_is_interlaced(frame) && !clip->demuxer->kind->holds_whole_pictures;
    *last = may_be_fields && *first < clip->damage->packet_number ? *first + 1 : *first;
}

bool ccover_is_discarded(ccover_clip *clip, const AVFrame *frame) {
    int64_t first, last;
    get_packets(clip, frame, &first, &last);
    return record_of(clip->damage, first)->is_discarded;
}

bool ccover_restarts_at(const ccover_clip *clip, const AVPacket *packet) {
    return clip->damage->is_damaged && codec_of(clip->demuxer) == AV_CODEC_ID_H264 &&
           (packet->flags & AV_PKT_FLAG_KEY) != 0;
}

static bool is_intra_only(enum AVCodecID codec) {
    const AVCodecDescriptor *descriptor = avcodec_descriptor_get(codec);
    return ccover_codec_of(codec)->is_intra_only || (descriptor && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0);
}

// Whether the decoder knows which frames are key frames. Those that set no picture type mark every frame.
static bool knows_key_frames(const ccover_demuxer *demuxer, const AVFrame *frame) {
    return frame->pict_type != AV_PICTURE_TYPE_NONE && !ccover_codec_of(codec_of(demuxer))->overstates_keys;
}

// Whether the packet is the first of a stream, and neither it nor the packets that can be read ahead are marked as key
// frames. Decoding can start there.
static bool is_first_without_marks(ccover_clip *clip, int64_t number) {
    if (number != clip->damage->beginning || record_of(clip->damage, number)->is_key) {
        return false;
    }
    for (int64_t i = number; i <= clip->damage->packet_number; i++) {
        if (record_of(clip->damage, i)->is_key) {
            return false;
        }
    }
    const AVPacket *packet;
    for (int i = 0; (packet = ccover_packet_ahead(clip->demuxer, i)); i++) {
        if ((packet->flags & AV_PKT_FLAG_KEY) != 0) {
            return false;
        }
    }
    return true;
}

bool ccover_is_key_frame(const ccover_demuxer *demuxer, const AVFrame *frame) {
    return ccover_codec_of(codec_of(demuxer))->has_keys_by_type ? frame->pict_type == AV_PICTURE_TYPE_I
                                                                : ccover_compat_is_key_frame(frame);
}

// Whether a frame was decoded without others. If the decoder does not know, the container decides,
// unless it marks every packet as a key frame.
static bool is_key_frame(ccover_clip *clip, const AVFrame *frame, int64_t number) {
    if (knows_key_frames(clip->demuxer, frame)) {
        return ccover_is_key_frame(clip->demuxer, frame);
    }
    bool is_called_key = clip->damage->has_predicted && record_of(clip->damage, number)->is_key;
    return is_called_key || is_intra_only(codec_of(clip->demuxer)) || is_first_without_marks(clip, number);
}

// Whether frames may be intact that are not known to be predicted from an intact key frame. The H.264 decoder does not
// mark those that it outputs at the very end.
static bool trusts_decoder(const ccover_clip *clip) {
    bool is_draining = clip->damage->phase != CCOVER_PHASE_START && clip->damage->phase != CCOVER_PHASE_RUNNING;
    enum AVCodecID codec = codec_of(clip->demuxer);
    return ccover_codec_of(codec)->notes_missing && !clip->damage->is_damaged &&
           !(codec == AV_CODEC_ID_H264 && is_draining);
}

// In H.264, a key frame may also start a gradual refresh of the picture.
void ccover_distrust_keys(ccover_clip *clip) {
    clip->damage->has_false_keys = clip->damage->has_false_keys || codec_of(clip->demuxer) != AV_CODEC_ID_H264;
}

// Distrusts the container if decoding began at a frame that it wrongly marks as a key frame. Some containers have no
// key frame flag, or lack the list of key frames; then FFmpeg marks every frame.
static void note_false_key(ccover_clip *clip, const AVFrame *frame, int64_t number) {
    if (number == clip->damage->intact_since && record_of(clip->damage, number)->is_key &&
        knows_key_frames(clip->demuxer, frame)) {
        clip->damage->has_clean_references = false;
        ccover_distrust_keys(clip);
    }
}

bool ccover_is_intact(ccover_clip *clip, const AVFrame *frame) {
    int64_t first, last;
    get_packets(clip, frame, &first, &last);
    bool is_key = is_key_frame(clip, frame, first);
    bool lacks_end = record_of(clip->damage, first)->lacks_end && have_end_markers(clip->demuxer);
    if (frame->decode_error_flags != 0 || lacks_end || ccover_has_blank_block(codec_of(clip->demuxer), frame)) {
        record_of(clip->damage, first)->reports += 1;
        clip->damage->is_damaged = true;
    }
    clip->damage->frame_reports = reports_between(clip->damage, first, last, false);
    bool is_marked = (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
    if (is_key && !is_marked && clip->damage->frame_reports == 0) {
        clip->damage->has_clean_references = true;
        clip->damage->intact_since = first;
        clip->damage->intact_from = record_of(clip->damage, first)->shown;
        clip->damage->is_damaged = reports_between(clip->damage, first, clip->damage->packet_number, true) > 0;
        return true;
    }
    if (!is_key) {
        note_false_key(clip, frame, first);
    }
    // A leading picture of the key picture where decoding began, after a seek, lacks references. The H.264 decoder does
    // not always notice, because it treats that key picture as a complete start.
    if (clip->damage->starts_open_gop && clip->damage->intact_since == clip->damage->position &&
        leads(clip->damage, first)) {
        return false;
    }
    int64_t since = FFMIN(clip->damage->intact_since, first);
    bool has_clean_references = clip->damage->has_clean_references || trusts_decoder(clip);
    clip->damage->has_clean_references =
        has_clean_references && !is_marked && reports_between(clip->damage, since, last, true) == 0;
    return clip->damage->has_clean_references;
}

bool ccover_awaits_key(ccover_clip *clip, const AVFrame *frame) {
    int64_t first, last;
    get_packets(clip, frame, &first, &last);
    bool holds_key = clip->damage->phase == CCOVER_PHASE_RESTARTING;
    for (int64_t number = last + 1; number <= clip->damage->packet_number; number++) {
        holds_key = holds_key || record_of(clip->damage, number)->is_key;
    }
    return clip->damage->is_damaged && !clip->damage->has_clean_references && !holds_key && !leads(clip->damage, first);
}
