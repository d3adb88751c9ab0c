// CCover: the shim between ClipCanvas and FFmpeg.
//
// It opens a clip from a file descriptor, decodes a frame, and converts the frame into the caller's memory: upright,
// with square pixels, in sRGB. The shim provides mechanism only. Which time to decode, which size to render and what to
// retry is decided by the caller.
//
// FFmpeg's structs are not exposed: their layout changes between major versions, and their fields have lifetimes of
// their own. Callers hold an opaque handle; everything else that crosses the boundary is a plain struct copied by
// value.
//
// Threads: a handle may be used by one thread at a time; different handles may be used by different threads.
// Ownership: `ccover_open` creates a handle; `ccover_close` frees it and clears the caller's pointer. The caller owns
// the descriptor and must keep it open for as long as the handle exists.
// NULL: a pointer may be NULL only if it is marked `_Nullable`.
// Errors: unless stated otherwise, a function that takes a `ccover_error` returns 0 on success, and -1 with `*error`
// filled in on failure.

#ifndef CCOVER_H
#define CCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// An open clip.
typedef struct ccover_clip ccover_clip;

// The stage of the work that failed.
typedef enum ccover_stage {
    CCOVER_STAGE_NONE = 0,
    CCOVER_STAGE_OPEN,           // reading the container's header
    CCOVER_STAGE_PROBE,          // recognising the container, or analysing its streams
    CCOVER_STAGE_SELECT_STREAM,  // choosing the video stream
    CCOVER_STAGE_OPEN_DECODER,   // finding and opening the decoder
    CCOVER_STAGE_SEEK,           // seeking to the requested time
    CCOVER_STAGE_DECODE,         // reading packets and decoding frames
    CCOVER_STAGE_CONVERT,        // scaling and converting into the caller's rows
    CCOVER_STAGE_ENCODE,         // compressing a picture
    CCOVER_STAGE_MUX,            // copying streams into another container
} ccover_stage;

// The cause of an error.
typedef enum ccover_cause {
    CCOVER_CAUSE_NONE = 0,
    CCOVER_CAUSE_EMPTY,              // the file is empty
    CCOVER_CAUSE_UNRECOGNISED,       // the container is not recognised
    CCOVER_CAUSE_REFUSED,            // the container or codec is not on the allow list
    CCOVER_CAUSE_NO_VIDEO_STREAM,    // there is only sound, subtitles or artwork
    CCOVER_CAUSE_UNSUPPORTED_CODEC,  // these FFmpeg libraries have no such decoder or encoder
    CCOVER_CAUSE_DAMAGED,            // the data is invalid
    CCOVER_CAUSE_TRUNCATED,          // the data ends in the header or before the first frame
    CCOVER_CAUSE_NO_INDEX,           // an MP4 or MOV file ends without its index
    CCOVER_CAUSE_NO_FRAME,           // the data was read to its end without producing a frame
    CCOVER_CAUSE_TOO_LARGE,          // there are more pixels or streams than allowed, or too little memory for them
    CCOVER_CAUSE_UNSUPPORTED_PIXELS, // the pixel format cannot be converted
    CCOVER_CAUSE_INPUT_OUTPUT,       // reading from the descriptor failed
    CCOVER_CAUSE_OUT_OF_MEMORY,
    CCOVER_CAUSE_TIMED_OUT,          // the deadline passed
    CCOVER_CAUSE_ENCRYPTED,          // the frames are encrypted
    CCOVER_CAUSE_UNFIT_CONTAINER,    // the container that is written cannot hold the streams
    CCOVER_CAUSE_INCOMPATIBLE,       // the streams cannot follow those of another clip, or cannot be copied at all
    CCOVER_CAUSE_SEVERAL_RECORDINGS, // another recording begins in the file
    CCOVER_CAUSE_MISUSE,             // a call out of order, or an argument out of range
} ccover_cause;

// The error of a failed call. The caller owns it and may pass the same one to several calls.
typedef struct ccover_error {
    ccover_stage stage;
    ccover_cause cause;
    int32_t code;      // FFmpeg's error code (AVERROR), or 0 if there is none
    bool has_artwork;  // the clip has artwork that could be used instead of a video stream
    bool is_packed;    // the file is an archive or compressed, and may contain a clip
    bool is_segment;   // the file is a segment of a stream, whose header is another file
    char message[512]; // one line of UTF-8, ending with FFmpeg's last log line if there was a helpful one
} ccover_error;

