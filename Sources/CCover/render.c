// From the decoded frame to the caller's rows: colour, size and orientation.

#include "internal.h"

#include "compat.h"

#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <string.h>

// Where swscale's chroma position is "not said".
enum { UNKNOWN_CHROMA_POSITION = -513 };

// FFmpeg's vector code writes whole vectors, up to 32 pixels past the end of a row.
enum { ROW_PADDING_PIXELS = 32, ROW_ALIGNMENT = 64 };

size_t ccover_pixel_bytes(ccover_layout layout) {
    switch (layout) {
    case CCOVER_RGB8:
        return 3;
    case CCOVER_RGBA8:
        return 4;
    case CCOVER_RGB16:
        return 6;
    case CCOVER_RGBA16:
        return 8;
    }
    return 0;
}

static enum AVPixelFormat pixel_format(ccover_layout layout) {
    switch (layout) {
    case CCOVER_RGB8:
        return AV_PIX_FMT_RGB24;
    case CCOVER_RGBA8:
        return AV_PIX_FMT_RGBA;
    case CCOVER_RGB16:
        return AV_PIX_FMT_RGB48;
    case CCOVER_RGBA16:
        return AV_PIX_FMT_RGBA64;
    }
    return AV_PIX_FMT_NONE;
}

size_t ccover_row_bytes(int32_t width, ccover_layout layout) {
    size_t bytes = ((size_t)width + ROW_PADDING_PIXELS) * ccover_pixel_bytes(layout);
    return (bytes + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
}

// The old "J" formats are the plain ones with full range said in the format instead of the range.
static enum AVPixelFormat without_range(enum AVPixelFormat format, bool *is_full_range) {
    enum AVPixelFormat plain = format;
    switch (format) {
    case AV_PIX_FMT_YUVJ420P:
        plain = AV_PIX_FMT_YUV420P;
        break;
    case AV_PIX_FMT_YUVJ422P:
        plain = AV_PIX_FMT_YUV422P;
        break;
    case AV_PIX_FMT_YUVJ444P:
        plain = AV_PIX_FMT_YUV444P;
        break;
    case AV_PIX_FMT_YUVJ440P:
        plain = AV_PIX_FMT_YUV440P;
        break;
    case AV_PIX_FMT_YUVJ411P:
        plain = AV_PIX_FMT_YUV411P;
        break;
    default:
        return format;
    }
    *is_full_range = true;
    return plain;
}

bool ccover_assumes_matrix(enum AVColorSpace matrix) {
    switch (matrix) {
    case AVCOL_SPC_BT709:
    case AVCOL_SPC_FCC:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_SMPTE240M:
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return false;
    default:
        return true;
    }
}

// The coefficients of the frame's matrix. Unknown, reserved and nonsensical tags (RGB on a YUV frame) give BT.601, as
// in ffmpeg's scale filter; nothing here fails on a colour tag.
static const int *coefficients_of(const AVFrame *frame) {
    return sws_getCoefficients(ccover_assumes_matrix(frame->colorspace) ? SWS_CS_ITU601 : (int)frame->colorspace);
}

// A full-size cover keeps a side of the frame (square pixels may change the other) and is converted as ffmpeg's own
// scale filter does, so that it has the pixels a user of ffmpeg sees. A smaller one has its colours interpolated at
// full width: swscale's default halves them once more, which costs up to 17 dB against the full-size cover made small.
// So has HDR, of which ffmpeg's scale filter makes no picture to compare with.
//
// At 16 bits rounding is exact: that is what depth is asked for, and swscale's short cut to them leaves the last column of
// an odd width as its memory was.
static int scaler_flags(const AVFrame *frame, int width, int height, enum AVPixelFormat target) {
    bool is_full_size = width == frame->width || height == frame->height;
    bool is_deep = target == AV_PIX_FMT_RGB48 || target == AV_PIX_FMT_RGBA64;
    int chroma = is_full_size && !ccover_is_hdr(frame) ? 0 : SWS_FULL_CHR_H_INT;
    return SWS_BICUBIC | chroma | (is_deep ? SWS_ACCURATE_RND : 0);
}

// swscale makes Bayer pixels two by two, and in the last column of an odd width it would leave what the memory held.
static int usable_width(const AVFrame *frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    bool is_bayer = format && (format->flags & AV_PIX_FMT_FLAG_BAYER) != 0;
    return is_bayer ? frame->width & ~1 : frame->width;
}

// Whether swscale makes a picture from the frame, and from nothing else: XYZ with its bottom row first it does not read
// at all, and shows what its own memory held.
static bool is_convertible(const AVFrame *frame) {
    bool is_xyz = frame->format == AV_PIX_FMT_XYZ12LE || frame->format == AV_PIX_FMT_XYZ12BE;
    return sws_isSupportedInput(frame->format) && usable_width(frame) > 0 && !(is_xyz && frame->linesize[0] < 0);
}

// A context for frames of this shape, with the frame's matrix and range and MPEG-2 chroma siting for 4:2:0.
static struct SwsContext *make_scaler(const AVFrame *frame, int width, int height, enum AVPixelFormat target) {
    bool is_full_range = frame->color_range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat source = without_range(frame->format, &is_full_range);
    struct SwsContext *scaler = sws_alloc_context();
    if (!scaler) {
        return NULL;
    }
    av_opt_set_int(scaler, "srcw", usable_width(frame), 0);
    av_opt_set_int(scaler, "srch", frame->height, 0);
    av_opt_set_int(scaler, "src_format", source, 0);
    av_opt_set_int(scaler, "dstw", width, 0);
    av_opt_set_int(scaler, "dsth", height, 0);
    av_opt_set_int(scaler, "dst_format", target, 0);
    av_opt_set_int(scaler, "sws_flags", scaler_flags(frame, width, height, target), 0);
    av_opt_set_int(scaler, "src_h_chr_pos", UNKNOWN_CHROMA_POSITION, 0);
    av_opt_set_int(scaler, "src_v_chr_pos", source == AV_PIX_FMT_YUV420P ? 128 : UNKNOWN_CHROMA_POSITION, 0);
    if (sws_init_context(scaler, NULL, NULL) < 0) {
        sws_freeContext(scaler);
        return NULL;
    }

    int *source_table, *target_table;
    int source_range, target_range, brightness, contrast, saturation;
    if (sws_getColorspaceDetails(scaler, &source_table, &source_range, &target_table, &target_range, &brightness,
                                 &contrast, &saturation) >= 0) {
        if (is_full_range || frame->color_range != AVCOL_RANGE_UNSPECIFIED) {
            source_range = is_full_range;
        }
        const int *matrix = coefficients_of(frame);
        sws_setColorspaceDetails(scaler, matrix, source_range, matrix, target_range, brightness, contrast, saturation);
    }
    return scaler;
}

static bool alpha_is_opaque(const uint8_t *rows, size_t row_bytes, int width, int height, ccover_layout layout) {
    size_t pixel = ccover_pixel_bytes(layout);
    size_t alpha = pixel / 4; // bytes of the last of four channels
    for (int y = 0; y < height; y++) {
        const uint8_t *row = rows + (size_t)y * row_bytes;
        for (int x = 0; x < width; x++) {
            const uint8_t *value = row + ((size_t)x + 1) * pixel - alpha;
            if (value[0] != 255 || value[alpha - 1] != 255) {
                return false;
            }
        }
    }
    return true;
}

// Scales and converts a frame into rows of its own orientation; the colours stay as they are.
//
// The scaler is not kept for the next clip: making one takes 0.25 ms of the 14 that a 1080p clip takes, and a kept one
// would be valid only for clips that agree in everything that affects the colours.
static int scale_pixels(ccover_clip *clip, const AVFrame *frame, int width, int height, ccover_layout layout,
                        uint8_t *rows, size_t row_bytes, ccover_error *error) {
    sws_freeContext(clip->scaler);
    clip->scaler = make_scaler(frame, width, height, pixel_format(layout));
    if (!clip->scaler) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_UNSUPPORTED_PIXELS, 0,
                           "cannot scale %d×%d to %d×%d", frame->width, frame->height, width, height);
    }
    uint8_t *planes[4] = {rows};
    int strides[4] = {(int)row_bytes};
    int code = sws_scale(clip->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes,
                         strides);
    if (code < 0) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_DAMAGED, code, "cannot convert its frame");
    }
    return 0;
}

