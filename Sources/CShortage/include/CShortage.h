// CShortage: ends a program with a message if it runs out of memory, threads or descriptors.
//
// Swift's runtime and libdispatch do not handle such failures: they trap if they get no memory or descriptor, and wait
// forever for a thread. This target replaces the functions that they call (malloc, pthread_create, open, eventfd and a
// few more) in the whole program. Until `cshortage_begin` is called, the replacements behave like the C library's
// functions; after that, they end the program with a message and status 2 instead of failing. Builds with a sanitizer
// do not contain the replacements, because sanitizers replace the same functions.

#ifndef CSHORTAGE_H
#define CSHORTAGE_H

#ifdef __cplusplus
extern "C" {
#endif

// The exit status of a program that runs out of a resource.
#define CSHORTAGE_STATUS 2

// From now on, running out of a resource ends the program with a message on standard error that begins with `program`.
// Raises the soft limits on the stack and on descriptors if they are too low for any program, and ends the program if
// they cannot be raised. Also ignores SIGXFSZ, so that exceeding the file size limit is an error instead of a signal.
// Must be the first call in main(). The name is copied.
void cshortage_begin(const char *_Nonnull program);

// Ends the program if /proc is not mounted: libdispatch looks up its threads there once a second, and traps if it
// cannot find them. Must be called before the first thread is started.
void cshortage_begin_threads(void);

// Lets all threads allocate from the same arena. Each further one keeps its own free memory, which is not worth it
// in a program whose threads have little to do. Must be called before the first thread is started.
void cshortage_use_one_arena(void);

// Sets a function to be called before such a message is written. It may call only async-signal-safe functions; see
// signal-safety(7).
void cshortage_set_last_act(void (*_Nonnull act)(void));

#ifdef __cplusplus
}
#endif

#endif
