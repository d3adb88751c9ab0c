// When frames are shown, where a container gives only the times at which they are decoded.

#ifndef CCOMPOSER_ORDER_H
#define CCOMPOSER_ORDER_H

#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stdint.h>

// order.c

typedef struct ccomposer_order ccomposer_order;

// Whether the frames of a stream may be decoded and shown in different orders, and the container gives only the first.
bool ccomposer_lacks_order(const AVFormatContext *format, const AVStream *stream);
// Prepares to find the order of the frames of a stream, from whose header the mark of packed streams is removed.
// Returns 0 or an AVERROR.
int ccomposer_open_order(AVStream *stream, ccomposer_order **order);
void ccomposer_close_order(ccomposer_order **order);
// Takes the data of a packet. Returns 0 or an AVERROR; AVERROR_INVALIDDATA if the order cannot be determined.
int ccomposer_send_to_order(ccomposer_order *order, AVPacket *packet);
// Gives times to the frames that are left, because no packet follows.
void ccomposer_end_order(ccomposer_order *order);
// Stores the next packet in the order of the file, with both times. Returns false while its time is unknown.
bool ccomposer_receive_from_order(ccomposer_order *order, AVPacket *packet);

// unpack.c

// Unpacks frames of MPEG-4 that share a packet.
typedef struct ccomposer_unpacker {
    AVBSFContext *filter;
    bool has_kept; // the filter has kept the second frame of a packet
} ccomposer_unpacker;
// Returns 0 or an AVERROR. Changes the parameters of a stream marked as packed.
int ccomposer_open_unpacker(ccomposer_unpacker *unpacker, AVStream *stream);
// Changes a packet to hold only the frame that is decoded at its time. Returns 0 or an AVERROR; AVERROR_INVALIDDATA if
// it is not clear which frame that is.
int ccomposer_unpack(ccomposer_unpacker *unpacker, AVPacket *packet);

#endif
