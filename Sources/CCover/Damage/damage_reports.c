// The ways in which FFmpeg reports damage without a flag or an error code: lines in its log. Damaged HEVC, VP9, JPEG
// 2000, MJPEG and WMV2 frames are reported in no other way.

#include "internal.h"

#include <libavutil/avstring.h>
#include <stdlib.h>
#include <string.h>

// Remembers the time in a line about a packet that libavformat calls corrupt.
static void note_corrupt_packet(ccover_clip *clip, va_list arguments) {
    va_list copy;
    va_copy(copy, arguments);
    int stream = va_arg(copy, int);
    const char *text = va_arg(copy, const char *);
    char *end;
    int64_t time = strtoll(text, &end, 10);
    bool has_only_wrong_size = ccover_has_only_wrong_size(clip);
    if (end == text) {
        clip->has_untimed_corruption = true;
    } else if (!clip->has_wrong_sizes || !has_only_wrong_size) {
        clip->corrupt[clip->corrupt_count % CCOVER_MAX_CORRUPT] =
            (ccover_corrupt_packet){.stream = stream, .time = time, .has_only_wrong_size = has_only_wrong_size};
        clip->corrupt_count += 1;
    }
    va_end(copy);
}

const ccover_corrupt_packet *ccover_report_of(const ccover_clip *clip, const AVPacket *packet) {
    for (int64_t i = 0; i < clip->corrupt_count && i < CCOVER_MAX_CORRUPT; i++) {
        // Times in transport and program streams wrap around; the log has them as stored.
        uint64_t difference = (uint64_t)clip->corrupt[i].time ^ (uint64_t)packet->dts;
        if (clip->corrupt[i].stream == packet->stream_index && (difference & 0x1ffffffff) == 0) {
            return &clip->corrupt[i];
        }
    }
    return NULL;
}

bool ccover_is_called_corrupt(const ccover_clip *clip, const AVPacket *packet) {
    return ccover_report_of(clip, packet) || ccover_was_marked_corrupt(clip, packet) ||
           (clip->has_untimed_corruption && (packet->flags & AV_PKT_FLAG_CORRUPT) != 0);
}

// The decoder of H.264 replaces missing frames by those before.
static bool reports_gap_of_numbers(const char *format) {
    return av_strstart(format, "Frame num gap", NULL);
}

// Whether the line may be about pixels. Some decoders log damage only at a lower level, as others do where they do not
// output a frame in which they concealed errors.
static bool may_report_damage(int level, const char *format) {
    static const char *const quiet[] = {
        "concealing ",                     // video with slices
        "frame num %d incomplete pic",     // SVQ3
        "Reference not found",             // Dirac
        "Invalid zero run of %d with %d ", // Theora
    };
    bool is_quiet = false;
    for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]) && level > AV_LOG_WARNING; i++) {
        is_quiet = is_quiet || av_strstart(format, quiet[i], NULL);
    }
    return is_quiet || level <= AV_LOG_WARNING || reports_gap_of_numbers(format) || ccover_reports_lost_bytes(format);
}

// Parsers read the headers of packets while libavformat reads these, with a context that does not name the clip. What
// a thread reads is of one clip.
static _Thread_local bool has_parser_report;

void ccover_forget_parser_reports(void) {
    has_parser_report = false;
}

bool ccover_has_parser_report(void) {
    return has_parser_report;
}

// The parsers of H.264 and HEVC log about parameters that other packets hold; their decoders report what matters.
static void read_line_of_parser(const AVCodecContext *parser, const char *format, va_list arguments) {
    enum AVCodecID codec = parser->codec_id;
    bool is_ours = parser->codec_type == AVMEDIA_TYPE_VIDEO && !ccover_is_avc_or_hevc(codec);
    has_parser_report = has_parser_report || (is_ours && !ccover_is_harmless_report(codec, format, arguments));
}

static void read_line_of_decoder(ccover_clip *clip, const char *format, va_list arguments) {
    if (av_strstart(format, "EOI missing, emulating", NULL)) {
        ccover_note_missing_end(clip);
    } else if (reports_gap_of_numbers(format)) {
        ccover_note_gap_of_numbers(clip);
    } else if (!ccover_is_harmless_report(clip->decoder->codec_id, format, arguments)) {
        ccover_note_damage(clip);
    }
}

static void read_line_of_demuxer(ccover_clip *clip, int level, const char *format, va_list arguments) {
    if (clip && level <= AV_LOG_ERROR) {
        ccover_note_container_error(clip);
    }
    if (clip && av_strstart(format, "Packet corrupt (stream = %d, dts = %s)", NULL)) {
        note_corrupt_packet(clip, arguments);
    } else if (clip) {
        ccover_note_wrong_size(clip, format);
    }
}

void ccover_read_log_line(void *context, int level, const char *format, va_list arguments) {
    if (!may_report_damage(level, format)) {
        return;
    }
    // Decoders and demuxers log with their own context, or with an object that names it as its parent. Parsers, and
    // decoders that libavformat opens, have no clip.
    while (context && *(const AVClass *const *)context) {
        const AVClass *class = *(const AVClass *const *)context;
        if (class == avcodec_get_class()) {
            AVCodecContext *codec = context;
            if (codec->opaque) {
                read_line_of_decoder(codec->opaque, format, arguments);
            } else {
                read_line_of_parser(codec, format, arguments);
            }
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
