// Decoding frame by frame: from packets to frames.

#include "internal.h"

#include <errno.h>
#include <sys/resource.h>

void ccover_look_for(ccover_clip *clip, int64_t time) {
    clip->wanted = time;
    clip->sent = AV_NOPTS_VALUE;
}

// Whether the frame of a packet may be the wanted frame. It is not if it is discarded, or if a later frame is not too
// late either. Updates `clip->sent`.
static bool may_be_shown(ccover_clip *clip, const AVPacket *packet) {
    if ((packet->flags & AV_PKT_FLAG_DISCARD) != 0) {
        return false;
    }
    // The times of frames without one are found from those before, so none of these may be left out.
    if (ccover_may_lack_times(clip)) {
        return true;
    }
    if (clip->wanted == AV_NOPTS_VALUE || packet->pts == AV_NOPTS_VALUE || packet->pts > clip->wanted) {
        return true;
    }
    bool is_followed = clip->sent != AV_NOPTS_VALUE && packet->pts < clip->sent;
    clip->sent = is_followed ? clip->sent : packet->pts;
    // In damaged clips the frames that follow may be unusable.
    return !is_followed || clip->is_damaged;
}

// Whether the memory of the process is limited.
static bool has_memory_limit(void) {
    struct rlimit space, data;
    bool is_known = getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_DATA, &data) == 0;
    return !is_known || space.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}

// Decoders may report as damage that they could not allocate something; what failed is then seen only in `errno`. But
// the C library also sets that where it did not get memory in one way, and then got it in another.
static int note_memory(ccover_clip *clip, int code) {
    clip->lacked_memory = clip->lacked_memory || (errno == ENOMEM && has_memory_limit());
    return code;
}

static int send_packet(ccover_clip *clip, AVPacket *packet) {
    errno = 0;
    bool is_unfiltered = clip->decoder->skip_loop_filter == AVDISCARD_ALL && !clip->is_draft;
    if (packet && is_unfiltered && clip->decoder->codec_id == AV_CODEC_ID_VP9) {
        int code = ccover_leave_out_vp9_filter(packet);
        if (code < 0) {
            return note_memory(clip, code);
        }
    }
    return note_memory(clip, avcodec_send_packet(clip->decoder, packet));
}

static int receive_frame(ccover_clip *clip) {
    errno = 0;
    return note_memory(clip, avcodec_receive_frame(clip->decoder, clip->spare));
}

// Counts a packet that the decoder rejected. Only this packet is lost; the next one may be intact.
static void note_error(ccover_clip *clip, int code) {
    clip->decode_errors += 1;
    clip->decode_error = code;
    ccover_note_damage(clip);
}

// Whether the clip may end inside a packet of which neither the container nor the decoder knows the size.
static bool may_end_unnoticed(const ccover_clip *clip) {
    return clip->decoder->codec_id == AV_CODEC_ID_HEVC &&
           (ccover_is_raw(clip->format->iformat) || ccover_is_mpeg_stream(clip->format));
}

static void send(ccover_clip *clip) {
    if (clip->packet->size == 0 && clip->packet->side_data_elems == 0) {
        // AVI stores a repeated frame as an empty packet, which the decoder would take for the end of the stream.
        av_packet_unref(clip->packet);
        return;
    }
    ccover_note_packet(clip, clip->packet);
    clip->decoder->skip_frame = may_be_shown(clip, clip->packet) ? AVDISCARD_DEFAULT : AVDISCARD_NONREF;
    int code = send_packet(clip, clip->packet);
    clip->decoder->skip_loop_filter = ccover_unfiltered_later(clip);
    av_packet_unref(clip->last);
    if (may_end_unnoticed(clip)) {
        av_packet_move_ref(clip->last, clip->packet);
    }
    av_packet_unref(clip->packet);
    if (code < 0) {
        note_error(clip, code);
    }
}

// Sends one packet of the stream to the decoder, or signals the end of the stream. Returns false after the deadline.
static bool feed(ccover_clip *clip) {
    int code = ccover_next_packet(clip);
    if (code == AVERROR_EXIT) {
        return false;
    }
    if (code < 0) {
        clip->reached_end = true;
        clip->read_error = code == AVERROR_EOF ? 0 : code;
        send_packet(clip, NULL);
        return true;
    }
    clip->packets_read += 1;
    if (ccover_restarts_at(clip, clip->packet)) {
        clip->is_restarting = true;
        send_packet(clip, NULL);
    } else {
        send(clip);
    }
    return true;
}

