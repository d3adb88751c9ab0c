// All use of the shim's interface, and what must hold after each call. A change of CCover.h is answered here.

#include "harness.h"

#include "exercise.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const layout_case layout_cases[] = {
    {CCOVER_RGB8, 3, 8}, {CCOVER_RGBA8, 4, 8}, {CCOVER_RGB16, 3, 16}, {CCOVER_RGBA16, 4, 16}};
const int layout_case_count = sizeof(layout_cases) / sizeof(layout_cases[0]);

enum { MOST_RENDERED = 4 * MAX_PIXELS, LARGEST_SIDE = 1 << 16 };

static arena rows_arena;

// One line of UTF-8: no control characters, no cut or overlong sequence.
static bool is_line_of_text(const char *text, size_t room) {
    size_t length = strnlen(text, room);
    if (length == 0 || length == room) {
        return false;
    }
    for (size_t i = 0; i < length;) {
        unsigned char first = (unsigned char)text[i];
        size_t more = first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2
                                     : first >= 0xf0 && first < 0xf5   ? 3 : SIZE_MAX;
        if (more == SIZE_MAX || first < 0x20 || first == 0x7f) {
            return false;
        }
        for (size_t k = 1; k <= more; k++) {
            if (((unsigned char)text[i + k] & 0xc0) != 0x80) {
                return false;
            }
        }
        i += more + 1;
    }
    return true;
}

// After every call: 0 and an error left empty, or -1 and an error filled. True when the call gave 0.
static bool succeeded(const char *call, int result, const ccover_error *error) {
    if (result == 0) {
        if (error->stage != CCOVER_STAGE_NONE || error->cause != CCOVER_CAUSE_NONE || error->message[0] != '\0') {
            broken("%s gives 0 with an error: %s", call, error->message);
        }
        return true;
    }
    counts.failures += 1;
    if (result != -1) {
        broken("%s gives %d", call, result);
    }
    if (error->stage == CCOVER_STAGE_NONE || error->stage > CCOVER_STAGE_ENCODE) {
        broken("%s fails at stage %d: %s", call, (int)error->stage, error->message);
    }
    if (error->cause == CCOVER_CAUSE_NONE || error->cause > CCOVER_CAUSE_MISUSE) {
        broken("%s fails with cause %d: %s", call, (int)error->cause, error->message);
    }
    if (!is_line_of_text(error->message, sizeof(error->message))) {
        broken("%s fails with a message that is no line of text: %s", call, error->message);
    }
    return false;
}

// As `succeeded`, for a call in its order with arguments in their range.
static bool succeeded_in_order(const char *call, int result, const ccover_error *error) {
    bool is_good = succeeded(call, result, error);
    if (!is_good && error->cause == CCOVER_CAUSE_MISUSE) {
        broken("%s is taken for misuse: %s", call, error->message);
    }
    return is_good;
}

static void must_be_misuse(const char *call, int result, const ccover_error *error) {
    if (succeeded(call, result, error) || error->cause != CCOVER_CAUSE_MISUSE) {
        broken("%s is not refused as misuse", call);
    }
}

static bool is_known_or_zero(ccover_rational value) {
    return (value.num > 0 && value.den > 0) || (value.num == 0 && value.den == 0);
}

static void check_colour(const ccover_colour *colour) {
    const char *names[] = {colour->pixel_format, colour->matrix, colour->range, colour->transfer, colour->primaries};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i][0] != '\0' && !is_line_of_text(names[i], CCOVER_NAME_SIZE)) {
            broken("name %zu of the colours is no text", i);
        }
    }
}

static void check_clip_facts(const ccover_clip_facts *facts) {
    check_colour(&facts->colour);
    if (!is_line_of_text(facts->container, CCOVER_NAME_SIZE) || !is_line_of_text(facts->codec, CCOVER_NAME_SIZE) ||
        strnlen(facts->major_brand, CCOVER_NAME_SIZE) == CCOVER_NAME_SIZE) {
        broken("container, codec or brand is no text");
    }
    if (facts->stream_index < 0 || facts->video_streams < 1 || facts->audio_streams < 0 || facts->artwork_streams < 0) {
        broken("streams are counted wrong");
    }
    if (!is_known_or_zero(facts->sample_aspect_ratio) || !is_known_or_zero(facts->frame_rate)) {
        broken("a ratio is neither positive nor unknown");
    }
    bool has_duration = facts->duration_microseconds != ccover_unknown_time;
    if (facts->bit_rate < 0 || (has_duration && facts->duration_microseconds < 0)) {
        broken("bit rate %lld or duration %lld is negative", (long long)facts->bit_rate,
               (long long)facts->duration_microseconds);
    }
}

