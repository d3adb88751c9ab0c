// Laying out a line.

#include "internal.h"

static void set_font(PangoLayout *layout, const ctext_layout *wanted) {
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family_static(font, "Sans");
    pango_font_description_set_absolute_size(font, wanted->size * PANGO_SCALE);
    pango_font_description_set_weight(font, wanted->is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    if (wanted->has_tabular_digits) {
        PangoAttrList *attributes = pango_attr_list_new();
        pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
        pango_layout_set_attributes(layout, attributes);
        pango_attr_list_unref(attributes);
    }
}

static void measure(ctext_line *line) {
    pango_layout_get_pixel_extents(line->layout, &line->ink, &line->logical);
}

int ctext_line_left(const ctext_line *line) {
    return line->ink.width > 0 && line->ink.x < line->logical.x ? line->ink.x : line->logical.x;
}

static int right_of(const ctext_line *line) {
    int ink = line->ink.x + line->ink.width;
    int logical = line->logical.x + line->logical.width;
    return line->ink.width > 0 && ink > logical ? ink : logical;
}

static int width_of(const ctext_line *line) { return right_of(line) - ctext_line_left(line); }

// Returns the space beside the ellipsis, in whole pixels: Pango widens it until the line fills its width.
static int ellipsis_padding(PangoLayout *layout) {
    int padding = 0;
    for (GSList *runs = pango_layout_get_line_readonly(layout, 0)->runs; runs; runs = runs->next) {
        const PangoLayoutRun *run = runs->data;
        if (!(run->item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS)) {
            continue;
        }
        for (int i = 0; i < run->glyphs->num_glyphs; i++) {
            PangoRectangle natural;
            pango_font_get_glyph_extents(run->item->analysis.font, run->glyphs->glyphs[i].glyph, NULL, &natural);
            padding += run->glyphs->glyphs[i].geometry.width - natural.width;
        }
    }
    return padding > 0 ? padding / PANGO_SCALE : 0;
}

static void set_width(ctext_line *line, int width) {
    pango_layout_set_width(line->layout, (width > 0 ? width : 0) * PANGO_SCALE);
    measure(line);
}

// Shortens the line to a width, if it is wider. Pango counts advances only, so the line may still be too wide where a
// glyph is wider than its advance.
static void shorten(ctext_line *line, int width, ctext_ellipsis ellipsis) {
    if (width_of(line) <= width) {
        return;
    }
    pango_layout_set_ellipsize(line->layout,
                               ellipsis == CTEXT_ELLIPSIS_END ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE);
    int room = width;
    set_width(line, room);
    for (int attempt = 0; attempt < 2 && width_of(line) > width; attempt++) {
        // The advances may fit where the glyphs do not.
        int used = pango_layout_is_ellipsized(line->layout) ? room : line->logical.width;
        room = used - (width_of(line) - width);
        set_width(line, room);
    }
    int padding = ellipsis_padding(line->layout);
    if (padding > 0) {
        set_width(line, room - padding);
    }
}

ctext_line *ctext_line_create(ctext_fonts *fonts, const char *text, size_t bytes, const ctext_layout *layout,
                              ctext_error *error) {
    *error = (ctext_error){0};
    if (!(layout->size >= 1 && layout->size <= (double)CTEXT_MAX_SIZE) || layout->max_width < -1
        || layout->max_width > CTEXT_MAX_WIDTH || bytes > CTEXT_MAX_BYTES) {
        ctext_fail(error, CTEXT_CAUSE_TEXT, "the text is too long, too large or too wide");
        return NULL;
    }
    if (!g_utf8_validate_len(text, bytes, NULL)) {
        ctext_fail(error, CTEXT_CAUSE_TEXT, "the text is not UTF-8");
        return NULL;
    }
    ctext_line *line = g_new0(ctext_line, 1);
    line->layout = pango_layout_new(fonts->context);
    pango_layout_set_single_paragraph_mode(line->layout, TRUE);
    set_font(line->layout, layout);
    pango_layout_set_text(line->layout, text, (int)bytes);
    measure(line);
    if (layout->max_width >= 0) {
        shorten(line, layout->max_width, layout->ellipsis);
    }
    return line;
}

void ctext_line_free(ctext_line *line) {
    g_object_unref(line->layout);
    g_free(line);
}

ctext_extent ctext_line_extent(const ctext_line *line) {
    PangoLayoutLine *first = pango_layout_get_line_readonly(line->layout, 0);
    int is_right_to_left = pango_layout_line_get_resolved_direction(first) == PANGO_DIRECTION_RTL;
    return (ctext_extent){
        .width = width_of(line),
        .height = line->logical.height,
        .baseline = PANGO_PIXELS(pango_layout_get_baseline(line->layout)) - line->logical.y,
        .is_right_to_left = is_right_to_left,
        .is_shortened = pango_layout_is_ellipsized(line->layout),
    };
}
