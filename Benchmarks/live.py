#!/usr/bin/env python3
"""Measures how long `clipcanvas board live` takes from a key to the screen, on a large board.

Each key taps a canvas, so the board is locked, read, changed, written and synced before the screen shows it. The time
ends when the new revision has arrived in the header.
"""

import argparse
import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", nargs="?", default=".build/release/clipcanvas")
    parser.add_argument("--canvases", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=40)
    return parser.parse_args()


def start(program, board):
    """Starts the live board in a terminal of 200 × 50 characters, and returns our end and the process."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    command = [program, "board", "live", "--board", board, "--pictures", "none"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, start_new_session=True)
    os.close(theirs)
    return ours, process


def wait_for(terminal, text):
    """Reads until a text has arrived."""
    seen = b""
    while text not in seen:
        if not select.select([terminal], [], [], 60)[0]:
            sys.exit(f"live.py: {text.decode()!r} did not appear")
        seen = seen[-100:] + os.read(terminal, 1 << 16)


def drain(terminal):
    """Reads until nothing has come for a while."""
    while select.select([terminal], [], [], 0.3)[0]:
        os.read(terminal, 1 << 16)


def main():
    options = arguments()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        board = os.path.join(folder, "board.json")
        subprocess.run([program, "board", "new", "--board", board, "--canvases", str(options.canvases)], check=True)
        terminal, process = start(program, board)
        wait_for(terminal, b"revision 0 ")
        times = []
        for revision in range(1, options.keys + 1):
            drain(terminal)
            begin = time.monotonic()
            os.write(terminal, b"\r")
            wait_for(terminal, b"revision %d " % revision)
            times.append((time.monotonic() - begin) * 1000)
        os.write(terminal, b"q")
        process.wait()
        size = os.path.getsize(board) / (1 << 20)
        print(
            f"{options.canvases} canvases, {size:.1f} MiB: {statistics.median(times):.0f} ms from a key to the screen"
            f" (median of {options.keys}; {min(times):.0f} to {max(times):.0f} ms)"
        )


if __name__ == "__main__":
    main()
