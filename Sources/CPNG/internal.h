// What the reader and the writer share.

#ifndef CPNG_INTERNAL_H
#define CPNG_INTERNAL_H

#include "CPNG.h"

#include <png.h>

// libpng's error callback: keeps the message and jumps back to the caller's `setjmp`.
_Noreturn void cpng_on_error(png_structp png, png_const_charp message);
void cpng_on_warning(png_structp png, png_const_charp message);

#endif
