// Scaling frames with transparent pixels.
//
// The colour of a transparent pixel is not seen, and must not be mixed with that of its neighbours. So colours are
// multiplied by their alpha before they are scaled with 16 bits, and divided by it afterwards. The frame is converted
// in bands, because a whole frame of 16 bits would take much memory.

#include "Pictures/pictures.h"

#include <libavutil/pixdesc.h>

// The four channels are scaled as the planes of this format, which swscale does not convert.
enum { PLANES = AV_PIX_FMT_YUVA444P16 };
// The rows of a band, and those next to it that its chroma is interpolated from. Chroma may be halved twice.
enum { BAND_ROWS = 256, MARGIN_ROWS = 16 };
// The values of alpha that are read at a time.
enum { LINE = 1024 };

// MARK: Opaque frames

static bool is_opaque(const AVFrame *frame, const AVPixFmtDescriptor *format) {
    const bool is_palette = (format->flags & AV_PIX_FMT_FLAG_PAL) != 0;
    const int alpha = format->nb_components - 1;
    const uint32_t most = is_palette ? UINT8_MAX : (1U << format->comp[alpha].depth) - 1;
    uint16_t line[LINE];
    uint32_t all = most;
    for (int y = 0; y < frame->height && all == most; y++) {
        for (int x = 0, count; x < frame->width; x += count) {
            count = FFMIN(frame->width - x, LINE);
            av_read_image_line2(line, (const uint8_t **)frame->data, frame->linesize, format, x, y, alpha, count, false,
                                sizeof(line[0]));
            for (int i = 0; i < count; i++) {
                all &= is_palette ? AV_RN32(frame->data[1] + 4 * line[i]) >> 24 : line[i];
            }
        }
    }
    return all == most;
}

bool ccover_hides_colours(const AVFrame *frame, const ccover_picture *picture) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    bool is_scaled = frame->width != picture->width || frame->height != picture->height;
    bool has_alpha = format && (format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 && ccover_channels(picture->layout) == 4;
    return is_scaled && has_alpha && ((format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0 || !is_opaque(frame, format));
}

// MARK: Scaling

// A frame that is scaled, band by band.
typedef struct band_scaling {
    ccover_picture band;   // converted from a band of the frame
    AVFrame *multiplied;   // the same without its margins
    AVFrame *scaled;       // as large as the picture
    struct SwsContext *scaler;
} band_scaling;

static int open_scaling(const AVFrame *frame, const ccover_picture *picture, band_scaling *scaling,
                        ccover_error *error) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    // Converting to more than 8 bits before multiplying takes much longer.
    bool needs_depth = ccover_is_deep(picture->layout) || (format && format->comp[0].depth > 8);
    scaling->band = (ccover_picture){
        .width = frame->width,
        .height = FFMIN(frame->height, BAND_ROWS + 2 * MARGIN_ROWS),
        .layout = needs_depth ? CCOVER_RGBA16 : CCOVER_RGBA8,
    };
    if (ccover_allocate_rows(&scaling->band, error) != 0) {
        return -1;
    }
    scaling->multiplied = ccover_make_frame(PLANES, frame->width, FFMIN(frame->height, BAND_ROWS));
    scaling->scaled = ccover_make_frame(PLANES, picture->width, picture->height);
    scaling->scaler = sws_getContext(frame->width, frame->height, PLANES, picture->width, picture->height, PLANES,
                                     SWS_BICUBIC | SWS_ACCURATE_RND, NULL, NULL, NULL);
    return scaling->multiplied && scaling->scaled && scaling->scaler
               ? 0
               : ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT);
}

// Returns a reference to some rows of a frame, to be freed by the caller, or NULL.
static AVFrame *rows_of(const AVFrame *frame, int top, int bottom) {
    AVFrame *rows = av_frame_clone(frame);
    if (rows) {
        rows->crop_top = (size_t)top;
        rows->crop_bottom = (size_t)(frame->height - bottom);
    }
    if (rows && av_frame_apply_cropping(rows, AV_FRAME_CROP_UNALIGNED) < 0) {
        av_frame_free(&rows);
    }
    return rows;
}

