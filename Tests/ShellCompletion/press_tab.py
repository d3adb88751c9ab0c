#!/usr/bin/env python3
"""Presses Tab in a real shell on a terminal.

Reads a JSON object from standard input: `shell` is the command that starts the shell, `setup` are the lines to run first,
and each of `lines` is typed, followed by Tab. Prints a JSON array with an object for each line: `screen` is what the shell
then wrote, without escape sequences and bells, and `seconds` is the time that it took.

A line that ends in a newline is run after Tab; any other is erased.
"""

import json
import os
import pty
import re
import select
import signal
import sys
import time

ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78DEHMc])|[\x07\r\x0e\x0f]")
TAB, ERASE, ENTER = b"\t", b"\x15", b"\r"
PATIENCE = 60


class Shell:
    def __init__(self, command):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            # A terminal without abilities makes shells write plain text.
            os.environ.update(TERM="xterm", COLUMNS="200", LINES="50", PS1="ready> ")
            os.execvp(command[0], command)
        self.count = 0

    def read(self, until):
        """Returns what the shell writes up to a text.

        A shell reads keys by itself only after its prompt.
        """
        data, deadline = b"", time.monotonic() + PATIENCE
        while not until.search(ESCAPES.sub(b"", data)):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.terminal], [], [], left)[0]:
                raise SystemExit(f"waited in vain for {until.pattern!r}; the shell wrote {data!r}")
            try:
                part = os.read(self.terminal, 1 << 16)
            except OSError:
                part = b""
            if not part:
                raise SystemExit(f"the shell has ended; it wrote {data!r}")
            data += part
        return ESCAPES.sub(b"", data).decode(errors="replace")

    def write(self, data):
        while data:
            data = data[os.write(self.terminal, data) :]

    def mark(self):
        """Types a command that prints a mark, and returns the mark; quotation marks set the command apart from it."""
        self.count += 1
        self.write(b"echo ma''rk-%d-" % self.count + ENTER)
        return re.compile(rb"mark-%d-.*ready> " % self.count, re.DOTALL)

    def run(self, line):
        self.write(line.encode() + ENTER)
        self.read(self.mark())

    def press_tab(self, line):
        text = line.removesuffix("\n")
        start = time.monotonic()
        self.write(text.encode() + TAB + (ENTER if line.endswith("\n") else ERASE))
        screen = self.read(self.mark())
        return {"screen": screen, "seconds": time.monotonic() - start}

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def main():
    order = json.load(sys.stdin)
    shell = Shell(order["shell"])
    try:
        for line in order["setup"]:
            shell.run(line)
        json.dump([shell.press_tab(line) for line in order["lines"]], sys.stdout)
    finally:
        shell.end()


main()