// Reduces 16 bits a channel to 8, rounded to the nearest.
static void reduce_to_8_bits(const uint8_t *source, size_t source_row_bytes, int width, int height, size_t channels,
                             uint8_t *rows, size_t row_bytes) {
    for (int y = 0; y < height; y++) {
        const uint16_t *from = (const void *)(source + (size_t)y * source_row_bytes);
        uint8_t *to = rows + (size_t)y * row_bytes;
        for (size_t i = 0; i < (size_t)width * channels; i++) {
            to[i] = (uint8_t)((from[i] * 255U + 32767) / 65535);
        }
    }
}

// The same for an HDR frame, mapped to SDR at 16 bits a channel.
static int scale_frame_hdr(ccover_clip *clip, const AVFrame *frame, int width, int height, ccover_layout layout,
                           uint8_t *rows, size_t row_bytes, ccover_error *error) {
    bool is_deep = layout == CCOVER_RGB16 || layout == CCOVER_RGBA16;
    int channels = layout == CCOVER_RGBA8 || layout == CCOVER_RGBA16 ? 4 : 3;
    ccover_layout deep_layout = channels == 4 ? CCOVER_RGBA16 : CCOVER_RGB16;
    size_t deep_row_bytes = is_deep ? row_bytes : ccover_row_bytes(width, deep_layout);
    uint8_t *deep = is_deep ? rows : av_malloc(deep_row_bytes * (size_t)height + CCOVER_TAIL_PADDING);
    if (!deep) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
    }
    int failed = scale_pixels(clip, frame, width, height, deep_layout, deep, deep_row_bytes, error);
    if (!failed) {
        ccover_tone_map(frame, deep, deep_row_bytes, width, height, channels);
    }
    if (!is_deep) {
        if (!failed) {
            reduce_to_8_bits(deep, deep_row_bytes, width, height, (size_t)channels, rows, row_bytes);
        }
        av_free(deep);
    }
    return failed;
}

