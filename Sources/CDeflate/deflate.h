// CRC-32 from libdeflate, which computes it with the processor's carry-less multiplication: a check reads every byte of a
// PNG. CoverCheck links it.

#include <libdeflate.h>
