// Which samples of an MP4 or MOV track are encrypted (ISO/IEC 23001-7, Common Encryption).
//
// FFmpeg reports the parts of a sample that are encrypted, as side data of its packet, but it does not know sample
// entries after the first, nor groups of samples that are left unprotected ("seig"). Both are used for clips that start
// with a part that everybody can play.

#include "Containers/containers.h"

#include <stdio.h>
#include <string.h>

// Reads a number of `bytes` at an offset in the box's body; -1 if it is not there.
static int64_t number_in(const ccover_input *input, const ccover_box *box, int64_t offset, int bytes) {
    return box->body + offset + bytes <= box->end ? ccover_read_number(input, box->body + offset, bytes) : -1;
}

// Reads how one sample entry is protected. Its scheme is in `sinf`, after the fields of a visual sample entry.
static ccover_sample_entry sample_entry(const ccover_input *input, const ccover_box *entry) {
    enum { VISUAL_BYTES = 78 };
    ccover_sample_entry result = {.is_protected = entry->type == AV_RB32("encv") || entry->type == AV_RB32("drmi")};
    ccover_box fields = *entry;
    fields.body += VISUAL_BYTES;
    ccover_box scheme;
    if (!result.is_protected || !ccover_find_inner_box(input, &fields, "sinf", &scheme)) {
        return result;
    }
    ccover_box part;
    if (ccover_find_box(input, &scheme, AV_RB32("schm"), &part)) {
        uint32_t type = (uint32_t)FFMAX(number_in(input, &part, 4, 4), 0);
        for (int i = 0; i < 4; i++) {
            uint8_t letter = (uint8_t)(type >> (24 - 8 * i));
            result.scheme[i] = letter > 0x20 && letter < 0x7f ? (char)letter : '\0';
        }
    }
    if (ccover_find_inner_box(input, &scheme, "schi tenc", &part)) {
        result.is_protected = number_in(input, &part, 6, 1) != 0;
    }
    return result;
}

bool ccover_read_movie_protection(const ccover_input *input, int track, ccover_protection *protection) {
    ccover_box box, descriptions;
    *protection = (ccover_protection){.track = track};
    if (!ccover_find_track(input, track, &box) ||
        !ccover_find_inner_box(input, &box, "mdia minf stbl", &protection->samples) ||
        !ccover_find_box(input, &protection->samples, AV_RB32("stsd"), &descriptions)) {
        return false;
    }
    int64_t position = descriptions.body + 8;
    while (protection->entry_count < CCOVER_MAX_ENTRIES &&
           ccover_read_box(input, position, descriptions.end, &box)) {
        protection->entries[protection->entry_count++] = sample_entry(input, &box);
        position = box.end;
    }
    return protection->entry_count > 0;
}

bool ccover_has_protected_entry(const ccover_protection *protection) {
    for (int i = 0; i < protection->entry_count; i++) {
        if (protection->entries[i].is_protected) {
            return true;
        }
    }
    return false;
}

// The box of a sample group of type "seig" in a sample table or track fragment.
static bool find_group_box(const ccover_input *input, const ccover_box *parent, uint32_t type, ccover_box *box) {
    for (int64_t rest = parent->body; ccover_read_box(input, rest, parent->end, box); rest = box->end) {
        if (box->type == type && number_in(input, box, 4, 4) == AV_RB32("seig")) {
            return true;
        }
    }
    return false;
}

// Returns the group of a sample, counted from 0: 0 if it is in none, and more than 0x10000 if the group is described in
// the same track fragment.
static int64_t group_of(const ccover_input *input, const ccover_box *parent, int64_t sample) {
    ccover_box box;
    if (!find_group_box(input, parent, AV_RB32("sbgp"), &box)) {
        return 0;
    }
    int64_t offset = number_in(input, &box, 0, 1) == 1 ? 12 : 8;
    int64_t count = number_in(input, &box, offset, 4);
    for (int64_t i = 0, first = 0; i < count; i++) {
        int64_t samples = number_in(input, &box, offset + 4 + 8 * i, 4);
        int64_t group = number_in(input, &box, offset + 8 + 8 * i, 4);
        if (samples < 0 || group < 0) {
            return 0;
        }
        first += samples;
        if (sample < first) {
            return group;
        }
    }
    return 0;
}

// Whether the samples of a group, counted from 1, are protected; -1 if the group is not described.
static int is_group_protected(const ccover_input *input, const ccover_box *parent, int64_t group) {
    ccover_box box;
    if (!find_group_box(input, parent, AV_RB32("sgpd"), &box)) {
        return -1;
    }
    int version = (int)number_in(input, &box, 0, 1);
    int64_t fixed = version == 1 ? number_in(input, &box, 8, 4) : 0;
    int64_t count = number_in(input, &box, version == 0 ? 8 : 12, 4);
    int64_t offset = version == 0 ? 12 : 16;
    for (int64_t i = 1; i <= count && version > 0 && box.body + offset < box.end; i++) {
        int64_t size = fixed > 0 ? fixed : number_in(input, &box, offset, 4);
        offset += fixed > 0 ? 0 : 4;
        if (i == group) {
            return number_in(input, &box, offset + 2, 1) != 0;
        }
        offset += FFMAX(size, 0);
    }
    return -1;
}

