// Copying the packets of clips into a new container, one clip after another.

#include "Remux/copy.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <string.h>

// MARK: Opening

// Looks at all clips before anything is written, so that clips that cannot be joined cost no time.
static int compare(ccomposer_copy *copy, int32_t *index, ccover_error *error) {
    int failed = 0;
    for (int32_t i = 1; i < copy->count && !failed; i++) {
        ccomposer_part part;
        *index = i;
        failed = ccomposer_open_part(copy->clips[i], &copy->options, copy->muxer, &part, error);
        if (!failed) {
            failed = ccomposer_compare_parts(&part, &copy->part, error);
            ccomposer_close_part(&part);
        }
    }
    return failed;
}

static void begin_part(ccomposer_copy *copy) {
    copy->place = (ccomposer_place){
        .start = copy->part.start,
        .key = copy->part.key,
        .end = copy->part.end,
        .offset = ccomposer_end_of(copy, AVMEDIA_TYPE_AUDIO),
        .is_first = copy->index == 0,
        .can_hide = copy->index == 0 && ccomposer_is_movie(copy->options.container),
        .is_matroska = !ccomposer_is_movie(copy->options.container),
    };
    // The chapters of several clips are not copied.
    copy->facts[copy->index].left_out = copy->part.left_out - (copy->count == 1 ? copy->part.chapter_streams : 0);
    copy->untimed = 0;
    copy->facts[copy->index].is_damaged = copy->part.is_damaged;
    copy->last_position = 0;
    for (int i = 0; i < CCOMPOSER_MAX_STREAMS; i++) {
        ccomposer_begin_times(&copy->times[i]);
    }
}

static int write_header(ccomposer_copy *copy, ccover_error *error) {
    AVDictionary *options = NULL;
    if (!ccomposer_is_movie(copy->options.container)) {
        // Computing checksums would take longer than all the rest, and players do not look at them.
        av_dict_set(&options, "write_crc32", "0", 0);
    } else {
        av_dict_set_int(&options, "movie_timescale", CCOMPOSER_MOVIE_SCALE, 0);
        av_dict_set(&options, "movflags", copy->options.index_first ? "faststart" : "0", 0);
    }
    int code = avformat_write_header(copy->muxer, &options);
    copy->has_header = code >= 0;
    av_dict_free(&options);
    if (code < 0 && code != AVERROR(ENOMEM) && copy->output.write_errno == 0) {
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_UNSUPPORTED_CODEC, code,
                           "the container cannot hold its streams together; re-encode it first");
    }
    return code < 0 ? ccomposer_fail_to_write(&copy->output, code, error) : 0;
}

static ccomposer_copy *allocate(const int *clips, int32_t count, const ccomposer_copy_options *options) {
    ccomposer_copy *copy = av_mallocz(sizeof(*copy));
    if (!copy) {
        return NULL;
    }
    copy->options = *options;
    copy->count = count;
    copy->clips = av_memdup(clips, (size_t)count * sizeof(*clips));
    copy->facts = av_calloc((size_t)count, sizeof(*copy->facts));
    copy->packet = av_packet_alloc();
    for (int i = 0; i < CCOMPOSER_MAX_STREAMS; i++) {
        copy->times[i].last = copy->times[i].first = AV_NOPTS_VALUE;
    }
    if (!copy->clips || !copy->facts || !copy->packet) {
        ccomposer_copy_close(&copy);
    }
    return copy;
}

int ccomposer_copy_open(const int *clips, int32_t count, int output, const ccomposer_copy_options *options,
                        ccomposer_copy **result, int32_t *part, ccover_error *error) {
    *result = NULL;
    *part = -1;
    *error = (ccover_error){0};
    ccover_log_begin();
    if (count < 1 || (count > 1 && (options->starts_later || options->ends_earlier))) {
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_MISUSE, 0, "there is not one clip to copy");
    }
    ccomposer_copy *copy = allocate(clips, count, options);
    if (copy) {
        copy->io = ccomposer_output_open(&copy->output, output);
    }
    int failed = copy && copy->io ? 0 : ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX);
    if (!failed) {
        failed = ccomposer_create_muxer(options->container, &copy->output, copy->io, &copy->muxer, error);
    }
    if (!failed) {
        *part = 0;
        failed = ccomposer_open_part(clips[0], options, copy->muxer, &copy->part, error);
    }
    if (!failed) {
        ccomposer_select_part(&copy->part, options);
        int code = ccomposer_describe(copy->muxer, options->container, &copy->part, count > 1);
        failed = code < 0 ? ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX) : 0;
    }
    if (!failed) {
        failed = compare(copy, part, error);
    }
    if (!failed) {
        *part = -1;
        failed = write_header(copy, error);
    }
    if (!failed) {
        begin_part(copy);
    } else {
        ccomposer_copy_close(&copy);
    }
    *result = copy;
    return failed;
}

