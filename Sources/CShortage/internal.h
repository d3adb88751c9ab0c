#ifndef CSHORTAGE_INTERNAL_H
#define CSHORTAGE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

// The name that messages begin with.
void cshortage_set_name(const char *program);

// Whether a shortage ends the program: whether there is a name.
bool cshortage_has_begun(void);

// End the program, from any thread and without memory.
_Noreturn void cshortage_end_without_memory(void);
_Noreturn void cshortage_end_without_thread(void);
_Noreturn void cshortage_end_without_descriptor(void);
_Noreturn void cshortage_end_without_stack(rlim_t bytes);
_Noreturn void cshortage_end_without_proc(void);

#endif
