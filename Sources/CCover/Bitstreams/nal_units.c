// The units of H.264 and HEVC packets, as start codes or lengths delimit them.

#include "Bitstreams/bitstreams.h"

size_t ccover_nal_length_bytes(const AVCodecParameters *parameters) {
    const uint8_t *header = parameters->extradata;
    if (parameters->codec_id == AV_CODEC_ID_H264 && parameters->extradata_size >= 7 && header[0] == 1) {
        return (size_t)(header[4] & 3) + 1;
    }
    bool is_hvcc = parameters->extradata_size >= 23 && (header[0] != 0 || header[1] != 0 || header[2] > 1);
    return parameters->codec_id == AV_CODEC_ID_HEVC && is_hvcc ? (size_t)(header[21] & 3) + 1 : 0;
}

const uint8_t *ccover_next_nal(const uint8_t **at, const uint8_t *end, size_t length_bytes) {
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
const uint8_t *ccover_end_of_nal(const uint8_t *at, const uint8_t *end, size_t length_bytes) {
    const uint8_t *next = length_bytes == 0 ? ccover_next_nal(&at, end, 0) : NULL;
    return next ? next - 3 : length_bytes == 0 ? end : at;
}

static int unit_type(enum AVCodecID codec, const uint8_t *nal) {
    return codec == AV_CODEC_ID_HEVC ? nal[0] >> 1 & 0x3f : nal[0] & 0x1f;
}

bool ccover_is_slice(enum AVCodecID codec, int type) {
    return codec == AV_CODEC_ID_HEVC ? type < 32 : type >= 1 && type <= CCOVER_H264_IDR;
}

int ccover_slice_type(const AVCodecParameters *parameters, const AVPacket *packet) {
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    size_t length_bytes = ccover_nal_length_bytes(parameters);
    while ((nal = ccover_next_nal(&at, end, length_bytes))) {
        int type = unit_type(parameters->codec_id, nal);
        if (ccover_is_slice(parameters->codec_id, type)) {
            return type;
        }
    }
    return -1;
}

bool ccover_is_hevc_key(int type) {
    enum { BLA = 16, CRA = 21 };
    return type >= BLA && type <= CRA;
}

bool ccover_lacks_parameters(const AVStream *stream, const AVPacket *packet) {
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    enum AVCodecID codec = stream->codecpar->codec_id;
    bool is_avc = codec == AV_CODEC_ID_H264;
    int parameters = is_avc ? CCOVER_H264_SEQUENCE_PARAMETERS : CCOVER_HEVC_SEQUENCE_PARAMETERS;
    size_t length_bytes = ccover_nal_length_bytes(stream->codecpar);
    while ((nal = ccover_next_nal(&at, end, length_bytes))) {
        int type = unit_type(codec, nal);
        if (type == parameters) {
            return false;
        }
        if (ccover_is_slice(codec, type)) {
            return is_avc ? type == CCOVER_H264_IDR : ccover_is_hevc_key(type);
        }
    }
    return false;
}

ccover_zeros_place ccover_place_of_zeros(const AVCodecParameters *parameters, const AVPacket *packet,
                                         ccover_zeros zeros, ccover_unit *unit) {
    const uint8_t *start = packet->data + zeros.start, *end = packet->data + packet->size;
    size_t length_bytes = ccover_nal_length_bytes(parameters);
    unit->next = unit->next ? unit->next : packet->data;
    while (unit->end <= start && unit->next < end && (unit->start = ccover_next_nal(&unit->next, end, length_bytes))) {
        unit->end = ccover_end_of_nal(unit->next, end, length_bytes);
    }
    int64_t left = unit->start ? unit->end - packet->data - zeros.end : -1; // after the zeros
    if (left < 0 || unit->start > start) {
        return CCOVER_ZEROS_OUTSIDE;
    }
    if (ccover_is_slice(parameters->codec_id, unit_type(parameters->codec_id, unit->start))) {
        return left > 0 ? CCOVER_ZEROS_IN_SLICE : CCOVER_ZEROS_OUTSIDE;
    }
    // If the first byte, which has the type, is zero as well, the type of the unit is unknown.
    return unit->start < start ? CCOVER_ZEROS_IN_OTHER_UNIT : CCOVER_ZEROS_OUTSIDE;
}

// MARK: Display orientation

// Reads a number that is coded as a sum of bytes; only the last byte is not 255. Returns -1 at the end.
static int64_t next_sum(ccover_unit_bytes *bytes) {
    int64_t sum = 0;
    int byte;
    do {
        byte = ccover_next_byte(bytes);
        sum += byte;
    } while (byte == 0xff);
    return byte < 0 ? -1 : sum;
}

// Whether a unit of messages (SEI) has one with the display orientation.
static bool has_orientation(ccover_unit_bytes messages) {
    enum { ORIENTATION = 47 };
    int64_t type, size;
    while ((type = next_sum(&messages)) >= 0 && (size = next_sum(&messages)) >= 0) {
        if (type == ORIENTATION && size > 0) {
            return true;
        }
        while (size > 0 && ccover_next_byte(&messages) >= 0) {
            size--;
        }
    }
    return false;
}

bool ccover_states_orientation(const AVStream *stream, const AVPacket *packet) {
    enum { MESSAGES_H264 = 6, MESSAGES_HEVC = 39 };
    const AVCodecParameters *parameters = stream->codecpar;
    bool is_hevc = parameters->codec_id == AV_CODEC_ID_HEVC;
    if (!ccover_codec_of(parameters->codec_id)->has_nal_units) {
        return false;
    }
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    size_t length_bytes = ccover_nal_length_bytes(parameters);
    while ((nal = ccover_next_nal(&at, end, length_bytes))) {
        int type = unit_type(parameters->codec_id, nal);
        if (ccover_is_slice(parameters->codec_id, type)) {
            return false;
        }
        ccover_unit_bytes messages = {.at = nal + (is_hevc ? 2 : 1), .end = ccover_end_of_nal(at, end, length_bytes)};
        if (type == (is_hevc ? MESSAGES_HEVC : MESSAGES_H264) && has_orientation(messages)) {
            return true;
        }
    }
    return false;
}
