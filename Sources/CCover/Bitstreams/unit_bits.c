// The bytes and bits of a unit of H.264 or HEVC.

#include "Bitstreams/bitstreams.h"

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

unsigned ccover_next_bit(ccover_unit_bits *bits) {
    if (bits->left == 0) {
        int byte = ccover_next_byte(&bits->bytes);
        bits->byte = byte < 0 ? 0 : byte;
        bits->left = 8;
    }
    bits->left -= 1;
    return (unsigned)bits->byte >> bits->left & 1;
}

unsigned ccover_next_bits(ccover_unit_bits *bits, int count) {
    unsigned number = 0;
    for (int i = 0; i < count; i++) {
        number = number << 1 | ccover_next_bit(bits);
    }
    return number;
}

unsigned ccover_next_number(ccover_unit_bits *bits) {
    enum { MAX_ZEROS = 31 };
    int zeros = 0;
    while (zeros < MAX_ZEROS && ccover_next_bit(bits) == 0) {
        zeros++;
    }
    return (1u << zeros) - 1 + ccover_next_bits(bits, zeros);
}
