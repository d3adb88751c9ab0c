// The lower bound for a cover: a loop over the same libraries with every possible shortcut.
//
//     make .build/bench/bin/bare_loop
//     find CLIPS -type f -print0 | .build/bench/bin/bare_loop [-q] JOBS PIXELS FOLDER
//
// If the header does not suffice, libavformat's stream info is read. With -q it never is: packets before the first key
// frame are skipped, the first one is decoded alone, and decoders that can do so decode a frame with halved sides, down
// to the size of the cover. Some of its frames are wrong.
//
// Standard input contains the NUL-terminated paths of the clips, which JOBS processes share. The first frame of each is
// written to FOLDER/NUMBER.png, fitted into a box of PIXELS (0: full size). At the end one line of JSON reports the
// counts and the seconds of each stage, summed over the processes.
//
// The loop omits checks, sandbox, rotation, square pixels, tone mapping, texts and safe replacement. The scaler has the
// settings of CCover, so that pictures of equal quality are compared.

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <malloc.h>
#include <png.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

// swscale's vector code writes past the end of a row.
enum { MAX_JOBS = 64, MAX_PATH = 4200, ROW_PADDING = 128, MAX_AHEAD = 4, MAX_EARLY = 600 };

typedef enum stage { OPEN, PROBE, DECODE, SCALE, ENCODE, STAGES } stage;

static const char *const stage_names[STAGES] = {"open", "probe", "decode", "scale", "encode"};

// Counters shared by the processes.
typedef struct tally {
    atomic_size_t next;
    atomic_size_t covers;
    atomic_size_t failures;
    _Atomic int64_t nanoseconds[STAGES];
} tally;

typedef struct list {
    char *bytes;
    const char **paths;
    size_t count;
} list;

// The state that a process keeps from clip to clip.
typedef struct worker {
    tally *tally;
    const char *folder;
    int pixels;
    bool is_quick;
    AVPacket *packet;
    AVPacket *ahead[MAX_AHEAD];
    AVFrame *frame;
    struct SwsContext *scaler;
    uint8_t *rows;
    size_t room;
} worker;

typedef struct clip {
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *decoder;
    AVPacket *early;   // read to find the stream; NULL if none was
    AVIOContext *file; // NULL if FFmpeg opened the file itself
} clip;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void spend(worker *worker, stage stage, int64_t *since) {
    int64_t time = now();
    atomic_fetch_add(&worker->tally->nanoseconds[stage], time - *since);
    *since = time;
}

static AVStream *first_video(const AVFormatContext *format) {
    for (unsigned i = 0; i < format->nb_streams; i++) {
        AVStream *stream = format->streams[i];
        bool is_artwork = (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
        if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !is_artwork) {
            return stream;
        }
    }
    return NULL;
}

// Whether each packet is a complete picture with its presentation time.
static bool holds_whole_pictures(const AVFormatContext *format) {
    return strcmp(format->iformat->name, "mov,mp4,m4a,3gp,3g2,mj2") == 0 ||
           strcmp(format->iformat->name, "matroska,webm") == 0;
}

// Whether the header contains what the decoder needs, by the same rule as in CCover.
static bool header_suffices(const AVFormatContext *format, const AVStream *stream) {
    if (stream && (strcmp(format->iformat->name, "h264") == 0 || strcmp(format->iformat->name, "hevc") == 0)) {
        return true;
    }
    if (!stream || !holds_whole_pictures(format) || stream->codecpar->width <= 0 || stream->codecpar->height <= 0) {
        return false;
    }
    const AVCodecDescriptor *codec = avcodec_descriptor_get(stream->codecpar->codec_id);
    if (codec && (codec->props & AV_CODEC_PROP_INTRA_ONLY) != 0) {
        return true;
    }
    switch (stream->codecpar->codec_id) {
    case AV_CODEC_ID_H264:
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_MPEG4:
        return stream->codecpar->extradata_size > 0;
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_AV1:
        return true;
    default:
        return false;
    }
}

