// Opening a container, and reading the packets of its stream.

#ifndef CCOVER_DEMUXING_H
#define CCOVER_DEMUXING_H

#include "Bitstreams/bitstreams.h"
#include "Containers/containers.h"

// What the container declares about the encryption of a stream.
typedef enum ccover_declared_encryption {
    CCOVER_DECLARED_CLEAR = 0,
    CCOVER_DECLARED_ENCRYPTED,
    CCOVER_DECLARED_SIGNALLED, // the first byte of each frame shows whether it is encrypted (WebM)
} ccover_declared_encryption;

typedef struct ccover_encryption {
    ccover_declared_encryption declared;
    char scheme[CCOVER_NAME_SIZE]; // empty if the container does not name it
    bool was_met;          // an encrypted packet was read; the stream counts as ended there
    int64_t met_time;      // its presentation time
} ccover_encryption;

// A packet that libavformat logged as corrupt, or that was marked as damaged.
typedef struct ccover_corrupt_packet {
    int64_t position; // of a marked packet in the file; -1 for a logged one
    int stream;
    int64_t time;     // decoding time in ticks, before wrap-around is undone
} ccover_corrupt_packet;
enum { CCOVER_MAX_CORRUPT = 32 };
// The most packets that are read ahead: ten seconds of a recording with 60 fields a second.
enum { CCOVER_MAX_AHEAD = 600 };

typedef enum ccover_packet_times {
    CCOVER_TIMES_PTS = 0,
    CCOVER_TIMES_DTS_ONLY,
    CCOVER_TIMES_DISORDERED, // PTS that go back, or stand still
} ccover_packet_times;

// The times of frames as they leave the decoder, in ticks of the stream; AV_NOPTS_VALUE if unknown.
typedef struct ccover_frame_clock {
    int64_t next;     // the PTS of the next frame, if it has none
    int64_t previous; // when the frame before was shown
    int64_t interval; // between the latest two frames; 0 if unknown
    int64_t last_sent_dts; // when the decoder gets the latest packet
    int64_t stated;   // the time that its packet states for the latest frame
    int stalls;       // how many frames in a row had a stated time that is not later than that of the frame before
    ccover_packet_times times;
} ccover_frame_clock;

// The times of the packets of a raw stream, in ticks, counted from its beginning.
typedef struct ccover_packet_clock {
    bool is_used;
    int64_t next; // the time of the next packet
    int64_t end;  // of the part that was read
    AVFormatContext *index; // holds `keys`
    AVStream *keys;         // whose index has the key pictures of that part
} ccover_packet_clock;

typedef struct ccover_clock {
    ccover_frame_clock frames;
    int64_t next_dts; // of the packet after those that were read, in a program stream; AV_NOPTS_VALUE if unknown
    int64_t next_pts; // when it is shown, in a stream that may lack times
    ccover_packet_clock packets;
    int64_t first_time;    // the presentation time of the first packet, or of the first one sent to the decoder
} ccover_clock;

typedef struct ccover_container {
    const char *name;
    ccover_raw_format raw;         // its name for callers
    bool is_raw : 1;               // nothing but the packets of a stream, in order; frames of DV have times
    bool has_no_times : 1;         // its packets are counted
    bool is_matroska : 1;          // or WebM
    bool is_mpeg_stream : 1;       // an MPEG transport or program stream
    bool holds_whole_pictures : 1; // each packet should hold both fields of a picture; one alone does not give a frame
    bool shows_damage_late : 1;    // bytes that are missing or inserted in a packet are noticed only when the next one
                                   // is not found where it ends
    int least_score;               // of FFmpeg's probe; a lower one is a guess
    struct {
        uint8_t offset, bytes;
    } signature; // near the first byte of each recording, and repeated in MPEG streams; none in a raw stream
    // The beginnings of lines that the demuxer logs where it skips data or loses sync without an error or a flag. All
    // other lines are also logged for intact clips, or follow an error.
    const char *losses[13];
} ccover_container;

