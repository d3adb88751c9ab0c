// Decoding the first frame of a clip, and the frames that follow the kept one.

#include "compat.h"
#include "internal.h"

// The number of damaged frames that are skipped while waiting for an intact one.
enum { MAX_CORRUPT_FRAMES = 300 };

// Finds the first intact frame, and remembers the best damaged one before it. Returns the last result of
// ccover_next_frame().
static int find_clean_frame(ccover_clip *clip, bool *found) {
    int code = 0;
    *found = false;
    for (int passed_over = 0; passed_over <= MAX_CORRUPT_FRAMES && !*found; passed_over++) {
        code = ccover_next_frame(clip);
        if (code < 0) {
            break;
        }
        *found = ccover_is_clean(clip);
        if (*found) {
            ccover_keep_spare(clip);
        } else {
            ccover_keep_if_best(clip);
        }
        av_frame_unref(clip->spare);
    }
    return code;
}

// Whether the decoder delays a frame until no other frame can precede it in presentation order.
static bool delays_frames(enum AVCodecID codec) {
    return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_MPEG4;
}

// Decodes the first packet without sending any others, and keeps its frame, if the times of the following packets show
// that it is presented first. The decoder would otherwise ask for two or three more packets before it outputs the
// frame. Returns false, with the decoder reset, if this is not possible.
static bool decode_first_packet_alone(ccover_clip *clip) {
    if (!delays_frames(clip->decoder->codec_id) || !ccover_holds_whole_pictures(clip->format) ||
        !ccover_first_packet_is_shown_first(clip)) {
        return false;
    }
    int64_t time = clip->ahead[0]->pts;
    ccover_note_packet(clip, clip->ahead[0]);
    bool is_decoded = ccover_decode_alone(clip->decoder, clip->ahead[0], clip->spare);
    clip->reached_end = true;
    // The container's key frame flag is not sufficient: it may mark the start of an intra refresh.
    bool is_key_frame = is_decoded && ccover_compat_is_key_frame(clip->spare);
    if (is_key_frame && ccover_timestamp(clip->spare) == time && ccover_is_clean(clip)) {
        clip->packets_read += 1;
        clip->frames_decoded += 1;
        ccover_keep_spare(clip);
        return true;
    }
    av_frame_unref(clip->spare);
    avcodec_flush_buffers(clip->decoder);
    ccover_start_position(clip);
    return false;
}

int ccover_decode_first(ccover_clip *clip, ccover_shortcuts shortcuts, ccover_frame_facts *facts, ccover_error *error) {
    *facts = (ccover_frame_facts){0};
    int failed = ccover_begin_decoding(clip, (shortcuts & CCOVER_SHORTCUT_NO_LOOP_FILTER) != 0, error);
    if (failed) {
        return failed;
    }
    bool found = (shortcuts & CCOVER_SHORTCUT_ONE_FRAME) != 0 && decode_first_packet_alone(clip);
    int code = found ? 0 : find_clean_frame(clip, &found);
    ccover_take_damaged(clip);
    if (!clip->frame->buf[0]) {
        return ccover_fail_without_frame(clip, code, error);
    }
    ccover_set_frame_facts(clip, facts);
    return 0;
}

int ccover_decode_next(ccover_clip *clip, ccover_frame_facts *facts, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (!clip->frame->buf[0]) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_MISUSE, 0, "no frame was asked for yet");
    }
    for (int passed_over = 0; passed_over <= MAX_CORRUPT_FRAMES; passed_over++) {
        int code = ccover_next_frame(clip);
        if (code < 0 && code != AVERROR_EOF) {
            return ccover_fail_without_frame(clip, code, error);
        }
        if (code == AVERROR_EOF) {
            break;
        }
        bool is_clean = ccover_is_clean(clip);
        if (is_clean || clip->is_frame_damaged) {
            clip->is_frame_damaged = !is_clean;
            ccover_keep_spare(clip);
            ccover_set_frame_facts(clip, facts);
            return 0;
        }
        av_frame_unref(clip->spare);
    }
    return 1;
}