static void check_frame_facts(const ccover_frame_facts *facts) {
    check_colour(&facts->colour);
    if (facts->width < 1 || facts->height < 1) {
        broken("a frame of %d×%d", facts->width, facts->height);
    }
    if ((int64_t)facts->width * facts->height > MAX_PIXELS) {
        broken("a frame of %d×%d, over the limit", facts->width, facts->height);
    }
    if (facts->colour.pixel_format[0] == '\0') {
        broken("a frame without pixel format");
    }
    if (!is_known_or_zero(facts->sample_aspect_ratio)) {
        broken("a ratio is neither positive nor unknown");
    }
}

static bool says_opaque(const uint8_t *rows, size_t row_bytes, int width, int height, layout_case layout) {
    if (layout.channels != 4) {
        return true;
    }
    size_t alpha = (size_t)layout.bits / 8;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const uint8_t *pixel = rows + (size_t)y * row_bytes + 4 * alpha * (size_t)x;
            for (size_t i = 3 * alpha; i < 4 * alpha; i++) {
                if (pixel[i] != 255) {
                    return false;
                }
            }
        }
    }
    return true;
}

const uint8_t *render_guarded(ccover_clip *clip, int width, int height, layout_case layout, uint8_t filling,
                              size_t *row_bytes) {
    *row_bytes = ccover_row_bytes(width, layout.layout);
    size_t size = *row_bytes * (size_t)height + CCOVER_TAIL_PADDING;
    uint8_t *rows = guarded_bytes(&rows_arena, size);
    memset(rows, filling, size);

    ccover_error error;
    bool is_opaque = false;
    guard_allocations(true);
    int result = ccover_render(clip, width, height, layout.layout, true, rows, *row_bytes, &is_opaque, &error);
    guard_allocations(false);
    if (!guarded_front_is_whole(&rows_arena, size)) {
        broken("rendering wrote in front of the rows");
    }
    if (!succeeded_in_order("ccover_render", result, &error)) {
        return NULL;
    }
    counts.pictures += 1;
    if (is_opaque != says_opaque(rows, *row_bytes, width, height, layout)) {
        broken("the picture is said to be %s", is_opaque ? "opaque" : "transparent");
    }
    return rows;
}

// A part has the pixels that the whole has there, where nothing of the frame is left out.
static void check_part(ccover_clip *clip, int32_t width, int32_t height, ccover_part part, layout_case layout,
                       const uint8_t *rows, size_t row_bytes) {
    if (width > 4 * part.width || height > 4 * part.height) {
        return;
    }
    size_t whole_row_bytes = ccover_row_bytes(width, layout.layout);
    size_t pixel = (size_t)layout.channels * (size_t)layout.bits / 8;
    uint8_t *whole = aligned_alloc(64, whole_row_bytes * (size_t)height + CCOVER_TAIL_PADDING);
    ccover_error error;
    bool is_opaque;
    if (whole && ccover_render(clip, width, height, layout.layout, true, whole, whole_row_bytes, &is_opaque, &error) == 0) {
        for (int32_t y = 0; y < part.height; y++) {
            const uint8_t *there = whole + (size_t)(part.top + y) * whole_row_bytes + (size_t)part.left * pixel;
            if (memcmp(rows + (size_t)y * row_bytes, there, (size_t)part.width * pixel) != 0) {
                broken("a part of %d×%d differs from the whole in row %d", width, height, y);
            }
        }
    }
    free(whole);
}

// A part of a picture.
static void render_part(ccover_clip *clip, int64_t width, int64_t height, ccover_part part, layout_case layout) {
    if (width < part.left + part.width || height < part.top + part.height || part.width * part.height > MOST_RENDERED ||
        width > INT_MAX || height > INT_MAX) {
        return;
    }
    size_t row_bytes = ccover_row_bytes(part.width, layout.layout);
    size_t size = row_bytes * (size_t)part.height + CCOVER_TAIL_PADDING;
    uint8_t *rows = guarded_bytes(&rows_arena, size);
    ccover_error error;
    bool is_opaque = false;
    guard_allocations(true);
    int result = ccover_render_part(clip, (int32_t)width, (int32_t)height, part, layout.layout, true, rows, row_bytes,
                                    &is_opaque, &error);
    guard_allocations(false);
    if (!guarded_front_is_whole(&rows_arena, size)) {
        broken("rendering a part wrote in front of the rows");
    }
    if (!succeeded_in_order("ccover_render_part", result, &error)) {
        return;
    }
    counts.pictures += 1;
    if (is_opaque != says_opaque(rows, row_bytes, part.width, part.height, layout)) {
        broken("the part is said to be %s", is_opaque ? "opaque" : "transparent");
    }
    check_part(clip, (int32_t)width, (int32_t)height, part, layout, rows, row_bytes);
}

