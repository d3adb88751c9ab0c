// Ending the program with a message, without allocating memory.

#include "CShortage.h"
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char name[64];
static atomic_bool has_begun;
static void (*_Atomic last_act)(void);

void cshortage_set_name(const char *program) {
    strncpy(name, program, sizeof name - 1);
    atomic_store(&has_begun, true);
}

void cshortage_set_last_act(void (*act)(void)) { atomic_store(&last_act, act); }

bool cshortage_has_begun(void) { return atomic_load_explicit(&has_begun, memory_order_relaxed); }

typedef struct text {
    char bytes[400];
    size_t length;
} text;

static void add(text *text, const char *words) {
    size_t count = strnlen(words, sizeof text->bytes - text->length);
    memcpy(text->bytes + text->length, words, count);
    text->length += count;
}

static void add_number(text *text, rlim_t number) {
    char digits[24];
    size_t start = sizeof digits - 1;
    digits[start] = 0;
    do {
        digits[--start] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    add(text, digits + start);
}

// Writes the message and ends the program. Only one thread does so; any other waits here.
static _Noreturn void end(text *message) {
    static atomic_flag is_ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&is_ending)) pause();
    void (*act)(void) = atomic_load(&last_act);
    if (act) act();
    add(message, "\n");
    ssize_t ignored = write(STDERR_FILENO, message->bytes, message->length);
    (void)ignored;
    _exit(CSHORTAGE_STATUS);
}

static text beginning(const char *words) {
    text text = {.length = 0};
    add(&text, name);
    add(&text, ": ");
    add(&text, words);
    return text;
}

static rlim_t limit_of(__rlimit_resource_t resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

_Noreturn void cshortage_end_without_memory(void) {
    text message = beginning("out of memory");
    rlim_t space = limit_of(RLIMIT_AS), data = limit_of(RLIMIT_DATA);
    if (space != RLIM_INFINITY) {
        add(&message, ": the limit on address space is ");
        add_number(&message, space >> 10);
        add(&message, " KiB; raise it (ulimit -v)");
    } else if (data != RLIM_INFINITY) {
        add(&message, ": the limit on data is ");
        add_number(&message, data >> 10);
        add(&message, " KiB; raise it (ulimit -d)");
    } else {
        add(&message, "; free some and try again");
    }
    end(&message);
}

// Whether the address space has no room for another thread's stack.
static bool is_space_short(void) {
    pthread_attr_t attributes;
    size_t bytes = 8 << 20;
    if (pthread_getattr_default_np(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &bytes);
        pthread_attr_destroy(&attributes);
    }
    void *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return true;
    munmap(stack, bytes);
    return false;
}

_Noreturn void cshortage_end_without_thread(void) {
    if (is_space_short()) cshortage_end_without_memory();
    text message = beginning("cannot start a thread: the limit on processes and threads is reached; end some or raise "
                             "it (ulimit -u, or the container's pids limit)");
    end(&message);
}

_Noreturn void cshortage_end_without_descriptor(void) {
    text message = beginning("too many open files: the limit is ");
    add_number(&message, limit_of(RLIMIT_NOFILE));
    add(&message, "; raise it (ulimit -n)");
    end(&message);
}

_Noreturn void cshortage_end_without_stack(rlim_t bytes) {
    text message = beginning("the limit on the stack is ");
    add_number(&message, bytes >> 10);
    add(&message, " KiB, which is too little; raise it (ulimit -Hs, then ulimit -s)");
    end(&message);
}

_Noreturn void cshortage_end_without_proc(void) {
    text message = beginning("cannot start threads without /proc; mount it (mount -t proc proc /proc)");
    end(&message);
}
