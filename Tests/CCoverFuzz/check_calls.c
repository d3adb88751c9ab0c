// Invariants that must hold after each call of the shim.

#include "exercise.h"

#include <string.h>

// Whether the text is one line of UTF-8, without control characters and without truncated or overlong sequences.
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

bool shim_succeeded(const char *call, int result, const ccover_error *error) {
    if (result == 0) {
        if (error->stage != CCOVER_STAGE_NONE || error->cause != CCOVER_CAUSE_NONE || error->message[0] != '\0') {
            broken("%s returns 0 with an error: %s", call, error->message);
        }
        return true;
    }
    counts.failures += 1;
    if (result != -1) {
        broken("%s returns %d", call, result);
    }
    if (error->stage == CCOVER_STAGE_NONE || error->stage > CCOVER_STAGE_MUX) {
        broken("%s fails at stage %d: %s", call, (int)error->stage, error->message);
    }
    if (error->cause == CCOVER_CAUSE_NONE || error->cause > CCOVER_CAUSE_MISUSE) {
        broken("%s fails with cause %d: %s", call, (int)error->cause, error->message);
    }
    if (!is_line_of_text(error->message, sizeof(error->message))) {
        broken("%s fails with a message that is not a line of text: %s", call, error->message);
    }
    return false;
}

bool shim_succeeded_in_order(const char *call, int result, const ccover_error *error) {
    bool is_good = shim_succeeded(call, result, error);
    if (!is_good && error->cause == CCOVER_CAUSE_MISUSE) {
        broken("%s reports misuse: %s", call, error->message);
    }
    return is_good;
}

void must_be_misuse(const char *call, int result, const ccover_error *error) {
    if (shim_succeeded(call, result, error) || error->cause != CCOVER_CAUSE_MISUSE) {
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
            broken("colour name %zu is not text", i);
        }
    }
}

void check_clip_facts(const ccover_clip_facts *facts) {
    check_colour(&facts->format.colour);
    if (!is_line_of_text(facts->container, CCOVER_NAME_SIZE) || !is_line_of_text(facts->codec, CCOVER_NAME_SIZE) ||
        strnlen(facts->major_brand, CCOVER_NAME_SIZE) == CCOVER_NAME_SIZE) {
        broken("container, codec or brand is not text");
    }
    if (facts->stream_index < 0 || facts->video_streams < 1 || facts->audio_streams < 0 || facts->artwork_streams < 0) {
        broken("the stream counts are wrong");
    }
    if (!is_known_or_zero(facts->format.sample_aspect_ratio) || !is_known_or_zero(facts->frame_rate)) {
        broken("a ratio is neither positive nor unknown");
    }
    bool has_duration = facts->duration_microseconds != ccover_unknown_time;
    if (facts->bit_rate < 0 || (has_duration && facts->duration_microseconds < 0)) {
        broken("bit rate %lld or duration %lld is negative", (long long)facts->bit_rate,
               (long long)facts->duration_microseconds);
    }
}

void check_stream_facts(const ccover_stream_facts *facts) {
    check_colour(&facts->format.colour);
    const char *names[] = {facts->codec, facts->channel_layout};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i][0] != '\0' && !is_line_of_text(names[i], CCOVER_NAME_SIZE)) {
            broken("the codec or the channel layout is not text");
        }
    }
    if (facts->dispositions[0] != '\0' && !is_line_of_text(facts->dispositions, CCOVER_TEXT_SIZE)) {
        broken("the dispositions are not text");
    }
    if (facts->kind < CCOVER_STREAM_DATA || facts->kind > CCOVER_STREAM_ARTWORK || facts->bit_depth < 0 ||
        facts->sample_rate < 0 || facts->channels < 0) {
        broken("a fact of a stream is out of range");
    }
    if (!is_known_or_zero(facts->format.sample_aspect_ratio) || !is_known_or_zero(facts->frame_rate)) {
        broken("a ratio of a stream is neither positive nor unknown");
    }
}

void check_frame_facts(const ccover_frame_facts *facts) {
    check_colour(&facts->format.colour);
    if (facts->format.width < 1 || facts->format.height < 1) {
        broken("a frame of %d×%d", facts->format.width, facts->format.height);
    }
    if ((int64_t)facts->format.width * facts->format.height > MAX_PIXELS) {
        broken("a frame of %d×%d, over the limit", facts->format.width, facts->format.height);
    }
    if (facts->format.colour.pixel_format[0] == '\0') {
        broken("a frame without pixel format");
    }
    if (!is_known_or_zero(facts->format.sample_aspect_ratio)) {
        broken("a ratio is neither positive nor unknown");
    }
}
