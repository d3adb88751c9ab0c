"""The description of the machine, the programs and the state of the sources in the record."""

import os
import platform
import subprocess
from pathlib import Path

from programs import CLIPCANVAS, FFMPEG, PROJECT, THUMBNAILER, version

from measuring.peers import pyav_python


def said(*command):
    """The first line that a program prints; empty if the program does not exist."""
    try:
        ended = subprocess.run(command, cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError:
        return ""
    return (ended.stdout.decode(errors="replace").splitlines() or [""])[0].strip()


def value_of(path, name):
    """The value of a field in a file such as /proc/meminfo."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def facts(work):
    """Names and values that describe the machine before the run."""
    load = os.getloadavg()
    gibibytes = int(value_of("/proc/meminfo", "MemTotal").split()[0]) / 1024 / 1024
    model = value_of("/proc/cpuinfo", "model name") or platform.machine()
    return [
        ["kernel", f"{platform.system()} {platform.release()}, {platform.machine()}"],
        ["system", platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")],
        ["processor", f"{model}, {len(os.sched_getaffinity(0))} cores"],
        ["memory", f"{gibibytes:.1f} GiB"],
        ["file system", said("stat", "-f", "-c", "%T", str(work))],
        ["load before", " ".join(f"{value:.2f}" for value in load) + " (1, 5 and 15 minutes)"],
        ["sources", sources()],
        *versions(),
    ]


def sources():
    """The commit, and whether there are uncommitted changes."""
    changed = said("git", "status", "--porcelain", "--untracked-files=no")
    return (said("git", "rev-parse", "--short", "HEAD") or "no commit") + (", with local changes" if changed else "")


def versions():
    """The versions of all programs."""
    ours = subprocess.run([CLIPCANVAS, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    python = pyav_python()
    peers = {
        THUMBNAILER: version(THUMBNAILER), FFMPEG: version(FFMPEG),
        "PyAV": said(python, "-c", "import av; print(av.__version__)") if python else "",
        "taskwarrior": said("task", "--version"), "C compiler": said("cc", "--version"),
        "Swift": said(os.environ.get("SWIFT", "swift"), "--version"), "Python": platform.python_version(),
    }
    return [["clipcanvas", ", ".join(ours)], *([name, number or "not installed"] for name, number in peers.items())]