// Reads until the first video stream and its codec are known, and keeps the last packet.
static bool find_stream(clip *clip) {
    const AVStream *stream;
    for (int i = 0; i < MAX_EARLY; i++) {
        stream = first_video(clip->format);
        if (stream && stream->codecpar->codec_id != AV_CODEC_ID_NONE) {
            return true;
        }
        if (!clip->early && !(clip->early = av_packet_alloc())) {
            exit(2);
        }
        av_packet_unref(clip->early);
        if (av_read_frame(clip->format, clip->early) < 0) {
            return false;
        }
    }
    return false;
}

// How often the sides of the frame can be halved so that they are not shorter than those of the cover.
static int halvings(const AVCodecParameters *parameters, const AVCodec *codec, int pixels) {
    int times = 0, longer = parameters->width > parameters->height ? parameters->width : parameters->height;
    bool is_interlaced = codec->id == AV_CODEC_ID_DVVIDEO || codec->id == AV_CODEC_ID_MPEG2VIDEO;
    while (pixels > 0 && !is_interlaced && times < codec->max_lowres && longer >> (times + 1) >= pixels) {
        times++;
    }
    return times;
}

static bool open_decoder(clip *clip, int pixels, bool is_quick) {
    const AVCodecParameters *parameters = clip->stream->codecpar;
    const AVCodec *codec = avcodec_find_decoder(parameters->codec_id);
    clip->decoder = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!clip->decoder || avcodec_parameters_to_context(clip->decoder, parameters) < 0) {
        return false;
    }
    clip->decoder->thread_count = 1;
    clip->decoder->pkt_timebase = clip->stream->time_base;
    int longer = parameters->width > parameters->height ? parameters->width : parameters->height;
    // The size of an elementary stream is unknown until it is decoded.
    if (pixels > 0 && (longer >= 2 * pixels || (is_quick && longer == 0))) {
        clip->decoder->skip_loop_filter = AVDISCARD_ALL;
    }
    clip->decoder->lowres = is_quick ? halvings(parameters, codec, pixels) : 0;
    return avcodec_open2(clip->decoder, codec, NULL) >= 0;
}

// The FFmpeg of the portable archive has no protocol, not even that of files.
static int read_file(void *file, uint8_t *bytes, int size) {
    size_t count = fread(bytes, 1, (size_t)size, file);
    return count > 0 ? (int)count : AVERROR_EOF;
}

static int64_t seek_file(void *file, int64_t offset, int whence) {
    if (whence == AVSEEK_SIZE) {
        struct stat status;
        return fstat(fileno(file), &status) == 0 ? status.st_size : -1;
    }
    return fseeko(file, offset, whence & ~AVSEEK_FORCE) == 0 ? ftello(file) : -1;
}

static bool open_file(clip *clip, const char *path) {
    enum { BUFFER = 32768 };
    FILE *file = fopen(path, "rb");
    uint8_t *buffer = file ? av_malloc(BUFFER) : NULL;
    clip->format = avformat_alloc_context();
    clip->file = buffer ? avio_alloc_context(buffer, BUFFER, 0, file, read_file, NULL, seek_file) : NULL;
    if (!clip->file || !clip->format) {
        return false;
    }
    setvbuf(file, NULL, _IONBF, 0);
    clip->format->pb = clip->file;
    return true;
}

static void close_file(clip *clip) {
    if (clip->file) {
        fclose(clip->file->opaque);
        av_freep(&clip->file->buffer);
        avio_context_free(&clip->file);
    }
}

