// The units of H.264 and HEVC packets, as start codes or lengths delimit them.

#include "internal.h"

#include <string.h>

bool ccover_is_avc_or_hevc(enum AVCodecID codec) {
    return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC;
}

// The number of bytes of each NAL unit's length in the packets of a container such as MP4; 0 for start codes.
static size_t nal_length_bytes(const AVCodecParameters *parameters) {
    const uint8_t *header = parameters->extradata;
    if (parameters->codec_id == AV_CODEC_ID_H264 && parameters->extradata_size >= 7 && header[0] == 1) {
        return (size_t)(header[4] & 3) + 1;
    }
    bool is_hvcc = parameters->extradata_size >= 23 && (header[0] != 0 || header[1] != 0 || header[2] > 1);
    return parameters->codec_id == AV_CODEC_ID_HEVC && is_hvcc ? (size_t)(header[21] & 3) + 1 : 0;
}

// Returns the first byte of the next NAL unit and moves `*at` past its prefix, or NULL.
static const uint8_t *next_nal(const uint8_t **at, const uint8_t *end, size_t length_bytes) {
    const uint8_t *byte = *at;
    if (length_bytes == 0) {
        while (end - byte > 3 && (byte[0] != 0 || byte[1] != 0 || byte[2] != 1)) {
            byte++;
        }
        *at = byte + 3;
        return end - byte > 3 ? byte + 3 : NULL;
    }
    if ((size_t)(end - byte) <= length_bytes) {
        return NULL;
    }
    size_t length = 0;
    for (size_t i = 0; i < length_bytes; i++) {
        length = length << 8 | byte[i];
    }
    const uint8_t *nal = byte + length_bytes;
    *at = length < (size_t)(end - nal) ? nal + length : end;
    return nal;
}

// Returns the end of the unit that `next_nal` returned last.
static const uint8_t *end_of_nal(const uint8_t *at, const uint8_t *end, size_t length_bytes) {
    const uint8_t *next = length_bytes == 0 ? next_nal(&at, end, 0) : NULL;
    return next ? next - 3 : length_bytes == 0 ? end : at;
}

static int unit_type(enum AVCodecID codec, const uint8_t *nal) {
    return codec == AV_CODEC_ID_HEVC ? nal[0] >> 1 & 0x3f : nal[0] & 0x1f;
}

static bool is_slice(enum AVCodecID codec, int type) {
    return codec == AV_CODEC_ID_HEVC ? type < 32 : type >= 1 && type <= CCOVER_H264_IDR;
}

int ccover_slice_type(const AVStream *stream, const AVPacket *packet) {
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    size_t length_bytes = nal_length_bytes(stream->codecpar);
    while ((nal = next_nal(&at, end, length_bytes))) {
        int type = unit_type(stream->codecpar->codec_id, nal);
        if (is_slice(stream->codecpar->codec_id, type)) {
            return type;
        }
    }
    return -1;
}

bool ccover_is_hevc_key(const AVStream *stream, const AVPacket *packet) {
    int type = ccover_slice_type(stream, packet);
    return type >= CCOVER_HEVC_FIRST_KEY && type <= CCOVER_HEVC_CRA;
}

bool ccover_has_lengths(const AVCodecParameters *parameters) {
    return nal_length_bytes(parameters) > 0;
}

ccover_zeros_place ccover_place_of_zeros(const AVCodecParameters *parameters, const AVPacket *packet,
                                         ccover_zeros zeros, ccover_unit *unit) {
    const uint8_t *start = packet->data + zeros.start, *end = packet->data + packet->size;
    size_t length_bytes = nal_length_bytes(parameters);
    unit->next = unit->next ? unit->next : packet->data;
    while (unit->end <= start && unit->next < end && (unit->start = next_nal(&unit->next, end, length_bytes))) {
        unit->end = end_of_nal(unit->next, end, length_bytes);
    }
    int64_t left = unit->start ? unit->end - packet->data - zeros.end : -1; // behind the zeros
    if (left < 0 || unit->start > start) {
        return CCOVER_ZEROS_OUTSIDE;
    }
    if (is_slice(parameters->codec_id, unit_type(parameters->codec_id, unit->start))) {
        return left > 0 ? CCOVER_ZEROS_IN_SLICE : CCOVER_ZEROS_OUTSIDE;
    }
    // Where the first byte, which has the type, is zero as well, it is not known what the unit is.
    return unit->start < start ? CCOVER_ZEROS_IN_OTHER_UNIT : CCOVER_ZEROS_OUTSIDE;
}

// MARK: Bytes and bits

// The bytes of a unit without those that are inserted to keep start codes out of it.
typedef struct unit_bytes {
    const uint8_t *at;
    const uint8_t *end;
    int zeros; // directly before `at`
} unit_bytes;

