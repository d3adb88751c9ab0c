"""The peers that belong to this project, and where they are located."""

import functools
import subprocess

from programs import PROJECT

BUILT = ".build/bench/bin"
PYAV_LOOP = PROJECT / "Benchmarks/bare/pyav_loop.py"
PYTHONS = [".build/bench/venv/bin/python3", "python3", "/usr/bin/python3"]


def built(name):
    """The command of a C peer that the Makefile compiles."""
    return [f"{BUILT}/{name}"]


@functools.cache
def pyav_python():
    """A Python that has PyAV; None if none has."""
    for python in PYTHONS:
        try:
            ended = subprocess.run([python, "-c", "import av"], cwd=PROJECT, capture_output=True, check=False)
        except OSError:
            continue
        if ended.returncode == 0:
            return python
    return None
