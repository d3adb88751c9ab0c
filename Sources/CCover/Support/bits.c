// The bits of packets whose bytes are stored as they are, as in VP9 and AV1.

#include "Support/bits.h"

unsigned ccover_take_bits(ccover_bits *bits, int count) {
    unsigned number = 0;
    for (int i = 0; i < count; i++, bits->position++) {
        bool is_set = bits->position < bits->count &&
                      (bits->data[bits->position / 8] >> (7 - bits->position % 8) & 1) != 0;
        number = number << 1 | is_set;
    }
    return number;
}
