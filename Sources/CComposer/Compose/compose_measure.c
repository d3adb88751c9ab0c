// Measuring clips: reading packets without decoding them.

#include "Compose/composition.h"

#include <libavutil/avstring.h>

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
    measure->pixels = (int64_t)facts.stored_width * facts.stored_height;
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
