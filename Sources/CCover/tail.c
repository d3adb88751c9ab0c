// The duration of a Matroska or WebM file that does not state it, as a browser's MediaRecorder writes them: the time of
// the last block, from the last cluster in the file.

#include "internal.h"

#include <string.h>
#include <unistd.h>

// Returns the position of the last occurrence of a cluster's identifier before `end`, or -1.
static int64_t last_cluster_before(const ccover_input *input, int64_t end) {
    enum { WINDOW = 64 * 1024, MAX_BYTES = 8 << 20 };
    static const uint8_t identifier[] = {0x1f, 0x43, 0xb6, 0x75};
    uint8_t window[WINDOW];
    int64_t least = FFMAX(end - MAX_BYTES, 0);
    while (end - least >= (int64_t)sizeof(identifier) && !ccover_deadline_passed(input)) {
        int64_t start = FFMAX(end - WINDOW, least);
        int64_t count = pread(input->descriptor, window, (size_t)(end - start), start);
        for (int64_t i = count - (int64_t)sizeof(identifier); i >= 0; i--) {
            if (memcmp(&window[i], identifier, sizeof(identifier)) == 0) {
                return start + i;
            }
        }
        if (start == least) {
            break;
        }
        // The identifier may lie across the border of two windows.
        end = start + (int64_t)sizeof(identifier) - 1;
    }
    return -1;
}

int64_t ccover_matroska_end(const ccover_input *input) {
    int64_t position = input->is_seekable ? input->size : -1;
    for (int tries = 0; tries < 4 && position > 0; tries++) {
        position = last_cluster_before(input, position);
        int64_t time = position < 0 ? -1 : ccover_matroska_last_block(input, position);
        if (time >= 0) {
            return time;
        }
    }
    return ccover_unknown_time;
}
