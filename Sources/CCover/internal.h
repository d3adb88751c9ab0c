// Declarations shared by the files of CCover.

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
    int reports; // of damage
} ccover_packet_record;

// A packet that libavformat called corrupt in its log.
typedef struct ccover_corrupt_packet {
    int stream;
    int64_t time; // decoding time in ticks, before wrap-around is undone
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
} ccover_clock;

// The times of the packets of a raw stream, in ticks, counted from its beginning.
typedef struct ccover_count {
    bool is_used;
    int64_t next;    // the time of the next packet
    int64_t end;     // of the part that was read so far
    int64_t frame;   // how long a frame is shown
    int64_t indexed; // the time of the last packet in the index of libavformat; AV_NOPTS_VALUE if there is none
} ccover_count;

// What frames say about their shape, and headers may not.
typedef struct ccover_shape {
    bool has_matrix;   // a frame stated the orientation of those that follow
    int32_t matrix[9];
    bool is_known;     // the first frame was decoded, for the facts of the clip
    ccover_rational sample_aspect_ratio;
    ccover_orientation orientation;
} ccover_shape;

struct ccover_clip {
    ccover_input input;
    ccover_encryption encryption;
    AVIOContext *io;
    const AVInputFormat *container; // NULL until it is recognised
    bool is_assumed;                // the container was not recognised, but assumed
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *decoder; // NULL until a frame is requested
    AVPacket *packet;
    AVPacket **ahead; // packets read ahead and not yet sent to the decoder
    int ahead_count;
    int ahead_room;
    int64_t ahead_bytes;
    bool ends_ahead; // the stream counts as ended after the packets read ahead, because it is encrypted from there on
    AVRational display_aspect; // that the container gives for the whole picture, unless stream info was read
    ccover_start start; // all zero if the clip was opened with complete facts
    AVFrame *frame; // the kept frame
    AVFrame *spare; // the frame being decoded
    AVFrame *later; // an intact frame after `frame` that was decoded, but is later than the requested time
    AVFrame *damaged; // the best of the damaged frames so far, in case there is no intact one
    AVPacket *last;   // a copy of the packet sent last, if the clip may end inside it unnoticed
    uint8_t palette[AVPALETTE_SIZE]; // the one read last
    bool has_palette;
    struct SwsContext *scaler;
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
    bool is_in_step;    // an intact frame has been decoded since then, so that the following ones are intact as well
    bool is_damaged;    // damage has been found since then, or since the last intact key frame
    bool is_restarting; // the decoder is being drained, and will be reset before `packet`
    bool has_predicted; // a packet without the key frame flag was sent
    bool reached_end;   // the demuxer has no more packets, and the decoder is being drained
    int64_t first_time;    // the presentation time of the first packet, or of the first one sent to the decoder
    int64_t intact_since;  // the number of the packet at which the sequence of intact frames started
    int64_t packet_number; // of the packet sent to the decoder last, counted from 1
    ccover_packet_record records[CCOVER_MAX_RECORDS]; // by packet number, modulo their number
    bool is_searchable;    // the decoder is open for frames at a time
    bool is_draft;         // frames are decoded quickly rather than well
    bool releases_frame;   // `frame` is given up before the next one is decoded, which saves its memory
    bool is_shown_small;   // the frames are shown at half their size at most
    AVPacket *key_packet;  // that of the key frame found last, if it was read
    ccover_key key;        // the key frame found last; its times are AV_NOPTS_VALUE if none was found
    bool is_replacement;   // damaged frames lie between `frame` and the requested time
    ccover_shape shape;
    bool is_frame_damaged; // `frame` is the best of the damaged frames
    int spare_reports;     // of damage to `spare` itself
    int fewest_reports;    // of damage to `damaged` itself
    ccover_corrupt_packet corrupt[CCOVER_MAX_CORRUPT]; // the latest ones
    int64_t corrupt_count;
    int64_t container_errors;    // that libavformat logged while reading
    bool has_untimed_corruption; // libavformat called a packet corrupt without giving its time
    int read_error;    // the error that stopped the demuxer; 0 at the end of the file
    int decode_error;  // the error of the last packet that the decoder rejected
    bool lacked_memory; // the decoder could not allocate something, whatever it reported
    int64_t packets_read;
    int64_t frames_decoded;
    int64_t decode_errors;
    int64_t damaged_frames;
};

