// Opening and closing a clip, its counters, and the versions of the libraries.

#include "internal.h"

#include <libavutil/mem.h>
#include <stdio.h>

// Returns whether all of the clip's packets, frames and I/O could be allocated.
static bool allocate(ccover_clip *clip, int descriptor) {
    clip->io = ccover_input_open(&clip->input, descriptor);
    clip->packet = av_packet_alloc();
    clip->frame = av_frame_alloc();
    clip->spare = av_frame_alloc();
    clip->later = av_frame_alloc();
    clip->damaged = av_frame_alloc();
    clip->last = av_packet_alloc();
    clip->key_packet = av_packet_alloc();
    return clip->io && clip->packet && clip->last && clip->key_packet && clip->frame && clip->spare && clip->later &&
           clip->damaged;
}

// Creates a handle of which nothing was read. Returns NULL and fills in the error if memory ran out.
static ccover_clip *make_clip(int descriptor, const ccover_limits *limits, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_log_begin();
    ccover_clip *clip = av_mallocz(sizeof(*clip));
    if (!clip || !allocate(clip, descriptor)) {
        ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN);
        ccover_close(&clip);
        return NULL;
    }
    clip->max_pixels = limits->max_pixels;
    clip->all_streams = limits->all_streams;
    clip->first_time = AV_NOPTS_VALUE;
    clip->key.shown = AV_NOPTS_VALUE;
    clip->is_at_beginning = true;
    clip->due = clip->due_shown = AV_NOPTS_VALUE;
    ccover_stop_clock(clip);
    ccover_look_for(clip, AV_NOPTS_VALUE);
    ccover_set_deadline(clip, limits->deadline_microseconds);
    return clip;
}

int ccover_open_unselected(int descriptor, const ccover_limits *limits, ccover_clip **result, ccover_error *error) {
    *result = make_clip(descriptor, limits, error);
    if (!*result) {
        return -1;
    }
    int failed = ccover_open_header(*result, limits, error);
    if (failed) {
        ccover_close(result);
    }
    return failed;
}

int ccover_open(int descriptor, const ccover_limits *limits, ccover_clip **result, ccover_error *error) {
    ccover_clip *clip = make_clip(descriptor, limits, error);
    *result = NULL;
    if (!clip) {
        return -1;
    }
    int failed = ccover_open_container(clip, limits, error);
    if (failed) {
        goto done;
    }
    failed = ccover_select_stream(clip, limits, error);
    if (failed || !clip->stream) {
        goto done;
    }
    ccover_choose_clock(clip);
    ccover_find_encryption(clip);
    ccover_find_crop(clip);
    ccover_prepare_packets_ahead(clip);
    ccover_find_wrong_sizes(clip);
    ccover_confirm_clock(clip);
    // With all streams, the caller searches for the start of each.
    bool needs_start = limits->seeks || (limits->complete_facts && !limits->all_streams);
    if (needs_start) {
        ccover_find_encoder_build(clip);
        ccover_find_start_time(clip);
    } else if (!limits->complete_facts) {
        ccover_examine_start(clip);
    }
    ccover_correct_duration(clip);

done:
    if (failed) {
        ccover_reconsider(clip, error);
        ccover_close(&clip);
    }
    *result = clip;
    return failed;
}

void ccover_close(ccover_clip **handle) {
    ccover_clip *clip = *handle;
    if (!clip) {
        return;
    }
    sws_freeContext(clip->scaler);
    avcodec_free_context(&clip->decoder);
    avformat_close_input(&clip->format);
    ccover_close_io(&clip->io);
    if (clip->packet) {
        ccover_forget_packets(clip);
    }
    av_packet_free(&clip->packet);
    av_packet_free(&clip->last);
    av_packet_free(&clip->key_packet);
    av_freep(&clip->ahead);
    av_freep(&clip->count.keys);
    av_frame_free(&clip->frame);
    av_frame_free(&clip->spare);
    av_frame_free(&clip->later);
    av_frame_free(&clip->damaged);
    av_freep(handle);
}

void ccover_set_deadline(ccover_clip *clip, int64_t microseconds) {
    clip->input.deadline = microseconds > 0 ? av_sat_add64(ccover_now_microseconds(), microseconds) : 0;
}

void ccover_get_counters(const ccover_clip *clip, ccover_counters *counters) {
    *counters = (ccover_counters){
        .bytes_read = clip->input.bytes_read,
        .seeks = clip->input.seeks,
        .packets_read = clip->packets_read,
        .frames_decoded = clip->frames_decoded,
        .decode_errors = clip->decode_errors,
        .damaged_frames = clip->damaged_frames,
    };
}

static void set_version(char name[CCOVER_NAME_SIZE], unsigned version) {
    snprintf(name, CCOVER_NAME_SIZE, "%u.%u.%u", AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version),
             AV_VERSION_MICRO(version));
}

void ccover_get_versions(ccover_versions *versions) {
    set_version(versions->avformat, avformat_version());
    set_version(versions->avcodec, avcodec_version());
    set_version(versions->avutil, avutil_version());
    set_version(versions->swscale, swscale_version());
}
