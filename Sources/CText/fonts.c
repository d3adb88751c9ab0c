// Finding fonts.

#include "internal.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangofc-fontmap.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void ctext_fail(ctext_error *error, ctext_cause cause, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error->cause = cause;
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
}

// Pango uses only fonts in these formats, and ends the program if it finds none of them.
static bool can_draw_latin(FcPattern *font) {
    FcChar8 *format;
    FcBool has_outlines;
    FcCharSet *characters;
    return FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch
        && (strcmp((const char *)format, "TrueType") == 0 || strcmp((const char *)format, "CFF") == 0)
        && FcPatternGetBool(font, FC_OUTLINE, 0, &has_outlines) == FcResultMatch && has_outlines
        && FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) == FcResultMatch
        && FcCharSetHasChar(characters, 'a') && FcCharSetHasChar(characters, '0');
}

static bool has_latin_font(FcConfig *configuration) {
    static const FcSetName names[] = {FcSetSystem, FcSetApplication};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        FcFontSet *fonts = FcConfigGetFonts(configuration, names[i]);
        for (int j = 0; fonts && j < fonts->nfont; j++) {
            if (can_draw_latin(fonts->fonts[j])) {
                return true;
            }
        }
    }
    return false;
}

// Returns the configuration of a file, or the system's for NULL. To be freed with FcConfigDestroy.
static FcConfig *load(const char *path) {
    if (!path) {
        return FcConfigReference(NULL);
    }
    FcConfig *configuration = FcConfigCreate();
    if (configuration && FcConfigParseAndLoad(configuration, (const FcChar8 *)path, FcTrue)
        && FcConfigBuildFonts(configuration)) {
        return configuration;
    }
    if (configuration) {
        FcConfigDestroy(configuration);
    }
    return NULL;
}

// The language of the locale decides between the Chinese, Japanese and Korean forms of a character. Pango would take it
// from setlocale(), which this program does not call.
static PangoLanguage *user_language(void) {
    FcStrSet *languages = FcGetDefaultLangs();
    FcStrList *list = languages ? FcStrListCreate(languages) : NULL;
    const FcChar8 *first = list ? FcStrListNext(list) : NULL;
    PangoLanguage *result = pango_language_from_string(first ? (const char *)first : "en");
    if (list) {
        FcStrListDone(list);
    }
    if (languages) {
        FcStrSetDestroy(languages);
    }
    return result;
}

// Grey antialiasing, slight hinting and glyphs at whole pixels, whatever the desktop prefers: strokes stay sharp at
// small sizes, and a picture looks the same on every machine. GOOD means grey, too; CAIRO_ANTIALIAS_GRAY would yield to
// an `rgba` in fontconfig's rules, as KDE writes them.
static void set_rendering(PangoContext *context) {
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GOOD);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_ON);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
}

ctext_fonts *ctext_fonts_open(const char *path, ctext_error *error) {
    ctext_fonts *fonts = NULL;
    *error = (ctext_error){0};
    FcConfig *configuration = load(path);
    if (!configuration) {
        ctext_fail(error, CTEXT_CAUSE_CONFIGURATION, "the font configuration cannot be read: %s",
                   path ? path : "fontconfig could not be started");
        goto done;
    }
    if (!has_latin_font(configuration)) {
        ctext_fail(error, CTEXT_CAUSE_NO_FONT,
                   "no font is installed; install one, such as Debian's package fonts-dejavu-core");
        goto done;
    }
    PangoFontMap *map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    if (!map) {
        ctext_fail(error, CTEXT_CAUSE_DRAWING, "text cannot be drawn: Cairo was built without FreeType");
        goto done;
    }
    fonts = g_new0(ctext_fonts, 1);
    fonts->map = map;
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(fonts->map), configuration);
    fonts->context = pango_font_map_create_context(fonts->map);
    pango_context_set_language(fonts->context, user_language());
    set_rendering(fonts->context);

done:
    if (configuration) {
        FcConfigDestroy(configuration);
    }
    return fonts;
}

void ctext_fonts_close(ctext_fonts *fonts) {
    g_object_unref(fonts->context);
    g_object_unref(fonts->map);
    g_free(fonts);
}