// Whether artwork, such as an album cover, may be used as the clip's video stream.
typedef enum ccover_embedded {
    CCOVER_EMBEDDED_NEVER = 0,
    CCOVER_EMBEDDED_FALLBACK, // only if there is no video stream
    CCOVER_EMBEDDED_PREFER,   // whenever there is artwork
} ccover_embedded;

// A format of raw streams, which have little to be recognised by.
typedef enum ccover_raw_format {
    CCOVER_RAW_NONE = 0,
    CCOVER_RAW_H261,
    CCOVER_RAW_H263,
    CCOVER_RAW_H264,
    CCOVER_RAW_HEVC,
    CCOVER_RAW_MPEG, // MPEG-1 or MPEG-2
    CCOVER_RAW_MPEG4,
    CCOVER_RAW_MJPEG,
    CCOVER_RAW_OBU,  // AV1
    CCOVER_RAW_VC1,
    CCOVER_RAW_DIRAC,
    CCOVER_RAW_CAVS,
    CCOVER_RAW_DV,
} ccover_raw_format;

// Limits and options for opening a clip. For the first three fields, 0 means "no limit".
typedef struct ccover_limits {
    int64_t deadline_microseconds; // for all work with the handle; see `ccover_set_deadline`
    int64_t max_pixels;            // pixels of one decoded frame
    int32_t max_streams;           // a container with more streams is refused
    int32_t stream;                // index of the stream to decode, counting all streams; -1 for automatic selection
    int32_t programme;             // the number of a transport stream's programme that is read; 0 for all
    ccover_embedded embedded;      // whether automatic selection considers artwork
    int64_t search_bytes;          // that are searched for another recording, if the container states no end
    bool complete_facts;           // read until all facts are known; otherwise, only until a frame can be decoded
    bool seeks;                    // the frame to decode is not the first one, so that times have to be known
    bool all_streams;              // the packets of all streams are wanted, and sound is analysed as well
    bool may_lack_video;           // a clip without video is opened as well, to read only its streams and texts
    ccover_raw_format raw_format;  // assumed if the content is not recognised
} ccover_limits;

// A rational number. `den` is 0 if the value is unknown.
typedef struct ccover_rational {
    int32_t num, den;
} ccover_rational;

#define CCOVER_NAME_SIZE 40
static const int64_t ccover_unknown_time = INT64_MIN;

// The pixel format of a frame and the meaning of its values, as FFmpeg's names. An empty name means "unknown".
typedef struct ccover_colour {
    char pixel_format[CCOVER_NAME_SIZE];
    char matrix[CCOVER_NAME_SIZE], range[CCOVER_NAME_SIZE];
    char transfer[CCOVER_NAME_SIZE], primaries[CCOVER_NAME_SIZE];
} ccover_colour;

// How to show a frame upright: first swap x and y if `transposes`, then mirror left to right if `mirrors_x` and top to
// bottom if `mirrors_y`. The eight combinations are all the symmetries of a rectangle. All false is the identity, which
// also applies to a clip without a display matrix.
typedef struct ccover_orientation {
    bool transposes, mirrors_x, mirrors_y;
} ccover_orientation;

// How the frames of a stream are stored.
typedef struct ccover_frame_format {
    int32_t width, height;               // pixels, before the orientation
    ccover_rational sample_aspect_ratio; // `den` is 0 if unknown
    ccover_orientation orientation;      // from the display matrix of the frame, or else the container's
    ccover_colour colour;
} ccover_frame_format;

// Facts about an open clip and its selected video stream. Names are FFmpeg's; an empty name means "unknown".
typedef struct ccover_clip_facts {
    char container[CCOVER_NAME_SIZE];
    char major_brand[CCOVER_NAME_SIZE]; // only for MP4 and MOV
    char codec[CCOVER_NAME_SIZE];
    ccover_frame_format format;    // by the container or codec; the decoded frame may differ
    int32_t stream_index;
    int32_t video_streams, audio_streams, artwork_streams; // attached pictures count only as artwork
    ccover_rational frame_rate;    // frames per second: the average rate, or the nominal rate if that is unknown
    int64_t duration_microseconds; // of the video stream, or else the container; may be ccover_unknown_time
    int64_t declared_microseconds; // by the header, if the file was cut off before that; otherwise 0
    int64_t bit_rate;              // bits per second of the whole clip; 0 if unknown
    int64_t next_recording;        // where another recording begins in the file, in bytes; -1 if none was found
} ccover_clip_facts;

