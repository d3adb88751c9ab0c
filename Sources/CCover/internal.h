// The types that the files of CCover share, and the declarations of their functions.

#ifndef CCOVER_INTERNAL_H
#define CCOVER_INTERNAL_H

#include "CCover.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/intreadwrite.h>
#include <libswscale/swscale.h>
#include <stdarg.h>

// The state of reading from the caller's descriptor.
typedef struct ccover_input {
    int descriptor;
    bool is_seekable;
    int64_t position;
    int64_t size;     // bytes; -1 if unknown
    int64_t deadline; // in microseconds of the monotonic clock; 0 for none
    bool reached_end; // a read found the end of the file
    int read_errno;   // of the last failed read; 0 if none has failed
    int64_t bytes_read;
    int64_t seeks;
} ccover_input;

// The first picture of the stream, as far as the headers of its packets describe it.
typedef struct ccover_start {
    int packets;         // from which the first frame can be decoded alone; 0 if it requires others
    bool is_shown_first; // the first packet gives the first frame, and no other picture of the cover depends on it
    bool is_interlaced;  // as far as known
} ccover_start;

// A box of an MP4 or MOV file, as positions in the file.
typedef struct ccover_box {
    uint32_t type; // big-endian, as returned by AV_RB32()
    int64_t start;
    int64_t body;  // after the box's header
    int64_t end;
    int64_t size;  // as stated
    bool is_cut;   // the box should be longer than its parent or the file, where `end` is
} ccover_box;

// How the samples that refer to one sample entry of an MP4 track are protected, unless their group says otherwise.
typedef struct ccover_sample_entry {
    bool is_protected;
    char scheme[5]; // such as "cenc"; empty if unknown
} ccover_sample_entry;

enum { CCOVER_MAX_ENTRIES = 8 };

// The protection of an MP4 track.
typedef struct ccover_protection {
    int track;
    int entry_count;
    ccover_sample_entry entries[CCOVER_MAX_ENTRIES];
    ccover_box samples; // the sample table (`stbl`)
} ccover_protection;

// What is known about a clip's encryption.
typedef struct ccover_encryption {
    bool is_declared;      // the container says that frames of the stream may be encrypted
    bool has_signal_bytes; // each frame begins with a byte that says whether it is (WebM)
    char scheme[CCOVER_NAME_SIZE]; // empty if the container does not name it
    ccover_protection protection;  // only for MP4
    bool was_met;          // an encrypted packet was read; the stream counts as ended there
    int64_t met_time;      // its presentation time
} ccover_encryption;
// The number of packets whose records are kept. No decoder delays a frame by more.
enum { CCOVER_MAX_RECORDS = 64 };

// What is known about a packet sent to the decoder.
typedef struct ccover_packet_record {
    bool is_key; // according to the container, or to libavformat's parser
    bool is_discarded; // its frame is not shown, although others are predicted from it
    int reports; // of damage
    bool lacks_end; // it is a JPEG picture without an end marker
    int64_t shown; // the time at which its frame is shown; AV_NOPTS_VALUE if the packet does not say
} ccover_packet_record;

// A packet that libavformat called corrupt in its log.
typedef struct ccover_corrupt_packet {
    int stream;
    int64_t time; // decoding time in ticks, before wrap-around is undone
    bool has_only_wrong_size; // nothing else was reported before
} ccover_corrupt_packet;
enum { CCOVER_MAX_CORRUPT = 32 };

// A key frame that was asked for, in ticks of the stream.
typedef struct ccover_key {
    int64_t shown; // the times of its packet
    int64_t decoded;
    int64_t wanted; // the frame is not later than this
} ccover_key;

