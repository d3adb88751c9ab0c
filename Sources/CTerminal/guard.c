// A process that waits for the end of this one. SIGKILL cannot be caught, and would leave the terminal without echo,
// with mouse reports that look like typing; `reset` does not turn these off in tmux and screen.

#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

cterminal_guarded *cterminal_guarded_memory(void) {
    static cterminal_guarded own;
    void *shared = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? &own : shared;
}

// Restores what the process that was killed has set, but not what another one has set since, such as a shell.
static void restore(const cterminal_guarded *guarded) {
    enum { PATIENCE_MILLISECONDS = 500 }; // for a terminal that is blocked
    struct pollfd output = {.fd = guarded->descriptor, .events = POLLOUT};
    if (poll(&output, 1, PATIENCE_MILLISECONDS) > 0) {
        ssize_t ignored = write(guarded->descriptor, guarded->leave, guarded->leave_bytes);
        (void)ignored;
    }
    struct termios now;
    if (tcgetattr(guarded->descriptor, &now) == 0 && now.c_lflag == guarded->raw.c_lflag &&
        now.c_iflag == guarded->raw.c_iflag && now.c_oflag == guarded->raw.c_oflag) {
        tcsetattr(guarded->descriptor, TCSANOW, &guarded->before);
    }
}

// Closes all descriptors but those of the pipe and the terminal, so that no other process waits for this one to close
// them.
static void close_others(int pipe, int terminal) {
    int last = pipe > terminal ? pipe : terminal;
    for (int i = 0; i < last; i++) {
        if (i != pipe && i != terminal) close(i);
    }
    syscall(SYS_close_range, (unsigned)last + 1, ~0U, 0);
}

// The guard is in a new session, so that neither keys nor signals to the group of its parent reach it. It calls
// only async-signal-safe functions, because the parent may have other threads.
static void stand_guard(const cterminal_guarded *guarded, int pipe) {
    setsid();
    close_others(pipe, guarded->descriptor);
    char byte;
    while (read(pipe, &byte, 1) < 0 && errno == EINTR) continue;
    if (guarded->is_entered) restore(guarded);
    _exit(0);
}

void cterminal_start_guard(const cterminal_guarded *guarded) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        // The signals stay blocked. The guard is a grandchild, so that the program need not wait for it.
        close(ends[1]);
        if (fork() == 0) stand_guard(guarded, ends[0]);
        _exit(0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child > 0) waitpid(child, NULL, 0);
    close(ends[0]);
    // The other end is closed when this process ends.
    if (child < 0) close(ends[1]);
}
