// One of the clips that are copied: opening it, and choosing its streams.

#include "../CCover/Support/compat.h"
#include "Remux/remux.h"

#include <errno.h>
#include <libavutil/display.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// Whether libavformat can find out when frames are shown, from the types of the frames. It cannot with HEVC in AVI,
// whose frames may have any order, and is not needed where CComposer puts the frames in order.
static bool can_find_presentation_times(const ccover_clip *clip) {
    bool has_any_order = clip->demuxer->stream->codecpar->codec_id == AV_CODEC_ID_HEVC;
    return !ccomposer_lacks_order(clip->demuxer->format, clip->demuxer->stream) &&
           !(has_any_order && ccover_is_container(clip->demuxer, "avi"));
}

static int open_clip(int descriptor, const ccomposer_copy_options *options, ccover_clip **clip, ccover_error *error) {
    const ccover_limits limits = {
        .deadline_microseconds = options->deadline_microseconds,
        .max_pixels = options->max_pixels,
        .max_streams = options->max_streams,
        .programme = options->programme,
        .stream = -1,
        .complete_facts = true,
        .all_streams = true,
    };
    int failed = ccover_open(descriptor, &limits, clip, error);
    if (!failed && (*clip)->demuxer->encryption.declared) {
        failed = ccover_fail_encrypted((*clip)->demuxer, CCOVER_STAGE_OPEN, error);
        ccover_close(clip);
    }
    // Demuxers whose packets hold whole pictures give their PTS.
    if (!failed && !(*clip)->demuxer->kind->holds_whole_pictures && can_find_presentation_times(*clip)) {
        (*clip)->demuxer->format->flags |= AVFMT_FLAG_GENPTS;
    }
    return failed;
}

// Whether Matroska can hold a codec by its tag in AVI, or by that in MOV if the decoder needs nothing else from there.
static bool has_foreign_tag(const AVOutputFormat *matroska, enum AVCodecID codec) {
    bool is_complete = codec == AV_CODEC_ID_DNXHD || codec == AV_CODEC_ID_HAP;
    return is_complete || av_codec_get_tag(matroska->codec_tag, codec) != 0;
}

// Whether a container can hold a stream. The tags of pixels without compression mean something else in MOV than
// elsewhere.
static bool can_hold(ccomposer_container kind, const AVFormatContext *source, const AVStream *stream) {
    const AVOutputFormat *container = ccomposer_format_of(kind);
    enum AVCodecID codec = stream->codecpar->codec_id;
    if (!container || (codec == AV_CODEC_ID_RAWVIDEO && ccomposer_is_movie(kind) != ccover_is_movie(source))) {
        return false;
    }
    bool is_known = avformat_query_codec(container, codec, FF_COMPLIANCE_NORMAL) == 1 ||
                    (kind == CCOMPOSER_MATROSKA && has_foreign_tag(container, codec));
    return is_known && (ccover_is_artwork(stream) || ccomposer_accepts(kind, stream));
}

// Whether nothing is known of a stream of sound or video but its codec, so that no container can hold it: transport
// streams announce streams that they may not have, and the rest is found in packets. The only stream of video is not
// left out for that.
static bool is_only_announced(const AVFormatContext *source, const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    if (parameters->codec_type == AVMEDIA_TYPE_AUDIO) {
        return parameters->sample_rate <= 0;
    }
    bool has_other = false;
    for (unsigned i = 0; i < source->nb_streams; i++) {
        const AVStream *other = source->streams[i];
        has_other = has_other || (ccover_is_video(other, false) && other->codecpar->width > 0);
    }
    return parameters->codec_type == AVMEDIA_TYPE_VIDEO && parameters->width <= 0 && has_other;
}

