// Decoding frames.

#ifndef CCOVER_DECODING_H
#define CCOVER_DECODING_H

#include "Damage/damage.h"

// What the headers of its packets reveal about the first picture of the stream.
typedef struct ccover_first_picture {
    int packets;         // that are sufficient to decode the first frame; 0 if it requires others
    bool is_shown_first; // the first packet gives the first frame, and no other picture of the cover depends on it
    bool is_interlaced;  // false if unknown
} ccover_first_picture;

typedef struct ccover_key {
    int64_t shown; // the times of its packet
    int64_t decoded;
    int64_t target_pts; // the frame is not later than this
} ccover_key;

typedef struct ccover_geometry {
    bool has_matrix;   // a frame stated the orientation of those that follow
    int32_t matrix[9];
    bool is_known;     // the first frame was decoded, for the facts of the clip
    ccover_frame_format format;
} ccover_geometry;

// The decoder, the frames that are kept, and what has been reached.
typedef struct ccover_position {
    AVCodecContext *decoder; // NULL until a frame is requested
    int encoder_build;       // the version of x264 that wrote the clip; 0 if unknown
    ccover_first_picture first_picture; // all zero if the clip was opened with complete facts
    AVFrame *frame; // the kept frame
    AVFrame *decoding_frame; // the frame being decoded
    AVFrame *next_frame; // an intact frame after `frame` that was decoded, but is later than the requested time
    AVFrame *damaged; // the best of the decoded damaged frames, in case none is intact
    int64_t target_pts; // the time of the frame that is looked for, in ticks; AV_NOPTS_VALUE for the first frame
    int64_t last_sent_pts; // the latest up to `target_pts` of a packet sent to the decoder; AV_NOPTS_VALUE for none
    bool has_measured_duration; // it was looked for at the end of the file
    int64_t declared_duration;  // in microseconds, by the header of a file that was cut off; 0 for others
    bool can_seek;    // the decoder is open for frames at a time
    bool is_draft;         // frames are decoded quickly rather than well
    bool releases_frame;   // `frame` is given up before the next one is decoded, which saves its memory
    bool output_is_half_size;   // the frames are shown at half their size at most
    AVPacket *key_packet;  // that of the key frame found last, if it was read
    ccover_key key;        // the key frame found last; its times are AV_NOPTS_VALUE if none was found
    bool is_replacement;   // damaged frames lie between `frame` and the requested time
    int64_t replaced_time; // when the last of these is shown
    ccover_geometry geometry;
    bool is_frame_damaged; // `frame` is the best of the damaged frames
    int read_error;    // the error that stopped the demuxer; 0 at the end of the file
    int decode_error;  // the error of the last packet that the decoder rejected
    bool lacked_memory; // the decoder could not allocate something, whatever it reported
    int fewest_reports; // of damage to `damaged` itself
    int64_t frames_decoded, decode_errors, damaged_frames;
} ccover_position;

// decoder.c
typedef struct ccover_shortcuts {
    bool skips_loop_filter; // of the first packet
    int lowres;             // the frame's sides are halved so many times
    bool ignores_alpha;     // which is announced, but the first picture has none
} ccover_shortcuts;
// Whether the header announces that frames of VP8 or VP9 are transparent, which recordings of Chromium always do.
bool ccover_announces_alpha(const AVStream *stream);
// Whether the transparency of a frame of VP8 or VP9 comes with its packet, as in Matroska and WebM.
bool ccover_has_alpha_picture(const AVPacket *packet);
// Starts `ccover_decode_first` or `ccover_decode_at`: clears the error and opens the decoder.
int ccover_begin_decoding(ccover_clip *clip, ccover_shortcuts shortcuts, ccover_error *error);
// The new decoder saves no work, and starts with the next packet.
int ccover_restart_decoder(ccover_clip *clip, ccover_error *error);
void ccover_find_encoder_build(ccover_demuxer *demuxer, ccover_position *position);
// HEVC codes the fields of interlaced video as pictures of half the height.
bool ccover_is_field(const ccover_demuxer *demuxer, const AVFrame *frame);
// Whether the frames consist of two fields although the decoder does not mark them as interlaced.
bool ccover_states_fields(const AVCodecParameters *parameters);
void ccover_correct_fields(AVFrame *frame, const AVStream *stream);

