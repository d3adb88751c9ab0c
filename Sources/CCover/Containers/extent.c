// Whether a file ends before the clip in it does, which distinguishes a clip that is still being written, or was cut
// off, from a damaged one. This is read from the containers that recorders and browsers write: MP4 and MOV, Matroska,
// WebM, AVI and FLV.

#include "Containers/containers.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static ccover_extent extent_of_movie(const ccover_input *input) {
    ccover_movie_layout layout = ccover_layout_of(input);
    if (layout.is_damaged) {
        return CCOVER_EXTENT_WHOLE;
    }
    bool is_cut = !layout.is_whole || !layout.has_index || layout.awaits_fragments;
    return !is_cut ? CCOVER_EXTENT_WHOLE : layout.has_index ? CCOVER_EXTENT_CUT : CCOVER_EXTENT_CUT_IN_HEADER;
}

// Reads a little-endian number of 4 bytes. Returns -1 if it is not there.
static int64_t read_little(const ccover_input *input, int64_t position) {
    int64_t number = ccover_read_number(input, position, 4);
    return number < 0 ? number : av_bswap32((uint32_t)number);
}

static ccover_extent extent_of_avi(const ccover_input *input) {
    enum { HEAD = 8, TYPE = 4, HEADER_START = 20 };
    int64_t size = read_little(input, 4);
    int64_t header_size = read_little(input, HEADER_START - 4);
    if (header_size < 0 || HEADER_START + header_size > input->size) {
        return CCOVER_EXTENT_CUT_IN_HEADER;
    }
    if (size <= TYPE || size == UINT32_MAX) {
        return CCOVER_EXTENT_UNFINISHED;
    }
    return HEAD + size > input->size ? CCOVER_EXTENT_CUT : CCOVER_EXTENT_WHOLE;
}

static ccover_extent extent_of_flv(const ccover_input *input) {
    enum { MAX_TAGS = 4096, HEADER = 11, TYPE_BITS = 0x1f, SOUND = 8, VIDEO = 9, SCRIPT = 18 };
    enum { CODEC_AND_TYPE = 0xfff, H264_PARAMETERS = 0x700 };
    int64_t position = ccover_read_number(input, 5, 4);
    if (position < 0) {
        return CCOVER_EXTENT_CUT_IN_HEADER;
    }
    bool has_frame = false;
    for (int i = 0; i < MAX_TAGS && position + 4 < input->size; i++) {
        int64_t tag = position + 4; // after the size of the previous tag
        int64_t size = ccover_read_number(input, tag + 1, 3), type = ccover_read_number(input, tag, 1) & TYPE_BITS;
        position = tag + HEADER + size;
        if (type != SOUND && type != VIDEO && type != SCRIPT) {
            return CCOVER_EXTENT_WHOLE; // damaged
        }
        if (size < 0 || position > input->size) {
            return CCOVER_EXTENT_CUT;
        }
        int64_t kind = ccover_read_number(input, tag + HEADER, 2) & CODEC_AND_TYPE;
        has_frame = has_frame || (type == VIDEO && kind != H264_PARAMETERS);
    }
    return has_frame && position + 4 == input->size ? CCOVER_EXTENT_WHOLE : CCOVER_EXTENT_UNFINISHED;
}

// The end of what is stored of the file. Files may end with holes of any size, which read as zeros.
static int64_t end_of_data(const ccover_input *input) {
    off_t offset = lseek(input->descriptor, 0, SEEK_CUR), end = 0, data;
    while (end < input->size && (data = lseek(input->descriptor, end, SEEK_DATA)) >= 0) {
        end = FFMAX(lseek(input->descriptor, data, SEEK_HOLE), data + 1);
    }
    bool is_known = end >= input->size || errno == ENXIO;
    lseek(input->descriptor, offset, SEEK_SET);
    return is_known ? FFMIN(end, input->size) : input->size;
}

int64_t ccover_content_size(const ccover_input *input) {
    enum { LEAST = 128, BLOCK = 1 << 16 };
    uint8_t block[BLOCK];
    int64_t end = end_of_data(input);
    while (end > 0 && !ccover_deadline_passed(input)) {
        int64_t start = FFMAX(end - BLOCK, 0);
        int64_t count = pread(input->descriptor, block, (size_t)(end - start), start);
        while (count > 0 && block[count - 1] == 0) {
            count--;
        }
        end = start + FFMAX(count, 0);
        if (count != 0) {
            break;
        }
    }
    return input->size - end >= LEAST ? end : input->size;
}

ccover_extent ccover_extent_of(const ccover_input *input, int64_t content_size, const char *container) {
    ccover_input content = *input;
    content.size = content_size;
    ccover_extent extent = strcmp(container, CCOVER_MOVIE) == 0      ? extent_of_movie(&content)
                           : strcmp(container, CCOVER_MATROSKA) == 0 ? ccover_extent_of_matroska(&content)
                           : strcmp(container, "avi") == 0           ? extent_of_avi(&content)
                           : strstr(container, "flv")                ? extent_of_flv(&content)
                                                                     : CCOVER_EXTENT_UNKNOWN;
    return extent == CCOVER_EXTENT_WHOLE && content.size < input->size ? CCOVER_EXTENT_CUT : extent;
}
