// The callbacks for libpng's errors and warnings.

#include "internal.h"

#include <stdio.h>

void cpng_on_error(png_structp png, png_const_charp message) {
    cpng_error *error = png_get_error_ptr(png);
    snprintf(error->message, sizeof(error->message), "%s", message);
    png_longjmp(png, 1);
}

// libpng's warnings are about minor defects (an odd profile, a chunk out of order), which do not affect the pixels.
void cpng_on_warning(png_structp png, png_const_charp message) {
    (void)png, (void)message;
}
