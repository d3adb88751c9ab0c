// Rendering decoded frames into tiles.
//
// Most frames are scaled in YUV, which is faster; all others are rendered like covers, in RGB. Both look the same but
// for rounding.

#include "../CCover/Support/compat.h"
#include "Compose/composition.h"

#include <libavutil/imgutils.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <string.h>

// MARK: YUV

// Whether a frame can be scaled in YUV without a visible difference.
static bool can_stay_yuv(const AVFrame *frame, const composer_place *place) {
    const uint64_t unfit = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                           AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_BAYER |
                           AV_PIX_FMT_FLAG_FLOAT;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    bool is_aligned = place->tile_width == place->width && place->tile_height == place->height;
    bool is_xyz = frame->format == AV_PIX_FMT_XYZ12LE || frame->format == AV_PIX_FMT_XYZ12BE;
    return format && (format->flags & unfit) == 0 && format->nb_components == 3 && !is_xyz && !ccover_is_hdr(frame) &&
           is_aligned && ccover_is_convertible(frame);
}

// Returns a scaler from the frame's format and range to 4:2:0 in limited range, with the same matrix, or NULL.
static struct SwsContext *make_scaler(enum AVPixelFormat format, const AVFrame *frame, bool is_full, int width,
                                      int height) {
    const struct {
        const char *name;
        int64_t value;
    } options[] = {
        {"srcw", frame->width},
        {"srch", frame->height},
        {"src_format", format},
        {"src_range", is_full},
        {"dstw", width},
        {"dsth", height},
        {"dst_format", AV_PIX_FMT_YUV420P},
        {"sws_flags", SWS_BICUBIC},
    };
    struct SwsContext *scaler = sws_alloc_context();
    for (size_t i = 0; scaler && i < FF_ARRAY_ELEMS(options); i++) {
        av_opt_set_int(scaler, options[i].name, options[i].value, 0);
    }
    if (scaler && sws_init_context(scaler, NULL, NULL) < 0) {
        sws_freeContext(scaler);
        return NULL;
    }
    return scaler;
}

// Makes `renderer->scaler` and the frames that it needs ready for a frame of a clip.
static bool prepare_scaler(composer_renderer *renderer, const AVFrame *frame, int width, int height) {
    bool is_full = frame->color_range == AVCOL_RANGE_JPEG;
    enum AVPixelFormat format = ccover_without_range(frame->format, &is_full);
    int key[6] = {frame->width, frame->height, frame->format, is_full, width, height};
    if (renderer->scaler && memcmp(key, renderer->scaler_key, sizeof(key)) == 0) {
        return true;
    }
    memcpy(renderer->scaler_key, key, sizeof(key));
    sws_freeContext(renderer->scaler);
    av_frame_free(&renderer->scaled);
    av_frame_free(&renderer->turned);
    renderer->scaler = make_scaler(format, frame, is_full, width, height);
    return renderer->scaler;
}

// Turns a scaled frame upright, into `renderer->turned`.
static AVFrame *turn(composer_renderer *renderer, const AVFrame *scaled, ccover_orientation orientation) {
    int width = orientation.transposes ? scaled->height : scaled->width;
    int height = orientation.transposes ? scaled->width : scaled->height;
    if (!renderer->turned) {
        renderer->turned = composer_make_frame(width, height);
    }
    for (int i = 0; renderer->turned && i < 3; i++) {
        ccover_plane source = {
            .rows = scaled->data[i],
            .row_bytes = scaled->linesize[i],
            .width = i > 0 ? AV_CEIL_RSHIFT(scaled->width, 1) : scaled->width,
            .height = i > 0 ? AV_CEIL_RSHIFT(scaled->height, 1) : scaled->height,
            .pixel_bytes = 1,
        };
        ccover_orient(&source, orientation, renderer->turned->data[i], (size_t)renderer->turned->linesize[i]);
    }
    return renderer->turned;
}

// A part of a plane, and how it is moved by half a sample.
typedef struct plane_part {
    const uint8_t *first;
    int row_bytes, width, height;
    int next_column; // the bytes to the sample, and to the row, that is averaged with each; 0 for none
    int next_row;
} plane_part;

// Copies a part of a plane of chroma that begins between two samples: each value is the mean of its neighbours.
static void copy_between(const plane_part *part, uint8_t *target, int row_bytes) {
    for (int y = 0; y < part->height; y++) {
        const uint8_t *row = part->first + y * part->row_bytes, *next = row + part->next_row;
        for (int x = 0; x < part->width; x++) {
            int sum = row[x] + row[x + part->next_column] + next[x] + next[x + part->next_column];
            target[y * row_bytes + x] = (uint8_t)((sum + 2) >> 2);
        }
    }
}

// Copies the visible part of a scaled frame to its position in the tile.
static void copy_part(const composer_fit *fit, const AVFrame *from, AVFrame *tile) {
    av_image_copy_plane(tile->data[0] + fit->y * tile->linesize[0] + fit->x, tile->linesize[0],
                        from->data[0] + fit->top * from->linesize[0] + fit->left, from->linesize[0], fit->width,
                        fit->height);
    for (int i = 1; i < 3; i++) {
        plane_part part = {
            .first = from->data[i] + fit->top / 2 * from->linesize[i] + fit->left / 2,
            .row_bytes = from->linesize[i],
            .width = fit->width / 2,
            .height = fit->height / 2,
            .next_column = fit->left % 2,
            .next_row = fit->top % 2 * from->linesize[i],
        };
        copy_between(&part, tile->data[i] + fit->y / 2 * tile->linesize[i] + fit->x / 2, tile->linesize[i]);
    }
}

