// The parameter sets of HEVC, as far as they are needed to read which pictures a slice refers to (H.265, section 7.3).

#include "Bitstreams/nal_units.h"

// Reads a set of pictures that is coded as such. Returns false if it is invalid.
static bool read_plain_set(ccover_unit_bits *bits, ccover_reference_set *set) {
    unsigned negative = ccover_next_number(bits), positive = ccover_next_number(bits);
    if (negative > CCOVER_MAX_REFERENCES || positive > CCOVER_MAX_REFERENCES - negative) {
        return false;
    }
    set->negative_count = (int)negative;
    set->count = (int)(negative + positive);
    int32_t difference = 0;
    for (int i = 0; i < set->count; i++) {
        unsigned step = ccover_next_number(bits) & 0x7fff;
        difference = i == set->negative_count ? 0 : difference;
        difference += i < set->negative_count ? -(int32_t)step - 1 : (int32_t)step + 1;
        set->differences[i] = difference;
        ccover_next_bit(bits); // whether the picture itself uses it
    }
    return true;
}

// Adds the differences of a set, and that of its own picture, where they are kept and have the sign: in order from the
// latest picture to the earliest, or in reverse.
static bool add_shifted(ccover_reference_set *set, const ccover_reference_set *base, int32_t shift, const bool *is_kept,
                        bool is_negative) {
    int count = base->count, positive_count = count - base->negative_count;
    for (int i = 0; i <= count; i++) {
        int place = is_negative ? i : count - i;
        int index = place < positive_count    ? count - 1 - place
                    : place == positive_count ? count
                                              : place - positive_count - 1;
        int32_t difference = shift + (index < count ? base->differences[index] : 0);
        if (!is_kept[index] || difference == 0 || (difference < 0) != is_negative) {
            continue;
        }
        if (set->count == CCOVER_MAX_REFERENCES) {
            return false;
        }
        set->differences[set->count++] = difference;
    }
    return true;
}

// Reads a set of pictures that is predicted from an earlier set. Returns false if it is invalid.
static bool read_predicted_set(ccover_unit_bits *bits, const ccover_sequence *sequence, int index,
                               ccover_reference_set *set) {
    unsigned back = index == sequence->set_count ? ccover_next_number(bits) + 1 : 1;
    bool is_back = ccover_next_bit(bits) != 0;
    int32_t distance = (int32_t)(ccover_next_number(bits) & 0x7fff) + 1;
    if (back == 0 || back > (unsigned)index) {
        return false;
    }
    const ccover_reference_set *base = &sequence->sets[index - (int)back];
    bool is_kept[CCOVER_MAX_REFERENCES + 1];
    for (int i = 0; i <= base->count; i++) {
        is_kept[i] = ccover_next_bit(bits) != 0 || ccover_next_bit(bits) != 0;
    }
    int32_t shift = is_back ? -distance : distance;
    *set = (ccover_reference_set){0};
    if (!add_shifted(set, base, shift, is_kept, true)) {
        return false;
    }
    set->negative_count = set->count;
    return add_shifted(set, base, shift, is_kept, false);
}

bool ccover_read_reference_set(ccover_unit_bits *bits, const ccover_sequence *sequence, int index,
                               ccover_reference_set *set) {
    bool is_predicted = index > 0 && ccover_next_bit(bits) != 0;
    return is_predicted ? read_predicted_set(bits, sequence, index, set) : read_plain_set(bits, set);
}

static void skip_profile(ccover_unit_bits *bits, int layers) {
    enum { PROFILE = 88, LEVEL = 8, MAX_LAYERS = 8 };
    ccover_next_bits(bits, PROFILE + LEVEL);
    bool has_profile[MAX_LAYERS], has_level[MAX_LAYERS];
    for (int i = 0; i < layers - 1; i++) {
        has_profile[i] = ccover_next_bit(bits) != 0;
        has_level[i] = ccover_next_bit(bits) != 0;
    }
    for (int i = layers - 1; layers > 1 && i < MAX_LAYERS; i++) {
        ccover_next_bits(bits, 2);
    }
    for (int i = 0; i < layers - 1; i++) {
        ccover_next_bits(bits, (has_profile[i] ? PROFILE : 0) + (has_level[i] ? LEVEL : 0));
    }
}

static void skip_scaling_lists(ccover_unit_bits *bits) {
    enum { SIZES = 4, LISTS = 6, WITH_DC = 2 };
    for (int size = 0; size < SIZES; size++) {
        for (int list = 0; list < LISTS; list += size == SIZES - 1 ? 3 : 1) {
            bool is_explicit = ccover_next_bit(bits) != 0;
            int numbers = !is_explicit ? 1 : (size == 0 ? 16 : 64) + (size >= WITH_DC);
            for (int i = 0; i < numbers; i++) {
                ccover_next_number(bits);
            }
        }
    }
}

