// Runs a command for each clip of a list, several at a time, like xargs -0 -P JOBS -I{}, but continues if a program
// exits with status 255, as ffmpegthumbnailer does if it makes no cover.
//
//     each JOBS COMMAND [ARGUMENT...] < LIST
//
// LIST contains NUL-terminated paths. In the arguments, {} is replaced by the path and {/} by its last component.

#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static void *checked(void *memory) {
    if (!memory) {
        perror("each");
        exit(2);
    }
    return memory;
}

// Returns a copy of the argument with the first placeholder replaced.
static char *filled(const char *argument, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *last_name = slash ? slash + 1 : path;
    const char *at = strstr(argument, "{/}");
    const char *text = at ? last_name : path;
    size_t length = at ? strlen("{/}") : strlen("{}");
    at = at ? at : strstr(argument, "{}");
    if (!at) {
        return checked(strdup(argument));
    }
    char *result = NULL;
    if (asprintf(&result, "%.*s%s%s", (int)(at - argument), argument, text, at + length) < 0) {
        checked(NULL);
    }
    return result;
}

static bool start(char **command, int count, const char *path) {
    char **arguments = checked(calloc((size_t)count + 1, sizeof(*arguments)));
    for (int i = 0; i < count; i++) {
        arguments[i] = filled(command[i], path);
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // The commands must not read the list.
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
    pid_t process;
    int code = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    if (code != 0) {
        fprintf(stderr, "each: %s: %s\n", arguments[0], strerror(code));
    }
    posix_spawn_file_actions_destroy(&actions);
    for (int i = 0; i < count; i++) {
        free(arguments[i]);
    }
    free(arguments);
    return code == 0;
}

int main(int argc, char **argv) {
    int jobs = argc > 2 ? atoi(argv[1]) : 0;
    if (jobs < 1) {
        fprintf(stderr, "usage: each JOBS COMMAND [ARGUMENT...], with paths on standard input, each ended by NUL\n");
        return 64;
    }
    char *path = NULL;
    size_t room = 0;
    int running = 0, failed = 0;
    while (getdelim(&path, &room, '\0', stdin) > 0) {
        int status;
        if (running == jobs && wait(&status) > 0) {
            running--;
            failed += status != 0;
        }
        if (!start(argv + 2, argc - 2, path)) {
            return 127;
        }
        running++;
    }
    for (int status; wait(&status) > 0;) {
        failed += status != 0;
    }
    free(path);
    printf("%d failed\n", failed);
    return failed > 0;
}
