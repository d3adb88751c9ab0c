// The processor time limit of a child process. Swift does not import prlimit(), which is a Linux extension.

#include "CLinux.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

int clinux_allow_processor_time(pid_t process, unsigned seconds) {
    clockid_t clock;
    struct timespec used;
    struct rlimit limit;
    int error = clock_getcpuclockid(process, &clock);
    if (error != 0) {
        errno = error;
        return -1;
    }
    if (clock_gettime(clock, &used) != 0 || prlimit(process, RLIMIT_CPU, NULL, &limit) != 0) {
        return -1;
    }
    rlim_t wanted = (rlim_t)used.tv_sec + seconds;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    return prlimit(process, RLIMIT_CPU, &limit, NULL);
}
