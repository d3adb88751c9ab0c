// Opening and closing a clip, its counters and texts, and the versions of the libraries.

#include "Clip/clip.h"

#include <libavutil/mem.h>
#include <stdio.h>
#include <string.h>

// Creates a handle, without reading anything. Returns NULL and fills in the error if memory ran out.
static ccover_clip *make_clip(int descriptor, const ccover_limits *limits, ccover_error *error) {
    *error = (ccover_error){0};
    ccover_set_log_listener(ccover_read_log_line);
    ccover_log_begin();
    ccover_clip *clip = av_mallocz(sizeof(*clip));
    if (clip) {
        clip->demuxer = ccover_make_demuxer(descriptor, limits);
        clip->damage = av_mallocz(sizeof(*clip->damage));
        clip->position = ccover_make_position();
    }
    if (!clip || !clip->demuxer || !clip->damage || !clip->position) {
        ccover_fail_out_of_memory(error, CCOVER_STAGE_OPEN);
        ccover_close(&clip);
        return NULL;
    }
    ccover_set_deadline(clip, limits->deadline_microseconds);
    return clip;
}

int ccover_open_unselected(int descriptor, const ccover_limits *limits, ccover_clip **result, ccover_error *error) {
    *result = make_clip(descriptor, limits, error);
    if (!*result) {
        return -1;
    }
    int failed = ccover_open_header((*result)->demuxer, limits, error);
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
    int failed = ccover_open_demuxer(clip->demuxer, limits, error);
    if (failed || !clip->demuxer->stream) {
        goto done;
    }
    // With all streams, the caller searches for the start of each.
    bool needs_start = limits->seeks || (limits->complete_facts && !limits->all_streams);
    if (needs_start) {
        ccover_find_encoder_build(clip->demuxer, clip->position);
        ccover_find_start_time(clip->demuxer);
    } else if (!limits->complete_facts) {
        ccover_examine_start(clip);
    }
    ccover_correct_duration(clip->demuxer);

done:
    if (failed) {
        ccover_reclassify_error(clip->demuxer, error);
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
    ccover_free_position(&clip->position);
    av_freep(&clip->damage);
    ccover_free_demuxer(&clip->demuxer);
    av_freep(handle);
}

void ccover_set_deadline(ccover_clip *clip, int64_t microseconds) {
    ccover_limit_time(&clip->demuxer->input, microseconds);
}

void ccover_get_counters(const ccover_clip *clip, ccover_counters *counters) {
    *counters = (ccover_counters){
        .bytes_read = clip->demuxer->input.bytes_read,
        .seeks = clip->demuxer->input.seeks,
        .packets_read = clip->demuxer->packets_read,
        .frames_decoded = clip->position->frames_decoded,
        .decode_errors = clip->position->decode_errors,
        .damaged_frames = clip->position->damaged_frames,
    };
}

static void set_version(char name[CCOVER_NAME_SIZE], unsigned v) {
    snprintf(name, CCOVER_NAME_SIZE, "%u.%u.%u", AV_VERSION_MAJOR(v), AV_VERSION_MINOR(v), AV_VERSION_MICRO(v));
}

void ccover_get_versions(ccover_versions *versions) {
    snprintf(versions->ffmpeg, CCOVER_NAME_SIZE, "%s", av_version_info());
    set_version(versions->avformat, avformat_version());
    set_version(versions->avcodec, avcodec_version());
    set_version(versions->avutil, avutil_version());
    set_version(versions->swscale, swscale_version());
}

size_t ccover_get_text(const ccover_clip *clip, int32_t stream, const char *key, char text[CCOVER_TEXT_SIZE]) {
    size_t key_length = strlen(key);
    bool is_prefix = key_length > 0 && key[key_length - 1] == '-';
    const AVFormatContext *format = clip->demuxer->format;
    const AVDictionary *texts = stream < 0                             ? format->metadata
                                : (unsigned)stream < format->nb_streams ? format->streams[stream]->metadata
                                                                        : NULL;
    const AVDictionaryEntry *entry = av_dict_get(texts, key, NULL, is_prefix ? AV_DICT_IGNORE_SUFFIX : 0);
    memset(text, 0, CCOVER_TEXT_SIZE);
    if (!entry) {
        return 0;
    }
    size_t length = strlen(entry->value);
    memcpy(text, entry->value, length < CCOVER_TEXT_SIZE ? length : CCOVER_TEXT_SIZE - 1);
    return length;
}
