// All calls of CPNG, and the invariants that must hold after each of them.

#include "harness.h"

#include "CPNG.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool succeeded(const char *call, int result, const cpng_error *error) {
    size_t length = strnlen(error->message, sizeof(error->message));
    if (result == 0) {
        if (length != 0 || error->system_error != 0) {
            broken("%s returns 0 with an error", call);
        }
        return true;
    }
    counts.failures += 1;
    if (result != -1 || length == 0 || length == sizeof(error->message)) {
        broken("%s returns %d and a message of %zu bytes", call, result, length);
    }
    return false;
}

// Compares a row with the 8-bit row read back. 16 bits are rounded to the nearest 8-bit value.
static bool is_same_row(const uint8_t *written, const uint8_t *read, size_t values, uint32_t bits) {
    for (size_t i = 0; i < values; i++) {
        uint16_t deep = 0;
        if (bits == 16) {
            memcpy(&deep, written + 2 * i, sizeof(deep));
        }
        if (read[i] != (bits == 16 ? (deep * 255U + 32767) / 65535 : written[i])) {
            return false;
        }
    }
    return true;
}

static void check_read_back(const cpng_picture *written, const cpng_picture *read) {
    if (read->width != written->width || read->height != written->height || read->channels != written->channels) {
        broken("a PNG is read back as %u×%u×%u", read->width, read->height, read->channels);
    }
    size_t values = (size_t)written->width * written->channels;
    for (uint32_t y = 0; y < written->height && y < read->height; y++) {
        const uint8_t *row = written->rows + y * written->row_bytes;
        if (!is_same_row(row, read->rows + y * read->row_bytes, values, written->bits)) {
            broken("row %u of a PNG is read back changed", y);
            break;
        }
    }
}

void exercise_png_writing(const cpng_picture *picture) {
    const cpng_text texts[] = {{"Software", "harness"}, {"Thumb::URI", "file:///a%20b"}};
    cpng_picture read_back;
    cpng_error error;
    int descriptor = memfd_create("cover", MFD_CLOEXEC);
    if (!succeeded("cpng_write", cpng_write(descriptor, picture, texts, 2, &error), &error)) {
        if (!is_starved()) {
            broken("cpng_write fails: %s", error.message);
        }
        close(descriptor);
        return;
    }
    lseek(descriptor, 0, SEEK_SET);
    uint64_t pixels = (uint64_t)picture->width * picture->height;
    if (!succeeded("cpng_read", cpng_read(descriptor, pixels, &read_back, &error), &error)) {
        if (!is_starved()) {
            broken("cpng_read fails on what cpng_write wrote: %s", error.message);
        }
        close(descriptor);
        return;
    }
    close(descriptor);
    check_read_back(picture, &read_back);
    cpng_free(&read_back);
}

void exercise_png_reading(const uint8_t *bytes, size_t size) {
    cpng_picture picture;
    cpng_error error;
    int descriptor = memory_file(bytes, size);
    if (succeeded("cpng_read", cpng_read(descriptor, MAX_PIXELS, &picture, &error), &error)) {
        bool is_whole = picture.rows && picture.width > 0 && picture.height > 0 &&
                        (picture.channels == 3 || picture.channels == 4) &&
                        picture.row_bytes >= (size_t)picture.width * picture.channels;
        if (!is_whole || (uint64_t)picture.width * picture.height > MAX_PIXELS) {
            broken("cpng_read returns %u×%u×%u", picture.width, picture.height, picture.channels);
        } else {
            // Reads every byte of every row, so that the sanitizer checks it.
            volatile uint8_t sum = 0;
            for (size_t i = 0; i < picture.row_bytes * picture.height; i++) {
                sum = (uint8_t)(sum + picture.rows[i]);
            }
        }
        cpng_free(&picture);
    } else if (picture.rows) {
        broken("cpng_read fails and returns rows");
    }
    close(descriptor);
}

// Checks that a call fails with the given errno value; 0 if the contents are at fault.
static void expect_failure(const char *call, int result, const cpng_error *error, int system_error) {
    if (succeeded(call, result, error) || error->system_error != system_error) {
        broken("%s returns %d, system error %d: %s", call, result, error->system_error, error->message);
    }
}

void exercise_png_failures(void) {
    static uint8_t rows[400 * 1200];
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof(rows); i++) {
        rows[i] = (uint8_t)next_random(&state);
    }
    begin_case(20, "PNG into and out of descriptors that fail");
    const cpng_picture good = {400, 400, 3, 8, 1200, rows}, empty = {0, 0, 3, 8, 0, rows};
    const cpng_picture wide = {UINT32_MAX, 1, 3, 8, 0, rows};
    cpng_picture picture;
    cpng_error error;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int nothing = memory_file(rows, 0);
    expect_failure("writing to a full disk", cpng_write(full, &good, NULL, 0, &error), &error, ENOSPC);
    expect_failure("writing to no file", cpng_write(-1, &good, NULL, 0, &error), &error, EBADF);
    expect_failure("writing no pixels", cpng_write(nothing, &empty, NULL, 0, &error), &error, 0);
    expect_failure("writing too wide rows", cpng_write(nothing, &wide, NULL, 0, &error), &error, 0);
    const cpng_text bad_texts[] = {{"", "no keyword"}};
    succeeded("writing a text without keyword", cpng_write(nothing, &good, bad_texts, 1, &error), &error);
    if (ftruncate(nothing, 0) != 0 || lseek(nothing, 0, SEEK_SET) != 0) {
        broken("a file in memory cannot be emptied");
    }
    expect_failure("reading an empty file", cpng_read(nothing, MAX_PIXELS, &picture, &error), &error, 0);
    expect_failure("reading a folder", cpng_read(folder, MAX_PIXELS, &picture, &error), &error, EISDIR);
    close(nothing);
    close(folder);
    close(full);
    end_case();
}
