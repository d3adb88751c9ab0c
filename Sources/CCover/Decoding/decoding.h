// Declarations of the files that decode frames, and judge them.

#ifndef CCOVER_DECODING_H
#define CCOVER_DECODING_H

#include "internal.h"

// decoder.c
// How the decoder saves work.
typedef struct ccover_savings {
    bool skips_loop_filter; // of the first packet
    int lowres;             // the frame's sides are halved so many times
    bool ignores_alpha;     // which is announced, but the first picture has none
} ccover_savings;
// Whether the header announces that frames of VP8 or VP9 are transparent, which recordings of Chromium always do.
bool ccover_announces_alpha(const AVStream *stream);
// Whether the transparency of a frame of VP8 or VP9 comes with its packet, as in Matroska and WebM.
bool ccover_has_alpha_picture(const AVPacket *packet);
// Starts `ccover_decode_first` or `ccover_decode_at`: clears the error and opens the decoder.
int ccover_begin_decoding(ccover_clip *clip, ccover_savings savings, ccover_error *error);
// Replaces the decoder. The new one saves no work, and starts with the next packet.
int ccover_restart_decoder(ccover_clip *clip, ccover_error *error);
// The size of the decoder's frames before they are halved.
void ccover_whole_size(const ccover_clip *clip, int *width, int *height);

// encoder_build.c
// Looks for the version of x264 in the first packet. The packet is read only where the version matters.
void ccover_find_encoder_build(ccover_clip *clip);
// Tells the decoder, which is not open yet, the version that was found.
void ccover_set_encoder_build(ccover_clip *clip);

// wavelet.c
// What the main header of a JPEG 2000 picture says.
typedef struct ccover_wavelet {
    bool is_at_origin;       // so that the samples of halved pictures lie where the scaler expects them
    bool is_subsampled;      // at least one channel is
    bool is_smooth;          // the wavelet is the irreversible one; the other overshoots at edges, and clips if halved
    bool is_high_throughput; // its blocks are coded as in part 15 of the standard
} ccover_wavelet;
// Reads the header, wherever the packet has it. Returns false if it has none.
bool ccover_read_wavelet(const AVPacket *packet, ccover_wavelet *head);

// decoder_shortcuts.c
// What the decoder can save without a visible effect in a cover whose sides are `reduction` times as short as those of
// the first frame.
ccover_savings ccover_possible_savings(const ccover_clip *clip, int reduction);
// The same for frames that are only compared with one another.
ccover_savings ccover_draft_savings(const ccover_clip *clip);
// Which pictures after the first may lack the loop filter.
enum AVDiscard ccover_unfiltered_later(const ccover_clip *clip);

// vp9_filter.c
// Whether a packet of VP9 holds a key frame that is shown and nothing else.
bool ccover_is_vp9_key(const AVPacket *packet);
// Changes such a packet so that its frame is not filtered. Returns 0 or an AVERROR.
int ccover_leave_out_vp9_filter(AVPacket *packet);

// frames.c
// Starts a search for the frame at a time from the next packet on. Until then, frames that are neither shown at that
// time nor needed for others are not decoded.
void ccover_look_for(ccover_clip *clip, int64_t time);
// Decodes the next frame in presentation order into `clip->spare`. Returns 0, AVERROR_EOF at the end, or another
// AVERROR.
int ccover_next_frame(ccover_clip *clip);
// Decodes packets without any others, with the decoder of a clip. Returns false if that gives no frame. The decoder
// must be flushed afterwards.
bool ccover_decode_alone(AVCodecContext *decoder, AVPacket *const *packets, int count, AVFrame *frame);
// The presentation time in ticks of the stream, or ccover_unknown_time.
int64_t ccover_timestamp(const AVFrame *frame);
// Moves `clip->spare` to `clip->frame`.
void ccover_keep_spare(ccover_clip *clip);
// Keeps the frame in `clip->later`.
void ccover_keep_later(ccover_clip *clip);
// Fills in the error for a clip without a frame, after `ccover_next_frame` returned `code`. Returns -1.
int ccover_fail_without_frame(const ccover_clip *clip, int code, ccover_error *error);

