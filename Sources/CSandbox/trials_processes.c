// Attempts to start programs, processes and threads, or to affect other processes and signals.

#include "trials.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char *const SHELL[] = {CSANDBOX_SHELL, "-c", "exit", NULL};
static char *const NO_ENVIRONMENT[] = {NULL};

static int run_program(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(execve(SHELL[0], SHELL, NO_ENVIRONMENT));
}

static int run_open_program(const csandbox_resources *resources) {
    return csandbox_error_of(syscall(SYS_execveat, resources->program, "", SHELL, NO_ENVIRONMENT, AT_EMPTY_PATH));
}

// A child exits at once, so that it does not continue this process's work.
static int end_child(long child) {
    if (child == 0) {
        _exit(0);
    }
    return csandbox_error_of(child);
}

static int fork_process(const csandbox_resources *resources) {
    (void)resources;
    return end_child(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
}

static int fork_by_clone3(const csandbox_resources *resources) {
    (void)resources;
    // The first version of struct clone_args: the flags are the first field, exit_signal the fifth.
    uint64_t arguments[8] = {[4] = SIGCHLD};
    return end_child(syscall(SYS_clone3, arguments, sizeof(arguments)));
}

// The body of a thread that ends at once. start_thread() starts it like pthread_create(), on a separate stack.
static int end_thread(void *nothing) {
    (void)nothing;
    return 0;
}

static int start_thread(const csandbox_resources *resources) {
    static _Alignas(16) char stack[16 * CSANDBOX_PAGE];
    (void)resources;
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    return csandbox_error_of(clone(end_thread, stack + sizeof(stack), flags, NULL));
}

static int ignore_signal(const csandbox_resources *resources) {
    (void)resources;
    return signal(SIGALRM, SIG_IGN) == SIG_ERR ? errno : 0;
}

static int cancel_alarm(const csandbox_resources *resources) {
    (void)resources;
    // The C library's alarm() does not report errors.
    return csandbox_error_of(syscall(SYS_alarm, 0));
}

// The kernel kills this process before the call returns.
static int outlive_parent(const csandbox_resources *resources) {
    return csandbox_error_of(close(resources->lifeline));
}

static int close_lifeline(const csandbox_resources *resources) {
    (void)resources;
    // The kernel ignores the upper half of the argument, which a filter may not overlook.
    return csandbox_error_of(syscall(SYS_close, (1l << 32) + CSANDBOX_LIFELINE));
}

static int disarm_lifeline(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(fcntl(CSANDBOX_LIFELINE, F_SETFL, 0));
}

static int clone_user_namespace(const csandbox_resources *resources) {
    (void)resources;
    return end_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
}

static int enter_user_namespace(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(unshare(CLONE_NEWUSER));
}

static int be_traced(const csandbox_resources *resources) {
    (void)resources;
    return csandbox_error_of(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int signal_parent(const csandbox_resources *resources) {
    return csandbox_error_of(kill(resources->parent, 0));
}

static int hold_parent(const csandbox_resources *resources) {
    return csandbox_error_of(syscall(SYS_pidfd_open, resources->parent, 0));
}

static int read_process(const csandbox_resources *resources) {
    char byte;
    struct iovec here = {.iov_base = &byte, .iov_len = 1};
    struct iovec there = {.iov_base = resources->page, .iov_len = 1};
    return csandbox_error_of(process_vm_readv(getpid(), &here, 1, &there, 1, 0));
}

static const csandbox_trial_entry TRIALS[] = {
    {"run /bin/sh", run_program, 0},
    {"run a program that is already open", run_open_program, 0},
    {"fork", fork_process, EAGAIN},
    {"fork by clone3", fork_by_clone3, EAGAIN},
    {"start a thread", start_thread, EAGAIN},
    {"make a user namespace (clone)", clone_user_namespace, 0},
    {"make a user namespace (unshare)", enter_user_namespace, 0},
    {"ptrace", be_traced, 0},
    {"signal its parent", signal_parent, 0},
    {"ignore a signal", ignore_signal, 0},
    {"cancel its alarm", cancel_alarm, 0},
    {"outlive its parent", outlive_parent, -SIGKILL},
    {"close the lifeline to its parent", close_lifeline, 0},
    {"disarm the lifeline to its parent", disarm_lifeline, 0},
    {"open its parent with pidfd_open", hold_parent, 0},
    {"process_vm_readv", read_process, 0},
};

const csandbox_trial_group csandbox_process_trials = CSANDBOX_TRIAL_GROUP(TRIALS);
