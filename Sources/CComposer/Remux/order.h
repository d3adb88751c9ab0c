// The PTS of packets in containers that store only a DTS.

#ifndef CCOMPOSER_ORDER_H
#define CCOMPOSER_ORDER_H

#include <libavformat/avformat.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