static uint16_t *row_of(const AVFrame *planes, int plane, int y) {
    return (void *)(planes->data[plane] + (ptrdiff_t)y * planes->linesize[plane]);
}

// Multiplies rows of the band by their alpha, from `first` on.
static void multiply(const band_scaling *scaling, int first, int count) {
    bool is_deep = ccover_is_deep(scaling->band.layout);
    for (int y = 0; y < count; y++) {
        const uint8_t *row = scaling->band.rows + (size_t)(first + y) * scaling->band.row_bytes;
        const uint16_t *deep_row = (const void *)row;
        uint16_t *planes[4];
        for (int i = 0; i < 4; i++) {
            planes[i] = row_of(scaling->multiplied, i, y);
        }
        for (int x = 0; x < scaling->band.width; x++) {
            uint32_t alpha = is_deep ? deep_row[4 * x + 3] : 257U * row[4 * x + 3];
            for (int i = 0; i < 3; i++) {
                uint32_t value = is_deep ? deep_row[4 * x + i] : 257U * row[4 * x + i];
                planes[i][x] = (uint16_t)((value * alpha + 32767) / 65535);
            }
            planes[3][x] = (uint16_t)alpha;
        }
    }
}

// Divides the scaled colours by their alpha, and stores them in the picture.
static void divide(const AVFrame *scaled, const ccover_picture *picture) {
    const uint32_t most = UINT16_MAX;
    bool is_deep = ccover_is_deep(picture->layout);
    for (int y = 0; y < picture->height; y++) {
        uint8_t *row = picture->rows + (size_t)y * picture->row_bytes;
        for (int i = 0; i < 4 * picture->width; i++) {
            int x = i / 4, plane = i % 4;
            uint32_t value = row_of(scaled, plane, y)[x], alpha = row_of(scaled, 3, y)[x];
            if (plane < 3) {
                value = alpha > 0 ? FFMIN((value * most + alpha / 2) / alpha, most) : 0;
            }
            if (is_deep) {
                ((uint16_t *)(void *)row)[i] = (uint16_t)value;
            } else {
                row[i] = ccover_reduced((uint16_t)value);
            }
        }
    }
}

// Converts a band that begins with row `y` of the frame, and passes it to the scaler.
static int scale_band(ccover_clip *clip, const AVFrame *frame, int y, int flags, band_scaling *scaling,
                      ccover_error *error) {
    int top = FFMAX(y - MARGIN_ROWS, 0), count = FFMIN(frame->height - y, BAND_ROWS);
    AVFrame *rows = rows_of(frame, top, FFMIN(y + count + MARGIN_ROWS, frame->height));
    if (!rows) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT);
    }
    scaling->band.height = rows->height;
    int failed = ccover_scale_pixels(clip, rows, &scaling->band, flags, error);
    av_frame_free(&rows);
    if (failed) {
        return failed;
    }
    multiply(scaling, y - top, count);
    int code = sws_scale(scaling->scaler, (const uint8_t *const *)scaling->multiplied->data,
                         scaling->multiplied->linesize, y, count, scaling->scaled->data, scaling->scaled->linesize);
    if (code < 0) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_DAMAGED, code, "cannot scale the frame");
    }
    return 0;
}

int ccover_scale_transparent(ccover_clip *clip, const AVFrame *frame, const ccover_picture *picture, int flags,
                             ccover_error *error) {
    band_scaling scaling = {0};
    int failed = open_scaling(frame, picture, &scaling, error);
    for (int y = 0; !failed && y < frame->height; y += BAND_ROWS) {
        failed = scale_band(clip, frame, y, flags, &scaling, error);
    }
    if (!failed) {
        divide(scaling.scaled, picture);
    }
    av_free(scaling.band.rows);
    av_frame_free(&scaling.multiplied);
    av_frame_free(&scaling.scaled);
    sws_freeContext(scaling.scaler);
    return failed;
}
