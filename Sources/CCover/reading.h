// Declarations of the files that open a clip and read its packets.

#ifndef CCOVER_READING_H
#define CCOVER_READING_H

#include "internal.h"

// input.c
// Creates FFmpeg's I/O context for a descriptor. `input` must outlive it. Returns NULL if memory ran out.
AVIOContext *ccover_input_open(ccover_input *input, int descriptor);
// Frees an I/O context with its buffer, and sets `*io` to NULL.
void ccover_close_io(AVIOContext **io);
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
// Whether the format has nothing but the packets of a stream, in order. DV is not raw in this sense: its frames have
// times.
bool ccover_is_raw(const AVInputFormat *format);
// Whether the container has the name among FFmpeg's demuxers.
bool ccover_is_container(const ccover_clip *clip, const char *name);
// Whether the container is MP4, MOV or one of their relatives.
bool ccover_is_movie(const AVFormatContext *format);
bool ccover_is_matroska(const AVFormatContext *format);
// Whether the container is an MPEG transport or program stream.
bool ccover_is_mpeg_stream(const AVFormatContext *format);
// Whether each packet of the container should hold a whole picture, that is, both of its fields. A single field does
// not produce a frame.
bool ccover_holds_whole_pictures(const AVFormatContext *format);

// allow_list.c
bool ccover_allows_container(const AVInputFormat *format);
// Whether the container refers to media in other files.
bool ccover_points_elsewhere(const AVInputFormat *format);
bool ccover_allows_decoder(const AVCodec *decoder);
// Whether a decoder may be used for the sound of a clip.
bool ccover_allows_sound_decoder(const AVCodec *decoder);
// Restricts the decoders that libavformat may open. Returns 0 or an AVERROR.
int ccover_restrict_decoders(AVFormatContext *format, bool with_sound);

// streams.c
// Whether a video stream is a picture attached to the clip.
bool ccover_is_artwork(const AVStream *stream);
// Whether the stream is video, and `artwork` or not.
bool ccover_is_video(const AVStream *stream, bool artwork);
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
// The same once decoding has begun: an error is kept for ccover_next_packet().
const AVPacket *ccover_upcoming(ccover_clip *clip, int index);
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
// Whether the stream is a picture attached to the clip: a single packet, which has no time. The demuxer cannot seek in
// such a stream, and that of Ogg ends the program if it has to.
bool ccover_is_attached_picture(const ccover_clip *clip);
// Puts the packet of an attached picture ahead, after all others were dropped. Returns 0 or an AVERROR.
int ccover_read_picture_again(ccover_clip *clip);
// Drops the packets read ahead, for example before seeking.
void ccover_forget_packets(ccover_clip *clip);

// first_picture.c
// Examines the first packets of the stream, without decoding them, and stores `clip->start`. Drops the packets before
// the first key picture, from which only damaged frames could be decoded. Stores the stored size if it was unknown.
void ccover_examine_start(ccover_clip *clip);
// Goes on with the next key picture, without decoding what precedes it, if one can be read ahead. Returns whether that
// leaves packets out.
bool ccover_skip_to_next_key_picture(ccover_clip *clip);
// Drops the packets before the next picture at which decoding can start, which stays as the first ahead. Drops none if
// the parser of the codec does not say which pictures these are. Returns false if no such picture is decoded up to
// `time`.
bool ccover_skip_to_start(ccover_clip *clip, int64_t time);
// Whether the picture in a packet is of another size than the container states, or, in HEVC, a field, which has half of
// the lines.
bool ccover_differs_from_header(const AVStream *stream, const AVPacket *packet);
// Whether two packets of H.264 hold the two fields of a frame.
bool ccover_are_fields(const AVStream *stream, const AVPacket *first, const AVPacket *second);

// mpeg_headers.c
bool ccover_is_mpeg_1_or_2(enum AVCodecID codec);
// Whether a packet of MPEG-1 or MPEG-2 starts inside a picture, as the first one after a seek may.
bool ccover_lacks_picture_header(const AVPacket *packet);
// Whether a packet holds a picture of MPEG-1 or MPEG-2 that is predicted from both sides.
bool ccover_holds_b_picture(const AVPacket *packet);
// Whether the group of pictures of MPEG-1 or MPEG-2 that starts with the packet is marked as closed: all of its
// pictures can be decoded without earlier ones.
bool ccover_starts_closed_group(const AVPacket *packet);
// The type of a picture of MPEG-4 (a VOP).
enum { CCOVER_VOP_I = 0, CCOVER_VOP_P, CCOVER_VOP_B, CCOVER_VOP_S };
// Returns the type of the first picture of a packet, or -1 if the packet holds none.
int ccover_vop_type(const AVPacket *packet);

