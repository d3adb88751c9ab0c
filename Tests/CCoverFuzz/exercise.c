// All other calls of the shim: opening, decoding, counters and closing.

#include "exercise.h"

#include <string.h>

// The frames that are decoded after the first.
enum { MAX_NEXT_FRAMES = 3 };

static bool decode(ccover_clip *clip, const plan *plan, ccover_frame_facts *facts) {
    ccover_error error;
    bool is_good;
    if (plan->at_time) {
        // A time that does not fit into the clip's time base is out of range.
        int result = ccover_decode_at(clip, plan->microseconds, plan->key_frame, facts, &error);
        is_good = shim_succeeded("ccover_decode_at", result, &error);
    } else {
        // The largest reduction saves decoders the most work.
        int result = ccover_decode_first(clip, plan->thorough ? 1 : 16, facts, &error);
        is_good = shim_succeeded_in_order("ccover_decode_first", result, &error);
    }
    if (is_good) {
        counts.frames += 1;
        check_frame_facts(facts);
    }
    return is_good;
}

// Decodes further frames, like the search for a frame that is not dark.
static void decode_further(ccover_clip *clip) {
    ccover_frame_facts facts;
    ccover_error error;
    for (int i = 0; i < MAX_NEXT_FRAMES; i++) {
        int result = ccover_decode_next(clip, &facts, &error);
        if (result == 1 || !shim_succeeded_in_order("ccover_decode_next", result, &error)) {
            break;
        }
        check_frame_facts(&facts);
    }
}

// Continues to later times without seeking, like the search for the tiles of a sheet.
static void decode_on(ccover_clip *clip, int64_t microseconds) {
    static const int64_t steps[] = {1, 40000, 1000000};
    ccover_frame_facts facts;
    ccover_error error;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && microseconds < INT64_MAX - steps[i]; i++) {
        microseconds += steps[i];
        (void)ccover_is_reachable_without_seek(clip, microseconds);
        if (!shim_succeeded("ccover_decode_on", ccover_decode_on(clip, microseconds, &facts, &error), &error)) {
            break;
        }
        check_frame_facts(&facts);
    }
}

// Lists large packets, and decodes the key frame before each with the frames after it, like the search for a good frame.
static void search_again(ccover_clip *clip, const plan *plan) {
    enum { CAPACITY = 4, MAX_BYTES = 1 << 20 };
    ccover_large_packet found[CAPACITY];
    ccover_frame_facts facts;
    ccover_error error;
    int count = ccover_list_large_packets(clip, found, CAPACITY, MAX_BYTES);
    if (count < 0 || count > CAPACITY) {
        broken("ccover_list_large_packets returns %d", count);
    }
    for (int i = 0; i < count; i++) {
        if (found[i].microseconds < 0 || found[i].bytes <= 0) {
            broken("ccover_list_large_packets returns a wrong packet");
        }
        int64_t time;
        ccover_set_draft(clip, i % 2 == 0);
        if (!ccover_find_key_frame(clip, found[i].microseconds, &time)) {
            continue;
        }
        int result = ccover_decode_key_frame(clip, i % 2 == 1, &facts, &error);
        if (shim_succeeded("ccover_decode_key_frame", result, &error)) {
            check_frame_facts(&facts);
            render_sizes(clip, &facts, plan);
            decode_further(clip);
        }
        result = ccover_decode_at(clip, found[i].microseconds, false, &facts, &error);
        if (shim_succeeded("ccover_decode_at", result, &error)) {
            decode_on(clip, found[i].microseconds);
            decode_further(clip);
        }
    }
}

// Calls out of order. Without a frame, nothing can be rendered; with one, no other first frame can be requested.
static void misuse_order(ccover_clip *clip, bool has_frame) {
    ccover_frame_facts facts;
    ccover_error error;
    int result;
    if (has_frame) {
        result = ccover_decode_first(clip, 1, &facts, &error);
    } else {
        uint8_t none;
        ccover_picture picture = {0, 0, CCOVER_RGB8, 0, &none};
        result = ccover_render(clip, &picture, true, &error);
    }
    must_be_misuse("decoding after a frame", result, &error);
}

static void check_counters(const ccover_clip *clip, bool has_frame) {
    ccover_counters counters;
    ccover_get_counters(clip, &counters);
    if (counters.bytes_read < 0 || counters.seeks < 0 || counters.packets_read < 0 || counters.decode_errors < 0 ||
        counters.frames_decoded < has_frame) {
        broken("the counters are wrong");
    }
}

