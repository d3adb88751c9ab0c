#!/usr/bin/env python3
"""Makes and checks the fixtures, the clips used by the tests.

    make.py                  make every fixture in manifest.json again
    make.py NAME...          make only these fixtures
    make.py --check [NAME]   compare the files with the manifest, using ffprobe and ffmpeg

The commands of a fixture run in order in an empty scratch folder, without a shell. The file named after the fixture is
then moved into place atomically. README.md describes the entries of the manifest.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # a cache folder would be a stray file

import checks

HERE = Path(__file__).resolve().parent
SECONDS_PER_COMMAND = 120

# The verbs that a command can start with besides "ffmpeg", for files that ffmpeg cannot write. Each takes the scratch
# folder and the words after the verb. A BOX is a path in an ISO base media file, such as "moov/trak[1]/tkhd" (counted
# from 0). HEX can contain spaces.


def zeros(scratch, out, count):
    """["zeros", OUT, COUNT]: a file of COUNT zero bytes."""
    (scratch / out).write_bytes(bytes(int(count)))


def text(scratch, out, *lines):
    """["text", OUT, LINE...]: a text file."""
    (scratch / out).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def hexadecimal(scratch, out, *digits):
    """["hex", OUT, HEX...]: a file with exactly these bytes."""
    (scratch / out).write_bytes(bytes.fromhex("".join(digits)))


def join(scratch, out, *sources):
    """["join", OUT, IN...]: the concatenated files."""
    (scratch / out).write_bytes(b"".join((scratch / source).read_bytes() for source in sources))


def cut(scratch, source, out, amount, skip="0"):
    """["cut", IN, OUT, AMOUNT, SKIP]: AMOUNT bytes after the first SKIP.

    Each is a number, a share ("60%"), or the name of a box ("moof") for the number of bytes before it.
    """

    def bytes_of(word):
        if word.endswith("%"):
            return len(data) * int(word[:-1]) // 100
        return int(word) if word.isdigit() else data.index(word.encode()) - 4

    data = (scratch / source).read_bytes()
    (scratch / out).write_bytes(data[bytes_of(skip) :][: bytes_of(amount)])


def replace(scratch, source, out, old, new):
    """["replace", IN, OUT, HEX, HEX]: replaces the first occurrence of some bytes by the same number of others."""
    data, old, new = (scratch / source).read_bytes(), bytes.fromhex(old), bytes.fromhex(new)
    if old not in data or len(old) != len(new):
        raise ValueError(f"replace: cannot put {new.hex()} in the place of {old.hex()}")
    (scratch / out).write_bytes(data.replace(old, new, 1))


def patch(scratch, source, out, path, offset, digits):
    """["patch", IN, OUT, BOX, OFFSET, HEX]: overwrites bytes of a box, OFFSET after its 8-byte header."""
    data, new = bytearray((scratch / source).read_bytes()), bytes.fromhex(digits)
    start, end = find_box(data, path)[-1]
    first = start + 8 + int(offset)
    if first + len(new) > end:
        raise ValueError(f"patch: {digits} does not fit in {path}")
    data[first : first + len(new)] = new
    (scratch / out).write_bytes(data)


def insert(scratch, source, out, path, digits):
    """["insert", IN, OUT, BOX, HEX]: appends bytes to a box, in a file whose samples precede the box."""
    data, new = bytearray((scratch / source).read_bytes()), bytes.fromhex(digits)
    boxes = find_box(data, path)
    end = boxes[-1][1]
    if data.find(b"mdat", end) >= 0:
        raise ValueError("insert: would move the samples")
    for start, _ in boxes:
        size = int.from_bytes(data[start : start + 4], "big") + len(new)
        data[start : start + 4] = size.to_bytes(4, "big")
    data[end:end] = new
    (scratch / out).write_bytes(data)


def front(scratch, source, out, path):
    """["front", IN, OUT, BOX]: moves a box to the front of its parent."""
    data = (scratch / source).read_bytes()
    (parent, _), (start, end) = find_box(data, path)[-2:]
    first = parent + 8
    (scratch / out).write_bytes(data[:first] + data[start:end] + data[first:start] + data[end:])


VERBS = {"hex": hexadecimal} | {verb.__name__: verb for verb in (zeros, text, join, cut, replace, patch, insert, front)}


def find_box(data, path):
    """The (start, end) of every box along a path."""
    # Bytes between a box's header and its first child, in lists of entries and in video sample entries.
    before_children = {"stsd": 8, "dref": 8, "avc1": 78, "hvc1": 78}
    boxes, position, limit = [], 0, len(data)
    for step in path.split("/"):
        name, _, index = step.rstrip("]").partition("[")
        still_to_skip = int(index or 0)
        while True:
            size = int.from_bytes(data[position : position + 4], "big")
            if position >= limit or size < 8:
                raise ValueError(f"no box {step} on the way to {path}")
            if data[position + 4 : position + 8] == name.encode():
                if still_to_skip == 0:
                    break
                still_to_skip -= 1
            position += size
        boxes.append((position, position + size))
        position, limit = position + 8 + before_children.get(name, 0), position + size
    return boxes


def make(fixture):
    """Makes one fixture. The old file stays until the new one is complete."""
    with tempfile.TemporaryDirectory(prefix=".making-", dir=HERE) as folder:
        scratch = Path(folder)
        for command in fixture["commands"]:
            if command[0] == "ffmpeg":
                subprocess.run(command, cwd=scratch, check=True, timeout=SECONDS_PER_COMMAND)
            else:
                VERBS[command[0]](scratch, *command[1:])
        made = scratch / fixture["file"]
        print(f"{made.stat().st_size:8} {fixture['file']}", flush=True)
        os.replace(made, HERE / fixture["file"])


def main():
    parser = argparse.ArgumentParser(description="Makes and checks the clips that the tests run on.")
    parser.add_argument("--check", action="store_true", help="check instead of making")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these fixtures")
    options = parser.parse_args()
    fixtures = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))["fixtures"]
    unknown = set(options.names) - {fixture["file"] for fixture in fixtures}
    if unknown:
        parser.error(f"not in manifest.json: {', '.join(sorted(unknown))}")
    chosen = [fixture for fixture in fixtures if not options.names or fixture["file"] in options.names]
    if options.check:
        problems = [] if options.names else checks.problems_of_folder(HERE, fixtures)
        # Threads, which wait for ffprobe and ffmpeg.
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            for fixture, found in zip(chosen, threads.map(lambda each: checks.problems_of(HERE, each), chosen)):
                problems += [f"{fixture['file']}: {problem}" for problem in found]
        print("\n".join([*problems, f"{len(chosen)} fixtures checked, {len(problems)} problems"]))
        sys.exit(bool(problems))
    for fixture in chosen:
        make(fixture)


if __name__ == "__main__":
    main()