// key_frame.c
// Decodes the last key frame that is not later than `time`, and keeps it. All times are in ticks of the stream: `start`
// is its first one, and `second` the number in a second. Returns false if no intact key frame was found, or if the clip
// ends a second or more before `time`.
bool ccover_decode_key_frame_at(ccover_clip *clip, int64_t time, int64_t start, int64_t second);
// Drops packets before the packet that is decoded at the time, which stays as the first ahead. Returns false if no such
// packet follows.
bool ccover_skip_to_packet(ccover_clip *clip, int64_t time);
// Seeks to the packet of a key frame, which becomes the first ahead. Returns false if it is not found again.
bool ccover_move_to_key(ccover_clip *clip, ccover_key key, int64_t second);
// Stores the packet of the last key frame that is not later than `time`, and its times, without decoding anything.
// Returns false if none was found, or if the clip ends a second or more before `time`.
bool ccover_find_key_packet(ccover_clip *clip, int64_t time, int64_t start, int64_t second);
// Decodes the key frame that was stored, and keeps it; `alone` if the frames after it are not wanted. Returns false if
// it is not intact.
bool ccover_decode_found_key_frame(ccover_clip *clip, int64_t second, bool alone);

// damage.c
// Whether packets or frames of the codec are marked as key frames where they are. H.261 has none: each block is
// refreshed now and then.
bool ccover_marks_key_frames(enum AVCodecID codec);
// Whether the decoder calls the frame a key frame.
bool ccover_is_key_frame(const ccover_clip *clip, const AVFrame *frame);
// Remembers that the container may be wrong about which frames are key frames.
void ccover_distrust_keys(ccover_clip *clip);
// Whether the frame in `clip->spare` is not to be shown, because it is outside of the clip's edit list.
bool ccover_is_discarded(ccover_clip *clip);
// Forgets the state of decoding, before the first packet or after a seek.
void ccover_start_position(ccover_clip *clip);
// Records a packet that is about to be sent to the decoder.
void ccover_note_packet(ccover_clip *clip, AVPacket *packet);
// Records damage to the packet sent last.
void ccover_note_damage(ccover_clip *clip);
// Records that the number of an H.264 frame of the packet sent last does not follow that of the frame before: frames
// from which it may be predicted are missing.
void ccover_note_gap_of_numbers(ccover_clip *clip);
// Records that the packet sent last is a JPEG picture without an end marker.
void ccover_note_missing_end(ccover_clip *clip);
// Whether the decoder must be drained and reset before the packet, so that it marks the frames from there on until the
// picture is complete again.
bool ccover_restarts_at(const ccover_clip *clip, const AVPacket *packet);
// Whether the frame in `clip->spare` is intact. To be called once for each frame, in order.
bool ccover_is_clean(ccover_clip *clip);
// Whether no frame behind the one in `clip->spare` can be intact until the next key frame, which the decoder does not
// have yet.
bool ccover_awaits_key(ccover_clip *clip);
// Moves the damaged frame in `clip->spare` to `clip->damaged` if it is the best so far.
void ccover_keep_if_best(ccover_clip *clip);
// Moves the best damaged frame to `clip->frame` if all are damaged, and the clip is not encrypted there.
void ccover_take_damaged(ccover_clip *clip);

// harmless_reports.c
// Whether a line that a decoder or parser of the codec logs is also written for intact clips.
bool ccover_is_harmless_report(enum AVCodecID codec, const char *format, va_list arguments);

// damage_reports.c
// Records damage that a line of FFmpeg's log reports to the clip that it is about.
void ccover_read_log_line(void *context, int level, const char *format, va_list arguments);
// Forgets what parsers reported in this thread, before a packet is read or parsed.
void ccover_forget_parser_reports(void);
// Whether a parser has reported damage in this thread since.
bool ccover_has_parser_report(void);
// Whether libavformat called the packet corrupt. Where it splits a stream into frames, the flag is put on the packet
// before, or lost; the log has the right time.
bool ccover_is_called_corrupt(const ccover_clip *clip, const AVPacket *packet);
// What the log has about a packet that libavformat called corrupt; NULL if it has nothing.
const ccover_corrupt_packet *ccover_report_of(const ccover_clip *clip, const AVPacket *packet);

// wrong_sizes.c
// Records a line of the demuxer of transport streams.
void ccover_note_wrong_size(ccover_clip *clip, const char *format);
// Whether such a line reports that bytes are missing or damaged.
bool ccover_reports_lost_bytes(const char *format);
// Whether nothing but a wrong size was reported for the packet that libavformat calls corrupt. Forgets these reports.
bool ccover_has_only_wrong_size(ccover_clip *clip);
// Finds out whether the clip is a transport stream in which a wrong size means nothing, because the first packets all
// have one. Packets that have nothing worse are then not called corrupt. Does nothing for a clip of which all streams
// are wanted.
void ccover_find_wrong_sizes(ccover_clip *clip);

