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
    bool is_valid = head >= 0 && size >= header && !__builtin_add_overflow(position, size, &box->end);
    box->is_cut = box->end > end;
    box->end = FFMIN(box->end, end);
    return is_valid;
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
    ccover_box file = {.end = input->size}, movie = {0};
    bool is_there = ccover_find_box(input, &file, AV_RB32("moov"), &movie);
    for (int64_t rest = movie.body; is_there && ccover_read_box(input, rest, movie.end, box); rest = box->end) {
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

int64_t ccover_track_end(const ccover_input *input, int track) {
    enum { MAX_BYTES = 1 << 14 };
    ccover_box file = {.end = input->size}, movie, box, list;
    if (!ccover_find_inner_box(input, &file, "moov mvhd", &movie) || !ccover_find_track(input, track, &box) ||
        !ccover_find_inner_box(input, &box, "edts elst", &list) || list.size > MAX_BYTES) {
        return ccover_unknown_time;
    }
    // The scale follows two times, whose size depends on the version, as that of an edit's numbers does.
    int field = ccover_read_number(input, movie.body, 1) == 1 ? 8 : 4;
    int64_t scale = ccover_read_number(input, movie.body + 4 + 2 * field, 4), sum = 0;
    field = ccover_read_number(input, list.body, 1) == 1 ? 8 : 4;
    for (int64_t edit = list.body + 8; edit < list.end; edit += 2 * field + 4) {
        sum = av_sat_add64(sum, FFMAX(ccover_read_number(input, edit, field), 0));
    }
    return scale > 0 ? av_rescale(sum, AV_TIME_BASE, scale) : ccover_unknown_time;
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

bool ccover_is_track_protected(const ccover_input *input, int track, char scheme[5], bool *is_common) {
    enum { VISUAL_BYTES = 78 };
    ccover_box box, table, part;
    if (!ccover_find_track(input, track, &box) || !ccover_find_inner_box(input, &box, "mdia minf stbl stsd", &table)) {
        return false;
    }
    for (int64_t rest = table.body + 8; ccover_read_box(input, rest, table.end, &box); rest = box.end) {
        ccover_box inner = {.body = box.body + VISUAL_BYTES, .end = box.end};
        bool is_marked = box.type == AV_RB32("encv") || box.type == AV_RB32("drmi");
        *is_common = box.type == AV_RB32("encv") && ccover_find_inner_box(input, &inner, "sinf schi tenc", &part);
        if (!is_marked || (*is_common && ccover_read_number(input, part.body + 6, 1) == 0)) {
            continue;
        }
        bool is_named = ccover_find_inner_box(input, &inner, "sinf schm", &part);
        for (int i = 0; i < 4; i++) {
            int64_t letter = is_named ? ccover_read_number(input, part.body + 4 + i, 1) : 0;
            scheme[i] = letter > 0x20 && letter < 0x7f ? (char)letter : '\0';
        }
        return true;
    }
    return false;
}

// MARK: The boxes of a file

// Whether a type consists of letters, digits and spaces, as those of all known boxes do. Reserved space is zero.
static bool is_readable_type(uint32_t type) {
    for (int shift = 0; shift < 32 && type != 0; shift += 8) {
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

ccover_movie_layout ccover_layout_of(const ccover_input *input) {
    enum { MAX_BOXES = 4096 };
    ccover_movie_layout layout = {.is_whole = true};
    ccover_box box = {0}, extends;
    for (int i = 0; i < MAX_BOXES && layout.is_whole && !layout.is_damaged && box.end < input->size; i++) {
        int64_t position = box.end, head = ccover_read_number(input, position, 4) == 1 ? 16 : 8;
        bool is_box = ccover_read_box(input, position, input->size, &box);
        uint32_t type = layout.last = is_box ? box.type : 0;
        layout.is_whole = is_box && !box.is_cut;
        layout.is_damaged = input->size - position >= head && (!is_box || !is_readable_type(type));
        layout.is_segment = layout.is_segment || (!layout.is_movie && is_among(type, "styp sidx moof"));
        layout.is_movie = layout.is_movie || is_among(type, "ftyp mdat wide pnot moov");
        uint32_t brand = type == AV_RB32("ftyp") ? (uint32_t)ccover_read_number(input, box.body, 4) : 0;
        layout.is_picture = layout.is_picture || is_among(brand, "avif jp2 ");
        layout.has_index = layout.has_index || (layout.is_whole && (type == AV_RB32("moov") ||
                                                                    (layout.is_picture && type == AV_RB32("meta"))));
        if (type == AV_RB32("moov")) {
            layout.awaits_fragments = ccover_find_box(input, &box, AV_RB32("mvex"), &extends);
        } else if (type == AV_RB32("moof")) {
            layout.awaits_fragments = false;
        } else if (type == AV_RB32("mdat")) {
            layout.has_whole_media = layout.is_whole && ccover_read_number(input, position, 4) != 0;
        }
    }
    layout.is_damaged = layout.is_damaged || (layout.is_whole && box.end < input->size);
    return layout;
}
