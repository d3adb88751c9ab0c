// Declarations shared by the files of CSandbox.

#ifndef CSANDBOX_INTERNAL_H
#define CSANDBOX_INTERNAL_H

#include "CSandbox.h"

#define CSANDBOX_HIDDEN __attribute__((visibility("hidden")))

// landlock.c
// Applies Landlock and stores the kernel's ABI in `*abi`. Returns 0, or -1 and fills in the reason.
CSANDBOX_HIDDEN int csandbox_forbid_files(int32_t *abi, char reason[CSANDBOX_REASON_SIZE]);

// call_filter.c
// Applies the filter of system calls. Returns 0, or -1 and fills in the reason.
CSANDBOX_HIDDEN int csandbox_filter_calls(csandbox_program program, char reason[CSANDBOX_REASON_SIZE]);

// checks.c
// Fills in the reason: `step` failed with the errno value `error`. Returns -1.
CSANDBOX_HIDDEN int csandbox_give_up(char reason[CSANDBOX_REASON_SIZE], const char *step, int error);

// Checks that opening a directory now fails with the errno value `error`: a part counts as applied only if its effect
// can be observed. Returns 0, or -1 and fills in the reason.
CSANDBOX_HIDDEN int csandbox_check_denial(int error, char reason[CSANDBOX_REASON_SIZE]);

#endif
