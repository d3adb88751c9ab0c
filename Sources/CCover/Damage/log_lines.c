// The ways in which FFmpeg reports damage without a flag or an error code: lines in its log. Damaged HEVC, VP9, JPEG
// 2000, MJPEG and WMV2 frames are reported in no other way.

#include "Damage/damage.h"

#include <libavutil/avstring.h>

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

// The parsers of H.264 and HEVC log about parameters that other packets hold; their decoders report what matters.
static void read_line_of_parser(const AVCodecContext *parser, const char *format, va_list arguments) {
    enum AVCodecID codec = parser->codec_id;
    bool is_ours = parser->codec_type == AVMEDIA_TYPE_VIDEO && !ccover_is_avc_or_hevc(codec);
    if (is_ours && !ccover_is_harmless_report(codec, format, arguments)) {
        ccover_note_parser_report();
    }
}

static void read_line_of_decoder(ccover_clip *clip, const char *format, va_list arguments) {
    if (av_strstart(format, "EOI missing, emulating", NULL)) {
        ccover_note_missing_end(clip->damage);
    } else if (reports_gap_of_numbers(format)) {
        ccover_note_gap_of_numbers(clip->damage);
    } else if (!ccover_is_harmless_report(clip->demuxer->stream->codecpar->codec_id, format, arguments)) {
        ccover_note_damage(clip->damage);
    }
}

static void read_line(void *context, int level, const char *format, va_list arguments) {
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
            const AVFormatContext *container = context;
            // A muxer logs with such a context as well, and its `opaque` is not a demuxer.
            if (container->iformat && container->opaque) {
                ccover_read_demuxer_line(container->opaque, level, format, arguments);
            }
            return;
        }
        int parent = class->parent_log_context_offset;
        context = parent != 0 ? *(void **)((uint8_t *)context + parent) : NULL;
    }
}

void ccover_read_log(void) {
    ccover_set_log_listener(read_line);
}
