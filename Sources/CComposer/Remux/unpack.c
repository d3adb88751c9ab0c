// Packed MPEG-4, as written into AVI by DivX and Xvid.
//
// The programs for which AVI was made show one frame for each packet that they decode, and a B-frame can only be
// decoded after the reference that follows it. So encoders store both in one packet. Where the reference is shown, they
// write a filler: a frame that is not coded. Other containers have one frame in each packet. FFmpeg's filter unpacks
// the frames. If one is missing, it would take the frame of another packet; such clips are refused here.

#include "Remux/remux.h"

#include <libavutil/intreadwrite.h>

int ccomposer_open_unpacker(ccomposer_unpacker *unpacker, AVStream *stream) {
    // The filter removes the mark of packed streams only from packets that are not packed, that is, the second time.
    int code = av_bsf_list_parse_str("mpeg4_unpack_bframes,mpeg4_unpack_bframes", &unpacker->filter);
    if (code >= 0) {
        code = avcodec_parameters_copy(unpacker->filter->par_in, stream->codecpar);
    }
    if (code >= 0) {
        code = av_bsf_init(unpacker->filter);
    }
    return code < 0 ? code : avcodec_parameters_copy(stream->codecpar, unpacker->filter->par_out);
}

static int count_frames(const AVPacket *packet) {
    enum { VOP = 0x1b6 };
    int count = 0;
    for (int i = 0; i + 4 < packet->size; i++) {
        count += packet->data[i] == 0 && AV_RB32(packet->data + i) == VOP;
    }
    return count;
}

// Whether a packet after a packed one only repeats a frame: it is a reference that is not coded.
static bool is_filler(const AVPacket *packet, bool is_b) {
    enum { MOST_BYTES = 19, CERTAIN_BYTES = 7 };
    return packet->size <= CERTAIN_BYTES || (packet->size <= MOST_BYTES && !is_b);
}

int ccomposer_unpack(ccomposer_unpacker *unpacker, AVPacket *packet) {
    int frames = count_frames(packet);
    bool is_b = ccover_picture_kind_of(unpacker->filter->par_in, packet) == CCOVER_PICTURE_B;
    bool ends = is_filler(packet, is_b);
    bool is_clear = unpacker->has_kept ? frames < 2 && (ends || is_b) : frames <= 2;
    if (!is_clear) {
        return AVERROR_INVALIDDATA;
    }
    unpacker->has_kept = frames == 2 || (unpacker->has_kept && !ends);
    // A packet without a buffer would end the stream.
    int code = packet->data ? 0 : av_grow_packet(packet, 0);
    if (code >= 0) {
        code = av_bsf_send_packet(unpacker->filter, packet);
    }
    return code < 0 ? code : av_bsf_receive_packet(unpacker->filter, packet);
}
