// Which pictures of HEVC no picture that is shown needs, so that they are not decoded.
//
// Encoders may call all pictures referenced, as those of Apple's devices do. But each picture lists the earlier ones
// that are kept from there on (its reference picture set), and what one list lacks is needed by no later picture. See
// H.265, sections 7.3.6, 7.3.7, 8.3.1 and 8.3.2.

#include "Bitstreams/nal_units.h"

// The pictures that are looked at to find out whether one is needed. Where a picture is kept for longer, it usually is.
enum { MAX_PICTURES = 16 };

// A picture, as its first slice describes it.
typedef struct picture {
    int64_t order;
    bool counts; // the orders of the pictures that follow are relative to this one
    ccover_reference_set kept;
} picture;

static bool is_instantaneous(int type) {
    return type == CCOVER_HEVC_IDR_W_RADL || type == CCOVER_HEVC_IDR_N_LP;
}

// The order of a picture, given the last bits of it, and the order of an earlier picture.
static int64_t order_near(int64_t before, int64_t last, int order_bits) {
    int64_t range = (int64_t)1 << order_bits;
    int64_t order = before - (before & (range - 1)) + last;
    int64_t step = before - order >= range / 2 ? range : order - before > range / 2 ? -range : 0;
    return order + step;
}

// Reads the order of the picture and its reference picture set. Returns false if that is not possible.
static bool read_slice(const ccover_sequences *sequences, ccover_counted_order before, ccover_unit_bits bits, int type,
                       picture *picture) {
    const ccover_sequence *sequence = &sequences->sequence;
    ccover_next_bit(&bits);
    if (type >= CCOVER_HEVC_FIRST_KEY) {
        ccover_next_bit(&bits);
    }
    unsigned identifier = ccover_next_number(&bits);
    const ccover_picture_parameters *parameters =
        identifier < CCOVER_MAX_PICTURE_PARAMETERS ? &sequences->pictures[identifier] : NULL;
    if (!sequences->is_known || !parameters || !parameters->is_known || parameters->sequence != sequence->identifier) {
        return false;
    }
    ccover_next_bits(&bits, parameters->extra_bits);
    ccover_next_number(&bits); // the type of the slice
    ccover_next_bits(&bits, (parameters->states_output ? 1 : 0) + (sequence->has_planes ? 2 : 0));
    if (is_instantaneous(type)) {
        return true;
    }
    int64_t last = ccover_next_bits(&bits, sequence->order_bits);
    bool is_start = type >= CCOVER_HEVC_FIRST_KEY && (type < CCOVER_HEVC_CRA || !before.is_known);
    picture->order = is_start ? last : order_near(before.order, last, sequence->order_bits);
    bool is_listed = ccover_next_bit(&bits) != 0;
    if (!is_listed && !ccover_read_reference_set(&bits, sequence, sequence->set_count, &picture->kept)) {
        return false;
    }
    if (is_listed) {
        int index_bits = sequence->set_count > 1 ? av_log2((unsigned)sequence->set_count - 1) + 1 : 0;
        int index = (int)ccover_next_bits(&bits, index_bits);
        if (index >= sequence->set_count) {
            return false;
        }
        picture->kept = sequence->sets[index];
    }
    return bits.bytes.at < bits.bytes.end;
}

// Whether orders are counted from pictures of the type. A unit of a type up to 14 that is even is called unreferenced.
static bool counts(int type, const uint8_t *nal) {
    enum { LAST_UNREFERENCED = 14 };
    bool is_leading = type >= CCOVER_HEVC_RADL_N && type <= CCOVER_HEVC_RASL_R;
    bool is_unreferenced = type <= LAST_UNREFERENCED && type % 2 == 0;
    return (nal[1] & 7) == 1 && !is_leading && !is_unreferenced;
}

