// Drawing a line into a picture.

#include "internal.h"

// Positions may be far outside the picture, so they are compared as 64-bit numbers.
typedef struct area {
    int64_t left, top, right, bottom;
} area;

static area area_of(ctext_box box) {
    return (area){box.x, box.y, (int64_t)box.x + box.width, (int64_t)box.y + box.height};
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static area intersection(area a, area b) {
    return (area){larger(a.left, b.left), larger(a.top, b.top), smaller(a.right, b.right), smaller(a.bottom, b.bottom)};
}

// Returns the pixels that a line may change, with marks that are piled above or below its height.
static area changed(const ctext_line *line, const ctext_target *target, int left, int top) {
    int64_t origin = (int64_t)top - line->logical.y;
    int64_t logical_bottom = line->logical.y + line->logical.height;
    area all = {
        .left = left,
        .top = origin + smaller(line->ink.y, line->logical.y),
        .right = (int64_t)left + ctext_line_extent(line).width,
        .bottom = origin + larger(line->ink.y + line->ink.height, logical_bottom),
    };
    return intersection(intersection(all, area_of(target->clip)), (area){0, 0, target->width, target->height});
}

// Returns a × b ÷ 255, rounded.
static uint32_t scaled(uint32_t a, uint32_t b) { return (a * b + 127) / 255; }

// Composites a premultiplied ARGB pixel over a pixel of the picture.
static void blend(uint8_t *pixel, int channels, uint32_t argb, uint32_t opacity) {
    uint32_t alpha = scaled(argb >> 24, opacity);
    uint32_t below = channels == 4 ? scaled(pixel[3], 255 - alpha) : 255 - alpha;
    uint32_t total = alpha + below;
    if (alpha == 0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        uint32_t colour = scaled((argb >> (16 - 8 * i)) & 0xFF, opacity);
        uint32_t value = (colour * 255 + pixel[i] * below + total / 2) / total;
        pixel[i] = (uint8_t)(value < 255 ? value : 255);
    }
    if (channels == 4) {
        pixel[3] = (uint8_t)total;
    }
}

static void composite(const ctext_target *target, area part, cairo_surface_t *surface, uint32_t opacity) {
    const uint8_t *rows = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (int64_t y = part.top; y < part.bottom; y++) {
        const uint32_t *source = (const uint32_t *)(const void *)(rows + (size_t)(y - part.top) * stride);
        uint8_t *pixel = target->pixels + (size_t)y * target->row_bytes + (size_t)part.left * (size_t)target->channels;
        for (int64_t x = part.left; x < part.right; x++, pixel += target->channels) {
            blend(pixel, target->channels, source[x - part.left], opacity);
        }
    }
}

// Draws a line on a surface whose upper left corner is at column `x` and row `y` of the line's extent.
static cairo_status_t draw(const ctext_line *line, cairo_surface_t *surface, int64_t x, int64_t y, ctext_paint paint) {
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, paint.red / 255.0, paint.green / 255.0, paint.blue / 255.0);
    cairo_move_to(cairo, (double)(-x - ctext_line_left(line)), (double)(-y - line->logical.y));
    pango_cairo_show_layout(cairo, line->layout);
    cairo_surface_flush(surface);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    return status;
}

int ctext_line_draw(const ctext_line *line, const ctext_target *target, int left, int top, ctext_paint paint,
                    ctext_error *error) {
    *error = (ctext_error){0};
    area part = changed(line, target, left, top);
    if (part.left >= part.right || part.top >= part.bottom || paint.opacity == 0) {
        return 0;
    }
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)(part.right - part.left),
                                                          (int)(part.bottom - part.top));
    cairo_status_t status = draw(line, surface, part.left - left, part.top - top, paint);
    if (status == CAIRO_STATUS_SUCCESS) {
        composite(target, part, surface, paint.opacity);
    } else {
        ctext_fail(error, CTEXT_CAUSE_DRAWING, "text cannot be drawn: %s", cairo_status_to_string(status));
    }
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? 0 : -1;
}
