// The ways in which FFmpeg reports damage without a flag or an error code: lines in its log. Damaged HEVC, VP9, JPEG
// 2000, MJPEG and WMV2 frames are reported in no other way.

#include "internal.h"

#include <stdlib.h>
#include <string.h>

// Lines of warning or error level that decoders also log for intact clips, by the beginning of their format.
static const char *const harmless[] = {
    // How frames are reordered and referenced, which may become clear only while decoding, and leading frames of an
    // open group of pictures.
    "Increasing reorder buffer", "mmco: unref short failure", "number of reference frames (",
    "co located POCs unavailable", "illegal short term buffer state", "First slice in a frame missing",
    // Trailing bytes.
    "%d undecompressed bytes left", "Buffer not fully read",
    // Headers and metadata that do not affect the pixels.
    "ignoring invalid SAR", "Unknown SAR index", "SEI type %d", "Truncated VUI", "Overread ", "Unknown HEVC profile",
    "Strange VUI", "Invalid default display window", "Truncating likely oversized",
    "vps_max_num_reorder_pics out of range", "sps_max_num_reorder_pics out of range", "Unknown prores profile",
    "Unknown profile", "Unspecified colorspace", "Invalid ICC_PROFILE header", "Mistmatch in coded number of ICC",
    "Mismatching sequence number and coded number of ICC", "Duplicate ICC sequence number", "EXIF chunk present",
    "ICCP chunk present", "ALPHA chunk present", "looks like this file was encoded with",
    "Discarding excessive bitstream in packed xvid", "Video uses a non-standard and wasteful way",
    // The container says 1088 lines, and the frame 1080.
    "frame size changed: %dx%d",
    "deprecated pixel format", "Multiple Dolby Vision RPUs", "Multiple frames in a packet",
};

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_harmless(const ccover_clip *clip, const char *format) {
    // The H.261 decoder has no key frames, and logs this for the first frame of every clip.
    if (clip->decoder->codec_id == AV_CODEC_ID_H261 && starts_with(format, "warning: first frame is no keyframe")) {
        return true;
    }
    for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
        if (starts_with(format, harmless[i])) {
            return true;
        }
    }
    return false;
}

// Remembers the time in a line about a packet that libavformat calls corrupt.
static void note_corrupt_packet(ccover_clip *clip, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    int stream = va_arg(copy, int);
    const char *text = va_arg(copy, const char *);
    char *end;
    int64_t time = strtoll(text, &end, 10);
    if (end == text) {
        clip->has_untimed_corruption = true;
    } else {
        clip->corrupt[clip->corrupt_count % CCOVER_MAX_CORRUPT] = (ccover_corrupt_packet){stream, time};
        clip->corrupt_count += 1;
    }
    va_end(copy);
}

bool ccover_is_called_corrupt(const ccover_clip *clip, const AVPacket *packet) {
    for (int64_t i = 0; i < clip->corrupt_count && i < CCOVER_MAX_CORRUPT; i++) {
        // Times in transport and program streams wrap around; the log has them as stored.
        uint64_t difference = (uint64_t)clip->corrupt[i].time ^ (uint64_t)packet->dts;
        if (clip->corrupt[i].stream == packet->stream_index && (difference & 0x1ffffffff) == 0) {
            return true;
        }
    }
    return ccover_precedes_gap(clip, packet) ||
           (clip->has_untimed_corruption && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0);
}

// Whether the line may be about pixels. Some decoders do not output a frame in which they concealed errors; then a line
// of a lower level is all there is.
static bool may_report_damage(int level, const char *format) {
    return level <= AV_LOG_WARNING || starts_with(format, "concealing ");
}

static void read_line_of_decoder(ccover_clip *clip, const char *format) {
    if (clip && starts_with(format, "EOI missing, emulating")) {
        ccover_note_missing_end(clip);
    } else if (clip && !is_harmless(clip, format)) {
        ccover_note_damage(clip);
    }
}

static void read_line_of_demuxer(ccover_clip *clip, int level, const char *format, va_list arguments) {
    if (clip && level <= AV_LOG_ERROR) {
        ccover_note_container_error(clip);
    }
    if (clip && starts_with(format, "Packet corrupt (stream = %d, dts = %s)")) {
        note_corrupt_packet(clip, arguments);
    }
}

void ccover_read_log_line(void *context, int level, const char *format, va_list arguments) {
    if (!may_report_damage(level, format)) {
        return;
    }
    // Decoders and demuxers log with their own context, or with an object that names it as its parent. Decoders that
    // libavformat opens have no clip.
    while (context && *(const AVClass *const *)context) {
        const AVClass *class = *(const AVClass *const *)context;
        if (class == avcodec_get_class()) {
            read_line_of_decoder(((AVCodecContext *)context)->opaque, format);
            return;
        }
        if (class == avformat_get_class()) {
            read_line_of_demuxer(((AVFormatContext *)context)->opaque, level, format, arguments);
            return;
        }
        int parent = class->parent_log_context_offset;
        context = parent != 0 ? *(void **)((uint8_t *)context + parent) : NULL;
    }
}
