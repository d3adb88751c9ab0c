// Reading parts of containers from the descriptor, next to FFmpeg.

#ifndef CCOVER_CONTAINERS_H
#define CCOVER_CONTAINERS_H

#include "Support/support.h"

// The names of FFmpeg's demuxers.
#define CCOVER_MOVIE "mov,mp4,m4a,3gp,3g2,mj2"
#define CCOVER_MATROSKA "matroska,webm"

// A box of an MP4 or MOV file, as positions in the file.
typedef struct ccover_box {
    uint32_t type; // big-endian, as returned by AV_RB32()
    int64_t start;
    int64_t body;  // after the box's header
    int64_t end;
    int64_t size;  // as stated
    bool is_cut;   // the box should be longer than its parent or the file, where `end` is
} ccover_box;

// The part of the frames that the container states to be shown.
typedef struct ccover_crop {
    bool is_stated;
    int64_t left, top, right, bottom; // pixels that are not shown, at most INT32_MAX
    int64_t shown_width, shown_height; // of the part, in any unit, at most 2 * INT32_MAX; 0 if unknown
    int64_t whole_height; // frames of another height are shown whole; 0 for frames of any height
} ccover_crop;

// isobmff.c
// Reads a big-endian number of up to 8 bytes. Returns -1 if it is not there, or the deadline has passed.
int64_t ccover_read_number(const ccover_input *input, int64_t position, int bytes);
// Reads the header of the box at `position`, which lies before `end`. Returns false if the box is not valid.
bool ccover_read_box(const ccover_input *input, int64_t position, int64_t end, ccover_box *box);
// `parent` may be a file, from 0 to its size.
bool ccover_find_box(const ccover_input *input, const ccover_box *parent, uint32_t type, ccover_box *box);
// The path is one of types, such as "mdia minf".
bool ccover_find_inner_box(const ccover_input *input, const ccover_box *parent, const char *path, ccover_box *box);
bool ccover_find_track(const ccover_input *input, int track, ccover_box *box);
// When the edits of a track end, in microseconds; ccover_unknown_time without a list. An edit without a length, as
// fragments have, counts as none.
int64_t ccover_track_end(const ccover_input *input, int track);
// Whether the first sample entry of a track refers to media in another file.
bool ccover_is_external(const ccover_input *input, int track);
// Whether the samples of a sample entry of an MP4 track are protected. Stores the scheme, such as "cenc"; empty if
// unknown; and whether that is described as Common Encryption (ISO/IEC 23001-7) has it.
bool ccover_is_track_protected(const ccover_input *input, int track, char scheme[5], bool *is_common);
// The boxes of a file, one after the other.
typedef struct ccover_movie_layout {
    bool is_movie, is_picture; // the latter for AVIF and JPEG 2000, not for sequences
    bool is_segment;           // it begins with a fragment, whose index is another file
    bool is_whole;             // the last box ends with the file
    bool is_damaged;           // something that is not a box follows a box
    bool has_index;            // a whole one (`moov`), or that of a picture (`meta`)
    bool awaits_fragments;     // the index announces some, and none follows
    bool has_whole_media;      // the last box of media states its size, and ends inside the file
    uint32_t last;             // the type of the last box
} ccover_movie_layout;
ccover_movie_layout ccover_layout_of(const ccover_input *input);

// extent.c
// Whether a file contains all of its clip.
typedef enum ccover_extent {
    CCOVER_EXTENT_UNKNOWN = 0,    // not examined, or not stated by the container
    CCOVER_EXTENT_WHOLE,
    CCOVER_EXTENT_CUT,            // the file ends, or only zeros follow, before the clip does
    CCOVER_EXTENT_CUT_IN_HEADER,  // the streams are not completely described, either
    CCOVER_EXTENT_UNFINISHED,     // the end was never stated, as while a recording is running, or in one for a pipe
} ccover_extent;
ccover_extent ccover_extent_of(const ccover_input *input, int64_t content_size, const char *container);
// The size of a file without the zeros at its end, if there are many: space that was reserved for a recording.
int64_t ccover_content_size(const ccover_input *input);

// ebml.c
ccover_extent ccover_extent_of_matroska(const ccover_input *input);
// The end of the segment of a Matroska file; the size of the file if the segment's size is unknown.
int64_t ccover_matroska_segment_end(const ccover_input *input);
// The last blocks of a Matroska file, in ticks; -1 if unknown.
typedef struct ccover_last_blocks {
    int64_t latest;   // of the first video track
    int64_t duration; // of that block, or else the distance from the one shown before
    int64_t latest_of_any;
    int64_t end;      // of the video, or else the latest block of all, in microseconds
} ccover_last_blocks;
// Adds the blocks of the cluster at a position in the file. Returns whether the duration of the last one is known.
bool ccover_matroska_add_blocks(const ccover_input *input, int64_t position, ccover_last_blocks *blocks);
// Whether another element is found where the packet's block ends; never for packets that are stored compressed.
bool ccover_matroska_goes_on(const ccover_input *input, const AVPacket *packet);
bool ccover_matroska_is_encrypted(const ccover_input *input, int video_track);
// Stores the pixels of a Matroska video track, counted from 0, that are not shown. Returns false if all are.
bool ccover_matroska_crop(const ccover_input *input, int video_track, ccover_crop *crop);

// mxf.c
// Reads which part of frames of a size the descriptor of the pictures states to be shown. Returns false without one.
bool ccover_mxf_crop(const ccover_input *input, int64_t width, int64_t height, ccover_crop *crop);

// duration_at_end.c
// The latest time in a Matroska or FLV file or a track of a movie, in microseconds, or ccover_unknown_time; that of
// another container is unknown. Stores the end of the last frame, which in FLV differs from it. Reads the file's end,
// or a movie's index.
int64_t ccover_last_time(const ccover_input *input, const char *container, int track, int64_t *frame_end);

#endif
