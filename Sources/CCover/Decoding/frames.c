// Decoding frame by frame: from packets to frames.

#include "Decoding/decoding.h"

#include <errno.h>
#include <sys/resource.h>

ccover_position *ccover_make_position(void) {
    ccover_position *position = av_mallocz(sizeof(*position));
    if (!position) {
        return NULL;
    }
    position->frame = av_frame_alloc();
    position->decoding_frame = av_frame_alloc();
    position->next_frame = av_frame_alloc();
    position->damaged = av_frame_alloc();
    position->key_packet = av_packet_alloc();
    position->key.shown = position->target_pts = position->last_sent_pts = AV_NOPTS_VALUE;
    if (!position->frame || !position->decoding_frame || !position->next_frame || !position->damaged ||
        !position->key_packet) {
        ccover_free_position(&position);
    }
    return position;
}

void ccover_free_position(ccover_position **handle) {
    ccover_position *position = *handle;
    if (!position) {
        return;
    }
    avcodec_free_context(&position->decoder);
    av_packet_free(&position->key_packet);
    av_frame_free(&position->frame);
    av_frame_free(&position->decoding_frame);
    av_frame_free(&position->next_frame);
    av_frame_free(&position->damaged);
    av_freep(handle);
}

void ccover_set_target_time(ccover_position *position, int64_t time) {
    position->target_pts = time;
    position->last_sent_pts = AV_NOPTS_VALUE;
}

void ccover_release_frames(ccover_position *position, bool output_is_half_size) {
    position->releases_frame = true;
    position->output_is_half_size = output_is_half_size;
}

// Whether the frame of a packet may be the wanted frame. It is not if it is discarded, or if a later frame is not too
// late either. Updates `clip->position->last_sent_pts`.
static bool may_be_shown(ccover_clip *clip, const AVPacket *packet) {
    if ((packet->flags & AV_PKT_FLAG_DISCARD) != 0) {
        return false;
    }
    // The times of frames without one are found from those before, so none of these may be left out.
    if (ccover_may_lack_times(clip->demuxer)) {
        return true;
    }
    if (clip->position->target_pts == AV_NOPTS_VALUE || packet->pts == AV_NOPTS_VALUE ||
        packet->pts > clip->position->target_pts) {
        return true;
    }
    bool is_followed = clip->position->last_sent_pts != AV_NOPTS_VALUE && packet->pts < clip->position->last_sent_pts;
    clip->position->last_sent_pts = is_followed ? clip->position->last_sent_pts : packet->pts;
    // In damaged clips the frames that follow may be unusable.
    return !is_followed || clip->damage->is_damaged;
}

// Decoders may report as damage that they could not allocate something; what failed is then seen only in `errno`. But
// the C library also sets that where it did not get memory in one way, and then got it in another, so it counts only if
// the memory of the process is limited.
static int note_memory(ccover_position *position, int code) {
    struct rlimit space, data;
    if (errno == ENOMEM) {
        bool is_known = getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_DATA, &data) == 0;
        position->lacked_memory = position->lacked_memory || !is_known || space.rlim_cur != RLIM_INFINITY ||
                                  data.rlim_cur != RLIM_INFINITY;
    }
    return code;
}

static int send_packet(ccover_position *position, AVPacket *packet) {
    errno = 0;
    return note_memory(position, avcodec_send_packet(position->decoder, packet));
}

// Returns the frame that is shown of a packet: one of VP9 may hold a frame for each spatial layer, the largest last.
static int receive(AVCodecContext *decoder, AVFrame *frame) {
    int code = avcodec_receive_frame(decoder, frame);
    AVFrame *layer = code >= 0 && decoder->codec_id == AV_CODEC_ID_VP9 ? av_frame_alloc() : NULL;
    while (layer && avcodec_receive_frame(decoder, layer) >= 0) {
        av_frame_unref(frame);
        av_frame_move_ref(frame, layer);
    }
    av_frame_free(&layer);
    return code;
}

// Counts a packet that the decoder rejected. Only this packet is lost; the next one may be intact.
static void note_error(ccover_clip *clip, int code) {
    clip->position->decode_errors += 1;
    clip->position->decode_error = code;
    ccover_note_damage(clip->damage);
}

static void send(ccover_clip *clip) {
    if (clip->demuxer->packet->size == 0 && clip->demuxer->packet->side_data_elems == 0) {
        // AVI stores a repeated frame as an empty packet, which the decoder would take for the end of the stream.
        av_packet_unref(clip->demuxer->packet);
        return;
    }
    ccover_note_packet(clip, clip->position->decoder, clip->demuxer->packet);
    clip->position->decoder->skip_frame =
        may_be_shown(clip, clip->demuxer->packet) ? AVDISCARD_DEFAULT : AVDISCARD_NONREF;
    int code = send_packet(clip->position, clip->demuxer->packet);
    clip->position->decoder->skip_loop_filter = ccover_unfiltered_later(clip->position);
    av_packet_unref(clip->demuxer->packet);
    if (code < 0) {
        note_error(clip, code);
    }
}

// Sends one packet of the stream to the decoder, or signals the end of the stream. Returns false after the deadline.
static bool feed(ccover_clip *clip) {
    int code = ccover_next_packet(clip->demuxer);
    if (code == AVERROR_EXIT) {
        return false;
    }
    if (code < 0) {
        ccover_enter_phase(clip->damage, CCOVER_PHASE_ENDED);
        clip->position->read_error = code == AVERROR_EOF ? 0 : code;
        send_packet(clip->position, NULL);
        return true;
    }
    ccover_count_sent(clip->demuxer, 1);
    if (ccover_restarts_at(clip, clip->demuxer->packet)) {
        ccover_enter_phase(clip->damage, CCOVER_PHASE_RESTARTING);
        send_packet(clip->position, NULL);
    } else {
        send(clip);
    }
    return true;
}

