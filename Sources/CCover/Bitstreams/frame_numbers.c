// Whether the numbers of H.264 frames may have gaps.

#include "Bitstreams/bitstreams.h"

#include <string.h>

// The bits of a unit.
typedef struct unit_bits {
    ccover_unit_bytes bytes;
    int byte; // the last one read
    int left; // bits of it
} unit_bits;

// Returns 0 after the end.
static unsigned next_bit(unit_bits *bits) {
    if (bits->left == 0) {
        int byte = ccover_next_byte(&bits->bytes);
        bits->byte = FFMAX(byte, 0);
        bits->left = 8;
    }
    bits->left -= 1;
    return (unsigned)bits->byte >> bits->left & 1;
}

static unsigned next_bits(unit_bits *bits, int count) {
    unsigned number = 0;
    for (int i = 0; i < count; i++) {
        number = number << 1 | next_bit(bits);
    }
    return number;
}

// Reads a number in Exp-Golomb code, `ue(v)`.
static unsigned next_number(unit_bits *bits) {
    enum { MAX_ZEROS = 31 };
    int zeros = 0;
    while (zeros < MAX_ZEROS && next_bit(bits) == 0) {
        zeros++;
    }
    return (1u << zeros) - 1 + next_bits(bits, zeros);
}

// Skips a scaling list, which is coded as differences.
static void skip_scaling_list(unit_bits *bits, int size) {
    unsigned next = 8;
    for (int i = 0; i < size && next != 0; i++) {
        unsigned code = next_number(bits);
        unsigned difference = code % 2 == 1 ? code / 2 + 1 : 0 - code / 2;
        next = (next + difference) & 0xff;
    }
}

// Skips what only some profiles have: the format of the samples and scaling lists.
static void skip_sample_format(unit_bits *bits) {
    enum { CHROMA_444 = 3, SMALL_LISTS = 6 };
    unsigned chroma = next_number(bits);
    next_bits(bits, chroma == CHROMA_444 ? 1 : 0);
    next_number(bits); // bits of luma
    next_number(bits); // bits of chroma
    next_bit(bits);
    int lists = next_bit(bits) == 0 ? 0 : chroma == CHROMA_444 ? 12 : 8;
    for (int i = 0; i < lists; i++) {
        if (next_bit(bits) != 0) {
            skip_scaling_list(bits, i < SMALL_LISTS ? 16 : 64);
        }
    }
}

// Skips how the order of pictures is coded.
static void skip_picture_order(unit_bits *bits) {
    unsigned type = next_number(bits);
    if (type == 0) {
        next_number(bits);
    } else if (type == 1) {
        next_bit(bits);
        next_number(bits);
        next_number(bits);
        unsigned count = next_number(bits) & 0xff;
        for (unsigned i = 0; i < count; i++) {
            next_number(bits);
        }
    }
}

// Whether a sequence parameter set of H.264 (section 7.3.2.1.1) allows gaps between the numbers of frames.
static bool allows_gaps(unit_bits bits) {
    static const uint8_t profiles[] = {100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135};
    unsigned profile = next_bits(&bits, 8);
    next_bits(&bits, 16); // constraints and level
    next_number(&bits);   // identifier
    if (memchr(profiles, (int)profile, sizeof(profiles))) {
        skip_sample_format(&bits);
    }
    next_number(&bits); // length of frame numbers
    skip_picture_order(&bits);
    next_number(&bits); // number of reference frames
    return next_bit(&bits) != 0;
}

// Finds the first sequence parameter set before a slice. Returns whether there is one.
static bool find_parameters(ccover_units units, bool *has_gaps) {
    while (ccover_next_unit(&units) && !units.is_slice) {
        if (units.type == CCOVER_H264_SEQUENCE_PARAMETERS) {
            ccover_unit_bytes unit = {.at = units.start + 1, .end = ccover_end_of_unit(&units)};
            *has_gaps = allows_gaps((unit_bits){.bytes = unit});
            return true;
        }
    }
    return false;
}

bool ccover_may_lack_numbers(const AVStream *stream, const AVPacket *packet) {
    enum { LIST = 6 }; // where the header of MP4 has its first parameter set, with a length of two bytes
    const AVCodecParameters *parameters = stream->codecpar;
    bool has_gaps = false;
    if (find_parameters(ccover_units_of(parameters, packet->data, packet->size), &has_gaps)) {
        return has_gaps;
    }
    bool is_list = ccover_nal_length_bytes(parameters) > 0;
    if (parameters->extradata_size > (is_list ? LIST : 0)) {
        ccover_units header = ccover_units_of(parameters, parameters->extradata, parameters->extradata_size);
        header.next += is_list ? LIST : 0;
        header.length_bytes = is_list ? 2 : 0;
        find_parameters(header, &has_gaps);
    }
    return has_gaps;
}
