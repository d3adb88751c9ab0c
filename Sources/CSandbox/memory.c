#include "CSandbox.h"

#include <sys/mman.h>

int csandbox_memory_file(const char *name) {
    return memfd_create(name, MFD_CLOEXEC);
}
