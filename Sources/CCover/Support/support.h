// What all rooms need: reading from the descriptor, errors and the log, and what may be opened.

#ifndef CCOVER_SUPPORT_H
#define CCOVER_SUPPORT_H

#include "CCover.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/intreadwrite.h>
#include <stdarg.h>

// A clip is the states of its rooms. A room knows the members of those whose headers it includes.
struct ccover_clip {
    struct ccover_demuxer *demuxer;
    struct ccover_damage *damage;
    struct ccover_position *position;
    struct SwsContext *scaler; // kept for frames that are alike; NULL if none was made
};

// The state of reading from the caller's descriptor.
typedef struct ccover_input {
    int descriptor;
    bool is_seekable;
    int64_t position;
    int64_t size;     // bytes; -1 if unknown
    int64_t deadline; // in microseconds of the monotonic clock; 0 for none
    int read_errno;   // of the last failed read; 0 if none has failed
    int64_t bytes_read, seeks;
} ccover_input;

// input.c
// Creates FFmpeg's I/O context for a descriptor. `input` must outlive it. Returns NULL if memory ran out.
AVIOContext *ccover_input_open(ccover_input *input, int descriptor);
void ccover_close_io(AVIOContext **io);
// FFmpeg's callback for seeking, in a file of `size` bytes (-1 if unknown): moves `*position`, or answers how long the
// file is. Returns an AVERROR for a place before the file.
int64_t ccover_move_position(int64_t *position, int64_t size, int64_t offset, int whence);
void ccover_limit_time(ccover_input *input, int64_t microseconds);
bool ccover_deadline_passed(const ccover_input *input);

// diagnostics.c
// A function that reads each line of FFmpeg's log, before it is kept.
typedef void ccover_log_listener(void *context, const char *format, va_list arguments);
// Sets the listener of the whole process. To be called before the first clip is opened.
void ccover_set_log_listener(ccover_log_listener *listener);
void ccover_log_begin(void);
// Fills in the error and returns -1. `code` is an AVERROR or 0; `text` is a printf format.
int ccover_fail(ccover_error *error, ccover_stage stage, ccover_cause cause, int code, const char *text, ...)
    __attribute__((format(printf, 5, 6)));
// The same without the last line of FFmpeg's log, for a text that needs no explanation.
#define ccover_explain(...) (ccover_log_begin(), ccover_fail(__VA_ARGS__))
bool ccover_logged_too_many_streams(void);
int ccover_fail_out_of_memory(ccover_error *error, ccover_stage stage);
// Fills in an error of cause CCOVER_CAUSE_TOO_LARGE, about the picture that FFmpeg reported since `ccover_log_begin`.
// Returns -1. `max_pixels` is the limit; 0 for that of FFmpeg.
int ccover_fail_too_large(int64_t max_pixels, ccover_error *error, ccover_stage stage, int code);
void ccover_refused_size(int *width, int *height);
// The cause that corresponds to an AVERROR if nothing more specific is known.
ccover_cause ccover_cause_of(const ccover_input *input, int code);

// codec_table.c
// What is special about a codec, or about FFmpeg's decoder of it.
typedef struct ccover_codec {
    enum AVCodecID id;
    bool has_nal_units : 1;
    bool is_mpeg_1_or_2 : 1;
    bool parser_finds_keys : 1; // the parser finds out which packets hold key pictures
    bool starts_with_key : 1; // the decoder starts with the first key picture: no picture is decoded without its
                              // references, or none is presented earlier
    bool outputs_at_once : 1; // the decoder outputs the frame of the first packet without waiting for others
    bool can_halve : 1;       // the decoder can halve the sides of frames, and may do so for a small cover
    bool notes_missing : 1;   // the decoder marks frames whose references are missing at the start, until the picture
                              // is complete (H.264), or does not output them; others are smeared without a mark
    bool has_no_keys : 1;     // each block is refreshed now and then
    bool hides_keys : 1;      // frames are predicted from others, and the decoder does not mark those that are not
    bool overstates_keys : 1; // the decoder marks all frames, or also those that show an earlier one again
    bool has_keys_by_type : 1; // the decoder leaves the flag of key frames as it is: set before FFmpeg 6.1, not since
    bool is_intra_only : 1;   // although libavcodec's descriptor lacks the property
    bool hides_fields : 1;    // frames may have two fields, which only the container declares
    bool frames_say_more : 1; // frames state what the container may not: APNG the shape of pixels, JPEG its orientation
                              // in Exif, VP8 and DNxHR a matrix, VP8 transparency
    bool is_rewritten : 1;    // the demuxer of Matroska changes the packets, so it must know the codec from the first
    // The shortest run of zeros that a packet cannot contain before more data; 0 if it may contain any. In the
    // codes of HuffYUV zeros stand for the rarest values; in the others, long runs are too unlikely to occur, even in
    // flat pictures: intact clips were found to have up to 10 (VP9), 24 (AV1) and 32 (VP8).
    uint8_t hole;
    bool has_holes_only_in_keys : 1; // in other frames of WMV2, zeros mean that no block is skipped
} ccover_codec;
// Never NULL.
const ccover_codec *ccover_codec_of(enum AVCodecID id);

// allow_list.c
bool ccover_allows_container(const AVInputFormat *format);
bool ccover_points_elsewhere(const AVInputFormat *format);
bool ccover_allows_decoder(const AVCodec *decoder);
bool ccover_allows_sound_decoder(const AVCodec *decoder);
// Restricts the decoders that libavformat may open. Returns 0 or an AVERROR.
int ccover_restrict_decoders(AVFormatContext *format, bool with_sound);

#endif