// damage_gaps.c
// Marks a packet as damaged, also when it is read again after a seek.
void ccover_mark_corrupt(ccover_clip *clip, AVPacket *packet);
// Counts an error that the demuxer logged, and records its place.
void ccover_note_container_error(ccover_clip *clip);
// Whether each packet is found where the one before it ends, so that bytes which are missing or inserted in a packet
// are noticed only when the next one is read.
bool ccover_shows_damage_late(const ccover_clip *clip);
// Whether the packet was marked as damaged when it was read earlier.
bool ccover_was_marked_corrupt(const ccover_clip *clip, const AVPacket *packet);
// Marks as corrupt the packets next to a place where the demuxer logged an error or failed with `code`: `before` is the
// last packet that was read before, `after` the first one of the stream that is read behind it; either may be NULL.
void ccover_note_gap(ccover_clip *clip, int code, AVPacket *before, AVPacket *after);

// damage_checks.c
// Whether a part of the packet is missing, typically replaced by zeros.
bool ccover_has_hole(const AVCodecParameters *parameters, const AVPacket *packet);
// Where zeros begin that last up to the end of the file, otherwise its size. The file is examined only once.
int64_t ccover_content_end(ccover_clip *clip);
// Whether the file's content ends inside the packet, and the zeros that follow go on behind it.
bool ccover_reaches_past_content(ccover_clip *clip, const AVPacket *packet);
// Whether a JPEG picture ends with its end marker, apart from zeros.
bool ccover_has_end_marker(const AVPacket *packet);
// Whether the key frame decoded from the packet depends on the bytes behind the packet: then its data is incomplete.
// Resets the decoder.
bool ccover_depends_on_what_follows(AVCodecContext *decoder, const AVPacket *packet, const AVFrame *frame);

// damage_blocks.c
// Whether a block of the frame was never decoded.
bool ccover_has_blank_block(enum AVCodecID codec, const AVFrame *frame);

// frame_geometry.c
// Gives a frame of H.264 in `clip->spare` the orientation that an earlier frame stated, which holds up to the next key
// frame.
void ccover_inherit_orientation(ccover_clip *clip);

// fields.c
// Whether a frame is a single field: HEVC codes the fields of interlaced video as pictures of half the height.
bool ccover_is_field(const ccover_clip *clip, const AVFrame *frame);
// Whether the frames consist of two fields although the decoder will not say so.
bool ccover_states_fields(const AVCodecParameters *parameters);
// Corrects what a decoder says about the fields of a frame.
void ccover_correct_fields(AVFrame *frame, const AVStream *stream);

// colour.c
// How the values of pixels are to be understood.
typedef struct ccover_colour_tags {
    enum AVColorSpace matrix;
    enum AVColorRange range;
    enum AVColorTransferCharacteristic transfer;
    enum AVColorPrimaries primaries;
} ccover_colour_tags;
// Lets the unused byte of raw pixels of 32 bits (BI_RGB in AVI), which FFmpeg takes for alpha, be ignored.
void ccover_ignore_padding(AVFormatContext *format);
// The tags that the container states, before the stream info is read.
ccover_colour_tags ccover_stated_tags(const AVCodecParameters *parameters);
// Adds what the container states to the parameters that libavformat found, where these are unspecified.
void ccover_complete_parameters(AVCodecParameters *parameters, ccover_colour_tags stated);
// Does the same for a frame of the stream.
void ccover_complete_frame(AVFrame *frame, const AVStream *stream);
// The matrix of a frame; where its tag says that it follows from the primaries, that of these primaries if it is known.
enum AVColorSpace ccover_matrix_of(const AVFrame *frame);
// Whether the matrix of a frame is unknown, reserved, contradictory or not supported, so that BT.601 is assumed.
bool ccover_assumes_matrix(const AVFrame *frame);

// crop.c
// Finds the part of the frames that the container states to be shown, and corrects the shape of its pixels.
void ccover_find_crop(ccover_clip *clip);
// Removes the other parts of a frame as it comes from the decoder.
void ccover_crop_frame(const ccover_clip *clip, AVFrame *frame);

// facts.c
// Stores the facts about `clip->frame`, except for `is_last`. Also sets the orientation of the clip and completes the
// colours of the frame.
void ccover_set_frame_facts(ccover_clip *clip, ccover_frame_facts *facts);
// The duration of the stream, or of the clip if that is unknown; `ccover_unknown_time` if neither is known.
int64_t ccover_duration_microseconds(const ccover_clip *clip);

// dolby_vision.c
// Fills in the Dolby Vision facts, from the stream or else from the kept frame.
void ccover_set_dolby_vision(const ccover_clip *clip, ccover_frame_facts *facts);

#endif
