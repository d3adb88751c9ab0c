// One of the clips that are copied: opening it, and choosing its streams.

#include "../CCover/compat.h"
#include "internal.h"

#include <libavutil/display.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ccomposer_is_movie(ccomposer_container container) {
    return container == CCOMPOSER_MP4 || container == CCOMPOSER_MOV;
}

static const char *name_of(ccomposer_container container) {
    static const char *const names[] = {
        [CCOMPOSER_MP4] = "MP4",
        [CCOMPOSER_MOV] = "MOV",
        [CCOMPOSER_MATROSKA] = "Matroska",
        [CCOMPOSER_WEBM] = "WebM",
    };
    return names[container];
}

int ccomposer_rotation_of(const AVStream *stream) {
    size_t size = 0;
    const uint8_t *data = ccover_compat_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    int32_t matrix[9];
    if (!data || size < sizeof(matrix)) {
        return 0;
    }
    memcpy(matrix, data, sizeof(matrix));
    bool is_mirrored = (int64_t)matrix[0] * matrix[4] - (int64_t)matrix[1] * matrix[3] < 0;
    double angle = av_display_rotation_get(matrix);
    int clockwise = isnan(angle) ? 0 : (360 - (int)lrint(angle)) % 360;
    return is_mirrored ? clockwise + 360 : clockwise;
}

// Whether the demuxer gives the times at which frames are shown.
static bool has_presentation_times(const AVFormatContext *format) {
    return ccover_holds_whole_pictures(format);
}

// Whether libavformat can find out when frames are shown, from the types of the frames. It cannot with HEVC in AVI,
// whose frames may have any order, and is not needed where CComposer puts the frames in order.
static bool can_find_presentation_times(const ccover_clip *clip) {
    bool has_any_order = clip->stream->codecpar->codec_id == AV_CODEC_ID_HEVC;
    return !ccomposer_lacks_order(clip->format, clip->stream) &&
           !(has_any_order && strcmp(clip->format->iformat->name, "avi") == 0);
}

static int open_clip(int descriptor, const ccomposer_copy_options *options, ccover_clip **clip, ccover_error *error) {
    const ccover_limits limits = {
        .deadline_microseconds = options->deadline_microseconds,
        .max_pixels = options->max_pixels,
        .max_streams = options->max_streams,
        .stream = -1,
        .complete_facts = true,
        .all_streams = true,
    };
    int failed = ccover_open(descriptor, &limits, clip, error);
    if (!failed && (*clip)->encryption.is_declared) {
        failed = ccover_fail_encrypted(*clip, CCOVER_STAGE_OPEN, error);
        ccover_close(clip);
    }
    if (!failed && !has_presentation_times((*clip)->format) && can_find_presentation_times(*clip)) {
        (*clip)->format->flags |= AVFMT_FLAG_GENPTS;
    }
    return failed;
}

// Whether a container can hold a stream. Matroska can also hold codecs with a tag of AVI. The tags of pixels without
// compression mean something else in MOV than elsewhere.
static bool can_hold(ccomposer_container kind, const AVOutputFormat *container, const AVFormatContext *source,
                     const AVStream *stream) {
    enum AVCodecID codec = stream->codecpar->codec_id;
    if (codec == AV_CODEC_ID_RAWVIDEO && ccomposer_is_movie(kind) != ccover_is_movie(source)) {
        return false;
    }
    return avformat_query_codec(container, codec, FF_COMPLIANCE_NORMAL) == 1 ||
           (kind == CCOMPOSER_MATROSKA && av_codec_get_tag(container->codec_tag, codec) != 0);
}

// Whether a stream is copied: video, sound and subtitles are. Video or sound that the container cannot hold is an
// error, because the copy would lack what makes the clip.
static bool is_copied(const AVStream *stream, ccomposer_container kind, const AVOutputFormat *container,
                      const AVFormatContext *source, bool *is_error) {
    enum AVMediaType type = stream->codecpar->codec_type;
    bool is_media = type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_SUBTITLE;
    bool fits = is_media && can_hold(kind, container, source, stream);
    if (ccover_is_artwork(stream)) {
        // In Matroska, pictures are attachments, which FFmpeg does not make of streams.
        *is_error = false;
        return fits && ccomposer_is_movie(kind);
    }
    *is_error = is_media && !fits && type != AVMEDIA_TYPE_SUBTITLE;
    return fits;
}

