// Damage that FFmpeg does not report, found where that is cheap and no intact clip can look the same.

#include "Damage/damage.h"

#include <string.h>

enum { HOLE_BYTES = 128 };

// A run of zeros in a packet.
typedef struct zeros {
    int start, end;
} zeros;

// Moves on to the next run of zeros that is not shorter than `least`, which is at least 8. Returns false if there is
// none.
static bool next_zeros(const AVPacket *packet, int least, zeros *run) {
    // A run of that length has four zeros at a multiple of four.
    for (int i = FFALIGN(run->end, 4); i + 4 <= packet->size; i += 4) {
        if (AV_RN32(packet->data + i) != 0) {
            continue;
        }
        int start = i, end = i + 4;
        while (start > run->end && packet->data[start - 1] == 0) {
            start--;
        }
        while (end < packet->size && packet->data[end] == 0) {
            end++;
        }
        if (end - start >= least) {
            *run = (zeros){start, end};
            return true;
        }
        i = end & ~3;
    }
    return false;
}

// Whether a slice of H.264 or HEVC contains zeros, which are escaped there. Zeros may follow a unit; where units have
// lengths, so many do not.
static bool has_zeros_in_slice(const AVCodecParameters *parameters, const AVPacket *packet) {
    enum { LEAST = 8 };
    zeros run = {0};
    ccover_units units = ccover_units_of(parameters, packet->data, packet->size);
    while (next_zeros(packet, LEAST, &run)) {
        bool is_long = run.end - run.start >= HOLE_BYTES && units.length_bytes > 0;
        ccover_zeros_place place = ccover_place_of_zeros(&units, packet->data + run.start, packet->data + run.end);
        if (place == CCOVER_ZEROS_IN_SLICE || (is_long && place == CCOVER_ZEROS_OUTSIDE)) {
            return true;
        }
    }
    return false;
}

// Whether zeros replace a part of the data. Encoders may fill up the end of a packet with some.
static bool has_zeros(enum AVCodecID codec, const AVPacket *packet) {
    const ccover_codec *traits = ccover_codec_of(codec);
    bool may_be_any = traits->has_holes_only_in_keys && (packet->flags & AV_PKT_FLAG_KEY) == 0;
    int least = may_be_any ? 0 : traits->hole;
    zeros run = {0};
    while (least > 0 && next_zeros(packet, least, &run)) {
        if (run.end < packet->size || run.end - run.start >= HOLE_BYTES) {
            return true;
        }
    }
    return false;
}

// The size of a packet without the zeros at its end.
static int size_of_content(const AVPacket *packet) {
    int end = packet->size;
    while (end > 0 && packet->data[end - 1] == 0) {
        end--;
    }
    return end;
}

// Whether the blocks of a DV frame name the sections that they must hold (IEC 61834-2): in each sequence of 150 blocks
// a header, 2 of subcode, 3 of auxiliary data, then 9 times one of sound and 15 of video.
static bool has_all_dv_blocks(const AVPacket *packet) {
    enum { BLOCK = 80, SEQUENCE = 150, FIRST_SOUND = 6, PERIOD = 16, VIDEO = 4 };
    bool has_all = true;
    for (int i = 0; i < packet->size / BLOCK; i++) {
        int place = i % SEQUENCE - FIRST_SOUND;
        bool is_video = place >= 0 && place % PERIOD != 0;
        has_all = has_all && (!is_video || packet->data[(ptrdiff_t)i * BLOCK] >> 5 == VIDEO);
    }
    return has_all;
}

bool ccover_has_end_marker(const AVPacket *packet) {
    int end = size_of_content(packet);
    return end >= 2 && packet->data[end - 2] == 0xff && packet->data[end - 1] == 0xd9;
}

bool ccover_has_hole(const AVCodecParameters *parameters, const AVPacket *packet) {
    switch (parameters->codec_id) {
    case AV_CODEC_ID_DVVIDEO:
        return !has_all_dv_blocks(packet);
    case AV_CODEC_ID_MJPEG:
        // Zeros that do not follow its end marker. Some cameras leave the marker out.
        return packet->size - size_of_content(packet) >= HOLE_BYTES && !ccover_has_end_marker(packet);
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
        return has_zeros_in_slice(parameters, packet);
    default:
        return has_zeros(parameters->codec_id, packet);
    }
}

bool ccover_reaches_past_content(ccover_demuxer *demuxer, const AVPacket *packet) {
    enum { LEAST_ZEROS = 2 };
    // Black pictures that are not compressed consist of zeros, with nothing between them.
    bool may_be_zeros = demuxer->stream->codecpar->codec_id == AV_CODEC_ID_RAWVIDEO && ccover_is_movie(demuxer->format);
    if (packet->size - size_of_content(packet) < LEAST_ZEROS || packet->pos < 0 ||
        !demuxer->input.is_seekable || packet->pos + packet->size > demuxer->input.size - HOLE_BYTES ||
        may_be_zeros) {
        return false;
    }
    int64_t end = ccover_content_end(demuxer);
    return packet->pos < end && end < packet->pos + packet->size;
}
