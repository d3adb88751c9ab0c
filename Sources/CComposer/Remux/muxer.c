// The description of the output, like that of a clip.

#include "../CCover/Support/compat.h"
#include "Remux/remux.h"

#include <errno.h>
#include <libavutil/mem.h>

// Removes the entries that describe the old file.
static void remove_outdated(AVDictionary **metadata) {
    static const char *const outdated[] = {
        "major_brand", "minor_version", "compatible_brands", "encoder", "creator", "DURATION",
    };
    for (size_t i = 0; i < sizeof(outdated) / sizeof(outdated[0]); i++) {
        av_dict_set(metadata, outdated[i], NULL, 0);
    }
}

static int add_stream(AVFormatContext *muxer, const AVStream *source) {
    AVStream *stream = avformat_new_stream(muxer, NULL);
    if (!stream || avcodec_parameters_copy(stream->codecpar, source->codecpar) < 0 ||
        ccover_compat_copy_side_data(stream, source) < 0 || av_dict_copy(&stream->metadata, source->metadata, 0) < 0) {
        return AVERROR(ENOMEM);
    }
    remove_outdated(&stream->metadata);
    // The tag of the codec is kept where the container has the same one, such as hvc1 or hev1, and where it has none
    // for the codec: Matroska then stores it, such as the variant of ProRes.
    const struct AVCodecTag *const *tags = muxer->oformat->codec_tag;
    unsigned tag = stream->codecpar->codec_tag;
    enum AVCodecID codec = stream->codecpar->codec_id;
    bool keeps = tags && (av_codec_get_id(tags, tag) == codec || av_codec_get_tag(tags, codec) == 0);
    stream->codecpar->codec_tag = keeps ? tag : 0;
    stream->time_base = source->time_base;
    stream->avg_frame_rate = source->avg_frame_rate;
    stream->r_frame_rate = source->r_frame_rate;
    stream->sample_aspect_ratio = stream->codecpar->sample_aspect_ratio = source->sample_aspect_ratio;
    stream->disposition = source->disposition;
    return 0;
}

bool ccomposer_accepts(ccomposer_container container, const AVStream *stream) {
    AVFormatContext *muxer = NULL;
    AVIOContext *io = NULL;
    uint8_t *header = NULL;
    ccover_error error;
    bool accepts = avio_open_dyn_buf(&io) >= 0 && ccomposer_create_muxer(container, NULL, io, &muxer, &error) == 0 &&
                   add_stream(muxer, stream) >= 0 && avformat_write_header(muxer, NULL) >= 0;
    avformat_free_context(muxer);
    if (io) {
        avio_close_dyn_buf(io, &header);
    }
    av_free(header);
    ccover_log_begin();
    return accepts;
}

static int add_chapter(AVFormatContext *muxer, const AVChapter *source, const ccomposer_part *part) {
    int64_t shift = av_rescale_q(part->start, AV_TIME_BASE_Q, source->time_base);
    int64_t end = av_rescale_q_rnd(part->end, AV_TIME_BASE_Q, source->time_base, AV_ROUND_UP | AV_ROUND_PASS_MINMAX);
    if (source->start >= end || (part->key != INT64_MIN && source->end <= shift)) {
        return 0;
    }
    AVChapter *chapter = av_mallocz(sizeof(*chapter));
    if (!chapter) {
        return AVERROR(ENOMEM);
    }
    chapter->id = source->id;
    chapter->time_base = source->time_base;
    chapter->start = FFMAX(av_sat_sub64(source->start, shift), 0);
    chapter->end = FFMAX(av_sat_sub64(FFMIN(source->end, end), shift), chapter->start);
    muxer->chapters[muxer->nb_chapters++] = chapter;
    return av_dict_copy(&chapter->metadata, source->metadata, 0);
}

static int add_chapters(AVFormatContext *muxer, const ccomposer_part *part) {
    const AVFormatContext *source = part->clip->demuxer->format;
    muxer->chapters = av_calloc((size_t)source->nb_chapters + 1, sizeof(*muxer->chapters));
    int code = muxer->chapters ? 0 : AVERROR(ENOMEM);
    for (unsigned i = 0; i < source->nb_chapters && code >= 0; i++) {
        code = add_chapter(muxer, source->chapters[i], part);
    }
    return code;
}

int ccomposer_describe(AVFormatContext *muxer, ccomposer_container container, const ccomposer_part *part,
                       bool is_joined) {
    int code = av_dict_copy(&muxer->metadata, part->clip->demuxer->format->metadata, 0);
    remove_outdated(&muxer->metadata);
    for (int i = 0; i < part->stream_count && code >= 0; i++) {
        code = add_stream(muxer, part->streams[i]);
        // Enables the track of the video that covers of the clip show. libavformat enables the default streams, and in
        // other containers these are a matter of preference.
        if (code >= 0 && ccomposer_is_movie(container) && part->streams[i] == part->clip->demuxer->stream) {
            muxer->streams[i]->disposition |= AV_DISPOSITION_DEFAULT;
        }
        if (code >= 0 && is_joined && ccomposer_has_flac_header(muxer->streams[i]->codecpar)) {
            ccomposer_forget_flac_samples(muxer->streams[i]->codecpar->extradata);
        }
    }
    return code >= 0 && !is_joined ? add_chapters(muxer, part) : code;
}
