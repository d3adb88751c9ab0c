// Packed MPEG-4, as written into AVI by DivX and Xvid.
//
// The programs for which AVI was made show one frame for each packet that they decode, and a B-frame can only be
// decoded after the reference that follows it. So encoders store both in one packet. Where the reference is shown, they
// write a filler: a frame that is not coded. Other containers have one frame in each packet.

#include "Remux/remux.h"

#include <errno.h>
#include <libavutil/intreadwrite.h>
#include <string.h>

enum { START_CODE_BYTES = 4 };
// The largest packets that only repeat a frame, and that are known by their size alone.
enum { MAX_FILLER_BYTES = 19, CERTAIN_FILLER_BYTES = 7 };
enum { USER_DATA = 0x1b2, VOP = 0x1b6 };

// Returns the position of the next start code of this kind, or the size if the data has no more.
static int find(const uint8_t *data, int size, int from, uint32_t code) {
    for (int i = from; i + START_CODE_BYTES < size; i++) {
        if (data[i] == 0 && AV_RB32(data + i) == code) {
            return i;
        }
    }
    return size;
}

static int type_at(const uint8_t *data) {
    return data[START_CODE_BYTES] >> 6;
}

// MARK: The mark of packed streams

// Returns the position of the letter with which DivX's user data says that frames are packed, or -1.
static int find_mark(const uint8_t *data, int size, int end) {
    static const char name[] = "DivX";
    enum { NAME = sizeof(name) - 1, MAX_TEXT = 64 };
    for (int at = find(data, end, 0, USER_DATA); at < end; at = find(data, end, at + START_CODE_BYTES, USER_DATA)) {
        int text = at + START_CODE_BYTES;
        if (size - text <= NAME || memcmp(data + text, name, NAME) != 0) {
            continue;
        }
        for (int i = text + NAME; i < FFMIN(size, text + MAX_TEXT) && data[i] >= ' '; i++) {
            bool is_end = i + 1 == size || data[i + 1] < ' ';
            if (data[i] == 'p' && is_end) {
                return i;
            }
        }
    }
    return -1;
}

// Removes the mark from a packet whose first frame is at `end`.
static int remove_mark(AVPacket *packet, int end) {
    int mark = find_mark(packet->data, packet->size, end);
    int code = mark >= 0 ? av_packet_make_writable(packet) : 0;
    if (mark >= 0 && code >= 0) {
        packet->data[mark] = '\0';
    }
    return code;
}

int ccomposer_open_unpacker(ccomposer_unpacker *unpacker, AVCodecParameters *parameters) {
    unpacker->packed = av_packet_alloc();
    int mark = find_mark(parameters->extradata, parameters->extradata_size, parameters->extradata_size);
    if (mark >= 0) {
        parameters->extradata[mark] = '\0';
    }
    return unpacker->packed ? 0 : AVERROR(ENOMEM);
}

void ccomposer_close_unpacker(ccomposer_unpacker *unpacker) {
    av_packet_free(&unpacker->packed);
}

// MARK: Unpacking

// Whether a packet after a packed one only repeats a frame: it is a reference that is not coded.
static bool is_filler(const AVPacket *packet) {
    return packet->size <= CERTAIN_FILLER_BYTES ||
           (packet->size <= MAX_FILLER_BYTES && ccover_vop_type(packet) != CCOVER_VOP_B);
}

// Keeps what follows the first frame of a packet for the next one.
static int split(ccomposer_unpacker *unpacker, AVPacket *packet, int second) {
    int code = av_packet_ref(unpacker->packed, packet);
    if (code >= 0) {
        unpacker->packed->data += second;
        unpacker->packed->size -= second;
        packet->size = second;
    }
    return code;
}

// Replaces the frame of a packet by the kept frame. The frame of the packet is kept in turn, unless it is a filler.
static int exchange(ccomposer_unpacker *unpacker, AVPacket *packet) {
    AVPacket *kept = av_packet_alloc();
    if (!kept) {
        return AVERROR(ENOMEM);
    }
    av_packet_move_ref(kept, unpacker->packed);
    int code = is_filler(packet) ? 0 : av_packet_ref(unpacker->packed, packet);
    kept->dts = packet->dts;
    kept->duration = packet->duration;
    kept->stream_index = packet->stream_index;
    kept->flags = packet->flags & ~AV_PKT_FLAG_KEY;
    av_packet_unref(packet);
    av_packet_move_ref(packet, kept);
    av_packet_free(&kept);
    return code;
}

int ccomposer_unpack(ccomposer_unpacker *unpacker, AVPacket *packet) {
    int first = find(packet->data, packet->size, 0, VOP);
    int second = find(packet->data, packet->size, first + START_CODE_BYTES, VOP);
    int third = find(packet->data, packet->size, second + START_CODE_BYTES, VOP);
    bool has_kept = unpacker->packed->size > 0;
    int code = remove_mark(packet, first);
    if (code < 0) {
        return code;
    }
    if (second < packet->size) {
        bool is_clear = third >= packet->size && !has_kept && type_at(packet->data + second) == CCOVER_VOP_B;
        return is_clear ? split(unpacker, packet, second) : AVERROR_INVALIDDATA;
    }
    if (!has_kept) {
        return 0;
    }
    bool is_clear = is_filler(packet) || ccover_vop_type(packet) == CCOVER_VOP_B;
    return is_clear ? exchange(unpacker, packet) : AVERROR_INVALIDDATA;
}