// The kind of a stream.
typedef enum ccover_stream_kind {
    CCOVER_STREAM_DATA = 0,
    CCOVER_STREAM_VIDEO,
    CCOVER_STREAM_AUDIO,
    CCOVER_STREAM_SUBTITLE,
    CCOVER_STREAM_ATTACHMENT,
    CCOVER_STREAM_ARTWORK, // a picture attached to the clip
} ccover_stream_kind;

// The room for a text of a clip, which is at most a byte shorter.
#define CCOVER_TEXT_SIZE 501

// Facts about a stream of an open clip, given by the container and the codec's headers. Names are FFmpeg's; an empty
// name and 0 mean "unknown" or "does not apply".
typedef struct ccover_stream_facts {
    ccover_stream_kind kind;
    char codec[CCOVER_NAME_SIZE];
    char dispositions[CCOVER_TEXT_SIZE]; // names separated by spaces
    ccover_frame_format format;          // of video and artwork, like the two that follow
    int32_t bit_depth;                   // bits of a component of a pixel
    ccover_rational frame_rate;
    int32_t sample_rate, channels;       // of audio, like the layout; samples per second
    char channel_layout[CCOVER_NAME_SIZE];
} ccover_stream_facts;

// Facts about a decoded frame.
typedef struct ccover_frame_facts {
    ccover_frame_format format;          // after the codec's cropping
    ccover_rational time_base;           // seconds per tick of the four times below
    int64_t timestamp;                   // presentation time in ticks; ccover_unknown_time if the clip has no times
    int64_t end;                         // when another frame is shown, in ticks; ccover_unknown_time if unknown
    int64_t replaced;                    // when the last damaged frame up to the requested time is shown, in ticks, if
                                         // this is an earlier one; otherwise ccover_unknown_time
    int64_t start;                       // start time of the stream in ticks, or of its first packet if unknown
    bool has_alpha;
    bool lacks_alpha;                    // HEVC whose transparency is in a layer that these FFmpeg libraries ignore
    bool is_last;                        // the clip ends with this frame; known only after `ccover_decode_at`
    bool assumes_matrix;                 // YUV without a usable matrix tag, taken as BT.601
    bool is_key_frame, is_interlaced;
    bool is_corrupt;                     // the frame is damaged, or its reference frames are missing
    bool follows_key_frame;              // ccover_decode_on has passed a key frame on the way, or ends at one
    bool is_replacement;                 // the frame at the requested time is damaged; this is an earlier one
    bool is_tone_mapped;                 // the transfer is PQ or HLG, which rendering maps to SDR
    int32_t dolby_vision_profile;        // 0 if the clip is not Dolby Vision
    bool lacks_base_layer;               // Dolby Vision whose base layer cannot be shown on its own: colours are wrong
    bool edits_ignored;                  // the edit list shows no frame
    bool orientation_ignored;            // the display matrix is singular or oblique; the orientation is the identity
} ccover_frame_facts;

// Counters of the work done with a handle, for tests that must not depend on a clock.
typedef struct ccover_counters {
    int64_t bytes_read, seeks;
    int64_t packets_read, frames_decoded;
    int64_t decode_errors;  // packets that the decoder rejected
    int64_t damaged_frames; // frames that were not kept because they are damaged
} ccover_counters;

// The layout of a pixel in memory.
typedef enum ccover_layout {
    CCOVER_RGB8 = 0, // 3 bytes: red, green, blue
    CCOVER_RGBA8,    // 4 bytes: red, green, blue, alpha (not premultiplied)
    CCOVER_RGB16,    // 3 16-bit values in native byte order
    CCOVER_RGBA16,   // 4 16-bit values in native byte order
} ccover_layout;

// A picture in the caller's memory.
typedef struct ccover_picture {
    int32_t width, height;    // pixels
    ccover_layout layout;
    size_t row_bytes;         // bytes from one row to the next
    uint8_t *_Nonnull rows;
} ccover_picture;

// The version of FFmpeg, such as "5.1.9-0+deb12u1", and those of its libraries at run time, such as "59.27.100".
typedef struct ccover_versions {
    char ffmpeg[CCOVER_NAME_SIZE], avformat[CCOVER_NAME_SIZE], avcodec[CCOVER_NAME_SIZE];
    char avutil[CCOVER_NAME_SIZE], swscale[CCOVER_NAME_SIZE];
} ccover_versions;