// input.c
// Creates FFmpeg's I/O context for a descriptor. `input` must outlive it. Returns NULL if memory ran out.
AVIOContext *ccover_input_open(ccover_input *input, int descriptor);
// Frees the context and sets `*io` to NULL.
void ccover_input_close(AVIOContext **io);
// FFmpeg's callback for seeking, in a file of `size` bytes (-1 if unknown): moves `*position`, or answers how long the
// file is. Returns an AVERROR for a place before the file.
int64_t ccover_move_position(int64_t *position, int64_t size, int64_t offset, int whence);
bool ccover_deadline_passed(const ccover_input *input);
// The monotonic clock.
int64_t ccover_now_microseconds(void);

// clip.c
// Opens a clip like `ccover_open`, but reads only the header of the container and selects no stream: packets of any
// stream can be read with av_read_frame().
int ccover_open_unselected(int descriptor, const ccover_limits *limits, ccover_clip **clip, ccover_error *error);

// container.c
// Recognises the container, checks it against the allow list and reads its header.
int ccover_open_header(ccover_clip *clip, const ccover_limits *limits, ccover_error *error);
// Recognises the container, checks it against the allow list and reads its header, and its streams as far as needed.
int ccover_open_container(ccover_clip *clip, const ccover_limits *limits, ccover_error *error);
// Fills in an error of cause CCOVER_CAUSE_UNRECOGNISED. Returns -1.
int ccover_fail_unrecognised(ccover_error *error);
// Whether the format has nothing but the packets of a stream, in order. DV is not raw in this sense: its frames have times.
bool ccover_is_raw(const AVInputFormat *format);
// Whether the container is MP4, MOV or one of their relatives.
bool ccover_is_movie(const AVFormatContext *format);
// Whether each packet of the container should hold a whole picture, that is, both of its fields. A single field does
// not produce a frame.
bool ccover_holds_whole_pictures(const AVFormatContext *format);

// streams.c
// Whether a video stream is a picture attached to the clip.
bool ccover_is_artwork(const AVStream *stream);
int ccover_count_streams(const AVFormatContext *format, enum AVMediaType type, bool artwork);
// Returns the stream to decode, or NULL: the stream that `limits` names; otherwise the first video stream that is not
// artwork, like ffmpeg's `0:V:0`; or artwork, as `limits` allows.
AVStream *ccover_choose_stream(const AVFormatContext *format, const ccover_limits *limits);
// Stores the stream to decode in `clip`. The demuxer discards the packets of all other streams.
int ccover_select_stream(ccover_clip *clip, const ccover_limits *limits, ccover_error *error);

// stream_info.c
// Reads packets until the facts about all streams are known.
int ccover_read_stream_info(ccover_clip *clip, ccover_error *error);
// Does the same for a clip whose header was read. If the video begins late, opens the clip again and reads as far as
// that: up to a minute of sound.
int ccover_read_stream_info_to_video(ccover_clip *clip, const ccover_limits *limits, ccover_error *error);
// Derives the sample aspect ratio of the stream from the display's, for the size of the kept frame.
void ccover_apply_display_aspect(ccover_clip *clip);
// Reads packets, which are kept, until the stream to decode and its codec are known.
int ccover_find_stream(ccover_clip *clip, const ccover_limits *limits, ccover_error *error);

