// What a locked-in process must not be able to do.
//
// An attempt asks for something that the kernel does for a process with the rights for it, so that it succeeds where
// nothing forbids it.

#include "trials.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/keyctl.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096 };

static int error_of(long result) {
    return result < 0 ? errno : 0;
}

// MARK: Files

static int open_file(const setting *setting) {
    (void)setting;
    return error_of(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int look_up_file(const setting *setting) {
    (void)setting;
    struct stat status;
    return error_of(stat("/etc/passwd", &status));
}

enum { NAME_SIZE = 64 };

static void name_created_file(char name[NAME_SIZE], pid_t parent) {
    snprintf(name, NAME_SIZE, "/tmp/clipcanvas-self-test.%d", (int)parent);
}

static int create_file(const setting *setting) {
    char name[NAME_SIZE];
    name_created_file(name, setting->parent);
    return error_of(open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

void csandbox_clean_up(pid_t parent) {
    char name[NAME_SIZE];
    name_created_file(name, parent);
    unlink(name);
}

static int write_through_proc(const setting *setting) {
    (void)setting;
    return error_of(open("/proc/self/comm", O_WRONLY | O_CLOEXEC));
}

static int open_own_memory(const setting *setting) {
    (void)setting;
    return error_of(open("/proc/self/mem", O_RDWR | O_CLOEXEC));
}

static int change_folder(const setting *setting) {
    (void)setting;
    return error_of(chdir("/"));
}

static int mount_folder(const setting *setting) {
    // Without mounts of its own it asks for nothing that could be done.
    return error_of(mount("none", setting->has_own_mounts ? "/tmp" : NULL, "tmpfs", 0, NULL));
}

// MARK: The network

static int udp_socket(const setting *setting) {
    (void)setting;
    return error_of(socket(AF_INET, SOCK_DGRAM, 0));
}

static int tcp_socket(const setting *setting) {
    (void)setting;
    return error_of(socket(AF_INET, SOCK_STREAM, 0));
}

static int unix_socket(const setting *setting) {
    (void)setting;
    return error_of(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int netlink_socket(const setting *setting) {
    (void)setting;
    return error_of(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
}

static int connect_socket(const setting *setting) {
    return error_of(connect(setting->tcp, (const struct sockaddr *)&setting->listener, sizeof(setting->listener)));
}

static int send_datagram(const setting *setting) {
    struct sockaddr_in address = setting->listener;
    struct iovec part = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &part, .msg_iovlen = 1};
    return error_of(sendmsg(setting->udp, &message, MSG_NOSIGNAL));
}

// Passes a descriptor on over the socket that a decoder has as its standard input.
static int pass_descriptor(const setting *setting) {
    (void)setting;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    const int descriptor = STDIN_FILENO;
    struct iovec part = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof(control.bytes)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(descriptor));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(descriptor));
    return error_of(sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL));
}

// MARK: Programs and processes

static char *const SHELL[] = {"/bin/sh", "-c", "exit", NULL};
static char *const NO_ENVIRONMENT[] = {NULL};

static int run_program(const setting *setting) {
    (void)setting;
    return error_of(execve(SHELL[0], SHELL, NO_ENVIRONMENT));
}

static int run_open_program(const setting *setting) {
    return error_of(syscall(SYS_execveat, setting->program, "", SHELL, NO_ENVIRONMENT, AT_EMPTY_PATH));
}

// A child ends at once; it must not go on with this one's work.
static int end_child(long child) {
    if (child == 0) {
        _exit(0);
    }
    return error_of(child);
}

static int fork_process(const setting *setting) {
    (void)setting;
    return end_child(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
}

static int fork_by_clone3(const setting *setting) {
    (void)setting;
    // The first version of the kernel's struct: flags first, the signal at its end fifth.
    uint64_t arguments[8] = {[4] = SIGCHLD};
    return end_child(syscall(SYS_clone3, arguments, sizeof(arguments)));
}

// A thread that ends at once, on a stack of its own, as pthread_create() starts it.
static int end_thread(void *nothing) {
    (void)nothing;
    return 0;
}

static int start_thread(const setting *setting) {
    static _Alignas(16) char stack[16 * PAGE];
    (void)setting;
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    return error_of(clone(end_thread, stack + sizeof(stack), flags, NULL));
}

static int ignore_signal(const setting *setting) {
    (void)setting;
    return signal(SIGALRM, SIG_IGN) == SIG_ERR ? errno : 0;
}

static int cancel_alarm(const setting *setting) {
    (void)setting;
    // The library's alarm() does not report errors.
    return error_of(syscall(SYS_alarm, 0));
}

static int clone_user_namespace(const setting *setting) {
    (void)setting;
    return end_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
}

static int enter_user_namespace(const setting *setting) {
    (void)setting;
    return error_of(unshare(CLONE_NEWUSER));
}

static int be_traced(const setting *setting) {
    (void)setting;
    return error_of(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int signal_parent(const setting *setting) {
    return error_of(kill(setting->parent, 0));
}

static int hold_parent(const setting *setting) {
    return error_of(syscall(SYS_pidfd_open, setting->parent, 0));
}

static int read_process(const setting *setting) {
    char byte;
    struct iovec here = {.iov_base = &byte, .iov_len = 1};
    struct iovec there = {.iov_base = setting->page, .iov_len = 1};
    return error_of(process_vm_readv(getpid(), &here, 1, &there, 1, 0));
}

// MARK: The kernel

static int io_uring(const setting *setting) {
    (void)setting;
    uint64_t parameters[15] = {0}; // struct io_uring_params, 120 bytes
    return error_of(syscall(SYS_io_uring_setup, 1, parameters));
}

static int bpf_map(const setting *setting) {
    (void)setting;
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = attributes.value_size = 4;
    attributes.max_entries = 1;
    return error_of(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)));
}

static int keyring(const setting *setting) {
    (void)setting;
    return error_of(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1));
}

static int perf_event(const setting *setting) {
    (void)setting;
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof(attributes));
    attributes.size = sizeof(attributes);
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_DUMMY;
    attributes.exclude_kernel = attributes.exclude_hv = 1;
    return error_of(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

static int control_device(const setting *setting) {
    int count;
    return error_of(ioctl(setting->pipe[0], FIONREAD, &count));
}

static int share_memory(const setting *setting) {
    (void)setting;
    int segment = shmget(IPC_PRIVATE, PAGE, IPC_CREAT | 0600);
    int error = error_of(segment);
    if (error == 0) {
        shmctl(segment, IPC_RMID, NULL);
    }
    return error;
}

#ifdef __x86_64__
// getpid by its number on i386. Where the kernel has no such calls, the process ends too.
static int foreign_call(const setting *setting) {
    (void)setting;
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return result < 0 ? (int)-result : 0;
}
#endif

// MARK: Memory and limits

// The seal holds whatever the lock-in is.
static int write_late(const setting *setting) {
    return error_of(pwrite(setting->sealed, "x", 1, 0));
}

static int map_code(const setting *setting) {
    (void)setting;
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}

static int make_code(const setting *setting) {
    return error_of(mprotect(setting->page, PAGE, PROT_READ | PROT_EXEC));
}

static int map_more_than_the_limit(const setting *setting) {
    (void)setting;
    void *much = mmap(NULL, (size_t)1 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return much == MAP_FAILED ? errno : 0;
}

static int write_more_than_the_limit(const setting *setting) {
    return error_of(pwrite(setting->memory, "x", 1, (off_t)1 << 30));
}

static int allow_core_files(const setting *setting) {
    (void)setting;
    struct rlimit one = {.rlim_cur = 1, .rlim_max = 1};
    return error_of(setrlimit(RLIMIT_CORE, &one));
}

// MARK: All of them

static const csandbox_trial_entry TRIALS[] = {
    {"open /etc/passwd", open_file, 0},
    {"look up /etc/passwd", look_up_file, 0},
    {"create a file in /tmp", create_file, 0},
    {"write through /proc/self", write_through_proc, 0},
    {"open /proc/self/mem", open_own_memory, 0},
    {"change the working folder", change_folder, 0},
    {"mount a file system", mount_folder, 0},
    {"make a UDP socket", udp_socket, 0},
    {"make a TCP socket", tcp_socket, 0},
    {"make a Unix socket", unix_socket, 0},
    {"make a netlink socket", netlink_socket, 0},
    {"connect a TCP socket it has", connect_socket, 0},
    {"send over a UDP socket it has", send_datagram, 0},
    {"pass a descriptor over its socket", pass_descriptor, 0},
    {"run /bin/sh", run_program, 0},
    {"run a program it has open", run_open_program, 0},
    {"fork", fork_process, EAGAIN},
    {"fork by clone3", fork_by_clone3, EAGAIN},
    {"start a thread", start_thread, EAGAIN},
    {"make a user namespace (clone)", clone_user_namespace, 0},
    {"make a user namespace (unshare)", enter_user_namespace, 0},
    {"ptrace", be_traced, 0},
    {"signal its parent", signal_parent, 0},
    {"ignore a signal", ignore_signal, 0},
    {"call its alarm off", cancel_alarm, 0},
    {"hold its parent by pidfd_open", hold_parent, 0},
    {"process_vm_readv", read_process, 0},
    {"io_uring_setup", io_uring, 0},
    {"bpf", bpf_map, 0},
    {"keyctl", keyring, 0},
    {"perf_event_open", perf_event, 0},
    {"ioctl", control_device, 0},
    {"shmget", share_memory, 0},
#ifdef __x86_64__
    {"call by the numbers of i386", foreign_call, 0},
#endif
    {"map memory as code", map_code, 0},
    {"turn memory into code", make_code, 0},
    {"map 1 GiB", map_more_than_the_limit, ENOMEM},
    {"write past 1 GiB of a file", write_more_than_the_limit, EFBIG},
    {"change a picture after handing it over", write_late, 0},
    {"set the limit of core files", allow_core_files, 0},
};

int32_t csandbox_trial_count(void) {
    return (int32_t)(sizeof(TRIALS) / sizeof(TRIALS[0]));
}

const csandbox_trial_entry *csandbox_trial_entry_of(int32_t number) {
    return &TRIALS[number];
}

const char *csandbox_trial_name(int32_t number) {
    return TRIALS[number].what;
}

setting csandbox_prepare(pid_t parent) {
    setting setting = {.parent = parent};
    setting.program = open(SHELL[0], O_RDONLY | O_CLOEXEC);
    setting.memory = memfd_create("self-test", MFD_CLOEXEC);
    setting.sealed = memfd_create("self-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    (void)!ftruncate(setting.sealed, 1);
    fcntl(setting.sealed, F_ADD_SEALS, F_SEAL_WRITE);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        dup2(pair[0], STDIN_FILENO);
    }
    setting.page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pipe2(setting.pipe, O_CLOEXEC) == 0) {
        (void)!write(setting.pipe[1], "x", 1);
    }
    // So that what is mounted is seen by no other process.
    setting.has_own_mounts =
        unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t length = sizeof(setting.listener);
    setting.listener = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&setting.listener, length) == 0 && listen(listener, 1) == 0) {
        getsockname(listener, (struct sockaddr *)&setting.listener, &length);
    }
    setting.tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setting.udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return setting;
}
