// Encrypted clips: the container's description of the encryption, and which packets may be decoded.

#include "Demuxing/demuxing.h"

#include <libavutil/encryption_info.h>
#include <stdio.h>
#include <string.h>

static void declare(ccover_demuxer *demuxer, ccover_declared_encryption declared, const char *scheme) {
    demuxer->encryption.declared = declared;
    snprintf(demuxer->encryption.scheme, sizeof(demuxer->encryption.scheme), "%s", scheme);
}

// Returns whether a track of a movie is protected. With Common Encryption, FFmpeg reports which samples are encrypted.
static bool declare_track(ccover_demuxer *demuxer, int track) {
    bool is_common = false;
    bool is_protected = ccover_is_track_protected(&demuxer->input, track, demuxer->encryption.scheme, &is_common);
    demuxer->encryption.declared = is_protected && !is_common ? CCOVER_DECLARED_ENCRYPTED : CCOVER_DECLARED_CLEAR;
    return is_protected;
}

// The number of video streams before the selected one.
int ccover_video_track(const ccover_demuxer *demuxer) {
    int count = 0;
    for (int i = 0; i < demuxer->stream->index; i++) {
        count += demuxer->format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
    }
    return count;
}

void ccover_find_encryption(ccover_demuxer *demuxer) {
    const AVDictionary *metadata = demuxer->format->metadata;
    enum { SAMPLE_AES = 0xdb }; // the stream type of H.264 encrypted as Apple's "MPEG-2 Stream Encryption Format"
    uint32_t tag = demuxer->stream->codecpar->codec_tag;
    const AVDictionaryEntry *brands = av_dict_get(metadata, "compatible_brands", NULL, 0);
    // FFmpeg does not report with each packet that it is protected by FairPlay, or by PIFF, the predecessor of Common
    // Encryption.
    bool may_be_protected = tag == MKTAG('e', 'n', 'c', 'v') || tag == MKTAG('d', 'r', 'm', 'i') ||
                            (brands && strstr(brands->value, "piff"));
    if (ccover_is_movie(demuxer->format) && may_be_protected) {
        declare_track(demuxer, demuxer->stream->id);
    } else if (demuxer->kind->is_matroska) {
        if (av_dict_get(demuxer->stream->metadata, "enc_key_id", NULL, 0)) {
            declare(demuxer, CCOVER_DECLARED_SIGNALLED, "");
        } else if (ccover_matroska_is_encrypted(&demuxer->input, ccover_video_track(demuxer))) {
            declare(demuxer, CCOVER_DECLARED_ENCRYPTED, "");
        }
    } else if (ccover_is_container(demuxer, "asf") && (av_dict_get(metadata, "encryption", NULL, 0) ||
                                                    av_dict_get(metadata, "ASF_Protection_Type", NULL, 0))) {
        declare(demuxer, CCOVER_DECLARED_ENCRYPTED, "Windows Media DRM");
    } else if (ccover_is_container(demuxer, "mpegts") && demuxer->stream->codecpar->codec_tag == SAMPLE_AES) {
        declare(demuxer, CCOVER_DECLARED_ENCRYPTED, "sample-aes");
    }
}

bool ccover_find_encrypted_track(ccover_demuxer *demuxer) {
    enum { MAX_TRACK = 32 }; // tracks are usually numbered from 1
    bool is_found = false;
    for (int track = 1; track <= MAX_TRACK && !is_found; track++) {
        is_found = declare_track(demuxer, track);
    }
    return is_found;
}

// Whether a sample of an MP4 is encrypted. FFmpeg gives the parts of those that are; without parts, all of it is. Clips
// may start with samples that everybody can play: FFmpeg reports nothing, or an initialization vector of zeros.
static bool is_movie_packet_encrypted(ccover_demuxer *demuxer, const AVPacket *packet) {
    size_t size = 0;
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, &size);
    AVEncryptionInfo *info = data ? av_encryption_info_get_side_data(data, size) : NULL;
    if (!info) {
        return demuxer->encryption.declared != CCOVER_DECLARED_CLEAR;
    }
    bool is_encrypted = false;
    for (uint32_t i = 0; info->subsample_count == 0 && i < info->iv_size; i++) {
        is_encrypted = is_encrypted || info->iv[i] != 0;
    }
    for (uint32_t i = 0; i < info->subsample_count; i++) {
        is_encrypted = is_encrypted || info->subsamples[i].bytes_of_protected_data > 0;
    }
    av_encryption_info_free(info);
    if (demuxer->encryption.scheme[0] == '\0') {
        declare_track(demuxer, demuxer->stream->id);
    }
    return is_encrypted;
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

static bool is_encrypted(ccover_demuxer *demuxer, AVPacket *packet) {
    if (ccover_is_movie(demuxer->format)) {
        return is_movie_packet_encrypted(demuxer, packet);
    }
    bool is_signalled = demuxer->encryption.declared == CCOVER_DECLARED_SIGNALLED;
    return is_signalled ? is_webm_packet_encrypted(packet) : demuxer->encryption.declared != CCOVER_DECLARED_CLEAR;
}

bool ccover_is_encrypted(ccover_demuxer *demuxer, AVPacket *packet) {
    if (!is_encrypted(demuxer, packet)) {
        return false;
    }
    if (!demuxer->encryption.was_met) {
        demuxer->encryption.was_met = true;
        demuxer->encryption.met_time = packet->pts;
    }
    return true;
}

void ccover_explain_read_error(ccover_demuxer *demuxer, int code) {
    bool is_error = code != AVERROR_EOF && code != AVERROR_EXIT && !demuxer->encryption.was_met;
    if (is_error && ccover_is_movie(demuxer->format) && ccover_find_encrypted_track(demuxer)) {
        demuxer->encryption.was_met = true;
        demuxer->encryption.met_time = AV_NOPTS_VALUE;
    }
}

bool ccover_is_past_clear_part(const ccover_demuxer *demuxer, int64_t time) {
    return demuxer->encryption.was_met &&
           (demuxer->encryption.met_time == AV_NOPTS_VALUE || demuxer->encryption.met_time <= time);
}

int ccover_fail_encrypted(const ccover_demuxer *demuxer, ccover_stage stage, ccover_error *error) {
    const char *scheme = demuxer->encryption.scheme;
    return ccover_explain(error, stage, CCOVER_CAUSE_ENCRYPTED, 0, "the video is encrypted%s%s%s",
                          scheme[0] ? " (" : "", scheme, scheme[0] ? ")" : "");
}
