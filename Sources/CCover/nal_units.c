// The units of H.264 and HEVC packets, as start codes or lengths delimit them.

#include "internal.h"

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

int ccover_slice_type(const AVStream *stream, const AVPacket *packet) {
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    size_t length_bytes = nal_length_bytes(stream->codecpar);
    while ((nal = next_nal(&at, end, length_bytes))) {
        bool is_hevc = stream->codecpar->codec_id == AV_CODEC_ID_HEVC;
        int type = is_hevc ? nal[0] >> 1 & 0x3f : nal[0] & 0x1f;
        if (is_hevc ? type < 32 : type >= 1 && type <= CCOVER_H264_IDR) {
            return type;
        }
    }
    return -1;
}
