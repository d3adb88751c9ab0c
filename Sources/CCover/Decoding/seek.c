// Decoding the frame at a given time.

#include "Support/compat.h"
#include "Decoding/decoding.h"

#include <errno.h>

// The requested time and the start of the stream, in the stream's ticks.
typedef struct target {
    int64_t time, start;
    int64_t second; // ticks per second, for stepping back; see second_of()
} target;

// Returns the ticks in a second, or 0 if stepping back by some seconds would overflow.
static int64_t second_of(const AVStream *stream) {
    int64_t second = av_rescale_q(AV_TIME_BASE, AV_TIME_BASE_Q, stream->time_base);
    return second < 0 || second > INT64_MAX / 10 ? 0 : second;
}

// Returns false if the time cannot be represented in the stream's ticks.
static bool set_target(const AVStream *stream, int64_t microseconds, target *target) {
    target->start = ccover_start_of(stream);
    target->second = second_of(stream);
    // Rounded down, so that no later frame is taken; a microsecond more makes up for the caller's rounding.
    target->time = av_rescale_q_rnd(microseconds + (microseconds < INT64_MAX), AV_TIME_BASE_Q, stream->time_base,
                                    AV_ROUND_DOWN);
    // av_rescale_q() returns INT64_MIN if the result does not fit.
    return microseconds >= 0 && target->time != INT64_MIN &&
           !__builtin_add_overflow(target->time, target->start, &target->time);
}

bool ccover_time_to_seek(int64_t time, int64_t start, int64_t second, int attempt, int64_t *result) {
    static const int64_t back_seconds[] = {0, 2, 10};
    return (size_t)attempt < sizeof(back_seconds) / sizeof(back_seconds[0]) &&
           !__builtin_sub_overflow(time, back_seconds[attempt] * second, result) && (*result > start || attempt == 0);
}

// Seeks to the first packet without regard to its time. Returns 0 or an AVERROR, also where that is not possible.
static int seek_to_first_packet(ccover_demuxer *demuxer) {
    enum { FLV_HEADER_SIZE = 5 }; // where the header of FLV gives its size
    if (ccover_is_container(demuxer, "flv")) {
        // libavformat's index may only have the mark at the end of the stream, which replaces a key frame of its time.
        return av_seek_frame(demuxer->format, -1, ccover_read_number(&demuxer->input, FLV_HEADER_SIZE, 4),
                             AVSEEK_FLAG_BYTE);
    }
    const AVIndexEntry *first = avformat_index_get_entry(demuxer->stream, 0);
    if ((demuxer->format->iformat->flags & (AVFMT_TS_DISCONT | AVFMT_GENERIC_INDEX)) != 0) {
        return av_seek_frame(demuxer->format, -1, 0, AVSEEK_FLAG_BYTE);
    }
    // An MP4 file may start without a key frame. From a time before that of its first packet, it is found nevertheless.
    return ccover_is_movie(demuxer->format) && first && first->timestamp > INT64_MIN / 2
               ? av_seek_frame(demuxer->format, demuxer->stream->index, first->timestamp - 1,
                               AVSEEK_FLAG_BACKWARD)
               : AVERROR(ENOSYS);
}

// Moves the demuxer. Returns 0 or an AVERROR.
static int seek_in_file(ccover_demuxer *demuxer, int64_t time, bool to_beginning) {
    if (ccover_counts_time(demuxer)) {
        return ccover_seek_by_count(demuxer, to_beginning ? 0 : time) ? 0 : AVERROR(ENOSYS);
    }
    if (!to_beginning && ccover_lists_fragments(demuxer)) {
        return ccover_seek_in_fragments(demuxer, time, ccover_start_of(demuxer->stream),
                                        second_of(demuxer->stream));
    }
    int code = to_beginning ? seek_to_first_packet(demuxer) : AVERROR(ENOSYS);
    return code >= 0 ? code
                     : avformat_seek_file(demuxer->format, demuxer->stream->index, INT64_MIN, time,
                                          to_beginning ? INT64_MAX : time, 0);
}

