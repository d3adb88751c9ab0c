// Frames of H.264 whose fields are stored one after another.
//
// Transport streams may have one time for both fields, and libavformat gives it to the first one. Other containers have
// both fields in one packet.

#include "Remux/remux.h"

#include <string.h>

bool ccomposer_may_split_frames(const AVStream *stream) {
    return stream->codecpar->codec_id == AV_CODEC_ID_H264 && ccover_nal_length_bytes(stream->codecpar) == 0;
}

int ccomposer_join_fields(const AVStream *stream, AVPacket *first, const AVPacket *second) {
    bool is_timed = ccover_shown_time(second) != AV_NOPTS_VALUE;
    if (is_timed || first->size == 0 || !ccover_are_fields(stream, first, second)) {
        return 0;
    }
    int size = first->size;
    int code = av_grow_packet(first, second->size);
    if (code < 0) {
        return code;
    }
    memcpy(first->data + size, second->data, (size_t)second->size);
    first->duration = av_sat_add64(first->duration, second->duration);
    first->flags |= second->flags & AV_PKT_FLAG_CORRUPT;
    return 1;
}
