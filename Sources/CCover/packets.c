// Reading the packets of the selected stream, on demand or a few ahead.

#include "internal.h"

#include <string.h>

// Reads the next packet of the stream from the file. The stream counts as ended where it is encrypted.
static int read_packet(ccover_clip *clip, AVPacket *packet) {
    for (;;) {
        if (ccover_deadline_passed(&clip->input)) {
            return AVERROR_EXIT;
        }
        int code = av_read_frame(clip->format, packet);
        if (code < 0) {
            ccover_explain_read_error(clip, code);
            return code;
        }
        bool is_wanted = packet->stream_index == clip->stream->index;
        bool ends = is_wanted && ccover_is_encrypted(clip, packet);
        if (is_wanted && !ends) {
            return 0;
        }
        av_packet_unref(packet);
        if (ends) {
            return AVERROR_EOF;
        }
    }
}

int ccover_next_packet(ccover_clip *clip) {
    if (clip->ahead_count == 0) {
        return read_packet(clip, clip->packet);
    }
    AVPacket *first = clip->ahead[0];
    av_packet_move_ref(clip->packet, first);
    clip->ahead_count -= 1;
    memmove(clip->ahead, clip->ahead + 1, (CCOVER_MAX_AHEAD - 1) * sizeof(clip->ahead[0]));
    clip->ahead[CCOVER_MAX_AHEAD - 1] = first;
    return 0;
}

void ccover_forget_packets(ccover_clip *clip) {
    for (int i = 0; i < CCOVER_MAX_AHEAD; i++) {
        av_packet_unref(clip->ahead[i]);
    }
    clip->ahead_count = 0;
}

static void read_ahead(ccover_clip *clip) {
    while (clip->ahead_count < CCOVER_MAX_AHEAD && read_packet(clip, clip->ahead[clip->ahead_count]) >= 0) {
        clip->ahead_count += 1;
    }
}

bool ccover_first_packet_is_shown_first(ccover_clip *clip) {
    read_ahead(clip);
    const AVPacket *first = clip->ahead[0];
    bool is_whole_key_frame = clip->ahead_count > 0 && (first->flags & AV_PKT_FLAG_KEY) != 0 &&
                              (first->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) == 0;
    if (!is_whole_key_frame || first->pts == AV_NOPTS_VALUE) {
        return false;
    }
    for (int i = 1; i < clip->ahead_count; i++) {
        int64_t time = clip->ahead[i]->pts;
        if (time == AV_NOPTS_VALUE || time <= first->pts) {
            return false;
        }
    }
    return true;
}
