// The containers and decoders that a clip may use. FFmpeg has hundreds of each, most of them old, rare and little
// tested, and a hostile file can reach every one of them. The list of formats that people actually record and keep is
// short.

#include "Support/support.h"

#include <libavutil/bprint.h>
#include <libavutil/mem.h>
#include <string.h>

// Containers that contain their media. Audio containers are listed so that a sound file is reported as having no video
// stream, and so that its artwork can be found.
static const char *const containers[] = {
    "mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "asf", "flv", "live_flv", "mpeg", "mpegts", "mpegvideo",
    "h264", "hevc", "m4v", "h263", "h261", "vc1", "vc1test", "obu", "av1", "ivf", "ogg", "mxf", "gxf", "dv",
    "nut", "rm", "wtv", "gif", "apng", "yuv4mpegpipe", "mjpeg", "mjpeg_2000", "dirac", "cavsvideo", "dhav",
    "png_pipe", "jpeg_pipe", "webp_pipe", "webp_anim", "bmp_pipe", "tiff_pipe", "j2k_pipe", "gif_pipe",
    "mp3", "flac", "wav", "w64", "aiff", "aac", "ac3", "eac3", "ape", "wv", "tta", "dsf", "caf", "amr", NULL,
};

// Containers that refer to media elsewhere: reading one would mean opening another file or URL.
static const char *const pointing_containers[] = {
    "hls", "dash", "concat", "sdp", "rtsp", "rtp", "sap", "image2", "imf", "webm_dash_manifest", "lavfi",
    "mpegtsraw", "avisynth", "vapoursynth", "ffmetadata", "lrc", NULL,
};

// Deliberately omitted: `magicyuv` (CVE-2026-8461, a heap overflow triggered by creating a thumbnail) and everything
// that cameras, phones, screen recorders and editors do not write.
static const char *const decoders[] = {
    "h264", "hevc", "mpeg1video", "mpeg2video", "mpegvideo", "mpeg4", "h261", "h263", "h263i", "flv",
    "msmpeg4v1", "msmpeg4v2", "msmpeg4", "wmv1", "wmv2", "wmv3", "vc1", "rv10", "rv20", "rv30", "rv40",
    "vp3", "theora", "vp6", "vp6a", "vp6f", "vp8", "vp9", "libvpx", "libvpx-vp9", "libdav1d", "libaom-av1", "av1",
    "mjpeg", "mjpegb", "jpeg2000", "libopenjpeg", "png", "apng", "gif", "webp", "webp_anim", "bmp", "tiff",
    "prores", "dnxhd", "cfhd", "dvvideo", "svq1", "svq3", "cinepak", "indeo3", "qtrle", "rpza", "dirac",
    "rawvideo", "v210", "ffv1", "ffvhuff", "huffyuv", "utvideo", "flashsv", "flashsv2", "cavs",
    // Screen recorders, old cameras and editing programs; each was fuzzed with Tests/CCoverFuzz/rare_codecs.py.
    "camtasia", "tscc2", "g2m", "vmnc", "msvideo1", "msrle", "fraps", "aic", "hap", "hqx", "notchlc", "speedhq", "mss2",
    NULL,
};

// Decoders of sound. Covers need none; they are used where a clip is copied or composed with its sound.
static const char *const sound_decoders[] = {
    "aac", "aac_latm", "mp3", "mp3float", "mp2", "mp2float", "opus", "vorbis", "flac", "ac3", "eac3", "alac",
    "amrnb", "amrwb", "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be",
    "pcm_f32le", "pcm_f32be", "pcm_mulaw", "pcm_alaw", "pcm_dvd", "pcm_bluray", NULL,
};

static bool contains(const char *const *names, const char *name) {
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names;
}

bool ccover_allows_container(const AVInputFormat *format) {
    return contains(containers, format->name);
}

bool ccover_points_elsewhere(const AVInputFormat *format) {
    return contains(pointing_containers, format->name);
}

bool ccover_allows_decoder(const AVCodec *decoder) {
    return contains(decoders, decoder->name);
}

bool ccover_allows_sound_decoder(const AVCodec *decoder) {
    return contains(sound_decoders, decoder->name);
}

int ccover_restrict_decoders(AVFormatContext *format, bool with_sound) {
    AVBPrint list;
    av_bprint_init(&list, 0, AV_BPRINT_SIZE_UNLIMITED);
    for (const char *const *name = decoders; *name; name++) {
        av_bprintf(&list, "%s,", *name);
    }
    for (const char *const *name = sound_decoders; with_sound && *name; name++) {
        av_bprintf(&list, "%s,", *name);
    }
    // For sound and subtitle streams that turn up while libavformat reads on, this sets a decoder that cannot decode
    // them, so that libavformat does not look for another decoder.
    const AVCodec *unfit = avcodec_find_decoder(AV_CODEC_ID_RAWVIDEO);
    format->subtitle_codec = unfit;
    format->audio_codec = with_sound ? NULL : unfit;
    av_freep(&format->codec_whitelist);
    return av_bprint_finalize(&list, &format->codec_whitelist);
}