// packets.c
// Moves the next packet of the stream into `clip->packet`. Returns 0 or an AVERROR; AVERROR_EXIT after the deadline.
int ccover_next_packet(ccover_clip *clip);
// Reads one packet ahead, and keeps it if it may belong to the stream to decode. Returns 0 or an AVERROR; ENOSPC if the
// packets read ahead take too much memory.
int ccover_read_ahead(ccover_clip *clip);
// The packet of the stream that is `index` packets ahead, or NULL at the end of the stream or of the limits.
const AVPacket *ccover_packet_ahead(ccover_clip *clip, int index);
// Drops the first packets read ahead.
void ccover_drop_packets(ccover_clip *clip, int count);
// Prepares the packets that were read before the stream was selected. They end before the first encrypted one.
void ccover_prepare_packets_ahead(ccover_clip *clip);
// Drops the packets read ahead that belong to other streams than the selected one.
void ccover_forget_other_streams(ccover_clip *clip);
// When the packet's frame is presented, or decoded if that is unknown; AV_NOPTS_VALUE if neither is known.
int64_t ccover_shown_time(const AVPacket *packet);
// When the packet's frame is decoded, or presented if that is unknown; AV_NOPTS_VALUE if neither is known.
int64_t ccover_decoded_time(const AVPacket *packet);
// Drops the packets read ahead, for example before seeking.
void ccover_forget_packets(ccover_clip *clip);

// nal_units.c
enum {
    CCOVER_H264_IDR = 5,
    CCOVER_HEVC_RADL_N = 6,
    CCOVER_HEVC_RADL_R = 7,
    CCOVER_HEVC_RASL_N = 8,
    CCOVER_HEVC_RASL_R = 9,
    CCOVER_HEVC_FIRST_KEY = 16,
    CCOVER_HEVC_CRA = 21,
};
bool ccover_is_avc_or_hevc(enum AVCodecID codec);
// The type of the first NAL unit of an H.264 or HEVC packet that holds a part of the picture, or -1.
int ccover_slice_type(const AVStream *stream, const AVPacket *packet);
// Whether the units of H.264 or HEVC packets are preceded by their lengths, rather than by start codes.
bool ccover_has_lengths(const AVCodecParameters *parameters);
// Whether zeros in a packet are inside a unit that holds a part of the picture, and do not end it.
bool ccover_are_zeros_in_slice(const AVCodecParameters *parameters, const AVPacket *packet, int start, int end);
// Whether an H.264 or HEVC packet has a message (SEI) with the display orientation.
bool ccover_states_orientation(const AVStream *stream, const AVPacket *packet);

// shape.c
// Gives a frame of H.264 in `clip->spare` the orientation that an earlier frame stated, which holds up to the next key
// frame.
void ccover_inherit_orientation(ccover_clip *clip);

// clock.c
// Forgets the times of frames, before the first packet or after a seek.
void ccover_stop_clock(ccover_clip *clip);
// Starts with the frame of a packet that is about to be sent to the decoder first.
void ccover_start_clock(ccover_clip *clip, const AVPacket *packet);
// Gives the frame in `clip->spare` a time if it has none. To be called once for each frame, in order.
void ccover_time_frame(ccover_clip *clip);
// Finds out whether the container stores no times, so that its packets are counted.
void ccover_choose_clock(ccover_clip *clip);
bool ccover_counts_time(const ccover_clip *clip);
// The time at which a raw stream starts to be shown, given its first packet, which is the first one ahead.
int64_t ccover_counted_start(ccover_clip *clip, const AVPacket *first);
// Sets the times of the next packet of a raw stream.
void ccover_count_packet(ccover_clip *clip, AVPacket *packet);
// Continues with the last key frame of a raw stream that is not later than the time, or with the first packet. Reads as
// far as the time if that has not been done before. Returns whether that was possible.
bool ccover_seek_by_count(ccover_clip *clip, int64_t time);
// Reads a raw stream to its end. Returns the time at which it ends; 0 if it has no packet.
int64_t ccover_count_all(ccover_clip *clip);

// start.c
// Examines the first packets of the stream, without decoding them, and stores `clip->start`. Drops the packets before
// the first key picture, from which only damaged frames could be decoded. Stores the stored size if it was unknown.
void ccover_examine_start(ccover_clip *clip);
// Reads ahead until the start time of the stream is known.
void ccover_find_start_time(ccover_clip *clip);

// png_texts.c
// Removes texts and colour profiles from a packet of PNG or APNG, so that the decoder does not inflate them. Does
// nothing for other codecs. Returns 0 or an AVERROR.
int ccover_remove_texts(const AVCodecParameters *parameters, AVPacket *packet);
// Does the same for the extradata of all APNG streams, and sets their pixel format.
void ccover_describe_animations(AVFormatContext *format);

