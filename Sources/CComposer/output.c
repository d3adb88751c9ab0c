// FFmpeg's I/O for writing: to a descriptor, so that FFmpeg never sees a file name.

#include "output.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <string.h>
#include <unistd.h>

enum { WRITE_BUFFER_BYTES = 1 << 20 };

// FFmpeg 7 made the buffer of this callback constant.
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written_byte;
#else
typedef uint8_t written_byte;
#endif

static int write_bytes(void *opaque, written_byte *buffer, int length) {
    ccomposer_output *output = opaque;
    for (int written = 0; written < length;) {
        ssize_t count = pwrite(output->descriptor, buffer + written, (size_t)(length - written),
                               output->position + written);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            output->write_errno = count < 0 ? errno : EIO;
            return AVERROR(output->write_errno);
        }
        written += (int)count;
    }
    output->position += length;
    output->size = FFMAX(output->size, output->position);
    return length;
}

static int64_t seek_to(void *opaque, int64_t offset, int whence) {
    ccomposer_output *output = opaque;
    return ccover_move_position(&output->position, output->size, offset, whence);
}

AVIOContext *ccomposer_output_open(ccomposer_output *output, int descriptor) {
    *output = (ccomposer_output){.descriptor = descriptor};
    uint8_t *buffer = av_malloc(WRITE_BUFFER_BYTES);
    AVIOContext *io =
        buffer ? avio_alloc_context(buffer, WRITE_BUFFER_BYTES, 1, output, NULL, write_bytes, seek_to) : NULL;
    if (!io) {
        av_free(buffer);
    }
    return io;
}

// MARK: Reading back

// A muxer that moves the index to the front opens the output once more to read it.
static int open_reader(AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)url, (void)options;
    const ccomposer_output *output = format->opaque;
    *io = NULL;
    if ((flags & AVIO_FLAG_READ_WRITE) != AVIO_FLAG_READ) {
        return AVERROR(EACCES);
    }
    ccover_input *input = av_mallocz(sizeof(*input));
    *io = input ? ccover_input_open(input, output->descriptor) : NULL;
    if (!*io) {
        av_free(input);
        return AVERROR(ENOMEM);
    }
    return 0;
}

static int close_reader(AVFormatContext *format, AVIOContext *io) {
    (void)format;
    if (io) {
        av_freep(&io->opaque);
        ccover_close_io(&io);
    }
    return 0;
}

int ccomposer_fail_to_write(const ccomposer_output *output, int code, ccover_error *error) {
    if (code == AVERROR(ENOMEM)) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX);
    }
    if (output->write_errno != 0) {
        return ccover_explain(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_INPUT_OUTPUT, AVERROR(output->write_errno),
                              "cannot write the video: %s", strerror(output->write_errno));
    }
    return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_DAMAGED, code, "its packets cannot be stored");
}

// MARK: The muxer

const ccomposer_names ccomposer_containers[CCOMPOSER_CONTAINERS] = {
    [CCOMPOSER_MP4] = {"mp4", "MP4", ".mp4"},
    [CCOMPOSER_MOV] = {"mov", "MOV", ".mov"},
    [CCOMPOSER_MATROSKA] = {"matroska", "Matroska", ".mkv"},
    [CCOMPOSER_WEBM] = {"webm", "WebM", ".webm"},
};

const AVOutputFormat *ccomposer_format_of(ccomposer_container container) {
    bool is_valid = (size_t)container < CCOMPOSER_CONTAINERS;
    return is_valid ? av_guess_format(ccomposer_containers[container].muxer, NULL, NULL) : NULL;
}

int ccomposer_create_muxer(ccomposer_container container, ccomposer_output *output, AVIOContext *io,
                           AVFormatContext **muxer, ccover_error *error) {
    const AVOutputFormat *format = ccomposer_format_of(container);
    if (!format) {
        return ccover_fail(error, CCOVER_STAGE_MUX, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           "the installed FFmpeg cannot write this container");
    }
    if (avformat_alloc_output_context2(muxer, format, NULL, "") < 0) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_MUX);
    }
    // It may read what it has written, and open nothing else.
    (*muxer)->flags |= AVFMT_FLAG_CUSTOM_IO;
    (*muxer)->io_open = open_reader;
    (*muxer)->io_close2 = close_reader;
    (*muxer)->opaque = output;
    (*muxer)->pb = io;
    // No versions and random numbers, so that the same clips always give the same bytes.
    (*muxer)->flags |= AVFMT_FLAG_BITEXACT;
    // Nobody reads the file while it is written, so packets are collected.
    (*muxer)->flags &= ~AVFMT_FLAG_FLUSH_PACKETS;
    (*muxer)->flush_packets = 0;
    // FLAC in MP4, which FFmpeg 5 and 6 call experimental.
    (*muxer)->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    return 0;
}
