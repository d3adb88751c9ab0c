// Declarations shared by the files of CComposer.

#ifndef CCOMPOSER_INTERNAL_H
#define CCOMPOSER_INTERNAL_H

#include "output.h"

// MARK: order.c: the PTS of packets in containers that store only a DTS

typedef struct ccomposer_order ccomposer_order;

// Whether the frames of a stream may be decoded and shown in different orders, and the container gives only the first.
bool ccomposer_lacks_order(const AVFormatContext *format, const AVStream *stream);
// Prepares to find the order of the frames of a stream, from whose header the mark of packed streams is removed.
// Returns 0 or an AVERROR.
int ccomposer_open_order(AVStream *stream, ccomposer_order **order);
void ccomposer_close_order(ccomposer_order **order);
// Takes the data of a packet. Returns 0, 1 if it holds no frame, or an AVERROR; AVERROR_INVALIDDATA without an order.
int ccomposer_send_to_order(ccomposer_order *order, AVPacket *packet);
// Gives times to the frames that are left, because no packet follows.
void ccomposer_end_order(ccomposer_order *order);
// Stores the next packet in the order of the file, with both times. Returns false while its time is unknown.
bool ccomposer_receive_from_order(ccomposer_order *order, AVPacket *packet);

// MARK: part.c

enum { CCOMPOSER_MAX_STREAMS = 64 };

// A clip that is copied, and its streams that are copied, in the order of the output.
typedef struct ccomposer_part {
    ccover_clip *clip; // NULL if the part is not open
    int64_t start;     // microseconds, like the two that follow
    int64_t key;       // of the first frame that is copied; INT64_MIN if the part starts with its clip
    int64_t end;       // INT64_MAX if the part ends with its clip
    int stream_count;
    AVStream *streams[CCOMPOSER_MAX_STREAMS];
    ccomposer_order *orders[CCOMPOSER_MAX_STREAMS]; // of these streams; NULL where the container gives all times
    AVPacket *fields[CCOMPOSER_MAX_STREAMS]; // the last packets of these streams, which may be first fields; or NULL
    bool is_damaged;   // libavformat could not read all of what precedes the first packet
    unsigned known_streams; // when the clip was opened
    int left_out;      // the number of streams that are not copied
    int chapter_streams; // the number of these that hold only the texts of chapters
    struct AVFifo *packet_queue; // what was read ahead (ccomposer_reading); NULL before
} ccomposer_part;

// Whether the container is MP4 or MOV, which have edit lists and display matrices.
static inline bool ccomposer_is_movie(ccomposer_container container) {
    return container == CCOMPOSER_MP4 || container == CCOMPOSER_MOV;
}
// The clockwise rotation of a stream for display, in degrees; 360 more if it is mirrored as well.
int ccomposer_rotation_of(const AVStream *stream);
// Lists the containers that can hold all that is copied of a clip: `.mov and .mkv`; empty without any. Only MP4 and MOV
// are `movies`.
void ccomposer_list_fitting(const AVFormatContext *source, bool movies, bool others, char text[CCOVER_TEXT_SIZE]);
// Opens a clip to be copied, with its streams in the order of the output's. On failure the part is not open.
int ccomposer_open_part(int descriptor, const ccomposer_copy_options *options, const AVFormatContext *muxer,
                        ccomposer_part *part, ccover_error *error);
// Does nothing if the part is not open.
void ccomposer_close_part(ccomposer_part *part);
// Returns the index of a stream of the output for a packet of the clip, or -1.
int ccomposer_output_stream(const ccomposer_part *part, const AVPacket *packet);
// Whether a packet belongs to a stream of sound or video that was left out because it seemed to be empty, or to one of
// video that was not there when the clip was opened.
bool ccomposer_is_unexpected(const ccomposer_part *part, const AVPacket *packet);

// MARK: cut.c

// Limits an open part to what the options select.
void ccomposer_select_part(ccomposer_part *part, const ccomposer_copy_options *options);

// MARK: reading.c

// A call of av_read_frame().
typedef struct ccomposer_reading {
    AVPacket *packet; // to be freed; NULL if memory ran out
    int code;         // 0 or an AVERROR
    bool has_errors;  // libavformat logged errors of the container
} ccomposer_reading;

// Reads the next packet.
ccomposer_reading ccomposer_read(ccomposer_part *part);
// Reads ahead until it is known when the streams of video start. Returns 0 or an AVERROR.
int ccomposer_find_starts(ccomposer_part *part);
void ccomposer_forget_ahead(ccomposer_part *part);

// MARK: compare.c

// Compares the streams of a clip with those of the first clip, which its packets are to follow. Returns 0, or -1 with
// the difference as the error.
int ccomposer_compare_parts(const ccomposer_part *part, const ccomposer_part *first, ccover_error *error);
// What a stream holds, such as "video".
const char *ccomposer_stream_noun(const AVStream *stream);
enum { CCOMPOSER_FLAC_HEADER = 34 };
bool ccomposer_has_flac_header(const AVCodecParameters *parameters);
// Makes a header one of any samples: it has their number, their checksum and the sizes of frames.
void ccomposer_forget_flac_samples(uint8_t *header);

// MARK: muxer.c

// Whether a header that describes the stream can be written. Only trying shows it.
bool ccomposer_accepts(ccomposer_container container, const AVStream *stream);

