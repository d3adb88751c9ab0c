// Which container a clip has, by the names of FFmpeg's demuxers.

#include "Demuxing/demuxing.h"

#include <string.h>

bool ccover_is_container(const ccover_demuxer *demuxer, const char *name) {
    return strcmp(demuxer->container->name, name) == 0;
}

bool ccover_is_movie(const AVFormatContext *format) {
    return strcmp(format->iformat->name, CCOVER_MOVIE) == 0;
}

bool ccover_is_matroska(const AVFormatContext *format) {
    return strcmp(format->iformat->name, CCOVER_MATROSKA) == 0;
}

bool ccover_is_mpeg_stream(const AVFormatContext *format) {
    return strcmp(format->iformat->name, "mpegts") == 0 || strcmp(format->iformat->name, "mpeg") == 0;
}

bool ccover_holds_whole_pictures(const AVFormatContext *format) {
    return ccover_is_movie(format) || ccover_is_matroska(format);
}