bool ccover_seek(ccover_clip *clip, int64_t time, bool to_beginning) {
    if (clip->demuxer->stream->codecpar->format == AV_PIX_FMT_PAL8 && !clip->demuxer->has_palette) {
        // The palette comes with the first packet.
        ccover_packet_ahead(clip->demuxer, 0);
    }
    if (!to_beginning && ccover_codec_of(clip->demuxer->stream->codecpar->codec_id)->has_no_keys) {
        // Decoding can only start at the beginning.
        to_beginning = true;
        time = ccover_start_of(clip->demuxer->stream);
    }
    bool is_attached = ccover_is_attached_picture(clip->demuxer);
    int code = is_attached ? 0 : seek_in_file(clip->demuxer, time, to_beginning);
    if (clip->position->decoder) {
        avcodec_flush_buffers(clip->position->decoder);
    }
    ccover_forget_packets(clip->demuxer);
    code = is_attached ? ccover_read_picture_again(clip->demuxer) : code;
    av_frame_unref(clip->position->frame);
    av_frame_unref(clip->position->next_frame);
    clip->position->is_replacement = false;
    ccover_set_at_beginning(clip->damage, to_beginning && code >= 0);
    ccover_start_position(clip);
    return code >= 0;
}

// Keeps the last intact frame that is not later than `time`, or, if none is and `takes_later`, the first later
// one; and remembers the best damaged one, and the first intact one after the time. More than a few frames without a
// timestamp end the search, because frames of such a clip cannot be located by time. The first one is kept only if
// `takes_later`: the frames after a seek may lack times that they have when decoding starts earlier. Returns the last
// result of ccover_next_frame().
static int find_frame_at(ccover_clip *clip, int64_t time, bool takes_later) {
    enum { MAX_UNTIMED = 4 };
    int code, untimed = 0;
    ccover_set_target_time(clip->position, time);
    while ((code = ccover_next_frame(clip)) >= 0) {
        int64_t timestamp = ccover_timestamp(clip->position->decoding_frame);
        bool is_clean = ccover_is_clean(clip);
        untimed += timestamp == ccover_unknown_time;
        if (untimed > MAX_UNTIMED) {
            break;
        }
        if (timestamp == ccover_unknown_time && (!takes_later || clip->position->frame->buf[0])) {
            continue;
        }
        bool is_later = timestamp != ccover_unknown_time && timestamp > time;
        bool is_wanted = is_clean && (!is_later || (takes_later && !clip->position->frame->buf[0]));
        if (is_wanted) {
            ccover_keep(clip->position, clip->position->decoding_frame);
            clip->position->is_replacement = false;
        } else if (is_clean) {
            av_frame_move_ref(clip->position->next_frame, clip->position->decoding_frame);
        } else if (!is_later || !clip->position->damaged->buf[0]) {
            clip->position->is_replacement = clip->position->is_replacement || !is_later;
            clip->position->replaced_time = is_later ? clip->position->replaced_time : timestamp;
            ccover_keep_if_best(clip);
        }
        bool is_past = is_later && (!takes_later || clip->position->frame->buf[0]);
        if (is_past) {
            break;
        }
    }
    av_frame_unref(clip->position->decoding_frame);
    return code;
}

// Decodes from the last key frame up to the target. The key frame is found by reading alone. Returns the last result of
// ccover_next_frame(), or 0.
static int find_frame_from_last_key(ccover_clip *clip, const target *target) {
    // Derived times depend on the position that reading began at.
    bool is_there = !clip->damage->has_false_keys && !ccover_derives_times(clip->demuxer) &&
                    ccover_find_key_packet(clip, target->time, target->start, target->second, false) &&
                    ccover_move_to_key(clip, clip->position->key, target->second);
    return is_there ? find_frame_at(clip, target->time, false) : 0;
}

