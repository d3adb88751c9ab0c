// Declarations for the failures that are reported.

#ifndef CCOVER_DIAGNOSTICS_H
#define CCOVER_DIAGNOSTICS_H

#include "internal.h"

// diagnostics.c
// Clears the FFmpeg log line collected so far, at the beginning of a call.
void ccover_log_begin(void);
// Fills in the error and returns -1. `code` is an AVERROR or 0; `text` is a printf format.
int ccover_fail(ccover_error *error, ccover_stage stage, ccover_cause cause, int code, const char *text, ...)
    __attribute__((format(printf, 5, 6)));
// Whether FFmpeg found more streams than allowed since `ccover_log_begin`.
bool ccover_logged_too_many_streams(void);
// Fills in an error of cause CCOVER_CAUSE_OUT_OF_MEMORY and returns -1.
int ccover_fail_out_of_memory(ccover_error *error, ccover_stage stage);
// Fills in an error of cause CCOVER_CAUSE_TOO_LARGE, about the picture that FFmpeg reported since `ccover_log_begin`.
// Returns -1.
int ccover_fail_too_large(const ccover_clip *clip, ccover_error *error, ccover_stage stage, int code);
// Stores the size of that picture.
void ccover_refused_size(int *width, int *height);
// The cause that corresponds to an AVERROR if nothing more specific is known.
ccover_cause ccover_cause_of(const ccover_clip *clip, int code);

#endif
