// For a program that tests run thousands of times, such as ffmpeg: loading its hundred libraries takes longer than most
// of what it is asked to do. Preloaded into it, this waits for clients (client.c) instead of calling main(), and calls
// main() in a copy of the process for each.
//
// It listens at the abstract socket that CLIPCANVAS_LOADED names. Its standard input is a socket, too: it writes a byte
// there as soon as it listens, and ends when the other end is closed.

#define _GNU_SOURCE
#include "request.h"

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CLIENTS = 256 };

typedef int main_function(int, char **, char **);

static main_function *real_main;
static struct {
    int connection;
    pid_t process;
} clients[MAX_CLIENTS];
static int client_count;

static int listen_at(const char *name) {
    struct sockaddr_un address;
    socklen_t size = set_address(&address, name);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, MAX_CLIENTS) != 0) {
        _exit(1);
    }
    return listener;
}

// Receives a client's request. Returns the number of its bytes, or -1.
static ssize_t receive(int connection, char bytes[MAX_BYTES], int files[FILES]) {
    char control[CMSG_SPACE(FILES * sizeof(int))];
    struct iovec part = {.iov_base = bytes, .iov_len = MAX_BYTES};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
    ssize_t count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (count <= 0 || !head || head->cmsg_len != CMSG_LEN(FILES * sizeof(int)) || bytes[count - 1] != '\0') {
        return -1;
    }
    memcpy(files, CMSG_DATA(head), FILES * sizeof(int));
    return count;
}

// Calls main() with the files and the words of a client: its folder, and the arguments from the program's name on.
static void work(char *bytes, ssize_t count, const int files[FILES], char **environment) {
    static char *words[MAX_BYTES + 1]; // each has at least a byte
    int number = 0;
    sigset_t none;
    for (char *word = bytes; word < bytes + count; word += strlen(word) + 1) {
        words[number++] = word;
    }
    for (int i = 0; i < FILES; i++) {
        dup2(files[i], i);
    }
    close_range(FILES, ~0U, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (number < 2 || chdir(words[0]) != 0) {
        _exit(127);
    }
    exit(real_main(number - 1, words + 1, environment));
}

static void accept_client(int listener, char **environment) {
    static char bytes[MAX_BYTES];
    int files[FILES], connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    ssize_t count = connection >= 0 && client_count < MAX_CLIENTS ? receive(connection, bytes, files) : -1;
    if (count < 0) {
        close(connection);
        return;
    }
    pid_t process = fork();
    if (process == 0) {
        work(bytes, count, files, environment);
    }
    for (int i = 0; i < FILES; i++) {
        close(files[i]);
    }
    clients[client_count].connection = connection;
    clients[client_count++].process = process;
}

// Sends the status of each process that has ended to its client.
static void report_ends(void) {
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
        for (int i = 0; i < client_count; i++) {
            if (clients[i].process == process) {
                send(clients[i].connection, &status, sizeof(status), MSG_NOSIGNAL);
                close(clients[i].connection);
                clients[i--] = clients[--client_count];
            }
        }
    }
}

static int wait_for_clients(int argc, char **argv, char **environment) {
    const char *name = getenv("CLIPCANVAS_LOADED");
    if (!name) {
        return real_main(argc, argv, environment);
    }
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    unsetenv("LD_PRELOAD");
    unsetenv("CLIPCANVAS_LOADED");
    int listener = listen_at(name), signals = signalfd(-1, &ends, SFD_CLOEXEC);
    (void)!write(STDIN_FILENO, "", 1);
    while (1) {
        struct pollfd files[3 + MAX_CLIENTS] = {{STDIN_FILENO, POLLIN, 0}, {listener, POLLIN, 0}, {signals, POLLIN, 0}};
        for (int i = 0; i < client_count; i++) {
            files[3 + i] = (struct pollfd){.fd = clients[i].connection, .events = POLLIN};
        }
        poll(files, 3 + (nfds_t)client_count, -1);
        if (files[0].revents != 0) {
            return 0;
        }
        for (int i = 0; i < client_count; i++) {
            // A client sends nothing more, so this is its end.
            if (files[3 + i].revents != 0) {
                kill(clients[i].process, SIGKILL);
            }
        }
        if (files[2].revents != 0) {
            struct signalfd_siginfo signal;
            (void)!read(signals, &signal, sizeof(signal));
            report_ends();
        }
        if (files[1].revents != 0) {
            accept_client(listener, environ);
        }
    }
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
    int (*start)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
        (__typeof__(start))dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return start(wait_for_clients, argc, argv, init, fini, loader_fini, stack_end);
}