// The container, the selected stream and the queue of its packets.
typedef struct ccover_demuxer {
    ccover_input input;
    ccover_encryption encryption;
    AVIOContext *io;
    const AVInputFormat *container; // NULL until it is recognised
    const ccover_container *kind;   // of the container; never NULL
    uint8_t signature[16];          // of this recording
    uint8_t signature_bytes;        // 0 if it has none or cannot be read
    int64_t next_recording;         // where another one begins in the file; -1 if none was found
    bool is_assumed;                // the container was not recognised, but assumed
    bool ignores_edits;             // the edit lists of the movie show no frame, so they are ignored
    AVFormatContext *format;
    AVStream *stream;
    AVPacket *packet;
    AVPacket *packet_queue[CCOVER_MAX_AHEAD]; // packets read ahead and not yet sent to the decoder
    int queue_count;
    int64_t queue_bytes;
    // Why no packet follows those read ahead: an AVERROR; AVERROR_EOF also if the stream is a picture, or encrypted
    // from there on. Otherwise 0.
    int queue_error;
    AVRational display_aspect; // that the container gives for the whole picture, unless stream info was read
    uint8_t palette[AVPALETTE_SIZE]; // the one read last
    bool has_palette;
    int64_t max_pixels;
    bool all_streams; // see `ccover_limits`
    ccover_crop crop;
    ccover_corrupt_packet corrupt[CCOVER_MAX_CORRUPT]; // the latest ones
    int64_t corrupt_count;
    bool has_logged_loss;        // of bytes, since a packet of a transport stream was last logged as corrupt
    int64_t container_errors;    // lines about lost data that libavformat logged
    int64_t gap_position;        // where it logged the first one after the packet read last; -1 if it did not
    bool is_after_gap;           // no packet of the stream was read since the last gap
    int64_t content_size;        // see ccover_content_size(); 0 until it was asked for
    bool has_untimed_corruption; // libavformat logged a corrupt packet without its time
    int64_t packets_read; // that were sent to the decoder
    ccover_clock clock;
} ccover_demuxer;

// container.c
ccover_demuxer *ccover_make_demuxer(int descriptor, const ccover_limits *limits);
// Opens the container, selects the stream to decode, and finds out what its packets need. `demuxer->stream` may be
// NULL if `limits` allow that.
int ccover_open_demuxer(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error);
void ccover_free_demuxer(ccover_demuxer **demuxer);
// Recognises the container and reads its header.
int ccover_open_header(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error);
int ccover_fail_unrecognised(ccover_error *error);

// container_table.c
const ccover_container *ccover_container_of(const AVInputFormat *format);
const AVInputFormat *ccover_raw_demuxer(ccover_raw_format format);
bool ccover_is_container(const ccover_demuxer *demuxer, const char *name);
bool ccover_is_movie(const AVFormatContext *format);

// recordings.c
// Returns where another recording of the same format begins between two positions of the file: the first one, which
// cannot be found in transport and program streams, or the last one. Returns -1 without one.
int64_t ccover_find_recording(const ccover_demuxer *demuxer, int64_t from, int64_t end, bool finds_first);
// Returns where the next recording begins, or -1. Movies and most Matroska files state where they end; otherwise the
// beginning of the file is searched.
int64_t ccover_find_next_recording(const ccover_demuxer *demuxer, int64_t max_bytes);
// Finds the next recording in a transport or program stream: there times go back. Reads packets at some places.
void ccover_find_restart(ccover_demuxer *demuxer, int32_t places);

// streams.c
bool ccover_is_artwork(const AVStream *stream);
bool ccover_is_video(const AVStream *stream, bool artwork);
int ccover_count_streams(const AVFormatContext *format, enum AVMediaType type, bool artwork);
// Returns the stream to decode, or NULL: the stream that `limits` names; otherwise the first video stream that is not
// artwork, like ffmpeg's `0:V:0`, in a transport stream that with the largest pictures of the first programme; or
// artwork, as `limits` allows.
AVStream *ccover_choose_stream(const AVFormatContext *format, const ccover_limits *limits);
// Stores the stream to decode. The demuxer discards the packets of all other streams.
int ccover_select_stream(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error);

// stream_info.c
// Reads packets of a clip whose header was read until the facts about all streams are known. If the video begins late,
// opens the clip again and reads up to a minute of sound.
int ccover_read_stream_info_to_video(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error);
// Reads packets, which are kept, until the stream to decode and its codec are known.
int ccover_find_stream(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error);

