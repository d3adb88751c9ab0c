// Attempts to use further interfaces of the kernel.

#include "trials.h"

#include <linux/bpf.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

static int io_uring(const csandbox_resources *resources) {
    (void)resources;
    uint64_t parameters[15] = {0}; // struct io_uring_params, 120 bytes
    return csandbox_error_of(syscall(SYS_io_uring_setup, 1, parameters));
}

static int bpf_map(const csandbox_resources *resources) {
    (void)resources;
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = attributes.value_size = 4;
    attributes.max_entries = 1;
    return csandbox_error_of(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)));
}

static int keyring(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1));
}

static int perf_event(const csandbox_resources *resources) {
    (void)resources;
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.size = sizeof(attributes);
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_DUMMY;
    attributes.exclude_kernel = attributes.exclude_hv = 1;
    return csandbox_error_of(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

static int control_device(const csandbox_resources *resources) {
    int count;
    return csandbox_error_of(ioctl(resources->pipe[0], FIONREAD, &count));
}

static int share_memory(const csandbox_resources *resources) {
    (void)resources;
    int segment = shmget(IPC_PRIVATE, CSANDBOX_PAGE, IPC_CREAT | 0600);
    int error = csandbox_error_of(segment);
    if (error == 0) {
        shmctl(segment, IPC_RMID, NULL);
    }
    return error;
}

#ifdef __x86_64__
// Calls getpid by its i386 number. A kernel without i386 calls ends the process as well.
static int foreign_call(const csandbox_resources *resources) {
    (void)resources;
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return result < 0 ? (int)-result : 0;
}
#endif

static const csandbox_trial_entry TRIALS[] = {
    {"io_uring_setup", io_uring, 0},
    {"bpf", bpf_map, 0},
    {"keyctl", keyring, 0},
    {"perf_event_open", perf_event, 0},
    {"ioctl", control_device, 0},
    {"shmget", share_memory, 0},
#ifdef __x86_64__
    {"make a 32-bit (i386) system call", foreign_call, 0},
#endif
};

const csandbox_trial_group csandbox_kernel_trials = CSANDBOX_TRIAL_GROUP(TRIALS);