// Opens the clip of `descriptor`, which must be open for reading. A regular file is read with pread(), so that the
// descriptor's file offset is neither used nor changed; anything else is read sequentially from its current position.
// On success `*clip` is a new handle, to be freed with `ccover_close`; on failure it is NULL.
int ccover_open(int descriptor, const ccover_limits *_Nonnull limits, ccover_clip *_Nullable *_Nonnull clip,
                ccover_error *_Nonnull error);

// Sets the time limit for all further work with the handle; 0 for none.
void ccover_set_deadline(ccover_clip *_Nonnull clip, int64_t microseconds);

// Frees a handle and sets `*clip` to NULL. Does nothing if it already is NULL.
void ccover_close(ccover_clip *_Nullable *_Nonnull clip);

// Stores the facts given by the container and the codec's headers.
void ccover_get_clip_facts(const ccover_clip *_Nonnull clip, ccover_clip_facts *_Nonnull facts);

// Returns the number of streams.
int32_t ccover_stream_count(const ccover_clip *_Nonnull clip);

// Stores the facts of a stream. If the index is out of range, the facts are those of an unknown data stream.
void ccover_get_stream_facts(const ccover_clip *_Nonnull clip, int32_t index, ccover_stream_facts *_Nonnull facts);

// Returns the number of a programme of a transport stream that the stream belongs to, the first one if `index` is 0; 0
// without such a programme.
int32_t ccover_stream_programme(const ccover_clip *_Nonnull clip, int32_t stream, int32_t index);

// Stores a text of a stream, or of the container if `stream` is negative, such as its title. It is cut off if it is too
// long; the rest of `text` is filled with zeros. The bytes are those of the clip and need not be UTF-8. If the key
// ends with -, the first text whose key begins with it is stored. Returns the length of the whole text; 0 without a
// text.
size_t ccover_get_text(const ccover_clip *_Nonnull clip, int32_t stream, const char *_Nonnull key,
                       char text[_Nonnull CCOVER_TEXT_SIZE]);

// Decodes the first frame in presentation order and keeps it in the handle. Damaged frames, and frames predicted from
// them, are skipped as long as an intact one may follow; if none does, the best damaged frame is kept and `is_corrupt`
// is set. May be called only once, and before it nothing else may have been decoded.
// The sides of the stored frame are at least `reduction` times as long as those of the cover; 1 for an exact frame. For
// a small cover the loop filter is skipped, and some codecs decode a smaller frame, provided that the first packets
// hold a whole frame that depends on no others.
int ccover_decode_first(ccover_clip *_Nonnull clip, int32_t reduction, ccover_frame_facts *_Nonnull facts,
                        ccover_error *_Nonnull error);

// Decodes the frame shown `microseconds` after the start of the stream, that is, the last frame whose presentation time
// is not later, and keeps it in the handle. A time past the end selects the last frame. If `key_frame` is set, decodes
// the last key frame that is not later, without the frames after it; if the clip has none or has ended by then, the
// frame is the same as without it. Damaged frames are treated as by `ccover_decode_first`. May be called any number of
// times for a clip that was opened with `seeks`.
int ccover_decode_at(ccover_clip *_Nonnull clip, int64_t microseconds, bool key_frame,
                     ccover_frame_facts *_Nonnull facts, ccover_error *_Nonnull error);

// Finds the last key frame that is shown at or before a time, without decoding it, and stores its time in `*found`.
// Both are counted from the start of the stream. Returns whether there is one.
bool ccover_find_key_frame(ccover_clip *_Nonnull clip, int64_t microseconds, int64_t *_Nonnull found);

// What decides how frames are found.
typedef struct ccover_traits {
    bool is_raw;          // the clip has nothing but the packets of a stream, whose frames may have no times
    bool has_one_picture; // it is attached to the clip, such as artwork, and the same at all times
    bool has_false_keys;  // frames were met that are falsely marked as key frames; `ccover_find_key_frame` finds none
} ccover_traits;

ccover_traits ccover_get_traits(const ccover_clip *_Nonnull clip);

// Decodes the key frame found last and keeps it in the handle. `ccover_decode_next` finds the frames that follow it,
// unless it is decoded `alone`, which is faster.
int ccover_decode_key_frame(ccover_clip *_Nonnull clip, bool alone, ccover_frame_facts *_Nonnull facts,
                            ccover_error *_Nonnull error);

// Whether frames are decoded quickly rather than well from now on: without the loop filter and, by some codecs,
// smaller. Such frames are good enough to be compared with one another.
void ccover_set_draft(ccover_clip *_Nonnull clip, bool is_draft);

