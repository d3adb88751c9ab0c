// Reading the packets of the selected stream, on demand or ahead.

#include "Demuxing/demuxing.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <string.h>

// The most bytes of packets held in memory.
enum { MAX_AHEAD_BYTES = 32 << 20 };

// Whether the packet is a header of the stream rather than a frame. If the Ogg demuxer has lost sync, for
// example past the end, it starts again with the headers, which reset the decoder.
static bool is_stream_header(const AVCodecParameters *parameters, const AVPacket *packet) {
    static const char vp8[] = "OVP80";
    size_t size = (size_t)packet->size;
    switch (parameters->codec_id) {
    case AV_CODEC_ID_THEORA:
        return size > 0 && (packet->data[0] & 0x80) != 0;
    case AV_CODEC_ID_VP8:
        return size >= sizeof(vp8) - 1 && memcmp(packet->data, vp8, sizeof(vp8) - 1) == 0;
    default:
        return false;
    }
}

static bool may_be_wanted(const ccover_demuxer *demuxer, const AVPacket *packet) {
    const AVCodecParameters *parameters = demuxer->format->streams[packet->stream_index]->codecpar;
    if (is_stream_header(parameters, packet)) {
        return false;
    }
    if (demuxer->stream) {
        return packet->stream_index == demuxer->stream->index;
    }
    // The type of a stream may be unknown until several packets have been read.
    enum AVMediaType type = parameters->codec_type;
    return type != AVMEDIA_TYPE_AUDIO && type != AVMEDIA_TYPE_SUBTITLE;
}

// Gives a packet the palette of the stream. Demuxers return a palette with one packet only, which a seek skips.
static int add_palette(ccover_demuxer *demuxer, AVPacket *packet) {
    size_t size = 0;
    const uint8_t *palette = av_packet_get_side_data(packet, AV_PKT_DATA_PALETTE, &size);
    if (palette && size == sizeof(demuxer->palette)) {
        memcpy(demuxer->palette, palette, size);
        demuxer->has_palette = true;
    }
    if (palette || !demuxer->has_palette) {
        return 0;
    }
    uint8_t *copy = av_packet_new_side_data(packet, AV_PKT_DATA_PALETTE, sizeof(demuxer->palette));
    if (!copy) {
        return AVERROR(ENOMEM);
    }
    memcpy(copy, demuxer->palette, sizeof(demuxer->palette));
    return 0;
}

// Prepares a packet of the selected stream for the decoder. Returns 1, or 0 if the packet is to be left out, or an
// AVERROR; AVERROR_EOF if it is encrypted, because the stream counts as ended there.
static int prepare(ccover_demuxer *demuxer, AVPacket *packet) {
    if (ccover_is_encrypted(demuxer, packet)) {
        demuxer->queue_error = AVERROR_EOF;
        return AVERROR_EOF;
    }
    if (ccover_is_attached_picture(demuxer)) {
        // Some demuxers make up a time for it, and all read on to the end of the file.
        packet->pts = packet->dts = AV_NOPTS_VALUE;
        demuxer->queue_error = AVERROR_EOF;
    }
    if (ccover_codec_of(demuxer->stream->codecpar->codec_id)->has_no_keys) {
        packet->flags &= ~AV_PKT_FLAG_KEY;
    }
    if (ccover_is_container(demuxer, "mpegts") && !ccover_is_called_corrupt(demuxer, packet)) {
        packet->flags &= ~AV_PKT_FLAG_CORRUPT;
    }
    if (ccover_counts_time(demuxer)) {
        ccover_count_packet(demuxer, packet);
    } else if (ccover_derives_times(demuxer)) {
        ccover_derive_times(demuxer, packet);
    } else if (ccover_may_lack_times(demuxer) && !ccover_settle_times(demuxer, packet)) {
        return 0;
    }
    int code = ccover_remove_texts(demuxer->stream->codecpar, packet);
    code = code < 0 ? code : add_palette(demuxer, packet);
    return code < 0 ? code : 1;
}

// Reads the next packet from the file. Returns 1 if it is one to keep, 0 if not, or an AVERROR.
static int read_any_packet(ccover_demuxer *demuxer, AVPacket *packet) {
    if (ccover_deadline_passed(&demuxer->input)) {
        return AVERROR_EXIT;
    }
    if (demuxer->queue_error < 0) {
        return demuxer->queue_error;
    }
    AVPacket *before = demuxer->queue_count > 0 ? demuxer->packet_queue[demuxer->queue_count - 1] : NULL;
    demuxer->gap_position = -1;
    errno = 0;
    ccover_take_parser_report(); // of packets before
    int code = av_read_frame(demuxer->format, packet);
    // Demuxers also return ENOMEM for a packet whose size is invalid; then no memory was asked for.
    code = code == AVERROR(ENOMEM) && errno != ENOMEM ? AVERROR_INVALIDDATA : code;
    bool is_kept = code >= 0 && may_be_wanted(demuxer, packet);
    if (is_kept && ccover_take_parser_report() && demuxer->encryption.declared != CCOVER_DECLARED_SIGNALLED) {
        ccover_mark_corrupt(demuxer, packet);
    }
    ccover_note_gap(demuxer, code, before, is_kept ? packet : NULL);
    if (code < 0) {
        ccover_explain_read_error(demuxer, code);
        return code;
    }
    bool ends_at_end = demuxer->format->pb->eof_reached && packet->pos >= 0 &&
                       packet->pos + packet->size >= demuxer->input.position;
    if (ends_at_end && ccover_is_container(demuxer, "nut")) {
        // The end of the file cuts it short. Most demuxers mark such a packet.
        ccover_mark_corrupt(demuxer, packet);
    }
    code = is_kept && demuxer->stream ? prepare(demuxer, packet) : is_kept;
    if (code <= 0) {
        av_packet_unref(packet);
    }
    return code;
}

