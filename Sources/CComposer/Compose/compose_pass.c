// The thread of a player: passes through a clip, decoding and rendering its frames.
//
// A frame of the output shows the last frame of the clip that starts less than half a frame of the output after it, as
// ffmpeg's fps filter has it. Only frames that are shown are rendered.

#include "../CCover/Support/compat.h"
#include "Compose/composition.h"

#include <errno.h>

// The decoding of one pass through a clip.
typedef struct pass {
    composer_player *player;
    composer_renderer *renderer;
    ccover_clip *clip;
    composer_shot shot;
    int64_t base;     // the first frame of the pass
    int64_t end;      // the frame after the end of the clip's last one
    int64_t last;     // the end of the last frame, in ticks of the clip
    int64_t shown;    // frames of the clip that were shown
    int64_t defects;  // that were found
    int64_t container_errors; // that were met
    bool lacks_end;   // the container is damaged or cut off at its end
    ccover_error error;
} pass;

static void report(composer_player *player, ccomposition_problem_kind kind, int64_t index, const ccover_error *error) {
    ccover_rational rate = player->options->rate;
    pthread_mutex_lock(&player->lock);
    if (!player->has_problem[kind]) {
        player->has_problem[kind] = true;
        player->problems[kind] = (ccomposition_problem){
            .kind = kind,
            .seconds = (double)index * rate.den / rate.num + (double)player->canvas->skip / AV_TIME_BASE,
            .error = *error,
        };
    }
    pthread_mutex_unlock(&player->lock);
}

// The frame of the output that shows a time of the clip first; at most the one after the last frame.
static int64_t index_of(const pass *pass, const ccover_frame_facts *facts, int64_t time) {
    ccover_rational rate = pass->player->options->rate;
    int64_t most = pass->player->canvas->frames;
    AVRational base = {facts->time_base.num, facts->time_base.den}, frame = {rate.den, rate.num};
    int64_t ticks = av_sat_sub64(time, facts->start);
    if (ticks <= 0 || base.num <= 0 || base.den <= 0) {
        return 0;
    }
    int64_t index = av_rescale_q_rnd(ticks, base, frame, AV_ROUND_NEAR_INF | AV_ROUND_PASS_MINMAX);
    // A result that is too large is the least number.
    return index < 0 ? most : FFMIN(index, most);
}

// The duration of a frame of the clip in its ticks: its own, or else that of the frame rate.
static int64_t duration_of(const pass *pass, const AVFrame *frame) {
    AVRational rate = pass->clip->demuxer->stream->avg_frame_rate;
    int64_t duration = ccover_compat_duration(frame);
    if (duration > 0) {
        return duration;
    }
    return av_rescale_q(1, rate.num > 0 ? av_inv_q(rate) : (AVRational){1, 25}, pass->clip->demuxer->stream->time_base);
}

// The time of the frame that was decoded last. Frames without one follow each other.
static int64_t time_of(const pass *pass, const ccover_frame_facts *facts, int64_t number) {
    bool is_known = facts->timestamp != ccover_unknown_time;
    return is_known ? facts->timestamp : number == 0 ? facts->start : pass->last;
}

// Takes the decoded frame as the next shot, with its time in the part. Returns 0, or -1 with the error filled in.
static int take_shot(pass *pass, composer_shot *shot, const ccover_frame_facts *facts, int64_t number) {
    AVRational base = pass->clip->demuxer->stream->time_base;
    shot->facts = *facts;
    shot->facts.start = facts->start != ccover_unknown_time ? facts->start : 0;
    shot->facts.start += av_rescale_q(pass->player->canvas->skip, AV_TIME_BASE_Q, base);
    av_frame_unref(shot->frame);
    if (av_frame_ref(shot->frame, pass->clip->position->frame) < 0) {
        return ccover_fail_out_of_memory(&pass->error, CCOVER_STAGE_DECODE);
    }
    int64_t time = time_of(pass, &shot->facts, number);
    pass->last = av_sat_add64(time, duration_of(pass, shot->frame));
    shot->index = number == 0 ? 0 : index_of(pass, &shot->facts, time);
    pass->end = FFMAX(index_of(pass, &shot->facts, pass->last), shot->index + 1);
    return 0;
}

// Waits until a tile is free, and returns it; NULL if the player is to stop.
static AVFrame *wait_for_tile(composer_player *player) {
    pthread_mutex_lock(&player->lock);
    while (player->used == COMPOSER_TILES && !player->is_stopping) {
        pthread_cond_wait(&player->changed, &player->lock);
    }
    AVFrame *tile = player->is_stopping ? NULL : player->tiles[player->used];
    pthread_mutex_unlock(&player->lock);
    return tile;
}

