// Declarations shared by the reader and the writer.

#ifndef CPNG_INTERNAL_H
#define CPNG_INTERNAL_H

#include "CPNG.h"

#include <png.h>

// libpng's error callback: stores the message and jumps to the setjmp() of the caller.
_Noreturn void cpng_on_error(png_structp png, png_const_charp message);
// libpng's warning callback: ignores the warning.
void cpng_on_warning(png_structp png, png_const_charp message);

#endif