// packets.c
// Moves the next packet of the stream into `demuxer->packet`. Returns 0 or an AVERROR; AVERROR_EXIT after the deadline.
int ccover_next_packet(ccover_demuxer *demuxer);
// Reads one packet ahead, and keeps it if it may belong to the stream to decode. Returns 0 or an AVERROR; ENOSPC if the
// packets read ahead take too much memory.
int ccover_read_ahead(ccover_demuxer *demuxer);
// The packet `index` packets ahead, or NULL at the end or the limits. An error is kept for ccover_next_packet().
const AVPacket *ccover_packet_ahead(ccover_demuxer *demuxer, int index);
void ccover_drop_packets(ccover_demuxer *demuxer, int count);
// Prepares the packets that were read before the stream was selected, and drops those of other streams. They end before
// the first encrypted one.
void ccover_prepare_packets_ahead(ccover_demuxer *demuxer);
// When the packet's frame is presented, or decoded if that is unknown; AV_NOPTS_VALUE if neither is known.
int64_t ccover_shown_time(const AVPacket *packet);
// When the packet's frame is decoded, or presented if that is unknown; AV_NOPTS_VALUE if neither is known.
int64_t ccover_decoded_time(const AVPacket *packet);
// Whether the stream is a picture attached to the clip: a single packet, which has no time. The demuxer cannot seek in
// such a stream, and that of Ogg ends the program if it has to.
bool ccover_is_attached_picture(const ccover_demuxer *demuxer);
// Puts the packet of an attached picture ahead, after all others were dropped. Returns 0 or an AVERROR.
int ccover_read_picture_again(ccover_demuxer *demuxer);
void ccover_forget_packets(ccover_demuxer *demuxer);
void ccover_count_sent(ccover_demuxer *demuxer, int count);

// corrupt_packets.c
void ccover_read_demuxer_line(ccover_demuxer *demuxer, const char *format, va_list arguments);
void ccover_note_parser_report(void);
// Whether a parser has reported damage in this thread since the last call.
bool ccover_take_parser_report(void);
// Whether libavformat logged the packet as corrupt. If it splits a stream into frames, the flag is put on the packet
// before, or lost; the log has the right time.
bool ccover_is_called_corrupt(const ccover_demuxer *demuxer, const AVPacket *packet);
// The start of the zeros at the end of the file, or its size without any. The file is examined only once.
int64_t ccover_content_end(ccover_demuxer *demuxer);
void ccover_mark_corrupt(ccover_demuxer *demuxer, AVPacket *packet);
// Marks as corrupt the packets next to a place where the demuxer logged an error or failed with `code`: `before` is the
// last packet that was read before, `after` the first one of the stream that is read after it; either may be NULL.
void ccover_note_gap(ccover_demuxer *demuxer, int code, AVPacket *before, AVPacket *after);

// clock.c
void ccover_stop_clock(ccover_demuxer *demuxer);
// Starts with the frame of a packet that is about to be sent to the decoder first. Sets the packet's PTS, if
// that follows from later packets.
void ccover_start_clock(ccover_demuxer *demuxer, AVPacket *packet);
void ccover_note_first_time(ccover_demuxer *demuxer, int64_t time);
// Remembers when the decoder gets a packet, in containers that store no times of presentation.
void ccover_note_sent(ccover_demuxer *demuxer, AVPacket *packet);
// Whether only some of the packets have times, and libavformat does not make up the others: H.264 and HEVC in program
// streams.
bool ccover_may_lack_times(const ccover_demuxer *demuxer);
// When the next packet of such a stream is due, after a packet with these times; AV_NOPTS_VALUE unless frames are shown
// in the order of their packets.
int64_t ccover_time_after(const ccover_demuxer *demuxer, int64_t shown, int64_t decoded);
// Corrects the times of the next packet of such a stream. Returns false if it is the rest of a key picture.
bool ccover_settle_times(ccover_demuxer *demuxer, AVPacket *packet);
// Gives a frame a time if it has none. `delay` is the number of frames that the decoder holds back. To be called once
// for each frame, in order.
void ccover_time_frame(ccover_demuxer *demuxer, AVFrame *frame, int delay);
int64_t ccover_timestamp(const AVFrame *frame);
// Whether the times of most packets follow from those before: MPEG-1 and MPEG-2 in program streams.
bool ccover_derives_times(const ccover_demuxer *demuxer);
void ccover_derive_times(ccover_demuxer *demuxer, AVPacket *packet);
// The PTS of a packet, like ccover_shown_time(). If the times of such a stream do not determine it, it follows from the
// packets after the current one, which must be the packet given.
int64_t ccover_derived_shown_time(ccover_demuxer *demuxer, const AVPacket *packet);

