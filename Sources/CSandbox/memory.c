#include "CSandbox.h"

#include <malloc.h>
#include <sys/mman.h>

int csandbox_memory_file(const char *name) {
    return memfd_create(name, MFD_CLOEXEC);
}

void csandbox_clear_heap(void) {
    // What is given back becomes this byte, and what is given out its complement.
    mallopt(M_PERTURB, 0xFF);
}
