// The current case, which is reported if an invariant is violated, a sanitizer stops the program, or it hangs.

#include "harness.h"

#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

tally counts;
bool broken_is_fatal;

static char current[400];

static void report_case(void) {
    static const char prefix[] = "\nharness: in the case: ";
    ssize_t ignored = write(STDERR_FILENO, prefix, sizeof(prefix) - 1);
    ignored = write(STDERR_FILENO, current, strlen(current));
    ignored = write(STDERR_FILENO, "\n", 1);
    (void)ignored;
}

static void on_alarm(int number) {
    (void)number;
    static const char text[] = "\nharness: no end long after the deadline";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof(text) - 1);
    (void)ignored;
    report_case();
    abort();
}

void begin_case(unsigned seconds, const char *format, ...) {
    static bool is_ready;
    if (!is_ready) {
        __sanitizer_set_death_callback(report_case);
        signal(SIGALRM, on_alarm);
        is_ready = true;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(current, sizeof(current), format, arguments);
    va_end(arguments);
    alarm(seconds);
}

void end_case(void) {
    alarm(0);
    strcpy(current, "none");
}

void broken(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "harness: broken: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " [%s]\n", current);
    va_end(arguments);
    counts.broken += 1;
    if (broken_is_fatal) {
        abort();
    }
}
