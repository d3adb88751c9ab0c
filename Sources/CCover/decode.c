// From packets to the wanted frame.

#include "compat.h"
#include "internal.h"

#include <libavutil/pixdesc.h>
#include <string.h>

// How many frames that the decoder had to guess at are passed over in the hope of a clean one.
enum { MOST_CORRUPT_FRAMES = 300 };

// The decoder for the stream. WebM keeps transparency in a second picture beside the first, which only libvpx's
// decoders put together; FFmpeg's own drop it.
static const AVCodec *find_decoder(const AVStream *stream) {
    enum AVCodecID codec = stream->codecpar->codec_id;
    const AVDictionaryEntry *alpha = av_dict_get(stream->metadata, "alpha_mode", NULL, 0);
    const AVCodec *with_alpha = NULL;
    if (alpha && strcmp(alpha->value, "1") == 0) {
        with_alpha = codec == AV_CODEC_ID_VP8   ? avcodec_find_decoder_by_name("libvpx")
                     : codec == AV_CODEC_ID_VP9 ? avcodec_find_decoder_by_name("libvpx-vp9")
                                                : NULL;
    }
    return with_alpha ? with_alpha : avcodec_find_decoder(codec);
}

static int open_decoder(ccover_clip *clip, bool skips_loop_filter, ccover_error *error) {
    const AVCodecParameters *parameters = clip->stream->codecpar;
    const char *name = avcodec_get_name(parameters->codec_id);
    const AVCodec *codec = find_decoder(clip->stream);
    if (!codec) {
        return ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           "these FFmpeg libraries have no decoder for its video (%s)", name);
    }
    if (!ccover_allows_decoder(codec)) {
        return ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, CCOVER_CAUSE_REFUSED, 0,
                           "its video codec (%s) is not one that is decoded here", name);
    }
    clip->decoder = avcodec_alloc_context3(codec);
    if (!clip->decoder) {
        return ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
    }
    int code = avcodec_parameters_to_context(clip->decoder, parameters);
    if (code >= 0) {
        clip->decoder->pkt_timebase = clip->stream->time_base;
        // Several would conceal damage otherwise, or not at all, and tell less of it.
        clip->decoder->thread_count = 1;
        // Cropping to the pixel, not to the next aligned column; and frames that are not whole too, marked as such, in
        // case there are no others.
        clip->decoder->flags |= AV_CODEC_FLAG_UNALIGNED | AV_CODEC_FLAG_OUTPUT_CORRUPT;
        clip->decoder->skip_loop_filter = skips_loop_filter ? AVDISCARD_ALL : AVDISCARD_DEFAULT;
        clip->decoder->max_pixels = clip->max_pixels > 0 ? clip->max_pixels : INT64_MAX;
        code = avcodec_open2(clip->decoder, codec, NULL);
    }
    if (code < 0) {
        return ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, ccover_cause_of(clip, code), code,
                           "cannot open the decoder for its video (%s)", name);
    }
    return 0;
}

// Gives the decoder one packet of the stream, or tells it that there are no more. False once the deadline passed.
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
        // A damaged packet costs itself only; the next may be whole.
        clip->decode_errors += 1;
        clip->decode_error = code;
    }
    return true;
}

