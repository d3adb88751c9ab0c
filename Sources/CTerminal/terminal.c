// Entering and leaving the terminal, and the signal handlers.

#include "CTerminal.h"
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// How long a blocked terminal may delay the end of the program.
#define PATIENCE_MILLISECONDS 500

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGSEGV, SIGABRT, SIGILL, SIGTRAP,
                                     SIGBUS, SIGFPE, SIGSYS};

static struct {
    cterminal_guarded *guarded; // NULL before the terminal was entered
    int notes[2];
    char enter[512];
    size_t enter_bytes;
} state = {.notes = {-1, -1}};

// The functions up to install() are also called by signal handlers, so they call only async-signal-safe functions; see
// signal-safety(7).

static void write_all(const char *bytes, size_t count) {
    while (count > 0) {
        struct pollfd output = {.fd = state.guarded->descriptor, .events = POLLOUT};
        if (poll(&output, 1, PATIENCE_MILLISECONDS) <= 0) return;
        ssize_t written = write(state.guarded->descriptor, bytes, count);
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// A background process that changes the terminal is stopped by SIGTTOU until it returns to the foreground. This must
// not happen to a process that is ending.
static void set_state(const struct termios *wanted) {
    sigset_t mask, before;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &mask, &before);
    tcsetattr(state.guarded->descriptor, TCSANOW, wanted);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Until the terminal is completely as it was before, it counts as entered, so that whatever ends the program meanwhile
// restores it once more.
static void enter(void) {
    state.guarded->is_entered = 1;
    set_state(&state.guarded->raw);
    write_all(state.enter, state.enter_bytes);
}

void cterminal_leave(void) {
    int error = errno;
    if (state.guarded && state.guarded->is_entered) {
        write_all(state.guarded->leave, state.guarded->leave_bytes);
        set_state(&state.guarded->before);
        state.guarded->is_entered = 0;
    }
    errno = error;
}

int cterminal_is_entered(void) { return state.guarded && state.guarded->is_entered; }

// The pipe is full only if many events are pending, so that another one can be dropped.
static void note(char what) {
    ssize_t ignored = write(state.notes[1], &what, 1);
    (void)ignored;
}

static int is_foreground(void) { return tcgetpgrp(state.guarded->descriptor) == getpgrp(); }

static void on_end(int number) {
    cterminal_leave();
    // SA_RESETHAND has restored the default action, and SA_NODEFER delivers the signal at once.
    raise(number);
}

static void on_resize(int number) {
    (void)number;
    int error = errno;
    note(CTERMINAL_RESIZED);
    errno = error;
}

static void on_resume(int number) {
    (void)number;
    int error = errno;
    // In the background the screen belongs to another process. The shell sends the signal again when it returns the
    // process to the foreground.
    if (is_foreground()) {
        enter();
        note(CTERMINAL_RESUMED);
    }
    errno = error;
}

static void install(int number, void (*handler)(int), int flags);

static void on_stop(int number) {
    int error = errno;
    sigset_t mask, before;
    cterminal_leave();
    note(CTERMINAL_SUSPENDED);
    install(number, SIG_DFL, 0);
    sigemptyset(&mask);
    sigaddset(&mask, number);
    raise(number);
    // Unblocking the signal stops the process here, until SIGCONT, whose handler runs first. The system does not stop
    // an orphaned process group, which has no shell to continue it.
    pthread_sigmask(SIG_UNBLOCK, &mask, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    install(number, on_stop, SA_RESTART);
    if (!state.guarded->is_entered) on_resume(SIGCONT);
    errno = error;
}

static void install(int number, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

// The handlers run on a separate stack because a crash may be a stack overflow.
static void install_handlers(void) {
    static char other_stack[1 << 16];
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        struct sigaction present;
        // A signal that the parent process ignores (nohup) stays ignored.
        if (sigaction(ending_signals[i], NULL, &present) == 0 && present.sa_handler == SIG_IGN) continue;
        install(ending_signals[i], on_end, (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK));
    }
    install(SIGWINCH, on_resize, SA_RESTART);
    install(SIGCONT, on_resume, SA_RESTART);
    install(SIGTSTP, on_stop, SA_RESTART);
    // The parent process may have left signals blocked.
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

int cterminal_enter(int descriptor, const char *enter_text, size_t enter_bytes, const char *leave_text,
                    size_t leave_bytes) {
    cterminal_guarded guarded = {.descriptor = descriptor, .leave_bytes = leave_bytes};
    if (enter_bytes > sizeof state.enter || leave_bytes > sizeof guarded.leave || state.guarded) {
        errno = EINVAL;
        return -1;
    }
    if (tcgetattr(descriptor, &guarded.before) != 0) return -1;
    if (pipe2(state.notes, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    guarded.raw = guarded.before;
    guarded.raw.c_iflag &= (tcflag_t) ~(BRKINT | ICRNL | INPCK | ISTRIP | IXON | INLCR | IGNCR);
    guarded.raw.c_oflag &= (tcflag_t)~OPOST;
    guarded.raw.c_lflag &= (tcflag_t) ~(ECHO | ECHONL | ICANON | IEXTEN);
    guarded.raw.c_lflag |= ISIG;
    guarded.raw.c_cc[VMIN] = 1;
    guarded.raw.c_cc[VTIME] = 0;
    memcpy(state.enter, enter_text, enter_bytes);
    memcpy(guarded.leave, leave_text, leave_bytes);
    state.enter_bytes = enter_bytes;
    state.guarded = cterminal_guarded_memory();
    *state.guarded = guarded;
    cterminal_start_guard(state.guarded);
    install_handlers();
    atexit(cterminal_leave);
    enter();
    return state.notes[0];
}

int cterminal_get_size(int descriptor, cterminal_size *size) {
    struct winsize window;
    if (ioctl(descriptor, TIOCGWINSZ, &window) != 0) return -1;
    size->columns = window.ws_col > 0 ? window.ws_col : 80;
    size->rows = window.ws_row > 0 ? window.ws_row : 24;
    size->pixel_width = window.ws_xpixel;
    size->pixel_height = window.ws_ypixel;
    return 0;
}
