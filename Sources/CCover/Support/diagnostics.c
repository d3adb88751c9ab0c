// Errors: stage, cause, FFmpeg's error code, and a message that ends with FFmpeg's last log line.

#include "Support/support.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// FFmpeg has a single log callback for the whole process. Decoders run in the thread of their caller, so what a thread
// logs is about the clip that it works on. The last line of error level or above is kept, and appended to the message
// of the thread's next failing call.
static pthread_once_t log_once = PTHREAD_ONCE_INIT;
static _Thread_local char last_line[200];
static _Thread_local bool logged_too_many_streams;
// The size of a picture that a line reported as one with more pixels than allowed; 0 without such a line.
static _Thread_local unsigned logged_width, logged_height;

// Removes control characters, and the addresses that FFmpeg prints, which would differ between runs. Returns the
// length.
static size_t clean_line(char *line) {
    size_t length = 0;
    for (size_t i = 0; line[i] != '\0'; i++) {
        if (strncmp(&line[i], " @ 0x", 5) == 0) {
            i += 4;
            while (strchr("0123456789abcdef", line[i + 1]) && line[i + 1] != '\0') {
                i++;
            }
            continue;
        }
        unsigned char byte = (unsigned char)line[i];
        line[length++] = byte < 0x20 || byte >= 0x7f ? ' ' : (char)byte;
    }
    while (length > 0 && line[length - 1] == ' ') {
        length--;
    }
    line[length] = '\0';
    return length;
}

// Whether a line describes the clip. Others advise users of FFmpeg's own programs, or repeat the error code.
static bool is_helpful(const char *line) {
    static const char *const others[] = {
        "max_streams", "Picture size", "onsider increasing", "pdate your FFmpeg", "ffmpeg-devel", "If you want to help",
        "patch welcome", "error reading header", "allow_raw_vfw",
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strstr(line, others[i])) {
            return false;
        }
    }
    return true;
}

static ccover_log_listener *listener; // set before the first clip is opened

void ccover_set_log_listener(ccover_log_listener *new_listener) {
    listener = new_listener;
}

static void keep_last_line(void *context, int level, const char *format, va_list arguments) {
    if (listener) {
        listener(context, format, arguments);
    }
    if (level > AV_LOG_ERROR) {
        return;
    }
    char line[sizeof(last_line)];
    int print_prefix = 1;
    av_log_format_line(context, level, format, arguments, line, sizeof(line), &print_prefix);
    if (clean_line(line) == 0) {
        return;
    }
    logged_too_many_streams = logged_too_many_streams || strstr(line, "exceeds max_streams");
    if (is_helpful(line)) {
        memcpy(last_line, line, sizeof(last_line));
    }
    // libavutil reports this only in the log; its error code is EINVAL, as for many other errors.
    unsigned width = 0, height = 0;
    const char *size = strstr(line, "Picture size");
    bool has_size = size && sscanf(size, "Picture size %ux%u", &width, &height) == 2;
    if (has_size && width > 0 && height > 0) {
        logged_width = width;
        logged_height = height;
    }
}

static void install_log(void) {
    av_log_set_callback(keep_last_line);
}

void ccover_log_begin(void) {
    pthread_once(&log_once, install_log);
    last_line[0] = '\0';
    logged_width = logged_height = 0;
    logged_too_many_streams = false;
}

int ccover_fail(ccover_error *error, ccover_stage stage, ccover_cause cause, int code, const char *text, ...) {
    error->stage = stage;
    error->cause = cause;
    error->code = code;
    va_list arguments;
    va_start(arguments, text);
    int written = vsnprintf(error->message, sizeof(error->message), text, arguments);
    va_end(arguments);

    size_t length = written < 0 ? 0 : (size_t)written;
    if (length < sizeof(error->message) && last_line[0] != '\0') {
        snprintf(error->message + length, sizeof(error->message) - length, " (%s)", last_line);
    }
    return -1;
}

bool ccover_logged_too_many_streams(void) {
    return logged_too_many_streams;
}

int ccover_fail_out_of_memory(ccover_error *error, ccover_stage stage) {
    return ccover_fail(error, stage, CCOVER_CAUSE_OUT_OF_MEMORY, 0, "out of memory");
}

int ccover_fail_too_large(int64_t max_pixels, ccover_error *error, ccover_stage stage, int code) {
    enum { FFMPEG_MAX_PIXELS = INT_MAX / 8 };
    int64_t allowed = max_pixels > 0 ? max_pixels : FFMPEG_MAX_PIXELS;
    return ccover_fail(error, stage, CCOVER_CAUSE_TOO_LARGE, code,
                       "its frames have %u×%u pixels, and more than %" PRId64 " are not allowed", logged_width,
                       logged_height, allowed);
}

void ccover_refused_size(int *width, int *height) {
    *width = (int)FFMIN(logged_width, INT_MAX);
    *height = (int)FFMIN(logged_height, INT_MAX);
}

ccover_cause ccover_cause_of(const ccover_input *input, int code) {
    if (code == AVERROR(ENOMEM)) {
        return CCOVER_CAUSE_OUT_OF_MEMORY;
    }
    if (ccover_deadline_passed(input)) {
        return CCOVER_CAUSE_TIMED_OUT;
    }
    if (input->read_errno != 0) {
        return CCOVER_CAUSE_INPUT_OUTPUT;
    }
    return logged_width > 0 ? CCOVER_CAUSE_TOO_LARGE : CCOVER_CAUSE_DAMAGED;
}
