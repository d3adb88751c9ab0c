// Seeking in an MP4 file with an index of its fragments.
//
// libavformat reads the packets of such a fragment only when a seek or reading leads there. A fragment need not begin
// with a key frame. If a fragment has no key frame before the time, a seek into it leads to the last key frame that
// libavformat knows, and from there directly to the fragment: the fragments in between are left out.

#include "Demuxing/demuxing.h"

bool ccover_lists_fragments(const ccover_demuxer *demuxer) {
    enum { MAX_BOXES = 64 };
    const ccover_input *input = &demuxer->input;
    bool is_found = false;
    ccover_box box = {.end = ccover_is_movie(demuxer->format) ? 0 : input->size};
    for (int i = 0; i < MAX_BOXES && !is_found && ccover_read_box(input, box.end, input->size, &box); i++) {
        is_found = box.type == AV_RB32("sidx") || box.type == AV_RB32("moof");
    }
    return is_found && box.type == AV_RB32("sidx");
}

// Moves the demuxer to the last key frame that it knows and that is not later than `time`. Returns 0 or an AVERROR.
static int seek_to_known(ccover_demuxer *demuxer, int64_t time) {
    ccover_forget_packets(demuxer);
    return avformat_seek_file(demuxer->format, demuxer->stream->index, INT64_MIN, time, time, 0);
}

int ccover_seek_in_fragments(ccover_demuxer *demuxer, int64_t time, int64_t start, int64_t second) {
    const AVPacket *key = NULL;
    int64_t from = time;
    int code = seek_to_known(demuxer, time);
    // Reads the fragment at an earlier time, until a key frame after that time is known.
    for (int64_t back = second / 4; code >= 0; back *= 2) {
        key = ccover_packet_ahead(demuxer, 0);
        bool is_found = !key || key->pts == AV_NOPTS_VALUE || key->pts >= from || from <= start;
        if (is_found || back <= 0 || back > INT64_MAX / 2 || __builtin_sub_overflow(time, back, &from)) {
            break;
        }
        code = seek_to_known(demuxer, FFMAX(from, start));
        code = code < 0 ? code : seek_to_known(demuxer, time);
    }
    // After a seek into the fragment of the key frame, libavformat continues with the fragments that follow it.
    bool is_before = code >= 0 && key && key->pts != AV_NOPTS_VALUE && key->pts <= time;
    return is_before ? seek_to_known(demuxer, key->pts) : code;
}