void ccomposer_copy_close(ccomposer_copy **handle) {
    ccomposer_copy *copy = *handle;
    if (!copy) {
        return;
    }
    ccomposer_close_part(&copy->part);
    avformat_free_context(copy->muxer);
    ccover_close_io(&copy->io);
    av_packet_free(&copy->packet);
    av_freep(&copy->clips);
    av_freep(&copy->facts);
    av_freep(handle);
}

// MARK: Copying

// Whether a packet was cut off by the end of the file.
static bool is_cut(const ccomposer_copy *copy, const AVPacket *packet) {
    return (packet->flags & AV_PKT_FLAG_CORRUPT) != 0 && copy->part.clip->demuxer->kind->holds_whole_pictures;
}

// Whether a stream is in the file: MP4 and MOV have no streams without packets.
static bool is_written(const ccomposer_copy *copy, unsigned stream) {
    return copy->times[stream].last != AV_NOPTS_VALUE || !ccomposer_is_movie(copy->options.container);
}

static int32_t count_streams(const ccomposer_copy *copy, enum AVMediaType type) {
    int32_t count = 0;
    for (unsigned i = 0; i < copy->muxer->nb_streams; i++) {
        count += copy->muxer->streams[i]->codecpar->codec_type == type && is_written(copy, i);
    }
    return count;
}

// Whether the streams of the open part are of the same types as those of the output.
static bool has_known_streams(const ccomposer_copy *copy) {
    bool is_same = copy->part.stream_count == (int)copy->muxer->nb_streams;
    for (int i = 0; is_same && i < copy->part.stream_count; i++) {
        is_same = copy->part.streams[i]->codecpar->codec_type == copy->muxer->streams[i]->codecpar->codec_type;
    }
    return is_same;
}

// Goes on to the next clip. Returns 1 after the last one.
static int next_part(ccomposer_copy *copy, ccover_error *error) {
    ccover_clip *clip = copy->part.clip;
    copy->bytes_read += clip->demuxer->input.bytes_read;
    bool is_empty = copy->facts[copy->index].packets == 0;
    if (is_empty || (copy->index + 1 == copy->count && count_streams(copy, AVMEDIA_TYPE_VIDEO) == 0)) {
        ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_NO_FRAME, 0,
                    is_empty ? "it holds no packets" : "its video holds no packets");
        return ccover_reclassify_error(clip->demuxer, error);
    }
    bool is_whole = !ccomposer_has_reached_end(copy);
    int64_t from = is_whole ? copy->last_position : 0, size = clip->demuxer->input.size;
    int64_t recording = from > 0 ? ccover_find_recording(clip->demuxer, from, size, true) : -1;
    if (recording >= 0) {
        return ccomposer_fail_for_recording(copy, recording, error);
    }
    ccomposer_part_facts *facts = &copy->facts[copy->index];
    facts->left_out += (int32_t)(clip->demuxer->format->nb_streams - copy->part.known_streams);
    int64_t duration = ccomposer_end_of(copy, AVMEDIA_TYPE_SUBTITLE) - copy->place.offset;
    facts->ended_early = facts->ended_early || (is_whole && ccomposer_lacks_end(&copy->part, duration));
    ccomposer_close_part(&copy->part);
    if (copy->index + 1 == copy->count) {
        return 1;
    }
    copy->index += 1;
    int failed = ccomposer_open_part(copy->clips[copy->index], &copy->options, copy->muxer, &copy->part, error);
    // It had the same streams when it was compared with the first clip, unless the file was changed since.
    if (!failed && !has_known_streams(copy)) {
        failed = ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0, "its streams have changed");
    }
    if (!failed) {
        begin_part(copy);
    }
    return failed;
}

// Notes that libavformat could not read a part of the clip. A recording that never stated its end was cut off there.
static void note_unreadable(ccomposer_copy *copy, bool is_last) {
    if (is_last && ccomposer_is_unfinished(copy->part.clip->demuxer)) {
        copy->facts[copy->index].ended_early = true;
    } else {
        ccomposer_note_damage(copy, 0);
    }
}

