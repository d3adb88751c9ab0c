"""The compared programs and their commands for one clip. Used by compare.py and bench.py."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
# The installed program, as users run it. A file just written by the linker occupies smaller pieces of the page cache
# and starts more slowly.
CLIPCANVAS = PROJECT / ".build/bench/installed/bin/clipcanvas"
OURS, THUMBNAILER, FFMPEG = NAMES = ["clipcanvas", "ffmpegthumbnailer", "ffmpeg"]
HANGS_AFTER_SECONDS = 10
HANGS = f"no end within {HANGS_AFTER_SECONDS} s"
MEBIBYTE = 1024 * 1024


class Run(NamedTuple):
    """How a program ended."""

    status: int | None  # None if it had to be killed
    output: bytes
    messages: bytes
    peak: int  # peak memory of its largest process in bytes; 0 if not measured

    def record(self):
        """The record that clipcanvas prints with --json."""
        try:
            return json.loads(self.output.splitlines()[-1])
        except (ValueError, IndexError):
            return {}


def commands(name, clip, cover, size=0):
    """The command that people type to get the first frame of a clip; size 0 keeps the size of the clip."""
    if name == OURS:
        options = [*(["--size", str(size)] if size else []), *(["-o", cover] if cover else [])]
        return [str(CLIPCANVAS), "cover", "--json", *options, "--", clip]
    if name == THUMBNAILER:
        return ["ffmpegthumbnailer", "-t", "0", "-s", str(size), "-i", clip, "-o", cover]
    scaled = ["-vf", f"scale={size}:-1"] if size else []
    return ["ffmpeg", "-i", clip, "-frames:v", "1", *scaled, cover]


def overwriting(name, command):
    """The same command, with the option to replace a foreign file."""
    flags = {OURS: ["--force"], THUMBNAILER: [], FFMPEG: ["-y"]}[name]
    at = 2 if name == OURS else 1
    return [*command[:at], *flags, *command[at:]]


def is_installed(name):
    """Whether a program can be run."""
    return CLIPCANVAS.exists() if name == OURS else shutil.which(name) is not None


def version(name):
    """The version number of a program; None if it is not installed."""
    if not is_installed(name):
        return None
    flag = {OURS: "--version", THUMBNAILER: "-v", FFMPEG: "-version"}[name]
    words = run([str(CLIPCANVAS) if name == OURS else name, flag]).output.decode().split()
    number = {OURS: 1, THUMBNAILER: 2, FFMPEG: 2}[name]
    return words[number].split("-")[0].rstrip(",") if len(words) > number else "of unknown version"


def run(command, folder=None, seconds=HANGS_AFTER_SECONDS, watches_memory=False):
    """Runs a command without input. Kills it and everything it started if it exceeds its time."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=messages, start_new_session=True
        )
        end, peak = time.monotonic() + seconds, 0
        status = process.poll()
        while status is None and time.monotonic() < end:
            if watches_memory:
                peak = max(peak, largest_of(process.pid))
            try:
                status = process.wait(0.02)
            except subprocess.TimeoutExpired:
                pass
        if status is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        messages.seek(0)
        return Run(status, output.read(), messages.read(), peak)


def largest_of(process):
    """The largest peak memory of a process and its descendants, in bytes."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        lists = [path.read_text(encoding="utf-8") for path in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:  # it has just ended
        return 0
    peaks = [int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:")]
    return max([0, *peaks, *map(largest_of, " ".join(lists).split())])