static int fail_to_fit(ccomposer_container kind, const AVStream *stream, ccover_error *error) {
    ccover_log_begin();
    return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_UNFIT_CONTAINER, 0, "%s cannot hold its %s (%s)",
                       name_of(kind), ccomposer_stream_noun(stream),
                       avcodec_get_name(stream->codecpar->codec_id));
}

static int choose_streams(ccomposer_part *part, ccomposer_container kind, const AVOutputFormat *container,
                          ccover_error *error) {
    AVFormatContext *format = part->clip->format;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        bool is_error;
        bool copied = is_copied(stream, kind, container, format, &is_error);
        if (is_error) {
            return fail_to_fit(kind, stream, error);
        }
        if (copied && ccomposer_rotation_of(stream) != 0 && !ccomposer_is_movie(kind)) {
            ccover_log_begin();
            return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_UNFIT_CONTAINER, 0,
                               "%s cannot hold the rotation of its video", name_of(kind));
        }
        if (copied && part->stream_count < CCOMPOSER_MAX_STREAMS) {
            stream->discard = AVDISCARD_DEFAULT;
            part->streams[part->stream_count++] = stream;
        } else {
            stream->discard = AVDISCARD_ALL;
            part->left_out += 1;
        }
    }
    return 0;
}

static int open_orders(ccomposer_part *part, ccover_error *error) {
    int code = 0;
    for (int i = 0; i < part->stream_count && code >= 0; i++) {
        if (ccomposer_lacks_order(part->clip->format, part->streams[i])) {
            code = ccomposer_open_order(part->streams[i], &part->orders[i]);
        }
    }
    return code < 0 ? ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX) : 0;
}

// When a stream is first seen or heard, in microseconds; INT64_MAX if that is unknown.
static int64_t stream_start(const AVStream *stream) {
    if (stream->start_time == AV_NOPTS_VALUE || ccover_is_artwork(stream)) {
        return INT64_MAX;
    }
    int64_t start = av_rescale_q(stream->start_time, stream->time_base, AV_TIME_BASE_Q);
    const AVCodecParameters *parameters = stream->codecpar;
    if (parameters->initial_padding > 0 && parameters->sample_rate > 0 && start < 0) {
        // Matroska counts what the decoder needs to get going, MP4 does not.
        start += av_rescale_q(parameters->initial_padding, (AVRational){1, parameters->sample_rate}, AV_TIME_BASE_Q);
        // Matroska has times in milliseconds.
        start = llabs(start) < 1000 ? 0 : start;
    }
    return start;
}

// When a clip starts, in microseconds.
static int64_t start_of(const ccomposer_part *part) {
    int64_t start = INT64_MAX;
    for (int i = 0; i < part->stream_count; i++) {
        start = FFMIN(start, stream_start(part->streams[i]));
    }
    return start == INT64_MAX ? 0 : start;
}

int ccomposer_open_part(int descriptor, const ccomposer_copy_options *options, const AVOutputFormat *container,
                        ccomposer_part *part, ccover_error *error) {
    *part = (ccomposer_part){0};
    int failed = open_clip(descriptor, options, &part->clip, error);
    if (!failed) {
        failed = choose_streams(part, options->container, container, error);
        part->start = start_of(part);
    }
    if (!failed) {
        failed = open_orders(part, error);
    }
    if (failed) {
        ccomposer_close_part(part);
    }
    return failed;
}

void ccomposer_close_part(ccomposer_part *part) {
    for (int i = 0; i < part->stream_count; i++) {
        ccomposer_close_order(&part->orders[i]);
    }
    ccover_close(&part->clip);
}

void ccomposer_align_part(ccomposer_part *part, const enum AVMediaType *types, int count) {
    for (int i = 0; i < FFMIN(count, part->stream_count); i++) {
        int found = i;
        while (found < part->stream_count && part->streams[found]->codecpar->codec_type != types[i]) {
            found++;
        }
        if (found == part->stream_count) {
            return;
        }
        // The streams between keep their order.
        AVStream *stream = part->streams[found];
        ccomposer_order *order = part->orders[found];
        memmove(&part->streams[i + 1], &part->streams[i], (size_t)(found - i) * sizeof(stream));
        memmove(&part->orders[i + 1], &part->orders[i], (size_t)(found - i) * sizeof(order));
        part->streams[i] = stream;
        part->orders[i] = order;
    }
}

int ccomposer_output_stream(const ccomposer_part *part, const AVPacket *packet) {
    for (int i = 0; i < part->stream_count; i++) {
        if (part->streams[i]->index == packet->stream_index) {
            return i;
        }
    }
    return -1;
}
