// Reading the packets of the selected stream, on demand or ahead.

#include "internal.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <string.h>

// Bounds of the packets held in memory: ten seconds of a recording with 60 fields a second.
enum { MAX_AHEAD = 600, MAX_AHEAD_BYTES = 32 << 20 };

// Whether the packet is a header of the stream rather than a frame. Where Ogg has lost track, such as behind the end,
// the demuxer starts again with the headers, which reset the decoder.
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

static bool may_be_wanted(const ccover_clip *clip, const AVPacket *packet) {
    const AVCodecParameters *parameters = clip->format->streams[packet->stream_index]->codecpar;
    if (is_stream_header(parameters, packet)) {
        return false;
    }
    if (clip->stream) {
        return packet->stream_index == clip->stream->index;
    }
    // The type of a stream may be unknown until several packets have been read.
    enum AVMediaType type = parameters->codec_type;
    return type != AVMEDIA_TYPE_AUDIO && type != AVMEDIA_TYPE_SUBTITLE;
}

// Gives a packet the palette of the stream. Demuxers return a palette with one packet only, which a seek skips.
static int add_palette(ccover_clip *clip, AVPacket *packet) {
    size_t size = 0;
    const uint8_t *palette = av_packet_get_side_data(packet, AV_PKT_DATA_PALETTE, &size);
    if (palette && size == sizeof(clip->palette)) {
        memcpy(clip->palette, palette, size);
        clip->has_palette = true;
    }
    if (palette || !clip->has_palette) {
        return 0;
    }
    uint8_t *copy = av_packet_new_side_data(packet, AV_PKT_DATA_PALETTE, sizeof(clip->palette));
    if (!copy) {
        return AVERROR(ENOMEM);
    }
    memcpy(copy, clip->palette, sizeof(clip->palette));
    return 0;
}

// Prepares a packet of the selected stream for the decoder. Returns 1, or 0 if the packet is to be left out, or an
// AVERROR; AVERROR_EOF if it is encrypted, because the stream counts as ended there.
static int prepare(ccover_clip *clip, AVPacket *packet) {
    if (ccover_is_encrypted(clip, packet)) {
        clip->end_ahead = AVERROR_EOF;
        return AVERROR_EOF;
    }
    if (ccover_is_attached_picture(clip)) {
        // Some demuxers make up a time for it, and all read on to the end of the file.
        packet->pts = packet->dts = AV_NOPTS_VALUE;
        clip->end_ahead = AVERROR_EOF;
    }
    if (!ccover_marks_key_frames(clip->stream->codecpar->codec_id)) {
        packet->flags &= ~AV_PKT_FLAG_KEY;
    }
    if (clip->has_wrong_sizes && !ccover_is_called_corrupt(clip, packet)) {
        packet->flags &= ~AV_PKT_FLAG_CORRUPT;
    }
    if (ccover_counts_time(clip)) {
        ccover_count_packet(clip, packet);
    } else if (ccover_derives_times(clip)) {
        ccover_derive_times(clip, packet);
    } else if (ccover_may_lack_times(clip) && !ccover_settle_times(clip, packet)) {
        return 0;
    }
    int code = ccover_remove_texts(clip->stream->codecpar, packet);
    code = code < 0 ? code : add_palette(clip, packet);
    return code < 0 ? code : 1;
}

// Marks a packet that the end of the file cuts short. Most demuxers do it; that of NUT does not.
static void note_end_of_file(ccover_clip *clip, AVPacket *packet) {
    bool ends_at_end = clip->format->pb->eof_reached && packet->pos >= 0 &&
                       packet->pos + packet->size >= clip->input.position;
    if (ends_at_end && ccover_is_container(clip, "nut")) {
        packet->flags |= AV_PKT_FLAG_CORRUPT;
        clip->has_untimed_corruption = true;
    }
}

// Demuxers also return ENOMEM for a packet whose size is invalid; then no memory was asked for.
static int read_frame(AVFormatContext *format, AVPacket *packet) {
    errno = 0;
    ccover_forget_parser_reports();
    int code = av_read_frame(format, packet);
    return code == AVERROR(ENOMEM) && errno != ENOMEM ? AVERROR_INVALIDDATA : code;
}

// Reads the next packet from the file. Returns 1 if it is one to keep, 0 if not, or an AVERROR.
static int read_any_packet(ccover_clip *clip, AVPacket *packet) {
    if (ccover_deadline_passed(&clip->input)) {
        return AVERROR_EXIT;
    }
    if (clip->end_ahead < 0) {
        return clip->end_ahead;
    }
    AVPacket *before = clip->ahead_count > 0 ? clip->ahead[clip->ahead_count - 1] : NULL;
    clip->gap_position = -1;
    int code = read_frame(clip->format, packet);
    bool is_kept = code >= 0 && may_be_wanted(clip, packet);
    if (is_kept && ccover_has_parser_report() && !clip->encryption.has_signal_bytes) {
        ccover_mark_corrupt(clip, packet);
    }
    ccover_note_gap(clip, code, before, is_kept ? packet : NULL);
    if (code < 0) {
        ccover_explain_read_error(clip, code);
        return code;
    }
    note_end_of_file(clip, packet);
    code = is_kept && clip->stream ? prepare(clip, packet) : is_kept;
    if (code <= 0) {
        av_packet_unref(packet);
    }
    return code;
}

