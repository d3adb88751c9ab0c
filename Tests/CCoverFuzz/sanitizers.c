// The options of the sanitizers, so that a run does not depend on environment variables.

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

// Leaks inside FFmpeg, each with its reason. None are known.
const char *__lsan_default_suppressions(void) {
    return "";
}