int ccover_next_packet(ccover_demuxer *demuxer) {
    if (demuxer->kind->shows_damage_late) {
        // The packet after the next one may show that it is damaged.
        ccover_packet_ahead(demuxer, 1);
    }
    if (demuxer->queue_count > 0) {
        demuxer->queue_bytes -= demuxer->packet_queue[0]->size;
        av_packet_move_ref(demuxer->packet, demuxer->packet_queue[0]);
        ccover_drop_packets(demuxer, 1);
        return 0;
    }
    int code;
    do {
        code = read_any_packet(demuxer, demuxer->packet);
    } while (code == 0);
    return FFMIN(code, 0);
}

int64_t ccover_shown_time(const AVPacket *packet) {
    return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
}

int64_t ccover_decoded_time(const AVPacket *packet) {
    return packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
}

void ccover_forget_packets(ccover_demuxer *demuxer) {
    // A packet that the decoder was to restart with may be left.
    av_packet_unref(demuxer->packet);
    for (int i = 0; i < demuxer->queue_count; i++) {
        av_packet_free(&demuxer->packet_queue[i]);
    }
    demuxer->queue_count = 0;
    demuxer->queue_bytes = 0;
    demuxer->queue_error = 0;
    demuxer->is_after_gap = false;
    demuxer->encryption.was_met = false;
    demuxer->clock.next_dts = demuxer->clock.next_pts = AV_NOPTS_VALUE;
}

// Appends a packet; the caller has checked that there is room.
static void keep(ccover_demuxer *demuxer, AVPacket *packet) {
    demuxer->packet_queue[demuxer->queue_count] = packet;
    demuxer->queue_count += 1;
    demuxer->queue_bytes += packet->size;
}

int ccover_read_ahead(ccover_demuxer *demuxer) {
    if (demuxer->queue_count == CCOVER_MAX_AHEAD || demuxer->queue_bytes > MAX_AHEAD_BYTES) {
        return AVERROR(ENOSPC);
    }
    AVPacket *packet = av_packet_alloc();
    int code = packet ? read_any_packet(demuxer, packet) : AVERROR(ENOMEM);
    if (code <= 0) {
        av_packet_free(&packet);
        return code;
    }
    keep(demuxer, packet);
    return 0;
}

bool ccover_is_attached_picture(const ccover_demuxer *demuxer) {
    return demuxer->stream && demuxer->stream->attached_pic.size > 0;
}

int ccover_read_picture_again(ccover_demuxer *demuxer) {
    AVPacket *packet = av_packet_clone(&demuxer->stream->attached_pic);
    int code = packet ? prepare(demuxer, packet) : AVERROR(ENOMEM);
    if (code < 0) {
        av_packet_free(&packet);
        return code;
    }
    keep(demuxer, packet);
    return 0;
}

void ccover_prepare_packets_ahead(ccover_demuxer *demuxer) {
    int count = demuxer->queue_count, code = 1;
    demuxer->queue_count = 0;
    demuxer->queue_bytes = 0;
    for (int i = 0; i < count; i++) {
        AVPacket *packet = demuxer->packet_queue[i];
        bool is_own = packet->stream_index == demuxer->stream->index;
        code = is_own && code > 0 ? prepare(demuxer, packet) : code;
        if (is_own && code > 0) {
            keep(demuxer, packet);
        } else {
            av_packet_free(&packet);
        }
    }
}

const AVPacket *ccover_packet_ahead(ccover_demuxer *demuxer, int index) {
    int code = 0;
    while (demuxer->queue_count <= index && code >= 0) {
        code = ccover_read_ahead(demuxer);
    }
    if (code < 0 && code != AVERROR(ENOSPC) && code != AVERROR_EXIT) {
        demuxer->queue_error = code;
    }
    return code < 0 ? NULL : demuxer->packet_queue[index];
}

void ccover_drop_packets(ccover_demuxer *demuxer, int count) {
    for (int i = 0; i < count; i++) {
        demuxer->queue_bytes -= demuxer->packet_queue[i]->size;
        av_packet_free(&demuxer->packet_queue[i]);
    }
    demuxer->queue_count -= count;
    memmove(demuxer->packet_queue, demuxer->packet_queue + count,
            (size_t)demuxer->queue_count * sizeof(demuxer->packet_queue[0]));
}

void ccover_count_sent(ccover_demuxer *demuxer, int count) {
    demuxer->packets_read += count;
}