// Resets the drained decoder, and sends it the packet at hand.
static void restart(ccover_clip *clip) {
    avcodec_flush_buffers(clip->decoder);
    ccover_start_position(clip);
    send(clip);
}

int ccover_next_frame(ccover_clip *clip) {
    for (;;) {
        int code = receive_frame(clip);
        if (code >= 0 && ccover_is_discarded(clip)) {
            // libavcodec leaves such frames out, but not those of libdav1d.
            av_frame_unref(clip->spare);
            continue;
        }
        if (code >= 0) {
            clip->frames_decoded += 1;
            ccover_time_frame(clip);
            ccover_crop_frame(clip, clip->spare);
            ccover_inherit_orientation(clip);
            return 0;
        }
        if (clip->is_restarting) {
            restart(clip);
            continue;
        }
        if (code == AVERROR_EOF) {
            return code;
        }
        if (code != AVERROR(EAGAIN)) {
            note_error(clip, code);
        }
        if (clip->reached_end) {
            return AVERROR_EOF;
        }
        if (!feed(clip)) {
            return AVERROR_EXIT;
        }
    }
}

bool ccover_decode_alone(AVCodecContext *decoder, AVPacket *const *packets, int count, AVFrame *frame) {
    for (int i = 0; i < count; i++) {
        if (avcodec_send_packet(decoder, packets[i]) < 0) {
            return false;
        }
    }
    if (avcodec_send_packet(decoder, NULL) < 0 || avcodec_receive_frame(decoder, frame) < 0) {
        return false;
    }
    ccover_crop_frame(decoder->opaque, frame);
    return true;
}

int64_t ccover_timestamp(const AVFrame *frame) {
    return frame->best_effort_timestamp != AV_NOPTS_VALUE ? frame->best_effort_timestamp : ccover_unknown_time;
}

void ccover_keep_spare(ccover_clip *clip) {
    av_frame_unref(clip->frame);
    av_frame_move_ref(clip->frame, clip->spare);
}

void ccover_keep_later(ccover_clip *clip) {
    av_frame_unref(clip->frame);
    av_frame_move_ref(clip->frame, clip->later);
}

int ccover_fail_without_frame(const ccover_clip *clip, int code, ccover_error *error) {
    if (code == AVERROR_EXIT || ccover_deadline_passed(&clip->input)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_TIMED_OUT, 0,
                           "no frame was decoded within the time limit");
    }
    if (clip->encryption.was_met) {
        return ccover_fail_encrypted(clip, CCOVER_STAGE_DECODE, error);
    }
    if (clip->lacked_memory) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_DECODE);
    }
    if (clip->is_unknown_kind) {
        ccover_log_begin();
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           "the installed FFmpeg cannot decode High-Throughput JPEG 2000");
    }
    if (clip->packets_read == 0 && ccover_is_movie(clip->format) &&
        ccover_is_external(&clip->input, clip->stream->id)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_REFUSED, 0,
                           "the clip's frames are in another file, which is not opened");
    }
    if (clip->read_error != 0) {
        ccover_fail(error, CCOVER_STAGE_DECODE, ccover_cause_of(clip, clip->read_error), clip->read_error,
                    "cannot read the video");
    } else if (clip->decode_errors > 0) {
        ccover_cause cause = ccover_cause_of(clip, clip->decode_error);
        if (cause == CCOVER_CAUSE_TOO_LARGE) {
            ccover_fail_too_large(clip, error, CCOVER_STAGE_DECODE, clip->decode_error);
        } else {
            ccover_fail(error, CCOVER_STAGE_DECODE, cause, clip->decode_error, "no frame can be decoded");
        }
    } else if (clip->packets_read == 0 ? clip->container_errors > 0 : clip->has_untimed_corruption) {
        ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_DAMAGED, 0,
                    "no frame can be read: the container is damaged");
    } else {
        ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_NO_FRAME, 0,
                    clip->packets_read == 0 ? "the video stream has no frames"
                                            : "the video contains no complete frame");
    }
    return ccover_reconsider(clip, error);
}
