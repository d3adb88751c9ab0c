// Which frames of AV1 no other needs, so that they are not decoded: each states where it is kept.
//
// See sections 5.3 to 5.9 of the AV1 bitstream specification.

#include "Support/bits.h"

// A unit of a packet, called OBU in the specification.
typedef struct unit {
    int type;
    ccover_bits bits; // without its header
} unit;

enum { SEQUENCE = 1, FRAME_HEADER = 3, FRAME = 6 };

// Reads the unit at `*at`, and moves `*at` behind it. Returns false at the end, and if the unit is not valid.
static bool next_unit(const uint8_t **at, const uint8_t *end, unit *unit) {
    enum { MAX_SIZE_BYTES = 8 };
    if (*at >= end || (**at & 0x80) != 0) {
        return false;
    }
    int header = **at;
    unit->type = header >> 3 & 0xf;
    *at += (header & 4) != 0 ? 2 : 1;
    if (*at > end) {
        return false;
    }
    uint64_t size = (uint64_t)(end - *at);
    if ((header & 2) != 0) {
        bool is_complete = false;
        size = 0;
        for (int i = 0; i < MAX_SIZE_BYTES && *at < end && !is_complete; i++, (*at)++) {
            size |= (uint64_t)(**at & 0x7f) << (7 * i);
            is_complete = (**at & 0x80) == 0;
        }
        if (!is_complete || size > (uint64_t)(end - *at)) {
            return false;
        }
    }
    unit->bits = (ccover_bits){.data = *at, .count = 8 * (int64_t)size};
    *at += size;
    return true;
}

static void skip_timing(ccover_bits *bits) {
    ccover_take_bits(bits, 32); // units in a tick
    ccover_take_bits(bits, 32); // ticks in a second
    if (ccover_take_bits(bits, 1) == 0) {
        return;
    }
    // The ticks of each picture, in Exp-Golomb code.
    int zeros = 0;
    while (bits->position < bits->count && ccover_take_bits(bits, 1) == 0) {
        zeros++;
    }
    ccover_take_bits(bits, zeros < 32 ? zeros : 0);
}

static void skip_operating_points(ccover_bits *bits) {
    enum { LAST_WITHOUT_TIER = 7 };
    bool has_delays = ccover_take_bits(bits, 1) != 0;
    int count = (int)ccover_take_bits(bits, 5) + 1;
    for (int i = 0; i < count; i++) {
        ccover_take_bits(bits, 12); // its layers
        bool has_tier = ccover_take_bits(bits, 5) > LAST_WITHOUT_TIER;
        ccover_take_bits(bits, has_tier ? 1 : 0);
        bool has_delay = has_delays && ccover_take_bits(bits, 1) != 0;
        ccover_take_bits(bits, has_delay ? 4 : 0);
    }
}

// Reads whether all frames have a tool, or none has, or each frame says.
static ccover_av1_tool read_tool(ccover_bits *bits) {
    bool is_chosen = ccover_take_bits(bits, 1) != 0;
    return is_chosen ? CCOVER_AV1_CHOSEN : ccover_take_bits(bits, 1) != 0 ? CCOVER_AV1_ALWAYS : CCOVER_AV1_NEVER;
}

