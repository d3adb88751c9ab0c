// Tiles: pictures in 4:2:0, converted from RGB and drawn in the frame.

#include "Compose/composition.h"

#include <libavutil/imgutils.h>
#include <libavutil/mem.h>
#include <string.h>

composer_place composer_place_of(const ccomposition_canvas *canvas, ccomposition_colour outside) {
    composer_place place = {
        .x = canvas->x,
        .y = canvas->y,
        .width = canvas->width,
        .height = canvas->height,
        .tile_x = canvas->x & ~1,
        .tile_y = canvas->y & ~1,
        .gutter = canvas->gutter,
        .ground = canvas->ground,
        .outside = outside,
    };
    place.tile_width = ((canvas->x + canvas->width + 1) & ~1) - place.tile_x;
    place.tile_height = ((canvas->y + canvas->height + 1) & ~1) - place.tile_y;
    return place;
}

AVFrame *composer_make_frame(int width, int height) {
    AVFrame *frame = ccover_make_frame(AV_PIX_FMT_YUV420P, width, height);
    if (frame) {
        frame->color_range = AVCOL_RANGE_MPEG;
        frame->colorspace = AVCOL_SPC_BT709;
        frame->color_primaries = AVCOL_PRI_BT709;
        frame->color_trc = AVCOL_TRC_BT709;
    }
    return frame;
}

// MARK: Colours

// The weights of BT.709 for limited range, times 65 536.
static inline uint8_t luma_of(int red, int green, int blue) {
    return (uint8_t)((11966 * red + 40254 * green + 4064 * blue + (16 << 16) + (1 << 15)) >> 16);
}

// Chroma of the sums of four pixels.
static inline uint8_t cb_of(int red, int green, int blue) {
    return (uint8_t)((-6596 * red - 22189 * green + 28785 * blue + (128 << 18) + (1 << 17)) >> 18);
}

static inline uint8_t cr_of(int red, int green, int blue) {
    return (uint8_t)((28785 * red - 26145 * green - 2640 * blue + (128 << 18) + (1 << 17)) >> 18);
}

static void fill_plane(const AVFrame *frame, int plane, int left, int top, int right, int bottom, uint8_t value) {
    for (int y = top; y < bottom; y++) {
        memset(frame->data[plane] + y * frame->linesize[plane] + left, value, (size_t)(right - left));
    }
}

// Fills a rectangle, and the chroma of those squares of four pixels that lie in it entirely.
static void fill(AVFrame *frame, int left, int top, int right, int bottom, ccomposition_colour colour) {
    int red = colour.red, green = colour.green, blue = colour.blue;
    fill_plane(frame, 0, left, top, right, bottom, luma_of(red, green, blue));
    left = (left + 1) / 2;
    top = (top + 1) / 2;
    right = FFMAX(right / 2, left);
    bottom = FFMAX(bottom / 2, top);
    fill_plane(frame, 1, left, top, right, bottom, cb_of(4 * red, 4 * green, 4 * blue));
    fill_plane(frame, 2, left, top, right, bottom, cr_of(4 * red, 4 * green, 4 * blue));
}

void composer_fill(AVFrame *frame, ccomposition_colour colour) {
    fill(frame, 0, 0, frame->width, frame->height, colour);
}

void composer_flatten(const uint8_t *rgba, size_t count, ccomposition_colour ground, uint8_t *rgb) {
    const uint8_t under[3] = {ground.red, ground.green, ground.blue};
    for (size_t i = 0; i < count; i++, rgba += 4, rgb += 3) {
        unsigned alpha = rgba[3];
        for (int channel = 0; channel < 3; channel++) {
            rgb[channel] = (uint8_t)((rgba[channel] * alpha + under[channel] * (255 - alpha) + 127) / 255);
        }
    }
}

// MARK: Conversion

// Copies a row of the place to a row of the tile, which has the frame's colour outside the place.
static void pad_row(const composer_place *place, const uint8_t *rgb, int tile_row, uint8_t *row) {
    int y = tile_row + place->tile_y - place->y;
    int left = place->x - place->tile_x;
    bool is_inside = y >= 0 && y < place->height;
    for (int x = 0; x < place->tile_width; x++) {
        row[3 * x] = place->outside.red;
        row[3 * x + 1] = place->outside.green;
        row[3 * x + 2] = place->outside.blue;
    }
    if (is_inside) {
        memcpy(row + 3 * left, rgb + (size_t)y * (size_t)place->width * 3, (size_t)place->width * 3);
    }
}

static void convert_luma(const uint8_t *row, int width, uint8_t *luma) {
    for (int x = 0; x < width; x++, row += 3) {
        luma[x] = luma_of(row[0], row[1], row[2]);
    }
}

static void convert_chroma(const uint8_t *upper, const uint8_t *lower, int width, uint8_t *cb, uint8_t *cr) {
    for (int x = 0; x < width / 2; x++, upper += 6, lower += 6) {
        int red = upper[0] + upper[3] + lower[0] + lower[3];
        int green = upper[1] + upper[4] + lower[1] + lower[4];
        int blue = upper[2] + upper[5] + lower[2] + lower[5];
        cb[x] = cb_of(red, green, blue);
        cr[x] = cr_of(red, green, blue);
    }
}

int composer_convert(const composer_place *place, const uint8_t *rgb, AVFrame *tile) {
    size_t row_bytes = 3 * (size_t)place->tile_width;
    uint8_t *rows = av_malloc(2 * row_bytes);
    if (!rows) {
        return AVERROR(ENOMEM);
    }
    for (int y = 0; y < place->tile_height; y += 2) {
        for (int i = 0; i < 2; i++) {
            pad_row(place, rgb, y + i, rows + (size_t)i * row_bytes);
            convert_luma(rows + (size_t)i * row_bytes, place->tile_width, tile->data[0] + (y + i) * tile->linesize[0]);
        }
        convert_chroma(rows, rows + row_bytes, place->tile_width, tile->data[1] + y / 2 * tile->linesize[1],
                       tile->data[2] + y / 2 * tile->linesize[2]);
    }
    av_free(rows);
    return 0;
}

void composer_draw(const composer_place *place, const AVFrame *tile, AVFrame *frame) {
    if (place->gutter > 0) {
        fill(frame, FFMAX(place->x - place->gutter, 0), FFMAX(place->y - place->gutter, 0),
             FFMIN(place->x + place->width + place->gutter, frame->width),
             FFMIN(place->y + place->height + place->gutter, frame->height), place->outside);
    }
    int left = place->x - place->tile_x, top = place->y - place->tile_y;
    av_image_copy_plane(frame->data[0] + place->y * frame->linesize[0] + place->x, frame->linesize[0],
                        tile->data[0] + top * tile->linesize[0] + left, tile->linesize[0], place->width, place->height);
    for (int i = 1; i < 3; i++) {
        av_image_copy_plane(frame->data[i] + place->tile_y / 2 * frame->linesize[i] + place->tile_x / 2,
                            frame->linesize[i], tile->data[i], tile->linesize[i], place->tile_width / 2,
                            place->tile_height / 2);
    }
}