// start_time.c
// The search for the time at which a stream of video starts, in the packets of the stream.
typedef struct ccover_start_search {
    AVStream *stream;
    int count;      // packets that were looked at
    int64_t first;  // the time of the first of them that has one; AV_NOPTS_VALUE before it
    bool is_hidden; // that packet is not shown
    bool is_found;  // and one after it is
} ccover_start_search;
ccover_start_search ccover_start_search_of(AVStream *stream);
// Corrects the start time of the stream by its next packet. The first packet must be the first of the stream. Returns
// whether the packet after this one is needed as well.
bool ccover_search_start(ccover_start_search *search, const AVPacket *packet);
// Reads ahead until the start time of the selected stream is known.
void ccover_find_start_time(ccover_clip *clip);
// The start of the stream, given the time of one of its frames. If only the header was read, it may be unknown; then it
// is the first packet, or the frame if that is earlier. Times to seek to are counted from 0 if the start remains
// unknown.
int64_t ccover_start_before(const ccover_clip *clip, int64_t timestamp);
// Lets the stream start with its first frame, in `clip->frame`, if its start is unknown, or later according to
// libavformat: in a clip that was opened without a search for the start.
void ccover_begin_with_frame(ccover_clip *clip);

// nal_units.c
enum {
    CCOVER_H264_IDR = 5,
    CCOVER_H264_SEQUENCE_PARAMETERS = 7,
    CCOVER_HEVC_RADL_N = 6,
    CCOVER_HEVC_RADL_R = 7,
    CCOVER_HEVC_RASL_N = 8,
    CCOVER_HEVC_RASL_R = 9,
    CCOVER_HEVC_FIRST_KEY = 16,
    CCOVER_HEVC_CRA = 21,
    CCOVER_HEVC_SEQUENCE_PARAMETERS = 33,
};
bool ccover_is_avc_or_hevc(enum AVCodecID codec);
// The type of the first NAL unit of an H.264 or HEVC packet that holds a part of the picture, or -1.
int ccover_slice_type(const AVStream *stream, const AVPacket *packet);
// Whether an HEVC packet holds a picture at which decoding can begin.
bool ccover_is_hevc_key(const AVStream *stream, const AVPacket *packet);
// Whether an H.264 or HEVC packet holds a key picture, but not the parameters of the sequence, which precede it.
bool ccover_lacks_parameters(const AVStream *stream, const AVPacket *packet);
// Whether the units of H.264 or HEVC packets are preceded by their lengths, rather than by start codes.
bool ccover_has_lengths(const AVCodecParameters *parameters);
// A run of zeros in a packet.
typedef struct ccover_zeros {
    int start;
    int end;
} ccover_zeros;
// A unit of a packet, which is walked through once. All NULL at first.
typedef struct ccover_unit {
    const uint8_t *start;
    const uint8_t *end;
    const uint8_t *next; // where to look for the next unit
} ccover_unit;
// Where zeros are.
typedef enum ccover_zeros_place {
    CCOVER_ZEROS_OUTSIDE = 0,   // not inside a unit, or at the end of a slice
    CCOVER_ZEROS_IN_SLICE,      // inside a unit that holds a part of the picture
    CCOVER_ZEROS_IN_OTHER_UNIT, // inside a unit without pixels, such as filler data
} ccover_zeros_place;
// Moves on to the unit that the zeros are in, so they must not precede those of the call before.
ccover_zeros_place ccover_place_of_zeros(const AVCodecParameters *parameters, const AVPacket *packet,
                                         ccover_zeros zeros, ccover_unit *unit);
// Whether an H.264 or HEVC packet has a message (SEI) with the display orientation.
bool ccover_states_orientation(const AVStream *stream, const AVPacket *packet);

// frame_numbers.c
// Whether the numbers of H.264 frames may have gaps where no frame is missing, given a key picture: in streams of which
// layers were removed. The numbers are those of frames from which others are predicted.
bool ccover_may_lack_numbers(const AVStream *stream, const AVPacket *packet);

