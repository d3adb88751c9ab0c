// Declarations shared by fonts, layout and drawing.

#ifndef CTEXT_INTERNAL_H
#define CTEXT_INTERNAL_H

#include "CText.h"

#include <pango/pangocairo.h>

struct ctext_fonts {
    PangoFontMap *map;
    PangoContext *context;
};

struct ctext_line {
    PangoLayout *layout;
    PangoRectangle ink;     // all pixels that are drawn
    PangoRectangle logical; // advances, ascent and descent
};

// Returns the left edge of a line's extent in the coordinates of its layout.
int ctext_line_left(const ctext_line *line);

// Fills in an error.
void ctext_fail(ctext_error *error, ctext_cause cause, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
