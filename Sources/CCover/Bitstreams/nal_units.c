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

ccover_units ccover_units_of(const AVCodecParameters *parameters, const uint8_t *data, int size) {
    return (ccover_units){
        .codec = parameters->codec_id,
        .length_bytes = ccover_nal_length_bytes(parameters),
        .next = data,
        .end = data + size,
    };
}

// Returns the first start code from a byte on, or NULL.
static const uint8_t *start_code(const uint8_t *byte, const uint8_t *end) {
    while (end - byte > 3 && (byte[0] != 0 || byte[1] != 0 || byte[2] != 1)) {
        byte++;
    }
    return end - byte > 3 ? byte : NULL;
}

bool ccover_next_unit(ccover_units *units) {
    const uint8_t *byte = units->next;
    if (units->length_bytes == 0) {
        const uint8_t *code = start_code(byte, units->end);
        units->start = units->next = code ? code + 3 : NULL;
    } else {
        size_t length = 0, left = (size_t)(units->end - byte), bytes = units->length_bytes;
        for (size_t i = 0; i < bytes && bytes < left; i++) {
            length = length << 8 | byte[i];
        }
        units->start = bytes < left ? byte + bytes : NULL;
        units->next = units->start && length < left - bytes ? units->start + length : units->end;
    }
    if (!units->start) {
        units->next = units->end;
        return false;
    }
    bool is_hevc = units->codec == AV_CODEC_ID_HEVC;
    units->type = is_hevc ? units->start[0] >> 1 & 0x3f : units->start[0] & 0x1f;
    units->is_slice = is_hevc ? units->type < 32 : units->type >= 1 && units->type <= CCOVER_H264_IDR;
    return true;
}

const uint8_t *ccover_end_of_unit(const ccover_units *units) {
    const uint8_t *code = units->length_bytes == 0 ? start_code(units->next, units->end) : units->next;
    return code ? code : units->end;
}

int ccover_slice_type(const AVCodecParameters *parameters, const AVPacket *packet) {
    ccover_units units = ccover_units_of(parameters, packet->data, packet->size);
    while (ccover_next_unit(&units)) {
        if (units.is_slice) {
            return units.type;
        }
    }
    return -1;
}

bool ccover_is_hevc_key(int type) {
    enum { BLA = 16, CRA = 21 };
    return type >= BLA && type <= CRA;
}

bool ccover_lacks_parameters(const AVStream *stream, const AVPacket *packet) {
    ccover_units units = ccover_units_of(stream->codecpar, packet->data, packet->size);
    bool is_avc = units.codec == AV_CODEC_ID_H264, lacks = true;
    while (lacks && ccover_next_unit(&units) && !units.is_slice) {
        lacks = units.type != (is_avc ? CCOVER_H264_SEQUENCE_PARAMETERS : CCOVER_HEVC_SEQUENCE_PARAMETERS);
    }
    return lacks && units.start && (is_avc ? units.type == CCOVER_H264_IDR : ccover_is_hevc_key(units.type));
}

ccover_zeros_place ccover_place_of_zeros(ccover_units *units, const uint8_t *start, const uint8_t *end) {
    while (units->stop <= start && ccover_next_unit(units)) {
        units->stop = ccover_end_of_unit(units);
    }
    int64_t left = units->start ? units->stop - end : -1; // after the zeros
    if (left < 0 || units->start > start) {
        return CCOVER_ZEROS_OUTSIDE;
    }
    if (units->is_slice) {
        return left > 0 ? CCOVER_ZEROS_IN_SLICE : CCOVER_ZEROS_OUTSIDE;
    }
    // If the first byte, which has the type, is zero as well, the type of the unit is unknown.
    return units->start < start ? CCOVER_ZEROS_IN_OTHER_UNIT : CCOVER_ZEROS_OUTSIDE;
}

// MARK: Display orientation

int ccover_next_byte(ccover_unit_bytes *bytes) {
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
    ccover_units units = ccover_units_of(stream->codecpar, packet->data, packet->size);
    bool is_hevc = units.codec == AV_CODEC_ID_HEVC, is_found = false;
    while (ccover_codec_of(units.codec)->has_nal_units && !is_found && ccover_next_unit(&units) && !units.is_slice) {
        ccover_unit_bytes messages = {.at = units.start + (is_hevc ? 2 : 1), .end = ccover_end_of_unit(&units)};
        is_found = units.type == (is_hevc ? MESSAGES_HEVC : MESSAGES_H264) && has_orientation(messages);
    }
    return is_found;
}