// raw_streams.c
// Finds out whether the container stores no times, so that its packets are counted.
void ccover_choose_clock(ccover_demuxer *demuxer);
// Counts no packets of MPEG-1 or MPEG-2 where the first one is not a key picture: the decoder drops some of them.
void ccover_confirm_clock(ccover_demuxer *demuxer);
bool ccover_counts_time(const ccover_demuxer *demuxer);
// How long the pictures after a key picture are shown that the decoder drops, because they are predicted from earlier
// pictures as well. They would be shown before the key picture. They start `index` packets ahead.
int64_t ccover_dropped_after(ccover_demuxer *demuxer, const AVPacket *key, int index);
void ccover_count_packet(ccover_demuxer *demuxer, AVPacket *packet);
// Continues with the last key frame of a raw stream that is not later than the time, or with the first packet. Reads as
// far as the time if that has not been done before. Returns whether that was possible.
bool ccover_seek_by_count(ccover_demuxer *demuxer, int64_t time);
// Returns the duration of a raw stream by reading to its end; 0 if it has no packet.
int64_t ccover_count_all(ccover_demuxer *demuxer);

// fragments.c
// Whether a clip is a movie with an index of its fragments.
bool ccover_lists_fragments(const ccover_demuxer *demuxer);
// Seeks in such a movie to the last key frame that is not later than `time`, and so that no fragment between the two is
// left out; to an earlier key frame if libavformat does not lead to that one. All times are in ticks, `second` is a
// second. Returns 0 or an AVERROR.
int ccover_seek_in_fragments(ccover_demuxer *demuxer, int64_t time, int64_t start, int64_t second);

// incomplete.c
// Whether the file ends before the clip does, according to the container. If it has no end, nothing is missing.
bool ccover_is_cut_off(const ccover_demuxer *demuxer);
// Changes the error's cause to CCOVER_CAUSE_TRUNCATED, or CCOVER_CAUSE_NO_INDEX, if the clip is still being written or
// was cut off. Returns -1.
int ccover_reclassify_error(const ccover_demuxer *demuxer, ccover_error *error);

// encryption.c
// The number of the selected stream among those of video.
int ccover_video_track(const ccover_demuxer *demuxer);
void ccover_find_encryption(ccover_demuxer *demuxer);
// Whether a packet of the selected stream is encrypted. If not, anything that precedes a clear frame is removed.
bool ccover_is_encrypted(ccover_demuxer *demuxer, AVPacket *packet);
void ccover_explain_read_error(ccover_demuxer *demuxer, int code);
// Whether the frame at a time, in ticks of the stream, lies in a part of the clip that turned out to be encrypted.
bool ccover_is_past_clear_part(const ccover_demuxer *demuxer, int64_t time);
// Whether an MP4 that cannot be opened has an encrypted track, whose scheme is then stored.
bool ccover_find_encrypted_track(ccover_demuxer *demuxer);
int ccover_fail_encrypted(const ccover_demuxer *demuxer, ccover_stage stage, ccover_error *error);

// scrambling.c
// Returns where the packets of a transport stream begin in the first part of a file, or -1.
int64_t ccover_find_transport_stream(const ccover_input *input);
// Records that the packets read last are encrypted if they are marked so in a transport or program stream, or damaged
// in a protected movie. To be called only where no intact frame was found, or only one before the wanted time.
void ccover_look_for_scrambling(ccover_demuxer *demuxer, const AVFrame *frame, bool is_damaged);

// colour.c
typedef struct ccover_colour_tags {
    enum AVColorSpace matrix;
    enum AVColorRange range;
    enum AVColorTransferCharacteristic transfer;
    enum AVColorPrimaries primaries;
} ccover_colour_tags;
ccover_colour_tags ccover_stated_tags(const AVCodecParameters *parameters);
// Adds what the container states to the parameters that libavformat found, where these are unspecified.
void ccover_complete_parameters(AVCodecParameters *parameters, ccover_colour_tags stated);
void ccover_complete_frame(AVFrame *frame, const AVStream *stream);
// The matrix of a frame; if its tag means "derived from the primaries", that of these primaries, if it is known.
enum AVColorSpace ccover_matrix_of(const AVFrame *frame);
// Whether the matrix of a frame is unknown, reserved, contradictory or not supported, so that BT.601 is assumed.
bool ccover_assumes_matrix(const AVFrame *frame);
// Whether the frame's transfer is PQ or HLG. Every other transfer is treated as SDR.
bool ccover_is_hdr(const AVFrame *frame);

// crop.c
void ccover_find_crop(ccover_demuxer *demuxer);
void ccover_crop_frame(const ccover_demuxer *demuxer, AVFrame *frame);

#endif
