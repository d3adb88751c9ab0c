// Whether a file of one picture, or an animated one, is whole.

#include "Containers/containers.h"

#include <string.h>

static ccover_extent extent_of_gif(const ccover_input *input) {
    return ccover_read_number(input, input->size - 2, 2) == 0x003b ? CCOVER_EXTENT_WHOLE : CCOVER_EXTENT_CUT;
}

static ccover_extent extent_of_png(const ccover_input *input) {
    bool has_end = ccover_read_number(input, input->size - 8, 4) == AV_RB32("IEND");
    return has_end ? CCOVER_EXTENT_WHOLE : CCOVER_EXTENT_CUT;
}

// Compressed data of JPEG and JPEG 2000 does not contain the end marker. Other data may follow it.
static ccover_extent extent_by_end_marker(const ccover_input *input) {
    enum { END_MARKER = 0xffd9, MOST_BEHIND = 4096 };
    int64_t first = FFMAX(input->size - MOST_BEHIND, 0);
    for (int64_t position = input->size - 2; position >= first; position--) {
        if (ccover_read_number(input, position, 2) == END_MARKER) {
            return CCOVER_EXTENT_WHOLE;
        }
    }
    return CCOVER_EXTENT_CUT;
}

static ccover_extent extent_of_webp(const ccover_input *input) {
    int64_t size = ccover_read_little(input, 4, 4);
    return size < 0 ? CCOVER_EXTENT_CUT_IN_HEADER : ccover_extent_until(input, 12, size + 8);
}

// The data of the pixels comes last. The size of the file, which the header also gives, is often wrong.
static ccover_extent extent_of_bmp(const ccover_input *input) {
    enum { UNCOMPRESSED = 0 };
    int64_t pixels = ccover_read_little(input, 10, 4);
    int64_t width = ccover_read_little(input, 18, 4);
    int64_t height = (int32_t)ccover_read_little(input, 22, 4);
    int64_t bits = ccover_read_little(input, 28, 2);
    int64_t compression = ccover_read_little(input, 30, 4);
    if (compression < 0) {
        return CCOVER_EXTENT_CUT_IN_HEADER;
    }
    if (compression != UNCOMPRESSED || width > INT32_MAX) {
        return CCOVER_EXTENT_UNKNOWN;
    }
    int64_t row_bytes = (width * bits + 31) / 32 * 4; // whole numbers of 4 bytes
    int64_t bytes;
    bool is_huge = __builtin_mul_overflow(row_bytes, FFABS(height), &bytes);
    return ccover_extent_until(input, pixels, is_huge ? INT64_MAX : av_sat_add64(pixels, bytes));
}

// The directory may be anywhere; most programs write it last.
static ccover_extent extent_of_tiff(const ccover_input *input) {
    bool is_little = ccover_read_number(input, 0, 2) == 0x4949; // "II"
    int64_t directory = is_little ? ccover_read_little(input, 4, 4) : ccover_read_number(input, 4, 4);
    int64_t entries = is_little ? ccover_read_little(input, directory, 2) : ccover_read_number(input, directory, 2);
    if (directory < 0 || entries < 0) {
        return CCOVER_EXTENT_CUT_IN_HEADER;
    }
    enum { ENTRY_BYTES = 12 };
    bool is_cut = directory + 2 + entries * ENTRY_BYTES > input->size;
    return is_cut ? CCOVER_EXTENT_CUT_IN_HEADER : CCOVER_EXTENT_UNKNOWN;
}

ccover_extent ccover_extent_of_picture(const ccover_input *input, const char *container) {
    static const struct {
        const char *container;
        ccover_extent (*extent)(const ccover_input *input);
    } readers[] = {
        {"gif", extent_of_gif},         {"gif_pipe", extent_of_gif},          {"apng", extent_of_png},
        {"png_pipe", extent_of_png},    {"webp_pipe", extent_of_webp},        {"bmp_pipe", extent_of_bmp},
        {"tiff_pipe", extent_of_tiff},  {"jpeg_pipe", extent_by_end_marker},  {"j2k_pipe", extent_by_end_marker},
    };
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
        if (strcmp(readers[i].container, container) == 0) {
            return readers[i].extent(input);
        }
    }
    return CCOVER_EXTENT_UNKNOWN;
}

bool ccover_is_picture_file(const AVInputFormat *container) {
    return container && strstr(container->name, "_pipe") != NULL;
}

bool ccover_is_animated_webp(const ccover_input *input) {
    enum { FLAGS = 20, IS_ANIMATED = 2 };
    return ccover_read_number(input, 8, 8) == (int64_t)AV_RB64("WEBPVP8X") &&
           (ccover_read_number(input, FLAGS, 1) & IS_ANIMATED) != 0;
}