// The number of samples of the stream from `start` on that come before `position` in the file.
static int64_t samples_between(AVStream *stream, int64_t start, int64_t position) {
    int64_t samples = 0;
    int count = avformat_index_get_entries_count(stream);
    for (int i = 0; i < count; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        samples += entry && entry->pos >= start && entry->pos < position;
    }
    return samples;
}

// Finds the movie fragment whose data contains `position`, and its part for the track. Sets `moof` to an empty box if
// no fragment precedes the position.
static bool find_fragment(const ccover_input *input, int track, int64_t position, ccover_box *moof, ccover_box *part) {
    ccover_box box;
    *moof = (ccover_box){0};
    for (int64_t next = 0; next < position && ccover_read_box(input, next, input->size, &box); next = box.end) {
        if (box.type == AV_RB32("moof")) {
            *moof = box;
        }
    }
    if (moof->end == 0) {
        return false;
    }
    for (int64_t rest = moof->body; ccover_read_box(input, rest, moof->end, part); rest = part->end) {
        ccover_box header;
        if (part->type == AV_RB32("traf") && ccover_find_box(input, part, AV_RB32("tfhd"), &header) &&
            number_in(input, &header, 4, 4) == track) {
            return true;
        }
    }
    return false;
}

// The number of the sample entry, counted from 1, of the samples in a track fragment.
static int64_t entry_of_fragment(const ccover_input *input, int track, const ccover_box *part) {
    enum { HAS_BASE_OFFSET = 1, HAS_ENTRY = 2 };
    ccover_box box;
    if (ccover_find_box(input, part, AV_RB32("tfhd"), &box)) {
        int64_t flags = number_in(input, &box, 0, 4);
        if (flags >= 0 && (flags & HAS_ENTRY) != 0) {
            return number_in(input, &box, (flags & HAS_BASE_OFFSET) != 0 ? 16 : 8, 4);
        }
    }
    ccover_box file = {.end = input->size};
    ccover_box extends;
    if (!ccover_find_inner_box(input, &file, "moov mvex", &extends)) {
        return 1;
    }
    for (int64_t rest = extends.body; ccover_read_box(input, rest, extends.end, &box); rest = box.end) {
        if (box.type == AV_RB32("trex") && number_in(input, &box, 4, 4) == track) {
            return number_in(input, &box, 8, 4);
        }
    }
    return 1;
}

// The number of the sample entry, counted from 1, of a sample of a movie without fragments.
static int64_t entry_of_sample(const ccover_input *input, const ccover_box *samples, int64_t sample) {
    ccover_box box;
    int64_t entry = 1;
    int64_t count = ccover_find_box(input, samples, AV_RB32("stsc"), &box) ? number_in(input, &box, 4, 4) : 0;
    for (int64_t i = 0, first = 0; i < count && first <= sample && entry >= 0; i++) {
        entry = number_in(input, &box, 16 + 12 * i, 4);
        int64_t chunks = number_in(input, &box, 20 + 12 * i, 4) - number_in(input, &box, 8 + 12 * i, 4);
        int64_t samples;
        // The last entry applies to all remaining chunks.
        bool is_last = i + 1 == count || __builtin_mul_overflow(FFMAX(chunks, 0),
                                                                number_in(input, &box, 12 + 12 * i, 4), &samples) ||
                       __builtin_add_overflow(first, samples, &first);
        if (is_last) {
            break;
        }
    }
    return entry;
}

bool ccover_is_sample_protected(const ccover_input *input, const ccover_protection *protection, AVStream *stream,
                                int64_t position) {
    ccover_box moof, part;
    bool is_fragment = find_fragment(input, protection->track, position, &moof, &part);
    int64_t sample = samples_between(stream, moof.start, position);
    int64_t group = group_of(input, is_fragment ? &part : &protection->samples, sample);
    bool is_local = group > 0x10000;
    int answer = group == 0 ? -1
                            : is_group_protected(input, is_local ? &part : &protection->samples,
                                                 is_local ? group - 0x10000 : group);
    if (answer >= 0) {
        return answer != 0;
    }
    int64_t entry = is_fragment ? entry_of_fragment(input, protection->track, &part)
                                : entry_of_sample(input, &protection->samples, sample);
    return entry < 1 || entry > protection->entry_count || protection->entries[entry - 1].is_protected;
}