// boxes.c
// Reads a big-endian number of up to 8 bytes from the file, without FFmpeg. Returns -1 if it is not there,
// or the deadline has passed.
int64_t ccover_read_number(const ccover_input *input, int64_t position, int bytes);
// The same for a little-endian number.
int64_t ccover_read_little(const ccover_input *input, int64_t position, int bytes);
// Reads the header of the box at `position`, which lies before `end`. Returns false if the box is not valid.
bool ccover_read_box(const ccover_input *input, int64_t position, int64_t end, ccover_box *box);
// Finds the first box of a type in another one. `parent` may be a file, from 0 to its size.
bool ccover_find_box(const ccover_input *input, const ccover_box *parent, uint32_t type, ccover_box *box);
// Finds a box by the types on the path to it, such as "mdia minf".
bool ccover_find_inner_box(const ccover_input *input, const ccover_box *parent, const char *path, ccover_box *box);
// Finds a track by its number.
bool ccover_find_track(const ccover_input *input, int track, ccover_box *box);
// Whether the file consists of a movie's boxes and ends without an index. Cameras write the index (`moov`) last.
bool ccover_lacks_movie_index(const ccover_input *input);
// Whether the first sample entry of an MP4 track refers to media in another file.
bool ccover_is_external(const ccover_input *input, int track);

// extent.c
// Whether a file contains all of its clip.
typedef enum ccover_extent {
    CCOVER_EXTENT_UNKNOWN = 0,    // the container does not say
    CCOVER_EXTENT_WHOLE,
    CCOVER_EXTENT_CUT,            // the file ends, or only zeros follow, before the clip does
    CCOVER_EXTENT_CUT_IN_HEADER,  // the streams are not completely described, either
    CCOVER_EXTENT_UNFINISHED,     // the end was never stated, as while a recording is running, or in one for a pipe
} ccover_extent;
ccover_extent ccover_extent_of(const ccover_input *input, int64_t content_size, const char *container);
// The extent of a file in which something ends at `end`, or never was completed if `end` is not behind `start`.
ccover_extent ccover_extent_until(const ccover_input *input, int64_t start, int64_t end);
// The size of a file without the zeros at its end, if there are many: space that was reserved for a recording.
int64_t ccover_content_size(const ccover_input *input);

// picture_extent.c
// The same as `ccover_extent_of` for files of one picture, and for GIF and APNG.
ccover_extent ccover_extent_of_picture(const ccover_input *input, const char *container);
// Whether the container is the file of one picture.
bool ccover_is_picture_file(const AVInputFormat *container);
// Whether a WebP file contains an animation.
bool ccover_is_animated_webp(const ccover_input *input);

// incomplete.c
// Whether the file ends before the clip does, according to the container. Where it states no end, nothing is missing.
bool ccover_is_cut_off(const ccover_clip *clip);
// Changes the error's cause to CCOVER_CAUSE_TRUNCATED, or CCOVER_CAUSE_NO_INDEX, if the clip is still being written or
// was cut off. Returns -1.
int ccover_reconsider(const ccover_clip *clip, ccover_error *error);

// elements.c
ccover_extent ccover_extent_of_matroska(const ccover_input *input);
// The time of the last block of the cluster at a position in the file, in microseconds; -1 if there is no cluster.
int64_t ccover_matroska_last_block(const ccover_input *input, int64_t position);
// Whether the frames of a Matroska video track, counted from 0, are encrypted.
bool ccover_matroska_is_encrypted(const ccover_input *input, int video_track);

// tail.c
// The time of the last block of a Matroska file in microseconds, or ccover_unknown_time. Reads the end of the file.
int64_t ccover_matroska_end(const ccover_input *input);

// movie_protection.c
// Reads how the samples of a track are protected. Returns false if that cannot be found.
bool ccover_read_movie_protection(const ccover_input *input, int track, ccover_protection *protection);
// Whether the samples of any entry are protected.
bool ccover_has_protected_entry(const ccover_protection *protection);
// Whether the sample at a position in the file is protected.
bool ccover_is_sample_protected(const ccover_input *input, const ccover_protection *protection, AVStream *stream,
                                int64_t position);

