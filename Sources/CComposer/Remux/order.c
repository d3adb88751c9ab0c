// The PTS of packets in containers that store only a DTS.
//
// AVI numbers its packets, which gives their DTS. The decoder holds back a fixed number
// of frames, and whenever it gets another one, it shows the first of those that it holds. The order is found in the
// frames: in H.264 by their picture order count, in MPEG-4 by their types. A stream with a frame that would come too
// late cannot be put in order.
//
// By this, all frames are late by what the decoder holds back. The sound is not, so the times of all packets are moved
// back by as much.

#include "Remux/remux.h"

#include <errno.h>
#include <libavcodec/bsf.h>
#include <libavutil/mem.h>
#include <string.h>

// Bounds of what is held in memory until its time is known.
enum { MAX_WAITING = 256, MAX_WAITING_BYTES = 64 << 20 };

// A packet that is held, and the place of its frame in the order of frames.
typedef struct waiting_packet {
    AVPacket *packet;
    int64_t place;
    bool has_time;
} waiting_packet;

// The filter for packed MPEG-4.
typedef struct unpacker {
    AVBSFContext *filter;
    bool has_kept; // the filter has kept the second frame of a packet
} unpacker;

struct ccomposer_order {
    const AVStream *stream;
    int delay;               // the number of frames that the decoder holds before it shows one
    waiting_packet *waiting; // in the order of the file; room for MAX_WAITING
    int count;
    int untimed;             // packets among them without a time
    int64_t bytes;
    int64_t last_place;      // of the last frame that got a time
    int64_t last_time;       // of a packet, moved back
    int64_t sequence;        // H.264: of frames that are numbered together; MPEG-4: the place of the last reference
    int64_t since;           // MPEG-4: frames since then
    AVCodecParserContext *parser; // H.264
    AVCodecContext *context;      // of the parser; it is never opened
    unpacker unpacker;            // MPEG-4
};

// MARK: Packed MPEG-4, as written into AVI by DivX and Xvid
//
// Programs for AVI show one frame for each packet that they decode, and a B-frame can only be
// decoded after the reference that follows it. So encoders store both in one packet. When the reference is shown, they
// write a filler: a frame that is not coded. Other containers have one frame in each packet. FFmpeg's filter unpacks
// the frames. If one is missing, it would take the frame of another packet; such clips are refused here.

