// The options of the sanitizers, so that a run does not depend on environment variables.

#include <libavformat/avformat.h>
#include <sanitizer/lsan_interface.h>

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);
const char *__ubsan_default_options(void);

// The decoder process is limited to 1 GiB of address space, which is not possible with AddressSanitizer because it
// reserves terabytes. Its own limits are used instead: as in the decoder, an allocation beyond them returns NULL. The
// quarantine is small for the same reason.
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:max_allocation_size_mb=1024:soft_rss_limit_mb=1536:quarantine_size_mb=64:"
           "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:handle_abort=1";
}

const char *__ubsan_default_options(void) {
    return "print_stacktrace=1";
}

// Leaks inside FFmpeg have no names that a suppression could give: Debian's libraries have no symbols for them.
const char *__lsan_default_suppressions(void) {
    return "";
}

// The muxer of MP4 loses the list of Opus packets that it makes for the index if no packet has enough before it
// (movenc.c, mov_preroll_write_stbl_atoms). A composer writes one file and ends. What FFmpeg allocates in this call is
// freed in it as well, so none of our leaks is hidden.
int __real_av_write_trailer(AVFormatContext *format);
int __wrap_av_write_trailer(AVFormatContext *format);

int __wrap_av_write_trailer(AVFormatContext *format) {
    __lsan_disable();
    int code = __real_av_write_trailer(format);
    __lsan_enable();
    return code;
}