const AVPacket *ccover_upcoming(ccover_clip *clip, int index) {
    int code = 0;
    while (clip->ahead_count <= index && code >= 0) {
        code = ccover_read_ahead(clip);
    }
    if (code < 0 && code != AVERROR(ENOSPC) && code != AVERROR_EXIT) {
        clip->end_ahead = code;
    }
    return clip->ahead_count > index ? clip->ahead[index] : NULL;
}

int ccover_next_packet(ccover_clip *clip) {
    if (ccover_shows_damage_late(clip)) {
        // The packet behind the next one may show that it is damaged.
        ccover_upcoming(clip, 1);
    }
    while (clip->ahead_count > 0) {
        AVPacket *first = clip->ahead[0];
        clip->ahead_count -= 1;
        clip->ahead_bytes -= first->size;
        memmove(clip->ahead, clip->ahead + 1, (size_t)clip->ahead_count * sizeof(clip->ahead[0]));
        bool is_wanted = first->stream_index == clip->stream->index;
        if (is_wanted) {
            av_packet_move_ref(clip->packet, first);
        }
        av_packet_free(&first);
        if (is_wanted) {
            return 0;
        }
    }
    int code;
    do {
        code = read_any_packet(clip, clip->packet);
    } while (code == 0);
    return code < 0 ? code : 0;
}

int64_t ccover_shown_time(const AVPacket *packet) {
    return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
}

int64_t ccover_decoded_time(const AVPacket *packet) {
    return packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
}

void ccover_forget_packets(ccover_clip *clip) {
    // A packet at which the decoder was to restart may be left.
    av_packet_unref(clip->packet);
    for (int i = 0; i < clip->ahead_count; i++) {
        av_packet_free(&clip->ahead[i]);
    }
    clip->ahead_count = 0;
    clip->ahead_bytes = 0;
    clip->end_ahead = 0;
    clip->is_after_gap = false;
    clip->due = clip->due_shown = AV_NOPTS_VALUE;
}

// Makes room for one more packet read ahead.
static int grow(ccover_clip *clip) {
    if (clip->ahead_count >= MAX_AHEAD || clip->ahead_bytes > MAX_AHEAD_BYTES) {
        return AVERROR(ENOSPC);
    }
    if (clip->ahead_count < clip->ahead_room) {
        return 0;
    }
    int room = clip->ahead_room > 0 ? 2 * clip->ahead_room : 8;
    AVPacket **larger = av_realloc_array(clip->ahead, (size_t)room, sizeof(clip->ahead[0]));
    if (!larger) {
        return AVERROR(ENOMEM);
    }
    clip->ahead = larger;
    clip->ahead_room = room;
    return 0;
}

// Appends a packet, for which there is room.
static void keep(ccover_clip *clip, AVPacket *packet) {
    clip->ahead[clip->ahead_count] = packet;
    clip->ahead_count += 1;
    clip->ahead_bytes += packet->size;
}

int ccover_read_ahead(ccover_clip *clip) {
    int code = grow(clip);
    AVPacket *packet = code < 0 ? NULL : av_packet_alloc();
    if (!packet) {
        return code < 0 ? code : AVERROR(ENOMEM);
    }
    code = read_any_packet(clip, packet);
    if (code <= 0) {
        av_packet_free(&packet);
        return code;
    }
    keep(clip, packet);
    return 0;
}

bool ccover_is_attached_picture(const ccover_clip *clip) {
    return clip->stream && clip->stream->attached_pic.size > 0;
}

int ccover_read_picture_again(ccover_clip *clip) {
    int code = grow(clip);
    AVPacket *packet = code < 0 ? NULL : av_packet_clone(&clip->stream->attached_pic);
    if (!packet) {
        return code < 0 ? code : AVERROR(ENOMEM);
    }
    code = prepare(clip, packet);
    if (code < 0) {
        av_packet_free(&packet);
        return code;
    }
    keep(clip, packet);
    return 0;
}

void ccover_forget_other_streams(ccover_clip *clip) {
    int kept = 0;
    for (int i = 0; i < clip->ahead_count; i++) {
        if (clip->ahead[i]->stream_index == clip->stream->index) {
            clip->ahead[kept++] = clip->ahead[i];
        } else {
            clip->ahead_bytes -= clip->ahead[i]->size;
            av_packet_free(&clip->ahead[i]);
        }
    }
    clip->ahead_count = kept;
}

void ccover_prepare_packets_ahead(ccover_clip *clip) {
    int ready = 0;
    while (ready < clip->ahead_count && prepare(clip, clip->ahead[ready]) > 0) {
        ready += 1;
    }
    while (clip->ahead_count > ready) {
        clip->ahead_count -= 1;
        clip->ahead_bytes -= clip->ahead[clip->ahead_count]->size;
        av_packet_free(&clip->ahead[clip->ahead_count]);
    }
}

const AVPacket *ccover_packet_ahead(ccover_clip *clip, int index) {
    while (clip->ahead_count <= index) {
        if (ccover_read_ahead(clip) < 0) {
            return NULL;
        }
    }
    return clip->ahead[index];
}

void ccover_drop_packets(ccover_clip *clip, int count) {
    for (int i = 0; i < count; i++) {
        clip->ahead_bytes -= clip->ahead[i]->size;
        av_packet_free(&clip->ahead[i]);
    }
    clip->ahead_count -= count;
    memmove(clip->ahead, clip->ahead + count, (size_t)clip->ahead_count * sizeof(clip->ahead[0]));
}
