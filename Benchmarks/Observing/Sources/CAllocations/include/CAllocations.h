#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// How many blocks the process has asked for since its start, from malloc and its kin.
long callocations_count(void);

#endif
