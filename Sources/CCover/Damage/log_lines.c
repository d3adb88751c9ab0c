// The lines of FFmpeg's log that report damage where neither an error code nor a flag of the frame does. All others are
// also written for intact clips, or follow an error. Packaging/check-log-lines looks for these texts in the libraries.

#include "Damage/damage.h"

#include <libavutil/avstring.h>

static const struct {
    enum AVCodecID codec; // AV_CODEC_ID_NONE if it is that of several codecs
    const char *start;    // of the format of a line
} damaged_lines[] = {
    // The decoders of H.26x, MPEG and their relatives: blocks or slices that are taken from other frames.
    {AV_CODEC_ID_NONE, "concealing %d DC, %d AC, %d MV errors"},
    {AV_CODEC_ID_NONE, "ac-tex damaged at %d %d"},
    {AV_CODEC_ID_H261, "Error at MB: %d"},
    {AV_CODEC_ID_MPEG2VIDEO, "slice mismatch"},
    {AV_CODEC_ID_MPEG2VIDEO, "skipped MB in I-frame at %d %d"},
    {AV_CODEC_ID_MPEG4, "warning: first frame is no keyframe"},
    {AV_CODEC_ID_H264, "Missing reference picture, default is %d"},
    {AV_CODEC_ID_H264, "error while decoding MB %d %d"}, // one of the fields has no flag
    {AV_CODEC_ID_HEVC, "Could not find ref with POC %d"},
    {AV_CODEC_ID_HEVC, "The cu_qp_delta %d is outside the valid range"},
    {AV_CODEC_ID_SVQ3, "frame num %"},
    {AV_CODEC_ID_DIRAC, "Reference not found"},
    // Windows Media and its predecessors.
    {AV_CODEC_ID_NONE, "dc overflow- block: %d qscale: %d"},
    {AV_CODEC_ID_NONE, "ignoring overflow at %d %d"},
    {AV_CODEC_ID_NONE, "I-frame too long, ignoring ext header"},
    // AV1: what its parser finds.
    {AV_CODEC_ID_AV1, "%s out of range: %"},
    {AV_CODEC_ID_AV1, "Invalid OBU length: %"},
    {AV_CODEC_ID_AV1, "Missing reference frame needed for show_existing_frame"},
    {AV_CODEC_ID_THEORA, "Coefficient index overflow"},
    {AV_CODEC_ID_THEORA, "Invalid zero run of %d with %d coeffs left"},
    // Pictures, and codecs whose frames are pictures.
    {AV_CODEC_ID_JPEG2000, "End mismatch %td"},
    {AV_CODEC_ID_JPEG2000, "bpno (%d) became invalid"},
    {AV_CODEC_ID_MJPEG, "overread %d"},
    {AV_CODEC_ID_MJPEG, "error y=%d x=%d"},
    {AV_CODEC_ID_MJPEG, "error dc"},
    {AV_CODEC_ID_PNG, "IEND without all image"},
    {AV_CODEC_ID_GIF, "LZW decode failed"},
    {AV_CODEC_ID_FFV1, "slice CRC mismatch %X!"},
    {AV_CODEC_ID_FFV1, "CRC mismatch %X!"},
    {AV_CODEC_ID_FFV1, "read_quant_table error"},
    {AV_CODEC_ID_UTVIDEO, "%d bits left after decoding slice"},
    {AV_CODEC_ID_DVVIDEO, "Concealing bitstream errors"},
    // Screen recordings and old codecs.
    {AV_CODEC_ID_NONE, "Zlib resync occurred"},
    {AV_CODEC_ID_NONE, "buffer not fully consumed (%d != %d)"},
    {AV_CODEC_ID_FLASHSV2, "error in decompression of block %dx%d"},
    {AV_CODEC_ID_CINEPAK, "cinepak_decode failed"},
    {AV_CODEC_ID_QTRLE, "Problem: pixel_ptr = %d, pixel_limit = %d"},
};

static bool reports_damage(enum AVCodecID codec, const char *format) {
    bool reports = false;
    for (size_t i = 0; i < sizeof(damaged_lines) / sizeof(damaged_lines[0]) && !reports; i++) {
        enum AVCodecID wanted = damaged_lines[i].codec;
        reports = (wanted == AV_CODEC_ID_NONE || wanted == codec) && av_strstart(format, damaged_lines[i].start, NULL);
    }
    return reports;
}

static void read_line_of_decoder(ccover_clip *clip, const char *format) {
    if (av_strstart(format, "EOI missing, emulating", NULL)) {
        ccover_note_missing_end(clip->damage);
    } else if (av_strstart(format, "Frame num gap", NULL)) {
        // The decoder of H.264 replaces missing frames by those before.
        ccover_note_gap_of_numbers(clip->damage);
    } else if (reports_damage(clip->demuxer->stream->codecpar->codec_id, format) ||
               (clip->damage->is_htj2k && av_strstart(format, "extra cblk styles", NULL))) {
        ccover_note_damage(clip->damage);
    }
}

void ccover_read_log_line(void *context, const char *format, va_list arguments) {
    // Decoders and demuxers log with their own context. Parsers, and decoders that libavformat opens, have no clip.
    const AVClass *class = context ? *(const AVClass *const *)context : NULL;
    if (class == avcodec_get_class()) {
        AVCodecContext *codec = context;
        if (codec->opaque) {
            read_line_of_decoder(codec->opaque, format);
        } else if (codec->codec_type == AVMEDIA_TYPE_VIDEO && !ccover_codec_of(codec->codec_id)->has_nal_units &&
                   reports_damage(codec->codec_id, format)) {
            // The parsers of H.264 and HEVC log about parameters that other packets hold.
            ccover_note_parser_report();
        }
    } else if (class == avformat_get_class()) {
        const AVFormatContext *container = context;
        // A muxer logs with such a context as well, and its `opaque` is not a demuxer.
        if (container->iformat && container->opaque) {
            ccover_read_demuxer_line(container->opaque, format, arguments);
        }
    }
}