// Returns the start of another recording in the packet that was read, or before it after errors; -1 without one.
static int64_t find_recording_in(const ccomposer_copy *copy, bool has_errors) {
    const ccover_demuxer *demuxer = copy->part.clip->demuxer;
    const AVPacket *packet = copy->packet;
    size_t bytes = demuxer->kind->is_mpeg_stream || packet->size == 0 ? 0 : demuxer->signature_bytes;
    bool may_begin = bytes > 0 && (has_errors || memmem(packet->data, (size_t)packet->size, demuxer->signature, bytes));
    int64_t from = packet->pos - (has_errors ? 1 << 20 : 0); // a longer header is not expected
    return may_begin ? ccover_find_recording(demuxer, from, packet->pos + packet->size, true) : -1;
}

// Reads a packet. At the end of the clip, `*ends` is set.
static int read_packet(ccomposer_copy *copy, bool *ends, ccover_error *error) {
    ccomposer_reading reading = ccomposer_read(&copy->part);
    int code = reading.code;
    *ends = code < 0;
    if (reading.packet) {
        av_packet_move_ref(copy->packet, reading.packet);
        av_packet_free(&reading.packet);
    }
    if (reading.has_errors) {
        note_unreadable(copy, code == AVERROR_EOF);
    }
    bool is_copied = code >= 0 && ccomposer_output_stream(&copy->part, copy->packet) >= 0;
    copy->facts[copy->index].packets_read += is_copied;
    if (code >= 0 && is_cut(copy, copy->packet)) {
        copy->facts[copy->index].ended_early = true;
        copy->facts[copy->index].lost += is_copied;
        av_packet_unref(copy->packet);
        *ends = true;
    } else if (is_copied && (copy->packet->flags & AV_PKT_FLAG_CORRUPT) != 0) {
        ccomposer_note_damage(copy, 0);
    } else if (code >= 0) {
        copy->last_position = FFMAX(copy->last_position, copy->packet->pos);
    }
    int64_t recording = code >= 0 ? find_recording_in(copy, reading.has_errors) : -1;
    if (recording >= 0) {
        return ccomposer_fail_for_recording(copy, recording, error);
    }
    if (code >= 0 || code == AVERROR_EOF) {
        return 0;
    }
    ccover_cause cause = ccover_cause_of(&copy->part.clip->demuxer->input, code);
    if (cause != CCOVER_CAUSE_DAMAGED) {
        return ccover_fail(error, CCOVER_STAGE_DECODE, cause, code, "cannot read the clip");
    }
    copy->facts[copy->index].ended_early = true;
    return 0;
}

// Writes the packets of a stream whose times are known by now.
static int write_ordered(ccomposer_copy *copy, ccomposer_order *order, int32_t *part, ccover_error *error) {
    int failed = 0;
    while (!failed && ccomposer_receive_from_order(order, copy->packet)) {
        failed = ccomposer_write_packet(copy, copy->packet, part, error);
        av_packet_unref(copy->packet);
    }
    return failed;
}

// Writes the packet of a stream that was held because its frame might have a second field.
static int write_held(ccomposer_copy *copy, int number, int32_t *part, ccover_error *error) {
    AVPacket *held = copy->part.fields[number];
    int failed = held->size > 0 ? ccomposer_write_packet(copy, held, part, error) : 0;
    av_packet_unref(held);
    return failed;
}

// Holds the packet that was read until the next one is, which may be its second field, and writes the one before.
static int write_before(ccomposer_copy *copy, int number, int32_t *part, ccover_error *error) {
    AVPacket *held = copy->part.fields[number];
    int joined = ccomposer_join_fields(copy->part.streams[number], held, copy->packet);
    if (joined < 0) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX);
    }
    int failed = write_held(copy, number, part, error);
    copy->facts[copy->index].unneeded += joined;
    if (!failed && joined == 0) {
        av_packet_move_ref(held, copy->packet);
    }
    av_packet_unref(copy->packet);
    return failed;
}

