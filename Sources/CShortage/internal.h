// Declarations shared by the files of CShortage.

#ifndef CSHORTAGE_INTERNAL_H
#define CSHORTAGE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

// Sets the program name that begins each message, and enables ending the program.
void cshortage_set_name(const char *program);

// Whether running out of a resource ends the program.
bool cshortage_has_begun(void);

// These functions end the program. They may be called from any thread, and do not allocate memory.
_Noreturn void cshortage_end_without_memory(void);
_Noreturn void cshortage_end_without_thread(void);
_Noreturn void cshortage_end_without_descriptor(void);
_Noreturn void cshortage_end_without_stack(rlim_t bytes);
_Noreturn void cshortage_end_without_proc(void);

#endif