// decoder_shortcuts.c
// What the decoder can save without a visible effect in a cover that is `reduction` times smaller than the first frame.
ccover_shortcuts ccover_possible_shortcuts(const ccover_clip *clip, int reduction);
ccover_shortcuts ccover_draft_shortcuts(const ccover_clip *clip);
enum AVDiscard ccover_unfiltered_later(const ccover_position *position);

// first_picture.c
// Examines the first packets of the stream, without decoding them, and drops those before the first key picture, which
// would give damaged frames only. Stores the size if it was unknown.
void ccover_examine_start(ccover_clip *clip);
// Goes on with the next key picture, if one can be read ahead. Returns whether that leaves packets out.
bool ccover_skip_to_next_key_picture(ccover_clip *clip);
// Drops the packets before the next picture that decoding can start with, which stays as the first ahead. Drops none if
// the parser of the codec does not mark such pictures. Returns false if none has a DTS up to `time`.
bool ccover_skip_to_start(ccover_demuxer *demuxer, int64_t time);
// Whether the picture in a packet is of another size than the container states, or, in HEVC, a field.
bool ccover_differs_from_header(const AVStream *stream, const AVPacket *packet);
bool ccover_are_fields(const AVStream *stream, const AVPacket *first, const AVPacket *second);

// frames.c
ccover_position *ccover_make_position(void);
void ccover_free_position(ccover_position **position);
// Starts a search for the frame at a time from the next packet on. Until then, frames that are neither shown at that
// time nor needed for others are not decoded.
void ccover_set_target_time(ccover_position *position, int64_t time);
// Releases each frame before the next one is decoded. Whether all are shown at half their size at most is also stored.
void ccover_release_frames(ccover_position *position, bool output_is_half_size);
// Decodes the next frame in presentation order into `clip->position->decoding_frame`. Returns 0 or an AVERROR.
int ccover_next_frame(ccover_clip *clip);
// Decodes packets without any others, with the decoder of a clip. Returns false if that gives no frame. The decoder
// must be flushed afterwards.
bool ccover_decode_alone(AVCodecContext *decoder, AVPacket *const *packets, int count, AVFrame *frame);
void ccover_keep(ccover_position *position, AVFrame *frame);
// Fills in the error for a clip without a frame, after `ccover_next_frame` returned `code`. Returns -1.
int ccover_fail_without_frame(const ccover_clip *clip, int code, ccover_error *error);

bool ccover_is_clean(ccover_clip *clip);
// Keeps the damaged frame in `clip->position->decoding_frame` if it is better than the one kept.
void ccover_keep_if_best(ccover_clip *clip);
// Takes the best damaged frame if all are damaged, and the clip is not encrypted there.
void ccover_take_damaged(ccover_clip *clip);

// key_frame.c
// Decodes the last key frame that is not later than `time`, and keeps it. All times are in ticks of the stream: `start`
// is its first one, and `second` the number in a second. Returns false if no intact key frame was found, or if the clip
// ends a second or more before `time`.
bool ccover_decode_key_frame_at(ccover_clip *clip, int64_t time, int64_t start, int64_t second);
// Seeks to the packet of a key frame, which becomes the first ahead. Returns false if it is not found again.
bool ccover_move_to_key(ccover_clip *clip, ccover_key key, int64_t second);
// The same without decoding: stores the packet of the key frame and its times.
bool ccover_find_key_packet(ccover_clip *clip, int64_t time, int64_t start, int64_t second, bool trusts_index);
// Keeps the key frame that was stored, if it is intact; decoded `alone` if the frames after it are not wanted.
bool ccover_decode_found_key_frame(ccover_clip *clip, int64_t second, bool alone);

