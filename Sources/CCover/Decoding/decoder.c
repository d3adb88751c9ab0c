// Finding and opening the decoder.

#include "Decoding/decoding.h"
#include "Support/compat.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/opt.h>
#include <stdlib.h>
#include <string.h>

bool ccover_announces_alpha(const AVStream *stream) {
    const AVDictionaryEntry *alpha = av_dict_get(stream->metadata, "alpha_mode", NULL, 0);
    return alpha && strcmp(alpha->value, "1") == 0;
}

bool ccover_has_alpha_picture(const AVPacket *packet) {
    enum { ID_BYTES = 8, ALPHA = 1 };
    size_t size = 0;
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size);
    return data && size > ID_BYTES && AV_RB64(data) == ALPHA;
}

// Returns the decoder for a stream. WebM stores transparency in a second picture next to the first; only libvpx's
// decoders combine the two, FFmpeg's own drop the second, and are faster.
static const AVCodec *find_decoder(const AVStream *stream, bool ignores_alpha) {
    enum AVCodecID codec = stream->codecpar->codec_id;
    const AVCodec *with_alpha = NULL;
    if (!ignores_alpha && ccover_announces_alpha(stream)) {
        with_alpha = codec == AV_CODEC_ID_VP8   ? avcodec_find_decoder_by_name("libvpx")
                     : codec == AV_CODEC_ID_VP9 ? avcodec_find_decoder_by_name("libvpx-vp9")
                                                : NULL;
    }
    return with_alpha ? with_alpha : avcodec_find_decoder(codec);
}

// Sets the options of the clip's decoder and opens it. Returns 0 or an AVERROR.
static int open_codec(ccover_clip *clip, const AVCodec *codec, ccover_shortcuts shortcuts) {
    int code = avcodec_parameters_to_context(clip->position->decoder, clip->demuxer->stream->codecpar);
    if (code < 0) {
        return code;
    }
    ccover_compat_drop_matrix(clip->position->decoder);
    clip->position->decoder->opaque = clip;
    clip->position->decoder->pkt_timebase = clip->demuxer->stream->time_base;
    // With several threads, decoders conceal damage differently or not at all, and report less of it.
    clip->position->decoder->thread_count = 1;
    // Crop to the exact pixel rather than to an aligned column, and output damaged frames as well, marked as such, in
    // case the clip has no others.
    clip->position->decoder->flags |= AV_CODEC_FLAG_UNALIGNED | AV_CODEC_FLAG_OUTPUT_CORRUPT;
    clip->position->decoder->skip_loop_filter = shortcuts.skips_loop_filter ? AVDISCARD_ALL : AVDISCARD_DEFAULT;
    clip->position->decoder->lowres = shortcuts.lowres;
    clip->position->decoder->max_pixels = clip->demuxer->max_pixels > 0 ? clip->demuxer->max_pixels : INT64_MAX;
    if (clip->position->encoder_build > 0) {
        av_opt_set_int(clip->position->decoder, "x264_build", clip->position->encoder_build, AV_OPT_SEARCH_CHILDREN);
    }
    return avcodec_open2(clip->position->decoder, codec, NULL);
}

static int open_decoder(ccover_clip *clip, ccover_shortcuts shortcuts, ccover_error *error) {
    const char *name = avcodec_get_name(clip->demuxer->stream->codecpar->codec_id);
    const AVCodec *codec = find_decoder(clip->demuxer->stream, shortcuts.ignores_alpha);
    if (!codec && clip->demuxer->encryption.declared) {
        return ccover_fail_encrypted(clip->demuxer, CCOVER_STAGE_DECODE, error);
    }
    if (!codec) {
        const AVCodecParameters *parameters = clip->demuxer->stream->codecpar;
        bool is_unknown = parameters->codec_id == AV_CODEC_ID_NONE, has_tag = parameters->codec_tag != 0;
        return ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           !is_unknown ? "the installed FFmpeg has no decoder for the video codec %s"
                           : has_tag   ? "the installed FFmpeg does not know the video codec with the code %s"
                                       : "the video codec is unknown%.0s",
                           is_unknown ? av_fourcc2str(parameters->codec_tag) : name);
    }
    if (!ccover_allows_decoder(codec)) {
        return ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, CCOVER_CAUSE_REFUSED, 0,
                           "the video codec %s is not supported", name);
    }
    clip->position->decoder = avcodec_alloc_context3(codec);
    if (!clip->position->decoder) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN_DECODER);
    }
    int code = open_codec(clip, codec, shortcuts);
    if (code >= 0) {
        return 0;
    }
    // A decoder that is not open cannot be flushed.
    avcodec_free_context(&clip->position->decoder);
    ccover_cause cause = ccover_cause_of(&clip->demuxer->input, code);
    if (cause == CCOVER_CAUSE_TOO_LARGE) {
        return ccover_fail_too_large(clip->demuxer->max_pixels, error, CCOVER_STAGE_OPEN_DECODER, code);
    }
    return ccover_fail(error, CCOVER_STAGE_OPEN_DECODER, cause, code, "cannot open the decoder for the video codec %s",
                       name);
}

