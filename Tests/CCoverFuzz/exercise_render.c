// All calls of the shim that render and encode.

#include "exercise.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const layout_case layout_cases[] = {
    [CCOVER_RGB8] = {CCOVER_RGB8, 3, 8},
    [CCOVER_RGBA8] = {CCOVER_RGBA8, 4, 8},
    [CCOVER_RGB16] = {CCOVER_RGB16, 3, 16},
    [CCOVER_RGBA16] = {CCOVER_RGBA16, 4, 16},
};
const int layout_case_count = sizeof(layout_cases) / sizeof(layout_cases[0]);

enum { MAX_RENDERED = 4 * MAX_PIXELS, LARGEST_SIDE = 1 << 16 };

static arena rows_arena;

size_t pixel_bytes(ccover_layout layout) {
    return (size_t)layout_cases[layout].channels * (size_t)layout_cases[layout].bits / 8;
}

// The expected result of ccover_is_opaque().
static bool should_be_opaque(const ccover_picture *picture) {
    if (layout_cases[picture->layout].channels != 4) {
        return true;
    }
    size_t alpha = (size_t)layout_cases[picture->layout].bits / 8;
    for (int y = 0; y < picture->height; y++) {
        for (int x = 0; x < picture->width; x++) {
            const uint8_t *pixel = picture->rows + (size_t)y * picture->row_bytes + 4 * alpha * (size_t)x;
            for (size_t i = 3 * alpha; i < 4 * alpha; i++) {
                if (pixel[i] != 255) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Sets rows that end at an inaccessible page. Returns their size.
static size_t set_guarded_rows(ccover_picture *picture) {
    picture->row_bytes = ccover_row_bytes(picture->width, picture->layout);
    size_t size = picture->row_bytes * (size_t)picture->height + CCOVER_TAIL_PADDING;
    picture->rows = guarded_bytes(&rows_arena, size);
    return size;
}

bool render_guarded(ccover_clip *clip, ccover_picture *picture, uint8_t filling) {
    size_t size = set_guarded_rows(picture);
    memset(picture->rows, filling, size);

    ccover_error error;
    guard_allocations(true);
    int result = ccover_render(clip, picture, true, &error);
    guard_allocations(false);
    if (!guarded_front_is_whole(&rows_arena, size)) {
        broken("rendering wrote before the rows");
    }
    if (!shim_succeeded_in_order("ccover_render", result, &error)) {
        return false;
    }
    counts.pictures += 1;
    if (ccover_is_opaque(picture) != should_be_opaque(picture)) {
        broken("ccover_is_opaque is wrong about a picture");
    }
    return true;
}

// Checks that a part has the pixels of the whole picture at its position. Does nothing if the frame may have been
// cropped.
static void check_part(ccover_clip *clip, const ccover_picture *picture, ccover_part part) {
    if (part.whole_width > 4 * picture->width || part.whole_height > 4 * picture->height) {
        return;
    }
    ccover_picture whole = {.width = part.whole_width, .height = part.whole_height, .layout = picture->layout};
    whole.row_bytes = ccover_row_bytes(whole.width, whole.layout);
    whole.rows = aligned_alloc(64, whole.row_bytes * (size_t)whole.height + CCOVER_TAIL_PADDING);
    size_t pixel = pixel_bytes(picture->layout);
    ccover_error error;
    if (whole.rows && ccover_render(clip, &whole, true, &error) == 0) {
        for (int32_t y = 0; y < picture->height; y++) {
            const uint8_t *expected = whole.rows + (size_t)(part.top + y) * whole.row_bytes + (size_t)part.left * pixel;
            if (memcmp(picture->rows + (size_t)y * picture->row_bytes, expected, (size_t)picture->width * pixel) != 0) {
                broken("a part of %d×%d differs from the whole in row %d", whole.width, whole.height, y);
            }
        }
    }
    free(whole.rows);
}

// A part of the scaled frame.
typedef struct part_case {
    int64_t whole_width;
    int64_t whole_height;
    int64_t left;
    int64_t top;
    int width;
    int height;
} part_case;

static void render_part(ccover_clip *clip, ccover_layout layout, part_case it) {
    if (it.whole_width < it.left + it.width || it.whole_height < it.top + it.height ||
        it.width * it.height > MAX_RENDERED || it.whole_width > INT_MAX || it.whole_height > INT_MAX) {
        return;
    }
    ccover_picture picture = {.width = it.width, .height = it.height, .layout = layout};
    ccover_part part = {(int32_t)it.whole_width, (int32_t)it.whole_height, (int32_t)it.left, (int32_t)it.top};
    size_t size = set_guarded_rows(&picture);
    ccover_error error;
    guard_allocations(true);
    int result = ccover_render_part(clip, &picture, part, true, &error);
    guard_allocations(false);
    if (!guarded_front_is_whole(&rows_arena, size)) {
        broken("rendering a part wrote before the rows");
    }
    if (!shim_succeeded_in_order("ccover_render_part", result, &error)) {
        return;
    }
    counts.pictures += 1;
    if (ccover_is_opaque(&picture) != should_be_opaque(&picture)) {
        broken("ccover_is_opaque is wrong about a part");
    }
    check_part(clip, &picture, part);
}

// Encodes a rendered picture. Its size selects the format and quality.
static void encode(const ccover_picture *picture) {
    static const int qualities[] = {1, 75, 90, 100};
    int choice = (picture->width + picture->height) / 2;
    ccover_bytes encoded;
    ccover_error error;
    ccover_encoding encoding = choice % 2 == 0 ? CCOVER_JPEG : CCOVER_WEBP;
    int result = ccover_encode(picture, encoding, qualities[choice / 2 % 4], &encoded, &error);
    bool is_good = shim_succeeded_in_order("ccover_encode", result, &error);
    if (is_good != (encoded.start != NULL) || is_good != (encoded.count > 0)) {
        broken("ccover_encode returns %d and %zu bytes", result, encoded.count);
    }
    ccover_free_bytes(&encoded);
    if (encoded.start) {
        broken("ccover_free_bytes does not clear the bytes");
    }
}

// A whole picture, rendered unless it is too large.
typedef struct size_case {
    int64_t width;
    int64_t height;
} size_case;

static void render_one(ccover_clip *clip, ccover_layout layout, size_case it, bool with_png) {
    if (it.width < 1 || it.height < 1 || it.width > LARGEST_SIDE || it.height > LARGEST_SIDE ||
        it.width * it.height > MAX_RENDERED) {
        return;
    }
    ccover_picture picture = {.width = (int32_t)it.width, .height = (int32_t)it.height, .layout = layout};
    if (!render_guarded(clip, &picture, 0) || !with_png) {
        return;
    }
    const layout_case *meaning = &layout_cases[layout];
    exercise_png_writing(&(cpng_picture){
        .width = (uint32_t)picture.width,
        .height = (uint32_t)picture.height,
        .channels = (uint32_t)meaning->channels,
        .bits = (uint32_t)meaning->bits,
        .row_bytes = picture.row_bytes,
        .rows = picture.rows,
    });
    if (meaning->bits == 8) {
        encode(&picture);
        exercise_animations(&picture);
    }
}

void render_sizes(ccover_clip *clip, const ccover_frame_facts *facts, const plan *plan) {
    bool transposes = facts->format.orientation.transposes;
    ccover_rational aspect = facts->format.sample_aspect_ratio;
    int64_t width = transposes ? facts->format.height : facts->format.width;
    int64_t height = transposes ? facts->format.width : facts->format.height;
    int64_t squared = aspect.den == 0 ? width
                      : transposes    ? width * aspect.den / aspect.num
                                      : width * aspect.num / aspect.den;
    for (ccover_layout layout = CCOVER_RGB8; (int)layout < layout_case_count; layout++) {
        render_one(clip, layout, (size_case){width, height}, plan->with_png);
        render_one(clip, layout, (size_case){(width + 2) / 3, (height + 2) / 3}, false);
        if (squared != width) {
            render_one(clip, layout, (size_case){squared, height}, false);
        }
        render_part(clip, layout, (part_case){width, height, 0, 0, (int)(width + 1) / 2, (int)(height + 2) / 3});
        render_part(clip, layout, (part_case){3 * width, 40 * height, width, 19 * height, 33, 17});
        if (plan->thorough) {
            render_part(clip, layout, (part_case){50 * width, 2 * height, 50 * width - 40, 0, 40, 1});
            render_one(clip, layout, (size_case){1, 1}, false);
            render_one(clip, layout, (size_case){33, 17}, false);
            render_one(clip, layout, (size_case){width, (height + 1) / 2}, false);
            render_one(clip, layout, (size_case){(width + 1) / 2, height}, false);
            render_one(clip, layout, (size_case){width + 1, height + 1}, false);
        }
    }
}

void misuse_rendering(ccover_clip *clip) {
    uint8_t none;
    ccover_error error;
    size_t enough = ccover_row_bytes(1, CCOVER_RGBA8);
    const struct {
        const char *call;
        ccover_picture picture;
    } pictures[] = {
        {"rendering no pixels", {0, 1, CCOVER_RGB8, enough, &none}},
        {"rendering negative rows", {1, INT_MIN, CCOVER_RGB8, enough, &none}},
        {"rendering into short rows", {1, 1, CCOVER_RGBA8, enough - 1, &none}},
        {"rendering into rows past 2 GiB", {1, 1, CCOVER_RGBA8, (size_t)INT_MAX + 1, &none}},
        {"rendering the widest rows", {INT_MAX, 1, CCOVER_RGBA8, ccover_row_bytes(INT_MAX, CCOVER_RGBA8), &none}},
    };
    for (size_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++) {
        int result = ccover_render(clip, &pictures[i].picture, true, &error);
        must_be_misuse(pictures[i].call, result, &error);
    }
    // Left, top, width and height of parts that are not inside a picture of 2 × 2 pixels.
    const int32_t outside[][4] = {{-1, 0, 1, 1}, {0, INT_MIN, 1, 1}, {2, 0, 1, 1},
                                  {0, 0, 1, 3},  {INT_MAX, 0, 1, 1}, {0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
        ccover_picture picture = {outside[i][2], outside[i][3], CCOVER_RGB8, enough, &none};
        ccover_part part = {2, 2, outside[i][0], outside[i][1]};
        int result = ccover_render_part(clip, &picture, part, true, &error);
        must_be_misuse("rendering a part that lies outside", result, &error);
    }
}
