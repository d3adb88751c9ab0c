// The composition: what each canvas shows at each frame of the output.

#include "Compose/composition.h"

#include <libavutil/avstring.h>
#include <libavutil/mem.h>
#include <malloc.h>
#include <string.h>

// MARK: Opening

static bool is_valid_canvas(const ccomposition_canvas *canvas, const ccomposition_options *options) {
    bool is_inside = canvas->width >= 1 && canvas->height >= 1 && canvas->x >= 0 && canvas->y >= 0 &&
                     canvas->x <= options->width - canvas->width && canvas->y <= options->height - canvas->height;
    bool has_gutter = canvas->gutter >= 0 && canvas->gutter <= CCOMPOSITION_MAX_SIDE;
    bool has_shares = canvas->least_shown >= 0.25 && canvas->least_shown <= 1 && canvas->least_shown_turned >= 0.25 &&
                      canvas->least_shown_turned <= 1;
    bool is_clip = canvas->frames >= 1 && canvas->start >= 0 && canvas->end <= CCOMPOSITION_END_LOOP;
    return is_inside && has_gutter && (canvas->descriptor < 0 || (has_shares && is_clip));
}

static bool are_valid(const ccomposition_options *options, const ccomposition_canvas *canvases, int32_t count) {
    bool has_size = options->width >= 2 && options->height >= 2 && options->width <= CCOMPOSITION_MAX_SIDE &&
                    options->height <= CCOMPOSITION_MAX_SIDE && options->width % 2 == 0 && options->height % 2 == 0;
    bool has_rate = options->rate.num > 0 && options->rate.den > 0 &&
                    options->rate.num <= (int64_t)CCOMPOSITION_MAX_RATE * options->rate.den;
    bool is_valid = has_size && has_rate && options->frames >= 1 && count >= 0 && count <= CCOMPOSITION_MAX_CANVASES;
    for (int i = 0; is_valid && i < count; i++) {
        is_valid = is_valid_canvas(&canvases[i], options);
    }
    return is_valid;
}

// Returns the tile of a picture, or NULL if memory ran out. Without a picture, it has the ground's colour.
static AVFrame *tile_of(const composer_place *place, const uint8_t *rgb) {
    AVFrame *tile = composer_make_frame(place->tile_width, place->tile_height);
    if (tile && !rgb) {
        composer_fill(tile, place->ground);
    } else if (tile && composer_convert(place, rgb, tile) < 0) {
        av_frame_free(&tile);
    }
    return tile;
}

// Takes over a canvas and its pictures.
static bool add_canvas(ccomposition *composition, int index, const ccomposition_canvas *given) {
    composer_view *view = &composition->views[index];
    view->canvas = *given;
    composer_prepare_player(&view->player, &view->canvas, &composition->options);
    view->cover = tile_of(&view->player.place, given->cover);
    view->after = tile_of(&view->player.place, given->after);
    view->canvas.cover = view->canvas.after = NULL;
    if (given->backdrop) {
        view->backdrop = av_memdup(given->backdrop, 3 * (size_t)given->width * (size_t)given->height);
        view->canvas.backdrop = view->backdrop;
    }
    return view->cover && view->after && (!given->backdrop || view->backdrop);
}

int ccomposition_open(const ccomposition_options *options, const ccomposition_canvas *canvases, int32_t count,
                   ccomposition **result, ccover_error *error) {
    *result = NULL;
    *error = (ccover_error){0};
    ccover_log_begin();
    // For each further arena, which threads would get, the C library reserves much of the address space that the
    // process may have.
    mallopt(M_ARENA_MAX, 2);
    if (!are_valid(options, canvases, count)) {
        return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_MISUSE, 0, "the canvases or options are not valid");
    }
    ccomposition *composition = av_mallocz(sizeof(*composition));
    if (!composition) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    composition->options = *options;
    composition->views = av_calloc((size_t)count + 1, sizeof(*composition->views));
    composition->frame = composer_make_frame(options->width, options->height);
    bool has_memory = composition->views && composition->frame;
    for (int i = 0; has_memory && i < count; i++) {
        composition->count += 1;
        has_memory = add_canvas(composition, i, &canvases[i]);
    }
    int failed = has_memory ? 0 : ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    if (!failed) {
        failed = composer_open_encoder(&composition->encoder, &composition->options, error);
    }
    if (!failed && options->has_sound) {
        failed = composer_open_mixer(composition, error);
    }
    if (failed) {
        ccomposition_close(&composition);
    }
    *result = composition;
    return failed;
}