// Reads the picture of a packet. Returns false if that is not possible: it has no picture or several, or parameter sets
// that were not read.
static bool read_picture(const ccover_clip *clip, const AVPacket *packet, ccover_counted_order before,
                         bool are_sets_read, picture *picture) {
    enum { LAST_SLICE = CCOVER_HEVC_CRA };
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    size_t length_bytes = ccover_nal_length_bytes(clip->stream->codecpar);
    bool is_found = false;
    *picture = (struct picture){0};
    while ((nal = ccover_next_nal(&at, end, length_bytes))) {
        const uint8_t *unit_end = ccover_end_of_nal(at, end, length_bytes);
        if (unit_end - nal <= CCOVER_HEVC_HEADER || ccover_hevc_layer(nal) != 0) {
            continue;
        }
        int type = ccover_unit_type(AV_CODEC_ID_HEVC, nal);
        bool is_set = type == CCOVER_HEVC_SEQUENCE_PARAMETERS || type == CCOVER_HEVC_PICTURE_PARAMETERS;
        bool ends_sequence = type == CCOVER_HEVC_END_OF_SEQUENCE || type == CCOVER_HEVC_END_OF_STREAM;
        bool is_first = ccover_is_slice(AV_CODEC_ID_HEVC, type) && (nal[CCOVER_HEVC_HEADER] & 0x80) != 0;
        if ((is_set && !are_sets_read) || ends_sequence || (is_first && (is_found || type > LAST_SLICE))) {
            return false;
        }
        if (is_first) {
            ccover_unit_bits bits = {.bytes = {.at = nal + CCOVER_HEVC_HEADER, .end = unit_end}};
            is_found = (before.is_known || type >= CCOVER_HEVC_FIRST_KEY) &&
                       read_slice(&clip->references.sequences, before, bits, type, picture);
            picture->counts = counts(type, nal);
            if (!is_found) {
                return false;
            }
        }
    }
    return is_found;
}

static bool keeps(const picture *picture, int64_t order) {
    for (int i = 0; i < picture->kept.count; i++) {
        if (picture->order + picture->kept.differences[i] == order) {
            return true;
        }
    }
    return false;
}

void ccover_forget_references(ccover_clip *clip) {
    clip->references.counted.is_known = false;
    clip->references.current.is_known = false;
}

// Reads the parameter sets of a packet.
static void read_sets(ccover_clip *clip, const AVPacket *packet) {
    ccover_references *references = &clip->references;
    if (!references->has_header) {
        references->has_header = true;
        ccover_read_parameter_sets(&references->sequences, clip->stream->codecpar);
    }
    const uint8_t *at = packet->data, *end = packet->data + packet->size, *nal;
    size_t length_bytes = ccover_nal_length_bytes(clip->stream->codecpar);
    while ((nal = ccover_next_nal(&at, end, length_bytes)) &&
           !ccover_is_slice(AV_CODEC_ID_HEVC, ccover_unit_type(AV_CODEC_ID_HEVC, nal))) {
        ccover_read_parameter_set(&references->sequences, nal, ccover_end_of_nal(at, end, length_bytes));
    }
}

// Whether a later picture that is shown needs the first one, directly or through others.
static bool is_needed(const picture *pictures, const bool *is_shown, int count) {
    bool needed[MAX_PICTURES] = {false};
    // What is kept after the last picture may be needed.
    needed[count - 1] = true;
    for (int i = count - 2; i >= 0; i--) {
        needed[i] = i > 0 && is_shown[i];
        for (int j = i + 1; j < count && !needed[i]; j++) {
            needed[i] = needed[j] && keeps(&pictures[j], pictures[i].order);
        }
    }
    return needed[0];
}

void ccover_note_references(ccover_clip *clip, const AVPacket *packet) {
    ccover_references *references = &clip->references;
    if (clip->stream->codecpar->codec_id != AV_CODEC_ID_HEVC) {
        return;
    }
    read_sets(clip, packet);
    picture picture;
    bool is_known = read_picture(clip, packet, references->counted, true, &picture);
    references->current = (ccover_counted_order){.is_known = is_known, .order = picture.order};
    if (!is_known || picture.counts) {
        references->counted = references->current;
    }
}

bool ccover_is_unreferenced(ccover_clip *clip) {
    ccover_counted_order counted = clip->references.counted, current = clip->references.current;
    picture pictures[MAX_PICTURES] = {{.order = current.order}};
    bool is_shown[MAX_PICTURES] = {false};
    int64_t sent = clip->sent;
    for (int i = 1; current.is_known && i < MAX_PICTURES; i++) {
        const AVPacket *packet = ccover_upcoming(clip, i - 1);
        picture *picture = &pictures[i];
        if (!packet || !read_picture(clip, packet, counted, false, picture)) {
            return false;
        }
        if (!keeps(picture, current.order)) {
            return !is_needed(pictures, is_shown, i + 1);
        }
        is_shown[i] = ccover_may_be_shown(clip, packet, &sent);
        counted.order = picture->counts ? picture->order : counted.order;
    }
    return false;
}
