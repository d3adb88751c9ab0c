// Which frames consist of two fields, where decoders do not say so, or mean something else.

#include "Support/compat.h"
#include "Decoding/decoding.h"

bool ccover_is_field(const ccover_demuxer *demuxer, const AVFrame *frame) {
    return demuxer->stream && demuxer->stream->codecpar->codec_id == AV_CODEC_ID_HEVC &&
           ccover_compat_is_interlaced(frame);
}

// Whether the frames of the codec may consist of two fields of which its decoder knows nothing, so that only the
// container can say it.
static bool has_fields_unknown_to_decoder(enum AVCodecID codec) {
    switch (codec) {
    case AV_CODEC_ID_HUFFYUV:
    case AV_CODEC_ID_FFVHUFF:
    case AV_CODEC_ID_UTVIDEO:
    case AV_CODEC_ID_JPEG2000:
    case AV_CODEC_ID_MJPEG:
    case AV_CODEC_ID_QTRLE:
    case AV_CODEC_ID_CFHD:
    case AV_CODEC_ID_AIC:
    case AV_CODEC_ID_HQX:
        return true;
    default:
        return false;
    }
}

bool ccover_states_fields(const AVCodecParameters *parameters) {
    return has_fields_unknown_to_decoder(parameters->codec_id) && parameters->field_order > AV_FIELD_PROGRESSIVE;
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