void ccomposition_close(ccomposition **handle) {
    ccomposition *composition = *handle;
    if (!composition) {
        return;
    }
    for (int i = 0; i < composition->count; i++) {
        composer_view *view = &composition->views[i];
        composer_free_player(&view->player);
        composer_close_sound(&view->sound);
        av_frame_free(&view->cover);
        av_frame_free(&view->after);
        av_free(view->backdrop);
    }
    av_free(composition->mixer.mixed);
    av_free(composition->mixer.samples);
    composer_close_encoder(&composition->encoder);
    av_frame_free(&composition->frame);
    av_free(composition->views);
    av_freep(handle);
}

// MARK: Problems

void composer_report(ccomposition *composition, const ccomposition_problem *problem) {
    for (int i = 0; i < composition->problem_count; i++) {
        const ccomposition_problem *other = &composition->problems[i];
        if (other->canvas == problem->canvas && other->kind == problem->kind) {
            return;
        }
    }
    composition->problems[composition->problem_count] = *problem;
    composition->problem_count += 1;
}

int32_t ccomposition_problem_count(const ccomposition *composition) {
    return composition->problem_count;
}

void ccomposition_get_problem(const ccomposition *composition, int32_t index, ccomposition_problem *problem) {
    *problem = composition->problems[index];
}

static void collect_problems(ccomposition *composition, int index) {
    composer_player *player = &composition->views[index].player;
    pthread_mutex_lock(&player->lock);
    for (size_t i = 0; i < FF_ARRAY_ELEMS(player->problems); i++) {
        player->problems[i].canvas = index;
        if (player->has_problem[i]) {
            composer_report(composition, &player->problems[i]);
        }
    }
    pthread_mutex_unlock(&player->lock);
}

// MARK: Frames

int64_t composer_playing(const ccomposition_canvas *canvas, int64_t frame) {
    bool plays = canvas->descriptor >= 0 && frame >= canvas->start;
    bool has_ended = canvas->end != CCOMPOSITION_END_LOOP && frame - canvas->start >= canvas->frames;
    return plays && !has_ended ? frame - canvas->start : -1;
}

// Starts the players whose clips begin soon, and ends those whose clips are over.
static int update_player(ccomposition *composition, int index, ccover_error *error) {
    const ccomposition_canvas *canvas = &composition->views[index].canvas;
    composer_player *player = &composition->views[index].player;
    ccover_rational rate = composition->options.rate;
    int64_t ahead = 1 + rate.num / (4 * (int64_t)rate.den);
    int64_t next = composition->next;
    bool has_ended = next >= canvas->start && composer_playing(canvas, next) < 0;
    if (canvas->descriptor < 0 || next < canvas->start - ahead) {
        return 0;
    }
    if (!player->tiles[0] && !has_ended && !player->was_started) {
        return composer_start_player(player, error);
    }
    if (player->has_thread && has_ended) {
        composer_tile_at(player, canvas->frames - 1);
        collect_problems(composition, index);
        composer_stop_player(player, canvas->end == CCOMPOSITION_END_HOLD);
    }
    return 0;
}

