// Writing a container to the caller's descriptor.

#ifndef CCOMPOSER_OUTPUT_H
#define CCOMPOSER_OUTPUT_H

#include "CComposer.h"

// Clips are opened, and errors are described, by CCover.
#include "../CCover/Clip/clip.h"

// The state of writing to the caller's descriptor.
typedef struct ccomposer_output {
    int descriptor;
    int64_t position;
    int64_t size;
    int write_errno; // of the last failed write; 0 if none has failed
} ccomposer_output;

// Creates FFmpeg's I/O context for writing to a descriptor. `output` must outlive it. Its data must be flushed before
// it is freed by `ccover_close_io`. Returns NULL if memory ran out.
AVIOContext *ccomposer_output_open(ccomposer_output *output, int descriptor);
// Lets a muxer read what it has written, and open nothing else. The muxer's `opaque` must be the output.
void ccomposer_output_confine(AVFormatContext *format);
// Fills in an error for a failure of a muxer. Returns -1.
int ccomposer_fail_to_write(const ccomposer_output *output, int code, ccover_error *error);
// FFmpeg's description of a container; NULL if the libraries cannot write it.
const AVOutputFormat *ccomposer_format_of(ccomposer_container container);
// Creates a muxer without streams. On success `*muxer` is to be freed with `avformat_free_context`.
int ccomposer_create_muxer(ccomposer_container container, ccomposer_output *output, AVIOContext *io,
                           AVFormatContext **muxer, ccover_error *error);

#endif
