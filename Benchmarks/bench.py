#!/usr/bin/env python3
"""Measures everything that has a budget against its peers, and writes Benchmarks/runs/DATE-HOST.md.

    bench.py                everything
    bench.py --only NAME    only this row; can be repeated
    bench.py --quick        one round on small clips, to check that the benchmark works
    bench.py --long         also measure the memory of a run over 100 000 clips
    bench.py --rounds N     number of rounds (default: 7); fast programs run several times per round
    bench.py --host NAME    the name of the machine in the record (default: its host name)

Programs take turns, so that other load on the machine slows all of them equally. Figures are medians of wall clock
time, and ratios are more meaningful than absolute figures. A peer that is not installed is reported as such. Run the
benchmark on an idle machine. A quick run or a run of some rows is not a record; it is written to
.build/bench/partial.md.
"""

import argparse
import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

from measuring import boards, covers, folders, likeness, observing, portable, previews, serving, storyboards, takes
from measuring import videos
from measuring.clips import progress
from measuring.machine import facts
from measuring.report import document
from measuring.timing import NOT_INSTALLED, adopt_orphans
from programs import FFMPEG, OURS, PROJECT, is_installed

RUNS = PROJECT / "Benchmarks/runs"
WORK = PROJECT / ".build/bench"
ROUNDS = 7
ROWS = {
    "cover": covers.one_cover, "at": covers.frame_at, "stages": covers.stages, "folder": folders.real_folder,
    "again": folders.many_clips, "memory": folders.memory, "hashes": likeness.hashes, "similar": likeness.similar,
    "storyboard": storyboards.storyboards, "sheet": previews.contact_sheets, "animation": previews.animations,
    "remux": videos.remux, "export": videos.export, "tap": boards.taps, "writers": boards.writers,
    "watch": boards.watch_delay, "takes": takes.many_takes, "serve": serving.serve,
    "observed": observing.observed_writes, "portable": portable.portable,
}
NOT_QUICK = {"observed", "animation"}  # one needs to build a package, the other clips of some seconds


class Bench(NamedTuple):
    """The settings of a run."""

    rounds: int
    is_quick: bool
    is_long: bool
    work: Path


def arguments():
    """The command-line options."""
    parser = argparse.ArgumentParser(description="Measures everything that has a budget against its peers.")
    parser.add_argument("--only", action="append", choices=list(ROWS), metavar="NAME",
                        help=f"only this row: {', '.join(ROWS)}")
    parser.add_argument("--quick", action="store_true",
                        help="one round on small clips, to check that the benchmark works")
    parser.add_argument("--long", action="store_true", help="also measure the memory of a run over 100 000 clips")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"number of rounds (default: {ROUNDS})")
    parser.add_argument("--host", default=platform.node(), metavar="NAME",
                        help="the name of the machine in the record (default: its host name)")
    options = parser.parse_args()
    if options.rounds is not None and options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", options.host):
        parser.error("--host takes letters, digits, dots, underscores and dashes")
    return options


def measured(names, bench):
    """The sections of the rows, and the problems found."""
    sections, problems = [], []
    for name in names:
        try:
            sections.extend(ROWS[name](bench))
        except (OSError, RuntimeError, ValueError, LookupError, subprocess.SubprocessError) as error:
            problems.append(f"{name}: {error}".replace(f"{PROJECT}/", ""))
    problems += [f"{section.title}: {one.name} {one.problem}" for section in sections for one in section.series
                 if one.problem not in ("", NOT_INSTALLED)]
    return sections, problems


def write(path, text):
    """Writes the record atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def main():
    options = arguments()
    os.chdir(PROJECT)
    for name in (OURS, FFMPEG):
        if not is_installed(name):
            sys.exit(f"bench: {name} is missing; " + ("run 'make bench'" if name == OURS else "run 'make setup'"))
    began, today = time.monotonic(), datetime.date.today()
    names = options.only or [name for name in ROWS if not options.quick or name not in NOT_QUICK]
    rounds = options.rounds or (1 if options.quick else ROUNDS)
    adopt_orphans()
    work = WORK / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    try:
        machine = facts(work)
        sections, problems = measured(names, Bench(rounds, options.quick, options.long, work))
    except subprocess.CalledProcessError as error:
        sys.exit(f"bench: {error.cmd[0]} failed: {(error.stderr or '').strip()}; run 'make bench'")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    is_partial = options.quick or options.only
    path = WORK / "partial.md" if is_partial else RUNS / f"{today}-{options.host}.md"
    minutes = (time.monotonic() - began) / 60
    introduction = (f"Made by `make bench` in {minutes:.1f} minutes, with {rounds} round{'s' * (rounds > 1)} or a "
                    "multiple of that. Times are medians of wall clock time; the programs took turns, after a warm-up "
                    "round. Ratios are more meaningful than absolute figures.")
    if options.quick:
        introduction += " **A quick run: it only shows that the benchmark works. Its figures mean nothing.**"
    if problems:
        introduction += "\n\nThese programs or rows failed:\n\n" + "\n".join(f"- {problem}" for problem in problems)
    write(path, document(f"Benchmark of {today}, {options.host}", introduction, machine, sections))
    print(path.relative_to(PROJECT))
    for problem in problems:
        progress(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
