// Dolby Vision: the profile of a clip, and whether its base layer can be shown on its own.
//
// Only the base layer (HDR10, HLG or SDR) is decoded; the enhancement layer and metadata are not applied.

#include "Support/compat.h"
#include "Decoding/decoding.h"

#include <libavutil/dovi_meta.h>

// According to Dolby's "Dolby Vision Streams Within the ISO Base Media File Format" and "Dolby Vision Profiles and
// Levels", profile 5 has no compatible base layer; for profiles 8 and above, compatibility id 0 means the same. Clips
// of older profiles were written without the id.
static void set_from_record(const AVDOVIDecoderConfigurationRecord *record, ccover_frame_facts *facts) {
    facts->dolby_vision_profile = record->dv_profile;
    facts->lacks_base_layer = record->dv_profile == 5 || !record->bl_present_flag ||
                              (record->dv_profile >= 8 && record->dv_bl_signal_compatibility_id == 0);
}

// An elementary stream has this information only in its frames. The profile is guessed like FFmpeg's muxers do
// (ff_dovi_guess_profile).
static void set_from_frame(const AVDOVIRpuDataHeader *header, ccover_frame_facts *facts) {
    if (header->vdr_rpu_profile == 0 && header->bl_video_full_range_flag) {
        facts->dolby_vision_profile = 5;
        facts->lacks_base_layer = true;
    } else if (header->vdr_rpu_profile == 1) {
        bool has_enhancement = header->el_spatial_resampling_filter_flag && !header->disable_residual_flag;
        facts->dolby_vision_profile = !has_enhancement ? 8 : header->vdr_bit_depth == 12 ? 7 : 4;
    }
}

void ccover_set_dolby_vision(const ccover_clip *clip, ccover_frame_facts *facts) {
    size_t size = 0;
    const AVDOVIDecoderConfigurationRecord *record =
        (const void *)ccover_compat_stream_side_data(clip->demuxer->stream, AV_PKT_DATA_DOVI_CONF, &size);
    if (record && size >= sizeof(*record)) {
        set_from_record(record, facts);
        return;
    }
    const AVFrameSideData *data = av_frame_get_side_data(clip->position->frame, AV_FRAME_DATA_DOVI_METADATA);
    if (data && data->size >= sizeof(AVDOVIMetadata)) {
        set_from_frame(av_dovi_get_header((const void *)data->data), facts);
    }
}
