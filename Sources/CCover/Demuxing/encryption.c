// Encrypted clips: what the container says about it, and which packets may be decoded.

#include "internal.h"

#include <libavutil/encryption_info.h>
#include <stdio.h>
#include <string.h>

static void declare(ccover_clip *clip, const char *scheme) {
    clip->encryption.is_declared = true;
    snprintf(clip->encryption.scheme, sizeof(clip->encryption.scheme), "%s", scheme);
}

static void read_movie_protection(ccover_clip *clip) {
    ccover_protection *protection = &clip->encryption.protection;
    ccover_read_movie_protection(&clip->input, clip->stream->id, protection);
    declare(clip, protection->entries[0].scheme);
}

// Whether an MP4 is protected in a way that FFmpeg does not report with each packet: by FairPlay, or by PIFF, the
// predecessor of Common Encryption.
static bool is_protected_otherwise(const ccover_clip *clip) {
    uint32_t tag = clip->stream->codecpar->codec_tag;
    const AVDictionaryEntry *brands = av_dict_get(clip->format->metadata, "compatible_brands", NULL, 0);
    return tag == MKTAG('e', 'n', 'c', 'v') || tag == MKTAG('d', 'r', 'm', 'i') ||
           (brands && strstr(brands->value, "piff"));
}

// The number of video streams before the selected one.
int ccover_video_track(const ccover_clip *clip) {
    int count = 0;
    for (int i = 0; i < clip->stream->index; i++) {
        count += clip->format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
    }
    return count;
}

void ccover_find_encryption(ccover_clip *clip) {
    const AVDictionary *metadata = clip->format->metadata;
    enum { SAMPLE_AES = 0xdb }; // the stream type of H.264 encrypted as Apple's "MPEG-2 Stream Encryption Format"
    if (ccover_is_movie(clip->format) && is_protected_otherwise(clip)) {
        read_movie_protection(clip);
        clip->encryption.is_declared = ccover_has_protected_entry(&clip->encryption.protection);
    } else if (ccover_is_matroska(clip->format)) {
        clip->encryption.has_signal_bytes = av_dict_get(clip->stream->metadata, "enc_key_id", NULL, 0) != NULL;
        if (clip->encryption.has_signal_bytes || ccover_matroska_is_encrypted(&clip->input, ccover_video_track(clip))) {
            declare(clip, "");
        }
    } else if (ccover_is_container(clip, "asf") && (av_dict_get(metadata, "encryption", NULL, 0) ||
                                                    av_dict_get(metadata, "ASF_Protection_Type", NULL, 0))) {
        declare(clip, "Windows Media DRM");
    } else if (ccover_is_container(clip, "mpegts") && clip->stream->codecpar->codec_tag == SAMPLE_AES) {
        declare(clip, "sample-aes");
    }
}

bool ccover_find_encrypted_track(ccover_clip *clip) {
    enum { MAX_TRACK = 32 }; // tracks are usually numbered from 1
    ccover_protection protection;
    for (int track = 1; track <= MAX_TRACK; track++) {
        if (ccover_read_movie_protection(&clip->input, track, &protection) && ccover_has_protected_entry(&protection)) {
            declare(clip, protection.entries[0].scheme);
            return true;
        }
    }
    return false;
}

// Whether a sample of an MP4 is encrypted. FFmpeg's information is used where it gives the parts of the sample.
static bool is_movie_packet_encrypted(ccover_clip *clip, const AVPacket *packet) {
    size_t size = 0;
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size);
    if (!data && !clip->encryption.is_declared) {
        return false;
    }
    if (!clip->encryption.is_declared) {
        read_movie_protection(clip);
    }
    AVEncryptionInfo *info = data ? av_encryption_info_get_side_data(data, size) : NULL;
    uint32_t parts = info ? info->subsample_count : 0;
    bool is_encrypted = false;
    for (uint32_t i = 0; i < parts; i++) {
        is_encrypted = is_encrypted || info->subsamples[i].bytes_of_protected_data > 0;
    }
    av_encryption_info_free(info);
    const ccover_protection *protection = &clip->encryption.protection;
    return parts > 0 ? is_encrypted
                     : ccover_is_sample_protected(&clip->input, protection, clip->stream, packet->pos);
}

// Whether a frame of an encrypted WebM track is encrypted. A frame starts with a signal byte, whose lowest bit is set
// if it is; the byte of a clear frame is removed.
static bool is_webm_packet_encrypted(AVPacket *packet) {
    if (packet->size < 1 || (packet->data[0] & 1) != 0) {
        return true;
    }
    packet->data += 1;
    packet->size -= 1;
    return false;
}

static bool is_encrypted(ccover_clip *clip, AVPacket *packet) {
    if (ccover_is_movie(clip->format)) {
        return is_movie_packet_encrypted(clip, packet);
    }
    return clip->encryption.has_signal_bytes ? is_webm_packet_encrypted(packet) : clip->encryption.is_declared;
}

bool ccover_is_encrypted(ccover_clip *clip, AVPacket *packet) {
    if (!is_encrypted(clip, packet)) {
        return false;
    }
    if (!clip->encryption.was_met) {
        clip->encryption.was_met = true;
        clip->encryption.met_time = packet->pts;
    }
    return true;
}

void ccover_explain_read_error(ccover_clip *clip, int code) {
    bool is_error = code != AVERROR_EOF && code != AVERROR_EXIT && !clip->encryption.was_met;
    if (is_error && ccover_is_movie(clip->format) && ccover_find_encrypted_track(clip)) {
        clip->encryption.was_met = true;
        clip->encryption.met_time = AV_NOPTS_VALUE;
    }
}

bool ccover_is_past_clear_part(const ccover_clip *clip, int64_t time) {
    return clip->encryption.was_met &&
           (clip->encryption.met_time == AV_NOPTS_VALUE || clip->encryption.met_time <= time);
}

int ccover_fail_encrypted(const ccover_clip *clip, ccover_stage stage, ccover_error *error) {
    const char *scheme = clip->encryption.scheme;
    ccover_log_begin();
    return ccover_fail(error, stage, CCOVER_CAUSE_ENCRYPTED, 0, "the video is encrypted%s%s%s", scheme[0] ? " (" : "",
                       scheme, scheme[0] ? ")" : "");
}
