// Declarations of bits.c.

#ifndef CCOVER_BITS_H
#define CCOVER_BITS_H

#include "Support/support.h"

// The bits of a part of a packet.
typedef struct ccover_bits {
    const uint8_t *data;
    int64_t count;
    int64_t position;
} ccover_bits;

// Returns the next bits, at most 32, which are 0 behind the end.
unsigned ccover_take_bits(ccover_bits *bits, int count);

#endif
