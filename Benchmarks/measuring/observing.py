"""The cost of a write to an observed value, measured by the package in Benchmarks/Observing."""

import os
import subprocess

from programs import PROJECT

from measuring.clips import progress
from measuring.report import UNREPORTED, Claim, Section

BUILT = ".build/bench/observing"
WRITES = ["unobserved", "unobserved, in place", "unobserved, by mutate"]
MOST_OF_LOCKED = 1.5  # of a write behind a Mutex


def observed_writes(bench):
    """Builds and runs the benchmark of the package, and converts its output."""
    del bench
    swift = os.environ.get("SWIFT", "swift")
    command = [swift, "run", "--package-path", "Benchmarks/Observing", "--scratch-path", BUILT, "-c", "release",
               "observing-benchmark"]
    progress("observed writes")
    try:
        ended = subprocess.run(command, cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                               check=False)
    except OSError:
        yield Section("Observed writes", [f"`{swift}` is not installed."], [])
        return
    if not ended.stdout.startswith("|"):
        raise RuntimeError(f"the benchmark of observed writes did not run:\n{ended.stdout}{ended.stderr}")
    written, _, ratios = ended.stdout.partition("\n\n")
    nanoseconds = {cells[1]: cells[2] for cells in cells_of(written)}
    locked = "behind a Mutex"
    claims = []
    for name in WRITES:
        ratio = float(nanoseconds[name]) / float(nanoseconds[locked])
        claims.append(Claim(f"a write, {name}", f"{nanoseconds[name]} ns", locked, f"{nanoseconds[locked]} ns",
                            f"{ratio:.2f}× its time", f"at most {MOST_OF_LOCKED}×", ratio <= MOST_OF_LOCKED))
    allocations = "none" if ended.returncode == 0 else "some"
    claims.append(Claim("allocations by an unobserved write", allocations, UNREPORTED, UNREPORTED, UNREPORTED, "none",
                        ended.returncode == 0))
    notes = [f"`{' '.join(command)}`; the best of several rounds, because other load only adds to it."]
    yield Section("Observed writes", notes, claims, text=f"{written}\n\n```\n{ratios.strip()}\n```")


def cells_of(lines):
    """The cells of a Markdown table without its header."""
    return [[cell.strip() for cell in line.split("|")] for line in lines.splitlines()[2:]]