int ccover_next_frame(ccover_clip *clip) {
    for (;;) {
        errno = 0;
        int code = note_memory(clip->position, receive(clip->position->decoder, clip->position->decoding_frame));
        if (code >= 0 && ccover_is_discarded(clip, clip->position->decoding_frame)) {
            // libavcodec leaves such frames out, but not those of libdav1d.
            av_frame_unref(clip->position->decoding_frame);
            continue;
        }
        if (code >= 0) {
            clip->position->frames_decoded += 1;
            ccover_time_frame(clip->demuxer, clip->position->decoding_frame, clip->position->decoder->has_b_frames);
            ccover_crop_frame(clip->demuxer, clip->position->decoding_frame);
            ccover_inherit_orientation(clip);
            return 0;
        }
        if (clip->damage->phase == CCOVER_PHASE_RESTARTING) {
            // The drained decoder gets the packet at hand.
            avcodec_flush_buffers(clip->position->decoder);
            ccover_start_position(clip);
            send(clip);
            continue;
        }
        if (code == AVERROR_EOF) {
            return code;
        }
        if (code != AVERROR(EAGAIN)) {
            note_error(clip, code);
        }
        if (clip->damage->phase == CCOVER_PHASE_ENDED) {
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
    if (avcodec_send_packet(decoder, NULL) < 0 || receive(decoder, frame) < 0) {
        return false;
    }
    ccover_crop_frame(((const ccover_clip *)decoder->opaque)->demuxer, frame);
    return true;
}

void ccover_keep(ccover_position *position, AVFrame *frame) {
    av_frame_unref(position->frame);
    av_frame_move_ref(position->frame, frame);
}

bool ccover_is_clean(ccover_clip *clip) {
    return ccover_is_intact(clip, clip->position->decoding_frame);
}

// Among damaged frames with the same number of damage reports, the last is the best to look at: each repairs a
// part of the picture, by blocks that are not predicted and by motion out of the intact part.
void ccover_keep_if_best(ccover_clip *clip) {
    if (!clip->position->damaged->buf[0] || clip->damage->frame_reports <= clip->position->fewest_reports) {
        clip->position->fewest_reports = clip->damage->frame_reports;
        av_frame_unref(clip->position->damaged);
        av_frame_move_ref(clip->position->damaged, clip->position->decoding_frame);
    }
}

void ccover_take_damaged(ccover_clip *clip) {
    bool is_by_time = clip->position->target_pts != AV_NOPTS_VALUE;
    bool may_lack = is_by_time && (clip->damage->phase == CCOVER_PHASE_ENDED || clip->position->is_replacement);
    bool is_damaged = !clip->position->frame->buf[0] || clip->damage->is_damaged;
    if (may_lack || (is_damaged && clip->demuxer->encryption.scheme[0]) || !clip->position->frame->buf[0]) {
        ccover_look_for_scrambling(clip->demuxer, clip->position->frame, is_damaged);
    }
    if (!clip->position->frame->buf[0] && !clip->demuxer->encryption.was_met && !clip->damage->is_htj2k) {
        av_frame_move_ref(clip->position->frame, clip->position->damaged);
        clip->position->is_frame_damaged = true;
    }
}

int ccover_fail_without_frame(const ccover_clip *clip, int code, ccover_error *error) {
    if (code == AVERROR_EXIT || ccover_deadline_passed(&clip->demuxer->input)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_TIMED_OUT, 0,
                           "no frame was decoded within the time limit");
    }
    if (clip->demuxer->encryption.was_met) {
        return ccover_fail_encrypted(clip->demuxer, CCOVER_STAGE_DECODE, error);
    }
    if (clip->position->lacked_memory) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_DECODE);
    }
    if (clip->damage->is_htj2k) {
        return ccover_explain(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                              "the installed FFmpeg cannot decode High-Throughput JPEG 2000");
    }
    if (clip->demuxer->packets_read == 0 && ccover_is_movie(clip->demuxer->format) &&
        ccover_is_external(&clip->demuxer->input, clip->demuxer->stream->id)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_REFUSED, 0,
                           "the clip's frames are in another file, which is not opened");
    }
    if (clip->position->read_error != 0) {
        ccover_fail(error, CCOVER_STAGE_DECODE, ccover_cause_of(&clip->demuxer->input, clip->position->read_error),
                    clip->position->read_error, "cannot read the video");
    } else if (clip->position->decode_errors > 0) {
        ccover_cause cause = ccover_cause_of(&clip->demuxer->input, clip->position->decode_error);
        if (cause == CCOVER_CAUSE_TOO_LARGE) {
            ccover_fail_too_large(clip->demuxer->max_pixels, error, CCOVER_STAGE_DECODE, clip->position->decode_error);
        } else {
            ccover_fail(error, CCOVER_STAGE_DECODE, cause, clip->position->decode_error, "no frame can be decoded");
        }
    } else if (clip->demuxer->packets_read == 0 ? clip->demuxer->container_errors > 0
                                                : clip->demuxer->has_untimed_corruption) {
        ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_DAMAGED, 0,
                    "no frame can be read: the container is damaged");
    } else {
        ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_NO_FRAME, 0,
                    clip->demuxer->packets_read == 0 ? "the video stream has no frames"
                                            : "the video contains no complete frame");
    }
    return ccover_reclassify_error(clip->demuxer, error);
}
