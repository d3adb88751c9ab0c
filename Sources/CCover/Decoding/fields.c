// Interlaced frames whose decoders do not mark them, or set the flags for another reason.

#include "Support/compat.h"
#include "Decoding/decoding.h"

bool ccover_is_field(const ccover_demuxer *demuxer, const AVFrame *frame) {
    return demuxer->stream && demuxer->stream->codecpar->codec_id == AV_CODEC_ID_HEVC &&
           ccover_compat_is_interlaced(frame);
}

bool ccover_states_fields(const AVCodecParameters *parameters) {
    return ccover_codec_of(parameters->codec_id)->hides_fields && parameters->field_order > AV_FIELD_PROGRESSIVE;
}

void ccover_correct_fields(AVFrame *frame, const AVStream *stream) {
    const AVCodecParameters *parameters = stream->codecpar;
    bool is_png = parameters->codec_id == AV_CODEC_ID_PNG || parameters->codec_id == AV_CODEC_ID_APNG;
    if (is_png) {
        // Its decoder means that the picture can be shown in coarse steps while it is loading (Adam7).
        ccover_compat_set_fields(frame, false, false);
    } else if (ccover_states_fields(parameters) && !ccover_compat_is_interlaced(frame) &&
               2 * frame->height > parameters->height) {
        // As libavcodec's decoders and encoders read it: the first letter is that of the field shown first.
        bool is_top_first = parameters->field_order == AV_FIELD_TT || parameters->field_order == AV_FIELD_TB;
        ccover_compat_set_fields(frame, true, is_top_first);
    }
}
