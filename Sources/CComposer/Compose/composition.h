// Declarations shared by the files of the compositor (compose*.c).

#ifndef CCOMPOSER_COMPOSITION_H
#define CCOMPOSER_COMPOSITION_H

#include "CComposition.h"
#include "output.h"

#include <libavcodec/bsf.h>
#include <libswresample/swresample.h>
#include <pthread.h>

// compose_tile.c
//
// A tile is a picture in 4:2:0, BT.709, limited range: what a canvas shows. It covers the place of the canvas and,
// where an edge of that lies between two chroma samples, one more row or column, which has the colour of the frame.
typedef struct composer_place {
    int x, y, width, height; // of the canvas in the frame
    int tile_x, tile_y, tile_width, tile_height; // even
    int gutter; // the width of the edge outside the place
    ccomposition_colour ground;  // under transparent parts
    ccomposition_colour outside; // the place
} composer_place;

composer_place composer_place_of(const ccomposition_canvas *canvas, ccomposition_colour outside);
// Returns a tile or frame with any content, to be freed by the caller, or NULL if memory ran out.
AVFrame *composer_make_frame(int width, int height);
void composer_fill(AVFrame *frame, ccomposition_colour colour);
// Composites pixels with alpha over a colour: `count` pixels of 4 bytes become pixels of 3 bytes.
void composer_flatten(const uint8_t *rgba, size_t count, ccomposition_colour ground, uint8_t *rgb);
// Converts a picture of the size of the place, with 3 bytes per pixel, to a tile. Returns 0 or an AVERROR.
int composer_convert(const composer_place *place, const uint8_t *rgb, AVFrame *tile);
// Draws the place's part of a tile in the frame, and the gutter around it.
void composer_draw(const composer_place *place, const AVFrame *tile, AVFrame *frame);

// compose_fit.c
// The size of a scaled frame, the part of it that is shown, and its position in the place. The position is even, and
// so is the size of the part unless that is the place's.
typedef struct composer_fit {
    int scaled_width, scaled_height;
    int left, top; // cropped
    int x, y, width, height; // in the place
} composer_fit;
// How a frame of this stored size is fitted into the place of a canvas.
composer_fit composer_fit_of(const ccover_frame_facts *facts, const ccomposition_canvas *canvas);

// compose_matrix.c
// Converts a part of a tile from a frame's matrix to BT.709, in place. The part begins and ends at even coordinates.
void composer_convert_matrix(AVFrame *tile, int x, int y, int width, int height, const AVFrame *frame);

// compose_render.c
// A decoded frame and its facts.
typedef struct composer_shot {
    AVFrame *frame;
    ccover_frame_facts facts;
    int64_t index; // the first frame of the output that shows it, counted from the start of the clip
} composer_shot;

// Renders the frames of a clip. To be initialised with the first two members.
typedef struct composer_renderer {
    const ccomposition_canvas *canvas;
    const composer_place *place;
    struct SwsContext *scaler;
    AVFrame *scaled, *turned;
    int scaler_key[6];
} composer_renderer;
// Renders a shot of the clip into a tile.
int composer_render(composer_renderer *renderer, ccover_clip *clip, const composer_shot *shot, AVFrame *tile,
                    ccover_error *error);
void composer_close_renderer(composer_renderer *renderer);

// compose_player.c
// The number of tiles of a player: the shown tile, and those decoded ahead.
enum { COMPOSER_TILES = 3 };

// The clip of a canvas, decoded in its own thread. Both threads use what follows `lock` only while they hold it.
typedef struct composer_player {
    const ccomposition_canvas *canvas;
    const ccomposition_options *options;
    composer_place place;
    bool was_started, has_thread;
    pthread_t thread;
    AVFrame *tiles[COMPOSER_TILES];
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t indices[COMPOSER_TILES]; // the first frame of each tile, in order; the first tile is shown if any is
    int used;                        // tiles that hold a picture
    bool is_over;                    // no more tiles follow
    _Atomic bool is_stopping;        // this and the next two are also read without the lock
    _Atomic double origin;           // the start of the video in the time of the container, in seconds
    _Atomic int64_t broken_at;       // the first frame that cannot be shown; -1 for none
    ccomposition_problem problems[2];   // by kind: broken, damaged
    bool has_problem[2];
} composer_player;
// Prepares a player whose thread has not started.
void composer_prepare_player(composer_player *player, const ccomposition_canvas *canvas,
                             const ccomposition_options *options);
// Starts decoding.
int composer_start_player(composer_player *player, ccover_error *error);
// Returns what the clip shows at a frame, counted from its start; it stays valid until the next call. The frame must
// not be earlier than that of the call before. Returns NULL if the clip cannot be decoded there.
const AVFrame *composer_tile_at(composer_player *player, int64_t index);
// Whether the clip cannot be decoded at a frame that `composer_tile_at` was called with.
bool composer_is_broken_at(const composer_player *player, int64_t index);
// Stops the thread and frees all tiles, except for the shown tile if `keeps_shown`.
void composer_stop_player(composer_player *player, bool keeps_shown);
void composer_free_player(composer_player *player);

// compose_pass.c
// The thread of a player, which is the argument.
void *composer_play(void *argument);