// Frees all frames but the kept one, which gives room to render a large one. Afterwards only frames at a time can be
// decoded.
void ccover_release_decoder(ccover_clip *_Nonnull clip);

// A packet, as its container describes it.
typedef struct ccover_large_packet {
    int64_t microseconds; // the time of its frame or shortly before it, counted from the start of the stream
    int64_t bytes;
    bool is_key;          // whether it holds a key frame
} ccover_large_packet;

// Divides the duration into `capacity` equal parts, and stores the largest packet of each part, in order. Nothing is
// decoded; where the container has no index with sizes, about `max_bytes` are read at most. Returns the number of
// packets; 0 if the duration is unknown.
int ccover_list_large_packets(ccover_clip *_Nonnull clip, ccover_large_packet *_Nonnull result, int capacity,
                              int64_t max_bytes);

// Returns whether `ccover_decode_on` is the shortest way to the frame shown at a time, because the index of an MP4 or
// MOV file has no key frame between it and the kept frame. Reads nothing.
bool ccover_is_reachable_without_seek(const ccover_clip *_Nonnull clip, int64_t microseconds);

// Continues after a frame decoded by `ccover_decode_at` (without `key_frame`) or by this function, without seeking, up
// to the frame that is shown at a later time, and keeps it. If the frame kept before is still shown, it stays. Returns
// 0, or -1 with `*error` filled in.
int ccover_decode_on(ccover_clip *_Nonnull clip, int64_t microseconds, ccover_frame_facts *_Nonnull facts,
                     ccover_error *_Nonnull error);

// Decodes the next intact frame in presentation order after one decoded by `ccover_decode_at` or
// `ccover_decode_key_frame`, or by `ccover_decode_first` if the clip was opened with `seeks`, and keeps it instead. If
// the kept frame is damaged, the next frame is kept whatever its state. Returns 0; 1 after the last frame, when
// the kept frame stays (always after `ccover_decode_at` with `key_frame`); or -1 with `*error` filled in.
int ccover_decode_next(ccover_clip *_Nonnull clip, ccover_frame_facts *_Nonnull facts, ccover_error *_Nonnull error);

// Finds the duration by reading packets, for `ccover_get_clip_facts`, if the header of the container gives none or too
// short a one, or if the file was cut off; in transport and program streams also another recording, from the times at
// some places. Afterwards frames can be decoded only if it `rewinds`; then no frame is kept.
void ccover_find_duration(ccover_clip *_Nonnull clip, int32_t places, bool rewinds);

// Decodes the first frame if it may describe its size, shape and colours better than the header of the clip,
// for `ccover_get_clip_facts`.
// No frames can be decoded afterwards.
void ccover_look_at_frame(ccover_clip *_Nonnull clip);

// Finds the duration of a raw stream, for `ccover_get_clip_facts`, by reading all of it. Does nothing for other clips.
// The duration remains unknown if the deadline passes. Afterwards only frames at a time can be decoded.
void ccover_find_raw_duration(ccover_clip *_Nonnull clip);

// Returns the smallest allowed `row_bytes` for rendering a picture of `width` pixels. It includes padding, because
// FFmpeg's vector code writes past the last pixel of a row.
size_t ccover_row_bytes(int32_t width, ccover_layout layout);

// The number of bytes that must be allocated after the last row of a picture.
#define CCOVER_TAIL_PADDING 64

// Scales and converts the kept frame into `picture`, upright. HDR is mapped to SDR. If `deinterlaces` is set, an
// interlaced frame is deinterlaced first, provided that its pixel format allows it. May be called several times for one
// frame.
// The rows must be aligned to 64 bytes, `row_bytes` must be at least `ccover_row_bytes(width, layout)` and less than
// 2 GiB, and `row_bytes * height + CCOVER_TAIL_PADDING` bytes must be allocated.
int ccover_render(ccover_clip *_Nonnull clip, const ccover_picture *_Nonnull picture, bool deinterlaces,
                  ccover_error *_Nonnull error);

// A part of an upright, scaled frame. The size of the part is that of the picture it is rendered into.
typedef struct ccover_part {
    int32_t whole_width, whole_height; // pixels of the whole frame after scaling
    int32_t left, top; // position of the part within the whole frame, in pixels from the top left corner
} ccover_part;

