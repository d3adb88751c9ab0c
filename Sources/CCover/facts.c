// The facts about a clip and its frame, as the plain structs of the public header.

#include "compat.h"
#include "internal.h"

#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

static void set_name(char name[CCOVER_NAME_SIZE], const char *text) {
    snprintf(name, CCOVER_NAME_SIZE, "%s", text ? text : "");
}

static ccover_colour colour_of(int format, enum AVColorSpace matrix, enum AVColorRange range,
                               enum AVColorTransferCharacteristic transfer, enum AVColorPrimaries primaries) {
    ccover_colour colour = {0};
    set_name(colour.pixel_format, av_get_pix_fmt_name((enum AVPixelFormat)format));
    if (matrix != AVCOL_SPC_UNSPECIFIED) {
        set_name(colour.matrix, av_color_space_name(matrix));
    }
    if (range != AVCOL_RANGE_UNSPECIFIED) {
        set_name(colour.range, av_color_range_name(range));
    }
    if (transfer != AVCOL_TRC_UNSPECIFIED) {
        set_name(colour.transfer, av_color_transfer_name(transfer));
    }
    if (primaries != AVCOL_PRI_UNSPECIFIED) {
        set_name(colour.primaries, av_color_primaries_name(primaries));
    }
    return colour;
}

// Converts a rational number. A value that is not positive counts as unknown.
static ccover_rational known(AVRational value) {
    bool is_known = value.num > 0 && value.den > 0;
    return is_known ? (ccover_rational){value.num, value.den} : (ccover_rational){0, 0};
}

bool ccover_assumes_matrix(enum AVColorSpace matrix) {
    switch (matrix) {
    case AVCOL_SPC_BT709:
    case AVCOL_SPC_FCC:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_SMPTE240M:
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return false;
    default:
        return true;
    }
}

// Converts the display matrix in side data of a frame or stream. Without a matrix the orientation is the identity.
// Returns false if the matrix has to be ignored.
static bool set_orientation(const uint8_t *matrix, size_t size, ccover_orientation *orientation) {
    int32_t values[9];
    *orientation = (ccover_orientation){0};
    if (!matrix || size < sizeof(values)) {
        return true;
    }
    memcpy(values, matrix, sizeof(values));
    return ccover_orientation_from_matrix(values, orientation);
}

static bool set_stream_orientation(const AVStream *stream, ccover_orientation *orientation) {
    size_t size = 0;
    const uint8_t *matrix = ccover_compat_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return set_orientation(matrix, size, orientation);
}

int64_t ccover_duration_microseconds(const ccover_clip *clip) {
    if (clip->stream->duration != AV_NOPTS_VALUE && clip->stream->duration > 0) {
        return av_rescale_q(clip->stream->duration, clip->stream->time_base, AV_TIME_BASE_Q);
    }
    if (clip->format->duration != AV_NOPTS_VALUE && clip->format->duration > 0) {
        return clip->format->duration;
    }
    bool is_matroska = strcmp(clip->format->iformat->name, "matroska,webm") == 0;
    int64_t end = is_matroska ? ccover_matroska_end(&clip->input) : ccover_unknown_time;
    int64_t start = clip->format->start_time != AV_NOPTS_VALUE ? clip->format->start_time : 0;
    return end > start ? end - start : ccover_unknown_time;
}

// The average frame rate, or the nominal rate. Without either, FFmpeg takes the ticks of the clock for frames.
static AVRational frame_rate(const AVStream *stream) {
    enum { CLOCK = 1000 };
    AVRational nominal = stream->r_frame_rate;
    bool is_clock = av_cmp_q(nominal, av_inv_q(stream->time_base)) == 0 && av_q2d(nominal) >= (double)CLOCK;
    return stream->avg_frame_rate.num > 0 ? stream->avg_frame_rate : is_clock ? (AVRational){0, 0} : nominal;
}

