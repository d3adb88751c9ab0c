// CArguments: the arguments that this process was started with, byte for byte.
//
// On Linux Swift's `CommandLine` searches /proc/self/maps for them, so where there is no /proc it has none.

#ifndef CARGUMENTS_H
#define CARGUMENTS_H

#ifdef __cplusplus
extern "C" {
#endif

// The number of arguments, the program's name included.
int carguments_count(void);

// An argument, or NULL when there are not so many. It lives as long as the process.
const char *_Nullable carguments_get(int index);

#ifdef __cplusplus
}
#endif

#endif
