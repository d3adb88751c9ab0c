// Reading the packets of a clip that is copied. Some are read ahead, to find out when its video starts.

#include "Remux/remux.h"

#include <libavutil/fifo.h>

// Bounds of the packets held in memory: a stream may have none.
enum { MAX_AHEAD = 600, MAX_AHEAD_BYTES = 32 << 20 };

static ccomposer_reading read_packet(ccover_clip *clip) {
    ccomposer_reading reading = {.packet = av_packet_alloc()};
    int64_t errors = clip->demuxer->container_errors;
    reading.code = reading.packet ? av_read_frame(clip->demuxer->format, reading.packet) : AVERROR(ENOMEM);
    reading.has_errors = clip->demuxer->container_errors > errors;
    return reading;
}

ccomposer_reading ccomposer_read(ccomposer_part *part) {
    ccomposer_reading reading;
    bool was_queued = part->packet_queue && av_fifo_read(part->packet_queue, &reading, 1) >= 0;
    return was_queued ? reading : read_packet(part->clip);
}

void ccomposer_forget_ahead(ccomposer_part *part) {
    ccomposer_reading reading;
    while (part->packet_queue && av_fifo_read(part->packet_queue, &reading, 1) >= 0) {
        av_packet_free(&reading.packet);
    }
    av_fifo_freep2(&part->packet_queue);
}

// Whether the start of a stream has to be found in its packets. That of sound is wrong only if it is unknown.
static bool needs_search(const AVStream *stream) {
    enum AVMediaType type = stream->codecpar->codec_type;
    return (type == AVMEDIA_TYPE_VIDEO && !ccover_is_artwork(stream)) ||
           (type == AVMEDIA_TYPE_AUDIO && stream->start_time == AV_NOPTS_VALUE);
}

int ccomposer_find_starts(ccomposer_part *part) {
    ccover_start_search searches[CCOMPOSER_MAX_STREAMS];
    bool is_open[CCOMPOSER_MAX_STREAMS];
    int open = 0;
    int64_t bytes = 0;
    for (int i = 0; i < part->stream_count; i++) {
        searches[i] = ccover_start_search_of(part->streams[i]);
        is_open[i] = needs_search(part->streams[i]);
        open += is_open[i];
    }
    part->packet_queue = av_fifo_alloc2(MAX_AHEAD, sizeof(ccomposer_reading), 0);
    while (part->packet_queue && open > 0 && av_fifo_can_write(part->packet_queue) > 0 && bytes < MAX_AHEAD_BYTES) {
        ccomposer_reading reading = read_packet(part->clip);
        av_fifo_write(part->packet_queue, &reading, 1);
        if (reading.code < 0) {
            break;
        }
        int number = ccomposer_output_stream(part, reading.packet);
        if (number >= 0 && is_open[number] && !ccover_search_start(&searches[number], reading.packet)) {
            is_open[number] = false;
            open -= 1;
        }
        bytes += reading.packet->size;
    }
    return part->packet_queue ? 0 : AVERROR(ENOMEM);
}