// encryption.c
// Finds out what the container says about the encryption of the selected stream.
void ccover_find_encryption(ccover_clip *clip);
// Whether a packet of the selected stream is encrypted. If not, anything that precedes a clear frame is removed.
bool ccover_is_encrypted(ccover_clip *clip, AVPacket *packet);
// Records that a packet is encrypted if that explains why FFmpeg cannot read it.
void ccover_explain_read_error(ccover_clip *clip, int code);
// Whether the frame at a time, in ticks of the stream, lies in a part of the clip that turned out to be encrypted.
bool ccover_is_past_clear_part(const ccover_clip *clip, int64_t time);
// Whether an MP4 that cannot be opened has an encrypted track, whose scheme is then stored.
bool ccover_find_encrypted_track(ccover_clip *clip);
// Fills in an error of cause CCOVER_CAUSE_ENCRYPTED. Returns -1.
int ccover_fail_encrypted(const ccover_clip *clip, ccover_stage stage, ccover_error *error);

// decoder.c
// How the decoder saves work.
typedef struct ccover_savings {
    bool skips_loop_filter; // of the first packet
    int lowres;             // the frame's sides are halved so many times
} ccover_savings;
// Starts `ccover_decode_first` or `ccover_decode_at`: clears the error and opens the decoder.
int ccover_begin_decoding(ccover_clip *clip, ccover_savings savings, ccover_error *error);
// Replaces the decoder. The new one saves no work, and starts with the next packet.
int ccover_restart_decoder(ccover_clip *clip, ccover_error *error);
// The size of the decoder's frames before they are halved.
void ccover_whole_size(const ccover_clip *clip, int *width, int *height);

// savings.c
// What the decoder can save without a visible effect in a cover whose sides are `reduction` times as short as those of
// the first frame.
ccover_savings ccover_possible_savings(const ccover_clip *clip, int reduction);
// The same for frames that are only compared with one another.
ccover_savings ccover_draft_savings(const ccover_clip *clip);
// Which pictures after the first may lack the loop filter.
enum AVDiscard ccover_unfiltered_later(const ccover_clip *clip);

// seek.c
// The start of a stream in its ticks; 0 if unknown.
int64_t ccover_start_of(const AVStream *stream);
// Stores the time to seek to for the frame at `time`: the time itself, and earlier ones in further attempts, because a
// seek may end too late. All times are in ticks, `second` is a second. Returns false after the last attempt.
bool ccover_time_to_seek(int64_t time, int64_t start, int64_t second, int attempt, int64_t *result);
// Seeks to a position from which the frame at `time` can be decoded, or to the beginning. In containers with an index
// this is the preceding key frame; in others, such as transport streams, it is a packet close to the time. Returns
// whether the seek succeeded.
bool ccover_seek(ccover_clip *clip, int64_t time, bool to_beginning);

// key_frame.c
// Decodes the last key frame that is not later than `time`, and keeps it. All times are in ticks of the stream: `start`
// is its first one, and `second` the number in a second. Returns false if no intact key frame was found, or if the clip
// ends a second or more before `time`.
bool ccover_decode_key_frame_at(ccover_clip *clip, int64_t time, int64_t start, int64_t second);
// Stores the packet of the last key frame that is not later than `time`, and its times, without decoding anything. Returns
// false if none was found, or if the clip ends a second or more before `time`.
bool ccover_find_key_packet(ccover_clip *clip, int64_t time, int64_t start, int64_t second);
// Decodes the key frame that was stored, and keeps it; `alone` if the frames after it are not wanted. Returns false if it
// is not intact.
bool ccover_decode_found_key_frame(ccover_clip *clip, int64_t second, bool alone);

