// Attempts to change sealed files, create executable memory, or exceed limits.

#include "trials.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// The seal is in force with any set of sandbox parts.
static int write_late(const csandbox_resources *resources) {
    return csandbox_error_of(pwrite(resources->sealed, "x", 1, 0));
}

static int map_code(const csandbox_resources *resources) {
    (void)resources;
    void *page = mmap(NULL, CSANDBOX_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}

static int make_code(const csandbox_resources *resources) {
    return csandbox_error_of(mprotect(resources->page, CSANDBOX_PAGE, PROT_READ | PROT_EXEC));
}

static int map_more_than_the_limit(const csandbox_resources *resources) {
    (void)resources;
    void *much = mmap(NULL, (size_t)1 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return much == MAP_FAILED ? errno : 0;
}

static int write_more_than_the_limit(const csandbox_resources *resources) {
    return csandbox_error_of(pwrite(resources->memory, "x", 1, (off_t)1 << 30));
}

static int allow_core_files(const csandbox_resources *resources) {
    (void)resources;
    struct rlimit one = {.rlim_cur = 1, .rlim_max = 1};
    return csandbox_error_of(setrlimit(RLIMIT_CORE, &one));
}

static const csandbox_trial_entry TRIALS[] = {
    {"map memory as code", map_code, 0},
    {"turn memory into code", make_code, 0},
    {"map 1 GiB", map_more_than_the_limit, ENOMEM},
    {"write past 1 GiB of a file", write_more_than_the_limit, EFBIG},
    {"change a picture after handing it over", write_late, 0},
    {"raise the core file size limit", allow_core_files, 0},
};

const csandbox_trial_group csandbox_memory_trials = CSANDBOX_TRIAL_GROUP(TRIALS);
