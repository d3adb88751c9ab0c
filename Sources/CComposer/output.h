// Writing a container to the caller's descriptor.

#ifndef CCOMPOSER_OUTPUT_H
#define CCOMPOSER_OUTPUT_H

#include "CComposer.h"

// Clips are opened, and errors are described, by CCover.
#include "../CCover/Clip/clip.h"

// The state of writing to the caller's descriptor.
typedef struct ccomposer_output {
    int descriptor;
    int64_t position, size;
    int write_errno; // of the last failed write; 0 if none has failed
} ccomposer_output;

// Creates FFmpeg's I/O context for writing to a descriptor. `output` must outlive it. Its data must be flushed before
// it is freed by `ccover_close_io`. Returns NULL if memory ran out.
AVIOContext *ccomposer_output_open(ccomposer_output *output, int descriptor);
// Fills in an error for a failure of a muxer. Returns -1.
int ccomposer_fail_to_write(const ccomposer_output *output, int code, ccover_error *error);
// The names of a container.
typedef struct ccomposer_names {
    const char *muxer; // of FFmpeg
    const char *name, *ending;
} ccomposer_names;
enum { CCOMPOSER_CONTAINERS = CCOMPOSER_WEBM + 1 };
extern const ccomposer_names ccomposer_containers[CCOMPOSER_CONTAINERS];
// FFmpeg's description of a container; NULL if the libraries cannot write it.
const AVOutputFormat *ccomposer_format_of(ccomposer_container container);
// Creates a muxer without streams. On success `*muxer` is to be freed with `avformat_free_context`.
int ccomposer_create_muxer(ccomposer_container container, ccomposer_output *output, AVIOContext *io,
                           AVFormatContext **muxer, ccover_error *error);

#endif
