// Finding boxes of an MP4 or MOV file (ISO/IEC 14496-12, section 4.2). The boxes are read from the descriptor, next to
// FFmpeg, and only where FFmpeg does not expose what they contain.

#include "Containers/containers.h"

#include <unistd.h>

int64_t ccover_read_number(const ccover_input *input, int64_t position, int bytes) {
    uint8_t data[8];
    if (!input->is_seekable || bytes > 8 || ccover_deadline_passed(input) ||
        pread(input->descriptor, data, (size_t)bytes, position) != bytes) {
        return -1;
    }
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) {
        number = number << 8 | data[i];
    }
    return (int64_t)(number & INT64_MAX);
}

bool ccover_read_box(const ccover_input *input, int64_t position, int64_t end, ccover_box *box) {
    if (position < 0 || end - position < 8) {
        return false;
    }
    int64_t head = ccover_read_number(input, position, 8);
    int64_t size = head >> 32;
    int64_t type = head & UINT32_MAX;
    int64_t header = size == 1 ? 16 : 8;
    if (size == 1) {
        size = ccover_read_number(input, position + 8, 8);
    } else if (size == 0) {
        size = end - position;
    }
    *box = (ccover_box){.type = (uint32_t)type, .start = position, .body = position + header, .size = size};
    box->is_cut = size > end - position;
    return head >= 0 && size >= header && !__builtin_add_overflow(position, FFMIN(size, end - position), &box->end);
}

// The number of children that are looked at; a movie has far fewer.
enum { MAX_CHILDREN = 1024 };

bool ccover_find_box(const ccover_input *input, const ccover_box *parent, uint32_t type, ccover_box *box) {
    int64_t position = parent->body;
    for (int i = 0; i < MAX_CHILDREN && ccover_read_box(input, position, parent->end, box); i++) {
        if (box->type == type) {
            return true;
        }
        position = box->end;
    }
    return false;
}

bool ccover_find_inner_box(const ccover_input *input, const ccover_box *parent, const char *path, ccover_box *box) {
    *box = *parent;
    for (const char *type = path; *type != '\0'; type += type[4] == '\0' ? 4 : 5) {
        ccover_box outer = *box;
        if (!ccover_find_box(input, &outer, AV_RB32(type), box)) {
            return false;
        }
    }
    return true;
}

bool ccover_find_track(const ccover_input *input, int track, ccover_box *box) {
    ccover_box file = {.end = input->size};
    ccover_box movie;
    if (!ccover_find_box(input, &file, AV_RB32("moov"), &movie)) {
        return false;
    }
    for (int64_t rest = movie.body; ccover_read_box(input, rest, movie.end, box); rest = box->end) {
        ccover_box header;
        if (box->type != AV_RB32("trak") || !ccover_find_box(input, box, AV_RB32("tkhd"), &header)) {
            continue;
        }
        // The track's number follows two times, whose size depends on the version.
        bool is_large = ccover_read_number(input, header.body, 1) == 1;
        if (ccover_read_number(input, header.body + (is_large ? 20 : 12), 4) == track) {
            return true;
        }
    }
    return false;
}

bool ccover_is_external(const ccover_input *input, int track) {
    enum { SELF_CONTAINED = 1 };
    ccover_box information, box, entry;
    if (!ccover_find_track(input, track, &box) || !ccover_find_inner_box(input, &box, "mdia minf", &information) ||
        !ccover_find_inner_box(input, &information, "stbl stsd", &box)) {
        return false;
    }
    // The sample entry begins after two fields of the box; its data reference follows a header and six reserved bytes.
    int64_t reference = ccover_read_number(input, box.body + 8 + 14, 2);
    if (reference < 1 || !ccover_find_inner_box(input, &information, "dinf dref", &box)) {
        return false;
    }
    entry.end = box.body + 8;
    while (reference > 0 && ccover_read_box(input, entry.end, box.end, &entry)) {
        reference--;
    }
    return reference == 0 && (ccover_read_number(input, entry.body, 4) & SELF_CONTAINED) == 0;
}

// Whether a type consists of letters, digits and spaces, as those of all known boxes of media do.
static bool is_readable_type(uint32_t type) {
    for (int shift = 0; shift < 32; shift += 8) {
        uint8_t byte = (uint8_t)(type >> shift);
        bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
        if (!is_letter && !(byte >= '0' && byte <= '9') && byte != ' ') {
            return false;
        }
    }
    return true;
}

// Whether a type is one of several, which are separated by spaces.
static bool is_among(uint32_t type, const char *types) {
    while (type != AV_RB32(types) && types[4] != '\0') {
        types += 5;
    }
    return type == AV_RB32(types);
}

// Whether whole boxes follow each other from a position up to the end of the file.
static bool reaches_end(const ccover_input *input, int64_t position) {
    enum { MAX_LAST = 16 };
    ccover_box box;
    for (int i = 0; i < MAX_LAST && position < input->size; i++) {
        if (!ccover_read_box(input, position, input->size, &box) || box.is_cut || !is_readable_type(box.type)) {
            return false;
        }
        position = box.end;
    }
    return position == input->size;
}

