// Opening a container: recognising it and reading its header.

#include "Demuxing/demuxing.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <string.h>
#include <unistd.h>

// Rejects every URL that a container asks to open: external references (`dref`), playlist entries, key files.
static int refuse_to_open(AVFormatContext *format, AVIOContext **io, const char *url, int flags,
                          AVDictionary **options) {
    (void)format, (void)url, (void)flags, (void)options;
    *io = NULL;
    return AVERROR(EACCES);
}

static int is_interrupted(void *opaque) {
    return ccover_deadline_passed(opaque);
}

int ccover_fail_unrecognised(ccover_error *error) {
    return ccover_explain(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_UNRECOGNISED, 0,
                          "its content is not a recognised video format");
}

// The first bytes of archives and compressed files.
static const struct {
    const char *name;
    int bytes;
    uint64_t start; // big-endian
} packed_formats[] = {
    {"ZIP", 4, 0x504b0304}, {"gzip", 3, 0x1f8b08}, {"7z", 6, 0x377abcaf271c}, {"RAR", 6, 0x526172211a07},
    {"xz", 6, 0xfd377a585a00}, {"Zstandard", 4, 0x28b52ffd}, {"bzip2", 3, 0x425a68},
};

static int fail_as_playlist(const char *name, ccover_error *error) {
    return ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_REFUSED, 0,
                       "a playlist (%s) that refers to other files, not a clip", name);
}

// Fills in the error for content that is not a clip, whatever FFmpeg detects.
static int fail_by_content(const ccover_demuxer *demuxer, const AVInputFormat *format, ccover_error *error) {
    for (size_t i = 0; i < sizeof(packed_formats) / sizeof(packed_formats[0]); i++) {
        int64_t start = ccover_read_number(&demuxer->input, 0, packed_formats[i].bytes);
        if (start == (int64_t)packed_formats[i].start) {
            error->is_packed = true;
            return ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_REFUSED, 0, "a compressed file (%s), not a clip",
                               packed_formats[i].name);
        }
    }
    // "#EXTM3U", which FFmpeg 7 recognises by the name of the file only.
    if (ccover_read_number(&demuxer->input, 0, 7) == 0x234558544d3355) {
        return fail_as_playlist("hls", error);
    }
    return !format ? ccover_fail_unrecognised(error)
                   : ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_REFUSED, 0,
                                 "the format %s is not a supported clip format", format->name);
}

// Fills in the error for a container that was not recognised.
static int fail_to_recognise(const ccover_demuxer *demuxer, int code, ccover_error *error) {
    ccover_cause cause = ccover_cause_of(&demuxer->input, code);
    if (cause != CCOVER_CAUSE_DAMAGED) {
        return ccover_fail(error, CCOVER_STAGE_PROBE, cause, code, "cannot read the file");
    }
    return demuxer->input.bytes_read > 0
               ? fail_by_content(demuxer, NULL, error)
               : ccover_fail(error, CCOVER_STAGE_PROBE, CCOVER_CAUSE_EMPTY, 0, "the file is empty");
}

// Recognises the container and checks it against the allow list. Until then only the demuxers' probe functions run.
static int probe_container(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    const AVInputFormat **input_format = &demuxer->container;
    int code = av_probe_input_buffer2(demuxer->io, input_format, "", NULL, 0, 0);
    const ccover_container *kind = ccover_container_of(*input_format);
    int64_t first = ccover_read_number(&demuxer->input, 0, 4);
    bool is_program = first == 0x7f454c46 || first == 0x4d5a9000; // ELF or PE
    // Only a guess: an unsupported container, a single frame of sound, as in compressed data, captions or lyrics, which
    // FFmpeg also detects in other JSON and in text with brackets, or start codes in programs.
    if (code >= 0 && ((code <= AVPROBE_SCORE_RETRY && !ccover_allows_container(*input_format)) ||
                      code < kind->least_score || (kind->is_raw && is_program))) {
        code = AVERROR_INVALIDDATA;
    }
    // FFmpeg takes a transport stream after other data for a program stream.
    bool is_mpeg = code >= 0 && strcmp((*input_format)->name, "mpeg") == 0;
    bool may_be_later = code == AVERROR_INVALIDDATA || (is_mpeg && first != 0x1ba);
    int64_t start = may_be_later ? ccover_find_transport_stream(&demuxer->input) : -1;
    if (start >= 0 && avio_seek(demuxer->io, start, SEEK_SET) >= 0) {
        *input_format = av_find_input_format("mpegts");
        code = AVPROBE_SCORE_MAX;
    }
    if (code == AVERROR_INVALIDDATA && demuxer->input.bytes_read > 0) {
        *input_format = ccover_raw_demuxer(limits->raw_format);
        demuxer->is_assumed = *input_format && avio_seek(demuxer->io, 0, SEEK_SET) >= 0;
    }
    if (code >= 0 && limits->raw_format == CCOVER_RAW_MJPEG && strcmp((*input_format)->name, "jpeg_pipe") == 0) {
        *input_format = ccover_raw_demuxer(limits->raw_format); // its first picture was detected
    }
    if (code < 0 && !demuxer->is_assumed) {
        *input_format = NULL;
        return fail_to_recognise(demuxer, code, error);
    }
    if (ccover_points_elsewhere(*input_format)) {
        return fail_as_playlist((*input_format)->name, error);
    }
    if (!ccover_allows_container(*input_format)) {
        return fail_by_content(demuxer, *input_format, error);
    }
    demuxer->kind = ccover_container_of(*input_format);
    uint8_t bytes = demuxer->kind->signature.bytes;
    int64_t offset = demuxer->kind->signature.offset + FFMAX(start, 0);
    ssize_t count = pread(demuxer->input.descriptor, demuxer->signature, bytes, offset);
    demuxer->signature_bytes = count == bytes ? bytes : 0;
    return 0;
}

