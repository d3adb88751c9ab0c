#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// Returns how many blocks the process has requested since its start from malloc and related functions.
long callocations_count(void);

#endif
