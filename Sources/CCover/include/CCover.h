// CCover: the shim between ClipCanvas and FFmpeg.
//
// It opens a clip from a file descriptor, decodes the wanted frame, and converts that frame into the caller's rows,
// upright, in square pixels and in sRGB. It does mechanism; which time, how large and what to try again is decided by
// the caller.
//
// Why opaque: FFmpeg's structs change layout between major versions and their fields have lifetimes of their own. A
// caller that holds one across the wrong call reads freed memory. Here a caller holds one handle, and everything else
// that crosses the boundary is a plain struct copied by value.
//
// Threads: a handle belongs to one thread at a time; different handles may be used by different threads.
// Ownership: `ccover_open` creates a handle, `ccover_close` frees it and clears the caller's pointer. The descriptor
// stays the caller's and must stay open as long as the handle.

#ifndef CCOVER_H
#define CCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// An open clip. Made by `ccover_open`, freed by `ccover_close`.
typedef struct ccover_clip ccover_clip;

// Where in the work an error arose.
typedef enum ccover_stage {
    CCOVER_STAGE_NONE = 0,
    CCOVER_STAGE_OPEN,           // reading the container's header
    CCOVER_STAGE_PROBE,          // recognising the container, or reading on for the streams' facts
    CCOVER_STAGE_SELECT_STREAM,  // choosing the video stream
    CCOVER_STAGE_OPEN_DECODER,   // finding and opening its decoder
    CCOVER_STAGE_SEEK,           // going to the wanted time
    CCOVER_STAGE_DECODE,         // reading packets and decoding frames
    CCOVER_STAGE_CONVERT,        // scaling and converting into the caller's rows
    CCOVER_STAGE_ENCODE,         // compressing a picture
} ccover_stage;

// What was wrong.
typedef enum ccover_cause {
    CCOVER_CAUSE_NONE = 0,
    CCOVER_CAUSE_EMPTY,              // the file holds no byte
    CCOVER_CAUSE_UNRECOGNISED,       // no container is recognised in it
    CCOVER_CAUSE_REFUSED,            // a container or codec that is not on the allow-list
    CCOVER_CAUSE_NO_VIDEO_STREAM,    // only sound, subtitles or artwork
    CCOVER_CAUSE_UNSUPPORTED_CODEC,  // no decoder in these libraries
    CCOVER_CAUSE_DAMAGED,            // the data contradicts itself
    CCOVER_CAUSE_TRUNCATED,          // the data ends before the first frame
    CCOVER_CAUSE_NO_FRAME,           // read to the end, and no frame came out
    CCOVER_CAUSE_TOO_LARGE,          // more pixels than the limit
    CCOVER_CAUSE_UNSUPPORTED_PIXELS, // a pixel format that cannot be converted
    CCOVER_CAUSE_INPUT_OUTPUT,       // the descriptor could not be read
    CCOVER_CAUSE_OUT_OF_MEMORY,
    CCOVER_CAUSE_TIMED_OUT,          // the deadline passed
    CCOVER_CAUSE_MISUSE,             // a call out of order, or an argument out of range
} ccover_cause;

// What a call reports when it does not give 0. Owned by the caller, who may pass the same one again.
typedef struct ccover_error {
    ccover_stage stage;
    ccover_cause cause;
    int32_t code;      // FFmpeg's own code (AVERROR), 0 when FFmpeg gave none
    char message[512]; // one line of UTF-8, ends with FFmpeg's last log line where it wrote one
} ccover_error;

// Whether artwork, such as the cover of an album, may be taken for the clip's picture.
typedef enum ccover_embedded {
    CCOVER_EMBEDDED_NEVER = 0,
    CCOVER_EMBEDDED_FALLBACK, // where there is no video stream
    CCOVER_EMBEDDED_PREFER,   // where there is artwork
} ccover_embedded;

// Limits of the work on one clip. A value of 0 means "no limit" except where said.
typedef struct ccover_limits {
    int64_t deadline_microseconds; // for everything done with the handle, counted from `ccover_open`
    int64_t max_pixels;            // of one decoded frame
    int32_t max_streams;           // a container with more is refused
    int32_t stream;                // the stream to take, counted from 0 over all streams; -1 chooses by itself
    ccover_embedded embedded;      // what to choose among
    bool complete_facts;           // read on until every fact is known; without, a frame may come sooner
} ccover_limits;

// A rational number as FFmpeg keeps it. `den` is 0 when the value is unknown.
typedef struct ccover_rational {
    int32_t num;
    int32_t den;
} ccover_rational;

#define CCOVER_NAME_SIZE 40
static const int64_t ccover_unknown_time = INT64_MIN;

// How pixels are stored and what their values mean, in FFmpeg's names. An empty name is unknown.
typedef struct ccover_colour {
    char pixel_format[CCOVER_NAME_SIZE];
    char matrix[CCOVER_NAME_SIZE];
    char range[CCOVER_NAME_SIZE];
    char transfer[CCOVER_NAME_SIZE];
    char primaries[CCOVER_NAME_SIZE];
} ccover_colour;

