// Colours as the container describes them, where FFmpeg does not follow it.
//
// The decoders of HEVC, AV1, ProRes and, for the matrix, VP9 replace the values of the container by
// "unspecified" if the stream does not describe its colours. libavformat does the same when it reads the stream info.

#include "Demuxing/demuxing.h"

ccover_colour_tags ccover_stated_tags(const AVCodecParameters *parameters) {
    return (ccover_colour_tags){
        .matrix = parameters->color_space,
        .range = parameters->color_range,
        .transfer = parameters->color_trc,
        .primaries = parameters->color_primaries,
    };
}

// The range belongs to the matrix. Without a description of it, decoders report the limited range although the stream
// states none (HEVC, ProRes), or a bit that the encoder did not set (AV1, VP9).
static ccover_colour_tags completed(ccover_colour_tags own, ccover_colour_tags stated) {
    bool adopts_range = own.range == AVCOL_RANGE_UNSPECIFIED ||
                        (own.matrix == AVCOL_SPC_UNSPECIFIED && stated.range == AVCOL_RANGE_JPEG);
    return (ccover_colour_tags){
        .matrix = own.matrix == AVCOL_SPC_UNSPECIFIED ? stated.matrix : own.matrix,
        .range = adopts_range ? stated.range : own.range,
        .transfer = own.transfer == AVCOL_TRC_UNSPECIFIED ? stated.transfer : own.transfer,
        .primaries = own.primaries == AVCOL_PRI_UNSPECIFIED ? stated.primaries : own.primaries,
    };
}

void ccover_complete_parameters(AVCodecParameters *parameters, ccover_colour_tags stated) {
    ccover_colour_tags tags = completed(ccover_stated_tags(parameters), stated);
    parameters->color_space = tags.matrix;
    parameters->color_range = tags.range;
    parameters->color_trc = tags.transfer;
    parameters->color_primaries = tags.primaries;
}

void ccover_complete_frame(AVFrame *frame, const AVStream *stream) {
    ccover_colour_tags own = {
        .matrix = frame->colorspace,
        .range = frame->color_range,
        .transfer = frame->color_trc,
        .primaries = frame->color_primaries,
    };
    ccover_colour_tags tags = completed(own, ccover_stated_tags(stream->codecpar));
    frame->colorspace = tags.matrix;
    frame->color_range = tags.range;
    frame->color_trc = tags.transfer;
    frame->color_primaries = tags.primaries;
}

enum AVColorSpace ccover_matrix_of(const AVFrame *frame) {
    if (frame->colorspace != AVCOL_SPC_CHROMA_DERIVED_NCL) {
        return frame->colorspace;
    }
    // Rec. ITU-T H.273, section 8.3: the share of each primary in luma is that of white.
    switch (frame->color_primaries) {
    case AVCOL_PRI_BT709:
        return AVCOL_SPC_BT709;
    case AVCOL_PRI_SMPTE170M:
    case AVCOL_PRI_SMPTE240M:
        return AVCOL_SPC_SMPTE240M;
    case AVCOL_PRI_BT2020:
        return AVCOL_SPC_BT2020_NCL;
    default:
        return frame->colorspace;
    }
}

bool ccover_assumes_matrix(const AVFrame *frame) {
    switch (ccover_matrix_of(frame)) {
    case AVCOL_SPC_BT709:
    case AVCOL_SPC_FCC:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_SMPTE240M:
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return false;
    default:
        return true;
    }
}

bool ccover_is_hdr(const AVFrame *frame) {
    return frame->color_trc == AVCOL_TRC_SMPTE2084 || frame->color_trc == AVCOL_TRC_ARIB_STD_B67;
}
