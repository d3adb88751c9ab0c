// CComposer: writes videos. It copies the streams of clips into a new container without encoding them again.
//
// As in CCover, nothing is opened by name: clips are read from descriptors and the video is written to one. Functions
// that can fail return 0, or -1 with `*error` filled in. A handle may be used by one thread at a time.

#ifndef CCOMPOSER_H
#define CCOMPOSER_H

#include <CCover.h>

#include "CComposition.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A copy of one or more clips that is being written.
typedef struct ccomposer_copy ccomposer_copy;

// The container that is written.
typedef enum ccomposer_container {
    CCOMPOSER_MP4 = 0,
    CCOMPOSER_MOV,
    CCOMPOSER_MATROSKA,
    CCOMPOSER_WEBM,
} ccomposer_container;

// How clips are copied.
typedef struct ccomposer_copy_options {
    ccomposer_container container;
    bool index_first;       // move the index of MP4 and MOV before the media; the file is then written twice
    int64_t max_pixels;     // see `ccover_limits`
    int32_t max_streams, programme;
    int64_t deadline_microseconds; // for each call
    // The part of a single clip that is copied, in ticks of the stream that covers show. Its video is stored from a key
    // frame on (INT64_MIN: from the first frame), and shown from `start` on, which is later only in MP4 and MOV.
    bool starts_later, ends_earlier; // than the clip
    int64_t key, start, end;
} ccomposer_copy_options;

// Facts about one of the clips that were copied. Every packet that was read was copied, not needed, or lost.
typedef struct ccomposer_part_facts {
    int64_t duration;     // microseconds, from the first to the end of the last packet shown
    int64_t packets_read; // of the streams that are copied
    int64_t packets;      // that were copied
    int64_t unneeded;     // packets that are not shown, and that no other requires; second fields, which join the first
    int64_t lost;         // packets that are damaged or lack a time; sound that was heard already where times go back
    int64_t damaged_at, moved_at; // the place of the first damage, and where times first went back, in `duration`
    int32_t left_out;     // streams that were not copied, such as timecodes, or, in MP4 and MOV, those without packets
    bool ended_early;     // the clip is cut off or damaged; it was copied up to there
    bool is_damaged;      // a part of the clip cannot be read, and is missing
    bool moved_times;     // times went back by more than a rounding error, and were moved by the least possible
} ccomposer_part_facts;

// Facts about the written video.
typedef struct ccomposer_copy_facts {
    int64_t duration;     // microseconds
    int64_t bytes;        // the size of the file
    int32_t video_streams, audio_streams, subtitle_streams;
} ccomposer_copy_facts;

// Prepares to copy `count` clips, one after another, into an empty file that is open for reading and writing. All clips
// must agree in their streams. The descriptors must stay open until the handle is closed.
// On success `*copy` is a new handle, to be freed with `ccomposer_copy_close`. On failure it is NULL, and `*part` is
// the index of the clip that the error is about, or -1 if it is about the output.
int ccomposer_copy_open(const int *_Nonnull clips, int32_t count, int output,
                        const ccomposer_copy_options *_Nonnull options, ccomposer_copy *_Nullable *_Nonnull copy,
                        int32_t *_Nonnull part, ccover_error *_Nonnull error);

// Copies about `max_bytes` more. Returns 0; 1 when everything is copied; or -1 with `*part` and `*error` filled in.
int ccomposer_copy_step(ccomposer_copy *_Nonnull copy, int64_t max_bytes, int32_t *_Nonnull part,
                        ccover_error *_Nonnull error);

// Returns the number of bytes of the clips that were read.
int64_t ccomposer_copy_progress(const ccomposer_copy *_Nonnull copy);

// Writes the index; the file is then complete.
int ccomposer_copy_finish(ccomposer_copy *_Nonnull copy, ccomposer_copy_facts *_Nonnull facts,
                          ccover_error *_Nonnull error);

// Stores the facts of a clip that was copied.
void ccomposer_copy_get_part(const ccomposer_copy *_Nonnull copy, int32_t index, ccomposer_part_facts *_Nonnull facts);

// Frees a handle and sets `*copy` to NULL. Does nothing if it already is NULL.
void ccomposer_copy_close(ccomposer_copy *_Nullable *_Nonnull copy);

#ifdef __cplusplus
}
#endif

#endif
