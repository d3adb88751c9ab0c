#include "CSandbox.h"

#include <malloc.h>

void csandbox_clear_heap(void) {
    // What is given back becomes this byte, and what is given out its complement.
    mallopt(M_PERTURB, 0xFF);
}