// Renders the shot and passes it on. Returns false on failure, or if the player is to stop.
static bool show(pass *pass) {
    composer_player *player = pass->player;
    AVFrame *tile = wait_for_tile(player);
    if (!tile || composer_render(pass->renderer, pass->clip, &pass->shot, tile, &pass->error) != 0) {
        return false;
    }
    pthread_mutex_lock(&player->lock);
    // Tiles before this one may have been released meanwhile, so it may have moved.
    player->indices[player->used] = pass->base + pass->shot.index;
    player->used += 1;
    pthread_cond_broadcast(&player->changed);
    pthread_mutex_unlock(&player->lock);
    pass->shown += 1;
    return true;
}

// Why frames could not be decoded: memory may run out while several clips are decoded at once.
static int fail_to_decode(const pass *pass, int code, const char *text, ccover_error *error) {
    if (pass->clip->position->lacked_memory || code == AVERROR(ENOMEM)) {
        return ccover_explain(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_OUT_OF_MEMORY, 0,
                              "the clips that play at once take too much memory");
    }
    ccover_cause cause = code != 0 ? ccover_cause_of(&pass->clip->demuxer->input, code) : CCOVER_CAUSE_DAMAGED;
    return ccover_fail(error, CCOVER_STAGE_DECODE, cause, code, "%s", text);
}

// Whether a part of the clip could not be read since the last call. At its end, the rest is missing.
static bool has_new_container_errors(pass *pass) {
    bool has_new = pass->clip->demuxer->container_errors > pass->container_errors;
    bool is_at_end = pass->clip->damage->phase == CCOVER_PHASE_ENDED || pass->clip->demuxer->queue_error < 0;
    pass->container_errors = pass->clip->demuxer->container_errors;
    pass->lacks_end = pass->lacks_end || (has_new && is_at_end);
    return has_new && !is_at_end;
}

// Reports frames after the one shown last that could not be decoded since the last call.
static void note_defects(pass *pass, const ccover_frame_facts *facts) {
    ccover_counters counters;
    ccover_get_counters(pass->clip, &counters);
    int64_t defects = counters.decode_errors + counters.damaged_frames;
    bool is_new = defects > pass->defects || facts->is_corrupt || has_new_container_errors(pass);
    pass->defects = defects;
    if (is_new) {
        ccover_error error = {0};
        fail_to_decode(pass, 0, "frames are damaged", &error);
        report(pass->player, CCOMPOSITION_PROBLEM_DAMAGED, pass->end, &error);
    }
}

// Whether the video ends so early that a part of it must be missing.
static bool ends_early(const pass *pass) {
    ccover_rational rate = pass->player->options->rate;
    int64_t half_second = rate.num / (2 * (int64_t)rate.den);
    int64_t missing = pass->player->canvas->frames - pass->end;
    return missing > half_second || (missing > 2 && (pass->defects > 0 || pass->clip->position->read_error != 0));
}

static int fail_early(pass *pass) {
    const ccover_clip *clip = pass->clip;
    if (clip->demuxer->encryption.was_met) {
        return ccover_fail_encrypted(clip->demuxer, CCOVER_STAGE_DECODE, &pass->error);
    }
    return fail_to_decode(pass, clip->position->read_error, "the video ends early", &pass->error);
}

// Whether frames are shown at half their size at most.
static bool is_halved(const pass *pass) {
    composer_fit fit = composer_fit_of(&pass->shot.facts, pass->player->canvas);
    const AVFrame *frame = pass->shot.frame;
    return 2 * FFMAX(fit.scaled_width, fit.scaled_height) <= FFMAX(frame->width, frame->height) &&
           2 * FFMIN(fit.scaled_width, fit.scaled_height) <= FFMIN(frame->width, frame->height);
}

// Decodes the next frame and takes it as a shot. Returns 0, 1 after the last frame, or -1 with the error filled in.
static int next_shot(pass *pass, composer_shot *shot, int64_t number) {
    ccover_frame_facts facts = {0};
    ccover_set_deadline(pass->clip, pass->player->options->stall_microseconds);
    int code = ccover_decode_next(pass->clip, &facts, &pass->error);
    note_defects(pass, &facts);
    return code == 0 ? take_shot(pass, shot, &facts, number) : code;
}

// Shows each frame at once, so that none has to be kept. Of two frames for the same frame of the output, the later one
// counts. Returns 1 after the last frame, 0 if the clip is to end before, or -1 on failure.
static int show_each(pass *pass) {
    int code = 0;
    for (int64_t number = 1; code == 0; number++) {
        if (pass->shot.index >= pass->player->canvas->frames) {
            return 0;
        }
        if (!show(pass)) {
            return -1;
        }
        av_frame_unref(pass->shot.frame);
        code = next_shot(pass, &pass->shot, number);
    }
    return code;
}

