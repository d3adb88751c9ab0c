#include "CArguments.h"

#include <stddef.h>

static int count;
static char **values;

// glibc passes the arguments of main() to constructors as well.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    values = argv;
}

int carguments_count(void) { return count; }

const char *carguments_get(int index) { return index >= 0 && index < count ? values[index] : NULL; }
