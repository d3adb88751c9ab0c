// Blocks of a frame that were never decoded. Some decoders stop inside a picture without reporting it. The rest of a
// new frame is then as it was allocated: zeros in all planes, a green that no RGB colour corresponds to. Some cameras
// deliver no chroma, that is, zeros, so a frame without any chroma is damaged only if it has no luma either.

#include "Damage/damage.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/pixdesc.h>

enum { BLOCK = 16, LEAST_CHROMA = 32 };

// Whether zeros in all planes are not a colour, and so do not occur. Lossless codecs may store any values.
static bool have_no_zeros(enum AVCodecID codec, const AVPixFmtDescriptor *format, enum AVColorSpace matrix) {
    const AVCodecDescriptor *descriptor = avcodec_descriptor_get(codec);
    bool is_lossy = descriptor && (descriptor->props & AV_CODEC_PROP_LOSSY) != 0;
    uint64_t other_kinds = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL;
    return is_lossy && matrix != AVCOL_SPC_RGB && format && format->nb_components == 3 &&
           (format->flags & AV_PIX_FMT_FLAG_PLANAR) != 0 && (format->flags & other_kinds) == 0 &&
           format->comp[1].plane == 1 && format->comp[2].plane == 2;
}

// Whether all values of a plane in a block are zero.
static bool is_zero(const AVFrame *frame, const AVPixFmtDescriptor *format, int plane, int column, int row) {
    int step = format->comp[plane].step;
    int across = plane > 0 ? format->log2_chroma_w : 0;
    int down = plane > 0 ? format->log2_chroma_h : 0;
    int bytes = (BLOCK >> across) * step;
    const uint8_t *start = frame->data[plane] + (ptrdiff_t)(row >> down) * frame->linesize[plane] +
                           (ptrdiff_t)(column >> across) * step;
    uint8_t all = 0;
    for (int i = 0; i < BLOCK >> down; i++) {
        for (int j = 0; j < bytes; j++) {
            all |= start[j];
        }
        start += frame->linesize[plane];
    }
    return all == 0;
}

// Whether a plane has a value of at least the given one, of 255.
static bool reaches(const AVFrame *frame, const AVPixFmtDescriptor *format, int plane, int least) {
    const AVComponentDescriptor *component = &format->comp[plane];
    int width = plane > 0 ? AV_CEIL_RSHIFT(frame->width, format->log2_chroma_w) : frame->width;
    int height = plane > 0 ? AV_CEIL_RSHIFT(frame->height, format->log2_chroma_h) : frame->height;
    bool is_big_endian = (format->flags & AV_PIX_FMT_FLAG_BE) != 0;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane];
        for (int x = 0; x < width; x++) {
            const uint8_t *sample = row + (ptrdiff_t)x * component->step;
            int value = component->step == 1 ? *sample : is_big_endian ? AV_RB16(sample) : AV_RL16(sample);
            if (value >> (component->depth - 8) >= least) {
                return true;
            }
        }
    }
    return false;
}

bool ccover_has_blank_block(enum AVCodecID codec, const AVFrame *frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (!have_no_zeros(codec, format, frame->colorspace)) {
        return false;
    }
    int step = format->comp[0].step;
    for (int row = 0; row + BLOCK <= frame->height; row += BLOCK) {
        const uint8_t *line = frame->data[0] + (ptrdiff_t)row * frame->linesize[0];
        for (int column = 0; column + BLOCK <= frame->width; column += BLOCK) {
            if (line[column * step] == 0 && is_zero(frame, format, 0, column, row) &&
                is_zero(frame, format, 1, column, row) && is_zero(frame, format, 2, column, row)) {
                // Encoders may leave small values in frames without chroma.
                return reaches(frame, format, 1, LEAST_CHROMA) || reaches(frame, format, 2, LEAST_CHROMA) ||
                       !reaches(frame, format, 0, 1);
            }
        }
    }
    return false;
}
