// Lines of warning or error level that FFmpeg's decoders and parsers also log for intact clips.
//
// Where one of them can mean damage as well, such as that of a parameter set, the pictures that use it are reported on
// their own. A line that is often the only sign of damage, such as "End mismatch" in JPEG 2000, is not listed.

#include "Damage/damage.h"

#include <libavutil/avstring.h>
#include <stdlib.h>
#include <string.h>

// The beginnings of their formats.
static const char *const harmless[] = {
    // All codecs: the lines that follow a missing feature, which has a line of its own.
    " is not implemented. Update your FFmpeg", "If you want to help, upload a sample", "deprecated pixel format",
    // H.264 and HEVC: how frames are reordered and referenced, which may become clear only while decoding, and leading
    // frames of an open group of pictures.
    "Increasing reorder buffer", "mmco: unref short failure", "number of reference frames (",
    "co located POCs unavailable", "illegal short term buffer state", "First slice in a frame missing",
    "vps_max_num_reorder_pics out of range", "sps_max_num_reorder_pics out of range",
    "Clipping illegal num_reorder_frames", "Possibly too many slices",
    // H.264 and HEVC: parameters that do not affect the pixels, and sets of them that are not used.
    "ignoring invalid SAR", "Unknown SAR index", "Truncated VUI", "Overread ", "Unknown HEVC profile", "Strange VUI",
    "Invalid default display window", "Truncating likely oversized", "time_scale/num_units_in_tick invalid",
    "sps_id %u out of range", "illegal aspect ratio", "cpb_count %d invalid", "FMO", "Error decoding the extradata",
    "vps_reserved_ffff_16bits", "VPS %d does not exist", "SPS %u does not exist", "Invalid cropping offsets",
    "Displaying the whole video surface", "Invalid cropping information set",
    // H.264 and HEVC: messages (SEI).
    "SEI type %d", "non-existing SPS %d referenced in buffering period", "Error processing a picture timing SEI",
    "Picture timing SEI payload too large", "recovery_frame_cnt %u is out of range", "Failed synthesizing film grain",
    "num_sps_ids_minus1 %d invalid", "active_parameter_set_id %d invalid", "Multiple Dolby Vision RPUs",
    "RPU validation failed: ", "Unrecognized RPU type", "Error parsing DOVI", "Missing RPU VDR",
    "Profile 5 RPUs should", "Unknown previous RPU", "Dolby Vision linear interpolation",
    // MPEG-1, MPEG-2 and MPEG-4.
    "Invalid horizontal or vertical size value", "aspect ratio has forbidden 0 value", "frame_rate_index %d is invalid",
    "Chroma format invalid", "interlaced frame in progressive sequence", "invalid frame_pred_frame_dct",
    "ignoring SEQ_START_CODE after", "ignoring GOP_START_CODE after", "ignoring seq ext after", "picture in extradata",
    "low_delay flag set incorrectly", "illegal chroma format", "Unknown Lavc version string", "GOP header invalid",
    "Ignoring multiple VOL headers", "Discarding excessive bitstream in packed xvid",
    "Video uses a non-standard and wasteful way", "looks like this file was encoded with",
    // VP8, VP9, AV1 and Theora.
    "Upscaling", "Invalid ref frame dimensions", "Unknown Metadata OBU type", "Error decoding extradata",
    "Multiple frames in a packet", "Header packet passed to frame decoder",
    // The parser of AV1: packets behind a damaged one, and what follows a line that states the cause.
    "Invalid repeated frame header OBU", "No sequence header available", "Failed to read unit",
    "Failed to parse temporal unit",
    // Other codecs of video.
    "Unknown prores profile", "picture resolution change", "pix_fmt changed: ", "Stream is old and may not work",
    "Broken v210 with too small padding", "First chunk byte is 0x%02x", "Buffer not fully read",
    "Unspecified colorspace", "%d undecompressed bytes left",
    // JPEG: metadata, and what does not belong to the picture.
    "Invalid ICC_PROFILE header", "Mistmatch in coded number of ICC",
    "Mismatching sequence number and coded number of ICC", "Duplicate ICC sequence number",
    "Invalid sequence number in APP2", "Invalid number of markers coded in APP2", "Read more ICC markers",
    "mjpeg: invalid TIFF header in EXIF", "mjpeg: error decoding EXIF", "TIFF tag type (%u)",
    "unable to decode APP fields", "mjpeg: error, decode_app parser read over the end", "Found EOI before any SOF",
    "unknown colorspace %d",
    // JPEG 2000.
    "Progression order ", "RES box invalid", "Selective arithmetic coding bypass",
    "lowres is overriden by reduction_factor",
    // Other pictures.
    "EXIF chunk present", "ICCP chunk present", "ALPHA chunk present", "skipping unsupported chunk",
    "invalid TIFF header in Exif data", "error decoding Exif data", "Invalid TIFF tag type", "Width mismatch. ",
    "Height mismatch. ", "Broken tEXt chunk", "Broken zTXt chunk", "Unknown value in sTER", "trns after IDAT",
    "trns before IHDR", "%d bytes left\n", "Image too wide by", "Image too high by", "Invalid image height",
    "Incorrect number of colors", "not enough data (%d < %u), trying", "Invalid denominator in rational",
    "Unknown FillOrder value", "Image data size missing", "Unknown or unsupported GeoTIFF key", "Invalid GeoTIFF key",
    "Type of GeoTIFF key", "GeoTIFF key directory",
};

// Whether the codec explains the line.
static bool is_harmless_for(enum AVCodecID codec, const char *format) {
    switch (codec) {
    case AV_CODEC_ID_H261:
        // The decoder has no key frames, and logs this for the first frame of every clip.
        return av_strstart(format, "warning: first frame is no keyframe", NULL);
    case AV_CODEC_ID_DNXHD:
        // The alpha channel is left out.
        return strcmp(format, "alpha") == 0;
    default:
        return false;
    }
}

// Whether the height of DNxHD differs only by lines that fill up the last blocks: the container says 1088, and the
// frame 1080.
static bool is_padding(va_list arguments) {
    enum { BLOCK_LINES = 16 };
    int width = va_arg(arguments, int), height = va_arg(arguments, int);
    unsigned new_width = va_arg(arguments, unsigned), new_height = va_arg(arguments, unsigned);
    return (unsigned)width == new_width && labs((long)height - (long)new_height) < BLOCK_LINES;
}

// Whether the styles of code blocks in JPEG 2000 are those that the decoder knows, without those of part 15 (HTJ2K).
static bool are_known_styles(va_list arguments) {
    enum { HIGH_THROUGHPUT = 0x40 };
    return (va_arg(arguments, int) & HIGH_THROUGHPUT) == 0;
}

bool ccover_is_harmless_report(enum AVCodecID codec, const char *format, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    bool is_harmless = is_harmless_for(codec, format) ||
                       (av_strstart(format, "frame size changed: %dx%d -> %ux%u", NULL) && is_padding(copy)) ||
                       (av_strstart(format, "extra cblk styles %X", NULL) && are_known_styles(copy));
    va_end(copy);
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]) && !is_harmless; i++) {
        is_harmless = av_strstart(format, harmless[i], NULL);
    }
    return is_harmless;
}