// compose_sound.c
// The sound of a clip as stereo samples at 48 kHz.
enum { COMPOSER_SAMPLE_RATE = 48000 };
typedef struct composer_sound {
    ccover_clip *clip;
    const AVStream *stream; // of the clip
    const ccomposition_options *options;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame; // the one decoded last; empty once it is resampled
    struct SwrContext *resampler;
    int source_rate, source_format; // that the resampler was made for, like the layout
    AVChannelLayout source_layout;
    double origin;
    float *samples; // resampled and not yet read
    int count, room;
    int64_t end;     // the position after these samples, counted from the origin
    int64_t silence; // samples of silence to insert before the frame
    int64_t skipped; // samples of the frame to drop, because they are before `end`
    bool is_over;    // nothing more can be decoded
} composer_sound;
// Opens the sound of a clip. `origin` is the time of its first sample in the container, in seconds. `*sound` is NULL if
// the clip has no sound, which is not an error.
int composer_open_sound(int descriptor, const ccomposition_options *options, double origin, composer_sound **sound,
                        ccover_error *error);
// Stores the next samples, left and right in turn. After the end, and where the clip has none, they are silent. Returns
// -1 if the clip is damaged; the samples are silent from there on.
int composer_read_sound(composer_sound *sound, float *samples, int count, ccover_error *error);
void composer_close_sound(composer_sound **sound);
// The first stream whose sound can be decoded, or -1. `*codec` is that of a stream that cannot be decoded, if all are
// such.
int composer_sound_stream(const AVFormatContext *format, enum AVCodecID *codec);

// compose_resample.c
// Finds out how much silence precedes the decoded frame, or how much of it is dropped. Like all functions here, returns
// 0 or an AVERROR.
int composer_place_frame(composer_sound *sound);
// Appends a part of the silence before the frame.
int composer_add_silence(composer_sound *sound);
// Appends the frame, which is empty afterwards.
int composer_add_frame(composer_sound *sound);
// Appends what the resampler still holds.
int composer_drain_resampler(composer_sound *sound);

// compose_limiter.c
// Keeps peaks below full scale, without steps in the gain: it is lowered ahead of a peak.
enum { COMPOSER_LOOKAHEAD = 240 };
typedef struct composer_limiter {
    float delayed[2 * COMPOSER_LOOKAHEAD];
    float wanted[COMPOSER_LOOKAHEAD];  // the gains that the samples of the window permit
    float lowest[COMPOSER_LOOKAHEAD];  // the smallest of them, of the last windows
    double sum;                        // of `lowest`
    float released;                    // the smallest gain, rising slowly after a peak
    int position;
} composer_limiter;
void composer_start_limiter(composer_limiter *limiter);
// Limits samples in place. They are delayed by COMPOSER_LOOKAHEAD samples; the first ones are silent.
void composer_limit(composer_limiter *limiter, float *samples, int count);

// compose_encoder.c
typedef struct composer_track {
    AVCodecContext *encoder; // NULL without the track
    AVBSFContext *filter;
    AVStream *stream;
} composer_track;
typedef struct composer_encoder {
    ccomposer_output output;
    AVIOContext *io;
    AVFormatContext *format;
    composer_track picture, sound;
    AVPacket *packet;
    AVFrame *samples; // not yet encoded
    int sample_count;
    int64_t samples_sent;
} composer_encoder;
int composer_open_encoder(composer_encoder *encoder, const ccomposition_options *options, ccover_error *error);
// Encodes a frame of the output, or, if it is NULL, what the encoder still holds.
int composer_encode_frame(composer_encoder *encoder, AVFrame *frame, ccover_error *error);
// Encodes samples, left and right in turn; none to encode what the encoder still holds.
int composer_encode_samples(composer_encoder *encoder, const float *samples, int count, ccover_error *error);
int composer_finish_encoder(composer_encoder *encoder, ccover_error *error);
void composer_close_encoder(composer_encoder *encoder);

// compose_mixer.c
// Mixes the sounds of all canvases.
typedef struct composer_mixer {
    composer_limiter limiter;
    float *mixed, *samples;
    int room;
    int64_t delayed; // samples at the beginning that are still to be dropped
} composer_mixer;

// compose.c
// A canvas, without its pictures, and what it shows.
typedef struct composer_view {
    ccomposition_canvas canvas;
    composer_player player;
    composer_sound *sound; // NULL if not open
    AVFrame *cover, *after;
    uint8_t *backdrop;
} composer_view;

struct ccomposition {
    ccomposition_options options;
    int count;
    composer_view *views;
    AVFrame *frame;
    int64_t next;
    bool is_finished, has_failed;
    composer_encoder encoder;
    composer_mixer mixer;
    int problem_count;
    ccomposition_problem problems[3 * CCOMPOSITION_MAX_CANVASES];
};

// compose_mixer.c
int composer_open_mixer(ccomposition *composition, ccover_error *error);
// Mixes and encodes the sound of a frame of the output.
int composer_mix_frame(ccomposition *composition, int64_t frame, ccover_error *error);
// Encodes the samples that the limiter still holds.
int composer_finish_mixer(ccomposition *composition, ccover_error *error);

// compose.c
// The frame of a clip, counted from its start, that a canvas shows at a frame of the output; -1 if it shows no clip, or
// the clip has ended.
int64_t composer_playing(const ccomposition_canvas *canvas, int64_t frame);
// Records a problem, unless one of that kind was recorded for the canvas.
void composer_report(ccomposition *composition, const ccomposition_problem *problem);

#endif