// seek.c
// Stores the time to seek to for the frame at `time`: the time itself, and earlier ones in further attempts, because a
// seek may end too late. All times are in ticks, `second` is a second. Returns false after the last attempt.
bool ccover_time_to_seek(int64_t time, int64_t start, int64_t second, int attempt, int64_t *result);
// Seeks to a position before the frame at `time` where decoding can start, or to the beginning. In containers with an
// index this is the preceding key frame; in others, such as transport streams, it is a packet close to the time.
// Returns whether the seek succeeded.
bool ccover_seek(ccover_clip *clip, int64_t time, bool to_beginning);

// frame_geometry.c
// Converts a display matrix. Returns false and the identity if the matrix is singular or oblique.
bool ccover_orientation_from_matrix(const int32_t matrix[9], ccover_orientation *orientation);
// Gives a frame of H.264 the orientation that an earlier frame stated, which holds up to the next key frame.
void ccover_inherit_orientation(ccover_clip *clip);

// facts.c
// Except for `is_last`. Also completes the colours of the frame.
void ccover_set_frame_facts(ccover_clip *clip, ccover_frame_facts *facts);
// Finds how a frame is turned upright. Returns false if its display matrix, or that of its stream, has to be ignored.
bool ccover_find_orientation(const AVStream *stream, const AVFrame *frame, ccover_orientation *orientation);
// The duration of the stream, or of the clip if that is unknown; `ccover_unknown_time` if neither is known.
int64_t ccover_duration_microseconds(const ccover_demuxer *demuxer);

// duration.c
// Corrects the duration of the video in a Matroska, FLV or NUT file that stores the end of the clip, counted from 0,
// although the video starts later: in a part of a longer recording, or if the sound starts first. Does nothing if all
// streams of the clip are wanted.
void ccover_correct_duration(ccover_demuxer *demuxer);
// The duration of a video, in microseconds, and what shows whether it can be right. INT64_MAX is any time beyond.
typedef struct ccover_length {
    int64_t measured;     // by the times of its packets
    int64_t declared;     // by the header, if packets are missing; otherwise ccover_unknown_time
    int64_t longest_step; // the longest time between two packets in a row, or from the last to the end
} ccover_length;
// Reads all packets of the stream. Nothing can be decoded afterwards.
int ccover_measure(ccover_clip *clip, ccover_length *length, ccover_error *error);

// start_time.c: in ticks; 0 if unknown
int64_t ccover_start_of(const AVStream *stream);
// The same, or the time of its first packet; AV_NOPTS_VALUE if neither is known.
int64_t ccover_first_time(const ccover_demuxer *demuxer);
// The search for the start time of a video stream in its packets.
typedef struct ccover_start_search {
    AVStream *stream;
    int count;      // packets that were looked at
    int64_t first;  // the time of the first of them that has one; AV_NOPTS_VALUE before it
    bool is_hidden; // that packet is not shown
    bool is_found;  // and one after it is
    bool is_closed; // no picture that follows is predicted from one before it
} ccover_start_search;
ccover_start_search ccover_start_search_of(AVStream *stream);
// Corrects the start time of the stream by its next packet. The first packet must be the first of the stream. Returns
// whether the packet after this one is needed as well.
bool ccover_search_start(ccover_start_search *search, const AVPacket *packet);
void ccover_find_start_time(ccover_demuxer *demuxer);
// The start of the stream, given the time of one of its frames. If only the header was read, it may be unknown; then it
// is the first packet, or the frame if that is earlier. If times are `counted` from it, an unknown start is 0.
int64_t ccover_start_before(const ccover_demuxer *demuxer, int64_t timestamp, bool counted);
// Lets the stream start with its first frame, if its start is unknown, or later according to libavformat: in a clip
// that was opened without a search for the start.
void ccover_begin_with_frame(ccover_demuxer *demuxer, const AVFrame *frame);

#endif