// Whether a stream is copied: video, sound and subtitles are. Video or sound that the container cannot hold is an
// error, because the copy would lack what makes the clip.
static bool is_copied(const AVStream *stream, ccomposer_container kind, const AVFormatContext *source,
                      bool *is_error) {
    enum AVMediaType type = stream->codecpar->codec_type;
    if (stream->discard == AVDISCARD_ALL || is_only_announced(source, stream)) {
        *is_error = false;
        return false;
    }
    bool is_media = type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_SUBTITLE;
    bool fits = is_media && can_hold(kind, source, stream);
    if (ccover_is_artwork(stream)) {
        // In Matroska, pictures are attachments, which FFmpeg does not make of streams; in MOV it leaves them out.
        *is_error = false;
        return fits && kind == CCOMPOSER_MP4;
    }
    *is_error = is_media && !fits && type != AVMEDIA_TYPE_SUBTITLE;
    return fits;
}

// Whether the frames of VP6 have rows or columns that are not shown; only the header in FLV declares them.
static bool is_cropped_by_header(const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    bool is_vp6 = parameters->codec_id == AV_CODEC_ID_VP6F || parameters->codec_id == AV_CODEC_ID_VP6A;
    return is_vp6 && parameters->extradata_size > 0 && parameters->extradata[0] != 0;
}

// Describes what of a clip a container cannot hold. Returns false if it can hold all that is copied.
static bool is_unfit(const AVFormatContext *source, ccomposer_container kind, char what[CCOVER_TEXT_SIZE]) {
    for (unsigned i = 0; i < source->nb_streams; i++) {
        const AVStream *stream = source->streams[i];
        const char *noun = ccomposer_stream_noun(stream);
        bool is_error;
        bool copied = is_copied(stream, kind, source, &is_error);
        if (is_error) {
            snprintf(what, CCOVER_TEXT_SIZE, "its %s (%s)", noun, avcodec_get_name(stream->codecpar->codec_id));
            return true;
        }
        if (copied && ccomposer_rotation_of(stream) != 0 && !ccomposer_is_movie(kind)) {
            snprintf(what, CCOVER_TEXT_SIZE, "the rotation of its %s", noun);
            return true;
        }
        if (copied && is_cropped_by_header(stream)) {
            snprintf(what, CCOVER_TEXT_SIZE, "the crop of its %s", noun);
            return true;
        }
    }
    return false;
}

// Whether the video may be transparent, which only its packets show, and MP4 cannot hold.
static bool may_be_transparent(const AVFormatContext *source) {
    bool may_be = false;
    for (unsigned i = 0; i < source->nb_streams; i++) {
        may_be = may_be || ccover_announces_alpha(source->streams[i]);
    }
    return may_be;
}

void ccomposer_list_fitting(const AVFormatContext *source, bool movies, bool others, char text[CCOVER_TEXT_SIZE]) {
    const char *endings[CCOMPOSER_CONTAINERS];
    char what[CCOVER_TEXT_SIZE];
    size_t count = 0, length = 0;
    for (int i = 0; i < CCOMPOSER_CONTAINERS; i++) {
        bool is_listed = ccomposer_is_movie((ccomposer_container)i) ? movies && !may_be_transparent(source) : others;
        if (is_listed && !is_unfit(source, (ccomposer_container)i, what)) {
            endings[count++] = ccomposer_containers[i].ending;
        }
    }
    text[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const char *separator = i == 0 ? "" : i + 1 < count ? ", " : " and ";
        length += (size_t)snprintf(text + length, CCOVER_TEXT_SIZE - length, "%s%s", separator, endings[i]);
    }
}

static int check_fit(const AVFormatContext *source, ccomposer_container kind, ccover_error *error) {
    char what[CCOVER_TEXT_SIZE], endings[CCOVER_TEXT_SIZE];
    if (!is_unfit(source, kind, what)) {
        return 0;
    }
    ccomposer_list_fitting(source, true, true, endings);
    ccover_log_begin();
    if (endings[0] == 0) {
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           "no file that ends in .mp4, .mov, .mkv or .webm can hold %s; re-encode it first", what);
    }
    return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_UNFIT_CONTAINER, 0, "%s cannot hold %s; %s can",
                       ccomposer_containers[kind].name, what, endings);
}