// Shows those frames that do not share a frame of the output with the next one. Returns the same as `show_each`.
static int show_last(pass *pass, composer_shot *next) {
    int code = 0;
    for (int64_t number = 1; code == 0; number++) {
        code = next_shot(pass, next, number);
        if ((code != 0 || next->index > pass->shot.index) && !show(pass)) {
            return -1;
        }
        if (code == 0) {
            FFSWAP(composer_shot, pass->shot, *next);
        }
        if (code == 0 && pass->shot.index >= pass->player->canvas->frames) {
            return 0;
        }
    }
    return code;
}

// Whether hardly any two frames of the clip share a frame of the output.
static bool shows_most(const pass *pass) {
    AVRational rate = pass->clip->demuxer->stream->avg_frame_rate;
    ccover_rational output = pass->player->options->rate;
    return rate.num > 0 && rate.den > 0 && av_cmp_q(rate, (AVRational){output.num, output.den}) <= 0;
}

// Shows all frames of the open clip. Returns 0, or -1 if the player is to stop, or, with the error filled in, if the
// clip cannot be decoded to its end.
static int show_frames(pass *pass, composer_shot *next) {
    ccover_frame_facts facts;
    int64_t skip = pass->player->canvas->skip;
    if ((skip > 0 ? ccover_decode_at(pass->clip, skip, false, &facts, &pass->error)
                  : ccover_decode_first(pass->clip, 1, &facts, &pass->error)) != 0) {
        return -1;
    }
    // Errors in the header cost no frames.
    pass->container_errors = pass->clip->demuxer->container_errors;
    pass->lacks_end = false;
    note_defects(pass, &facts);
    if (take_shot(pass, &pass->shot, &facts, 0) != 0) {
        return -1;
    }
    // If the part starts between two frames, its first frame is the later one.
    bool is_early = skip > 0 && time_of(pass, &pass->shot.facts, 0) < pass->shot.facts.start;
    if (is_early && next_shot(pass, &pass->shot, 0) < 0) {
        return -1;
    }
    const ccover_frame_facts *first = &pass->shot.facts;
    pass->player->origin = (double)first->start * first->time_base.num / FFMAX(first->time_base.den, 1);
    ccover_release_frames(pass->clip->position, is_halved(pass));
    int code = shows_most(pass) ? show_each(pass) : show_last(pass, next);
    if (code > 0 && ends_early(pass)) {
        return fail_early(pass);
    }
    if (code > 0 && (pass->lacks_end || ccover_is_cut_off(pass->clip->demuxer))) {
        ccover_error error;
        ccover_explain(&error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_TRUNCATED, 0, "the file is cut off");
        report(pass->player, CCOMPOSITION_PROBLEM_DAMAGED, pass->end, &error);
    }
    return FFMIN(code, 0);
}

// Shows the clip once.
static int run_pass(pass *pass) {
    const ccomposition_options *options = pass->player->options;
    ccover_limits limits = {
        .deadline_microseconds = options->stall_microseconds,
        .max_pixels = options->max_pixels,
        .max_streams = options->max_streams,
        .stream = -1,
        .seeks = true, // the times of all frames have to be known
    };
    composer_shot next = {.frame = av_frame_alloc()};
    pass->shot = (composer_shot){.frame = av_frame_alloc()};
    int failed = next.frame && pass->shot.frame ? 0 : ccover_fail_out_of_memory(&pass->error, CCOVER_STAGE_DECODE);
    if (!failed) {
        failed = ccover_open(pass->player->canvas->descriptor, &limits, &pass->clip, &pass->error);
    }
    if (!failed) {
        failed = show_frames(pass, &next);
    }
    av_frame_free(&next.frame);
    av_frame_free(&pass->shot.frame);
    ccover_close(&pass->clip);
    return failed;
}

// Ends the sequence of tiles, because of an error if `broken_at` is not -1.
static void end_tiles(composer_player *player, int64_t broken_at) {
    pthread_mutex_lock(&player->lock);
    player->is_over = true;
    player->broken_at = broken_at;
    pthread_cond_broadcast(&player->changed);
    pthread_mutex_unlock(&player->lock);
}

void *composer_play(void *argument) {
    composer_player *player = argument;
    composer_renderer renderer = {.canvas = player->canvas, .place = &player->place};
    pass pass = {.player = player, .renderer = &renderer};
    int failed;
    bool repeats;
    do {
        pass.shown = pass.end = pass.defects = 0;
        failed = run_pass(&pass);
        // A clip with a single frame always shows that.
        repeats = !failed && player->canvas->end == CCOMPOSITION_END_LOOP && pass.shown > 1 && !player->is_stopping;
        pass.base += repeats ? player->canvas->frames : 0;
    } while (repeats);
    composer_close_renderer(&renderer);
    if (failed && !player->is_stopping) {
        report(player, CCOMPOSITION_PROBLEM_BROKEN, pass.end, &pass.error);
        end_tiles(player, pass.base + pass.end);
    } else {
        end_tiles(player, -1);
    }
    return NULL;
}
