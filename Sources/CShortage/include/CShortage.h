// CShortage: ends a program with a message when the system has no memory, thread or descriptor for it.
//
// Swift's runtime and libdispatch do not handle that: they trap without memory or a descriptor, and wait for ever for a
// thread. This target replaces the functions that they call (malloc, pthread_create, open, eventfd and a few more) in the whole
// program. The replacements do what the C library's do until `cshortage_begin`; from then on they end the program with a
// message and status 2 instead of failing. Sanitizers replace the same functions, so their builds are without them.

#ifndef CSHORTAGE_H
#define CSHORTAGE_H

#ifdef __cplusplus
extern "C" {
#endif

// The exit status of a program that ends because something is short.
#define CSHORTAGE_STATUS 2

// Makes a shortage end the program from now on, with a message on standard error that begins with its name. Raises the
// soft limits of stack and descriptors where they are too low for any program; ends the program where that is not
// possible. A file that grows past its limit is an error from now on, not a signal.
// Must be called first in `main`. The name is copied.
void cshortage_begin(const char *_Nonnull program);

// Must be called before the first thread is started. Ends the program where there is no /proc: libdispatch looks up its
// threads there once a second and traps when they are missing.
void cshortage_begin_threads(void);

// Sets what is done before such a message is written. It may call only what signal-safety(7) lists.
void cshortage_set_last_act(void (*_Nonnull act)(void));

#ifdef __cplusplus
}
#endif

#endif
