// How the sanitizers are set, so that a run needs nothing from the environment.

const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);
const char *__ubsan_default_options(void);

// What the decoder's process is given, 1 GiB of address space, cannot be given to AddressSanitizer, which takes
// terabytes. Its own limits stand in: an allocation past them gives NULL, as there. The quarantine is kept small for
// the same reason.
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:max_allocation_size_mb=1024:soft_rss_limit_mb=1536:quarantine_size_mb=64:"
           "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:handle_abort=1";
}

const char *__ubsan_default_options(void) {
    return "print_stacktrace=1";
}

// Leaks that are FFmpeg's alone, each with its reason. None is known.
const char *__lsan_default_suppressions(void) {
    return "";
}
