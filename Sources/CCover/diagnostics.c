// Errors: stage × cause, FFmpeg's code, and a message that ends with FFmpeg's own last words.

#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// FFmpeg's log goes to one callback for the whole process, and slice threads write to it too. The last line of at
// least error level is kept, and the first thread to fail takes it.
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t log_once = PTHREAD_ONCE_INIT;
static char last_line[200];
static bool told_too_large; // a line said that a picture has more pixels than allowed

static void keep_last_line(void *context, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_ERROR) {
        return;
    }
    char line[sizeof(last_line)];
    int print_prefix = 1;
    av_log_format_line(context, level, format, arguments, line, sizeof(line), &print_prefix);
    // One line without control characters; the addresses FFmpeg prints would differ from run to run.
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
    if (length == 0) {
        return;
    }
    pthread_mutex_lock(&log_lock);
    memcpy(last_line, line, sizeof(last_line));
    // libavutil reports this in words only; the code is EINVAL as for many things.
    told_too_large = told_too_large || strstr(line, "Picture size");
    pthread_mutex_unlock(&log_lock);
}

static void install_log(void) {
    av_log_set_callback(keep_last_line);
}

void ccover_log_begin(void) {
    pthread_once(&log_once, install_log);
    pthread_mutex_lock(&log_lock);
    last_line[0] = '\0';
    told_too_large = false;
    pthread_mutex_unlock(&log_lock);
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
    if (length >= sizeof(error->message)) {
        return -1;
    }
    pthread_mutex_lock(&log_lock);
    if (last_line[0] != '\0') {
        snprintf(error->message + length, sizeof(error->message) - length, " (%s)", last_line);
    } else if (code != 0) {
        char reason[AV_ERROR_MAX_STRING_SIZE];
        av_strerror(code, reason, sizeof(reason));
        snprintf(error->message + length, sizeof(error->message) - length, " (%s)", reason);
    }
    pthread_mutex_unlock(&log_lock);
    return -1;
}

ccover_cause ccover_cause_of(const ccover_clip *clip, int code) {
    if (code == AVERROR(ENOMEM)) {
        return CCOVER_CAUSE_OUT_OF_MEMORY;
    }
    if (ccover_deadline_passed(&clip->input)) {
        return CCOVER_CAUSE_TIMED_OUT;
    }
    if (clip->input.read_errno != 0) {
        return CCOVER_CAUSE_INPUT_OUTPUT;
    }
    pthread_mutex_lock(&log_lock);
    bool is_too_large = told_too_large;
    pthread_mutex_unlock(&log_lock);
    return is_too_large ? CCOVER_CAUSE_TOO_LARGE : CCOVER_CAUSE_DAMAGED;
}

