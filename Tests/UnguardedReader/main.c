// Plain FFmpeg with every protocol and option enabled, inside the decoder's sandbox (`locked`) or without it (`free`). It
// shows what a clip could reach if the shim had no checks.
//
//     unguarded-reader locked|free clip PATH     reads a clip that was opened before, and whatever it refers to
//     unguarded-reader locked|free name NAME     lets FFmpeg open NAME, a URL of any of its protocols
//     unguarded-reader locked|free threads PATH  decodes a clip that was opened before with several threads
//
// The exit status is 0 whatever was reached, which the test observes from outside, or 1 if `threads` decoded no frame.

#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/mem.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 4096, MAX_PACKETS = 50, THREADS = 4, LONGEST_SECONDS = 20 };

static int read_bytes(void *opaque, uint8_t *buffer, int length) {
    ssize_t count = read(*(int *)opaque, buffer, (size_t)length);
    return count > 0 ? (int)count : AVERROR_EOF;
}

static int64_t seek_to(void *opaque, int64_t offset, int whence) {
    return whence == AVSEEK_SIZE ? AVERROR(ENOSYS) : lseek(*(int *)opaque, offset, whence & ~AVSEEK_FORCE);
}

// Allows everything that FFmpeg forbids by default.
static void open_doors(AVDictionary **options) {
    static const char *const DOORS[][2] = {
        {"protocol_whitelist", "file,crypto,data,http,https,tcp,tls,udp,rtp,concat,subfile,pipe,cache,async"},
        {"allowed_extensions", "ALL"},
        {"extension_picky", "0"},
        {"safe", "0"},
        {"enable_drefs", "1"},
        {"use_absolute_path", "1"},
    };
    for (size_t i = 0; i < sizeof(DOORS) / sizeof(DOORS[0]); i++) {
        av_dict_set(options, DOORS[i][0], DOORS[i][1], 0);
    }
}

// Reads packets, and decodes those of the first stream if `decoder` is not NULL. Returns the number of frames.
static int read_packets(AVFormatContext *format, AVCodecContext *decoder) {
    int frames = 0;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    for (int i = 0; packet && frame && i < MAX_PACKETS && av_read_frame(format, packet) >= 0; i++) {
        if (decoder && packet->stream_index == 0 && avcodec_send_packet(decoder, packet) == 0) {
            frames += avcodec_receive_frame(decoder, frame) == 0;
        }
        av_packet_unref(packet);
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    return frames;
}

static AVCodecContext *open_decoder(const AVStream *stream) {
    const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
    AVCodecContext *decoder = avcodec_alloc_context3(codec);
    if (!decoder || avcodec_parameters_to_context(decoder, stream->codecpar) < 0) {
        return NULL;
    }
    decoder->thread_count = THREADS;
    return avcodec_open2(decoder, codec, NULL) == 0 ? decoder : NULL;
}

int main(int count, char **arguments) {
    if (count != 4) {
        return 64;
    }
    int is_locked = strcmp(arguments[1], "locked") == 0;
    int is_clip = strcmp(arguments[2], "name") != 0;
    int uses_threads = strcmp(arguments[2], "threads") == 0;
    int frames = 0;
    const char *name = arguments[3];

    AVFormatContext *format = avformat_alloc_context();
    uint8_t *buffer = av_malloc(BUFFER_BYTES);
    int clip = is_clip ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (!format || !buffer || (is_clip && clip < 0)) {
        return 2;
    }
    if (is_clip) {
        format->pb = avio_alloc_context(buffer, BUFFER_BYTES, 0, &clip, read_bytes, NULL, seek_to);
    }
    if (is_locked) {
        csandbox_state state;
        csandbox_apply(CSANDBOX_DECODER, CSANDBOX_ALL_PARTS, 0, -1, &state);
    }
    alarm(LONGEST_SECONDS);
    AVDictionary *options = NULL;
    open_doors(&options);
    if (avformat_open_input(&format, name, NULL, &options) == 0) {
        avformat_find_stream_info(format, NULL);
        AVCodecContext *decoder = uses_threads ? open_decoder(format->streams[0]) : NULL;
        frames = read_packets(format, decoder);
    }
    // The process ends here, which frees all memory.
    _exit(uses_threads && frames == 0);
}
