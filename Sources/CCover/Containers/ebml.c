// Finding elements of a Matroska or WebM file (RFC 8794, EBML, and RFC 9559). They are read from the descriptor, next
// to FFmpeg, and only where FFmpeg does not expose what they contain.

#include "Containers/containers.h"

#include <limits.h>

enum {
    SEGMENT = 0x18538067,
    CLUSTER = 0x1f43b675,
    TRACKS = 0x1654ae6b,
    TRACK = 0xae,
    TRACK_TYPE = 0x83, // 1 for video
    TRACK_NUMBER = 0xd7,
    CONTENT_ENCODINGS = 0x6d80,
    CONTENT_ENCODING = 0x6240,
    VIDEO = 0xe0,
    CROP_BOTTOM = 0x54aa,
    CROP_TOP = 0x54bb,
    CROP_LEFT = 0x54cc,
    CROP_RIGHT = 0x54dd,
    SHOWN_WIDTH = 0x54b0, // DisplayWidth
    SHOWN_HEIGHT = 0x54ba,
    SHOWN_UNIT = 0x54b2, // 0 for pixels, 4 for unknown
    WIDTH = 0xb0, // PixelWidth
    HEIGHT = 0xba,
    STEREO_MODE = 0x53b8,
    INFO = 0x1549a966,
    TIMESTAMP_SCALE = 0x2ad7b1, // nanoseconds per tick
    CLUSTER_TIMESTAMP = 0xe7,
    SIMPLE_BLOCK = 0xa3,
    BLOCK_GROUP = 0xa0,
    BLOCK = 0xa1,
    CONTENT_ENCODING_TYPE = 0x5033, // 0 for compression, 1 for encryption
    CUES = 0x1c53bb6b,
    BLOCK_ADDITIONS = 0x75a1,
    REFERENCE_BLOCK = 0xfb,
    DISCARD_PADDING = 0x75a2,
    BLOCK_DURATION = 0x9b,
};

typedef struct element {
    int64_t id, body, end;
    bool is_open; // its size is unknown, or larger than what is left of its parent
    bool is_unknown; // its size
} element;

// Reads a number of variable length: its first byte begins with as many zero bits as further bytes follow. Returns the
// number of bytes, or 0.
static int read_variable(const ccover_input *input, int64_t position, int max_bytes, int64_t *number) {
    int64_t first = ccover_read_number(input, position, 1);
    int bytes = first > 0 ? 1 + __builtin_clz((unsigned)first << 24) : INT_MAX;
    *number = bytes <= max_bytes ? ccover_read_number(input, position, bytes) : -1;
    return *number < 0 ? 0 : bytes;
}

static bool read_element(const ccover_input *input, int64_t position, int64_t end, element *result) {
    int64_t size;
    int id_bytes = position < end ? read_variable(input, position, 4, &result->id) : 0;
    int size_bytes = id_bytes > 0 ? read_variable(input, position + id_bytes, 8, &size) : 0;
    if (size_bytes == 0) {
        return false;
    }
    int64_t unknown = ((int64_t)1 << (7 * size_bytes)) - 1;
    size &= unknown;
    result->body = position + id_bytes + size_bytes;
    // An element of unknown size, and a truncated element, ends where its parent does.
    result->is_unknown = size == unknown;
    result->is_open = result->is_unknown || size > end - result->body;
    result->end = result->is_open ? end : result->body + size;
    return result->body <= end;
}

// Finds the first child of a type from `position` on. The search ends at the first cluster.
static bool find_element(const ccover_input *input, int64_t position, int64_t end, int64_t id, element *result) {
    enum { MAX_CHILDREN = 256 };
    for (int i = 0; i < MAX_CHILDREN && read_element(input, position, end, result); i++) {
        if (result->id == id || result->id == CLUSTER) {
            return result->id == id;
        }
        position = result->end;
    }
    return false;
}

static bool find_in_segment(const ccover_input *input, int64_t id, element *result) {
    element segment;
    return find_element(input, 0, input->size, SEGMENT, &segment) &&
           find_element(input, segment.body, segment.end, id, result);
}

