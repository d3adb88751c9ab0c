// Damage of the kinds that occur in practice or tend to reveal bugs: flipped bits, extreme values, ranges that are
// zeroed, removed or moved, and truncation.

#include "harness.h"

#include <string.h>

enum { HEAD_BYTES = 4096, MAX_CHANGES = 8 };

// SplitMix64 (Steele, Lea and Flood, 2014).
uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t limit) {
    return limit == 0 ? 0 : (size_t)(next_random(state) % limit);
}

// Returns an offset. Half of all offsets are in the first or last 4 KiB, where headers and indexes are.
static size_t place(uint64_t *state, size_t size) {
    size_t near = size < HEAD_BYTES ? size : HEAD_BYTES;
    switch (below(state, 4)) {
    case 0:
        return below(state, near);
    case 1:
        return size - near + below(state, near);
    default:
        return below(state, size);
    }
}

// Returns the length of a range: usually short, at most a quarter of the bytes.
static size_t range_at(uint64_t *state, size_t start, size_t size) {
    size_t most = below(state, 4) == 0 ? size / 4 : 32;
    size_t length = 1 + below(state, most);
    return length < size - start ? length : size - start;
}

static void move_range(uint8_t *bytes, size_t from, size_t to, size_t length) {
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = bytes[from + i];
        bytes[from + i] = bytes[to + i];
        bytes[to + i] = byte;
    }
}

static void change_once(uint8_t *bytes, size_t *size, uint64_t *state) {
    static const uint8_t extremes[][4] = {{0xff, 0xff, 0xff, 0xff}, {0x7f, 0xff, 0xff, 0xff}, {0x80, 0, 0, 0},
                                          {0, 0, 0, 1}, {0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0x80}};
    size_t start = place(state, *size);
    size_t length = range_at(state, start, *size);
    switch (below(state, 8)) {
    case 0:
    case 1:
        bytes[start] ^= (uint8_t)(1u << below(state, 8));
        break;
    case 2:
        bytes[start] = (uint8_t)next_random(state);
        break;
    case 3: {
        const uint8_t *value = extremes[below(state, sizeof(extremes) / sizeof(extremes[0]))];
        memcpy(bytes + start, value, *size - start < 4 ? *size - start : 4);
        break;
    }
    case 4:
        memset(bytes + start, 0, length);
        break;
    case 5:
        memmove(bytes + start, bytes + start + length, *size - start - length);
        *size -= length;
        break;
    case 6: {
        size_t to = place(state, *size);
        size_t room = *size - (to > start ? to : start);
        move_range(bytes, start, to, length < room ? length : room);
        break;
    }
    default:
        // Usually removes only a little, because a longer remainder exercises more code.
        *size = below(state, 4) == 0 ? start : *size - length;
        break;
    }
}

void mutate(uint8_t *bytes, size_t *size, uint64_t seed) {
    uint64_t state = seed;
    size_t changes = 1 + below(&state, MAX_CHANGES);
    for (size_t i = 0; i < changes && *size > 0; i++) {
        change_once(bytes, size, &state);
    }
}
