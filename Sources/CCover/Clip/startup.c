// What libraries need not do when a program loads them.

#include "Clip/clip.h"

// Highway, which FFmpeg loads for JPEG XL, measures for its benchmarks how precise the processor's clock is, before the
// program begins. Up to version 1.0, that takes 2.4 ms, a twentieth of the time for a cover. Where a program exports a
// function of the same name, as those with Swift's libraries linked statically do, that one is called.
uint64_t ccover_clock_resolution(void) __asm__("_ZN3hwy8platform15TimerResolutionEv");

uint64_t ccover_clock_resolution(void) {
    return 1; // tick
}
