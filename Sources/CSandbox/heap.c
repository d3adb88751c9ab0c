#include "CSandbox.h"

#include <malloc.h>
#include <sys/prctl.h>

void csandbox_set_up_heap(void) {
    // Freed memory is filled with this byte, and allocated memory with its complement.
    mallopt(M_PERTURB, 0xFF);
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 96 << 20);
}

void csandbox_give_back_memory(void) {
    malloc_trim(0);
}

void csandbox_avoid_huge_pages(void) {
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}