// Skips from the sizes of blocks to the reference picture sets.
static void skip_coding_tools(ccover_unit_bits *bits) {
    enum { SIZES = 6 };
    for (int i = 0; i < SIZES; i++) {
        ccover_next_number(bits);
    }
    bool has_scaling = ccover_next_bit(bits) != 0;
    if (has_scaling && ccover_next_bit(bits) != 0) {
        skip_scaling_lists(bits);
    }
    ccover_next_bits(bits, 2);
    if (ccover_next_bit(bits) != 0) { // samples that are not compressed
        ccover_next_bits(bits, 8);
        ccover_next_number(bits);
        ccover_next_number(bits);
        ccover_next_bit(bits);
    }
}

// Skips the format of the samples, the size of the pictures and their margins.
static void skip_format(ccover_unit_bits *bits, bool *has_planes) {
    enum { CHROMA_444 = 3 };
    *has_planes = ccover_next_number(bits) == CHROMA_444 && ccover_next_bit(bits) != 0;
    ccover_next_number(bits);
    ccover_next_number(bits);
    bool has_margins = ccover_next_bit(bits) != 0;
    for (int i = 0; has_margins && i < 4; i++) {
        ccover_next_number(bits);
    }
    ccover_next_number(bits); // bits of luma
    ccover_next_number(bits); // bits of chroma
}

// Reads a sequence parameter set. Returns false if it is invalid or refers to pictures in ways that are not read.
static bool read_sequence(ccover_unit_bits bits, ccover_sequence *sequence) {
    *sequence = (ccover_sequence){0};
    ccover_next_bits(&bits, 4);
    int layers = (int)ccover_next_bits(&bits, 3) + 1;
    ccover_next_bit(&bits);
    skip_profile(&bits, layers);
    sequence->identifier = ccover_next_number(&bits);
    skip_format(&bits, &sequence->has_planes);
    unsigned order_bits = ccover_next_number(&bits) + 4;
    bool is_for_all = ccover_next_bit(&bits) == 0;
    for (int i = 0; i < 3 * (is_for_all ? 1 : layers); i++) {
        ccover_next_number(&bits);
    }
    skip_coding_tools(&bits);
    unsigned set_count = ccover_next_number(&bits);
    if (order_bits > 16 || set_count > CCOVER_MAX_REFERENCE_SETS) {
        return false;
    }
    sequence->order_bits = (int)order_bits;
    for (int i = 0; i < (int)set_count; i++) {
        sequence->set_count = i + 1; // the sets in a sequence are predicted from the one before
        if (!ccover_read_reference_set(&bits, sequence, i, &sequence->sets[i])) {
            return false;
        }
    }
    bool has_long_term = ccover_next_bit(&bits) != 0;
    return !has_long_term && bits.bytes.at < bits.bytes.end;
}

// Reads a picture parameter set.
static void read_picture_parameters(ccover_unit_bits bits, ccover_sequences *sequences) {
    unsigned identifier = ccover_next_number(&bits), sequence = ccover_next_number(&bits);
    if (identifier >= CCOVER_MAX_PICTURE_PARAMETERS) {
        return;
    }
    ccover_next_bit(&bits);
    sequences->pictures[identifier] = (ccover_picture_parameters){
        .is_known = true,
        .sequence = sequence,
        .states_output = ccover_next_bit(&bits) != 0,
        .extra_bits = (int)ccover_next_bits(&bits, 3),
    };
}

void ccover_read_parameter_set(ccover_sequences *sequences, const uint8_t *nal, const uint8_t *end) {
    int type = ccover_unit_type(AV_CODEC_ID_HEVC, nal);
    if (end - nal <= CCOVER_HEVC_HEADER || ccover_hevc_layer(nal) != 0) {
        return;
    }
    ccover_unit_bits bits = {.bytes = {.at = nal + CCOVER_HEVC_HEADER, .end = end}};
    if (type == CCOVER_HEVC_SEQUENCE_PARAMETERS) {
        sequences->is_known = read_sequence(bits, &sequences->sequence);
    } else if (type == CCOVER_HEVC_PICTURE_PARAMETERS) {
        read_picture_parameters(bits, sequences);
    }
}

void ccover_read_parameter_sets(ccover_sequences *sequences, const AVCodecParameters *parameters) {
    enum { COUNT = 22, ARRAYS = 23, ARRAY_HEADER = 3, LENGTH = 2 }; // of the header of MP4
    if (parameters->extradata_size <= 0) {
        return;
    }
    const uint8_t *at = parameters->extradata, *end = at + parameters->extradata_size, *nal;
    if (ccover_nal_length_bytes(parameters) == 0) {
        while ((nal = ccover_next_nal(&at, end, 0))) {
            ccover_read_parameter_set(sequences, nal, ccover_end_of_nal(at, end, 0));
        }
        return;
    }
    int arrays = at[COUNT];
    at += ARRAYS;
    for (int i = 0; i < arrays && end - at > ARRAY_HEADER; i++) {
        int units = at[1] << 8 | at[2];
        at += ARRAY_HEADER;
        for (int j = 0; j < units && (nal = ccover_next_nal(&at, end, LENGTH)); j++) {
            ccover_read_parameter_set(sequences, nal, at);
        }
    }
}
