// Leaving out the loop filter of VP9, for which libavcodec's decoder has no option: the header of a frame says how
// strong the filter is.

#include "internal.h"

// The bits of a packet.
typedef struct reader {
    const uint8_t *data;
    int64_t count;
    int64_t position;
} reader;

// Returns the next bits, which are 0 behind the end.
static unsigned next(reader *bits, int count) {
    unsigned number = 0;
    for (int i = 0; i < count; i++, bits->position++) {
        bool is_set = bits->position < bits->count &&
                      (bits->data[bits->position / 8] >> (7 - bits->position % 8) & 1) != 0;
        number = number << 1 | is_set;
    }
    return number;
}

static void skip_colours(reader *bits, unsigned profile) {
    enum { RGB = 7 };
    bool has_subsampling = profile == 1 || profile == 3;
    next(bits, profile >= 2 ? 1 : 0); // 10 or 12 bits
    bool is_rgb = next(bits, 3) == RGB;
    next(bits, is_rgb ? has_subsampling : has_subsampling ? 4 : 1);
}

// Finds the six bits with the strength of the filter, in a key frame that is shown. (Section 6.2 of the VP9 bitstream
// specification.)
static bool find_strength(reader *bits) {
    enum { MARKER = 2, SYNC = 0x498342 };
    if (next(bits, 2) != MARKER) {
        return false;
    }
    unsigned profile = next(bits, 1);
    profile |= next(bits, 1) << 1;
    next(bits, profile == 3 ? 1 : 0);
    bool is_repeated = next(bits, 1) != 0, is_predicted = next(bits, 1) != 0, is_shown = next(bits, 1) != 0;
    bool is_resilient = next(bits, 1) != 0;
    if (is_repeated || is_predicted || !is_shown || next(bits, 24) != SYNC) {
        return false;
    }
    skip_colours(bits, profile);
    next(bits, 32); // width and height
    next(bits, next(bits, 1) != 0 ? 32 : 0);
    next(bits, is_resilient ? 0 : 2);
    next(bits, 2);
    return bits->position < bits->count;
}

// Whether the packet holds several frames, as an index at its end says.
static bool has_several_frames(const AVPacket *packet) {
    return (packet->data[packet->size - 1] & 0xe0) == 0xc0;
}

// Finds the strength of the filter if the packet holds a key frame that is shown and nothing else.
static bool find_strength_of(const AVPacket *packet, reader *bits) {
    *bits = (reader){.data = packet->data, .count = 8 * (int64_t)packet->size};
    return packet->size > 0 && !has_several_frames(packet) && find_strength(bits);
}

bool ccover_is_vp9_key(const AVPacket *packet) {
    reader bits;
    return find_strength_of(packet, &bits);
}

int ccover_leave_out_vp9_filter(AVPacket *packet) {
    enum { STRENGTH_BITS = 6 };
    reader bits;
    if (!find_strength_of(packet, &bits)) {
        return 0;
    }
    int code = av_packet_make_writable(packet);
    for (int i = 0; code >= 0 && i < STRENGTH_BITS; i++, bits.position++) {
        packet->data[bits.position / 8] &= (uint8_t) ~(0x80 >> bits.position % 8);
    }
    return code;
}
