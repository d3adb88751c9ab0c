// Decoding frame by frame: from packets to frames, and which frames are intact.

#include "compat.h"
#include "internal.h"

// Sends one packet of the stream to the decoder, or signals the end of the stream. Returns false after the deadline.
static bool feed(ccover_clip *clip) {
    int code = ccover_next_packet(clip);
    if (code == AVERROR_EXIT) {
        return false;
    }
    if (code < 0) {
        clip->reached_end = true;
        clip->read_error = code == AVERROR_EOF ? 0 : code;
        avcodec_send_packet(clip->decoder, NULL);
        return true;
    }
    if (!clip->has_position) {
        clip->has_position = true;
        clip->is_in_step = (clip->packet->flags & AV_PKT_FLAG_KEY) != 0;
    }
    clip->packets_read += 1;
    code = avcodec_send_packet(clip->decoder, clip->packet);
    av_packet_unref(clip->packet);
    if (code < 0) {
        // Only this packet is lost; the next one may be intact.
        clip->decode_errors += 1;
        clip->decode_error = code;
    }
    return true;
}

int ccover_next_frame(ccover_clip *clip) {
    for (;;) {
        int code = avcodec_receive_frame(clip->decoder, clip->spare);
        if (code >= 0) {
            clip->frames_decoded += 1;
            return 0;
        }
        if (code == AVERROR_EOF) {
            return code;
        }
        if (code != AVERROR(EAGAIN)) {
            clip->decode_errors += 1;
            clip->decode_error = code;
            if (clip->reached_end) {
                return AVERROR_EOF;
            }
        }
        if (clip->reached_end && code == AVERROR(EAGAIN)) {
            return AVERROR_EOF;
        }
        if (!feed(clip)) {
            return AVERROR_EXIT;
        }
    }
}

bool ccover_is_corrupt(const AVFrame *frame) {
    return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0;
}

// Whether the decoder itself handles frames whose reference frames are missing. The H.264 decoder marks them as corrupt
// until the picture is complete, which with intra refresh can happen without any key frame; the decoders of MPEG-1/2,
// VP8, VP9 and AV1 do not output them. All others output smeared frames without marking them.
static bool detects_missing_references(enum AVCodecID codec) {
    switch (codec) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_MPEG2VIDEO:
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
        return true;
    default:
        return false;
    }
}

// If the decoder does not detect missing references, all frames count as intact from the first key frame on. The H.264
// decoder does not mark the frames that it outputs at the very end.
bool ccover_is_clean(ccover_clip *clip) {
    enum AVCodecID codec = clip->decoder->codec_id;
    bool is_detected = detects_missing_references(codec) && !(codec == AV_CODEC_ID_H264 && clip->reached_end);
    bool is_in_step = clip->is_in_step || is_detected || ccover_compat_is_key_frame(clip->spare);
    bool result = is_in_step && !ccover_is_corrupt(clip->spare);
    clip->is_in_step = clip->is_in_step || result;
    return result;
}

int64_t ccover_timestamp(const AVFrame *frame) {
    return frame->best_effort_timestamp != AV_NOPTS_VALUE ? frame->best_effort_timestamp : ccover_unknown_time;
}

void ccover_keep_spare(ccover_clip *clip) {
    av_frame_unref(clip->frame);
    av_frame_move_ref(clip->frame, clip->spare);
}

int ccover_fail_without_frame(const ccover_clip *clip, int code, ccover_error *error) {
    if (code == AVERROR_EXIT || ccover_deadline_passed(&clip->input)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_TIMED_OUT, 0, "no frame before the deadline");
    }
    if (clip->encryption.was_met) {
        return ccover_fail_encrypted(clip, CCOVER_STAGE_DECODE, error);
    }
    if (clip->packets_read == 0 && ccover_is_movie(clip->format) && ccover_is_external(&clip->input, clip->stream->id)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_REFUSED, 0,
                           "the clip's frames are in another file, which is not opened");
    }
    if (clip->read_error != 0) {
        ccover_fail(error, CCOVER_STAGE_DECODE, ccover_cause_of(clip, clip->read_error), clip->read_error,
                    "cannot read the video");
    } else if (clip->decode_errors > 0) {
        ccover_cause cause = ccover_cause_of(clip, clip->decode_error);
        ccover_fail(error, CCOVER_STAGE_DECODE, cause, clip->decode_error,
                    cause == CCOVER_CAUSE_TOO_LARGE ? "its frames have more pixels than allowed"
                                                    : "no frame can be decoded");
    } else {
        ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_NO_FRAME, 0,
                    clip->packets_read == 0 ? "the video stream has no frames" : "the video gives no frame");
    }
    return ccover_reconsider(clip, error);
}
