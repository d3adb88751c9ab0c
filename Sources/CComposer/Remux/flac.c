// The header of FLAC (STREAMINFO, RFC 9639, 8.2).

#include "Remux/remux.h"

#include <string.h>

bool ccomposer_has_flac_header(const AVCodecParameters *parameters) {
    return parameters->codec_id == AV_CODEC_ID_FLAC && parameters->extradata_size == CCOMPOSER_FLAC_HEADER;
}

void ccomposer_forget_flac_samples(uint8_t *header) {
    enum { FRAME_SIZES = 4, FORMAT = 10, SAMPLES = 13 };
    memset(header + FRAME_SIZES, 0, FORMAT - FRAME_SIZES);
    // The number of samples shares its first byte with the sample size.
    header[SAMPLES] &= 0xf0;
    memset(header + SAMPLES + 1, 0, CCOMPOSER_FLAC_HEADER - SAMPLES - 1);
}
