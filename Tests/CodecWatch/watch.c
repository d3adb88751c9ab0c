// The replacement for avcodec_open2(), which records each call in a file.

#include "CodecWatch.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int record = -1;

void codecwatch_use(void) {
}

// Runs before main(), because no file can be opened after the sandbox has been applied.
__attribute__((constructor)) static void open_record(int count, char **arguments) {
    char path[4096];
    if (count > 0 && snprintf(path, sizeof(path), "%s.opened", arguments[0]) < (int)sizeof(path)) {
        record = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
}

int avcodec_open2(AVCodecContext *context, const AVCodec *codec, AVDictionary **options) {
    int (*real)(AVCodecContext *, const AVCodec *, AVDictionary **);
    *(void **)&real = dlsym(RTLD_NEXT, "avcodec_open2");
    const AVCodec *asked = codec ? codec : context->codec;
    int code = real(context, codec, options);
    char line[256];
    int length = snprintf(line, sizeof(line), "%s %s %lld\n", asked ? asked->name : avcodec_get_name(context->codec_id),
                          code < 0 ? "refused" : "opened", (long long)context->max_pixels);
    // Encoders, which are used for covers, are not recorded.
    if (!asked || av_codec_is_decoder(asked)) {
        (void)!write(record, line, (size_t)length);
    }
    return code;
}
