// What start codes in packets of MPEG-1, MPEG-2 and MPEG-4 say about their pictures.

#include "Bitstreams/bitstreams.h"

bool ccover_holds_b_picture(const AVPacket *packet) {
    enum { PICTURE = 0x100, TYPE_B = 3 };
    for (int i = 0; i + 6 <= packet->size; i++) {
        if (AV_RB32(packet->data + i) == PICTURE) {
            return (packet->data[i + 5] >> 3 & 7) == TYPE_B;
        }
    }
    return false;
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

bool ccover_starts_closed_group(const AVPacket *packet) {
    enum { FIRST_SLICE = 0x101, LAST_SLICE = 0x1af, GROUP = 0x1b8, CLOSED = 0x40 };
    for (int i = 0; i + 8 <= packet->size; i++) {
        uint32_t code = AV_RB32(packet->data + i);
        if (code == GROUP || (code >= FIRST_SLICE && code <= LAST_SLICE)) {
            return code == GROUP && (packet->data[i + 7] & CLOSED) != 0;
        }
    }
    return false;
}

int ccover_vop_type(const AVPacket *packet) {
    enum { VOP = 0x1b6, START_CODE_BYTES = 4 };
    for (int i = 0; i + START_CODE_BYTES < packet->size; i++) {
        if (AV_RB32(packet->data + i) == VOP) {
            return packet->data[i + START_CODE_BYTES] >> 6;
        }
    }
    return -1;
}