int ccover_restart_decoder(ccover_clip *clip, ccover_error *error) {
    avcodec_free_context(&clip->position->decoder);
    ccover_start_position(clip);
    return open_decoder(clip, (ccover_shortcuts){0}, error);
}

// The decoder is opened only now because the facts about a clip do not require one.
int ccover_begin_decoding(ccover_clip *clip, ccover_shortcuts shortcuts, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (clip->position->decoder) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_MISUSE, 0, "a frame was already asked for");
    }
    return open_decoder(clip, shortcuts, error) == 0 ? 0 : ccover_reclassify_error(clip->demuxer, error);
}

// MARK: The version of x264

// Returns the version of x264 that is noted in front of the first picture, or 0. Old versions coded some pictures,
// above all those whose colours are not subsampled, differently from the standard, and FFmpeg's decoder follows them if
// it knows the version. After a seek it would not.
static int build_in(const AVPacket *packet) {
    enum { MAX_START = 4096, MAX_DIGITS = 6 };
    static const char name[] = "x264 - core ";
    enum { LENGTH = sizeof(name) - 1 };
    int end = FFMIN(packet->size, MAX_START) - LENGTH - MAX_DIGITS;
    for (int i = 0; i < end; i++) {
        if (memcmp(packet->data + i, name, LENGTH) == 0) {
            char digits[MAX_DIGITS + 1] = {0};
            memcpy(digits, packet->data + i + LENGTH, MAX_DIGITS);
            return FFMAX(atoi(digits), 0);
        }
    }
    return 0;
}

void ccover_find_encoder_build(ccover_demuxer *demuxer, ccover_position *position) {
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    if (parameters->codec_id != AV_CODEC_ID_H264) {
        return;
    }
    const AVPacket *first = ccover_packet_ahead(demuxer, 0);
    position->encoder_build = first ? build_in(first) : 0;
}

// MARK: Interlaced frames whose decoders do not mark them, or set the flags for another reason

bool ccover_is_field(const ccover_demuxer *demuxer, const AVFrame *frame) {
    return demuxer->stream && demuxer->stream->codecpar->codec_id == AV_CODEC_ID_HEVC &&
           ccover_compat_is_interlaced(frame);
}

bool ccover_states_fields(const AVCodecParameters *parameters) {
    return ccover_codec_of(parameters->codec_id)->hides_fields && parameters->field_order > AV_FIELD_PROGRESSIVE;
}

void ccover_correct_fields(AVFrame *frame, const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    bool is_png = parameters->codec_id == AV_CODEC_ID_PNG || parameters->codec_id == AV_CODEC_ID_APNG;
    if (is_png) {
        // Its decoder means that the picture can be shown in coarse steps while it is loading (Adam7).
        ccover_compat_set_fields(frame, false, false);
    } else if (ccover_states_fields(parameters) && !ccover_compat_is_interlaced(frame) &&
               2 * frame->height > parameters->height) {
        // As libavcodec's decoders and encoders read it: the first letter is that of the field shown first.
        bool is_top_first = parameters->field_order == AV_FIELD_TT || parameters->field_order == AV_FIELD_TB;
        ccover_compat_set_fields(frame, true, is_top_first);
    }
}
