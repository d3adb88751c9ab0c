// How the picture in a packet depends on others, and how it is coded, as the first header of its data shows.

#include "Bitstreams/bitstreams.h"

// MPEG-1 and MPEG-2.
static ccover_picture_kind kind_of_mpeg(const AVPacket *packet) {
    enum { PICTURE = 0x100, GROUP = 0x1b8, CLOSED = 0x40, TYPE_I = 1, TYPE_B = 3 };
    ccover_picture_kind key = CCOVER_PICTURE_OPEN_KEY;
    for (int i = 0; i + 8 <= packet->size; i++) {
        uint32_t code = AV_RB32(packet->data + i);
        if (code == GROUP && (packet->data[i + 7] & CLOSED) != 0) {
            key = CCOVER_PICTURE_KEY;
        } else if (code == PICTURE) {
            int type = packet->data[i + 5] >> 3 & 7;
            return type == TYPE_I ? key : type == TYPE_B ? CCOVER_PICTURE_B : CCOVER_PICTURE_OTHER;
        }
    }
    return CCOVER_PICTURE_OTHER;
}

static ccover_picture_kind kind_of_mpeg4(const AVPacket *packet) {
    enum { VOP = 0x1b6, START_CODE_BYTES = 4 };
    static const ccover_picture_kind kinds[] = {CCOVER_PICTURE_OPEN_KEY, CCOVER_PICTURE_OTHER, CCOVER_PICTURE_B,
                                                CCOVER_PICTURE_OTHER};
    for (int i = 0; i + START_CODE_BYTES < packet->size; i++) {
        if (AV_RB32(packet->data + i) == VOP) {
            return kinds[packet->data[i + START_CODE_BYTES] >> 6];
        }
    }
    return CCOVER_PICTURE_NONE;
}

static ccover_picture_kind kind_of_dirac(const AVPacket *packet) {
    enum { HEADER = 13, CODE = 4, NEXT = 5, PICTURE = 0x08 };
    int64_t at = 0;
    while (at + HEADER <= packet->size) {
        const uint8_t *unit = packet->data + at;
        uint32_t next = AV_RB32(unit + NEXT);
        if ((unit[CODE] & PICTURE) != 0) {
            return CCOVER_PICTURE_OTHER;
        }
        at += next >= HEADER ? next : packet->size;
    }
    return CCOVER_PICTURE_NONE;
}

static ccover_picture_kind kind_of_hevc(int type) {
    enum { RADL_N = 6, RADL_R = 7, RASL_N = 8, RASL_R = 9 };
    switch (type) {
    case RADL_N:
    case RADL_R:
        return CCOVER_PICTURE_LEADING;
    case RASL_N:
    case RASL_R:
        return CCOVER_PICTURE_B;
    default:
        return ccover_is_hevc_key(type) ? CCOVER_PICTURE_OPEN_KEY : CCOVER_PICTURE_OTHER;
    }
}

ccover_picture_kind ccover_picture_kind_of(const AVCodecParameters *parameters, const AVPacket *packet) {
    int type;
    switch (parameters->codec_id) {
    case AV_CODEC_ID_H264:
        type = ccover_slice_type(parameters, packet);
        return type < 0 ? CCOVER_PICTURE_NONE : type == CCOVER_H264_IDR ? CCOVER_PICTURE_KEY : CCOVER_PICTURE_OTHER;
    case AV_CODEC_ID_HEVC:
        type = ccover_slice_type(parameters, packet);
        return type < 0 ? CCOVER_PICTURE_NONE : kind_of_hevc(type);
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_MPEG2VIDEO:
        return kind_of_mpeg(packet);
    case AV_CODEC_ID_MPEG4:
        return kind_of_mpeg4(packet);
    case AV_CODEC_ID_DIRAC:
        return kind_of_dirac(packet);
    default:
        return CCOVER_PICTURE_OTHER;
    }
}

bool ccover_lacks_picture_header(const AVPacket *packet) {
    enum { PICTURE = 0x100, LAST_SLICE = 0x1af };
    for (int i = 0; i + 4 <= packet->size; i++) {
        uint32_t code = AV_RB32(packet->data + i);
        if (code >= PICTURE && code <= LAST_SLICE) {
            return code != PICTURE;
        }
    }
    return true;
}

// Reads the main header of a JPEG 2000 picture (Rec. ITU-T T.800, A.5.1 and A.6.1; T.814, A.4).
bool ccover_is_high_throughput(const AVPacket *packet) {
    enum { MAX_START = 4096, STYLE = 0xff52, TILE = 0xff90, BLOCKS = 12, HIGH_THROUGHPUT = 0x40 };
    int i = 0;
    while (i + 4 <= packet->size && i < MAX_START && AV_RB32(packet->data + i) != 0xff4fff51) {
        i += 1;
    }
    for (i += 2; i + BLOCKS < packet->size; i += 2 + AV_RB16(packet->data + i + 2)) {
        int marker = AV_RB16(packet->data + i);
        if (marker == STYLE || marker == TILE) {
            return marker == STYLE && (packet->data[i + BLOCKS] & HIGH_THROUGHPUT) != 0;
        }
    }
    return false;
}