// damage.c
// Whether packets or frames of the codec are marked as key frames where they are. H.261 has none: each block is refreshed
// now and then.
bool ccover_marks_key_frames(enum AVCodecID codec);
// Forgets the state of decoding, before the first packet or after a seek.
void ccover_start_position(ccover_clip *clip);
// Records a packet that is about to be sent to the decoder.
void ccover_note_packet(ccover_clip *clip, AVPacket *packet);
// Records damage to the packet sent last.
void ccover_note_damage(ccover_clip *clip);
// Whether the decoder must be drained and reset before the packet, so that it marks the frames from there on until the
// picture is complete again.
bool ccover_restarts_at(const ccover_clip *clip, const AVPacket *packet);
// Whether the frame in `clip->spare` is intact. To be called once for each frame, in order.
bool ccover_is_clean(ccover_clip *clip);
// Moves the damaged frame in `clip->spare` to `clip->damaged` if it is the best so far.
void ccover_keep_if_best(ccover_clip *clip);
// Moves the best damaged frame to `clip->frame` if there is no intact one.
void ccover_take_damaged(ccover_clip *clip);

// damage_reports.c
// Records damage that a line of FFmpeg's log reports to the clip that it is about.
void ccover_read_log_line(void *context, int level, const char *format, va_list arguments);
// Whether libavformat called the packet corrupt. Where it splits a stream into frames, the flag is put on the packet
// before, or lost; the log has the right time.
bool ccover_is_called_corrupt(const ccover_clip *clip, const AVPacket *packet);

// damage_checks.c
// Whether a part of the packet is missing, typically replaced by zeros.
bool ccover_has_hole(const AVCodecParameters *parameters, const AVPacket *packet);
// Whether the key frame decoded from the packet depends on the bytes behind the packet: then its data is incomplete.
// Resets the decoder.
bool ccover_depends_on_what_follows(AVCodecContext *decoder, const AVPacket *packet, const AVFrame *frame);

// frames.c
// Starts a search for the frame at a time from the next packet on. Until then, frames that are neither shown at that
// time nor needed for others are not decoded.
void ccover_look_for(ccover_clip *clip, int64_t time);
// Decodes the next frame in presentation order into `clip->spare`. Returns 0, AVERROR_EOF at the end, or another
// AVERROR.
int ccover_next_frame(ccover_clip *clip);
// Decodes packets without any others. Returns false if that gives no frame. The decoder must be flushed afterwards.
bool ccover_decode_alone(AVCodecContext *decoder, AVPacket *const *packets, int count, AVFrame *frame);
// The presentation time in ticks of the stream, or ccover_unknown_time.
int64_t ccover_timestamp(const AVFrame *frame);
// Moves `clip->spare` to `clip->frame`.
void ccover_keep_spare(ccover_clip *clip);
// Keeps the frame in `clip->later`.
void ccover_keep_later(ccover_clip *clip);
// Fills in the error for a clip without a frame, after `ccover_next_frame` returned `code`. Returns -1.
int ccover_fail_without_frame(const ccover_clip *clip, int code, ccover_error *error);

// allow_list.c
bool ccover_allows_container(const AVInputFormat *format);
// Whether the container refers to media in other files.
bool ccover_points_elsewhere(const AVInputFormat *format);
bool ccover_allows_decoder(const AVCodec *decoder);
// Whether a decoder may be used for the sound of a clip.
bool ccover_allows_sound_decoder(const AVCodec *decoder);
// Restricts the decoders that libavformat may open. Returns 0 or an AVERROR.
int ccover_restrict_decoders(AVFormatContext *format, bool with_sound);

// picture.c
size_t ccover_pixel_bytes(ccover_layout layout);
// The number of channels, including alpha.
int ccover_channels(ccover_layout layout);
// Whether the layout has 16 bits per channel.
bool ccover_is_deep(ccover_layout layout);
// Whether `row_bytes` and the size allow a frame to be rendered into the picture.
bool ccover_has_room(const ccover_picture *picture);
// Allocates rows for the picture's width, height and layout, to be freed with av_free(), and sets `row_bytes`.
int ccover_allocate_rows(ccover_picture *picture, ccover_error *error);

// scale.c
// Replaces the deprecated "J" formats, which imply full range, with the formats that do not imply a range.
// `*is_full_range` is set for them, and otherwise stays.
enum AVPixelFormat ccover_without_range(enum AVPixelFormat format, bool *is_full_range);
// Whether swscale can convert the frame using nothing but the frame's own data.
bool ccover_is_convertible(const AVFrame *frame);
// Scales and converts a frame into a picture of the same orientation, and maps HDR to SDR.
int ccover_scale_frame(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, ccover_error *error);