static bool open_clip(worker *worker, clip *clip, const char *path, int64_t *time) {
    char url[MAX_PATH];
    // Without this protocol, a colon in the name would mark a protocol.
    if (snprintf(url, sizeof(url), "file:%s", path) >= (int)sizeof(url)) {
        return false;
    }
    bool is_ready = avio_find_protocol_name(url) || open_file(clip, path);
    bool is_open = is_ready && avformat_open_input(&clip->format, url, NULL, NULL) >= 0;
    spend(worker, OPEN, time);
    if (!is_open) {
        return false;
    }
    if (worker->is_quick) {
        bool is_found = find_stream(clip);
        spend(worker, PROBE, time);
        if (!is_found) {
            return false;
        }
    } else if (!header_suffices(clip->format, first_video(clip->format))) {
        bool is_read = avformat_find_stream_info(clip->format, NULL) >= 0;
        spend(worker, PROBE, time);
        if (!is_read) {
            return false;
        }
    }
    clip->stream = first_video(clip->format);
    for (unsigned i = 0; i < clip->format->nb_streams; i++) {
        if (clip->format->streams[i] != clip->stream) {
            clip->format->streams[i]->discard = AVDISCARD_ALL;
        }
    }
    return clip->stream != NULL;
}

// Reads the next packet of the stream; returns false at the end.
static bool next_packet(clip *clip, AVPacket *packet) {
    if (clip->early && clip->early->data && clip->early->stream_index == clip->stream->index) {
        av_packet_move_ref(packet, clip->early);
        return true;
    }
    while (av_read_frame(clip->format, packet) >= 0) {
        if (packet->stream_index == clip->stream->index) {
            return true;
        }
        av_packet_unref(packet);
    }
    return false;
}

// Whether the first packet is a key frame and is presented before all other packets read.
static bool first_is_shown_first(AVPacket *const *packets, int count) {
    bool result = count > 0 && (packets[0]->flags & AV_PKT_FLAG_KEY) != 0 &&
                  (packets[0]->flags & AV_PKT_FLAG_DISCARD) == 0 && packets[0]->pts != AV_NOPTS_VALUE;
    for (int i = 1; i < count; i++) {
        result = result && packets[i]->pts != AV_NOPTS_VALUE && packets[i]->pts > packets[0]->pts;
    }
    return result;
}

// Whether a packet may hold a single field instead of a whole frame.
static bool may_hold_fields(const clip *clip) {
    return clip->decoder->codec_id == AV_CODEC_ID_H264 && !holds_whole_pictures(clip->format);
}

// Decodes the first key frame, or the first frame if there is no key frame, alone if possible.
static bool decode_key_frame(worker *worker, clip *clip) {
    bool is_key = false;
    for (int i = 0; i < MAX_EARLY && !is_key && next_packet(clip, worker->packet); i++) {
        is_key = (worker->packet->flags & AV_PKT_FLAG_KEY) != 0;
        if (!is_key) {
            av_packet_unref(worker->packet);
        }
    }
    // Before the start of an edit list, frames are decoded but not shown.
    bool is_alone = is_key && (worker->packet->flags & AV_PKT_FLAG_DISCARD) == 0;
    int code;
    do {
        avcodec_send_packet(clip->decoder, worker->packet);
        av_packet_unref(worker->packet);
        code = avcodec_receive_frame(clip->decoder, worker->frame);
        if (code == AVERROR(EAGAIN) && may_hold_fields(clip) && next_packet(clip, worker->packet)) {
            avcodec_send_packet(clip->decoder, worker->packet);
            av_packet_unref(worker->packet);
            code = avcodec_receive_frame(clip->decoder, worker->frame);
        }
        if (code == AVERROR(EAGAIN) && is_alone) {
            avcodec_send_packet(clip->decoder, NULL);
            code = avcodec_receive_frame(clip->decoder, worker->frame);
            avcodec_flush_buffers(clip->decoder);
        }
    } while (code < 0 && next_packet(clip, worker->packet));
    return code >= 0;
}