// The next frame in presentation order into `clip->spare`: 0, AVERROR_EOF at the end, another code when it cannot go on.
static int next_frame(ccover_clip *clip) {
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

static bool is_corrupt(const AVFrame *frame) {
    return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0;
}

// Whether a decoder itself tells which frames are made from frames that are not there. That of H.264 marks them as
// corrupt until the picture is whole, which with intra refresh may be without any key frame; those of MPEG-1/2, VP8,
// VP9 and AV1 hold them back. The others give smear and say nothing.
static bool tells_smear(enum AVCodecID codec) {
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

// Whether the frame just decoded is whole. Where the decoder does not tell, all frames are from the first key frame on;
// that of H.264 does not tell of the frames it gives out at the very end.
static bool is_clean(ccover_clip *clip) {
    enum AVCodecID codec = clip->decoder->codec_id;
    bool is_told = tells_smear(codec) && !(codec == AV_CODEC_ID_H264 && clip->reached_end);
    bool is_in_step = clip->is_in_step || is_told || ccover_compat_is_key_frame(clip->spare);
    bool result = is_in_step && !is_corrupt(clip->spare);
    clip->is_in_step = clip->is_in_step || result;
    return result;
}

static int64_t timestamp_of(const AVFrame *frame) {
    return frame->best_effort_timestamp != AV_NOPTS_VALUE ? frame->best_effort_timestamp : ccover_unknown_time;
}

static void keep_spare(ccover_clip *clip) {
    av_frame_unref(clip->frame);
    av_frame_move_ref(clip->frame, clip->spare);
}

static int fail_without_frame(const ccover_clip *clip, int code, ccover_error *error) {
    if (code == AVERROR_EXIT || ccover_deadline_passed(&clip->input)) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_TIMED_OUT, 0, "no frame before the deadline");
    }
    if (clip->read_error != 0) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, ccover_cause_of(clip, clip->read_error), clip->read_error,
                           "cannot read its video");
    }
    if (clip->decode_errors > 0) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, ccover_cause_of(clip, clip->decode_error), clip->decode_error,
                           "none of its frames can be decoded");
    }
    if (clip->packets_read == 0 && strcmp(clip->format->iformat->name, "matroska,webm") == 0) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_TRUNCATED, 0,
                           "it ends before its first frame: it is still being recorded, or was cut short");
    }
    return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_NO_FRAME, 0,
                       clip->packets_read == 0 ? "its video stream holds no frame" : "no frame comes out of its video");
}

