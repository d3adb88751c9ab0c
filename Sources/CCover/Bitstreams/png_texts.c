// Texts and colour profiles in PNG pictures. FFmpeg's decoder inflates them without a limit, although nothing here uses
// them: a chunk of 1 MB can take 1 GB of memory.

#include "Bitstreams/bitstreams.h"

#include <libavutil/intreadwrite.h>
#include <string.h>

// A chunk has a length, a name, data of that length, and a checksum.
enum { SIGNATURE_BYTES = 8, LENGTH_BYTES = 4, CHUNK_OVERHEAD = 12 };

// Removes the chunks from `size` bytes that begin with a chunk. Returns the new size.
static size_t remove_texts(uint8_t *bytes, size_t size) {
    size_t kept = 0, position = 0;
    while (size - position >= CHUNK_OVERHEAD) {
        size_t length = AV_RB32(bytes + position);
        if (length > size - position - CHUNK_OVERHEAD) {
            break; // truncated; the decoder does not read it either
        }
        size_t chunk = length + CHUNK_OVERHEAD;
        uint32_t type = AV_RB32(bytes + position + LENGTH_BYTES);
        if (type != AV_RB32("zTXt") && type != AV_RB32("iTXt") && type != AV_RB32("tEXt") && type != AV_RB32("iCCP")) {
            memmove(bytes + kept, bytes + position, chunk);
            kept += chunk;
        }
        position += chunk;
    }
    memmove(bytes + kept, bytes + position, size - position);
    return kept + size - position;
}

// In an APNG, the signature is not part of a packet, and the chunks before the first frame are in the extradata.
int ccover_remove_texts(const AVCodecParameters *parameters, AVPacket *packet) {
    int start = parameters->codec_id == AV_CODEC_ID_APNG ? 0 : SIGNATURE_BYTES;
    bool is_png = parameters->codec_id == AV_CODEC_ID_PNG || parameters->codec_id == AV_CODEC_ID_APNG;
    if (!is_png || packet->size <= start) {
        return 0;
    }
    int code = av_packet_make_writable(packet);
    if (code >= 0) {
        av_shrink_packet(packet, start + (int)remove_texts(packet->data + start, (size_t)(packet->size - start)));
    }
    return code;
}

void ccover_describe_animation(AVCodecParameters *parameters) {
    if (parameters->codec_id == AV_CODEC_ID_APNG && parameters->extradata_size > 0) {
        size_t size = remove_texts(parameters->extradata, (size_t)parameters->extradata_size);
        memset(parameters->extradata + size, 0, (size_t)parameters->extradata_size - size);
        parameters->extradata_size = (int)size;
        // libavformat would read on to find it. The first frame shows the real one.
        parameters->format = AV_PIX_FMT_RGBA;
    }
}
