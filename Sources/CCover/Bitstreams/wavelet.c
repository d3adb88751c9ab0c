// The main header of a JPEG 2000 picture (Rec. ITU-T T.800, A.5.1 and A.6.1; T.814, A.4).

#include "Bitstreams/bitstreams.h"

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