// Compresses what was rendered, in one of the ways, which its size chooses. It must give bytes, or tell why not.
static void encode(const uint8_t *rows, size_t row_bytes, int width, int height, ccover_layout layout) {
    static const int qualities[] = {1, 75, 90, 100};
    int choice = (width + height) / 2;
    uint8_t *bytes = NULL;
    size_t count = 0;
    ccover_error error;
    int result = ccover_encode(rows, row_bytes, width, height, layout, choice % 2 == 0 ? CCOVER_JPEG : CCOVER_WEBP,
                               qualities[choice / 2 % 4], &bytes, &count, &error);
    bool is_good = succeeded_in_order("ccover_encode", result, &error);
    if (is_good != (bytes != NULL) || is_good != (count > 0)) {
        broken("ccover_encode gives %d and %zu bytes", result, count);
    }
    ccover_free_bytes(&bytes);
    if (bytes) {
        broken("ccover_free_bytes leaves the bytes");
    }
}

static void render_one(ccover_clip *clip, int64_t width, int64_t height, layout_case layout, bool with_png) {
    if (width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE || width * height > MOST_RENDERED) {
        return;
    }
    size_t row_bytes;
    const uint8_t *rows = render_guarded(clip, (int)width, (int)height, layout, 0, &row_bytes);
    if (rows && with_png) {
        exercise_png_writing((uint32_t)width, (uint32_t)height, (uint32_t)layout.channels, (uint32_t)layout.bits, row_bytes, rows);
        if (layout.bits == 8) {
            encode(rows, row_bytes, (int)width, (int)height, layout.layout);
        }
    }
}

// Upright, as it would be shown, smaller and larger.
static void render_sizes(ccover_clip *clip, const ccover_frame_facts *facts, const plan *plan) {
    int64_t width = facts->orientation.transposes ? facts->height : facts->width;
    int64_t height = facts->orientation.transposes ? facts->width : facts->height;
    int64_t squared = facts->sample_aspect_ratio.den == 0 ? width
                      : facts->orientation.transposes ? width * facts->sample_aspect_ratio.den / facts->sample_aspect_ratio.num
                                          : width * facts->sample_aspect_ratio.num / facts->sample_aspect_ratio.den;
    for (int i = 0; i < layout_case_count; i++) {
        layout_case layout = layout_cases[i];
        render_one(clip, width, height, layout, plan->with_png);
        render_one(clip, (width + 2) / 3, (height + 2) / 3, layout, false);
        if (squared != width) {
            render_one(clip, squared, height, layout, false);
        }
        render_part(clip, width, height, (ccover_part){0, 0, (int32_t)(width + 1) / 2, (int32_t)(height + 2) / 3}, layout);
        render_part(clip, 3 * width, 40 * height, (ccover_part){(int32_t)width, (int32_t)(19 * height), 33, 17}, layout);
        if (plan->thorough) {
            render_part(clip, 50 * width, 2 * height, (ccover_part){(int32_t)(50 * width - 40), 0, 40, 1}, layout);
            render_one(clip, 1, 1, layout, false);
            render_one(clip, 33, 17, layout, false);
            render_one(clip, width, (height + 1) / 2, layout, false);
            render_one(clip, (width + 1) / 2, height, layout, false);
            render_one(clip, width + 1, height + 1, layout, false);
        }
    }
}