// render.c
// Does the work of `ccover_render` for any frame in the clip's orientation.
int ccover_render_frame(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, bool deinterlaces,
                        ccover_error *error);

// orientation.c
// Converts a display matrix. Returns false and the identity if the matrix is singular or oblique.
bool ccover_orientation_from_matrix(const int32_t matrix[9], ccover_orientation *orientation);

// The pixels of a picture or of one plane of a frame. `row_bytes` is negative if the bottom row comes first in memory.
typedef struct ccover_plane {
    const uint8_t *rows;
    ptrdiff_t row_bytes;
    int width;
    int height;
    size_t pixel_bytes;
} ccover_plane;
// Copies the pixels to `destination`, turned upright. If the orientation transposes, width and height are swapped
// there.
void ccover_orient(const ccover_plane *source, ccover_orientation orientation, uint8_t *destination,
                   size_t destination_row_bytes);
// Returns the frame turned upright, to be freed by the caller, or NULL if its pixel format does not allow it or memory
// ran out.
AVFrame *ccover_turned_frame(const AVFrame *frame, ccover_orientation orientation);

// tone_map.c
// Whether the frame's transfer is PQ or HLG. Every other transfer is treated as SDR.
bool ccover_is_hdr(const AVFrame *frame);
// Maps a picture from HDR to SDR in place. The picture has 16 bits per channel, full range, and was scaled from
// `frame`; its alpha is not changed. Fails only if memory ran out.
int ccover_tone_map(const AVFrame *frame, const ccover_picture *picture, ccover_error *error);

// peak.c
// The peak in cd/m² for HLG, and for PQ clips without metadata: that of the usual mastering display.
#define CCOVER_NOMINAL_PEAK 1000.0F
// The peak in cd/m² according to the frame's metadata: MaxCLL, or else the peak of the mastering display.
double ccover_metadata_peak(const AVFrame *frame);
// The code value that the largest channel of almost all pixels of a picture with 16 bits per channel stays below.
uint32_t ccover_bright_code(const ccover_picture *picture);

// deinterlace.c
// Returns a deinterlaced copy of the frame, to be freed by the caller: the field presented first, with the lines of the
// other field interpolated from it. Returns NULL if the pixel format is not supported or memory ran out.
AVFrame *ccover_deinterlaced_frame(const AVFrame *frame);

// facts.c
// Whether a matrix tag is unknown, reserved or contradictory, so that BT.601 is assumed.
bool ccover_assumes_matrix(enum AVColorSpace matrix);
// Stores the facts about `clip->frame`, except for `is_last`. Also sets the clip's orientation.
void ccover_set_frame_facts(ccover_clip *clip, ccover_frame_facts *facts);
// The duration of the stream, or of the clip if that is unknown; `ccover_unknown_time` if neither is known.
int64_t ccover_duration_microseconds(const ccover_clip *clip);

// duration.c
// Stores the duration of the stream by reading all its packets. Nothing can be decoded afterwards.
int ccover_measure(ccover_clip *clip, int64_t *microseconds, ccover_error *error);

// dolby_vision.c
// Fills in the Dolby Vision facts, from the stream or else from the kept frame.
void ccover_set_dolby_vision(const ccover_clip *clip, ccover_frame_facts *facts);

// diagnostics.c
// Clears the FFmpeg log line collected so far, at the beginning of a call.
void ccover_log_begin(void);
// Fills in the error and returns -1. `code` is an AVERROR or 0; `text` is a printf format.
int ccover_fail(ccover_error *error, ccover_stage stage, ccover_cause cause, int code, const char *text, ...)
    __attribute__((format(printf, 5, 6)));
// Whether FFmpeg found more streams than allowed since `ccover_log_begin`.
bool ccover_logged_too_many_streams(void);
// Fills in an error of cause CCOVER_CAUSE_OUT_OF_MEMORY and returns -1.
int ccover_fail_out_of_memory(ccover_error *error, ccover_stage stage);
// The cause that corresponds to an AVERROR if nothing more specific is known.
ccover_cause ccover_cause_of(const ccover_clip *clip, int code);

#endif
