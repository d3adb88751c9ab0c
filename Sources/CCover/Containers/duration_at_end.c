// The end of a clip that libavformat does not find: the last block of Matroska and WebM, as browsers record them; the
// last frame of FLV; the end of the edit list of a movie's track.

#include "Containers/containers.h"
#include "Support/compat.h"

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

// The end of the last frame of a Matroska file: its duration counts, or else the distance of the last two.
static int64_t matroska_end(const ccover_input *input) {
    int64_t position = input->is_seekable ? input->size : -1;
    ccover_last_blocks blocks = {.latest = -1, .duration = -1, .latest_of_any = -1, .end = -1};
    bool is_complete = false;
    for (int tries = 0; tries < 4 && position > 0 && !is_complete; tries++) {
        position = last_cluster_before(input, position);
        is_complete = position >= 0 && ccover_matroska_add_blocks(input, position, &blocks);
    }
    return blocks.end >= 0 ? blocks.end : ccover_unknown_time;
}

// The time of the last tag of an FLV file. Stores the end of the last frame.
static int64_t flv_end(const ccover_input *input, int64_t *frame_end) {
    // The bytes of the size that follows a tag, and the offsets of a tag's time and its body.
    enum { SIZE = 4, TIME = 4, BODY = 11, VIDEO = 9, MAX_TAGS = 64, MAX_FRAMES = 8 };
    enum { CODEC_AND_TYPE = 0xfff, H264_FRAME = 0x701 }; // its frames are shown later than the tag's time
    int64_t end = ccover_unknown_time, latest = -1, before = -1, position = input->size;
    for (int i = 0, frames = 0; i < MAX_TAGS && frames < MAX_FRAMES; i++) {
        int64_t size = ccover_read_number(input, position - SIZE, SIZE);
        position = position - SIZE - size;
        int64_t type = size > 0 && position > 0 ? ccover_read_number(input, position, 1) : -1;
        int64_t stored = type >= 0 ? ccover_read_number(input, position + TIME, 4) : -1; // its upper byte comes last
        if (stored < 0) {
            break;
        }
        int64_t time = (stored & 0xff) << 24 | stored >> 8;
        end = i == 0 ? time * 1000 : end;
        if (type != VIDEO) {
            continue;
        }
        int64_t head = ccover_read_number(input, position + BODY, 5), codec = head & UINT32_MAX;
        bool is_enhanced = (head >> 32 & 0x8f) == 0x81 && (codec == AV_RB32("hvc1") || codec == AV_RB32("avc1"));
        int delay = (head >> 24 & CODEC_AND_TYPE) == H264_FRAME ? 2 : CCOVER_FLV_IS_ENHANCED && is_enhanced ? 5 : 0;
        time += delay > 0 ? ccover_read_number(input, position + BODY + delay, 3) : 0;
        before = time > latest ? latest : time < latest ? FFMAX(before, time) : before;
        latest = FFMAX(latest, time);
        frames += 1;
    }
    *frame_end = before >= 0 ? (2 * latest - before) * 1000 : ccover_unknown_time;
    return end;
}

int64_t ccover_last_time(const ccover_input *input, const char *container, int track, int64_t *frame_end) {
    if (strcmp(container, "flv") == 0) {
        return flv_end(input, frame_end);
    }
    *frame_end = strcmp(container, CCOVER_MATROSKA) == 0 ? matroska_end(input)
                 : strcmp(container, CCOVER_MOVIE) == 0  ? ccover_track_end(input, track)
                                                         : ccover_unknown_time;
    return *frame_end;
}