// How to show a frame upright: first swap x and y if `transposes`, then mirror left to right if `mirrors_x` and top to
// bottom if `mirrors_y`. The eight combinations are all the symmetries of a rectangle; all false is the identity, which
// also stands for a clip without a display matrix.
typedef struct ccover_orientation {
    bool transposes;
    bool mirrors_x;
    bool mirrors_y;
} ccover_orientation;

// Facts of a clip and of its chosen video stream, known once it is open. Names are FFmpeg's; an empty name is unknown.
typedef struct ccover_clip_facts {
    char container[CCOVER_NAME_SIZE];
    char major_brand[CCOVER_NAME_SIZE]; // of an MP4 or MOV
    char codec[CCOVER_NAME_SIZE];
    ccover_colour colour;
    int32_t stream_index;
    int32_t video_streams;      // artwork not counted
    int32_t audio_streams;
    int32_t artwork_streams;    // attached pictures
    int32_t stored_width;       // pixels, as the container or codec tells; the decoded frame has the last word
    int32_t stored_height;
    ccover_rational sample_aspect_ratio;
    ccover_rational frame_rate; // frames a second, the average; the nominal one where that is unknown
    int64_t duration_microseconds; // of the video stream, else of the container; ccover_unknown_time
    int64_t bit_rate;           // bits a second of the whole clip, 0 when unknown
    ccover_orientation orientation; // by the container's display matrix
} ccover_clip_facts;

// Facts about the decoded frame.
typedef struct ccover_frame_facts {
    ccover_colour colour;
    int32_t width;  // pixels, stored orientation, after the codec's cropping
    int32_t height;
    ccover_rational sample_aspect_ratio; // by av_guess_sample_aspect_ratio; den 0 when unknown
    ccover_rational time_base;           // seconds a tick of the two times below
    int64_t timestamp;                   // presentation time in ticks, ccover_unknown_time when the clip has none
    int64_t start;                       // of the stream, in ticks; 0 when unknown
    bool has_alpha;
    bool is_last;               // the clip ended with it; known only after `ccover_decode_at`
    bool assumes_matrix;        // YUV without a usable matrix tag: BT.601 is taken
    bool is_key_frame;
    bool is_interlaced;
    bool is_corrupt;            // the decoder says it had to guess
    bool is_tone_mapped;        // the transfer is PQ or HLG, and `ccover_render` gives SDR
    int32_t dolby_vision_profile; // 0 for none
    bool lacks_base_layer;      // Dolby Vision without a picture that can be shown by itself: the colours are wrong
    ccover_orientation orientation; // by the frame's display matrix, otherwise the container's
    bool orientation_ignored;   // the display matrix is singular or oblique, so `orientation` is the identity
} ccover_frame_facts;

// What was done so far with a handle; for tests that must not look at a clock.
typedef struct ccover_counters {
    int64_t bytes_read;
    int64_t seeks;
    int64_t packets_read;
    int64_t frames_decoded;
    int64_t decode_errors; // packets the decoder refused
} ccover_counters;

// How `ccover_render` writes a pixel.
typedef enum ccover_layout {
    CCOVER_RGB8 = 0, // 3 bytes: red, green, blue
    CCOVER_RGBA8,    // 4 bytes: red, green, blue, alpha (not premultiplied)
    CCOVER_RGB16,    // 3 numbers of 16 bits, in the machine's byte order
    CCOVER_RGBA16,   // 4 numbers of 16 bits
} ccover_layout;

// Versions of the libraries loaded at run time, as "59.27.100".
typedef struct ccover_versions {
    char avformat[CCOVER_NAME_SIZE];
    char avcodec[CCOVER_NAME_SIZE];
    char avutil[CCOVER_NAME_SIZE];
    char swscale[CCOVER_NAME_SIZE];
} ccover_versions;

// Opens the clip behind `descriptor`, a file open for reading. A regular file is read with `pread`, so the
// descriptor's own offset is neither used nor moved; anything else is read once, from where it stands.
// Gives 0 and a handle in `*clip`, or -1, NULL in `*clip` and `*error` filled.
int ccover_open(int descriptor, const ccover_limits *_Nonnull limits, ccover_clip *_Nullable *_Nonnull clip,
                ccover_error *_Nonnull error);

// Frees a handle and sets `*clip` to NULL. A NULL handle is left alone.
void ccover_close(ccover_clip *_Nullable *_Nonnull clip);

// Facts as the container and its headers tell them.
void ccover_get_clip_facts(const ccover_clip *_Nonnull clip, ccover_clip_facts *_Nonnull facts);