// Whether the stream holds the texts of chapters, which are copied as chapters.
static bool holds_chapters(const AVFormatContext *source, const AVStream *stream) {
    return ccover_is_movie(source) && source->nb_chapters > 0 &&
           stream->codecpar->codec_type == AVMEDIA_TYPE_DATA && stream->codecpar->codec_id == AV_CODEC_ID_BIN_DATA;
}

static int choose_streams(ccomposer_part *part, ccomposer_container kind, ccover_error *error) {
    AVFormatContext *format = part->clip->demuxer->format;
    if (check_fit(format, kind, error)) {
        return -1;
    }
    part->known_streams = format->nb_streams;
    int first = -1;
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        bool is_error, is_of_other = format->nb_programs > 0 && stream->discard == AVDISCARD_ALL;
        if (is_copied(stream, kind, format, &is_error) && part->stream_count < CCOMPOSER_MAX_STREAMS) {
            stream->discard = AVDISCARD_DEFAULT;
            first = first < 0 && ccover_is_video(stream, false) ? part->stream_count : first;
            part->streams[part->stream_count++] = stream;
            // In containers without programmes, players show the first video.
            if (format->nb_programs > 0 && stream == part->clip->demuxer->stream && first >= 0) {
                FFSWAP(AVStream *, part->streams[part->stream_count - 1], part->streams[first]);
            }
        } else if (!is_of_other) {
            stream->discard = is_only_announced(format, stream) ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
            part->left_out += 1;
            part->chapter_streams += holds_chapters(format, stream);
        }
    }
    return 0;
}

static int open_orders(ccomposer_part *part, ccover_error *error) {
    int code = 0;
    for (int i = 0; i < part->stream_count && code >= 0; i++) {
        if (ccomposer_lacks_order(part->clip->demuxer->format, part->streams[i])) {
            code = ccomposer_open_order(part->streams[i], &part->orders[i]);
        } else if (ccomposer_may_split_frames(part->streams[i])) {
            part->fields[i] = av_packet_alloc();
            code = part->fields[i] ? 0 : AVERROR(ENOMEM);
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

// Puts the streams of a clip into the order of the output's, by their types: recorders do not always write them in the
// same order.
static void align(ccomposer_part *part, const AVFormatContext *muxer) {
    for (int i = 0; i < FFMIN((int)muxer->nb_streams, part->stream_count); i++) {
        enum AVMediaType type = muxer->streams[i]->codecpar->codec_type;
        int found = i;
        while (found < part->stream_count && part->streams[found]->codecpar->codec_type != type) {
            found++;
        }
        if (found == part->stream_count) {
            return;
        }
        // The streams between keep their order.
        AVStream *stream = part->streams[found];
        memmove(&part->streams[i + 1], &part->streams[i], (size_t)(found - i) * sizeof(stream));
        part->streams[i] = stream;
    }
}

int ccomposer_open_part(int descriptor, const ccomposer_copy_options *options, const AVFormatContext *muxer,
                        ccomposer_part *part, ccover_error *error) {
    *part = (ccomposer_part){.key = INT64_MIN, .end = INT64_MAX};
    int failed = open_clip(descriptor, options, &part->clip, error);
    if (!failed) {
        failed = choose_streams(part, options->container, error);
        part->is_damaged = part->clip->demuxer->container_errors > 0;
    }
    if (!failed && ccomposer_find_starts(part) < 0) {
        failed = ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX);
    }
    if (!failed) {
        part->start = start_of(part);
        align(part, muxer);
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
        av_packet_free(&part->fields[i]);
    }
    ccomposer_forget_ahead(part);
    ccover_close(&part->clip);
}

int ccomposer_output_stream(const ccomposer_part *part, const AVPacket *packet) {
    for (int i = 0; i < part->stream_count; i++) {
        if (part->streams[i]->index == packet->stream_index) {
            return i;
        }
    }
    return -1;
}

bool ccomposer_is_unexpected(const ccomposer_part *part, const AVPacket *packet) {
    const AVFormatContext *format = part->clip->demuxer->format;
    const AVStream *stream = format->streams[packet->stream_index];
    bool is_known = (unsigned)stream->index < part->known_streams;
    return is_known ? is_only_announced(format, stream) : ccover_is_video(stream, false);
}