// Reads the facts and the texts of all streams, and of indexes that do not exist.
static void read_streams(const ccover_clip *clip) {
    static const char *const keys[] = {"title", "language", "creation_time", "location-", "", "-"};
    int32_t count = ccover_stream_count(clip);
    if (count < 1) {
        broken("an open clip has %d streams", count);
    }
    for (int32_t index = -1; index <= count; index++) {
        ccover_stream_facts facts;
        ccover_get_stream_facts(clip, index, &facts);
        check_stream_facts(&facts);
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
            char text[CCOVER_TEXT_SIZE];
            memset(text, 0xA5, sizeof(text));
            size_t length = ccover_get_text(clip, index, keys[i], text);
            size_t kept = length < CCOVER_TEXT_SIZE ? length : CCOVER_TEXT_SIZE - 1;
            if (strnlen(text, sizeof(text)) != kept) {
                broken("a text of %zu bytes is stored as one of %zu", length, strnlen(text, sizeof(text)));
            }
        }
    }
}

static int64_t deadline_of(const plan *plan) {
    return plan->deadline_microseconds > 0 ? plan->deadline_microseconds : DEADLINE_SECONDS * 1000000;
}

// Opens a clip, or returns NULL.
static ccover_clip *open_clip(int descriptor, const plan *plan) {
    ccover_limits limits = {
        .deadline_microseconds = deadline_of(plan),
        .max_pixels = MAX_PIXELS,
        .max_streams = 16,
        .stream = -1,
        .complete_facts = plan->complete_facts,
        .seeks = plan->at_time,
    };
    ccover_clip *clip = (ccover_clip *)&limits; // not NULL, to check that it is set to NULL
    ccover_error error;
    counts.clips += 1;
    int result = ccover_open(descriptor, &limits, &clip, &error);
    bool is_open = shim_succeeded_in_order("ccover_open", result, &error);
    if (is_open != (clip != NULL)) {
        broken("ccover_open returns %d and %s handle", result, clip ? "a" : "no");
    }
    return is_open ? clip : NULL;
}

// Facts may be asked for at any time.
static void read_facts(const ccover_clip *clip) {
    ccover_clip_facts facts;
    ccover_get_clip_facts(clip, &facts);
    check_clip_facts(&facts);
}

// Opens a clip that need not have video, and reads its streams, which may be none.
static void exercise_without_video(int descriptor, const plan *plan) {
    ccover_limits limits = {
        .deadline_microseconds = deadline_of(plan),
        .max_pixels = MAX_PIXELS,
        .max_streams = 16,
        .stream = -1,
        .complete_facts = true,
        .may_lack_video = true,
    };
    ccover_clip *clip = NULL;
    ccover_error error;
    int result = ccover_open(descriptor, &limits, &clip, &error);
    if (shim_succeeded_in_order("ccover_open", result, &error)) {
        if (ccover_stream_count(clip) > 0) {
            read_streams(clip);
        }
        ccover_close(&clip);
    }
}

// Asks for all facts of a clip, which may need its first frame and its end.
static void exercise_facts(int descriptor, const plan *plan) {
    ccover_clip *clip = open_clip(descriptor, plan);
    if (clip) {
        ccover_look_at_frame(clip);
        ccover_find_raw_duration(clip);
        read_facts(clip);
        read_streams(clip);
        ccover_close(&clip);
    }
}

bool exercise(int descriptor, const plan *plan) {
    if (plan->composes) {
        exercise_composition(descriptor);
        return false;
    }
    if (plan->copy > 0) {
        exercise_copy(descriptor, plan);
        return false;
    }
    if (plan->complete_facts) {
        exercise_facts(descriptor, plan);
    }
    ccover_clip *clip = open_clip(descriptor, plan);
    if (!clip) {
        exercise_without_video(descriptor, plan);
        return false;
    }
    read_facts(clip);
    read_streams(clip);
    if (plan->thorough) {
        misuse_rendering(clip);
    }
    if (plan->at_time && !plan->key_frame) {
        ccover_find_raw_duration(clip);
        ccover_find_duration(clip, 4, true);
        read_facts(clip);
    }
    ccover_frame_facts facts;
    bool has_frame = decode(clip, plan, &facts);
    if (has_frame) {
        render_sizes(clip, &facts, plan);
        decode_further(clip);
    }
    if (plan->searches_again) {
        ccover_set_deadline(clip, deadline_of(plan));
        search_again(clip, plan);
    }
    if (plan->thorough) {
        misuse_rendering(clip);
        misuse_order(clip, has_frame);
    }
    if (plan->complete_facts) {
        ccover_find_duration(clip, 64, false);
        read_facts(clip);
    }
    check_counters(clip, has_frame);
    ccover_close(&clip);
    if (clip) {
        broken("ccover_close does not clear the handle");
    }
    return has_frame;
}