// Reads a header of the sequence. Those of stills, and those with a model of the decoder or numbers of frames, which
// few encoders write, count as unknown.
static ccover_av1_sequence read_sequence(ccover_bits *bits) {
    ccover_av1_sequence sequence = {.is_known = false};
    ccover_take_bits(bits, 4); // profile, and whether there is only one frame
    bool is_still = ccover_take_bits(bits, 1) != 0;
    bool has_timing = !is_still && ccover_take_bits(bits, 1) != 0;
    if (has_timing) {
        skip_timing(bits);
    }
    bool has_decoder_model = has_timing && ccover_take_bits(bits, 1) != 0;
    if (is_still || has_decoder_model) {
        return sequence;
    }
    skip_operating_points(bits);
    int width_bits = (int)ccover_take_bits(bits, 4) + 1;
    int height_bits = (int)ccover_take_bits(bits, 4) + 1;
    ccover_take_bits(bits, width_bits);
    ccover_take_bits(bits, height_bits);
    bool has_identifiers = ccover_take_bits(bits, 1) != 0;
    ccover_take_bits(bits, 7); // tools
    bool has_order = ccover_take_bits(bits, 1) != 0;
    ccover_take_bits(bits, has_order ? 2 : 0); // tools
    sequence.screen_content = read_tool(bits);
    sequence.whole_motion = sequence.screen_content == CCOVER_AV1_NEVER ? CCOVER_AV1_CHOSEN : read_tool(bits);
    sequence.order_bits = has_order ? (int)ccover_take_bits(bits, 3) + 1 : 0;
    sequence.is_known = !has_identifiers && bits->position <= bits->count;
    return sequence;
}

static void read_sequences(ccover_av1_sequence *sequence, const uint8_t *at, const uint8_t *end) {
    unit unit;
    while (next_unit(&at, end, &unit)) {
        if (unit.type == SEQUENCE) {
            *sequence = read_sequence(&unit.bits);
        }
    }
}

void ccover_note_av1_sequence(ccover_clip *clip, const AVPacket *packet) {
    const AVCodecParameters *parameters = clip->stream->codecpar;
    if (parameters->codec_id != AV_CODEC_ID_AV1) {
        return;
    }
    if (!clip->has_av1_header) {
        enum { RECORD_HEADER = 4 };
        bool has_record = parameters->extradata_size >= RECORD_HEADER && (parameters->extradata[0] & 0x80) != 0;
        int start = has_record ? RECORD_HEADER : 0;
        clip->has_av1_header = true;
        if (parameters->extradata_size > 0) {
            read_sequences(&clip->av1_sequence, parameters->extradata + start,
                           parameters->extradata + parameters->extradata_size);
        }
    }
    read_sequences(&clip->av1_sequence, packet->data, packet->data + packet->size);
}

// Whether the frame is shown, and then kept nowhere.
static bool is_kept_nowhere(const ccover_av1_sequence *sequence, ccover_bits *bits) {
    enum { INTER = 1 };
    bool is_repeated = ccover_take_bits(bits, 1) != 0;
    bool is_predicted = ccover_take_bits(bits, 2) == INTER;
    bool is_shown = ccover_take_bits(bits, 1) != 0;
    if (is_repeated || !is_predicted || !is_shown) {
        return false;
    }
    bool is_resilient = ccover_take_bits(bits, 1) != 0;
    ccover_take_bits(bits, 1); // whether its probabilities are adapted
    bool is_screen_content = sequence->screen_content == CCOVER_AV1_CHOSEN
                                 ? ccover_take_bits(bits, 1) != 0
                                 : sequence->screen_content == CCOVER_AV1_ALWAYS;
    ccover_take_bits(bits, is_screen_content && sequence->whole_motion == CCOVER_AV1_CHOSEN ? 1 : 0);
    ccover_take_bits(bits, 1); // whether its size differs
    ccover_take_bits(bits, sequence->order_bits);
    ccover_take_bits(bits, is_resilient ? 0 : 3); // the frame whose probabilities it takes
    return ccover_take_bits(bits, 8) == 0 && bits->position <= bits->count;
}

bool ccover_is_unreferenced_av1(const ccover_clip *clip, const AVPacket *packet) {
    if (!clip->av1_sequence.is_known) {
        return false;
    }
    const uint8_t *at = packet->data, *end = packet->data + packet->size;
    unit unit;
    int frames = 0;
    while (next_unit(&at, end, &unit)) {
        bool is_frame = unit.type == FRAME_HEADER || unit.type == FRAME;
        frames += is_frame ? 1 : 0;
        if (unit.type == SEQUENCE || (is_frame && !is_kept_nowhere(&clip->av1_sequence, &unit.bits))) {
            return false;
        }
    }
    return at == end && frames == 1;
}