// Seeks to the target and decodes up to it. If no frame is found, tries again from earlier positions. Decoding starts
// at a key picture, unless it may start `anywhere`: then the decoder finds out when frames are complete. Sets
// `has_start` if there was a place to start at. Returns the last result of ccover_next_frame(), and AVERROR_EXIT after
// the deadline.
static int find_frame_behind_seek(ccover_clip *clip, const target *target, bool anywhere, bool *has_start) {
    int code = 0;
    int64_t from;
    for (int attempt = 0; !clip->position->frame->buf[0] &&
                          ccover_time_to_seek(target->time, target->start, target->second, attempt, &from);
         attempt++) {
        bool is_there =
            ccover_seek(clip, from, false) && (anywhere || ccover_skip_to_start(clip->demuxer, target->time));
        *has_start = *has_start || is_there;
        if (is_there) {
            code = find_frame_at(clip, target->time, false);
        } else if (attempt == 0 && !anywhere) {
            // A container with an index would have led to the last key frame.
            code = find_frame_from_last_key(clip, target);
        }
        if (ccover_deadline_passed(&clip->demuxer->input)) {
            return AVERROR_EXIT;
        }
    }
    return code;
}

void ccover_release_decoder(ccover_clip *clip) {
    avcodec_free_context(&clip->position->decoder);
    av_frame_unref(clip->position->next_frame);
    av_frame_unref(clip->position->damaged);
    clip->position->can_seek = false;
}

void ccover_set_draft(ccover_clip *clip, bool is_draft) {
    if (clip->position->is_draft != is_draft && clip->position->can_seek) {
        ccover_release_decoder(clip);
    }
    clip->position->is_draft = is_draft;
}

// Starts a search: opens the decoder, unless an earlier search did, and forgets the frame of that search.
static int begin_search(ccover_clip *clip, ccover_error *error) {
    if (!clip->position->can_seek) {
        ccover_shortcuts shortcuts = clip->position->is_draft ? ccover_draft_shortcuts(clip) : (ccover_shortcuts){0};
        int failed = ccover_begin_decoding(clip, shortcuts, error);
        if (failed) {
            return failed;
        }
    }
    *error = (ccover_error){0};
    ccover_log_begin();
    clip->position->can_seek = true;
    av_frame_unref(clip->position->frame);
    av_frame_unref(clip->position->damaged);
    clip->position->is_frame_damaged = false;
    clip->position->read_error = 0;
    return 0;
}

int ccover_decode_at(ccover_clip *clip, int64_t microseconds, bool key_frame, ccover_frame_facts *facts,
                     ccover_error *error) {
    *facts = (ccover_frame_facts){0};
    int failed = begin_search(clip, error);
    if (failed) {
        return failed;
    }
    target target;
    if (!set_target(clip->demuxer->stream, microseconds, &target)) {
        return ccover_fail(error, CCOVER_STAGE_SEEK, CCOVER_CAUSE_MISUSE, 0, "the time is out of range");
    }
    bool found = key_frame && ccover_decode_key_frame_at(clip, target.time, target.start, target.second);
    bool has_start = found;
    int code = found ? 0 : find_frame_behind_seek(clip, &target, false, &has_start);
    if (!has_start && !clip->position->frame->buf[0] && code != AVERROR_EXIT) {
        code = find_frame_behind_seek(clip, &target, true, &has_start);
    }
    if (!clip->position->frame->buf[0] && code != AVERROR_EXIT) {
        ccover_seek(clip, target.start, true);
        code = find_frame_at(clip, target.time, true);
    }
    ccover_take_damaged(clip);
    if (!clip->position->frame->buf[0]) {
        return ccover_fail_without_frame(clip, code, error);
    }
    if (ccover_is_past_clear_part(clip->demuxer, target.time)) {
        return ccover_fail_encrypted(clip->demuxer, CCOVER_STAGE_DECODE, error);
    }
    ccover_set_frame_facts(clip, facts);
    facts->is_last = code == AVERROR_EOF;
    return 0;
}

// Keeps intact frames until the next one is later than `time`. Returns 0, or the last result of ccover_next_frame().
static int continue_to(ccover_clip *clip, int64_t time, bool *passes_key_frame) {
    ccover_set_target_time(clip->position, time);
    for (;;) {
        if (!clip->position->next_frame->buf[0]) {
            int code = ccover_next_frame(clip);
            if (code < 0) {
                return code;
            }
            if (!ccover_is_clean(clip)) {
                int64_t timestamp = ccover_timestamp(clip->position->decoding_frame);
                clip->position->is_replacement =
                    clip->position->is_replacement || timestamp == ccover_unknown_time || timestamp <= time;
                clip->position->replaced_time = timestamp <= time ? timestamp : clip->position->replaced_time;
                av_frame_unref(clip->position->decoding_frame);
                continue;
            }
            av_frame_move_ref(clip->position->next_frame, clip->position->decoding_frame);
        }
        int64_t timestamp = ccover_timestamp(clip->position->next_frame);
        if (timestamp != ccover_unknown_time && timestamp > time) {
            return 0;
        }
        ccover_keep(clip->position, clip->position->next_frame);
        clip->position->is_replacement = false;
        clip->position->is_frame_damaged = false;
        *passes_key_frame = *passes_key_frame || ccover_is_key_frame(clip->demuxer, clip->position->frame);
    }
}

