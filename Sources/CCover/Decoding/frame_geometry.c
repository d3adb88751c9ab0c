// What frames state and the header of the clip may not: size, display orientation, pixel aspect and colours.

#include "Support/compat.h"
#include "internal.h"

#include <string.h>

// FFmpeg's H.264 decoder attaches the orientation only to the frame with the message (SEI); its HEVC decoder, to all.
void ccover_inherit_orientation(ccover_clip *clip) {
    ccover_shape *shape = &clip->shape;
    AVFrame *frame = clip->spare;
    if (clip->decoder->codec_id != AV_CODEC_ID_H264) {
        return;
    }
    const AVFrameSideData *own = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (own && own->size >= sizeof(shape->matrix)) {
        memcpy(shape->matrix, own->data, sizeof(shape->matrix));
        shape->has_matrix = true;
    } else if (ccover_is_key_frame(clip, frame)) {
        shape->has_matrix = false;
    } else if (shape->has_matrix) {
        AVFrameSideData *data = av_frame_new_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX, sizeof(shape->matrix));
        if (data) {
            memcpy(data->data, shape->matrix, sizeof(shape->matrix));
        }
    }
}

// APNG's aspect is in a chunk, the orientation of JPEG in Exif, and that of H.264 and HEVC may be in a message. VP8 and
// DNxHR have a matrix of their own whatever the container states, and VP8 and VP9 may be transparent. A frame of AV1
// may be smaller than the container states, and one of HEVC may be a field. The container of some pictures states no
// size.
static bool may_say_more(ccover_clip *clip) {
    // Read in any case: the choice of the decoder depends on it.
    const AVPacket *first = ccover_packet_ahead(clip, 0);
    if (clip->stream->codecpar->width == 0) {
        return true;
    }
    switch (clip->stream->codecpar->codec_id) {
    case AV_CODEC_ID_APNG:
    case AV_CODEC_ID_MJPEG:
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_DNXHD:
        return true;
    default:
        return first && (ccover_has_alpha_picture(first) || ccover_states_orientation(clip->stream, first) ||
                         ccover_differs_from_header(clip->stream, first));
    }
}

void ccover_look_at_frame(ccover_clip *clip) {
    ccover_frame_facts facts;
    ccover_error error;
    AVCodecParameters *parameters = clip->stream->codecpar;
    if (!may_say_more(clip)) {
        return;
    }
    if (ccover_decode_first(clip, 1, &facts, &error) == 0) {
        clip->shape.is_known = true;
        clip->shape.width = facts.width;
        clip->shape.height = facts.height;
        clip->shape.sample_aspect_ratio = facts.sample_aspect_ratio;
        clip->shape.orientation = facts.orientation;
        clip->shape.colour = facts.colour;
    } else if (error.cause == CCOVER_CAUSE_TOO_LARGE && parameters->width == 0) {
        ccover_refused_size(&parameters->width, &parameters->height);
    }
}
