#!/usr/bin/env python3
"""Makes covers with PyAV in several processes, with fast PNG settings, as a script optimised for speed would.

    pyav_loop.py JOBS PIXELS FOLDER < LIST

Input and output are those of bare_loop.c.
"""

import json
import multiprocessing
import struct
import sys
import zlib

import av

av.logging.set_level(av.logging.PANIC)


def chunk(kind, data):
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(frame):
    """A PNG without filters and with run-length encoding, the fastest setting of the standard library."""
    plane = frame.planes[0]
    pixels, stride, width = bytes(plane), plane.line_size, frame.width * 3
    rows = b"".join(b"\0" + pixels[at:at + width] for at in range(0, stride * frame.height, stride))
    squeezing = zlib.compressobj(1, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
    head = struct.pack(">IIBBBBB", frame.width, frame.height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", squeezing.compress(rows) + squeezing.flush())
            + chunk(b"IEND", b""))


def cover(path, pixels):
    """The first frame of a clip, fitted into a box, as PNG."""
    with av.open("file:" + path) as container:
        stream = container.streams.video[0]
        stream.thread_type, stream.thread_count = "NONE", 1
        frame = next(container.decode(stream))
        longer = max(frame.width, frame.height)
        box = min(pixels or longer, longer)
        width, height = (max(1, round(side * box / longer)) for side in (frame.width, frame.height))
        return png(frame.reformat(width, height, "rgb24"))


def work(paths, following, covers, failures, pixels, folder):
    """Processes clips from the list until none is left."""
    while True:
        with following.get_lock():
            at, following.value = following.value, following.value + 1
        if at >= len(paths):
            return
        try:
            data = cover(paths[at], pixels)
        except (av.error.FFmpegError, IndexError, StopIteration, ValueError):
            with failures.get_lock():
                failures.value += 1
            continue
        with open(f"{folder}/{at}.png", "wb") as file:
            file.write(data)
        with covers.get_lock():
            covers.value += 1


def main():
    jobs, pixels, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    paths = [path.decode(errors="surrogateescape") for path in sys.stdin.buffer.read().split(b"\0") if path]
    forking = multiprocessing.get_context("fork")
    following, covers, failures = (forking.Value("L", 0) for _ in range(3))
    workers = [forking.Process(target=work, args=(paths, following, covers, failures, pixels, folder))
               for _ in range(jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(json.dumps({"covers": covers.value, "failures": failures.value}))
    sys.exit(max((abs(worker.exitcode) for worker in workers), default=0))


if __name__ == "__main__":
    main()
