// The facts about a clip and its frame, as the plain structs of the public header.

#include "Support/compat.h"
#include "Decoding/decoding.h"

#include <libavutil/dovi_meta.h>
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
    set_name(colour.matrix, matrix != AVCOL_SPC_UNSPECIFIED ? av_color_space_name(matrix) : NULL);
    set_name(colour.range, range != AVCOL_RANGE_UNSPECIFIED ? av_color_range_name(range) : NULL);
    set_name(colour.transfer, transfer != AVCOL_TRC_UNSPECIFIED ? av_color_transfer_name(transfer) : NULL);
    set_name(colour.primaries, primaries != AVCOL_PRI_UNSPECIFIED ? av_color_primaries_name(primaries) : NULL);
    return colour;
}

// Converts a rational number. A value that is not positive counts as unknown.
static ccover_rational known(AVRational value) {
    bool is_known = value.num > 0 && value.den > 0;
    return is_known ? (ccover_rational){value.num, value.den} : (ccover_rational){0, 0};
}

bool ccover_find_orientation(const AVStream *stream, const AVFrame *frame, ccover_orientation *orientation) {
    // The frame's own matrix takes precedence: it is closer to the source, and the container's may have been rewritten.
    const AVFrameSideData *own = frame ? av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX) : NULL;
    size_t size = own ? own->size : 0;
    const uint8_t *matrix = own ? own->data : ccover_compat_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    int32_t values[9];
    *orientation = (ccover_orientation){0};
    if (!matrix || size < sizeof(values)) {
        return true;
    }
    memcpy(values, matrix, sizeof(values));
    return ccover_orientation_from_matrix(values, orientation);
}

// How the frames of a stream are stored: like its first one if that was decoded.
static ccover_frame_format format_of(const ccover_clip *clip, AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    const ccover_crop *crop = &clip->demuxer->crop;
    bool is_selected = stream == clip->demuxer->stream, is_cropped = is_selected && crop->is_stated;
    if (is_selected && clip->position->geometry.is_known) {
        return clip->position->geometry.format;
    }
    ccover_frame_format format = {
        .width = parameters->width - (is_cropped ? (int32_t)(crop->left + crop->right) : 0),
        .height = parameters->height - (is_cropped ? (int32_t)(crop->top + crop->bottom) : 0),
        .sample_aspect_ratio = known(av_guess_sample_aspect_ratio(clip->demuxer->format, stream, NULL)),
        .colour = colour_of(parameters->format, parameters->color_space, parameters->color_range, parameters->color_trc,
                            parameters->color_primaries),
    };
    ccover_find_orientation(stream, NULL, &format.orientation);
    return format;
}

int64_t ccover_duration_microseconds(const ccover_demuxer *demuxer) {
    if (demuxer->stream->duration != AV_NOPTS_VALUE && demuxer->stream->duration > 0) {
        return av_rescale_q(demuxer->stream->duration, demuxer->stream->time_base, AV_TIME_BASE_Q);
    }
    if (demuxer->format->duration != AV_NOPTS_VALUE && demuxer->format->duration > 0) {
        return demuxer->format->duration;
    }
    int64_t end;
    ccover_last_time(&demuxer->input, demuxer->container->name, demuxer->stream->id, &end);
    int64_t first = ccover_first_time(demuxer);
    int64_t start = first != AV_NOPTS_VALUE ? av_rescale_q(first, demuxer->stream->time_base, AV_TIME_BASE_Q) : 0;
    return end > start ? end - start : ccover_unknown_time;
}

// The average frame rate, or the nominal rate. Without either, FFmpeg counts the ticks of the clock as frames.
static AVRational frame_rate(const AVStream *stream) {
    enum { CLOCK = 1000 };
    AVRational nominal = stream->r_frame_rate;
    bool is_clock = av_cmp_q(nominal, av_inv_q(stream->time_base)) == 0 && av_q2d(nominal) >= (double)CLOCK;
    return stream->avg_frame_rate.num > 0 ? stream->avg_frame_rate : is_clock ? (AVRational){0, 0} : nominal;
}

void ccover_get_clip_facts(const ccover_clip *clip, ccover_clip_facts *facts) {
    *facts = (ccover_clip_facts){0};
    facts->video_streams = ccover_count_streams(clip->demuxer->format, AVMEDIA_TYPE_VIDEO, false);
    facts->artwork_streams = ccover_count_streams(clip->demuxer->format, AVMEDIA_TYPE_VIDEO, true);
    facts->audio_streams = ccover_count_streams(clip->demuxer->format, AVMEDIA_TYPE_AUDIO, false);
    set_name(facts->container, clip->demuxer->format->iformat->name);
    const AVDictionaryEntry *brand = av_dict_get(clip->demuxer->format->metadata, "major_brand", NULL, 0);
    set_name(facts->major_brand, brand ? brand->value : NULL);
    set_name(facts->codec, avcodec_get_name(clip->demuxer->stream->codecpar->codec_id));
    facts->format = format_of(clip, clip->demuxer->stream);
    facts->stream_index = clip->demuxer->stream->index;
    facts->frame_rate = known(frame_rate(clip->demuxer->stream));
    facts->duration_microseconds = ccover_duration_microseconds(clip->demuxer);
    facts->declared_microseconds = clip->position->declared_duration;
    facts->next_recording = clip->demuxer->next_recording;
    facts->bit_rate = FFMAX(clip->demuxer->format->bit_rate, 0);
}