static int64_t number_in(const ccover_input *input, const element *parent, int64_t id) {
    element child;
    bool found = find_element(input, parent->body, parent->end, id, &child) && child.end - child.body <= 8;
    return found ? ccover_read_number(input, child.body, (int)(child.end - child.body)) : -1;
}

// Whether an encoding of the track's frames is encryption.
static bool is_encrypted(const ccover_input *input, const element *track) {
    element encodings, encoding;
    if (!find_element(input, track->body, track->end, CONTENT_ENCODINGS, &encodings)) {
        return false;
    }
    for (int64_t rest = encodings.body; find_element(input, rest, encodings.end, CONTENT_ENCODING, &encoding);
         rest = encoding.end) {
        if (number_in(input, &encoding, CONTENT_ENCODING_TYPE) == 1) {
            return true;
        }
    }
    return false;
}

// Finds a video track, counted from 0.
static bool find_video_track(const ccover_input *input, int video_track, element *track) {
    element all = {0};
    bool is_there = find_in_segment(input, TRACKS, &all);
    for (int64_t rest = all.body; is_there && find_element(input, rest, all.end, TRACK, track); rest = track->end) {
        if (number_in(input, track, TRACK_TYPE) == 1 && video_track-- == 0) {
            return true;
        }
    }
    return false;
}

bool ccover_matroska_is_encrypted(const ccover_input *input, int video_track) {
    element track;
    return find_video_track(input, video_track, &track) && is_encrypted(input, &track);
}

// The number in a child, or 0 without one, or if it is too large.
static int64_t small_number_in(const ccover_input *input, const element *parent, int64_t id) {
    int64_t number = number_in(input, parent, id);
    return number > 0 && number <= INT32_MAX ? number : 0;
}

// Sets the display size of the part. A side without an element is that of the part, if the other is in pixels.
static void set_shown_size(const ccover_input *input, const element *video, ccover_crop *crop) {
    enum { PIXELS = 0, UNKNOWN = 4 };
    // The modes whose pictures for both eyes, or columns or rows of these, are beside or below each other. The stated
    // size is that of one picture.
    enum { ACROSS = 1 << 1 | 1 << 8 | 1 << 9 | 1 << 11, DOWN = 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7 };
    int64_t unit = small_number_in(input, video, SHOWN_UNIT);
    int64_t width = small_number_in(input, video, SHOWN_WIDTH), height = small_number_in(input, video, SHOWN_HEIGHT);
    if (unit >= UNKNOWN || (width == 0 && height == 0)) {
        return;
    }
    if (unit == PIXELS && width == 0) {
        width = FFMAX(small_number_in(input, video, WIDTH) - crop->left - crop->right, 0);
    } else if (unit == PIXELS && height == 0) {
        height = FFMAX(small_number_in(input, video, HEIGHT) - crop->top - crop->bottom, 0);
    }
    int mode = 1 << FFMIN(small_number_in(input, video, STEREO_MODE), 30);
    crop->shown_width = (mode & ACROSS) != 0 ? 2 * width : width;
    crop->shown_height = (mode & DOWN) != 0 ? 2 * height : height;
}

bool ccover_matroska_crop(const ccover_input *input, int video_track, ccover_crop *crop) {
    element track, video;
    if (!find_video_track(input, video_track, &track) ||
        !find_element(input, track.body, track.end, VIDEO, &video)) {
        return false;
    }
    *crop = (ccover_crop){
        .left = small_number_in(input, &video, CROP_LEFT),
        .top = small_number_in(input, &video, CROP_TOP),
        .right = small_number_in(input, &video, CROP_RIGHT),
        .bottom = small_number_in(input, &video, CROP_BOTTOM),
    };
    set_shown_size(input, &video, crop);
    crop->is_stated = crop->left + crop->top + crop->right + crop->bottom > 0;
    return crop->is_stated;
}

ccover_extent ccover_extent_of_matroska(const ccover_input *input) {
    element segment, tracks;
    if (!find_element(input, 0, input->size, SEGMENT, &segment)) {
        return CCOVER_EXTENT_CUT_IN_HEADER;
    }
    bool has_tracks = find_element(input, segment.body, segment.end, TRACKS, &tracks) && !tracks.is_open;
    if (!has_tracks && segment.is_open) {
        return CCOVER_EXTENT_CUT_IN_HEADER;
    }
    if (segment.is_unknown) {
        return CCOVER_EXTENT_UNFINISHED;
    }
    return segment.is_open ? CCOVER_EXTENT_CUT : CCOVER_EXTENT_WHOLE;
}

