// Leaving out the loop filter of VP9, for which libavcodec's decoder has no option: the header of a frame says how
// strong the filter is.

#include "Support/bits.h"

static void skip_colours(ccover_bits *bits, unsigned profile) {
    enum { RGB = 7 };
    bool has_subsampling = profile == 1 || profile == 3;
    ccover_take_bits(bits, profile >= 2 ? 1 : 0); // 10 or 12 bits
    bool is_rgb = ccover_take_bits(bits, 3) == RGB;
    ccover_take_bits(bits, is_rgb ? has_subsampling : has_subsampling ? 4 : 1);
}

// Finds the six bits with the strength of the filter, in a key frame that is shown. (Section 6.2 of the VP9 bitstream
// specification.)
static bool find_strength(ccover_bits *bits) {
    enum { MARKER = 2, SYNC = 0x498342 };
    if (ccover_take_bits(bits, 2) != MARKER) {
        return false;
    }
    unsigned profile = ccover_take_bits(bits, 1);
    profile |= ccover_take_bits(bits, 1) << 1;
    ccover_take_bits(bits, profile == 3 ? 1 : 0);
    bool is_repeated = ccover_take_bits(bits, 1) != 0;
    bool is_predicted = ccover_take_bits(bits, 1) != 0;
    bool is_shown = ccover_take_bits(bits, 1) != 0;
    bool is_resilient = ccover_take_bits(bits, 1) != 0;
    if (is_repeated || is_predicted || !is_shown || ccover_take_bits(bits, 24) != SYNC) {
        return false;
    }
    skip_colours(bits, profile);
    ccover_take_bits(bits, 32); // width and height
    ccover_take_bits(bits, ccover_take_bits(bits, 1) != 0 ? 32 : 0);
    ccover_take_bits(bits, is_resilient ? 0 : 2);
    ccover_take_bits(bits, 2);
    return bits->position < bits->count;
}

// Whether the packet holds several frames, as an index at its end says.
static bool has_several_frames(const AVPacket *packet) {
    return (packet->data[packet->size - 1] & 0xe0) == 0xc0;
}

// Finds the strength of the filter if the packet holds a key frame that is shown and nothing else.
static bool find_strength_of(const AVPacket *packet, ccover_bits *bits) {
    *bits = (ccover_bits){.data = packet->data, .count = 8 * (int64_t)packet->size};
    return packet->size > 0 && !has_several_frames(packet) && find_strength(bits);
}

bool ccover_is_vp9_key(const AVPacket *packet) {
    ccover_bits bits;
    return find_strength_of(packet, &bits);
}

int ccover_leave_out_vp9_filter(AVPacket *packet) {
    enum { STRENGTH_BITS = 6 };
    ccover_bits bits;
    if (!find_strength_of(packet, &bits)) {
        return 0;
    }
    int code = av_packet_make_writable(packet);
    for (int i = 0; code >= 0 && i < STRENGTH_BITS; i++, bits.position++) {
        packet->data[bits.position / 8] &= (uint8_t) ~(0x80 >> bits.position % 8);
    }
    return code;
}