// An elementary stream has this information only in its frames. The profile is guessed like FFmpeg's muxers do
// (ff_dovi_guess_profile).
static void set_from_frame(const AVDOVIRpuDataHeader *header, ccover_frame_facts *facts) {
    if (header->vdr_rpu_profile == 0 && header->bl_video_full_range_flag) {
        facts->dolby_vision_profile = 5;
        facts->lacks_base_layer = true;
    } else if (header->vdr_rpu_profile == 1) {
        bool has_enhancement = header->el_spatial_resampling_filter_flag && !header->disable_residual_flag;
        facts->dolby_vision_profile = !has_enhancement ? 8 : header->vdr_bit_depth == 12 ? 7 : 4;
    }
}

// Fills in the Dolby Vision facts, from the stream or else from the kept frame. Only the base layer (HDR10, HLG or SDR)
// is decoded; the enhancement layer and metadata are not applied.
static void set_dolby_vision(const ccover_clip *clip, ccover_frame_facts *facts) {
    size_t size = 0;
    const AVDOVIDecoderConfigurationRecord *record =
        (const void *)ccover_compat_stream_side_data(clip->demuxer->stream, AV_PKT_DATA_DOVI_CONF, &size);
    if (record && size >= sizeof(*record)) {
        // According to Dolby's "Dolby Vision Streams Within the ISO Base Media File Format" and "Dolby Vision Profiles
        // and Levels", profile 5 has no compatible base layer; for profiles 8 and above, compatibility id 0 means the
        // same. Clips of older profiles were written without the id.
        facts->dolby_vision_profile = record->dv_profile;
        facts->lacks_base_layer = record->dv_profile == 5 || !record->bl_present_flag ||
                                  (record->dv_profile >= 8 && record->dv_bl_signal_compatibility_id == 0);
        return;
    }
    const AVFrameSideData *data = av_frame_get_side_data(clip->position->frame, AV_FRAME_DATA_DOVI_METADATA);
    if (data && data->size >= sizeof(AVDOVIMetadata)) {
        set_from_frame(av_dovi_get_header((const void *)data->data), facts);
    }
}

