// What is special about containers, by the names of FFmpeg's demuxers. Packaging/check-log-lines looks for the texts of
// log lines in the libraries.

#include "Demuxing/demuxing.h"

#include <string.h>

static const ccover_container containers[] = {
    {.name = ""}, // any other
    {CCOVER_MOVIE, .holds_whole_pictures = 1, .signature = {4, 4}, .losses = {"stream %d, offset 0x%"}},
    {CCOVER_MATROSKA, .is_matroska = 1, .holds_whole_pictures = 1, .shows_damage_late = 1, .signature = {0, 4},
     .losses = {"0x00 at pos %", "Length %d indicated by an EBML number's first byte", "Invalid length 0x%",
                "Invalid element", "Element at 0x%", "Element with ID 0x%", "Unknown-sized element at 0x%",
                "Found unknown-length element with ID 0x%", "Unknown element %", "File ended prematurely",
                "Invalid track number %", "Error parsing frame sizes."}},
    {"mpegts", .is_mpeg_stream = 1, .signature = {0, 4}},
    {"mpeg", .is_mpeg_stream = 1, .signature = {0, 4}},
    {"avi", .signature = {8, 4}},
    {"asf", .shows_damage_late = 1, .signature = {0, 16},
     .losses = {"ff asf bad ", "invalid packet_length %", "invalid padsize %", "invalid packet header length %d",
                "packet_obj_size %d invalid", "packet_replic_size ", "packet_frag_size is invalid",
                "packet fragment position invalid %u"}},
    {"flv", .signature = {0, 9}, .losses = {"Packet mismatch %d %d %"}},
    {"live_flv", .signature = {0, 9}, .losses = {"Packet mismatch %d %d %"}},
    // The signature includes the flag of the first page.
    {"ogg", .signature = {0, 6}, .losses = {"CRC mismatch!", "Invalid Ogg vers!"}},
    {"mxf", .signature = {0, 14}, .losses = {"cannot find current edit unit for stream %d"}},
    {"gxf", .signature = {0, 6}, .losses = {"invalid media packet length"}},
    {"nut", .signature = {0, 16},
     .losses = {"Last frame must have been damaged %", "frame size > 2max_distance and no checksum",
                "header_idx invalid", "sync point checksum mismatch"}},
    {"rm", .signature = {0, 4},
     .losses = {"Impossibly sized packet", "cur slice %d, too large", "outside videobufsize"}},
    {"wtv", .signature = {0, 16}},
    {"ivf", .shows_damage_late = 1, .signature = {0, 8}},
    {"gif", .signature = {0, 4}},
    {"yuv4mpegpipe", .shows_damage_late = 1, .signature = {0, 9}},
    {"h261", .raw = CCOVER_RAW_H261, .is_raw = 1},
    {"h263", .raw = CCOVER_RAW_H263, .is_raw = 1},
    {"h264", .raw = CCOVER_RAW_H264, .is_raw = 1, .has_no_times = 1},
    {"hevc", .raw = CCOVER_RAW_HEVC, .is_raw = 1, .has_no_times = 1},
    {"mpegvideo", .raw = CCOVER_RAW_MPEG, .is_raw = 1, .has_no_times = 1},
    {"m4v", .raw = CCOVER_RAW_MPEG4, .is_raw = 1, .has_no_times = 1},
    {"mjpeg", .raw = CCOVER_RAW_MJPEG, .is_raw = 1},
    {"obu", .raw = CCOVER_RAW_OBU, .is_raw = 1},
    {"vc1", .raw = CCOVER_RAW_VC1, .is_raw = 1},
    {"dirac", .raw = CCOVER_RAW_DIRAC, .is_raw = 1, .has_no_times = 1},
    {"cavsvideo", .raw = CCOVER_RAW_CAVS, .is_raw = 1},
    {"dv", .raw = CCOVER_RAW_DV},
    {"mp3", .least_score = 2},
    {"tedcaptions", .least_score = AVPROBE_SCORE_MAX + 1},
    {"lrc", .least_score = AVPROBE_SCORE_MAX + 1},
};

const ccover_container *ccover_container_of(const AVInputFormat *format) {
    for (size_t i = 1; format && i < FF_ARRAY_ELEMS(containers); i++) {
        if (strcmp(containers[i].name, format->name) == 0) {
            return &containers[i];
        }
    }
    return &containers[0];
}

const AVInputFormat *ccover_raw_demuxer(ccover_raw_format format) {
    for (size_t i = 1; i < FF_ARRAY_ELEMS(containers) && format != CCOVER_RAW_NONE; i++) {
        if (containers[i].raw == format) {
            return av_find_input_format(containers[i].name);
        }
    }
    return NULL;
}

bool ccover_is_container(const ccover_demuxer *demuxer, const char *name) {
    return strcmp(demuxer->container->name, name) == 0;
}

bool ccover_is_movie(const AVFormatContext *format) {
    return strcmp(format->iformat->name, CCOVER_MOVIE) == 0;
}
