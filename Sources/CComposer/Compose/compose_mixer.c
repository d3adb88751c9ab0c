// Mixing the sounds of all canvases at fixed gains.

#include "Compose/composition.h"

#include <libavutil/mem.h>
#include <math.h>
#include <string.h>

// The last samples of a clip are faded out, so that it does not end with a click.
enum { FADE = 240 };

// The first sample of a frame of the output.
static int64_t sample_at(const ccomposition_options *options, int64_t frame) {
    return av_rescale(frame, (int64_t)options->rate.den * COMPOSER_SAMPLE_RATE, options->rate.num);
}

int composer_open_mixer(ccomposition *composition, ccover_error *error) {
    composer_mixer *mixer = &composition->mixer;
    const ccomposition_options *options = &composition->options;
    mixer->room = (int)(av_rescale(1, (int64_t)options->rate.den * COMPOSER_SAMPLE_RATE, options->rate.num) + 1);
    mixer->delayed = COMPOSER_LOOKAHEAD;
    mixer->mixed = av_malloc_array((size_t)mixer->room + COMPOSER_LOOKAHEAD, 2 * sizeof(float));
    mixer->samples = av_malloc_array((size_t)mixer->room, 2 * sizeof(float));
    composer_start_limiter(&mixer->limiter);
    return mixer->mixed && mixer->samples ? 0 : ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
}

static void report_silence(ccomposition *composition, int canvas, int64_t playing, const ccover_error *error) {
    ccover_rational rate = composition->options.rate;
    composer_report(composition, &(ccomposition_problem){
                                     .canvas = canvas,
                                     .kind = CCOMPOSITION_PROBLEM_SILENT,
                                     .seconds = (double)playing * rate.den / rate.num,
                                     .error = *error,
                                 });
}

static void fade_out(float *samples, int count) {
    int first = FFMAX(count - FADE, 0);
    for (int i = first; i < count; i++) {
        float gain = (float)(count - i) / (float)(count - first + 1);
        samples[2 * i] *= gain;
        samples[2 * i + 1] *= gain;
    }
}

// Opens the sound of a canvas whose clip starts.
static void start_sound(ccomposition *composition, int canvas) {
    composer_view *view = &composition->views[canvas];
    ccover_error error = {0};
    composer_close_sound(&view->sound);
    ccover_log_begin();
    if (composer_open_sound(view->canvas.descriptor, &composition->options, view->player.origin, &view->sound,
                            &error) != 0) {
        report_silence(composition, canvas, 0, &error);
    }
}

// Adds the sound of a canvas to the mix.
static void add_sound(ccomposition *composition, int index, int64_t playing, int count) {
    composer_mixer *mixer = &composition->mixer;
    const ccomposition_canvas *canvas = &composition->views[index].canvas;
    ccover_error error = {0};
    if (composer_read_sound(composition->views[index].sound, mixer->samples, count, &error) != 0) {
        report_silence(composition, index, playing, &error);
    }
    if (playing == canvas->frames - 1) {
        fade_out(mixer->samples, count);
    }
    for (int i = 0; i < count; i++) {
        mixer->mixed[2 * i] += canvas->left_gain * mixer->samples[2 * i];
        mixer->mixed[2 * i + 1] += canvas->right_gain * mixer->samples[2 * i + 1];
    }
}

// Passes the mix through the limiter to the encoder.
static int encode(ccomposition *composition, int count, ccover_error *error) {
    composer_mixer *mixer = &composition->mixer;
    composer_limit(&mixer->limiter, mixer->mixed, count);
    int dropped = (int)FFMIN(mixer->delayed, count);
    mixer->delayed -= dropped;
    const float *samples = mixer->mixed + 2 * dropped;
    return count > dropped ? composer_encode_samples(&composition->encoder, samples, count - dropped, error) : 0;
}

int composer_mix_frame(ccomposition *composition, int64_t frame, ccover_error *error) {
    composer_mixer *mixer = &composition->mixer;
    const ccomposition_options *options = &composition->options;
    int count = (int)(sample_at(options, frame + 1) - sample_at(options, frame));
    memset(mixer->mixed, 0, (size_t)count * 2 * sizeof(float));
    for (int i = 0; i < composition->count; i++) {
        composer_view *view = &composition->views[i];
        const ccomposition_canvas *canvas = &view->canvas;
        bool is_muted = canvas->left_gain == 0 && canvas->right_gain == 0;
        int64_t shown = is_muted ? -1 : composer_playing(canvas, frame);
        if (shown < 0 || composer_is_broken_at(&view->player, shown)) {
            composer_close_sound(&view->sound);
            continue;
        }
        int64_t playing = shown % canvas->frames;
        if (playing == 0) {
            start_sound(composition, i);
        }
        if (view->sound) {
            add_sound(composition, i, playing, count);
        }
    }
    return encode(composition, count, error);
}

int composer_finish_mixer(ccomposition *composition, ccover_error *error) {
    memset(composition->mixer.mixed, 0, COMPOSER_LOOKAHEAD * 2 * sizeof(float));
    return encode(composition, COMPOSER_LOOKAHEAD, error);
}
