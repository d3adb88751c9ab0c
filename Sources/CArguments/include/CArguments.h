// CArguments: the process's command line arguments as raw bytes.
//
// On Linux, Swift's `CommandLine` finds them through /proc/self/maps, so it is empty if /proc is not mounted.

#ifndef CARGUMENTS_H
#define CARGUMENTS_H

#ifdef __cplusplus
extern "C" {
#endif

// Returns the number of arguments, including the program's name.
int carguments_count(void);

// Returns an argument, or NULL if `index` is out of range. The string lives as long as the process.
const char *_Nullable carguments_get(int index);

#ifdef __cplusplus
}
#endif

#endif
