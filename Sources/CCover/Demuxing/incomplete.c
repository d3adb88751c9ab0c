// Clips that are still being written, or were cut off: failures that another attempt may not have.

#include "Demuxing/demuxing.h"

#include <string.h>
#include <unistd.h>

// Whether a short file consists of the first bytes of a clip.
static bool starts_like_clip(const ccover_input *input, int64_t size) {
    enum { LONGEST = 4096, BOX_SIZE = 4 }; // more bytes than needed to recognise any of them
    static const char *const boxes[] = {"ftyp", "moov", "mdat", "wide", "free", "skip"};
    static const char *const starts[] = {"\x1a\x45\xdf\xa3", "RIFF", "FLV"}; // Matroska, AVI, FLV
    char start[BOX_SIZE * 2 + 1] = {0};
    int count = size <= LONGEST ? (int)pread(input->descriptor, start, BOX_SIZE * 2, 0) : 0;
    bool is_like_clip = count > 0 && size <= BOX_SIZE && start[0] == 0;
    for (size_t i = 0; i < FF_ARRAY_ELEMS(boxes) && count > BOX_SIZE; i++) {
        is_like_clip = is_like_clip || strncmp(start + BOX_SIZE, boxes[i], (size_t)(count - BOX_SIZE)) == 0;
    }
    for (size_t i = 0; i < FF_ARRAY_ELEMS(starts) && count > 0; i++) {
        size_t bytes = FFMIN(strlen(starts[i]), (size_t)count);
        is_like_clip = is_like_clip || strncmp(start, starts[i], bytes) == 0;
    }
    return is_like_clip;
}

// Whether the last sample of an MP4's track lies past the end of the file.
static bool ends_past(AVStream *stream, int64_t size) {
    int count = avformat_index_get_entries_count(stream);
    const AVIndexEntry *entry = count > 0 ? avformat_index_get_entry(stream, count - 1) : NULL;
    return entry && entry->pos > size - entry->size;
}

// Whether samples of a movie are missing. The boxes do not show it: padding may follow them, and media may be in
// several boxes. Sound and pictures that are not compressed may end with zeros.
static bool lacks_samples(const ccover_demuxer *demuxer) {
    bool lacks = demuxer->stream->codecpar->codec_id != AV_CODEC_ID_RAWVIDEO &&
                 ends_past(demuxer->stream, ccover_content_size(&demuxer->input));
    for (unsigned i = 0; i < demuxer->format->nb_streams; i++) {
        AVStream *stream = demuxer->format->streams[i];
        lacks = lacks || (stream->discard != AVDISCARD_ALL && ends_past(stream, demuxer->input.size));
    }
    return lacks;
}

bool ccover_is_cut_off(const ccover_demuxer *demuxer) {
    const ccover_input *input = &demuxer->input;
    if (!input->is_seekable || input->size <= 0) {
        return false;
    }
    if (ccover_is_movie(demuxer->format)) {
        return lacks_samples(demuxer);
    }
    ccover_extent extent = ccover_extent_of(input, input->size, demuxer->container->name);
    return extent == CCOVER_EXTENT_CUT || extent == CCOVER_EXTENT_CUT_IN_HEADER;
}

// Whether a failure of the cause means that the clip is incomplete. `size` is that of the file's content.
static bool is_incomplete(const ccover_demuxer *demuxer, ccover_cause cause, int64_t size) {
    ccover_input content = demuxer->input;
    ccover_extent extent = ccover_extent_of(&content, size, demuxer->container ? demuxer->container->name : "");
    bool is_cut_in_header = extent == CCOVER_EXTENT_CUT_IN_HEADER;
    const AVCodecParameters *parameters = demuxer->stream ? demuxer->stream->codecpar : NULL;
    bool has_codec = parameters && parameters->codec_id != AV_CODEC_ID_NONE;
    // The header states a size that is too large, rather than a damaged frame.
    bool is_stated = parameters && demuxer->max_pixels > 0 &&
                     (int64_t)parameters->width * parameters->height > demuxer->max_pixels;
    bool is_cut = is_cut_in_header || extent == CCOVER_EXTENT_CUT || extent == CCOVER_EXTENT_UNFINISHED;
    switch (cause) {
    case CCOVER_CAUSE_UNRECOGNISED:
        return starts_like_clip(&demuxer->input, size) || size == 0;
    case CCOVER_CAUSE_NO_VIDEO_STREAM:
        return is_cut_in_header || (is_cut && demuxer->format && demuxer->format->nb_streams == 0);
    case CCOVER_CAUSE_UNSUPPORTED_CODEC:
        return is_cut_in_header || (is_cut && !has_codec);
    case CCOVER_CAUSE_TOO_LARGE:
        return demuxer->format ? !is_stated && ccover_is_cut_off(demuxer) : is_cut_in_header;
    case CCOVER_CAUSE_OUT_OF_MEMORY:
        return is_cut_in_header;
    case CCOVER_CAUSE_DAMAGED:
    case CCOVER_CAUSE_NO_FRAME:
        // Samples of a movie may be missing. If the media is whole according to the boxes, the table is wrong.
        content.size = size;
        return is_cut || (demuxer->stream && ccover_is_movie(demuxer->format) && ends_past(demuxer->stream, size) &&
                          !ccover_layout_of(&content).has_whole_media);
    default:
        return false;
    }
}