// What may be left out to have the first frame sooner.
typedef enum ccover_haste {
    CCOVER_HASTE_NONE = 0,
    // The step that smooths the edges of blocks, in the codecs that have one. In a cover of half the size that is hardly
    // seen; but a frame that is made from others adds up what those lack, so the caller looks at `is_key_frame` and the
    // counter of frames.
    CCOVER_HASTE_NO_LOOP_FILTER = 1,
    // Everything behind the first frame: none of the frames that follow will be asked for.
    CCOVER_HASTE_ONE_FRAME = 2,
} ccover_haste;

// Decodes the first presented frame and keeps it in the handle. A frame that the decoder had to guess at is passed
// over while a clean one may still come; `is_corrupt` in the facts tells when none came. `haste` is a set.
// Gives 0, or -1 and `*error` filled. To be called once a handle, as this or as `ccover_decode_at`.
int ccover_decode_first(ccover_clip *_Nonnull clip, ccover_haste haste, ccover_frame_facts *_Nonnull facts,
                        ccover_error *_Nonnull error);

// Decodes the frame presented at `microseconds` after the stream's start: the last whose presentation time is not
// later. A time past the end gives the last frame.
// Gives 0, or -1 and `*error` filled.
int ccover_decode_at(ccover_clip *_Nonnull clip, int64_t microseconds, ccover_frame_facts *_Nonnull facts,
                     ccover_error *_Nonnull error);

// Decodes the frame that is presented after the one kept, and keeps it instead.
// Gives 0, 1 when there is none (the one kept stays), as always after CCOVER_HASTE_ONE_FRAME, or -1 and `*error` filled.
int ccover_decode_next(ccover_clip *_Nonnull clip, ccover_frame_facts *_Nonnull facts, ccover_error *_Nonnull error);

// Bytes that one row of `width` pixels must have room for, padding included: FFmpeg's vector code writes past the
// last pixel of a row. A picture needs `height` such rows and CCOVER_TAIL_PADDING bytes after the last.
size_t ccover_row_bytes(int32_t width, ccover_layout layout);
#define CCOVER_TAIL_PADDING 64

// Scales and converts the decoded frame to `width` × `height` pixels, counted upright, into the caller's rows. HDR is
// mapped to SDR.
// `rows` is aligned to 64 bytes and `row_bytes` is at least `ccover_row_bytes(width, layout)` and below 2 GiB.
// An interlaced frame is deinterlaced first if `deinterlaces`, where its pixel format allows that.
// `is_opaque` tells whether every alpha value written is the largest (true for layouts without alpha).
// Gives 0, or -1 and `*error` filled. May be called several times for one frame.
int ccover_render(ccover_clip *_Nonnull clip, int32_t width, int32_t height, ccover_layout layout, bool deinterlaces,
                  uint8_t *_Nonnull rows, size_t row_bytes, bool *_Nonnull is_opaque, ccover_error *_Nonnull error);

// A part of a picture, in pixels counted upright from its top left corner.
typedef struct ccover_part {
    int32_t left;
    int32_t top;
    int32_t width;
    int32_t height;
} ccover_part;

// As `ccover_render`, but writes only a part of the picture of `width` × `height` pixels, which lies inside of it; the
// rows are those of the part. Where most of the frame would be scaled for nothing, that is left out first, and what is
// shown may be half a pixel off.
// Gives 0, or -1 and `*error` filled.
int ccover_render_part(ccover_clip *_Nonnull clip, int32_t width, int32_t height, ccover_part part,
                       ccover_layout layout, bool deinterlaces, uint8_t *_Nonnull rows, size_t row_bytes,
                       bool *_Nonnull is_opaque, ccover_error *_Nonnull error);

// How `ccover_encode` compresses a picture.
typedef enum ccover_encoding {
    CCOVER_JPEG = 0, // JFIF, full range, BT.601; transparency is laid on black
    CCOVER_WEBP,     // lossy; transparency is kept
} ccover_encoding;

// Compresses a picture, as `ccover_render` makes it, into memory. `quality` is 1 to 100; for a JPEG it means what it
// means to the Independent JPEG Group's library, and from 90 on the colours are kept at full size.
// Gives 0 and `*bytes` to free with `ccover_free_bytes`, or -1, NULL and `*error` filled. The same picture gives the
// same bytes. May be called from any thread.
int ccover_encode(const uint8_t *_Nonnull rows, size_t row_bytes, int32_t width, int32_t height, ccover_layout layout,
                  ccover_encoding encoding, int32_t quality, uint8_t *_Nullable *_Nonnull bytes,
                  size_t *_Nonnull count, ccover_error *_Nonnull error);

// Frees what `ccover_encode` gave and sets `*bytes` to NULL.
void ccover_free_bytes(uint8_t *_Nullable *_Nonnull bytes);

void ccover_get_counters(const ccover_clip *_Nonnull clip, ccover_counters *_Nonnull counters);

// May be called from any thread at any time.
void ccover_get_versions(ccover_versions *_Nonnull versions);

#ifdef __cplusplus
}
#endif

#endif