// Describes the output like a clip: streams, metadata and, unless other clips are joined to it, chapters. Returns 0 or
// an AVERROR.
int ccomposer_describe(AVFormatContext *muxer, ccomposer_container container, const ccomposer_part *part,
                       bool is_joined);

// MARK: times.c

enum { CCOMPOSER_MAX_DELAY = 16 };

// The times of a stream that is written.
typedef struct ccomposer_times {
    int64_t last;      // the decoding time of the last packet, in ticks of the output; AV_NOPTS_VALUE before the first
    int64_t last_step; // between the last two packets, in ticks of the output
    int64_t given;     // the decoding time of the last packet in ticks of the clip; AV_NOPTS_VALUE before the first
    int64_t first;     // when the first packet is shown, in ticks of the output; AV_NOPTS_VALUE before it
    int64_t lead;      // the lead of intact frames of the first clip that are shown before it, in ticks of the output
    int64_t end;       // the end of the last packet shown, in microseconds of the output
    int64_t next;      // the end of the last packet, in ticks of the output
    bool goes_back;    // times went back, and the packets since are heard already
    bool derives;      // the clip does not give decoding times
    bool has_ended;    // all packets before the end of the part were read
    int64_t latest, covered; // when the last frame is shown, and until when, in ticks of the clip; INT64_MIN before it
    int waiting;       // PTS that the next DTS are derived from, in ticks of the clip
    int64_t presented[CCOMPOSER_MAX_DELAY + 2]; // in ascending order
} ccomposer_times;

// What becomes of a packet.
typedef enum ccomposer_packet_disposition {
    CCOMPOSER_WRITTEN,
    CCOMPOSER_DROPPED, // it is not shown, and no packet requires it
    CCOMPOSER_UNTIMED, // the time of the packet is unknown
    CCOMPOSER_HIDDEN,  // a frame that is decoded but not shown, which cannot be expressed in the middle of the output
    CCOMPOSER_BACKWARDS, // times go back by more than can be corrected
} ccomposer_packet_disposition;

// The place of a clip in the output.
typedef struct ccomposer_place {
    int64_t start;  // of the clip, in microseconds
    int64_t key, end; // see ccomposer_part
    int64_t offset; // of the clip in the output, in microseconds
    bool is_first;  // nothing comes before it
    bool can_hide;  // the output can hide what is before the start
    bool is_matroska;
} ccomposer_place;

// Forgets what is known about the clip that ended.
void ccomposer_begin_times(ccomposer_times *times);
// Changes the times of a packet from those of the clip to those of the output, and notes when it ends. Sets `*moved` if
// the packet, which is heard or shown, would not follow the one before.
ccomposer_packet_disposition ccomposer_place_packet(AVPacket *packet, const AVStream *from, const AVStream *to,
                                      const ccomposer_place *place, ccomposer_times *times, bool *moved);

// Whether a packet is later than the end of the one before by more than a rounding error, in ticks of the stream.
bool ccomposer_is_gap(const AVStream *stream, int64_t end, int64_t time);

// MARK: fields.c

// Whether the two fields of a frame may be stored in two packets of a stream.
bool ccomposer_may_split_frames(const AVStream *stream);
// Appends the second field of a frame to the first, if it is that and has no time. Returns 1 if it was appended, 0 if
// not, or an AVERROR.
int ccomposer_join_fields(const AVStream *stream, AVPacket *first, const AVPacket *second);

// MARK: leading.c

// The units of a movie in a second.
enum { CCOMPOSER_MOVIE_SCALE = 1000 };
// Lets a finished MP4 or MOV show the frames that come before that of the first packet of a stream of video.
void ccomposer_show_leading(const ccomposer_output *output, AVIOContext *io, const AVStream *stream,
                            const ccomposer_times *times);

// MARK: copy_packet.c

// The header of AAC packets in transport streams (ADTS), which describes the encoding of the sound. The output stores
// that once.
typedef struct ccomposer_adts {
    unsigned first; // the profile, the sample rate and the channels of the first packet; 0 before it
    int others;     // packets in a row that differ from it
} ccomposer_adts;

// MARK: ending.c

// Whether the file was never completed, such as a recording to a pipe, so that durations in its header mean nothing.
bool ccomposer_is_unfinished(const ccover_demuxer *demuxer);
// Whether the sample tables of a movie list all samples.
bool ccomposer_lists_all_samples(const ccover_clip *clip);
// Whether a clip that was read to its end should be longer: its file was cut off, or its header states a duration that
// is more than half a second longer than the one copied, in microseconds.
bool ccomposer_lacks_end(const ccomposer_part *part, int64_t copied);

// MARK: silence.c

// Whether a container stores the sound of a stream without times, as MP4 and MOV do with PCM, so that gaps between
// packets are lost.
bool ccomposer_loses_gaps(const AVStream *stream, ccomposer_container container);
bool ccomposer_is_pcm(enum AVCodecID codec);
// The bytes of PCM of so many ticks of a stream, and the other way round.
int64_t ccomposer_pcm_bytes(const AVStream *stream, int64_t ticks);
int64_t ccomposer_pcm_ticks(const AVStream *stream, int64_t bytes);
// Writes silence from one time to another, in ticks of the stream. Returns 0 or an AVERROR.
int ccomposer_write_silence(AVFormatContext *muxer, int index, int64_t from, int64_t to);

#endif
