// Declarations of the files that read the units of H.264 and HEVC.

#ifndef CCOVER_NAL_UNITS_H
#define CCOVER_NAL_UNITS_H

#include "internal.h"

// nal_units.c
// The number of bytes of each NAL unit's length in the packets of a container such as MP4; 0 for start codes.
size_t ccover_nal_length_bytes(const AVCodecParameters *parameters);
// Returns the first byte of the next NAL unit and moves `*at` past its prefix, or NULL.
const uint8_t *ccover_next_nal(const uint8_t **at, const uint8_t *end, size_t length_bytes);
// Returns the end of the unit that `ccover_next_nal` returned last.
const uint8_t *ccover_end_of_nal(const uint8_t *at, const uint8_t *end, size_t length_bytes);
int ccover_unit_type(enum AVCodecID codec, const uint8_t *nal);
bool ccover_is_slice(enum AVCodecID codec, int type);

// unit_bits.c
// The bytes of a unit without those that are inserted to keep start codes out of it.
typedef struct ccover_unit_bytes {
    const uint8_t *at;
    const uint8_t *end;
    int zeros; // directly before `at`
} ccover_unit_bytes;
// Returns the next byte, or -1 at the end.
int ccover_next_byte(ccover_unit_bytes *bytes);
// The bits of a unit.
typedef struct ccover_unit_bits {
    ccover_unit_bytes bytes;
    int byte; // the last one read
    int left; // bits of it
} ccover_unit_bits;
// Returns the next bit, or 0 after the end.
unsigned ccover_next_bit(ccover_unit_bits *bits);
unsigned ccover_next_bits(ccover_unit_bits *bits, int count);
// Reads a number in Exp-Golomb code, `ue(v)`.
unsigned ccover_next_number(ccover_unit_bits *bits);

#endif
