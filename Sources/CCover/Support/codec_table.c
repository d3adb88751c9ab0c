// What is special about codecs and about FFmpeg's decoders of them.

#include "Support/compat.h"
#include "Support/support.h"

static const ccover_codec codecs[] = {
    {.id = AV_CODEC_ID_NONE}, // any other
    {AV_CODEC_ID_H264, .has_nal_units = 1, .parser_finds_keys = 1, .notes_missing = 1},
    {AV_CODEC_ID_HEVC, .has_nal_units = 1, .parser_finds_keys = 1},
    {AV_CODEC_ID_AV1, .notes_missing = 1, .overstates_keys = 1, .hole = 48},
    {AV_CODEC_ID_VP9, .notes_missing = 1, .hole = 32},
    {AV_CODEC_ID_VP8, .outputs_at_once = 1, .notes_missing = 1, .frames_say_more = 1, .hole = 64},
    {AV_CODEC_ID_MPEG1VIDEO, .is_mpeg_1_or_2 = 1, .parser_finds_keys = 1, .can_halve = 1, .notes_missing = 1},
    {AV_CODEC_ID_MPEG2VIDEO, .is_mpeg_1_or_2 = 1, .parser_finds_keys = 1, .can_halve = 1, .notes_missing = 1},
    {AV_CODEC_ID_MPEG4, .parser_finds_keys = 1, .starts_with_key = 1},
    {AV_CODEC_ID_MJPEG, .starts_with_key = 1, .can_halve = 1, .hides_fields = 1, .frames_say_more = 1},
    {AV_CODEC_ID_JPEG2000, .starts_with_key = 1, .hides_fields = 1},
    {AV_CODEC_ID_APNG, .overstates_keys = 1, .frames_say_more = 1},
    {AV_CODEC_ID_H261, .has_no_keys = 1, .overstates_keys = 1},
    {AV_CODEC_ID_FLV1, .starts_with_key = 1, .can_halve = 1},
    {AV_CODEC_ID_MSMPEG4V3, .starts_with_key = 1, .can_halve = 1},
    {AV_CODEC_ID_WMV1, .starts_with_key = 1, .can_halve = 1},
    {AV_CODEC_ID_WMV2, .hole = 128, .has_holes_only_in_keys = 1},
    {AV_CODEC_ID_WMV3, .starts_with_key = 1},
    {AV_CODEC_ID_VC1, .starts_with_key = 1},
    {AV_CODEC_ID_RV30, .starts_with_key = 1},
    {AV_CODEC_ID_RV40, .starts_with_key = 1},
    {AV_CODEC_ID_VP3, .outputs_at_once = 1},
    {AV_CODEC_ID_THEORA, .outputs_at_once = 1},
    {AV_CODEC_ID_VP6, .outputs_at_once = 1},
    {AV_CODEC_ID_VP6A, .outputs_at_once = 1},
    {AV_CODEC_ID_VP6F, .outputs_at_once = 1},
    {AV_CODEC_ID_SVQ1, .has_keys_by_type = 1},
    {AV_CODEC_ID_CAVS, .has_keys_by_type = 1},
    {AV_CODEC_ID_WEBP_ANIM, .has_keys_by_type = 1},
    {AV_CODEC_ID_DNXHD, .frames_say_more = 1},
    {AV_CODEC_ID_FFV1, .hole = 128},
    {AV_CODEC_ID_FFVHUFF, .hides_fields = 1, .hole = 128},
    {AV_CODEC_ID_HUFFYUV, .hides_fields = 1, .hole = 128},
    {AV_CODEC_ID_UTVIDEO, .hides_fields = 1},
    {AV_CODEC_ID_CFHD, .hides_fields = 1, .is_intra_only = 1},
    {AV_CODEC_ID_AIC, .hides_fields = 1},
    {AV_CODEC_ID_HQX, .hides_fields = 1},
    {AV_CODEC_ID_QTRLE, .hides_fields = 1, .hides_keys = 1},
    {AV_CODEC_ID_RPZA, .hides_keys = 1},
    {AV_CODEC_ID_CINEPAK, .hides_keys = 1},
    {AV_CODEC_ID_INDEO3, .hides_keys = 1},
    {AV_CODEC_ID_MSVIDEO1, .hides_keys = 1},
    {AV_CODEC_ID_MSRLE, .hides_keys = 1},
    {AV_CODEC_ID_FLASHSV, .hides_keys = 1},
    {AV_CODEC_ID_FLASHSV2, .hides_keys = 1},
    {AV_CODEC_ID_TSCC, .hides_keys = 1},
    {AV_CODEC_ID_VMNC, .hides_keys = 1},
    {AV_CODEC_ID_WAVPACK, .is_rewritten = 1},
    {AV_CODEC_ID_WEBVTT, .is_rewritten = 1},
    {AV_CODEC_ID_COOK, .is_rewritten = 1},
    {AV_CODEC_ID_SIPR, .is_rewritten = 1},
    {AV_CODEC_ID_ATRAC3, .is_rewritten = 1},
    {AV_CODEC_ID_RA_144, .is_rewritten = 1},
    {AV_CODEC_ID_RA_288, .is_rewritten = 1},
};

const ccover_codec *ccover_codec_of(enum AVCodecID id) {
    for (size_t i = 1; i < FF_ARRAY_ELEMS(codecs); i++) {
        if (codecs[i].id == id) {
            return &codecs[i];
        }
    }
    return &codecs[0];
}