void ccover_get_clip_facts(const ccover_clip *clip, ccover_clip_facts *facts) {
    const AVCodecParameters *parameters = clip->stream->codecpar;
    *facts = (ccover_clip_facts){0};
    facts->video_streams = ccover_count_streams(clip->format, AVMEDIA_TYPE_VIDEO, false);
    facts->artwork_streams = ccover_count_streams(clip->format, AVMEDIA_TYPE_VIDEO, true);
    facts->audio_streams = ccover_count_streams(clip->format, AVMEDIA_TYPE_AUDIO, false);
    set_name(facts->container, clip->format->iformat->name);
    const AVDictionaryEntry *brand = av_dict_get(clip->format->metadata, "major_brand", NULL, 0);
    set_name(facts->major_brand, brand ? brand->value : NULL);
    set_name(facts->codec, avcodec_get_name(parameters->codec_id));
    facts->colour = colour_of(parameters->format, parameters->color_space, parameters->color_range,
                              parameters->color_trc, parameters->color_primaries);
    facts->stream_index = clip->stream->index;
    facts->stored_width = parameters->width;
    facts->stored_height = parameters->height;
    facts->sample_aspect_ratio = known(av_guess_sample_aspect_ratio(clip->format, clip->stream, NULL));
    facts->frame_rate = known(frame_rate(clip->stream));
    facts->duration_microseconds = ccover_duration_microseconds(clip);
    facts->bit_rate = clip->format->bit_rate > 0 ? clip->format->bit_rate : 0;
    set_stream_orientation(clip->stream, &facts->orientation);
}

// The frame's own matrix takes precedence: it is closer to the source, and the container's may have been rewritten.
static bool set_frame_orientation(const ccover_clip *clip, ccover_orientation *orientation) {
    const AVFrameSideData *data = av_frame_get_side_data(clip->frame, AV_FRAME_DATA_DISPLAYMATRIX);
    return data ? set_orientation(data->data, data->size, orientation)
                : set_stream_orientation(clip->stream, orientation);
}

// If only the header was read, the start time may be unknown; the clip then starts with its first packet, or with the
// frame if that is earlier. Times to seek to are counted from 0 in a clip whose start remains unknown.
static int64_t start_time(const ccover_clip *clip, int64_t timestamp) {
    if (clip->stream->start_time != AV_NOPTS_VALUE || clip->is_searchable) {
        return ccover_start_of(clip->stream);
    }
    return clip->first_time != AV_NOPTS_VALUE && clip->first_time < timestamp ? clip->first_time : timestamp;
}

void ccover_set_frame_facts(ccover_clip *clip, ccover_frame_facts *facts) {
    const AVFrame *frame = clip->frame;
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(frame->format);
    *facts = (ccover_frame_facts){0};
    ccover_apply_display_aspect(clip);
    facts->colour = colour_of(frame->format, frame->colorspace, frame->color_range, frame->color_trc,
                              frame->color_primaries);
    ccover_whole_size(clip, &facts->width, &facts->height);
    facts->sample_aspect_ratio = known(av_guess_sample_aspect_ratio(clip->format, clip->stream, clip->frame));
    facts->time_base = (ccover_rational){clip->stream->time_base.num, clip->stream->time_base.den};
    facts->timestamp = ccover_timestamp(frame);
    facts->start = start_time(clip, facts->timestamp);
    facts->has_alpha = description && (description->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    facts->assumes_matrix = description && ccover_assumes_matrix(frame->colorspace) &&
                            (description->flags & AV_PIX_FMT_FLAG_RGB) == 0 && description->nb_components >= 3;
    facts->is_key_frame = ccover_compat_is_key_frame(frame);
    facts->is_interlaced = ccover_compat_is_interlaced(frame);
    facts->is_corrupt = clip->is_frame_damaged;
    facts->is_replacement = clip->is_replacement;
    facts->is_tone_mapped = ccover_is_hdr(frame);
    ccover_set_dolby_vision(clip, facts);
    facts->orientation_ignored = !set_frame_orientation(clip, &clip->orientation);
    facts->orientation = clip->orientation;
}
