// The state of reading a clip.

#include "Demuxing/demuxing.h"

#include <libavutil/mem.h>

ccover_demuxer *ccover_make_demuxer(int descriptor, const ccover_limits *limits) {
    ccover_demuxer *demuxer = av_mallocz(sizeof(*demuxer));
    if (!demuxer) {
        return NULL;
    }
    demuxer->io = ccover_input_open(&demuxer->input, descriptor);
    demuxer->packet = av_packet_alloc();
    demuxer->kind = ccover_container_of(NULL);
    demuxer->max_pixels = limits->max_pixels;
    demuxer->all_streams = limits->all_streams;
    demuxer->clock.first_time = demuxer->clock.next_dts = demuxer->clock.next_pts = AV_NOPTS_VALUE;
    ccover_stop_clock(demuxer);
    if (!demuxer->io || !demuxer->packet) {
        ccover_free_demuxer(&demuxer);
    }
    return demuxer;
}

int ccover_open_demuxer(ccover_demuxer *demuxer, const ccover_limits *limits, ccover_error *error) {
    int failed = ccover_open_container(demuxer, limits, error);
    failed = failed ? failed : ccover_select_stream(demuxer, limits, error);
    if (failed || !demuxer->stream) {
        return failed;
    }
    demuxer->next_recording = ccover_find_next_recording(demuxer, limits->search_bytes);
    ccover_choose_clock(demuxer);
    ccover_find_encryption(demuxer);
    ccover_find_crop(demuxer);
    ccover_prepare_packets_ahead(demuxer);
    ccover_confirm_clock(demuxer);
    return 0;
}

void ccover_free_demuxer(ccover_demuxer **handle) {
    ccover_demuxer *demuxer = *handle;
    if (!demuxer) {
        return;
    }
    avformat_close_input(&demuxer->format);
    ccover_close_io(&demuxer->io);
    if (demuxer->packet) {
        ccover_forget_packets(demuxer);
    }
    av_packet_free(&demuxer->packet);
    avformat_free_context(demuxer->clock.packets.index);
    av_freep(handle);
}