// Fills in the error for a header that FFmpeg cannot read.
static int fail_to_open(ccover_demuxer *demuxer, const ccover_limits *limits, int code, ccover_error *error) {
    enum { BYTES = 64 << 20 };
    if (ccover_logged_too_many_streams()) {
        return ccover_fail(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_TOO_LARGE, 0, "the clip has more than %d streams",
                           limits->max_streams);
    }
    // If memory is left, it was the clip that wanted too much.
    void *memory = code == AVERROR(ENOMEM) ? av_malloc(BYTES) : NULL;
    av_free(memory);
    if (memory) {
        return ccover_fail(error, CCOVER_STAGE_OPEN, CCOVER_CAUSE_TOO_LARGE, 0,
                           "the clip's header takes more memory than is allowed");
    }
    if (ccover_is_container(demuxer, CCOVER_MOVIE) && ccover_find_encrypted_track(demuxer)) {
        return ccover_fail_encrypted(demuxer, CCOVER_STAGE_OPEN, error);
    }
    return ccover_fail(error, CCOVER_STAGE_OPEN, ccover_cause_of(&demuxer->input, code), code,
                       "cannot read the header");
}

// Creates a format context that reads from the caller's descriptor only, and within the limits.
static int allocate_format(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    demuxer->format = avformat_alloc_context();
    if (!demuxer->format) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN);
    }
    demuxer->format->pb = demuxer->io;
    demuxer->format->opaque = demuxer; // for the log
    demuxer->format->flags |= AVFMT_FLAG_CUSTOM_IO;
    demuxer->format->io_open = refuse_to_open;
    demuxer->format->interrupt_callback = (AVIOInterruptCB){is_interrupted, &demuxer->input};
    if (limits->max_streams > 0) {
        demuxer->format->max_streams = limits->max_streams;
    }
    int code = ccover_restrict_decoders(demuxer->format, limits->all_streams);
    return code < 0 ? ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN) : 0;
}

// Whether edit lists leave out all frames of all video streams, as those do that end at once or start after the end.
static bool hides_video(const AVFormatContext *format) {
    bool hides_some = false, hides_all = true;
    for (unsigned i = 0; i < format->nb_streams && hides_all; i++) {
        AVStream *stream = format->streams[i];
        int count = ccover_is_video(stream, false) ? avformat_index_get_entries_count(stream) : 0, shown = 0;
        while (shown < count && (avformat_index_get_entry(stream, shown)->flags & AVINDEX_DISCARD_FRAME) != 0) {
            shown += 1;
        }
        hides_some = hides_some || count > 0;
        hides_all = !ccover_is_video(stream, false) || (shown == count && stream->nb_frames > 0);
    }
    return hides_some && hides_all;
}

// Reads the header. On failure, libavformat frees the context and clears the pointer.
static int open_input(ccover_demuxer *demuxer, const ccover_limits *limits, AVDictionary **options,
                      ccover_error *error) {
    int failed = allocate_format(demuxer, limits, error);
    if (failed) {
        return failed;
    }
    int code = avformat_open_input(&demuxer->format, "", demuxer->container, options);
    return code < 0 ? fail_to_open(demuxer, limits, code, error) : 0;
}

// Closes the container, if it is open, and returns to the beginning of the file.
static int rewind_input(ccover_demuxer *demuxer, ccover_error *error) {
    avformat_close_input(&demuxer->format);
    demuxer->container_errors = demuxer->corrupt_count = 0;
    demuxer->has_untimed_corruption = false;
    int64_t position = avio_seek(demuxer->io, 0, SEEK_SET);
    return position >= 0 ? 0
                         : ccover_fail(error, CCOVER_STAGE_OPEN, ccover_cause_of(&demuxer->input, (int)position),
                                       (int)position, "cannot read the file");
}

// Opens a movie again without its edit lists.
static int open_without_edits(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    int failed = rewind_input(demuxer, error);
    demuxer->ignores_edits = true;
    AVDictionary *options = NULL;
    if (!failed) {
        failed = av_dict_set_int(&options, "ignore_editlist", 1, 0) < 0
                     ? ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN)
                     : open_input(demuxer, limits, &options, error);
    }
    av_dict_free(&options);
    return failed;
}