static int render_yuv(composer_renderer *renderer, const AVFrame *frame, const composer_shot *shot,
                      const composer_fit *fit, AVFrame *tile, ccover_error *error) {
    ccover_orientation orientation = shot->facts.format.orientation;
    int width = orientation.transposes ? fit->scaled_height : fit->scaled_width;
    int height = orientation.transposes ? fit->scaled_width : fit->scaled_height;
    if (!prepare_scaler(renderer, frame, width, height)) {
        return ccover_fail(error, CCOVER_STAGE_CONVERT, CCOVER_CAUSE_UNSUPPORTED_PIXELS, 0,
                           "cannot scale %d×%d to %d×%d", frame->width, frame->height, fit->scaled_width,
                           fit->scaled_height);
    }
    bool fills_tile = ccover_is_identity(orientation) && width == tile->width && height == tile->height;
    if (!fills_tile && !renderer->scaled) {
        renderer->scaled = composer_make_frame(width, height);
    }
    AVFrame *target = fills_tile ? tile : renderer->scaled;
    if (!target) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT);
    }
    sws_scale(renderer->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, target->data,
              target->linesize);
    if (!ccover_is_identity(orientation)) {
        target = turn(renderer, target, orientation);
    }
    if (!target) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT);
    }
    if (!fills_tile) {
        copy_part(fit, target, tile);
    }
    if (frame->colorspace != AVCOL_SPC_BT709) {
        composer_convert_matrix(tile, fit->x, fit->y, fit->width, fit->height, frame);
    }
    return 0;
}

// MARK: RGB

// Draws the visible part of a rendered frame in a picture of the place, which has 3 bytes per pixel.
static void place_part(const composer_renderer *renderer, const composer_fit *fit, const ccover_picture *picture,
                       uint8_t *rgb) {
    size_t pixel = ccover_pixel_bytes(picture->layout);
    for (int row = 0; row < fit->height; row++) {
        const uint8_t *from = picture->rows + (size_t)(fit->top + row) * picture->row_bytes + (size_t)fit->left * pixel;
        uint8_t *to = rgb + 3 * ((size_t)(fit->y + row) * (size_t)renderer->place->width + (size_t)fit->x);
        if (pixel == 4) {
            composer_flatten(from, (size_t)fit->width, renderer->place->ground, to);
        } else {
            memcpy(to, from, 3 * (size_t)fit->width);
        }
    }
}

// Returns a copy of the backdrop, to be freed by the caller, or NULL.
static uint8_t *copy_backdrop(const composer_renderer *renderer) {
    size_t pixels = (size_t)renderer->place->width * (size_t)renderer->place->height;
    if (renderer->canvas->backdrop) {
        return av_memdup(renderer->canvas->backdrop, 3 * pixels);
    }
    uint8_t *rgb = av_malloc(3 * pixels);
    for (size_t i = 0; rgb && i < pixels; i++) {
        memcpy(rgb + 3 * i, &renderer->place->ground, 3);
    }
    return rgb;
}

static int render_rgb(composer_renderer *renderer, ccover_clip *clip, const composer_shot *shot,
                      const composer_fit *fit, AVFrame *tile, ccover_error *error) {
    ccover_picture picture = {
        .width = fit->scaled_width,
        .height = fit->scaled_height,
        .layout = shot->facts.has_alpha ? CCOVER_RGBA8 : CCOVER_RGB8,
    };
    if (ccover_allocate_rows(&picture, error) != 0) {
        return -1;
    }
    int failed = ccover_render_frame(clip, shot->frame, &picture, true, error);
    uint8_t *rgb = failed ? NULL : copy_backdrop(renderer);
    if (rgb) {
        place_part(renderer, fit, &picture, rgb);
    }
    if (!failed && (!rgb || composer_convert(renderer->place, rgb, tile) < 0)) {
        failed = ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT);
    }
    av_free(rgb);
    av_free(picture.rows);
    return failed;
}

// Draws the backdrop in a tile that the frame does not fill.
static int draw_backdrop(const composer_renderer *renderer, AVFrame *tile, ccover_error *error) {
    if (!renderer->canvas->backdrop) {
        composer_fill(tile, renderer->place->ground);
        return 0;
    }
    int code = composer_convert(renderer->place, renderer->canvas->backdrop, tile);
    return code < 0 ? ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT) : 0;
}

int composer_render(composer_renderer *renderer, ccover_clip *clip, const composer_shot *shot, AVFrame *tile,
                    ccover_error *error) {
    composer_fit fit = composer_fit_of(&shot->facts, renderer->canvas);
    if (!can_stay_yuv(shot->frame, renderer->place)) {
        return render_rgb(renderer, clip, shot, &fit, tile, error);
    }
    bool fills_place = fit.width == renderer->place->width && fit.height == renderer->place->height;
    if (!fills_place && draw_backdrop(renderer, tile, error) != 0) {
        return -1;
    }
    AVFrame *deinterlaced = ccover_compat_is_interlaced(shot->frame) ? ccover_deinterlaced_frame(shot->frame) : NULL;
    int failed = render_yuv(renderer, deinterlaced ? deinterlaced : shot->frame, shot, &fit, tile, error);
    av_frame_free(&deinterlaced);
    return failed;
}

void composer_close_renderer(composer_renderer *renderer) {
    sws_freeContext(renderer->scaler);
    av_frame_free(&renderer->scaled);
    av_frame_free(&renderer->turned);
}
