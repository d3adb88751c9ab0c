// Whether the packets of one clip can follow those of another.

#include "Remux/remux.h"

#include <inttypes.h>
#include <libavutil/channel_layout.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

const char *ccomposer_stream_noun(const AVStream *stream) {
    switch (stream->codecpar->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
        return "video";
    case AVMEDIA_TYPE_AUDIO:
        return "sound";
    case AVMEDIA_TYPE_SUBTITLE:
        return "subtitles";
    default:
        return "data";
    }
}

static int differ(ccover_error *error, const char *what, const char *value, const char *first) {
    ccover_log_begin();
    return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0, "its %s is %s, not %s", what,
                       value ? value : "unknown", first ? first : "unknown");
}

static int compare_numbers(ccover_error *error, const char *what, int64_t value, int64_t first) {
    if (value == first) {
        return 0;
    }
    char texts[2][24];
    snprintf(texts[0], sizeof(texts[0]), "%" PRId64, value);
    snprintf(texts[1], sizeof(texts[1]), "%" PRId64, first);
    return differ(error, what, texts[0], texts[1]);
}

// Compares two names, which are NULL if they are unknown.
static int compare_names(ccover_error *error, const char *what, const char *value, const char *first) {
    bool is_same = value == first || (value && first && strcmp(value, first) == 0);
    return is_same ? 0 : differ(error, what, value, first);
}

// Whether two decoder configurations mean the same. That of Opus also has the pre-skip, which the timestamps express as
// well, and the sample rate before encoding. That of FLAC also has the number of samples and their checksum.
static bool has_same_configuration(const AVCodecParameters *ours, const AVCodecParameters *theirs) {
    enum { OPUS_HEADER = 19, PRE_SKIP = 10, GAIN = 16 };
    if (ours->extradata_size != theirs->extradata_size) {
        return false;
    }
    if (ours->extradata_size <= 0) {
        return true;
    }
    size_t size = (size_t)ours->extradata_size;
    if (ours->codec_id == AV_CODEC_ID_OPUS && size >= OPUS_HEADER) {
        return memcmp(ours->extradata, theirs->extradata, PRE_SKIP) == 0 &&
               memcmp(ours->extradata + GAIN, theirs->extradata + GAIN, size - GAIN) == 0;
    }
    if (ccomposer_has_flac_header(ours)) {
        uint8_t headers[2][CCOMPOSER_FLAC_HEADER];
        memcpy(headers[0], ours->extradata, size);
        memcpy(headers[1], theirs->extradata, size);
        ccomposer_forget_flac_samples(headers[0]);
        ccomposer_forget_flac_samples(headers[1]);
        return memcmp(headers[0], headers[1], size) == 0;
    }
    return memcmp(ours->extradata, theirs->extradata, size) == 0;
}

// Containers need not declare that pixels are square.
static void write_aspect(char *text, size_t size, AVRational aspect) {
    AVRational shown = aspect.num > 0 && aspect.den > 0 ? aspect : (AVRational){1, 1};
    snprintf(text, size, "%d:%d", shown.num, shown.den);
}

static int compare_video(const AVStream *stream, const AVStream *first, ccover_error *error) {
    const AVCodecParameters *ours = stream->codecpar;
    const AVCodecParameters *theirs = first->codecpar;
    char texts[4][32];
    snprintf(texts[0], sizeof(texts[0]), "%dx%d", ours->width, ours->height);
    snprintf(texts[1], sizeof(texts[1]), "%dx%d", theirs->width, theirs->height);
    write_aspect(texts[2], sizeof(texts[2]), stream->sample_aspect_ratio);
    write_aspect(texts[3], sizeof(texts[3]), first->sample_aspect_ratio);
    bool failed =
        compare_names(error, "size", texts[0], texts[1]) ||
        compare_names(error, "pixel format", av_get_pix_fmt_name(ours->format), av_get_pix_fmt_name(theirs->format)) ||
        compare_numbers(error, "rotation", ccomposer_rotation_of(stream), ccomposer_rotation_of(first)) ||
        compare_names(error, "pixel aspect ratio", texts[2], texts[3]) ||
        compare_names(error, "transfer function", av_color_transfer_name(ours->color_trc),
                      av_color_transfer_name(theirs->color_trc)) ||
        compare_names(error, "colour matrix", av_color_space_name(ours->color_space),
                      av_color_space_name(theirs->color_space)) ||
        compare_names(error, "colour range", av_color_range_name(ours->color_range),
                      av_color_range_name(theirs->color_range));
    return failed ? -1 : 0;
}

static int compare_sound(const AVCodecParameters *ours, const AVCodecParameters *theirs, ccover_error *error) {
    // The sample size of other compressed sound means nothing.
    bool has_size = ccomposer_is_pcm(ours->codec_id) || ours->codec_id == AV_CODEC_ID_ADPCM_G726 ||
                    ours->codec_id == AV_CODEC_ID_ADPCM_G726LE || ours->codec_id == AV_CODEC_ID_ADPCM_IMA_WAV;
    bool failed = compare_numbers(error, "sample rate", ours->sample_rate, theirs->sample_rate) ||
                  compare_numbers(error, "number of channels", ours->ch_layout.nb_channels,
                                  theirs->ch_layout.nb_channels) ||
                  (has_size && compare_numbers(error, "sample size", ours->bits_per_coded_sample,
                                               theirs->bits_per_coded_sample));
    return failed ? -1 : 0;
}

static int compare_streams(const AVStream *stream, const AVStream *first, ccover_error *error) {
    const AVCodecParameters *ours = stream->codecpar;
    const AVCodecParameters *theirs = first->codecpar;
    char what[40];
    snprintf(what, sizeof(what), "%s codec", ccomposer_stream_noun(stream));
    if (ours->codec_id != theirs->codec_id) {
        return differ(error, what, avcodec_get_name(ours->codec_id), avcodec_get_name(theirs->codec_id));
    }
    int failed = 0;
    if (ours->codec_type == AVMEDIA_TYPE_VIDEO) {
        failed = compare_video(stream, first, error);
    } else if (ours->codec_type == AVMEDIA_TYPE_AUDIO) {
        failed = compare_sound(ours, theirs, error);
    }
    if (!failed && !has_same_configuration(ours, theirs)) {
        ccover_log_begin();
        failed = ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0,
                             "its decoder configuration (%s) differs: it was encoded with other settings",
                             avcodec_get_name(ours->codec_id));
    }
    return failed;
}

int ccomposer_compare_parts(const ccomposer_part *part, const ccomposer_part *first, ccover_error *error) {
    if (part->stream_count != first->stream_count) {
        return compare_numbers(error, "number of streams", part->stream_count, first->stream_count);
    }
    int failed = 0;
    for (int i = 0; i < part->stream_count && !failed; i++) {
        failed = compare_streams(part->streams[i], first->streams[i], error);
    }
    return failed;
}
