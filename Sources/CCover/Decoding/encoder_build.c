// The version of x264 that wrote a clip, which it notes in front of the first picture. Old versions coded some
// pictures, above all those whose colours are not subsampled, differently from the standard, and FFmpeg's decoder
// follows them if it knows the version. After a seek it would not.

#include "Decoding/decoding.h"

#include <libavutil/opt.h>
#include <stdlib.h>
#include <string.h>

// Returns the version in a packet, or 0.
static int build_in(const AVPacket *packet) {
    enum { MAX_START = 4096, MAX_DIGITS = 6 };
    static const char name[] = "x264 - core ";
    enum { LENGTH = sizeof(name) - 1 };
    int end = FFMIN(packet->size, MAX_START) - LENGTH - MAX_DIGITS;
    for (int i = 0; i < end; i++) {
        if (memcmp(packet->data + i, name, LENGTH) == 0) {
            char digits[MAX_DIGITS + 1] = {0};
            memcpy(digits, packet->data + i + LENGTH, MAX_DIGITS);
            return FFMAX(atoi(digits), 0);
        }
    }
    return 0;
}

void ccover_find_encoder_build(ccover_demuxer *demuxer, ccover_position *position) {
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    if (parameters->codec_id != AV_CODEC_ID_H264) {
        return;
    }
    const AVPacket *first = ccover_packet_ahead(demuxer, 0);
    position->encoder_build = first ? build_in(first) : 0;
}

void ccover_set_encoder_build(ccover_position *position) {
    if (position->encoder_build > 0) {
        av_opt_set_int(position->decoder, "x264_build", position->encoder_build, AV_OPT_SEARCH_CHILDREN);
    }
}