int64_t ccover_matroska_segment_end(const ccover_input *input) {
    element segment;
    return find_element(input, 0, input->size, SEGMENT, &segment) ? segment.end : input->size;
}

// Adds a block, whose cluster starts at a time.
static void add_block(const ccover_input *input, const element *block, int64_t start, int64_t video,
                      ccover_last_blocks *blocks) {
    element inner = *block;
    if (block->id == BLOCK_GROUP && !find_element(input, block->body, block->end, BLOCK, &inner)) {
        return;
    }
    int64_t number = 0, time;
    int bytes = inner.id == SIMPLE_BLOCK || inner.id == BLOCK ? read_variable(input, inner.body, 1, &number) : 0;
    int64_t distance = bytes > 0 ? ccover_read_number(input, inner.body + bytes, 2) : -1;
    if (start < 0 || distance < 0 || __builtin_add_overflow(start, (int16_t)distance, &time)) {
        return;
    }
    blocks->latest_of_any = FFMAX(blocks->latest_of_any, time);
    if ((number & 0x7f) != video) {
        return;
    }
    int64_t duration = block->id == BLOCK_GROUP ? number_in(input, block, BLOCK_DURATION) : -1;
    if (blocks->latest < 0 || time > blocks->latest) {
        blocks->duration = duration < 0 && blocks->latest >= 0 ? av_sat_sub64(time, blocks->latest) : duration;
        blocks->latest = time;
    } else if (time < blocks->latest) {
        // A frame shown earlier, or of an earlier cluster.
        int64_t step = av_sat_sub64(blocks->latest, time);
        blocks->duration = blocks->duration < 0 ? step : FFMIN(blocks->duration, step);
    }
}

bool ccover_matroska_add_blocks(const ccover_input *input, int64_t position, ccover_last_blocks *blocks) {
    enum { MAX_BLOCKS = 65536 };
    element cluster, child, video, info;
    if (!read_element(input, position, input->size, &cluster) || cluster.id != CLUSTER) {
        return false;
    }
    int64_t start = -1, number = find_video_track(input, 0, &video) ? number_in(input, &video, TRACK_NUMBER) : -1;
    position = cluster.body;
    for (int i = 0; i < MAX_BLOCKS && read_element(input, position, cluster.end, &child); i++) {
        if (child.id == CLUSTER_TIMESTAMP && child.end - child.body <= 8) {
            start = ccover_read_number(input, child.body, (int)(child.end - child.body));
        }
        add_block(input, &child, start, number, blocks);
        position = child.end;
    }
    bool has_video = blocks->latest >= 0;
    int64_t end = has_video ? av_sat_add64(blocks->latest, FFMAX(blocks->duration, 0)) : blocks->latest_of_any;
    int64_t scale = find_in_segment(input, INFO, &info) ? number_in(input, &info, TIMESTAMP_SCALE) : -1;
    bool is_known = end >= 0 && !__builtin_mul_overflow(end, scale > 0 ? scale : 1000000, &end);
    blocks->end = is_known ? end / 1000 : -1;
    return start >= 0 && has_video && blocks->duration >= 0;
}

bool ccover_matroska_goes_on(const ccover_input *input, const AVPacket *packet) {
    enum { TIME_AND_FLAGS = 3 };
    static const int64_t ids[] = {CLUSTER, CUES, SIMPLE_BLOCK, BLOCK_GROUP, BLOCK_ADDITIONS, BLOCK_DURATION,
                                  REFERENCE_BLOCK, DISCARD_PADDING};
    int64_t track;
    int bytes = packet->pos < 0 ? 0 : read_variable(input, packet->pos, 8, &track);
    int64_t end = packet->pos + bytes + TIME_AND_FLAGS + packet->size;
    element next = {0};
    bool is_listed = false, is_there = bytes > 0 && read_element(input, end, input->size, &next);
    for (size_t i = 0; i < FF_ARRAY_ELEMS(ids); i++) {
        is_listed = is_listed || next.id == ids[i];
    }
    return is_there && is_listed;
}
