// CPNG: reads and writes PNG pictures through libpng. The only target that uses setjmp().
//
// Ownership: the caller owns the descriptors, and the pictures and texts it writes. The rows of a picture that was read
// are allocated here and must be freed with `cpng_free`.
// NULL: a pointer may be NULL only if it is marked `_Nullable`.
// Errors: functions that take a `cpng_error` return 0 on success, and -1 with `*error` filled in on failure.
// Threads: all functions may be called from any thread.

#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A text chunk (tEXt). Both strings are NUL-terminated Latin-1; the keyword is 1 to 79 bytes long.
typedef struct cpng_text {
    const char *_Nonnull keyword;
    const char *_Nonnull text;
} cpng_text;

// A picture in memory.
typedef struct cpng_picture {
    uint32_t width;    // pixels
    uint32_t height;
    uint32_t channels; // 3 (RGB) or 4 (RGBA, not premultiplied)
    uint32_t bits;     // per channel: 8, or 16 in native byte order
    size_t row_bytes;  // bytes from one row to the next
    const uint8_t *_Nullable rows; // not NULL in a picture that is written
} cpng_picture;

// The error of a failed call. The caller owns it and may pass the same one to several calls.
typedef struct cpng_error {
    int32_t system_error; // errno of the failed read or write; 0 if the contents were at fault
    char message[256];    // one line of text
} cpng_error;

// Writes a PNG with an sRGB chunk to `descriptor` at its current position. The text chunks precede the pixels, so that
// they can be found by reading only the beginning of the file. `texts` may be NULL if `text_count` is 0. The same
// picture and texts always result in the same bytes. On failure the file may be incomplete.
int cpng_write(int descriptor, const cpng_picture *_Nonnull picture, const cpng_text *_Nullable texts,
               size_t text_count, cpng_error *_Nonnull error);

// Reads the PNG at the beginning of the file `descriptor`, without changing the descriptor's file offset. The picture
// is 8-bit RGB, or RGBA if the PNG has transparency. A PNG with more than `max_pixels` pixels is an error. On success
// the picture must be freed with `cpng_free`; on failure it is empty.
int cpng_read(int descriptor, uint64_t max_pixels, cpng_picture *_Nonnull picture, cpng_error *_Nonnull error);

// Frees the rows of a picture from `cpng_read` and clears the picture. Does nothing if it is empty.
void cpng_free(cpng_picture *_Nonnull picture);

#ifdef __cplusplus
}
#endif

#endif
