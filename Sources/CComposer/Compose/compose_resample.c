// Resampling the sound of a clip, and placing it on the time line.

#include "Compose/composition.h"

#include <libavutil/channel_layout.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <math.h>
#include <string.h>

// Times that differ by less than this from the end of the samples are rounded times.
enum { TOLERANCE = COMPOSER_SAMPLE_RATE / 200 };
// The sample rates that are resampled; others would take much memory.
enum { MIN_RATE = 2000, MAX_RATE = 768000 };

// MARK: Resampling

static int reserve(composer_sound *sound, int count) {
    if (count <= sound->room - sound->count) {
        return 0;
    }
    int room = 2 * (sound->count + count);
    float *larger = av_realloc_array(sound->samples, (size_t)room, 2 * sizeof(float));
    if (!larger) {
        return AVERROR(ENOMEM);
    }
    sound->samples = larger;
    sound->room = room;
    return 0;
}

static bool fits_resampler(const composer_sound *sound) {
    const AVFrame *frame = sound->frame;
    return sound->resampler && sound->source_rate == frame->sample_rate && sound->source_format == frame->format &&
           av_channel_layout_compare(&sound->source_layout, &frame->ch_layout) == 0;
}

// Makes a resampler for the frame. Returns 0 or an AVERROR.
static int make_resampler(composer_sound *sound) {
    const AVFrame *frame = sound->frame;
    if (frame->sample_rate < MIN_RATE || frame->sample_rate > MAX_RATE) {
        return AVERROR_INVALIDDATA;
    }
    AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO, known = frame->ch_layout;
    if (known.order == AV_CHANNEL_ORDER_UNSPEC) {
        av_channel_layout_default(&known, known.nb_channels);
    }
    swr_free(&sound->resampler);
    int code = swr_alloc_set_opts2(&sound->resampler, &stereo, AV_SAMPLE_FMT_FLT, COMPOSER_SAMPLE_RATE, &known,
                                   frame->format, frame->sample_rate, 0, NULL);
    if (code >= 0) {
        // However many channels are mixed, the sum does not exceed full scale, as in ffmpeg's output with 16 bits.
        av_opt_set_double(sound->resampler, "rematrix_maxval", 1, 0);
        code = swr_init(sound->resampler);
    }
    sound->source_rate = frame->sample_rate;
    sound->source_format = frame->format;
    return code < 0 ? code : av_channel_layout_copy(&sound->source_layout, &frame->ch_layout);
}

// Appends the frame, or, if it is NULL, what the resampler still holds. Returns 0 or an AVERROR.
static int resample(composer_sound *sound, const AVFrame *frame) {
    int given = frame ? frame->nb_samples : 0;
    int most = swr_get_out_samples(sound->resampler, given);
    if (most < 0 || reserve(sound, most) < 0) {
        return most < 0 ? most : AVERROR(ENOMEM);
    }
    float *added = sound->samples + 2 * sound->count;
    int made = swr_convert(sound->resampler, (uint8_t *[1]){(uint8_t *)added}, most,
                           frame ? (const uint8_t **)frame->extended_data : NULL, given);
    if (made < 0) {
        return made;
    }
    int skipped = (int)FFMIN(sound->skipped, made);
    if (skipped > 0) {
        memmove(added, added + 2 * skipped, (size_t)(made - skipped) * 2 * sizeof(float));
    }
    sound->skipped -= skipped;
    sound->count += made - skipped;
    sound->end += made - skipped;
    return 0;
}

int composer_drain_resampler(composer_sound *sound) {
    int code = sound->resampler ? resample(sound, NULL) : 0;
    swr_free(&sound->resampler);
    return code;
}

int composer_add_frame(composer_sound *sound) {
    int code = 0;
    if (!fits_resampler(sound)) {
        code = composer_drain_resampler(sound);
        code = code < 0 ? code : make_resampler(sound);
    }
    code = code < 0 ? code : resample(sound, sound->frame);
    av_frame_unref(sound->frame);
    return code;
}

// MARK: Placing

int composer_add_silence(composer_sound *sound) {
    int count = (int)FFMIN(sound->silence, COMPOSER_SAMPLE_RATE);
    if (reserve(sound, count) < 0) {
        return AVERROR(ENOMEM);
    }
    memset(sound->samples + 2 * sound->count, 0, (size_t)count * 2 * sizeof(float));
    sound->count += count;
    sound->end += count;
    sound->silence -= count;
    return 0;
}

int composer_place_frame(composer_sound *sound) {
    int64_t time = sound->frame->best_effort_timestamp;
    double seconds = (double)time * av_q2d(sound->stream->time_base) - sound->origin;
    if (time == AV_NOPTS_VALUE || fabs(seconds) > INT32_MAX) {
        return 0; // it follows the frame before
    }
    int64_t wanted = llrint(seconds * (double)COMPOSER_SAMPLE_RATE);
    int64_t held = sound->resampler ? swr_get_delay(sound->resampler, COMPOSER_SAMPLE_RATE) : 0;
    bool has_started = sound->resampler || sound->end > 0;
    if (has_started && llabs(wanted - (sound->end - sound->skipped + held)) <= TOLERANCE) {
        return 0;
    }
    int code = composer_drain_resampler(sound);
    sound->silence = FFMAX(wanted - sound->end, 0);
    sound->skipped = FFMAX(sound->end - wanted, 0);
    return code;
}
