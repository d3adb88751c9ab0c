// Writing the packets of a clip that is copied, with silence where the container would lose a gap.

#include "Remux/copy.h"

#include <errno.h>
#include <inttypes.h>

int64_t ccomposer_end_of(const ccomposer_copy *copy, enum AVMediaType last) {
    int64_t end = 0;
    for (unsigned i = 0; i < copy->muxer->nb_streams; i++) {
        end = copy->muxer->streams[i]->codecpar->codec_type > last ? end : FFMAX(end, copy->times[i].end);
    }
    return end;
}

// The duration of what was copied of the clip, in seconds.
static double seconds_of(const ccomposer_copy *copy) {
    return (double)(ccomposer_end_of(copy, AVMEDIA_TYPE_AUDIO) - copy->place.offset) / AV_TIME_BASE;
}

int ccomposer_fail_for_recording(const ccomposer_copy *copy, int64_t byte, ccover_error *error) {
    return ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_SEVERAL_RECORDINGS, 0,
                          "another recording begins at %.1f s (byte %" PRId64 "); split the file there with "
                          "'head -c %" PRId64 "' and 'tail -c +%" PRId64 "', and join the parts",
                          seconds_of(copy), byte, byte, byte + 1);
}

// Returns the start of the recording whose packet cannot follow those before; -1 without another one. Fragments of
// a movie may state where its packets were before files were joined.
static int64_t find_recording_of(const ccomposer_copy *copy, const AVPacket *packet) {
    enum { MAX_HEADER_BYTES = 4 << 20 };
    const ccover_demuxer *demuxer = copy->part.clip->demuxer;
    int64_t found = ccover_find_recording(demuxer, packet->pos - MAX_HEADER_BYTES, packet->pos, false);
    return found >= 0 ? found : ccover_find_recording(demuxer, copy->last_position, demuxer->input.size, true);
}

// Fills in an error for what the container cannot do, with those that can.
static int fail_with_fitting(const ccomposer_copy *copy, bool movies, bool others, const char *what,
                             ccover_error *error) {
    char endings[CCOVER_TEXT_SIZE];
    ccomposer_list_fitting(copy->part.clip->demuxer->format, movies, others, endings);
    ccover_log_begin();
    bool fits = endings[0] != 0;
    return ccover_fail(error, CCOVER_STAGE_MUX, fits ? CCOVER_CAUSE_UNFIT_CONTAINER : CCOVER_CAUSE_INCOMPATIBLE, 0,
                       fits ? "%s cannot %s; %s can" : "%s cannot %s%s",
                       ccomposer_containers[copy->options.container].name, what, endings);
}

static int fail_for(ccomposer_packet_disposition outcome, const ccomposer_copy *copy, const AVPacket *packet,
                    int number, ccover_error *error) {
    const AVStream *stream = copy->part.streams[number];
    bool has_begun = copy->times[number].given != AV_NOPTS_VALUE;
    const char *noun = ccomposer_stream_noun(stream);
    int64_t recording = outcome == CCOMPOSER_UNTIMED ? -1 : find_recording_of(copy, packet);
    if (recording >= 0) {
        return ccomposer_fail_for_recording(copy, recording, error);
    }
    ccover_log_begin();
    switch (outcome) {
    case CCOMPOSER_UNTIMED:
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0,
                           has_begun ? "some packets of its %s have no timestamps" : "its %s has no timestamps", noun);
    case CCOMPOSER_BACKWARDS:
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_DAMAGED, 0,
                           "its %s timestamps go backwards at %.1f s (byte %" PRId64 "); re-encode it first", noun,
                           seconds_of(copy), packet->pos);
    default:
        if (copy->index == 0 && !ccomposer_is_movie(copy->options.container)) {
            return fail_with_fitting(copy, true, false, "hide the frames that its edit list leaves out", error);
        }
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0,
                           "it has frames that its edit list hides, and a copy would show them");
    }
}

static int fail_for_unknown(const ccomposer_copy *copy, const AVPacket *packet, ccover_error *error) {
    if ((unsigned)packet->stream_index >= copy->part.known_streams) {
        int64_t recording = find_recording_of(copy, packet);
        return ccomposer_fail_for_recording(copy, recording >= 0 ? recording : packet->pos, error);
    }
    return ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0,
                          "the format of its %s is unknown: it begins too late, or is damaged; re-encode it first",
                          ccomposer_stream_noun(copy->part.clip->demuxer->format->streams[packet->stream_index]));
}

// The most bytes of silence in a video: some minutes. A gap may be an error in a single timestamp.
enum { MAX_SILENCE_BYTES = 32 << 20 };

// Writes silence before a packet where the container loses gaps. Returns 0 or an AVERROR; ENOSPC if the gap is too
// long.
static int fill_gap(ccomposer_copy *copy, const AVPacket *packet, int64_t end) {
    const AVStream *stream = copy->muxer->streams[packet->stream_index];
    if (end <= 0 || !ccomposer_is_gap(stream, end, packet->dts) ||
        !ccomposer_loses_gaps(stream, copy->options.container)) {
        return 0;
    }
    int64_t bytes = ccomposer_pcm_bytes(stream, av_sat_sub64(packet->dts, end));
    copy->silence = av_sat_add64(copy->silence, bytes < 0 ? INT64_MAX : bytes);
    if (copy->silence > MAX_SILENCE_BYTES) {
        return AVERROR(ENOSPC);
    }
    return ccomposer_write_silence(copy->muxer, packet->stream_index, end, packet->dts);
}