// Returns the next byte, or -1 at the end.
static int next_byte(unit_bytes *bytes) {
    enum { INSERTED = 3 };
    if (bytes->zeros >= 2 && bytes->at < bytes->end && *bytes->at == INSERTED) {
        bytes->at++;
        bytes->zeros = 0;
    }
    if (bytes->at >= bytes->end) {
        return -1;
    }
    bytes->zeros = *bytes->at == 0 ? bytes->zeros + 1 : 0;
    return *bytes->at++;
}

// The bits of a unit.
typedef struct unit_bits {
    unit_bytes bytes;
    int byte; // the last one read
    int left; // bits of it
} unit_bits;

// Returns the next bit, or 0 after the end.
static unsigned next_bit(unit_bits *bits) {
    if (bits->left == 0) {
        int byte = next_byte(&bits->bytes);
        bits->byte = byte < 0 ? 0 : byte;
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

// MARK: Display orientation

// Reads a number that is coded as a sum of bytes, of which only the last is not 255. Returns -1 at the end.
static int64_t next_sum(unit_bytes *bytes) {
    int64_t sum = 0;
    int byte;
    do {
        byte = next_byte(bytes);
        sum += byte;
    } while (byte == 0xff);
    return byte < 0 ? -1 : sum;
}

// Whether a unit of messages (SEI) has one with the display orientation.
static bool has_orientation(unit_bytes messages) {
    enum { ORIENTATION = 47 };
    int64_t type, size;
    while ((type = next_sum(&messages)) >= 0 && (size = next_sum(&messages)) >= 0) {
        if (type == ORIENTATION && size > 0) {
            return true;
        }
        while (size > 0 && next_byte(&messages) >= 0) {
            size--;
        }
    }
    return false;
}

bool ccover_states_orientation(const AVStream *stream, const AVPacket *packet) {
    enum { MESSAGES_H264 = 6, MESSAGES_HEVC = 39 };
    const AVCodecParameters *parameters = stream->codecpar;
    bool is_hevc = parameters->codec_id == AV_CODEC_ID_HEVC;
    if (!ccover_is_avc_or_hevc(parameters->codec_id)) {
        return false;
    }
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    size_t length_bytes = nal_length_bytes(parameters);
    while ((nal = next_nal(&at, end, length_bytes))) {
        int type = unit_type(parameters->codec_id, nal);
        if (is_slice(parameters->codec_id, type)) {
            return false;
        }
        unit_bytes messages = {.at = nal + (is_hevc ? 2 : 1), .end = end_of_nal(at, end, length_bytes)};
        if (type == (is_hevc ? MESSAGES_HEVC : MESSAGES_H264) && has_orientation(messages)) {
            return true;
        }
    }
    return false;
}

// MARK: Frame numbers

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

static bool has_sample_format(unsigned profile) {
    static const uint8_t profiles[] = {100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135};
    return memchr(profiles, (int)profile, sizeof(profiles)) != NULL;
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
    unsigned profile = next_bits(&bits, 8);
    next_bits(&bits, 16); // constraints and level
    next_number(&bits);   // identifier
    if (has_sample_format(profile)) {
        skip_sample_format(&bits);
    }
    next_number(&bits); // length of frame numbers
    skip_picture_order(&bits);
    next_number(&bits); // number of reference frames
    return next_bit(&bits) != 0;
}

// Finds the first sequence parameter set before a slice. Returns whether there is one.
static bool find_parameters(const uint8_t *at, const uint8_t *end, size_t length_bytes, bool *has_gaps) {
    enum { PARAMETERS = 7 };
    const uint8_t *nal;
    while ((nal = next_nal(&at, end, length_bytes)) && !is_slice(AV_CODEC_ID_H264, nal[0] & 0x1f)) {
        if ((nal[0] & 0x1f) == PARAMETERS) {
            *has_gaps = allows_gaps((unit_bits){.bytes = {.at = nal + 1, .end = end_of_nal(at, end, length_bytes)}});
            return true;
        }
    }
    return false;
}

bool ccover_may_lack_numbers(const AVStream *stream, const AVPacket *packet) {
    enum { LIST = 6 }; // where the header of MP4 has its first parameter set, with a length of two bytes
    const AVCodecParameters *parameters = stream->codecpar;
    size_t length_bytes = nal_length_bytes(parameters);
    bool has_gaps = false;
    if (find_parameters(packet->data, packet->data + packet->size, length_bytes, &has_gaps)) {
        return has_gaps;
    }
    int start = length_bytes > 0 ? LIST : 0;
    if (parameters->extradata_size > start) {
        find_parameters(parameters->extradata + start, parameters->extradata + parameters->extradata_size,
                        length_bytes > 0 ? 2 : 0, &has_gaps);
    }
    return has_gaps;
}