// The frame's own matrix comes first: it is the nearer source, and the container's may have been rewritten.
static void set_orientation(ccover_clip *clip, ccover_frame_facts *facts) {
    int32_t values[9];
    size_t size = 0;
    const uint8_t *matrix = NULL;
    clip->orientation = (ccover_orientation){0};
    const AVFrameSideData *side_data = av_frame_get_side_data(clip->frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (side_data) {
        matrix = side_data->data;
        size = side_data->size;
    } else {
        matrix = ccover_compat_stream_side_data(clip->stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    }
    if (!matrix || size < sizeof(values)) {
        return;
    }
    memcpy(values, matrix, sizeof(values));
    facts->orientation_ignored = !ccover_orientation_from_matrix(values, &clip->orientation);
    facts->orientation = clip->orientation;
}

static void set_frame_facts(ccover_clip *clip, ccover_frame_facts *facts) {
    const AVFrame *frame = clip->frame;
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(frame->format);
    *facts = (ccover_frame_facts){0};
    ccover_set_colour(&facts->colour, frame->format, frame->colorspace, frame->color_range, frame->color_trc,
                      frame->color_primaries);
    facts->width = frame->width;
    facts->height = frame->height;
    facts->sample_aspect_ratio = ccover_known(av_guess_sample_aspect_ratio(clip->format, clip->stream, clip->frame));
    facts->time_base = (ccover_rational){clip->stream->time_base.num, clip->stream->time_base.den};
    facts->timestamp = timestamp_of(frame);
    // A header read alone may not tell the start; then the first frame is where the clip starts.
    bool is_start_known = clip->stream->start_time != AV_NOPTS_VALUE;
    facts->start = is_start_known ? clip->stream->start_time : facts->timestamp;
    facts->has_alpha = description && (description->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    facts->assumes_matrix = description && ccover_assumes_matrix(frame->colorspace) &&
                            (description->flags & AV_PIX_FMT_FLAG_RGB) == 0 && description->nb_components >= 3;
    facts->is_key_frame = ccover_compat_is_key_frame(frame);
    facts->is_interlaced = ccover_compat_is_interlaced(frame);
    facts->is_corrupt = is_corrupt(frame);
    facts->is_tone_mapped = ccover_is_hdr(frame);
    ccover_set_dolby_vision(clip, facts);
    set_orientation(clip, facts);
}

// The decoder is opened late: facts of a clip need none.
static int begin(ccover_clip *clip, bool skips_loop_filter, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (clip->decoder) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_MISUSE, 0, "a frame was already asked for");
    }
    return open_decoder(clip, skips_loop_filter, error);
}

// Looks for the first clean frame; keeps the first of the others in case none comes. Gives next_frame's last code.
static int find_clean_frame(ccover_clip *clip, bool *found) {
    int code = 0;
    *found = false;
    for (int passed_over = 0; passed_over <= MOST_CORRUPT_FRAMES && !*found; passed_over++) {
        code = next_frame(clip);
        if (code < 0) {
            break;
        }
        *found = is_clean(clip);
        if (*found || !clip->frame->buf[0]) {
            keep_spare(clip);
        }
        av_frame_unref(clip->spare);
    }
    return code;
}

// Whether the decoder holds frames back until it has seen that none is presented before them.
static bool holds_frames_back(enum AVCodecID codec) {
    return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_MPEG4;
}

// Decodes the first packet alone, where the times of those behind it tell that its frame is presented first. The decoder
// would ask for two or three more before it gave that out. False where this cannot be done, and nothing has happened.
static bool decode_first_packet_alone(ccover_clip *clip) {
    if (!holds_frames_back(clip->decoder->codec_id) || !ccover_holds_whole_pictures(clip->format) ||
        !ccover_first_packet_is_shown_first(clip)) {
        return false;
    }
    int64_t time = clip->ahead[0]->pts;
    bool is_sent = avcodec_send_packet(clip->decoder, clip->ahead[0]) >= 0 &&
                   avcodec_send_packet(clip->decoder, NULL) >= 0 &&
                   avcodec_receive_frame(clip->decoder, clip->spare) >= 0;
    clip->is_in_step = true;
    clip->reached_end = true;
    // The container's word for a key frame does not suffice: it may stand where a refresh in stripes begins.
    bool is_key_frame = is_sent && ccover_compat_is_key_frame(clip->spare);
    if (is_key_frame && timestamp_of(clip->spare) == time && is_clean(clip)) {
        clip->packets_read += 1;
        clip->frames_decoded += 1;
        keep_spare(clip);
        return true;
    }
    av_frame_unref(clip->spare);
    avcodec_flush_buffers(clip->decoder);
    clip->is_in_step = false;
    clip->reached_end = false;
    return false;
}

int ccover_decode_first(ccover_clip *clip, ccover_haste haste, ccover_frame_facts *facts, ccover_error *error) {
    *facts = (ccover_frame_facts){0};
    int failed = begin(clip, (haste & CCOVER_HASTE_NO_LOOP_FILTER) != 0, error);
    if (failed) {
        return failed;
    }
    bool found = (haste & CCOVER_HASTE_ONE_FRAME) != 0 && decode_first_packet_alone(clip);
    int code = found ? 0 : find_clean_frame(clip, &found);
    if (!clip->frame->buf[0]) {
        return fail_without_frame(clip, code, error);
    }
    set_frame_facts(clip, facts);
    facts->is_corrupt = !found;
    return 0;
}

// Goes to a place from where the frame at `time` can be decoded, or to the beginning. Indexed containers go to the key
// frame before it; the others, transport streams above all, to some packet near it. False when it cannot.
static bool go_to(ccover_clip *clip, int64_t time, bool to_beginning) {
    bool has_no_index = (clip->format->iformat->flags & (AVFMT_TS_DISCONT | AVFMT_GENERIC_INDEX)) != 0;
    int code = to_beginning && has_no_index ? av_seek_frame(clip->format, -1, 0, AVSEEK_FLAG_BYTE) : -1;
    if (code < 0) {
        code = avformat_seek_file(clip->format, clip->stream->index, INT64_MIN, time,
                                  to_beginning ? INT64_MAX : time, 0);
    }
    avcodec_flush_buffers(clip->decoder);
    ccover_forget_packets(clip);
    av_frame_unref(clip->frame);
    clip->reached_end = false;
    clip->has_position = false;
    return code >= 0;
}

// Decodes on to the last clean frame that is not later than `target`. A frame without a time ends the search: in such a
// clip there is nothing to go by. Gives next_frame's last code.
static int find_frame_at(ccover_clip *clip, int64_t target, bool takes_later) {
    int code;
    while ((code = next_frame(clip)) >= 0) {
        int64_t timestamp = timestamp_of(clip->spare);
        bool is_later = timestamp != ccover_unknown_time && timestamp > target;
        bool is_wanted = is_clean(clip) && (!is_later || (takes_later && !clip->frame->buf[0]));
        if (is_wanted) {
            keep_spare(clip);
        }
        bool is_past = is_later && (!takes_later || clip->frame->buf[0]);
        if (is_past || (is_wanted && timestamp == ccover_unknown_time)) {
            break;
        }
    }
    av_frame_unref(clip->spare);
    return code;
}

int ccover_decode_at(ccover_clip *clip, int64_t microseconds, ccover_frame_facts *facts, ccover_error *error) {
    *facts = (ccover_frame_facts){0};
    int failed = begin(clip, false, error);
    if (failed) {
        return failed;
    }
    int64_t start = clip->stream->start_time != AV_NOPTS_VALUE ? clip->stream->start_time : 0;
    int64_t target = av_rescale_q(microseconds, AV_TIME_BASE_Q, clip->stream->time_base);
    int64_t second = av_rescale_q(AV_TIME_BASE, AV_TIME_BASE_Q, clip->stream->time_base);
    if (second < 0 || second > INT64_MAX / 10) {
        second = 0; // ticks so fine that there is no counting of them
    }
    // av_rescale_q gives INT64_MIN for what does not fit.
    if (microseconds < 0 || target == INT64_MIN || __builtin_add_overflow(target, start, &target)) {
        return ccover_fail(error, CCOVER_STAGE_SEEK, CCOVER_CAUSE_MISUSE, 0, "the time is out of range");
    }
    // Where the seek overshot, or came out in the midst of a group of pictures, the next try starts earlier.
    static const int64_t back_seconds[] = {0, 2, 10};
    int code = 0;
    for (size_t i = 0; i < sizeof(back_seconds) / sizeof(back_seconds[0]) && !clip->frame->buf[0]; i++) {
        int64_t from;
        bool is_out_of_range = __builtin_sub_overflow(target, back_seconds[i] * second, &from);
        if (is_out_of_range || (from <= start && i > 0)) {
            break;
        }
        if (go_to(clip, from, false)) {
            code = find_frame_at(clip, target, false);
        }
        if (ccover_deadline_passed(&clip->input)) {
            return fail_without_frame(clip, code, error);
        }
    }
    if (!clip->frame->buf[0]) {
        go_to(clip, start, true);
        code = find_frame_at(clip, target, true);
    }
    if (!clip->frame->buf[0]) {
        return fail_without_frame(clip, code, error);
    }
    set_frame_facts(clip, facts);
    facts->is_last = code == AVERROR_EOF;
    return 0;
}

int ccover_decode_next(ccover_clip *clip, ccover_frame_facts *facts, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (!clip->frame->buf[0]) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_MISUSE, 0, "no frame was asked for yet");
    }
    int code = next_frame(clip);
    if (code == AVERROR_EOF) {
        return 1;
    }
    if (code < 0) {
        return fail_without_frame(clip, code, error);
    }
    keep_spare(clip);
    set_frame_facts(clip, facts);
    return 0;
}
