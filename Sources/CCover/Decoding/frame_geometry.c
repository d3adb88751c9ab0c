// What frames state and the header of the clip may not: size, display orientation, pixel aspect and colours.

#include "Support/compat.h"
#include "Decoding/decoding.h"

#include <stdlib.h>
#include <string.h>

// A display matrix maps a stored pixel (x, y) to x' = a·x + c·y, y' = b·x + d·y, where a, b, c, d are the elements 0,
// 1, 3 and 4 in 16.16 fixed point (ISO/IEC 14496-12, 8.3.2). It is one of the eight symmetries if one of the pairs (a,
// d) and (b, c) is much larger than the other; the smaller pair need not be exactly 0 because of rounding.
bool ccover_orientation_from_matrix(const int32_t matrix[9], ccover_orientation *orientation) {
    int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
    int64_t straight = llabs(a) < llabs(d) ? llabs(a) : llabs(d);
    int64_t crossed = llabs(b) < llabs(c) ? llabs(b) : llabs(c);
    int64_t straight_most = llabs(a) + llabs(d) - straight;
    int64_t crossed_most = llabs(b) + llabs(c) - crossed;

    *orientation = (ccover_orientation){0};
    if (straight > 50 * crossed_most) {
        *orientation = (ccover_orientation){.mirrors_x = a < 0, .mirrors_y = d < 0};
        return true;
    }
    if (crossed > 50 * straight_most) {
        *orientation = (ccover_orientation){.transposes = true, .mirrors_x = c < 0, .mirrors_y = b < 0};
        return true;
    }
    return false;
}

// FFmpeg's H.264 decoder attaches the orientation only to the frame with the message (SEI); its HEVC decoder, to all.
void ccover_inherit_orientation(ccover_clip *clip) {
    ccover_geometry *geometry = &clip->position->geometry;
    AVFrame *frame = clip->position->decoding_frame;
    if (clip->position->decoder->codec_id != AV_CODEC_ID_H264) {
        return;
    }
    const AVFrameSideData *own = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (own && own->size >= sizeof(geometry->matrix)) {
        memcpy(geometry->matrix, own->data, sizeof(geometry->matrix));
        geometry->has_matrix = true;
    } else if (ccover_is_key_frame(clip->demuxer, frame)) {
        geometry->has_matrix = false;
    } else if (geometry->has_matrix) {
        AVFrameSideData *data = av_frame_new_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX, sizeof(geometry->matrix));
        if (data) {
            memcpy(data->data, geometry->matrix, sizeof(geometry->matrix));
        }
    }
}

// The orientation of H.264 and HEVC may be in a message, VP9 may be transparent or have several layers, a frame of AV1
// may be smaller than the container states, and one of HEVC may be a field. The container of some pictures states no
// size.
static bool may_say_more(ccover_demuxer *demuxer) {
    // Read in any case: the choice of the decoder depends on it.
    const AVPacket *first = ccover_packet_ahead(demuxer, 0);
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    bool has_layers = first && first->size > 0 && parameters->codec_id == AV_CODEC_ID_VP9 &&
                      first->data[first->size - 1] >> 5 == 6; // a superframe, whose frames may not all be shown
    return parameters->width == 0 || has_layers || ccover_codec_of(parameters->codec_id)->frames_say_more ||
           (first && (ccover_has_alpha_picture(first) || ccover_states_orientation(demuxer->stream, first) ||
                      ccover_differs_from_header(demuxer->stream, first)));
}

void ccover_look_at_frame(ccover_clip *clip) {
    ccover_frame_facts facts;
    ccover_error error;
    AVCodecParameters *parameters = clip->demuxer->stream->codecpar;
    if (!may_say_more(clip->demuxer)) {
        return;
    }
    if (ccover_decode_first(clip, 1, &facts, &error) == 0) {
        clip->position->geometry.is_known = true;
        clip->position->geometry.format = facts.format;
    } else if (error.cause == CCOVER_CAUSE_TOO_LARGE && parameters->width == 0) {
        ccover_refused_size(&parameters->width, &parameters->height);
    }
}