// Opens the filter, and removes the mark of packed streams from the parameters. Returns 0 or an AVERROR.
static int open_unpacker(unpacker *unpacker, AVStream *stream) {
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

// Changes a packet to hold only the frame that is decoded at its time. Returns 0 or an AVERROR; AVERROR_INVALIDDATA if
// it is not clear which frame that is.
static int unpack(unpacker *unpacker, AVPacket *packet) {
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

// MARK: Opening

bool ccomposer_lacks_order(const AVFormatContext *format, const AVStream *stream) {
    enum AVCodecID codec = stream->codecpar->codec_id;
    return strcmp(format->iformat->name, "avi") == 0 && (codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_MPEG4);
}

static int open_parser(ccomposer_order *order) {
    order->parser = av_parser_init(AV_CODEC_ID_H264);
    order->context = avcodec_alloc_context3(NULL);
    if (!order->parser || !order->context) {
        return AVERROR(ENOMEM);
    }
    order->parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    return avcodec_parameters_to_context(order->context, order->stream->codecpar);
}

int ccomposer_open_order(AVStream *stream, ccomposer_order **result) {
    ccomposer_order *order = *result = av_mallocz(sizeof(*order));
    if (!order) {
        return AVERROR(ENOMEM);
    }
    const AVCodecParameters *parameters = stream->codecpar;
    order->stream = stream;
    order->delay = FFMIN(FFMAX(parameters->video_delay, 0), CCOMPOSER_MAX_DELAY);
    order->last_place = INT64_MIN;
    order->waiting = av_calloc(MAX_WAITING, sizeof(*order->waiting));
    int code = order->waiting ? 0 : AVERROR(ENOMEM);
    if (code >= 0) {
        code = parameters->codec_id == AV_CODEC_ID_H264 ? open_parser(order)
                                                        : open_unpacker(&order->unpacker, stream);
    }
    if (code < 0) {
        ccomposer_close_order(result);
    }
    return code;
}

void ccomposer_close_order(ccomposer_order **handle) {
    ccomposer_order *order = *handle;
    if (!order) {
        return;
    }
    for (int i = 0; i < order->count; i++) {
        av_packet_free(&order->waiting[i].packet);
    }
    av_freep(&order->waiting);
    av_parser_close(order->parser);
    avcodec_free_context(&order->context);
    av_bsf_free(&order->unpacker.filter);
    av_freep(handle);
}

// MARK: The place of a frame

// Frames of H.264 are numbered from the last IDR picture on. Returns false if the packet holds no frame.
static bool place_by_number(ccomposer_order *order, const AVPacket *packet, int64_t *place) {
    AVCodecParserContext *parser = order->parser;
    uint8_t *data = NULL;
    int size = 0;
    parser->output_picture_number = INT_MIN;
    av_parser_parse2(parser, order->context, &data, &size, packet->data, packet->size, AV_NOPTS_VALUE, packet->dts, -1);
    if (parser->output_picture_number == INT_MIN) {
        return false;
    }
    order->sequence += ccover_picture_kind_of(order->stream->codecpar, packet) == CCOVER_PICTURE_KEY;
    *place = order->sequence * (1LL << 33) + parser->output_picture_number;
    return true;
}

// Frames of MPEG-4 that no other refers to (B-VOPs) are shown before the reference that was decoded last, all others
// after the one before. Returns false if the packet holds no frame.
static bool place_by_type(ccomposer_order *order, const AVPacket *packet, int64_t *place) {
    enum { SPAN = 1 << 20 };
    ccover_picture_kind kind = ccover_picture_kind_of(order->stream->codecpar, packet);
    if (kind == CCOVER_PICTURE_NONE) {
        return false;
    }
    if (kind == CCOVER_PICTURE_B) {
        order->since += 1;
        *place = order->sequence - SPAN + order->since;
        return order->since < SPAN;
    }
    order->sequence += SPAN;
    order->since = 0;
    *place = order->sequence;
    return true;
}

static bool find_place(ccomposer_order *order, const AVPacket *packet, int64_t *place) {
    return order->parser ? place_by_number(order, packet, place) : place_by_type(order, packet, place);
}

// MARK: Times

// Gives a time to the frame, of those that have none, that is shown first.
static void show_next(ccomposer_order *order, int64_t time) {
    waiting_packet *next = NULL;
    for (int i = 0; i < order->count; i++) {
        waiting_packet *one = &order->waiting[i];
        next = !one->has_time && (!next || one->place < next->place) ? one : next;
    }
    next->packet->pts = time;
    next->has_time = true;
    order->last_place = next->place;
    order->untimed -= 1;
}

// Holds a packet, and gives a time to the frame that is shown when the packet is decoded.
static int hold(ccomposer_order *order, AVPacket *packet, int64_t place) {
    if (place <= order->last_place || order->count == MAX_WAITING || order->bytes > MAX_WAITING_BYTES) {
        return AVERROR_INVALIDDATA;
    }
    for (int i = 0; i < order->count; i++) {
        if (order->waiting[i].place == place) {
            return AVERROR_INVALIDDATA;
        }
    }
    AVPacket *copy = av_packet_alloc();
    if (!copy) {
        return AVERROR(ENOMEM);
    }
    av_packet_move_ref(copy, packet);
    order->waiting[order->count++] = (waiting_packet){.packet = copy, .place = place};
    order->untimed += 1;
    order->bytes += copy->size;
    if (order->untimed > order->delay) {
        show_next(order, order->last_time);
    }
    return 0;
}

// Whether a packet is too short for a frame. Encoders write such packets while they hold a frame back.
static bool is_too_short(const AVPacket *packet) {
    enum { LEAST_BYTES = 5 };
    return packet->size < LEAST_BYTES;
}

int ccomposer_send_to_order(ccomposer_order *order, AVPacket *packet) {
    if (packet->dts == AV_NOPTS_VALUE) {
        return AVERROR_INVALIDDATA;
    }
    int64_t place;
    int code = order->parser ? 0 : unpack(&order->unpacker, packet);
    if (code < 0 || is_too_short(packet)) {
        av_packet_unref(packet);
        return code < 0 ? code : 1;
    }
    // A tick of AVI is a frame.
    packet->dts = order->last_time = av_sat_sub64(packet->dts, order->delay);
    packet->pts = AV_NOPTS_VALUE;
    if (find_place(order, packet, &place)) {
        return hold(order, packet, place);
    }
    // The file may end inside this packet.
    bool is_last = (packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    if (order->delay > 0 && !is_last) {
        return AVERROR_INVALIDDATA;
    }
    // Without delay, frames are shown in the order of their packets.
    return is_last ? 1 : hold(order, packet, av_sat_add64(order->last_place, 1));
}

void ccomposer_end_order(ccomposer_order *order) {
    // A clip may have fewer frames than a decoder holds.
    int64_t missing = order->delay - order->untimed;
    for (int64_t i = 1; order->untimed > 0; i++) {
        show_next(order, av_sat_add64(order->last_time, missing + i));
    }
}

bool ccomposer_receive_from_order(ccomposer_order *order, AVPacket *packet) {
    if (order->count == 0 || !order->waiting[0].has_time) {
        return false;
    }
    av_packet_move_ref(packet, order->waiting[0].packet);
    av_packet_free(&order->waiting[0].packet);
    order->bytes -= packet->size;
    order->count -= 1;
    memmove(order->waiting, order->waiting + 1, (size_t)order->count * sizeof(order->waiting[0]));
    return true;
}