// Writes the packet that was read, or holds it until its times are known.
static int write_packet(ccomposer_copy *copy, int32_t *part, ccover_error *error) {
    int number = ccomposer_output_stream(&copy->part, copy->packet);
    ccomposer_order *order = number >= 0 ? copy->part.orders[number] : NULL;
    if (number >= 0 && copy->part.fields[number]) {
        return write_before(copy, number, part, error);
    }
    if (!order) {
        int failed = ccomposer_write_packet(copy, copy->packet, part, error);
        av_packet_unref(copy->packet);
        return failed;
    }
    int code = ccomposer_send_to_order(order, copy->packet);
    av_packet_unref(copy->packet);
    copy->facts[copy->index].unneeded += code > 0;
    if (code == AVERROR(ENOMEM)) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX);
    }
    if (code < 0) {
        return ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0,
                              "its %s has no timestamps, and the order of its frames is not clear",
                              ccomposer_stream_noun(copy->part.streams[number]));
    }
    return write_ordered(copy, order, part, error);
}

// Writes the packets that were held until the end of the clip.
static int write_rest(ccomposer_copy *copy, int32_t *part, ccover_error *error) {
    int failed = 0;
    for (int i = 0; i < copy->part.stream_count && !failed; i++) {
        if (copy->part.orders[i]) {
            ccomposer_end_order(copy->part.orders[i]);
            failed = write_ordered(copy, copy->part.orders[i], part, error);
        } else if (copy->part.fields[i]) {
            failed = write_held(copy, i, part, error);
        }
    }
    return failed;
}

// Writes what is left of the clip, and continues with the next one. Returns 1 after the last one.
static int end_part(ccomposer_copy *copy, int32_t *part, ccover_error *error) {
    int result = write_rest(copy, part, error);
    if (result == 0) {
        result = next_part(copy, error);
        *part = copy->index;
    }
    return result;
}

int ccomposer_copy_step(ccomposer_copy *copy, int64_t max_bytes, int32_t *part, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (!copy->part.clip) {
        return 1;
    }
    ccover_set_deadline(copy->part.clip, copy->options.deadline_microseconds);
    int64_t end = ccomposer_copy_progress(copy) + max_bytes;
    int result = 0;
    while (result == 0 && ccomposer_copy_progress(copy) < end) {
        bool ends;
        *part = copy->index;
        result = read_packet(copy, &ends, error);
        if (result == 0 && !ends) {
            result = write_packet(copy, part, error);
            ends = ccomposer_has_reached_end(copy);
        }
        if (result == 0 && ends) {
            result = end_part(copy, part, error);
        }
    }
    return result;
}

int64_t ccomposer_copy_progress(const ccomposer_copy *copy) {
    return copy->bytes_read + (copy->part.clip ? copy->part.clip->demuxer->input.bytes_read : 0);
}

static void note_streams_not_written(ccomposer_copy *copy) {
    for (unsigned i = 0; i < copy->muxer->nb_streams; i++) {
        for (int32_t part = 0; part < copy->count && !is_written(copy, i); part++) {
            copy->facts[part].left_out += 1;
        }
    }
}

static void show_leading(ccomposer_copy *copy) {
    for (unsigned i = 0; i < copy->muxer->nb_streams; i++) {
        if (copy->times[i].lead > 0 && ccomposer_is_movie(copy->options.container)) {
            ccomposer_show_leading(&copy->output, copy->io, copy->muxer->streams[i], &copy->times[i]);
        }
    }
    avio_flush(copy->io);
}

int ccomposer_copy_finish(ccomposer_copy *copy, ccomposer_copy_facts *facts, ccover_error *error) {
    *error = (ccover_error){0};
    *facts = (ccomposer_copy_facts){0};
    ccover_log_begin();
    if (!copy->has_header) {
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_MISUSE, 0, "the video is finished already");
    }
    copy->has_header = false;
    int code = av_write_trailer(copy->muxer);
    avio_flush(copy->io);
    if (code >= 0) {
        show_leading(copy);
    }
    if (code < 0 || copy->io->error < 0) {
        return ccomposer_fail_to_write(&copy->output, code < 0 ? code : copy->io->error, error);
    }
    note_streams_not_written(copy);
    *facts = (ccomposer_copy_facts){
        .duration = ccomposer_end_of(copy, AVMEDIA_TYPE_SUBTITLE),
        .bytes = copy->output.size,
        .video_streams = count_streams(copy, AVMEDIA_TYPE_VIDEO),
        .audio_streams = count_streams(copy, AVMEDIA_TYPE_AUDIO),
        .subtitle_streams = count_streams(copy, AVMEDIA_TYPE_SUBTITLE),
    };
    return 0;
}

void ccomposer_copy_get_part(const ccomposer_copy *copy, int32_t index, ccomposer_part_facts *facts) {
    bool is_valid = index >= 0 && index < copy->count;
    *facts = is_valid ? copy->facts[index] : (ccomposer_part_facts){0};
}