// Some decoders hold back the first frame until they have seen later ones. If the timestamps show that it is presented
// first, the decoder is drained after its first packet, as in CCover.
static bool decode_first(worker *worker, clip *clip) {
    if (worker->is_quick) {
        return decode_key_frame(worker, clip);
    }
    enum AVCodecID codec = clip->decoder->codec_id;
    bool holds_back = codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_MPEG4;
    int most = holds_back && holds_whole_pictures(clip->format) ? MAX_AHEAD : 0, count = 0;
    while (count < most && next_packet(clip, worker->ahead[count])) {
        count++;
    }
    bool is_alone = first_is_shown_first(worker->ahead, count);
    int code, sent = 0;
    while ((code = avcodec_receive_frame(clip->decoder, worker->frame)) == AVERROR(EAGAIN)) {
        AVPacket *next = NULL;
        if (sent < (is_alone ? 1 : count)) {
            next = worker->ahead[sent++];
        } else if (!is_alone && next_packet(clip, worker->packet)) {
            next = worker->packet;
        }
        avcodec_send_packet(clip->decoder, next);
        av_packet_unref(worker->packet);
    }
    for (int i = 0; i < count; i++) {
        av_packet_unref(worker->ahead[i]);
    }
    return code >= 0;
}

// The size of the cover: fitted into the box, never scaled up.
static void fit(const AVFrame *frame, int pixels, int *width, int *height) {
    int longer = frame->width > frame->height ? frame->width : frame->height;
    int64_t box = pixels > 0 && pixels < longer ? pixels : longer;
    *width = (int)((frame->width * box + longer / 2) / longer);
    *height = (int)((frame->height * box + longer / 2) / longer);
    *width = *width > 0 ? *width : 1;
    *height = *height > 0 ? *height : 1;
}

// Sets the matrix and range of the frame, so that the colours are right.
static void set_colours(struct SwsContext *scaler, const AVFrame *frame) {
    int *from, *to, from_range, to_range, brightness, contrast, saturation;
    if (sws_getColorspaceDetails(scaler, &from, &from_range, &to, &to_range, &brightness, &contrast,
                                 &saturation) >= 0) {
        const int *matrix = sws_getCoefficients((int)frame->colorspace);
        from_range = from_range || frame->color_range == AVCOL_RANGE_JPEG;
        sws_setColorspaceDetails(scaler, matrix, from_range, matrix, to_range, brightness, contrast, saturation);
    }
}

static bool scale(worker *worker, int width, int height, int stride) {
    const AVFrame *frame = worker->frame;
    bool is_full_size = width == frame->width || height == frame->height;
    size_t needed = (size_t)stride * (size_t)height;
    if (needed > worker->room) {
        free(worker->rows);
        worker->rows = malloc(needed);
        worker->room = worker->rows ? needed : 0;
    }
    worker->scaler = sws_getCachedContext(worker->scaler, frame->width, frame->height, frame->format, width, height,
                                          AV_PIX_FMT_RGB24, SWS_BICUBIC | (is_full_size ? 0 : SWS_FULL_CHR_H_INT),
                                          NULL, NULL, NULL);
    if (!worker->scaler || !worker->rows) {
        return false;
    }
    set_colours(worker->scaler, frame);
    uint8_t *planes[4] = {worker->rows};
    int strides[4] = {stride};
    return sws_scale(worker->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes,
                     strides) >= 0;
}

// Run-length encoding with a single filter. On an error, libpng's own handlers end the process, which is right here.
static bool encode(const worker *worker, size_t number, int width, int height, int stride) {
    char path[MAX_PATH];
    snprintf(path, sizeof(path), "%s/%zu.png", worker->folder, number);
    FILE *file = fopen(path, "wb");
    png_structp png = file ? png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL) : NULL;
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        perror(path);
        exit(2);
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_strategy(png, Z_RLE);
    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        png_write_row(png, worker->rows + (size_t)y * (size_t)stride);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return fclose(file) == 0;
}

static bool make_cover(worker *worker, const char *path, size_t number) {
    int64_t time = now();
    clip clip = {0};
    bool is_made = open_clip(worker, &clip, path, &time);
    if (is_made) {
        is_made = open_decoder(&clip, worker->pixels, worker->is_quick) && decode_first(worker, &clip);
        spend(worker, DECODE, &time);
    }
    if (is_made) {
        int width, height;
        fit(worker->frame, worker->pixels, &width, &height);
        int stride = width * 3 + ROW_PADDING;
        is_made = scale(worker, width, height, stride);
        spend(worker, SCALE, &time);
        is_made = is_made && encode(worker, number, width, height, stride);
        spend(worker, ENCODE, &time);
    }
    av_frame_unref(worker->frame);
    avcodec_free_context(&clip.decoder);
    av_packet_free(&clip.early);
    avformat_close_input(&clip.format);
    close_file(&clip);
    return is_made;
}