// What a canvas shows at the next frame.
static const AVFrame *shown_tile(ccomposition *composition, int index) {
    composer_view *view = &composition->views[index];
    const ccomposition_canvas *canvas = &view->canvas;
    if (canvas->descriptor < 0 || composition->next < canvas->start) {
        return view->cover;
    }
    int64_t playing = composer_playing(canvas, composition->next);
    if (playing < 0 && canvas->end == CCOMPOSITION_END_PICTURE) {
        return view->after;
    }
    const AVFrame *tile = composer_tile_at(&view->player, playing >= 0 ? playing : canvas->frames - 1);
    collect_problems(composition, index);
    return tile ? tile : view->cover;
}

static int compose_frame(ccomposition *composition, ccover_error *error) {
    AVFrame *frame = composition->frame;
    if (av_frame_make_writable(frame) < 0) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    composer_fill(frame, composition->options.ground);
    for (int i = 0; i < composition->count; i++) {
        if (update_player(composition, i, error) != 0) {
            return -1;
        }
    }
    for (int i = 0; i < composition->count; i++) {
        composer_draw(&composition->views[i].player.place, shown_tile(composition, i), frame);
    }
    frame->pts = composition->next;
    return composer_encode_frame(&composition->encoder, frame, error);
}

static void set_progress(const ccomposition *composition, ccomposition_progress *progress) {
    const composer_encoder *encoder = &composition->encoder;
    *progress = (ccomposition_progress){
        .frames = composition->next,
        .bytes = FFMAX(avio_tell(encoder->io), encoder->output.size),
    };
}

int ccomposition_step(ccomposition *composition, int32_t frames, ccomposition_progress *progress,
                   ccover_error *error) {
    int failed = 0;
    *error = (ccover_error){0};
    ccover_log_begin();
    if (composition->has_failed) {
        failed = ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_MISUSE, 0, "the composition has failed");
    }
    for (int i = 0; i < frames && composition->next < composition->options.frames && !failed; i++) {
        failed = compose_frame(composition, error);
        if (!failed && composition->options.has_sound) {
            failed = composer_mix_frame(composition, composition->next, error);
        }
        composition->next += !failed;
    }
    composition->has_failed = failed != 0;
    set_progress(composition, progress);
    return failed ? -1 : composition->next == composition->options.frames;
}

int ccomposition_finish(ccomposition *composition, ccomposition_progress *progress, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    if (composition->has_failed || composition->is_finished || composition->next < composition->options.frames) {
        return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_MISUSE, 0, "frames are missing");
    }
    composition->is_finished = true;
    int failed = composition->options.has_sound ? composer_finish_mixer(composition, error) : 0;
    if (!failed) {
        failed = composer_finish_encoder(&composition->encoder, error);
    }
    set_progress(composition, progress);
    return failed;
}

// MARK: Measuring clips: reading packets without decoding them

int ccomposition_measure_clip(int descriptor, const ccover_limits *limits, ccomposition_measure *measure,
                           ccover_error *error) {
    ccover_limits measuring = *limits;
    ccover_clip *clip;
    enum AVCodecID codec;
    *measure = (ccomposition_measure){0};
    measuring.seeks = true;
    if (ccover_open(descriptor, &measuring, &clip, error) != 0) {
        return -1;
    }
    ccover_clip_facts facts;
    ccover_get_clip_facts(clip, &facts);
    measure->frame_rate = facts.frame_rate;
    measure->pixels = (int64_t)facts.format.width * facts.format.height;
    measure->has_sound = composer_sound_stream(clip->demuxer->format, &codec) >= 0;
    if (!measure->has_sound && codec != AV_CODEC_ID_NONE) {
        av_strlcpy(measure->unsupported_sound, avcodec_get_name(codec), sizeof(measure->unsupported_sound));
    }
    ccover_length length = {0};
    int failed = ccover_measure(clip, &length, error);
    measure->microseconds = length.measured;
    measure->declared_microseconds = length.declared;
    measure->longest_step = length.longest_step;
    ccover_close(&clip);
    return failed;
}
