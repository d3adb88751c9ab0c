// Decoding the first frame of a clip, and the frames that follow the kept one.

#include "Support/compat.h"
#include "Decoding/decoding.h"

// The number of damaged frames that are skipped while waiting for an intact one.
enum { MAX_CORRUPT_FRAMES = 300 };

// Finds the first intact frame, and remembers the best damaged one before it. Returns the last result of
// ccover_next_frame().
static int find_clean_frame(ccover_clip *clip, bool *found) {
    enum { MAX_SKIPS = 2 }; // if key frames are damaged, too, the frames between them may be better
    int code = 0, skips = 0;
    *found = false;
    for (int passed_over = 0; passed_over <= MAX_CORRUPT_FRAMES && !*found; passed_over++) {
        code = ccover_next_frame(clip);
        if (code < 0) {
            break;
        }
        *found = ccover_is_clean(clip);
        if (*found) {
            ccover_keep(clip->position, clip->position->decoding_frame);
        } else {
            clip->position->damaged_frames += 1;
            bool skips_on = skips < MAX_SKIPS && ccover_awaits_key(clip, clip->position->decoding_frame);
            ccover_keep_if_best(clip);
            if (skips_on) {
                skips = ccover_skip_to_next_key_picture(clip) ? skips + 1 : MAX_SKIPS;
            }
        }
        av_frame_unref(clip->position->decoding_frame);
    }
    return code;
}

// Decodes the first picture without any others, and keeps its frame. Returns false if that is not possible; the decoder
// must then be replaced, and gets the packets again, which stay in the queue.
static bool decode_first_alone(ccover_clip *clip) {
    ccover_demuxer *demuxer = clip->demuxer;
    ccover_position *position = clip->position;
    AVFrame *frame = position->decoding_frame;
    int packets = position->first_picture.packets;
    for (int i = 0; i < packets; i++) {
        ccover_note_packet(clip, position->decoder, demuxer->packet_queue[i]);
    }
    bool is_decoded = ccover_decode_alone(position->decoder, demuxer->packet_queue, packets, frame);
    ccover_count_sent(demuxer, packets);
    position->frames_decoded += is_decoded;
    // A decoder that is drained has no packet to take the time from, or that of the second field.
    frame->best_effort_timestamp = ccover_shown_time(demuxer->packet_queue[0]);
    ccover_enter_phase(clip->damage, CCOVER_PHASE_ENDED);
    // The flag of the container may also mark the start of an intra refresh. In a halved frame, the fields are mixed.
    bool is_found = is_decoded && ccover_is_key_frame(demuxer, frame) && ccover_is_clean(clip) &&
                    !(position->decoder->lowres > 0 && ccover_compat_is_interlaced(frame));
    if (is_found) {
        ccover_keep(position, frame);
        ccover_drop_packets(demuxer, position->first_picture.packets);
    }
    av_frame_unref(frame);
    return is_found;
}

int ccover_decode_first(ccover_clip *clip, int32_t reduction, ccover_frame_facts *facts, ccover_error *error) {
    *facts = (ccover_frame_facts){0};
    ccover_shortcuts shortcuts = ccover_possible_shortcuts(clip, reduction);
    int failed = ccover_begin_decoding(clip, shortcuts, error);
    bool found = false;
    if (!failed && clip->position->first_picture.packets > 0) {
        found = decode_first_alone(clip);
        failed = found ? 0 : ccover_restart_decoder(clip, error);
    }
    if (failed) {
        return failed;
    }
    // The decoder of an exact frame can decode later ones, unless it was drained or ignores transparency; times are
    // counted from the start.
    clip->position->can_seek = reduction <= 1 && clip->position->first_picture.packets == 0 &&
                               !shortcuts.ignores_alpha && clip->demuxer->stream->start_time != AV_NOPTS_VALUE;
    int code = found ? 0 : find_clean_frame(clip, &found);
    ccover_take_damaged(clip);
    if (!clip->position->frame->buf[0]) {
        return ccover_fail_without_frame(clip, code, error);
    }
    ccover_begin_with_frame(clip->demuxer, clip->position->frame);
    ccover_set_frame_facts(clip, facts);
    return 0;
}

int ccover_decode_next(ccover_clip *clip, ccover_frame_facts *facts, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (!clip->position->frame->buf[0]) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_MISUSE, 0, "no frame was asked for yet");
    }
    if (clip->position->next_frame->buf[0]) {
        ccover_keep(clip->position, clip->position->next_frame);
        clip->position->is_frame_damaged = false;
        ccover_set_frame_facts(clip, facts);
        return 0;
    }
    if (clip->position->releases_frame) {
        av_frame_unref(clip->position->frame);
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
        if (is_clean || clip->position->is_frame_damaged) {
            clip->position->is_frame_damaged = !is_clean;
            ccover_keep(clip->position, clip->position->decoding_frame);
            ccover_set_frame_facts(clip, facts);
            return 0;
        }
        clip->position->damaged_frames += 1;
        av_frame_unref(clip->position->decoding_frame);
    }
    return 1;
}