static int fail_truncated(int64_t size, ccover_error *error) {
    ccover_stage stage = error->stage;
    if (size == 0) {
        return ccover_explain(error, stage, CCOVER_CAUSE_TRUNCATED, 0,
                              "the file contains only zeros: the clip is still being recorded or copied");
    }
    return ccover_explain(error, stage, CCOVER_CAUSE_TRUNCATED, 0,
                          "the file ends %s: the clip is still being recorded, or was cut off",
                          stage == CCOVER_STAGE_DECODE ? "before the first frame" : "in the clip's header");
}

// Fills in the error for a movie whose index is not where it should be, or is all there is, if that explains a failure.
// Returns -1.
static int explain_by_index(const ccover_demuxer *demuxer, ccover_error *error) {
    ccover_movie_layout layout = ccover_layout_of(&demuxer->input);
    int code = error->code;
    if (layout.is_segment) {
        error->is_segment = true;
        return ccover_explain(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_REFUSED, code,
                              "it is a segment of a stream, without the stream's header (the initialization segment)");
    }
    if (layout.is_picture) {
        bool is_unread = error->stage == CCOVER_STAGE_OPEN || error->cause == CCOVER_CAUSE_NO_FRAME ||
                         demuxer->packets_read == 0;
        if (error->cause == CCOVER_CAUSE_TRUNCATED || !is_unread) {
            return -1;
        }
        return ccover_explain(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_UNSUPPORTED_CODEC, code,
                              "the installed FFmpeg cannot read this picture");
    }
    bool is_last = layout.last == AV_RB32("moov");
    if (layout.awaits_fragments && is_last && layout.is_whole) {
        return ccover_explain(error, error->stage, CCOVER_CAUSE_TRUNCATED, 0,
                              "there is nothing behind the clip's header: the clip is still being recorded, or this is "
                              "only the header of a stream (the initialization segment)");
    }
    if (!layout.is_movie || layout.is_damaged || layout.has_index || is_last) {
        return -1;
    }
    return ccover_explain(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_NO_INDEX, code,
                          "the index (moov) is missing: the clip is still being recorded, or was cut off");
}

int ccover_reclassify_error(const ccover_demuxer *demuxer, ccover_error *error) {
    enum { FLAGS = 20, IS_ANIMATED = 2 }; // of animated WebP
    bool says_nothing = error->cause == CCOVER_CAUSE_DAMAGED || error->cause == CCOVER_CAUSE_NO_FRAME ||
                        error->cause == CCOVER_CAUSE_UNSUPPORTED_CODEC;
    bool has_start_code = demuxer->kind->is_raw && ccover_read_number(&demuxer->input, 0, 2) == 0;
    if (demuxer->is_assumed && says_nothing && !has_start_code) {
        ccover_fail_unrecognised(error);
    }
    if (!demuxer->input.is_seekable || demuxer->input.size <= 0) {
        return -1;
    }
    int64_t size = ccover_content_size(&demuxer->input);
    if (ccover_deadline_passed(&demuxer->input)) {
        // Then it is not known where the content ends.
        return ccover_explain(error, error->stage, CCOVER_CAUSE_TIMED_OUT, 0, "it was not read within the time limit");
    }
    if (is_incomplete(demuxer, error->cause, size)) {
        fail_truncated(size, error);
    } else if (says_nothing && ccover_read_number(&demuxer->input, 8, 8) == (int64_t)AV_RB64("WEBPVP8X") &&
               (ccover_read_number(&demuxer->input, FLAGS, 1) & IS_ANIMATED) != 0) {
        return ccover_explain(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                              "the installed FFmpeg cannot decode animated WebP");
    }
    bool is_picture = demuxer->container && strstr(demuxer->container->name, "_pipe");
    bool may_lack_index = (error->cause == CCOVER_CAUSE_DAMAGED || error->cause == CCOVER_CAUSE_UNRECOGNISED ||
                           error->cause == CCOVER_CAUSE_TRUNCATED || error->cause == CCOVER_CAUSE_NO_FRAME) &&
                          !is_picture;
    return may_lack_index ? explain_by_index(demuxer, error) : -1;
}
