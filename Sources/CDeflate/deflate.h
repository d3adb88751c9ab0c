// CRC-32 from libdeflate, which uses the processor's carry-less multiplication; checking a PNG computes it over every
// byte. ClipService links the library.

#include <libdeflate.h>
