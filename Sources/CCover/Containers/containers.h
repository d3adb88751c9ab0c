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

// The protection of the samples that refer to one sample entry of an MP4 track; a sample group may override it.
typedef struct ccover_sample_entry {
    bool is_protected;
    char scheme[5]; // such as "cenc"; empty if unknown
} ccover_sample_entry;

enum { CCOVER_MAX_ENTRIES = 8 };

// The protection of an MP4 track.
typedef struct ccover_protection {
    int track, entry_count;
    ccover_sample_entry entries[CCOVER_MAX_ENTRIES];
    ccover_box samples; // the sample table (`stbl`)
} ccover_protection;

// The part of the frames that the container states to be shown.
typedef struct ccover_crop {
    bool is_stated;
    int64_t left, top, right, bottom; // pixels that are not shown, at most INT32_MAX
    int64_t shown_width, shown_height; // of the part, in any unit, at most 2 * INT32_MAX; 0 if unknown
    int64_t whole_height; // frames of another height are shown whole; 0 for frames of any height
} ccover_crop;

// isobmff.c
// Reads a big-endian number of up to 8 bytes from the file, without FFmpeg. Returns -1 if it is not there,
// or the deadline has passed.
int64_t ccover_read_number(const ccover_input *input, int64_t position, int bytes);
// Reads the header of the box at `position`, which lies before `end`. Returns false if the box is not valid.
bool ccover_read_box(const ccover_input *input, int64_t position, int64_t end, ccover_box *box);
// Finds the first box of a type in another one. `parent` may be a file, from 0 to its size.
bool ccover_find_box(const ccover_input *input, const ccover_box *parent, uint32_t type, ccover_box *box);
// Finds a box by the types on the path to it, such as "mdia minf".
bool ccover_find_inner_box(const ccover_input *input, const ccover_box *parent, const char *path, ccover_box *box);
// Finds a track by its number.
bool ccover_find_track(const ccover_input *input, int track, ccover_box *box);
// Whether the first sample entry of a track refers to media in another file.
bool ccover_is_external(const ccover_input *input, int track);
// Whether bytes are missing or were inserted before the index: what was read after the media box (`previous`) cannot be
// a box, or the media should continue past the end of the file although an index ends it.
bool ccover_is_misplaced(const ccover_input *input, const ccover_box *box, const ccover_box *previous);
// Whether the last box of media states its size, and ends inside the file.
bool ccover_has_whole_media(const ccover_input *input);
// Whether a box is the file type of an AVIF or JPEG 2000 picture, rather than of a sequence, which is a movie.
bool ccover_is_type_of_picture(const ccover_input *input, const ccover_box *box);
// The place of the index (`moov`) of a movie, which cameras write last.
typedef enum ccover_movie_index {
    CCOVER_INDEX_UNKNOWN = 0, // the file is not a movie, or has an index
    CCOVER_INDEX_MISSING,     // the file consists of a movie's boxes and ends without an index
    CCOVER_INDEX_MISPLACED,   // no box is found where the media should end, or an index before that
    CCOVER_INDEX_ELSEWHERE,   // the file begins with a fragment, which follows the index
    CCOVER_INDEX_NEEDLESS,    // the file is a picture, which has none
    CCOVER_INDEX_ALONE,       // the file ends after an index that announces fragments
} ccover_movie_index;
ccover_movie_index ccover_find_movie_index(const ccover_input *input);

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
// The last blocks of the tracks of a Matroska file, in ticks. The number of a track is its lowest bits.
enum { CCOVER_MAX_BLOCK_TRACKS = 16 };
typedef struct ccover_block_times {
    bool is_known;
    int64_t latest;
    int64_t duration; // of the latest block, or else the distance from the one shown before; -1 if unknown
} ccover_block_times;
typedef struct ccover_last_blocks {
    ccover_block_times tracks[CCOVER_MAX_BLOCK_TRACKS];
    int64_t end; // of those of the first video track, or else of all, in microseconds; -1 if unknown
} ccover_last_blocks;
// Adds the blocks of the cluster at a position in the file. Returns whether the durations of all last ones are known.
bool ccover_matroska_add_blocks(const ccover_input *input, int64_t position, ccover_last_blocks *blocks);
// Whether another block, or what follows the last one, is found where the packet's block ends. Never for packets that
// are not stored as they are, such as compressed ones.
bool ccover_matroska_goes_on(const ccover_input *input, const AVPacket *packet);
// Whether the frames of a Matroska video track, counted from 0, are encrypted.
bool ccover_matroska_is_encrypted(const ccover_input *input, int video_track);

// Stores the pixels of a Matroska video track, counted from 0, that are not shown. Returns false if all are.
bool ccover_matroska_crop(const ccover_input *input, int video_track, ccover_crop *crop);

// mxf.c
// Reads which part of frames of a size the descriptor of the pictures states to be shown. Returns false without one.
bool ccover_mxf_crop(const ccover_input *input, int64_t width, int64_t height, ccover_crop *crop);

// duration_at_end.c
// The latest time in a Matroska or FLV file or an APNG, in microseconds, or ccover_unknown_time; that of another
// container is unknown. Stores the end of the last frame, which in FLV differs from it. Reads the end of the file.
int64_t ccover_last_time(const ccover_input *input, const char *container, int64_t *frame_end);

// movie_protection.c
// Reads how the samples of a track are protected. Returns false if that cannot be found.
bool ccover_read_movie_protection(const ccover_input *input, int track, ccover_protection *protection);
// Whether the samples of any entry are protected.
bool ccover_has_protected_entry(const ccover_protection *protection);
// Whether the sample at a position in the file is protected.
bool ccover_is_sample_protected(const ccover_input *input, const ccover_protection *protection, AVStream *stream,
                                int64_t position);

#endif