// Like `ccover_render`, but renders only a part, which must lie within the whole frame. If most of the scaled frame
// would be discarded, the stored frame is cropped before scaling; the picture may then be shifted by up to half a
// pixel.
int ccover_render_part(ccover_clip *_Nonnull clip, const ccover_picture *_Nonnull picture, ccover_part part,
                       bool deinterlaces, ccover_error *_Nonnull error);

// Returns whether every pixel of a picture is opaque. True for layouts without alpha.
bool ccover_is_opaque(const ccover_picture *_Nonnull picture);

// The file format that `ccover_encode` writes.
typedef enum ccover_encoding {
    CCOVER_JPEG = 0, // JFIF, full range, BT.601; transparent pixels are composited on black
    CCOVER_WEBP,     // lossy, with transparency
} ccover_encoding;

// Memory allocated by the shim. `start` is NULL if `count` is 0.
typedef struct ccover_bytes {
    uint8_t *_Nullable start;
    size_t count;
} ccover_bytes;

// Compresses a picture whose layout is CCOVER_RGB8 or CCOVER_RGBA8; its rows are only read and need no padding.
// `quality` is 1 to 100, on the scale of the Independent JPEG Group's library for a JPEG, whose chroma is not
// subsampled from 90 on. The same picture always results in the same bytes. On success `*encoded` must be freed with
// `ccover_free_bytes`; on failure it is empty. May be called from any thread.
int ccover_encode(const ccover_picture *_Nonnull picture, ccover_encoding encoding, int32_t quality,
                  ccover_bytes *_Nonnull encoded, ccover_error *_Nonnull error);

// Frees the memory and clears `*bytes`.
void ccover_free_bytes(ccover_bytes *_Nonnull bytes);

// An animation that is being encoded.
typedef struct ccover_animation ccover_animation;

// The file format of an animation.
typedef enum ccover_animation_encoding {
    CCOVER_ANIMATED_WEBP = 0, // lossy, with transparency
    CCOVER_GIF,               // at most 255 colours; transparent pixels are composited on black
} ccover_animation_encoding;

// What an animation is to be. It always loops for ever.
typedef struct ccover_animation_options {
    ccover_animation_encoding encoding;
    int32_t width, height; // pixels
    int32_t quality; // 1 to 100, for WebP on the scale of `ccover_encode`; the lower, the smaller the file
} ccover_animation_options;

// The longest duration of a picture of an animation.
#define CCOVER_MAX_PICTURE_MILLISECONDS 65535

// Facts about an encoded animation.
typedef struct ccover_animation_facts {
    int32_t frames;       // in the file: successive pictures that look the same may share a frame
    int64_t milliseconds; // the sum of the frames' durations in the file
} ccover_animation_facts;

// Begins an animation without pictures. On success `*animation` is a new handle, to be freed with
// `ccover_animation_close`; on failure it is NULL.
int ccover_animation_open(ccover_animation_options options, ccover_animation *_Nullable *_Nonnull animation,
                          ccover_error *_Nonnull error);

// Appends a picture of the animation's size whose layout is CCOVER_RGB8 or CCOVER_RGBA8, shown for 1 to
// CCOVER_MAX_PICTURE_MILLISECONDS; its rows are only read and need no padding. Times in a GIF are in hundredths of a
// second. The start of each picture is rounded, so that errors do not add up. Browsers show no frame for less than
// 20 ms, so of pictures that follow each other more quickly, only the longest is kept.
int ccover_animation_add(ccover_animation *_Nonnull animation, const ccover_picture *_Nonnull picture,
                         int32_t milliseconds, ccover_error *_Nonnull error);

// Encodes the pictures that were added; there must be at least one. The same pictures always result in the same
// bytes. On success `*encoded` must be freed with `ccover_free_bytes`; on failure it is empty. After this call the
// handle can only be closed, and also after any call that failed, unless its cause was CCOVER_CAUSE_MISUSE.
int ccover_animation_finish(ccover_animation *_Nonnull animation, ccover_bytes *_Nonnull encoded,
                            ccover_animation_facts *_Nonnull facts, ccover_error *_Nonnull error);

// Frees a handle and sets `*animation` to NULL. Does nothing if it already is NULL.
void ccover_animation_close(ccover_animation *_Nullable *_Nonnull animation);

// Stores the counters.
void ccover_get_counters(const ccover_clip *_Nonnull clip, ccover_counters *_Nonnull counters);

// Stores the versions of the FFmpeg libraries. May be called from any thread.
void ccover_get_versions(ccover_versions *_Nonnull versions);

#ifdef __cplusplus
}
#endif

#endif
