// Whether the packets of one clip can follow those of another.

#include "Remux/remux.h"

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

// MARK: The header of FLAC (STREAMINFO, RFC 9639, 8.2)

bool ccomposer_has_flac_header(const AVCodecParameters *parameters) {
    return parameters->codec_id == AV_CODEC_ID_FLAC && parameters->extradata_size == CCOMPOSER_FLAC_HEADER;
}

void ccomposer_forget_flac_samples(uint8_t *header) {
    enum { FRAME_SIZES = 4, FORMAT = 10, SAMPLES = 13 };
    memset(header + FRAME_SIZES, 0, FORMAT - FRAME_SIZES);
    // The number of samples shares its first byte with the sample size.
    header[SAMPLES] &= 0xf0;
    memset(header + SAMPLES + 1, 0, CCOMPOSER_FLAC_HEADER - SAMPLES - 1);
}

// MARK: Comparing

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

// What two streams must have in common: names of properties and their values.
enum { MAX_PROPERTIES = 7, VALUE_BYTES = 32 };
typedef char property_values[MAX_PROPERTIES][VALUE_BYTES];
static const char *const video_properties[MAX_PROPERTIES + 1] = {
    "size", "pixel format", "rotation", "pixel aspect ratio", "transfer function", "colour matrix", "colour range",
};
static const char *const sound_properties[] = {"sample rate", "number of channels", "sample size", NULL};

static void set_name(char value[VALUE_BYTES], const char *name) {
    snprintf(value, VALUE_BYTES, "%s", name ? name : "unknown");
}

static void describe_video(const AVStream *stream, property_values values) {
    const AVCodecParameters *parameters = stream->codecpar;
    AVRational aspect = stream->sample_aspect_ratio;
    // Containers need not declare that pixels are square.
    aspect = aspect.num > 0 && aspect.den > 0 ? aspect : (AVRational){1, 1};
    snprintf(values[0], VALUE_BYTES, "%dx%d", parameters->width, parameters->height);
    set_name(values[1], av_get_pix_fmt_name(parameters->format));
    snprintf(values[2], VALUE_BYTES, "%d", ccomposer_rotation_of(stream));
    snprintf(values[3], VALUE_BYTES, "%d:%d", aspect.num, aspect.den);
    set_name(values[4], av_color_transfer_name(parameters->color_trc));
    set_name(values[5], av_color_space_name(parameters->color_space));
    set_name(values[6], av_color_range_name(parameters->color_range));
}

static void describe_sound(const AVStream *stream, property_values values) {
    const AVCodecParameters *parameters = stream->codecpar;
    enum AVCodecID codec = parameters->codec_id;
    // The sample size of other compressed sound means nothing.
    bool has_size = ccomposer_is_pcm(codec) || codec == AV_CODEC_ID_ADPCM_G726 ||
                    codec == AV_CODEC_ID_ADPCM_G726LE || codec == AV_CODEC_ID_ADPCM_IMA_WAV;
    snprintf(values[0], VALUE_BYTES, "%d", parameters->sample_rate);
    snprintf(values[1], VALUE_BYTES, "%d", parameters->ch_layout.nb_channels);
    snprintf(values[2], VALUE_BYTES, "%d", has_size ? parameters->bits_per_coded_sample : 0);
}

static int compare_values(const char *what, const char *value, const char *first, ccover_error *error) {
    if (strcmp(value, first) == 0) {
        return 0;
    }
    return ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0, "its %s is %s, not %s", what, value,
                          first);
}

static int compare_streams(const AVStream *stream, const AVStream *first, ccover_error *error) {
    const AVCodecParameters *ours = stream->codecpar;
    const AVCodecParameters *theirs = first->codecpar;
    const char *const *properties = NULL;
    property_values values[2];
    char what[40];
    snprintf(what, sizeof(what), "%s codec", ccomposer_stream_noun(stream));
    int failed = compare_values(what, avcodec_get_name(ours->codec_id), avcodec_get_name(theirs->codec_id), error);
    if (ours->codec_type == AVMEDIA_TYPE_VIDEO) {
        properties = video_properties;
        describe_video(stream, values[0]);
        describe_video(first, values[1]);
    } else if (ours->codec_type == AVMEDIA_TYPE_AUDIO) {
        properties = sound_properties;
        describe_sound(stream, values[0]);
        describe_sound(first, values[1]);
    }
    for (int i = 0; properties && properties[i] && !failed; i++) {
        failed = compare_values(properties[i], values[0][i], values[1][i], error);
    }
    if (!failed && !has_same_configuration(ours, theirs)) {
        failed = ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0,
                                "its decoder configuration (%s) differs: it was encoded with other settings",
                                avcodec_get_name(ours->codec_id));
    }
    return failed;
}

int ccomposer_compare_parts(const ccomposer_part *part, const ccomposer_part *first, ccover_error *error) {
    char values[2][VALUE_BYTES];
    snprintf(values[0], VALUE_BYTES, "%d", part->stream_count);
    snprintf(values[1], VALUE_BYTES, "%d", first->stream_count);
    int failed = compare_values("number of streams", values[0], values[1], error);
    for (int i = 0; i < part->stream_count && !failed; i++) {
        failed = compare_streams(part->streams[i], first->streams[i], error);
    }
    return failed;
}