// The times of frames as they leave the decoder, in ticks of the stream; AV_NOPTS_VALUE if unknown.
typedef struct ccover_clock {
    int64_t next;     // when the next frame is shown if it has no time of its own
    int64_t previous; // when the frame before was shown
    int64_t interval; // between the latest two frames; 0 if unknown
    int64_t sent;     // when the decoder gets the latest packet
    int64_t stated;   // the time that its packet states for the latest frame
    int stalls;       // how many frames in a row had a stated time that is not later than that of the frame before
    bool is_late;     // the packets only have times of decoding
    bool is_disordered; // stated times go back, or stand still
} ccover_clock;

// Where the packet of a key picture of a raw stream starts.
typedef struct ccover_key_position {
    int64_t time;
    int64_t byte;
} ccover_key_position;

// The times of the packets of a raw stream, in ticks, counted from its beginning.
typedef struct ccover_count {
    bool is_used;
    int64_t next; // the time of the next packet
    int64_t end;  // of the part that was read so far
    ccover_key_position *keys; // in that part, in order
    int key_count;
    int key_room;
} ccover_count;

// What frames say about their size, shape and colours, and headers may not.
typedef struct ccover_shape {
    bool has_matrix;   // a frame stated the orientation of those that follow
    int32_t matrix[9];
    bool is_known;     // the first frame was decoded, for the facts of the clip
    int32_t width;
    int32_t height;
    ccover_rational sample_aspect_ratio;
    ccover_orientation orientation;
    ccover_colour colour;
} ccover_shape;

// The part of the frames that the container states to be shown.
typedef struct ccover_crop {
    bool is_stated;
    int64_t left, top, right, bottom; // pixels that are not shown, at most INT32_MAX
    int64_t shown_width, shown_height; // of the part, in any unit, at most 2 * INT32_MAX; 0 if unknown
} ccover_crop;

// What a scaler depends on.
typedef struct ccover_scaling {
    int format, width, height; // of the frame
    enum AVColorRange range;
    const int *matrix;
    enum AVPixelFormat target;
    int target_width, target_height;
    int flags;
    int wavelet_halvings; // see scale.c
} ccover_scaling;