// Calls with arguments out of range. None may touch the rows.
static void misuse_rendering(ccover_clip *clip) {
    uint8_t none;
    bool is_opaque;
    ccover_error error;
    size_t enough = ccover_row_bytes(1, CCOVER_RGBA8);
    must_be_misuse("rendering no pixels", ccover_render(clip, 0, 1, CCOVER_RGB8, true, &none, enough, &is_opaque, &error),
                   &error);
    must_be_misuse("rendering negative rows",
                   ccover_render(clip, 1, INT_MIN, CCOVER_RGB8, true, &none, enough, &is_opaque, &error), &error);
    must_be_misuse("rendering into short rows",
                   ccover_render(clip, 1, 1, CCOVER_RGBA8, true, &none, enough - 1, &is_opaque, &error), &error);
    must_be_misuse("rendering into rows past 2 GiB",
                   ccover_render(clip, 1, 1, CCOVER_RGBA8, true, &none, (size_t)INT_MAX + 1, &is_opaque, &error), &error);
    must_be_misuse("rendering the widest rows",
                   ccover_render(clip, INT_MAX, 1, CCOVER_RGBA8, true, &none, ccover_row_bytes(INT_MAX, CCOVER_RGBA8),
                                 &is_opaque, &error),
                   &error);
    const ccover_part outside[] = {{-1, 0, 1, 1}, {0, INT_MIN, 1, 1}, {2, 0, 1, 1}, {0, 0, 1, 3}, {INT_MAX, 0, 1, 1}, {0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
        must_be_misuse("rendering a part that lies outside",
                       ccover_render_part(clip, 2, 2, outside[i], CCOVER_RGB8, true, &none, enough, &is_opaque, &error),
                       &error);
    }
}

static bool decode(ccover_clip *clip, const plan *plan, ccover_frame_facts *facts) {
    ccover_error error;
    int result = plan->at_time ? ccover_decode_at(clip, plan->microseconds, facts, &error)
                               : ccover_decode_first(clip, plan->thorough ? CCOVER_HASTE_NONE : CCOVER_HASTE_NO_LOOP_FILTER | CCOVER_HASTE_ONE_FRAME, facts, &error);
    // A time that the clip's own units cannot hold is out of range.
    bool is_good = plan->at_time ? succeeded("ccover_decode_at", result, &error)
                                 : succeeded_in_order("ccover_decode_first", result, &error);
    if (is_good) {
        counts.frames += 1;
        check_frame_facts(facts);
    }
    return is_good;
}

bool exercise(int descriptor, const plan *plan) {
    ccover_limits limits = {
        .deadline_microseconds =
            plan->deadline_microseconds > 0 ? plan->deadline_microseconds : DEADLINE_SECONDS * 1000000,
        .max_pixels = MAX_PIXELS,
        .max_streams = 16,
        .stream = -1,
        .complete_facts = plan->complete_facts,
    };
    ccover_clip *clip = (ccover_clip *)&limits; // not NULL, to see it cleared
    ccover_error error;
    counts.clips += 1;
    int result = ccover_open(descriptor, &limits, &clip, &error);
    bool is_open = succeeded_in_order("ccover_open", result, &error);
    if (is_open != (clip != NULL)) {
        broken("ccover_open gives %d and %s handle", result, clip ? "a" : "no");
    }
    if (!is_open) {
        return false;
    }
    ccover_clip_facts clip_facts;
    ccover_get_clip_facts(clip, &clip_facts);
    check_clip_facts(&clip_facts);
    if (plan->thorough) {
        misuse_rendering(clip);
    }
    ccover_frame_facts facts;
    bool has_frame = decode(clip, plan, &facts);
    if (has_frame) {
        render_sizes(clip, &facts, plan);
        // On to the frames behind it, as the search for one that is not dark does.
        for (int i = 0; i < 3; i++) {
            result = ccover_decode_next(clip, &facts, &error);
            if (result == 1 || !succeeded_in_order("ccover_decode_next", result, &error)) {
                break;
            }
            check_frame_facts(&facts);
        }
    }
    if (plan->thorough) {
        ccover_frame_facts again;
        misuse_rendering(clip);
        must_be_misuse("decoding after a frame",
                       has_frame ? ccover_decode_first(clip, CCOVER_HASTE_NONE, &again, &error) : ccover_render(clip, 0, 0, CCOVER_RGB8, true,
                       (uint8_t *)&again, 0, &(bool){0}, &error), &error);
    }
    ccover_counters counters;
    ccover_get_counters(clip, &counters);
    if (counters.bytes_read < 0 || counters.seeks < 0 || counters.packets_read < 0 || counters.decode_errors < 0 ||
        counters.frames_decoded < has_frame) {
        broken("the counters are wrong");
    }
    ccover_close(&clip);
    if (clip) {
        broken("ccover_close leaves the handle");
    }
    return has_frame;
}