void ccover_set_frame_facts(ccover_clip *clip, ccover_frame_facts *facts) {
    const AVFrame *frame = clip->position->frame;
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(frame->format);
    *facts = (ccover_frame_facts){0};
    ccover_correct_fields(clip->position->frame, clip->demuxer->stream);
    ccover_complete_frame(clip->position->frame, clip->demuxer->stream);
    bool is_halved = clip->position->decoder && clip->position->decoder->lowres > 0;
    ccover_frame_format *format = &facts->format;
    format->width = is_halved ? clip->position->decoder->coded_width : frame->width;
    format->height = is_halved ? clip->position->decoder->coded_height : frame->height;
    if (clip->demuxer->display_aspect.num > 0 && clip->demuxer->display_aspect.den > 0) {
        clip->demuxer->stream->sample_aspect_ratio =
            av_div_q(clip->demuxer->display_aspect, (AVRational){format->width, format->height});
    }
    format->colour = colour_of(frame->format, frame->colorspace, frame->color_range, frame->color_trc,
                               frame->color_primaries);
    format->sample_aspect_ratio =
        known(av_guess_sample_aspect_ratio(clip->demuxer->format, clip->demuxer->stream, clip->position->frame));
    // A field has half of the lines of the picture; some containers describe that by the sample aspect ratio. Pixels of
    // whole pictures are at least eight ninths as wide as high.
    bool is_whole = 5 * (int64_t)format->sample_aspect_ratio.num >= 4 * (int64_t)format->sample_aspect_ratio.den;
    format->height *= ccover_is_field(clip->demuxer, frame) && is_whole ? 2 : 1;
    facts->time_base = (ccover_rational){clip->demuxer->stream->time_base.num, clip->demuxer->stream->time_base.den};
    facts->timestamp = ccover_timestamp(frame);
    int64_t duration = ccover_compat_duration(frame);
    bool may_end = facts->timestamp != ccover_unknown_time && duration > 0;
    if (!may_end || __builtin_add_overflow(facts->timestamp, duration, &facts->end)) {
        facts->end = ccover_unknown_time;
    }
    facts->start = ccover_start_before(clip->demuxer, facts->timestamp, clip->position->can_seek);
    facts->has_alpha = description && (description->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    const AVCodecParameters *parameters = clip->demuxer->stream->codecpar;
    facts->lacks_alpha = !facts->has_alpha && parameters->codec_id == AV_CODEC_ID_HEVC && parameters->extradata &&
                         memmem(parameters->extradata, (size_t)parameters->extradata_size, "\x4e\x01\xa5", 3); // an SEI
    facts->assumes_matrix = description && ccover_assumes_matrix(frame) &&
                            (description->flags & AV_PIX_FMT_FLAG_RGB) == 0 && description->nb_components >= 3;
    facts->is_key_frame = ccover_is_key_frame(clip->demuxer, frame);
    facts->is_interlaced = ccover_compat_is_interlaced(frame) && !ccover_is_field(clip->demuxer, frame);
    facts->is_corrupt = clip->position->is_frame_damaged;
    facts->is_replacement = clip->position->is_replacement;
    facts->replaced = clip->position->is_replacement ? clip->position->replaced_time : ccover_unknown_time;
    facts->edits_ignored = clip->demuxer->ignores_edits;
    facts->is_tone_mapped = ccover_is_hdr(frame);
    set_dolby_vision(clip, facts);
    facts->orientation_ignored = !ccover_find_orientation(clip->demuxer->stream, frame, &format->orientation);
}

// MARK: Streams

static ccover_stream_kind kind_of(const AVStream *stream) {
    static const ccover_stream_kind kinds[AVMEDIA_TYPE_NB] = {
        [AVMEDIA_TYPE_VIDEO] = CCOVER_STREAM_VIDEO,       [AVMEDIA_TYPE_AUDIO] = CCOVER_STREAM_AUDIO,
        [AVMEDIA_TYPE_SUBTITLE] = CCOVER_STREAM_SUBTITLE, [AVMEDIA_TYPE_ATTACHMENT] = CCOVER_STREAM_ATTACHMENT,
    };
    enum AVMediaType type = stream->codecpar->codec_type;
    return type < 0 ? CCOVER_STREAM_DATA : ccover_is_video(stream, true) ? CCOVER_STREAM_ARTWORK : kinds[type];
}

// Stores the names of the dispositions, separated by spaces.
static void set_dispositions(char text[CCOVER_TEXT_SIZE], int dispositions) {
    size_t length = 0;
    for (int bit = 0; bit < 31; bit++) {
        const char *name = dispositions & (1 << bit) ? av_disposition_to_string(1 << bit) : NULL;
        if (name && length + strlen(name) + 2 <= CCOVER_TEXT_SIZE) {
            length += (size_t)snprintf(text + length, CCOVER_TEXT_SIZE - length, "%s%s", length > 0 ? " " : "", name);
        }
    }
}

static void set_picture_facts(const ccover_clip *clip, AVStream *stream, ccover_stream_facts *facts) {
    facts->format = format_of(clip, stream);
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(av_get_pix_fmt(facts->format.colour.pixel_format));
    facts->bit_depth = description ? description->comp[0].depth : 0;
    facts->frame_rate = facts->kind == CCOVER_STREAM_VIDEO ? known(frame_rate(stream)) : (ccover_rational){0, 0};
}

static void set_sound_facts(const AVCodecParameters *parameters, ccover_stream_facts *facts) {
    const AVChannelLayout *layout = &parameters->ch_layout;
    facts->sample_rate = FFMAX(parameters->sample_rate, 0);
    facts->channels = FFMAX(layout->nb_channels, 0);
    bool is_known = facts->channels > 0 && layout->order != AV_CHANNEL_ORDER_UNSPEC;
    // A description that does not fit is left out rather than cut off.
    char description[CCOVER_NAME_SIZE];
    int size = is_known ? av_channel_layout_describe(layout, description, sizeof(description)) : 0;
    set_name(facts->channel_layout, size > 0 && size <= CCOVER_NAME_SIZE ? description : NULL);
}

int32_t ccover_stream_programme(const ccover_clip *clip, int32_t stream, int32_t index) {
    AVProgram *programme = av_find_program_from_stream(clip->demuxer->format, NULL, stream);
    while (programme && index-- > 0) {
        programme = av_find_program_from_stream(clip->demuxer->format, programme, stream);
    }
    return programme ? programme->id : 0;
}

int32_t ccover_stream_count(const ccover_clip *clip) {
    return (int32_t)clip->demuxer->format->nb_streams;
}

void ccover_get_stream_facts(const ccover_clip *clip, int32_t index, ccover_stream_facts *facts) {
    *facts = (ccover_stream_facts){.kind = CCOVER_STREAM_DATA};
    if (index < 0 || (unsigned)index >= clip->demuxer->format->nb_streams) {
        return;
    }
    AVStream *stream = clip->demuxer->format->streams[index];
    const AVCodecParameters *parameters = stream->codecpar;
    facts->kind = kind_of(stream);
    // Transport and program streams do not state the layer of MPEG audio.
    bool may_be_any_layer = parameters->codec_id == AV_CODEC_ID_MP3 && clip->demuxer->kind->is_mpeg_stream;
    bool is_known = parameters->codec_id != AV_CODEC_ID_NONE && !may_be_any_layer;
    set_name(facts->codec, is_known ? avcodec_get_name(parameters->codec_id) : NULL);
    set_dispositions(facts->dispositions, stream->disposition);
    if (parameters->codec_type == AVMEDIA_TYPE_VIDEO) {
        set_picture_facts(clip, stream, facts);
    } else if (parameters->codec_type == AVMEDIA_TYPE_AUDIO) {
        set_sound_facts(parameters, facts);
    }
}