// Whether the media, which should continue past the end of the file, contains an index that ends the file. The end of
// the file is searched.
static bool contains_index(const ccover_input *input, const ccover_box *media) {
    enum { WINDOW = 64 * 1024, MAX_BYTES = 8 << 20, HEADER = 8, TYPE = 4 };
    uint8_t window[WINDOW];
    int64_t position = FFMAX(media->body, input->size - MAX_BYTES);
    while (input->size - position >= HEADER && !ccover_deadline_passed(input)) {
        int64_t count = pread(input->descriptor, window, WINDOW, position);
        for (int64_t i = 0; i + HEADER <= count; i++) {
            if (AV_RB32(&window[i + TYPE]) == AV_RB32("moov") && reaches_end(input, position + i)) {
                return true;
            }
        }
        // The header may lie across the border of two windows.
        position += FFMAX(count, HEADER) - HEADER + 1;
    }
    return false;
}

bool ccover_is_misplaced(const ccover_input *input, const ccover_box *box, const ccover_box *previous) {
    enum { LARGEST_HEADER = 16 };
    if (box->type == AV_RB32("mdat") && box->is_cut) {
        return contains_index(input, box);
    }
    // Until a recording is finished, the box of its media may be stated to be empty, and zeros may follow it.
    bool follows_media = previous->type == AV_RB32("mdat") && previous->size > LARGEST_HEADER;
    // The file may end inside some boxes while a movie is being written.
    bool is_unfinished = box->is_cut && is_among(box->type, "mdat moov moof free skip wide uuid");
    bool is_none = !is_readable_type(box->type) || (box->is_cut && !is_unfinished);
    return follows_media && is_none && (box->type != 0 || box->start < ccover_content_size(input));
}

bool ccover_has_whole_media(const ccover_input *input) {
    enum { MAX_BOXES = 4096 };
    bool is_whole = false;
    int64_t position = 0;
    ccover_box box;
    for (int i = 0; i < MAX_BOXES && ccover_read_box(input, position, input->size, &box); i++) {
        if (box.type == AV_RB32("mdat")) {
            is_whole = !box.is_cut && ccover_read_number(input, position, 4) != 0;
        }
        position = box.end;
    }
    return is_whole;
}

// Whether the file ends inside the header of the box at `position`.
static bool is_cut_in_header(const ccover_input *input, int64_t position) {
    bool is_large = ccover_read_number(input, position, 4) == 1;
    return input->size - position < (is_large ? 16 : 8);
}

// Whether the file type lists a brand (ISO/IEC 14496-12, section 4.3).
static bool has_brand(const ccover_input *input, const ccover_box *file_type, uint32_t brand) {
    enum { MOST_BYTES = 256 };
    int64_t end = FFMIN(file_type->end, file_type->body + MOST_BYTES);
    for (int64_t position = file_type->body; position < end; position += 4) {
        if (ccover_read_number(input, position, 4) == brand) {
            return true;
        }
    }
    return false;
}

bool ccover_is_type_of_picture(const ccover_input *input, const ccover_box *box) {
    return box->type == AV_RB32("ftyp") && (has_brand(input, box, AV_RB32("jp2 ")) ||
                                            (has_brand(input, box, AV_RB32("avif")) &&
                                             !has_brand(input, box, AV_RB32("avis"))));
}

// Whether the file ends after the index at `position`, although fragments belong to it.
static bool is_alone(const ccover_input *input, int64_t position) {
    ccover_box index, extends;
    return ccover_read_box(input, position, input->size, &index) && !index.is_cut && index.end == input->size &&
           ccover_find_box(input, &index, AV_RB32("mvex"), &extends);
}

ccover_movie_index ccover_find_movie_index(const ccover_input *input) {
    // A fragmented movie has many boxes, but its index precedes them.
    enum { MAX_BOXES = 4096 };
    bool has_movie_box = false;
    int64_t position = 0;
    ccover_box box = {0};
    for (int i = 0; i < MAX_BOXES; i++) {
        int64_t type = ccover_read_number(input, position + 4, 4);
        if (type == AV_RB32("moov")) {
            return is_alone(input, position) ? CCOVER_INDEX_ALONE : CCOVER_INDEX_UNKNOWN;
        }
        if (!has_movie_box && is_among((uint32_t)type, "styp sidx moof")) {
            return CCOVER_INDEX_ELSEWHERE; // a fragment follows the index of a movie
        }
        has_movie_box = has_movie_box || is_among((uint32_t)type, "ftyp mdat wide pnot");
        if (is_cut_in_header(input, position)) {
            return has_movie_box ? CCOVER_INDEX_MISSING : CCOVER_INDEX_UNKNOWN;
        }
        ccover_box previous = box;
        bool is_box = ccover_read_box(input, position, input->size, &box);
        int64_t end;
        if (ccover_is_misplaced(input, &box, &previous)) {
            return CCOVER_INDEX_MISPLACED;
        }
        if (!is_box || __builtin_add_overflow(position, box.size, &end)) {
            return CCOVER_INDEX_UNKNOWN;
        }
        if (ccover_is_type_of_picture(input, &box)) {
            return CCOVER_INDEX_NEEDLESS;
        }
        position = box.end;
    }
    return CCOVER_INDEX_UNKNOWN;
}
