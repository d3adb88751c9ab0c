// What the files of this target share. Never included from outside.

#ifndef CCOVER_INTERNAL_H
#define CCOVER_INTERNAL_H

#include "CCover.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

// The descriptor and what FFmpeg has read from it.
typedef struct ccover_input {
    int descriptor;
    bool is_seekable;
    int64_t position;
    int64_t size; // -1 when unknown
    int64_t deadline; // monotonic microseconds, 0 for none
    int read_errno;   // of the last failed read, 0 when none failed
    int64_t bytes_read;
    int64_t seeks;
} ccover_input;

// Packets that are looked at before the first is decoded.
enum { CCOVER_MOST_AHEAD = 4 };

struct ccover_clip {
    ccover_input input;
    AVIOContext *io;
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVPacket *ahead[CCOVER_MOST_AHEAD]; // read to look at their times, and not yet given to the decoder
    int ahead_count;
    AVFrame *frame;  // the chosen one
    AVFrame *spare;  // the one being decoded
    struct SwsContext *scaler;
    ccover_orientation orientation; // of `frame`
    int64_t max_pixels;
    bool has_position;  // a packet was read since the beginning or the last seek
    bool is_in_step;    // a frame since then was whole, so what follows is
    bool reached_end; // the demuxer has no more packets; the decoder is being drained
    int read_error;   // why the demuxer stopped, when not at the end
    int decode_error; // of the last packet that the decoder refused
    int64_t packets_read;
    int64_t frames_decoded;
    int64_t decode_errors;
};

// input.c
AVIOContext *ccover_input_open(ccover_input *input, int descriptor, int64_t deadline);
void ccover_input_close(AVIOContext **io);
bool ccover_deadline_passed(const ccover_input *input);
int64_t ccover_now_microseconds(void);

// packets.c
// Whether every sample of the container should be a whole picture, both fields included; a lone field gives no frame.
bool ccover_holds_whole_pictures(const AVFormatContext *format);
// The next packet of the stream into `clip->packet`: 0, or FFmpeg's code; AVERROR_EXIT once the deadline passed.
int ccover_next_packet(ccover_clip *clip);
// Drops what was read ahead, as before a jump.
void ccover_forget_packets(ccover_clip *clip);
// Whether the first packet is a key frame and none of those that follow it is presented before it. Pictures that are
// come right behind it, in front of those that are presented after it.
bool ccover_first_packet_is_shown_first(ccover_clip *clip);

// allow_list.c
bool ccover_allows_container(const AVInputFormat *format);
bool ccover_points_elsewhere(const AVInputFormat *format);
bool ccover_allows_decoder(const AVCodec *decoder);
// Tells libavformat which decoders it may open. Gives 0, or a negative AVERROR.
int ccover_restrict_decoders(AVFormatContext *format);

// render.c
size_t ccover_pixel_bytes(ccover_layout layout);
// Whether a frame was decoded, and rows of this many bytes have room for a picture of it.
bool ccover_has_room(const ccover_clip *clip, int width, int height, ccover_layout layout, size_t row_bytes);
// What `ccover_render` does, with any frame of the clip's orientation.
int ccover_render_frame(ccover_clip *clip, const AVFrame *frame, int width, int height, ccover_layout layout,
                        bool deinterlaces, uint8_t *rows, size_t row_bytes, ccover_error *error);
// Whether every alpha value is the largest; true for layouts without alpha.
bool ccover_is_opaque(const uint8_t *rows, size_t row_bytes, int width, int height, ccover_layout layout);

// orientation.c
// The orientation of a display matrix. False when the matrix is singular or oblique; then it counts as none.
bool ccover_orientation_from_matrix(const int32_t matrix[9], ccover_orientation *orientation);
// Copies `width` × `height` pixels of `pixel_bytes` each, turned; the destination has the turned shape. A source whose
// bottom row comes first in memory has its rows a negative number of bytes apart.
void ccover_orient(const uint8_t *source, ptrdiff_t source_row_bytes, int width, int height, size_t pixel_bytes,
                   ccover_orientation orientation, uint8_t *destination, size_t destination_row_bytes);
// The frame turned, for the caller to free; NULL when its pixel format cannot be turned, or memory ran out.
AVFrame *ccover_turned_frame(const AVFrame *frame, ccover_orientation orientation);

// tone_map.c
// Whether the frame's transfer is one of HDR: PQ or HLG. Everything else is SDR and is not tone-mapped.
bool ccover_is_hdr(const AVFrame *frame);
// Maps the pixels of an HDR frame to SDR, in place. The rows hold `channels` 16-bit values in the machine's byte order
// a pixel, red, green and blue in front, full range, as scaled from the frame; a fourth is alpha and left alone.
void ccover_tone_map(const AVFrame *frame, uint8_t *rows, size_t row_bytes, int width, int height, int channels);

// dolby_vision.c
// Fills what there is to tell of Dolby Vision, from the stream or else from the chosen frame.
void ccover_set_dolby_vision(const ccover_clip *clip, ccover_frame_facts *facts);
// deinterlace.c
// One picture from an interlaced frame, for the caller to free: the field presented first, and the other one's lines
// made from it. NULL when the pixel format is not fit, or memory ran out.
AVFrame *ccover_deinterlaced_frame(const AVFrame *frame);

// diagnostics.c
// Starts to collect FFmpeg's log lines for this thread's next call.
void ccover_log_begin(void);
// Fills the error and gives -1. `code` is an AVERROR or 0; the text is a printf format.
int ccover_fail(ccover_error *error, ccover_stage stage, ccover_cause cause, int code, const char *text, ...)
    __attribute__((format(printf, 5, 6)));
// The cause that goes with an FFmpeg code when nothing more precise is known.
ccover_cause ccover_cause_of(const ccover_clip *clip, int code);

// facts.c
// Whether a matrix tag is unknown, reserved or contradictory, so that BT.601 is assumed.
bool ccover_assumes_matrix(enum AVColorSpace matrix);
void ccover_set_name(char name[CCOVER_NAME_SIZE], const char *text);
void ccover_set_colour(ccover_colour *colour, int format, enum AVColorSpace matrix, enum AVColorRange range,
                       enum AVColorTransferCharacteristic transfer, enum AVColorPrimaries primaries);
// 0/0 when the value is not a positive number.
ccover_rational ccover_known(AVRational value);

#endif