// Completes what libavformat reads of a stream in the header.
static void complete_header(AVCodecParameters *parameters) {
    // AV1 with Dolby Vision, whose sample entry the demuxer of FFmpeg 5.1 does not know.
    bool is_unnamed = parameters->codec_type == AVMEDIA_TYPE_VIDEO && parameters->codec_id == AV_CODEC_ID_NONE;
    if (is_unnamed && parameters->codec_tag == MKTAG('d', 'a', 'v', '1')) {
        parameters->codec_id = AV_CODEC_ID_AV1;
    }
    // FFmpeg takes the unused byte of raw pixels of 32 bits (BI_RGB in AVI) for alpha.
    bool has_bitmap_header = parameters->codec_id == AV_CODEC_ID_RAWVIDEO && parameters->codec_tag == 0;
    if (has_bitmap_header && parameters->format == AV_PIX_FMT_NONE && parameters->bits_per_coded_sample == 32) {
        parameters->format = AV_PIX_FMT_BGR0;
    }
    ccover_describe_animation(parameters);
}

int ccover_open_header(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    int failed = rewind_input(demuxer, error);
    failed = failed ? failed : probe_container(demuxer, limits, error);
    failed = failed ? failed : open_input(demuxer, limits, NULL, error);
    if (!failed && ccover_is_movie(demuxer->format) && hides_video(demuxer->format)) {
        failed = open_without_edits(demuxer, limits, error);
    }
    if (failed) {
        return failed;
    }
    av_opt_set_int(demuxer->format, "resync_size", 1 << 20, AV_OPT_SEARCH_CHILDREN); // of transport streams
    for (unsigned i = 0; i < demuxer->format->nb_streams; i++) {
        complete_header(demuxer->format->streams[i]->codecpar);
    }
    return 0;
}

// Discards the packets of all programmes but one. Only transport streams have programmes.
static int choose_programme(AVFormatContext *format, int programme, ccover_error *error) {
    bool is_found = programme == 0 || format->nb_programs == 0;
    for (unsigned i = 0; i < format->nb_programs && programme != 0; i++) {
        bool is_wanted = format->programs[i]->id == programme;
        format->programs[i]->discard = is_wanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
        is_found = is_found || is_wanted;
    }
    if (is_found) {
        return 0;
    }
    return ccover_explain(error, CCOVER_STAGE_SELECT_STREAM, CCOVER_CAUSE_NO_VIDEO_STREAM, 0,
                          "there is no programme %d", programme);
}

// Reads the header, and the stream info that is needed.
static int open_container(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    int failed = ccover_open_header(demuxer, limits, error);
    if (failed) {
        return failed;
    }
    // The header of a movie gives the times of all frames, and how far decoders delay them. In a transport stream, the
    // size of the pictures decides which stream is chosen.
    int videos = ccover_count_streams(demuxer->format, AVMEDIA_TYPE_VIDEO, false);
    bool has_choice = limits->stream < 0 && demuxer->format->nb_programs > (videos > 1 ? 0 : 1);
    bool reads_on = limits->complete_facts || has_choice || (limits->seeks && !ccover_is_movie(demuxer->format));
    failed = reads_on ? ccover_read_stream_info_to_video(demuxer, limits, error)
                      : ccover_find_stream(demuxer, limits, error);
    return failed ? failed : choose_programme(demuxer->format, limits->programme, error);
}

// MARK: The demuxer

ccover_demuxer *ccover_make_demuxer(int descriptor, const ccover_limits *limits) {
    ccover_demuxer *demuxer = av_mallocz(sizeof(*demuxer));
    if (!demuxer) {
        return NULL;
    }
    demuxer->io = ccover_input_open(&demuxer->input, descriptor);
    demuxer->packet = av_packet_alloc();
    demuxer->kind = ccover_container_of(NULL);
    demuxer->max_pixels = limits->max_pixels;
    demuxer->all_streams = limits->all_streams;
    demuxer->clock.first_time = demuxer->clock.next_dts = demuxer->clock.next_pts = AV_NOPTS_VALUE;
    ccover_stop_clock(demuxer);
    if (!demuxer->io || !demuxer->packet) {
        ccover_free_demuxer(&demuxer);
    }
    return demuxer;
}

int ccover_open_demuxer(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    int failed = open_container(demuxer, limits, error);
    failed = failed ? failed : ccover_select_stream(demuxer, limits, error);
    if (failed || !demuxer->stream) {
        return failed;
    }
    demuxer->next_recording = ccover_find_next_recording(demuxer, limits->search_bytes);
    ccover_choose_clock(demuxer);
    ccover_find_encryption(demuxer);
    ccover_find_crop(demuxer);
    ccover_prepare_packets_ahead(demuxer);
    ccover_confirm_clock(demuxer);
    return 0;
}

void ccover_free_demuxer(ccover_demuxer **handle) {
    ccover_demuxer *demuxer = *handle;
    if (!demuxer) {
        return;
    }
    avformat_close_input(&demuxer->format);
    ccover_close_io(&demuxer->io);
    if (demuxer->packet) {
        ccover_forget_packets(demuxer);
    }
    av_packet_free(&demuxer->packet);
    avformat_free_context(demuxer->clock.packets.index);
    av_freep(handle);
}
