// Reading the data of packets.

#ifndef CCOVER_BITSTREAMS_H
#define CCOVER_BITSTREAMS_H

#include "Support/support.h"

// nal_units.c
enum {
    CCOVER_H264_IDR = 5,
    CCOVER_H264_SEQUENCE_PARAMETERS = 7,
    CCOVER_HEVC_SEQUENCE_PARAMETERS = 33,
};
// The NAL units of H.264 or HEVC data.
typedef struct ccover_units {
    enum AVCodecID codec;
    size_t length_bytes;             // of each unit's length; 0 for start codes
    const uint8_t *next, *end;       // what is left of the data
    const uint8_t *start, *stop;     // of the unit; `stop` only for ccover_place_of_zeros()
    int type;
    bool is_slice;
} ccover_units;
ccover_units ccover_units_of(const AVCodecParameters *parameters, const uint8_t *data, int size);
// Moves on to the next unit. Returns false without one.
bool ccover_next_unit(ccover_units *units);
const uint8_t *ccover_end_of_unit(const ccover_units *units);
// The type of the first NAL unit of an H.264 or HEVC packet that holds a part of the picture, or -1.
int ccover_slice_type(const AVCodecParameters *parameters, const AVPacket *packet);
bool ccover_is_hevc_key(int type);
// Whether an H.264 or HEVC packet holds a key picture, but not the parameters of the sequence, which precede it.
bool ccover_lacks_parameters(const AVStream *stream, const AVPacket *packet);
// The position of a run of zeros relative to NAL units.
typedef enum ccover_zeros_place {
    CCOVER_ZEROS_OUTSIDE = 0,   // not inside a unit, or at the end of a slice
    CCOVER_ZEROS_IN_SLICE,      // inside a unit that holds a part of the picture
    CCOVER_ZEROS_IN_OTHER_UNIT, // inside a unit without pixels, such as filler data
} ccover_zeros_place;
// Moves on to the unit that zeros are in, so they must not precede those of the call before.
ccover_zeros_place ccover_place_of_zeros(ccover_units *units, const uint8_t *start, const uint8_t *end);
// Whether an H.264 or HEVC packet has a message (SEI) with the display orientation.
bool ccover_states_orientation(const AVStream *stream, const AVPacket *packet);

// The number of bytes of each NAL unit's length in the packets of a container such as MP4; 0 for start codes.
size_t ccover_nal_length_bytes(const AVCodecParameters *parameters);
// The bytes of a unit without those that are inserted to keep start codes out of it.
typedef struct ccover_unit_bytes {
    const uint8_t *at, *end;
    int zeros; // directly before `at`
} ccover_unit_bytes;
// Returns the next byte, or -1 at the end.
int ccover_next_byte(ccover_unit_bytes *bytes);

// frame_numbers.c
// Whether the frame numbers of H.264 (frame_num) may have gaps although no frame is missing, given a key picture: in
// streams whose layers were removed. Only reference frames are numbered.
bool ccover_may_lack_numbers(const AVStream *stream, const AVPacket *packet);

// picture_kind.c
typedef enum ccover_picture_kind {
    CCOVER_PICTURE_NONE, // the packet holds only parameters
    CCOVER_PICTURE_OTHER,
    CCOVER_PICTURE_LEADING,  // shown before its key picture, and predicted from nothing earlier (RADL)
    CCOVER_PICTURE_B,        // a B-picture or RASL picture: directly after an open key picture, the decoder drops it
    CCOVER_PICTURE_OPEN_KEY, // pictures that are shown before it may also be predicted from earlier ones
    CCOVER_PICTURE_KEY,      // an IDR picture of H.264, or the start of a closed group
} ccover_picture_kind;
ccover_picture_kind ccover_picture_kind_of(const AVCodecParameters *parameters, const AVPacket *packet);
// Whether a packet of MPEG-1 or MPEG-2 starts inside a picture, as the first one after a seek may.
bool ccover_lacks_picture_header(const AVPacket *packet);
// Whether the blocks of a JPEG 2000 picture are coded as in part 15 of the standard (High-Throughput).
bool ccover_is_high_throughput(const AVPacket *packet);

// png_texts.c
// Removes texts and colour profiles from a packet of PNG or APNG, so that the decoder does not inflate them. Does
// nothing for other codecs. Returns 0 or an AVERROR.
int ccover_remove_texts(const AVCodecParameters *parameters, AVPacket *packet);
// Does the same for the extradata of APNG, and sets a pixel format.
void ccover_describe_animation(AVCodecParameters *parameters);

#endif