// Scales and converts a frame into rows of its own orientation.
static int scale_frame(ccover_clip *clip, const AVFrame *frame, int width, int height, ccover_layout layout,
                       uint8_t *rows, size_t row_bytes, ccover_error *error) {
    return ccover_is_hdr(frame) ? scale_frame_hdr(clip, frame, width, height, layout, rows, row_bytes, error)
                                : scale_pixels(clip, frame, width, height, layout, rows, row_bytes, error);
}

// Scales into rows of the stored orientation and turns those: the least work, as a cover is small.
static int scale_then_turn(ccover_clip *clip, const AVFrame *frame, int width, int height, ccover_layout layout,
                           uint8_t *rows, size_t row_bytes, ccover_error *error) {
    ccover_orientation orientation = clip->orientation;
    int scaled_width = orientation.transposes ? height : width;
    int scaled_height = orientation.transposes ? width : height;
    size_t scaled_row_bytes = ccover_row_bytes(scaled_width, layout);
    uint8_t *scaled = av_malloc(scaled_row_bytes * (size_t)scaled_height + CCOVER_TAIL_PADDING);
    if (!scaled) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
    }
    int failed =
        scale_frame(clip, frame, scaled_width, scaled_height, layout, scaled, scaled_row_bytes, error);
    if (!failed) {
        ccover_orient(scaled, (ptrdiff_t)scaled_row_bytes, scaled_width, scaled_height, ccover_pixel_bytes(layout),
                      orientation, rows, row_bytes);
    }
    av_free(scaled);
    return failed;
}

// A full-size cover with its sides swapped whose pixels must be squared: squared along the other axis, chroma would come
// out unlike ffmpeg's, which turns first. NULL where that is not so.
static AVFrame *frame_to_turn_first(const ccover_clip *clip, const AVFrame *frame, int width, int height) {
    bool keeps_one_side = (width == frame->height) != (height == frame->width);
    return clip->orientation.transposes && keeps_one_side ? ccover_turned_frame(frame, clip->orientation) : NULL;
}

bool ccover_has_room(const ccover_clip *clip, int width, int height, ccover_layout layout, size_t row_bytes) {
    // swscale keeps the distance of rows in an int.
    return clip->frame->buf[0] && width >= 1 && height >= 1 && row_bytes >= ccover_row_bytes(width, layout) &&
           row_bytes <= INT_MAX;
}

int ccover_render_frame(ccover_clip *clip, const AVFrame *frame, int width, int height, ccover_layout layout,
                        bool deinterlaces, uint8_t *rows, size_t row_bytes, ccover_error *error) {
    if (!is_convertible(frame)) {
        const char *name = av_get_pix_fmt_name(frame->format);
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_UNSUPPORTED_PIXELS, 0,
                           "its pixels (%s) cannot be converted", name ? name : "unknown");
    }
    AVFrame *deinterlaced =
        deinterlaces && ccover_compat_is_interlaced(frame) ? ccover_deinterlaced_frame(frame) : NULL;
    if (deinterlaced) {
        frame = deinterlaced;
    }
    int failed;
    ccover_orientation orientation = clip->orientation;
    AVFrame *turned = frame_to_turn_first(clip, frame, width, height);
    if (turned) {
        failed = scale_frame(clip, turned, width, height, layout, rows, row_bytes, error);
        av_frame_free(&turned);
    } else if (orientation.transposes || orientation.mirrors_x || orientation.mirrors_y) {
        failed = scale_then_turn(clip, frame, width, height, layout, rows, row_bytes, error);
    } else {
        failed = scale_frame(clip, frame, width, height, layout, rows, row_bytes, error);
    }
    av_frame_free(&deinterlaced);
    return failed;
}

bool ccover_is_opaque(const uint8_t *rows, size_t row_bytes, int width, int height, ccover_layout layout) {
    bool has_alpha = layout == CCOVER_RGBA8 || layout == CCOVER_RGBA16;
    return !has_alpha || alpha_is_opaque(rows, row_bytes, width, height, layout);
}

int ccover_render(ccover_clip *clip, int32_t width, int32_t height, ccover_layout layout, bool deinterlaces,
                  uint8_t *rows, size_t row_bytes, bool *is_opaque, ccover_error *error) {
    *error = (ccover_error){0};
    *is_opaque = true;
    ccover_log_begin();
    if (!ccover_has_room(clip, width, height, layout, row_bytes)) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_MISUSE, 0, "no frame, or no room for it");
    }
    int failed =
        ccover_render_frame(clip, clip->frame, width, height, layout, deinterlaces, rows, row_bytes, error);
    if (!failed) {
        *is_opaque = ccover_is_opaque(rows, row_bytes, width, height, layout);
    }
    return failed;
}