// png_texts.c
// Removes texts and colour profiles from a packet of PNG or APNG, so that the decoder does not inflate them. Does
// nothing for other codecs. Returns 0 or an AVERROR.
int ccover_remove_texts(const AVCodecParameters *parameters, AVPacket *packet);
// Does the same for the extradata of all APNG streams, and sets their pixel format.
void ccover_describe_animations(AVFormatContext *format);

// clock.c
// Forgets the times of frames, before the first packet or after a seek.
void ccover_stop_clock(ccover_clip *clip);
// Starts with the frame of a packet that is about to be sent to the decoder first. Sets when the packet is shown, if
// that follows from the packets behind it.
void ccover_start_clock(ccover_clip *clip, AVPacket *packet);
// Remembers when the decoder gets a packet, in containers that store no times of presentation.
void ccover_note_sent(ccover_clip *clip, AVPacket *packet);
// Whether only some of the packets have times, and libavformat does not make up the others: H.264 and HEVC in program
// streams.
bool ccover_may_lack_times(const ccover_clip *clip);
// When the next packet of such a stream is due, after a packet with these times; AV_NOPTS_VALUE unless frames are shown
// in the order of their packets.
int64_t ccover_due_after(const ccover_clip *clip, int64_t shown, int64_t decoded);
// Corrects the times of the next packet of such a stream. Returns false if it is the rest of a key picture.
bool ccover_settle_times(ccover_clip *clip, AVPacket *packet);
// Gives the frame in `clip->spare` a time if it has none. To be called once for each frame, in order.
void ccover_time_frame(ccover_clip *clip);
// Whether the times of most packets follow from those before: MPEG-1 and MPEG-2 in program streams.
bool ccover_derives_times(const ccover_clip *clip);
// Sets the times of the next packet of such a stream, unless it has its own.
void ccover_derive_times(ccover_clip *clip, AVPacket *packet);
// The time at which a packet is shown, like ccover_shown_time(). Where the times of such a stream leave it open, it
// follows from the packets behind the current one, which must be the packet given.
int64_t ccover_derived_shown_time(ccover_clip *clip, const AVPacket *packet);

// raw_streams.c
// Finds out whether the container stores no times, so that its packets are counted.
void ccover_choose_clock(ccover_clip *clip);
// Counts no packets of MPEG-1 or MPEG-2 where the first one is not a key picture: the decoder drops some of them.
void ccover_confirm_clock(ccover_clip *clip);
bool ccover_counts_time(const ccover_clip *clip);
// How long the pictures after a key picture are shown that the decoder drops, because they are predicted from earlier
// pictures as well. They would be shown before the key picture. They start `index` packets ahead.
int64_t ccover_dropped_after(ccover_clip *clip, const AVPacket *key, int index);
// Sets the times of the next packet of a raw stream.
void ccover_count_packet(ccover_clip *clip, AVPacket *packet);
// Continues with the last key frame of a raw stream that is not later than the time, or with the first packet. Reads as
// far as the time if that has not been done before. Returns whether that was possible.
bool ccover_seek_by_count(ccover_clip *clip, int64_t time);
// Reads a raw stream to its end. Returns the time at which it ends; 0 if it has no packet.
int64_t ccover_count_all(ccover_clip *clip);

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

// fragments.c
// Whether a clip is a movie with an index of its fragments, of which libavformat then reads only those that are needed.
bool ccover_lists_fragments(const ccover_clip *clip);
// Seeks in such a movie to the last key frame that is not later than `time`, and so that no fragment between the two is
// left out; to an earlier key frame if libavformat does not lead to that one. All times are in ticks, `second` is a
// second. Returns 0 or an AVERROR.
int ccover_seek_in_fragments(ccover_clip *clip, int64_t time, int64_t start, int64_t second);

// duration.c
// Corrects the duration of the video in a Matroska, FLV or NUT file that gives the time at which the clip ends, counted
// from 0, although the video starts later: in a part of a longer recording, or where the sound starts first. Finds that
// of an APNG. Does nothing for a clip of which all streams are wanted.
void ccover_correct_duration(ccover_clip *clip);
// The duration of a video, in microseconds, and what shows whether it can be right. INT64_MAX is any time beyond.
typedef struct ccover_length {
    int64_t measured;     // by the times of its packets
    int64_t declared;     // by the header, if packets are missing; otherwise ccover_unknown_time
    int64_t longest_step; // the longest time between two packets in a row, or from the last to the end
} ccover_length;
// Stores the length of the stream by reading all its packets. Nothing can be decoded afterwards.
int ccover_measure(ccover_clip *clip, ccover_length *length, ccover_error *error);

#endif
