// Showing the frames that come before that of the first packet, in MP4 and MOV.
//
// libavformat's muxer writes edit lists that let tracks begin with the frame of their first packet. Frames of the
// packets that follow may be shown earlier, and would be hidden.

#include "Remux/remux.h"

// An edit list with two entries; the first one delays the other. Times are in units of the movie.
typedef struct edit_list {
    ccover_box box;
    int bytes;         // of a number
    int64_t delay, duration;
    int64_t media;     // where the second entry starts, in ticks of the track
} edit_list;

static int64_t first_entry(const edit_list *list) {
    return list->box.body + 8;
}

static int64_t second_entry(const edit_list *list) {
    return first_entry(list) + 2 * list->bytes + 4;
}

static bool read_list(const ccover_input *input, const ccover_box *track, edit_list *list) {
    if (!ccover_find_inner_box(input, track, "edts/elst", &list->box)) {
        return false;
    }
    list->bytes = ccover_read_number(input, list->box.body, 1) == 1 ? 8 : 4;
    list->delay = ccover_read_number(input, first_entry(list), list->bytes);
    list->duration = ccover_read_number(input, second_entry(list), list->bytes);
    list->media = ccover_read_number(input, second_entry(list) + list->bytes, list->bytes);
    // A delay has a time of -1, which is read as the largest number.
    int64_t none = list->bytes == 8 ? INT64_MAX : UINT32_MAX;
    return ccover_read_number(input, list->box.body + 4, 4) == 2 && list->delay > 0 && list->duration >= 0 &&
           list->media >= 0 && ccover_read_number(input, first_entry(list) + list->bytes, list->bytes) == none;
}

static void write_number(AVIOContext *io, int64_t number, int bytes) {
    if (bytes == 8) {
        avio_wb64(io, (uint64_t)number);
    } else {
        avio_wb32(io, (unsigned)number);
    }
}

// Overwrites the list that was read. Without a delay, the new list has a single entry, and a free box follows it.
static void write_list(AVIOContext *io, const edit_list *list) {
    enum { NORMAL_RATE = 0x10000, BOX_HEADER = 8 };
    int entry = 2 * list->bytes + 4;
    bool is_delayed = list->delay > 0;
    if (!is_delayed) {
        avio_seek(io, list->box.start, SEEK_SET);
        avio_wb32(io, (unsigned)(list->box.size - entry));
        avio_seek(io, list->box.body + 4, SEEK_SET);
        avio_wb32(io, 1);
    }
    avio_seek(io, first_entry(list), SEEK_SET);
    if (is_delayed) {
        write_number(io, list->delay, list->bytes);
        write_number(io, -1, list->bytes);
        avio_wb32(io, NORMAL_RATE);
    }
    write_number(io, list->duration, list->bytes);
    write_number(io, list->media, list->bytes);
    avio_wb32(io, NORMAL_RATE);
    if (!is_delayed) {
        avio_wb32(io, (unsigned)entry);
        avio_wb32(io, AV_RB32("free"));
        for (int i = BOX_HEADER; i < entry; i++) {
            avio_w8(io, 0);
        }
    }
}

// Adds to the duration in the header of the media, which the muxer counts from the frame of the first packet.
static void extend_media(const ccover_input *input, AVIOContext *io, const ccover_box *track, int64_t ticks) {
    ccover_box header;
    if (!ccover_find_inner_box(input, track, "mdia/mdhd", &header)) {
        return;
    }
    bool is_long = ccover_read_number(input, header.body, 1) == 1;
    int64_t position = header.body + (is_long ? 24 : 16);
    int64_t duration = ccover_read_number(input, position, is_long ? 8 : 4);
    if (duration >= 0) {
        avio_seek(io, position, SEEK_SET);
        write_number(io, duration + ticks, is_long ? 8 : 4);
    }
}

void ccomposer_show_leading(const ccomposer_output *output, AVIOContext *io, const AVStream *stream,
                            const ccomposer_times *times) {
    const ccover_input input = {.descriptor = output->descriptor, .is_seekable = true, .size = output->size};
    ccover_box track;
    edit_list list;
    if (!ccover_find_track(&input, stream->index + 1, &track) || !read_list(&input, &track, &list)) {
        return;
    }
    const AVRational unit = {1, CCOMPOSER_MOVIE_SCALE};
    int64_t start = av_rescale_q_rnd(times->first - times->lead, stream->time_base, unit, AV_ROUND_DOWN);
    int64_t delay = FFMIN(FFMAX(start, 0), list.delay);
    list.duration += list.delay - delay;
    list.delay = delay;
    list.media = FFMAX(list.media - times->lead, 0);
    write_list(io, &list);
    extend_media(&input, io, &track, times->lead);
}
