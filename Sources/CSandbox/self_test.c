// Runs each trial in a child process that first applies the sandbox to itself.
//
// A trial is "allowed" only if the operation succeeded, and "denied" only if it failed with an error that means lack of
// permission. Every other result proves nothing and is reported as "unclear".

#include "trials.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_TRIAL_SECONDS = 10 };

static _Noreturn void run_trial(int32_t number, csandbox_program program, uint32_t parts, pid_t parent, int answer) {
    csandbox_resources resources = csandbox_prepare(parent);
    csandbox_state state;
    alarm(LONGEST_TRIAL_SECONDS);
    csandbox_apply(program, parts, 0, CSANDBOX_LIFELINE, &state);
    int error = csandbox_trial_entry_of(number)->attempt(&resources);
    _exit(write(answer, &error, sizeof(error)) == sizeof(error) ? 0 : 1);
}

static void name_signal(csandbox_trial *trial, int signal) {
    const char *name = sigabbrev_np(signal);
    snprintf(trial->how, sizeof(trial->how), "SIG%s", name ? name : "?");
}

// Sets the verdict from the child's answer, or NULL without an answer, and its wait status.
static void judge(int32_t number, const int *error, int status, csandbox_trial *trial) {
    if (error && *error != 0) {
        bool is_denial = *error == EPERM || *error == EACCES || *error == ENOSYS ||
                         *error == csandbox_trial_entry_of(number)->also_denied;
        trial->verdict = is_denial ? CSANDBOX_DENIED : CSANDBOX_UNCLEAR;
        snprintf(trial->how, sizeof(trial->how), "%s", strerrorname_np(*error));
    } else if (WIFSIGNALED(status)) {
        // The filter raises SIGSYS; a kernel without i386 calls raises SIGSEGV for one of them.
        bool is_denial = WTERMSIG(status) == SIGSYS || WTERMSIG(status) == SIGSEGV ||
                         WTERMSIG(status) == -csandbox_trial_entry_of(number)->also_denied;
        trial->verdict = is_denial ? CSANDBOX_DENIED : CSANDBOX_UNCLEAR;
        name_signal(trial, WTERMSIG(status));
    } else {
        // An exit without an answer: another program replaced the process (execve succeeded).
        trial->verdict = CSANDBOX_ALLOWED;
    }
}

// Waits for the child's answer and its exit. Returns 0, or -1 with errno set.
static int await_result(int32_t number, pid_t child, int answer, csandbox_trial *trial) {
    int error, status;
    bool has_answered = read(answer, &error, sizeof(error)) == sizeof(error);
    if (waitpid(child, &status, 0) != child) {
        return -1;
    }
    judge(number, has_answered ? &error : NULL, status, trial);
    csandbox_clean_up(getpid());
    return 0;
}

int csandbox_try(int32_t number, csandbox_program program, uint32_t parts, csandbox_trial *trial) {
    *trial = (csandbox_trial){0};
    int answer[2];
    if (pipe2(answer, O_CLOEXEC) != 0) {
        return -1;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        run_trial(number, program, parts, parent, answer[1]);
    }
    int problem = errno;
    close(answer[1]);
    int failed = -1;
    if (child > 0) {
        failed = await_result(number, child, answer[0], trial);
        problem = errno;
    }
    close(answer[0]);
    errno = problem;
    return failed;
}
