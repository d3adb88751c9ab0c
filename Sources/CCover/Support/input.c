// FFmpeg's I/O: reads and seeks on a descriptor, so that FFmpeg never sees a file name.

#include "Support/support.h"

#include <errno.h>
#include <libavutil/mem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 * 1024 };

// The monotonic clock.
static int64_t now_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

bool ccover_deadline_passed(const ccover_input *input) {
    return input->deadline != 0 && now_microseconds() >= input->deadline;
}

// A descriptor passed over a socket shares its offset with the parent. `pread` neither uses nor moves that, so a retry
// by another decoder reads the same bytes.
static int read_bytes(void *opaque, uint8_t *buffer, int length) {
    ccover_input *input = opaque;
    if (ccover_deadline_passed(input)) {
        return AVERROR_EXIT;
    }
    ssize_t count;
    do {
        count = input->is_seekable ? pread(input->descriptor, buffer, (size_t)length, input->position)
                                   : read(input->descriptor, buffer, (size_t)length);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        input->read_errno = errno;
        return AVERROR(errno);
    }
    if (count == 0) {
        return AVERROR_EOF;
    }
    input->position += count;
    input->bytes_read += count;
    return (int)count;
}

int64_t ccover_move_position(int64_t *position, int64_t size, int64_t offset, int whence) {
    int origin = whence & ~AVSEEK_FORCE;
    if (origin == AVSEEK_SIZE) {
        return size >= 0 ? size : AVERROR(ENOSYS);
    }
    bool is_known = origin == SEEK_SET || origin == SEEK_CUR || origin == SEEK_END;
    int64_t target, base = origin == SEEK_CUR ? *position : origin == SEEK_END ? size : 0;
    if (!is_known || __builtin_add_overflow(base, offset, &target) || target < 0) {
        return AVERROR(EINVAL);
    }
    *position = target;
    return target;
}

static int64_t seek_to(void *opaque, int64_t offset, int whence) {
    ccover_input *input = opaque;
    int64_t target = ccover_move_position(&input->position, input->size, offset, whence);
    bool moves = (whence & ~AVSEEK_FORCE) != AVSEEK_SIZE;
    input->seeks += moves && target >= 0;
    return target;
}

AVIOContext *ccover_input_open(ccover_input *input, int descriptor) {
    struct stat status;
    *input = (ccover_input){.descriptor = descriptor, .size = -1};
    // Many C libraries implement fstat() with a call that can also look up paths, which the decoder's sandbox does not
    // allow. On 64-bit Linux the kernel and the C library use the same struct.
    if (syscall(SYS_fstat, descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
        input->is_seekable = true;
        input->size = status.st_size;
    }
    uint8_t *buffer = av_malloc(BUFFER_BYTES);
    if (!buffer) {
        return NULL;
    }
    AVIOContext *io = avio_alloc_context(buffer, BUFFER_BYTES, 0, input, read_bytes, NULL,
                                         input->is_seekable ? seek_to : NULL);
    if (!io) {
        av_free(buffer);
    }
    return io;
}

void ccover_close_io(AVIOContext **io) {
    if (*io) {
        av_freep(&(*io)->buffer);
        avio_context_free(io);
    }
}

void ccover_limit_time(ccover_input *input, int64_t microseconds) {
    input->deadline = microseconds > 0 ? av_sat_add64(now_microseconds(), microseconds) : 0;
}