bool ccover_is_reachable_without_seek(const ccover_clip *clip, int64_t microseconds) {
    target target;
    int64_t kept = clip->position->frame->buf[0] ? ccover_timestamp(clip->position->frame) : ccover_unknown_time;
    // Other containers list only some of the packets, or only some of the key frames.
    if (!ccover_is_movie(clip->demuxer->format) || !clip->position->can_seek || kept == ccover_unknown_time ||
        !set_target(clip->demuxer->stream, microseconds, &target) || target.time < kept) {
        return false;
    }
    const AVIndexEntry *key =
        avformat_index_get_entry_from_timestamp(clip->demuxer->stream, target.time, AVSEEK_FLAG_BACKWARD);
    // The index of a fragmented file grows as the file is read.
    int count = avformat_index_get_entries_count(clip->demuxer->stream);
    const AVIndexEntry *last = avformat_index_get_entry(clip->demuxer->stream, count - 1);
    return key && last && key->timestamp <= kept && last->timestamp >= target.time;
}

int ccover_decode_on(ccover_clip *clip, int64_t microseconds, ccover_frame_facts *facts, ccover_error *error) {
    *facts = (ccover_frame_facts){0};
    *error = (ccover_error){0};
    ccover_log_begin();
    target target;
    if (!clip->position->can_seek || !clip->position->frame->buf[0] ||
        !set_target(clip->demuxer->stream, microseconds, &target)) {
        return ccover_fail(error, CCOVER_STAGE_SEEK, CCOVER_CAUSE_MISUSE, 0, "no frame to continue from");
    }
    bool passes_key_frame = false;
    int code = continue_to(clip, target.time, &passes_key_frame);
    if (code == AVERROR_EXIT) {
        return ccover_fail_without_frame(clip, code, error);
    }
    ccover_set_frame_facts(clip, facts);
    facts->is_last = code == AVERROR_EOF;
    facts->follows_key_frame = passes_key_frame;
    return 0;
}

bool ccover_find_key_frame(ccover_clip *clip, int64_t microseconds, int64_t *found) {
    target target;
    ccover_log_begin();
    int64_t ticks;
    clip->position->key.shown = AV_NOPTS_VALUE;
    if (clip->damage->has_false_keys || !set_target(clip->demuxer->stream, microseconds, &target) ||
        !ccover_find_key_packet(clip, target.time, target.start, target.second, true) ||
        __builtin_sub_overflow(clip->position->key.shown, target.start, &ticks)) {
        return false;
    }
    *found = av_rescale_q(ticks, clip->demuxer->stream->time_base, AV_TIME_BASE_Q);
    return true;
}

ccover_traits ccover_get_traits(const ccover_clip *clip) {
    return (ccover_traits){
        .is_raw = clip->demuxer->kind->is_raw,
        .has_one_picture = ccover_is_attached_picture(clip->demuxer),
        .has_false_keys = clip->damage->has_false_keys,
    };
}

int ccover_decode_key_frame(ccover_clip *clip, bool alone, ccover_frame_facts *facts, ccover_error *error) {
    *facts = (ccover_frame_facts){0};
    int failed = begin_search(clip, error);
    if (failed) {
        return failed;
    }
    if (clip->position->key.shown == AV_NOPTS_VALUE) {
        return ccover_fail(error, CCOVER_STAGE_SEEK, CCOVER_CAUSE_MISUSE, 0, "no key frame was found");
    }
    if (!ccover_decode_found_key_frame(clip, second_of(clip->demuxer->stream), alone)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_DAMAGED, 0, "the key frame is damaged");
    }
    ccover_set_frame_facts(clip, facts);
    return 0;
}