struct ccover_clip {
    ccover_input input;
    ccover_encryption encryption;
    AVIOContext *io;
    const AVInputFormat *container; // NULL until it is recognised
    bool is_assumed;                // the container was not recognised, but assumed
    bool ignores_edits;             // the edit lists of the movie show no frame, so they are ignored
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *decoder; // NULL until a frame is requested
    AVPacket *packet;
    AVPacket **ahead; // packets read ahead and not yet sent to the decoder
    int ahead_count;
    int ahead_room;
    int64_t ahead_bytes;
    // Why no packet follows those read ahead: an AVERROR; AVERROR_EOF also if the stream is a picture, or encrypted
    // from there on. Otherwise 0.
    int end_ahead;
    int64_t due; // when the packet after those read so far is decoded, in a program stream; AV_NOPTS_VALUE if unknown
    int64_t due_shown; // when it is shown, in a stream that may lack times
    AVRational display_aspect; // that the container gives for the whole picture, unless stream info was read
    ccover_start start; // all zero if the clip was opened with complete facts
    AVFrame *frame; // the kept frame
    AVFrame *spare; // the frame being decoded
    AVFrame *later; // an intact frame after `frame` that was decoded, but is later than the requested time
    AVFrame *damaged; // the best of the damaged frames so far, in case there is no intact one
    AVPacket *last;   // a copy of the packet sent last, if the clip may end inside it unnoticed
    uint8_t palette[AVPALETTE_SIZE]; // the one read last
    bool has_palette;
    struct SwsContext *scaler; // for `scaling`; NULL if none was made
    ccover_scaling scaling;
    ccover_orientation orientation; // of `frame`
    int64_t max_pixels;
    bool all_streams; // see `ccover_limits`
    ccover_clock clock;
    ccover_count count;
    int64_t wanted;    // the time of the frame that is looked for, in ticks; AV_NOPTS_VALUE for the first frame
    int64_t sent;      // the latest time up to `wanted` of a packet sent to the decoder; AV_NOPTS_VALUE for none
    bool is_at_beginning; // the next packet to be sent is the first of the stream
    int64_t beginning;    // the number of that packet when it was sent last; 0 if it was not
    bool has_position;  // a packet has been sent to the decoder since the beginning or the last seek
    int64_t position;   // the number of that packet
    bool may_lack_numbers; // see ccover_may_lack_numbers(); as of the last key picture that was sent
    bool begins_open;   // it is a key picture of H.264 that frames shown before it may need more than
    bool is_in_step;    // an intact frame has been decoded since then, so that the following ones are intact as well
    bool is_damaged;    // damage has been found since then, or since the last intact key frame
    bool is_restarting; // the decoder is being drained, and will be reset before `packet`
    bool has_predicted; // a packet without the key frame flag was sent
    bool has_false_keys; // the container wrongly calls some frames key frames
    bool reached_end;   // the demuxer has no more packets, and the decoder is being drained
    int64_t first_time;    // the presentation time of the first packet, or of the first one sent to the decoder
    int64_t intact_since;  // the number of the packet at which the sequence of intact frames started
    int64_t intact_from;   // the time at which its frame is shown, if that is a key frame; otherwise AV_NOPTS_VALUE
    int64_t packet_number; // of the packet sent to the decoder last, counted from 1
    ccover_packet_record records[CCOVER_MAX_RECORDS]; // by packet number, modulo their number
    bool has_measured_duration; // it was looked for at the end of the file
    bool is_searchable;    // the decoder is open for frames at a time
    bool is_draft;         // frames are decoded quickly rather than well
    bool releases_frame;   // `frame` is given up before the next one is decoded, which saves its memory
    int encoder_build;     // the version of x264 that wrote the clip; 0 if unknown
    bool is_unknown_kind;  // of JPEG 2000: High-Throughput, which FFmpeg 5 turns into noise
    bool is_shown_small;   // the frames are shown at half their size at most
    AVPacket *key_packet;  // that of the key frame found last, if it was read
    ccover_key key;        // the key frame found last; its times are AV_NOPTS_VALUE if none was found
    bool is_replacement;   // damaged frames lie between `frame` and the requested time
    int64_t replaced_time; // when the last of these is shown
    ccover_shape shape;
    ccover_crop crop;
    bool is_frame_damaged; // `frame` is the best of the damaged frames
    int spare_reports;     // of damage to `spare` itself
    int fewest_reports;    // of damage to `damaged` itself
    ccover_corrupt_packet corrupt[CCOVER_MAX_CORRUPT]; // the latest ones
    int64_t corrupt_count;
    bool is_size_wrong;          // it logged a wrong size since it last called a packet corrupt
    bool is_step_wrong;          // and that bytes are missing
    bool has_wrong_sizes;        // see ccover_find_wrong_sizes()
    int64_t container_errors;    // that libavformat logged while reading
    int64_t gap_position;        // where it logged the first one behind the packet read last; -1 if it did not
    bool is_after_gap;           // no packet of the stream was read since the last gap
    int64_t corrupt_positions[CCOVER_MAX_CORRUPT]; // of the packets marked as damaged last
    int64_t corrupt_position_count;
    int64_t content_size;        // see ccover_content_size(); 0 until it was asked for
    bool has_untimed_corruption; // libavformat called a packet corrupt without giving its time
    int read_error;    // the error that stopped the demuxer; 0 at the end of the file
    int decode_error;  // the error of the last packet that the decoder rejected
    bool lacked_memory; // the decoder could not allocate something, whatever it reported
    int64_t packets_read;
    int64_t frames_decoded;
    int64_t decode_errors;
    int64_t damaged_frames;
};

// These need the types above.
#include "Containers/containers.h"
#include "Decoding/decoding.h"
#include "Support/diagnostics.h"
#include "Pictures/pictures.h"
#include "reading.h"

#endif
