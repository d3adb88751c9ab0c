// Prints the containers and decoders in FFmpeg's libraries by their names.

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>

int main(void) {
    void *state = NULL;
    for (const AVInputFormat *format; (format = av_demuxer_iterate(&state));) {
        printf("container %s\n", format->name);
    }
    state = NULL;
    for (const AVCodec *codec; (codec = av_codec_iterate(&state));) {
        if (av_codec_is_decoder(codec)) {
            printf("decoder %s\n", codec->name);
        }
    }
    return 0;
}
