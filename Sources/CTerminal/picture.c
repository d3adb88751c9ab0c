// Detecting a terminal's capabilities and drawing with libchafa.

#include "CTerminal.h"

#include <chafa.h>
#include <string.h>

// Block and line symbols give the best result. With colours, the letters and digits of the larger sets only add blur.
#define SYMBOLS (CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_BORDER | CHAFA_SYMBOL_TAG_SPACE)

cterminal_picture_abilities cterminal_picture_detect(void) {
    gchar **environment = g_get_environ();
    ChafaTermInfo *info = chafa_term_db_detect(chafa_term_db_get_default(), environment);
    cterminal_picture_abilities abilities = {.colours = CTERMINAL_PICTURE_COLOURS_NONE};
    if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT))
        abilities.colours = CTERMINAL_PICTURE_COLOURS_TRUE;
    else if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256))
        abilities.colours = CTERMINAL_PICTURE_COLOURS_256;
    else if (chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16))
        abilities.colours = CTERMINAL_PICTURE_COLOURS_16;
    abilities.has_sixel = chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_SIXELS);
    abilities.has_kitty = chafa_term_info_have_seq(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1);
    chafa_term_info_unref(info);
    g_strfreev(environment);
    return abilities;
}

static ChafaCanvasMode canvas_mode(const cterminal_picture_order *order) {
    if (order->kind != CTERMINAL_PICTURE_SYMBOLS) return CHAFA_CANVAS_MODE_TRUECOLOR;
    switch (order->colours) {
    case CTERMINAL_PICTURE_COLOURS_TRUE: return CHAFA_CANVAS_MODE_TRUECOLOR;
    case CTERMINAL_PICTURE_COLOURS_256: return CHAFA_CANVAS_MODE_INDEXED_240;
    case CTERMINAL_PICTURE_COLOURS_16: return CHAFA_CANVAS_MODE_INDEXED_16;
    case CTERMINAL_PICTURE_COLOURS_NONE: break;
    }
    return CHAFA_CANVAS_MODE_FGBG;
}

static ChafaPixelMode pixel_mode(cterminal_picture_kind kind) {
    switch (kind) {
    case CTERMINAL_PICTURE_SIXEL: return CHAFA_PIXEL_MODE_SIXELS;
    case CTERMINAL_PICTURE_KITTY: return CHAFA_PIXEL_MODE_KITTY;
    case CTERMINAL_PICTURE_SYMBOLS: break;
    }
    return CHAFA_PIXEL_MODE_SYMBOLS;
}

// The fallback has the sequences of every protocol. Whether the terminal supports them was checked before.
static ChafaTermInfo *all_sequences(void) {
    ChafaTermInfo *info = chafa_term_info_new();
    chafa_term_info_supplement(info, chafa_term_db_get_fallback_info(chafa_term_db_get_default()));
    return info;
}

// Returns a copy of the pixels with rows of a multiple of four bytes, to be freed with g_free, or NULL where the rows
// have that already. libchafa 1.12 reads other rows as if they had, so that the picture is skewed and loses its
// colours.
static uint8_t *aligned_copy(const cterminal_picture_order *order, size_t *row_bytes) {
    *row_bytes = order->row_bytes;
    if (order->row_bytes % 4 == 0) return NULL;
    size_t used = (size_t)order->width * order->channels;
    *row_bytes = (used + 3) / 4 * 4;
    uint8_t *copy = g_malloc0_n(order->height, *row_bytes);
    for (uint32_t y = 0; y < order->height; y++) {
        memcpy(copy + y * *row_bytes, order->pixels + y * order->row_bytes, used);
    }
    return copy;
}

char *cterminal_picture_draw(const cterminal_picture_order *order, size_t *count) {
    ChafaSymbolMap *symbols = chafa_symbol_map_new();
    chafa_symbol_map_add_by_tags(symbols, (ChafaSymbolTags)SYMBOLS);
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    chafa_canvas_config_set_geometry(config, order->columns, order->rows);
    chafa_canvas_config_set_cell_geometry(config, order->character_width, order->character_height);
    chafa_canvas_config_set_canvas_mode(config, canvas_mode(order));
    chafa_canvas_config_set_pixel_mode(config, pixel_mode(order->kind));
    chafa_canvas_config_set_symbol_map(config, symbols);
    ChafaCanvas *canvas = chafa_canvas_new(config);
    size_t row_bytes;
    uint8_t *copy = aligned_copy(order, &row_bytes);
    chafa_canvas_draw_all_pixels(canvas, order->channels == 4 ? CHAFA_PIXEL_RGBA8_UNASSOCIATED : CHAFA_PIXEL_RGB8,
                                 copy ? copy : order->pixels, (gint)order->width, (gint)order->height, (gint)row_bytes);
    g_free(copy);
    ChafaTermInfo *info = all_sequences();
    GString *text = chafa_canvas_print(canvas, info);
    *count = text->len;
    char *bytes = g_string_free(text, FALSE);
    chafa_term_info_unref(info);
    chafa_canvas_unref(canvas);
    chafa_canvas_config_unref(config);
    chafa_symbol_map_unref(symbols);
    return bytes;
}

void cterminal_picture_free(char *bytes) { g_free(bytes); }
