// Allocations that fail at a chosen point, in the shim and the PNG code only: FFmpeg's own code does not survive them
// everywhere (the VP9 decoder, for example, closes a context that was never created). The linker (`--wrap`) replaces
// the functions that the shim and the PNG code call with these.

#include "harness.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

static long calls, failing_call;

long starve(long failing) {
    long count = calls;
    calls = 0;
    failing_call = failing;
    return count;
}

bool is_starved(void) {
    return failing_call > 0;
}

#define STARVED(type, name, parameters, arguments)                                                                    \
    type __real_##name parameters;                                                                                    \
    type __wrap_##name parameters;                                                                                    \
    type __wrap_##name parameters {                                                                                   \
        calls += 1;                                                                                                   \
        return calls == failing_call ? NULL : __real_##name arguments;                                                \
    }

STARVED(void *, malloc, (size_t size), (size))
STARVED(void *, calloc, (size_t count, size_t size), (count, size))
STARVED(void *, av_mallocz, (size_t size), (size))
STARVED(void *, av_calloc, (size_t count, size_t size), (count, size))
STARVED(void *, av_malloc_array, (size_t count, size_t size), (count, size))
STARVED(void *, av_realloc_array, (void *start, size_t count, size_t size), (start, count, size))
STARVED(void *, av_memdup, (const void *start, size_t size), (start, size))
STARVED(AVFrame *, av_frame_alloc, (void), ())
STARVED(AVPacket *, av_packet_alloc, (void), ())
STARVED(AVFormatContext *, avformat_alloc_context, (void), ())
STARVED(AVCodecContext *, avcodec_alloc_context3, (const AVCodec *codec), (codec))
STARVED(AVIOContext *, avio_alloc_context,
        (unsigned char *buffer, int size, int write_flag, void *opaque, int (*read)(void *, uint8_t *, int),
         int (*write)(void *, uint8_t *, int), int64_t (*seek)(void *, int64_t, int)),
        (buffer, size, write_flag, opaque, read, write, seek))
STARVED(struct SwsContext *, sws_alloc_context, (void), ())

// Can also be guarded; see guarded.c.
void *__wrap_av_malloc(size_t size);
void *__wrap_av_malloc(size_t size) {
    calls += 1;
    return calls == failing_call ? NULL : guarded_av_malloc(size);
}
