// What the files of CSandbox share.

#ifndef CSANDBOX_INTERNAL_H
#define CSANDBOX_INTERNAL_H

#include "CSandbox.h"

#define CSANDBOX_HIDDEN __attribute__((visibility("hidden")))

// Each of these puts on one part. Gives 0, or -1 and the reason.
CSANDBOX_HIDDEN int csandbox_forbid_files(int32_t *abi, char reason[CSANDBOX_REASON_SIZE]);
CSANDBOX_HIDDEN int csandbox_filter_calls(char reason[CSANDBOX_REASON_SIZE]);

// Fills in why `step` failed, and gives -1.
CSANDBOX_HIDDEN int csandbox_give_up(char reason[CSANDBOX_REASON_SIZE], const char *step, int error);

// Whether opening a folder fails with `error`. A part is believed when it is seen to hold.
CSANDBOX_HIDDEN int csandbox_check_denial(int error, char reason[CSANDBOX_REASON_SIZE]);

#endif
