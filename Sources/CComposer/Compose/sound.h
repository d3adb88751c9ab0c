// The sound of a clip, shared by compose_sound.c and compose_resample.c.

#ifndef CCOMPOSER_SOUND_H
#define CCOMPOSER_SOUND_H

#include "Compose/composition.h"

struct composer_sound {
    ccover_clip *clip; // with the sound's stream
    const ccomposition_options *options;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame; // the one decoded last; empty once it is resampled
    struct SwrContext *resampler;
    int source_rate; // that the resampler was made for
    int source_format;
    AVChannelLayout source_layout;
    double origin;
    float *samples; // resampled and not yet read
    int count, room;
    int64_t end;     // the position after these samples, counted from the origin
    int64_t silence; // samples of silence to insert before the frame
    int64_t skipped; // samples of the frame to drop, because they are before `end`
    bool is_over;    // nothing more can be decoded
};

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

#endif
