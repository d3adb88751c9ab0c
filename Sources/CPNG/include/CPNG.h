// CPNG: PNG pictures in and out of descriptors, through libpng. The only place with `setjmp`.
//
// No handle outlives a call. A reader's rows are allocated here and freed with `cpng_free`.

#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// One text chunk (tEXt). Both are NUL-terminated Latin-1; the keyword has 1 to 79 bytes.
typedef struct cpng_text {
    const char *_Nonnull keyword;
    const char *_Nonnull text;
} cpng_text;

// A picture; `channels` is 3 (RGB) or 4 (RGBA, not premultiplied), `bits` of a channel are 8 or 16 (in the machine's
// byte order).
typedef struct cpng_picture {
    uint32_t width;
    uint32_t height;
    uint32_t channels;
    uint32_t bits;
    size_t row_bytes; // from one row to the next
    const uint8_t *_Nullable rows;
} cpng_picture;

typedef struct cpng_error {
    int32_t system_error; // errno of the failed read or write, 0 when the file itself was at fault
    char message[256];
} cpng_error;

// Writes a PNG with an sRGB chunk to `descriptor`, the text chunks before the pixels so that a reader of the head sees
// them. The same picture and texts give the same bytes. Gives 0, or -1 and `*error` filled; then the file is partial.
int cpng_write(int descriptor, const cpng_picture *_Nonnull picture, const cpng_text *_Nullable texts,
               size_t text_count, cpng_error *_Nonnull error);

// Reads a PNG from the start of the file behind `descriptor` as 8-bit RGB, or RGBA where it has transparency, and leaves
// the descriptor's position alone. `max_pixels` bounds what is allocated. Returns 0 and a picture to free with
// `cpng_free`, or -1 and `*error` filled.
int cpng_read(int descriptor, uint64_t max_pixels, cpng_picture *_Nonnull picture, cpng_error *_Nonnull error);

// Frees the rows of a picture from `cpng_read` and clears it.
void cpng_free(cpng_picture *_Nonnull picture);

#ifdef __cplusplus
}
#endif

#endif
