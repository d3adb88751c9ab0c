// The main header of a JPEG 2000 picture. (Rec. ITU-T T.800, A.5.1 and A.6.1; T.814, A.4)

#include "Bitstreams/bitstreams.h"

bool ccover_read_wavelet(const AVPacket *packet, ccover_wavelet *head) {
    enum { MAX_START = 4096, SIZE = 0xff51, STYLE = 0xff52, TILE = 0xff90 };
    enum { POSITION = 14, COUNT = 38, CHANNELS = 40, CHANNEL_BYTES = 3 };
    enum { BLOCKS = 12, WAVELET = 13, HIGH_THROUGHPUT = 0x40 };
    int i = 0;
    while (i + 4 <= packet->size && i < MAX_START && AV_RB32(packet->data + i) != 0xff4fff51) {
        i += 1;
    }
    bool has_size = false, has_style = false;
    for (i += 2; i + 4 <= packet->size && !has_style; i += 2 + AV_RB16(packet->data + i + 2)) {
        const uint8_t *segment = packet->data + i;
        int left = packet->size - i, marker = AV_RB16(segment);
        if (marker == SIZE && left >= CHANNELS + AV_RB16(segment + COUNT) * CHANNEL_BYTES) {
            head->is_at_origin = AV_RB32(segment + POSITION) == 0 && AV_RB32(segment + POSITION + 4) == 0;
            for (int channel = 0; channel < AV_RB16(segment + COUNT); channel++) {
                const uint8_t *steps = segment + CHANNELS + channel * CHANNEL_BYTES + 1;
                head->is_subsampled = head->is_subsampled || steps[0] != 1 || steps[1] != 1;
            }
            has_size = true;
        } else if (marker == STYLE && left > WAVELET) {
            head->is_smooth = segment[WAVELET] == 0;
            head->is_high_throughput = (segment[BLOCKS] & HIGH_THROUGHPUT) != 0;
            has_style = true;
        } else if (marker == TILE) {
            break;
        }
    }
    return has_size && has_style;
}
