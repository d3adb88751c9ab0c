#include "CLinux.h"

#include <stddef.h>

static int count;
static char **values;

// glibc passes the arguments of main() to constructors as well.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    values = argv;
}

int clinux_argument_count(void) { return count; }

const char *clinux_argument(int index) { return index >= 0 && index < count ? values[index] : NULL; }
