// CText: lays out a line of text in any script and draws it into a picture, through Pango and Cairo.
//
// Ownership: handles are freed by the function named at their type. The caller owns texts and pixels; texts are copied.
// NULL: a pointer may be NULL only if it is marked `_Nullable`.
// Errors: functions that take a `ctext_error` return 0 or a handle on success, and -1 or NULL with `*error` filled in
// on failure. If memory runs out inside GLib, the program ends.
// Threads: `ctext_fonts` and its lines may be used by one thread at a time; different ones are independent.

#ifndef CTEXT_H
#define CTEXT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Limits of a line. Pango's coordinates reach 2 097 151 pixels; a line of the widest glyph (﷽, 7 em in Noto) has 1.3
// million.
enum {
    CTEXT_MAX_BYTES = 4096,
    CTEXT_MAX_SIZE = 128,      // pixels
    CTEXT_MAX_WIDTH = 1 << 20, // pixels
};

// The reason for an error.
typedef enum ctext_cause {
    CTEXT_CAUSE_NONE,
    CTEXT_CAUSE_CONFIGURATION, // fontconfig's configuration cannot be read
    CTEXT_CAUSE_NO_FONT,       // no font that can draw Latin text is installed
    CTEXT_CAUSE_TEXT,          // the text is not UTF-8, contains NUL or exceeds a limit
    CTEXT_CAUSE_DRAWING,       // Cairo reported an error
} ctext_cause;

// The error of a failed call. The caller owns it and may pass the same one to several calls.
typedef struct ctext_error {
    ctext_cause cause;
    char message[256]; // one line of text
} ctext_error;

// The installed fonts. Freed with `ctext_fonts_close`.
typedef struct ctext_fonts ctext_fonts;

// Opens the fonts of a fontconfig configuration file, or those of the system if `configuration` is NULL. At least one
// font must be able to draw Latin text.
ctext_fonts *_Nullable ctext_fonts_open(const char *_Nullable configuration, ctext_error *_Nonnull error);

// Frees fonts, when all their lines are freed.
void ctext_fonts_close(ctext_fonts *_Nonnull fonts);

// The place where a line that is too wide is shortened.
typedef enum ctext_ellipsis {
    CTEXT_ELLIPSIS_MIDDLE,
    CTEXT_ELLIPSIS_END,
} ctext_ellipsis;

// How a line is laid out.
typedef struct ctext_layout {
    double size; // of the font, in pixels: 1 to CTEXT_MAX_SIZE
    int is_bold;
    int has_tabular_digits; // whether all digits have the same width
    int max_width;          // pixels, up to CTEXT_MAX_WIDTH, or -1 for any width
    ctext_ellipsis ellipsis;
} ctext_layout;

// A line that is laid out. Freed with `ctext_line_free`.
typedef struct ctext_line ctext_line;

// Lays out a text as a single line. Its base direction is that of its first strong character. The text is plain text:
// it contains no markup, and line breaks have no effect.
ctext_line *_Nullable ctext_line_create(ctext_fonts *_Nonnull fonts, const char *_Nonnull text, size_t bytes,
                                        const ctext_layout *_Nonnull layout, ctext_error *_Nonnull error);

// Frees a line.
void ctext_line_free(ctext_line *_Nonnull line);

// The size of a line, in pixels.
typedef struct ctext_extent {
    int width;    // no pixel is drawn outside it
    int height;   // from the ascent to the descent of its fonts; piled marks may be drawn outside it
    int baseline; // from the top
    int is_right_to_left; // the base direction
    int is_shortened;
} ctext_extent;

// Returns the size of a line.
ctext_extent ctext_line_extent(const ctext_line *_Nonnull line);

// A rectangle of pixels.
typedef struct ctext_box {
    int x, y, width, height;
} ctext_box;

// A picture to draw into, and the part of it that may change.
typedef struct ctext_target {
    uint8_t *_Nonnull pixels; // 8 bits per channel
    int width, height;
    int channels;     // 3 (RGB) or 4 (RGBA, not premultiplied)
    size_t row_bytes; // bytes from one row to the next
    ctext_box clip;   // may exceed the picture
} ctext_target;

// A colour in sRGB and its opacity.
typedef struct ctext_paint {
    uint8_t red, green, blue;
    uint8_t opacity; // 255 is opaque
} ctext_paint;

// Draws a line with the upper left corner of its extent at column `left` and row `top`, which may be outside the
// picture. Glyphs that have colours keep them. On failure the picture is unchanged.
int ctext_line_draw(const ctext_line *_Nonnull line, const ctext_target *_Nonnull target, int left, int top,
                    ctext_paint paint, ctext_error *_Nonnull error);

#ifdef __cplusplus
}
#endif

#endif