static void work(worker *worker, const list *list) {
    worker->packet = av_packet_alloc();
    worker->frame = av_frame_alloc();
    bool has_packets = worker->packet != NULL;
    for (int i = 0; i < MAX_AHEAD; i++) {
        worker->ahead[i] = av_packet_alloc();
        has_packets = has_packets && worker->ahead[i];
    }
    if (!has_packets || !worker->frame) {
        exit(2);
    }
    for (size_t at; (at = atomic_fetch_add(&worker->tally->next, 1)) < list->count;) {
        bool is_made = make_cover(worker, list->paths[at], at);
        atomic_fetch_add(is_made ? &worker->tally->covers : &worker->tally->failures, 1);
    }
    sws_freeContext(worker->scaler);
    free(worker->rows);
    av_frame_free(&worker->frame);
    av_packet_free(&worker->packet);
    for (int i = 0; i < MAX_AHEAD; i++) {
        av_packet_free(&worker->ahead[i]);
    }
}

static list read_list(void) {
    list list = {0};
    size_t room = 0, used = 0;
    for (size_t count = 1; count > 0; used += count) {
        if (used + 1 >= room) {
            room = room * 2 + 65536;
            list.bytes = realloc(list.bytes, room);
        }
        count = list.bytes ? fread(list.bytes + used, 1, room - used - 1, stdin) : 0;
    }
    list.paths = list.bytes ? calloc(used + 1, sizeof(*list.paths)) : NULL;
    if (!list.paths) {
        perror("bare_loop: the list");
        exit(2);
    }
    list.bytes[used] = '\0';
    for (size_t at = 0; at < used; at += strlen(list.bytes + at) + 1) {
        list.paths[list.count++] = list.bytes + at;
    }
    return list;
}

static void print_tally(const tally *tally) {
    printf("{\"covers\":%zu,\"failures\":%zu,\"seconds\":{", tally->covers, tally->failures);
    for (int i = 0; i < STAGES; i++) {
        printf("%s\"%s\":%.6f", i > 0 ? "," : "", stage_names[i], (double)tally->nanoseconds[i] / 1e9);
    }
    printf("}}\n");
}

int main(int argc, char **argv) {
    bool is_quick = argc > 1 && strcmp(argv[1], "-q") == 0;
    argv += is_quick;
    argc -= is_quick;
    int jobs = argc == 4 ? atoi(argv[1]) : 0;
    if (jobs < 1 || jobs > MAX_JOBS) {
        fprintf(stderr, "usage: bare_loop [-q] JOBS PIXELS FOLDER, with paths on standard input, each ended by NUL\n");
        return 64;
    }
    list list = read_list();
    tally *tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED) {
        perror("bare_loop: memory");
        return 2;
    }
    // As in the decoder, memory is kept for the next clip instead of being returned to the kernel.
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 96 << 20);
    av_log_set_level(AV_LOG_QUIET);
    worker worker = {.tally = tally, .folder = argv[3], .pixels = atoi(argv[2]), .is_quick = is_quick};
    for (int i = 1; i < jobs; i++) {
        pid_t child = fork();
        if (child < 0) {
            perror("bare_loop: fork");
            return 2;
        }
        if (child == 0) {
            work(&worker, &list);
            return 0;
        }
    }
    work(&worker, &list);
    bool is_well = true;
    for (int status; wait(&status) > 0;) {
        is_well = is_well && status == 0;
    }
    print_tally(tally);
    free(list.paths);
    free(list.bytes);
    return is_well ? 0 : 2;
}