// The most packets of a clip that damage may have left without a time.
enum { MAX_UNTIMED = 8 };
// The least number of successive packets of sound with another header that are not damage.
enum { MAX_OTHER_HEADERS = 8 };

// Whether a packet can follow those before: it is encoded alike, or has no header of AAC (ISO/IEC 14496-3, 1.A.3.2).
static bool follows_adts(ccomposer_adts *adts, const AVStream *stream, const AVPacket *packet) {
    const AVCodecParameters *parameters = stream->codecpar;
    bool has_header = parameters->codec_id == AV_CODEC_ID_AAC && parameters->extradata_size == 0 && packet->size >= 7 &&
                      (AV_RB16(packet->data) & 0xfff6) == 0xfff0;
    if (!has_header) {
        return true;
    }
    // Between them is a bit for private use.
    unsigned header = AV_RB16(packet->data + 2) & 0xfdc0;
    adts->first = adts->first != 0 ? adts->first : header | 1;
    bool is_same = (header | 1) == adts->first;
    adts->others = is_same ? 0 : adts->others + 1;
    return is_same;
}

void ccomposer_note_damage(ccomposer_copy *copy, int packets) {
    ccomposer_part_facts *facts = &copy->facts[copy->index];
    facts->damaged_at = facts->is_damaged ? facts->damaged_at : facts->duration;
    facts->is_damaged = true;
    facts->lost += packets;
}

int ccomposer_write_packet(ccomposer_copy *copy, AVPacket *packet, int32_t *part, ccover_error *error) {
    int number = ccomposer_output_stream(&copy->part, packet);
    size_t size = 0;
    if (number < 0) {
        return ccomposer_is_unexpected(&copy->part, packet) ? fail_for_unknown(copy, packet, error) : 0;
    }
    if (av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size)) {
        return ccover_fail_encrypted(copy->part.clip->demuxer, CCOVER_STAGE_MUX, error);
    }
    if (ccomposer_is_movie(copy->options.container) && ccover_has_alpha_picture(packet)) {
        return fail_with_fitting(copy, false, true, "hold the transparency of its video", error);
    }
    const AVStream *from = copy->part.streams[number];
    ccomposer_part_facts *facts = &copy->facts[copy->index];
    int64_t end = copy->times[number].next;
    bool has_begun = copy->times[number].last != AV_NOPTS_VALUE;
    if (!follows_adts(&copy->adts[number], from, packet)) {
        if (copy->adts[number].others >= MAX_OTHER_HEADERS) {
            return ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INCOMPATIBLE, 0,
                                  "the sample rate or the channels of its sound change; re-encode it first");
        }
        ccomposer_note_damage(copy, 1);
        return 0;
    }
    bool was_moved = false;
    ccomposer_packet_disposition outcome = ccomposer_place_packet(
        packet, from, copy->muxer->streams[number], &copy->place, &copy->times[number], &was_moved);
    facts->moved_at = was_moved && !facts->moved_times ? facts->duration : facts->moved_at;
    facts->moved_times = facts->moved_times || was_moved;
    if (outcome == CCOMPOSER_UNTIMED && has_begun && copy->untimed < MAX_UNTIMED) {
        copy->untimed += 1;
        ccomposer_note_damage(copy, 1);
        return 0;
    }
    facts->unneeded += outcome == CCOMPOSER_DROPPED && !was_moved;
    facts->lost += outcome == CCOMPOSER_DROPPED && was_moved;
    if (outcome != CCOMPOSER_WRITTEN) {
        return outcome == CCOMPOSER_DROPPED ? 0 : fail_for(outcome, copy, packet, number, error);
    }
    packet->stream_index = number;
    packet->pos = -1;
    facts->duration = ccomposer_end_of(copy, AVMEDIA_TYPE_AUDIO) - copy->place.offset;
    int code = fill_gap(copy, packet, end);
    if (code == AVERROR(ENOSPC) && copy->output.write_errno == 0) {
        return ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_UNFIT_CONTAINER, 0,
                              "the container cannot hold the gaps in its sound; .mkv can");
    }
    if (code >= 0) {
        code = av_interleaved_write_frame(copy->muxer, packet);
    }
    if (code == AVERROR_INVALIDDATA && has_begun && copy->adts[number].first != 0 && copy->output.write_errno == 0) {
        // The header of AAC is damaged, which those before had.
        ccomposer_note_damage(copy, 1);
        return 0;
    }
    facts->packets += code >= 0;
    if (code < 0) {
        *part = copy->output.write_errno != 0 ? -1 : copy->index;
        return ccomposer_fail_to_write(&copy->output, code, error);
    }
    return 0;
}
