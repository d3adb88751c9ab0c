// Whether the clip ends inside a frame of a stream whose packets have no size.

#include "Decoding/decoding.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <string.h>

// Whether two frames have the same pixels.
static bool are_equal(const AVFrame *one, const AVFrame *other) {
    if (one->format != other->format || one->width != other->width || one->height != other->height) {
        return false;
    }
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(one->format);
    for (int plane = 0; plane < 4 && one->data[plane]; plane++) {
        int bytes = av_image_get_linesize(one->format, one->width, plane);
        int shift = format && (plane == 1 || plane == 2) ? format->log2_chroma_h : 0;
        for (int row = 0; row < AV_CEIL_RSHIFT(one->height, shift); row++) {
            const uint8_t *first = one->data[plane] + (ptrdiff_t)row * one->linesize[plane];
            const uint8_t *second = other->data[plane] + (ptrdiff_t)row * other->linesize[plane];
            if (bytes > 0 && memcmp(first, second, (size_t)bytes) != 0) {
                return false;
            }
        }
    }
    return true;
}

bool ccover_depends_on_what_follows(AVCodecContext *decoder, const AVPacket *packet, const AVFrame *frame) {
    enum { MORE_BYTES = 256 };
    AVPacket *longer = av_packet_clone(packet);
    AVFrame *again = av_frame_alloc();
    bool result = false;
    int size = ccover_size_of_content(packet);
    if (longer && again && av_grow_packet(longer, MORE_BYTES) >= 0) {
        memset(longer->data + size, 0x5a, (size_t)(longer->size - size));
        avcodec_flush_buffers(decoder);
        result = !ccover_decode_alone(decoder, &longer, 1, again) || !are_equal(frame, again);
    }
    av_frame_free(&again);
    av_packet_free(&longer);
    return result;
}
