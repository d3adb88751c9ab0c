#!/usr/bin/env python3
"""Prints the slowest tests of a run, and what the time of the run was spent on.

    report.py LOG EVENTS TIMES

LOG is the output of `swift test`, EVENTS its stream of events, and TIMES what the tests recorded; see RunTimes.swift. The
tests must have run one after another, or their times contain those of the others.
"""

import collections
import json
import pathlib
import re
import sys

SLOWEST = 50
KINDS = {
    "clips": "running ffmpeg and ffprobe",
    "programs": "running the programs of the package",
    "tools": "running other programs",
    "pauses": "pausing",
    "validation": "validating JSON",
}


def tests(path):
    """The seconds that each test took, by its name, and those of the whole run."""
    started, seconds, moments = {}, {}, []
    # Names of tests contain other separators of lines.
    for line in path.read_text().rstrip("\n").split("\n"):
        record = json.loads(line)
        if record["kind"] != "event":
            continue
        event = record["payload"]
        moment = event["instant"]["absolute"]
        moments.append(moment)
        if event["kind"] == "testStarted":
            started[event["testID"]] = moment
        elif event["kind"] == "testEnded" and event["testID"].count("/") > 1:
            # The last part of the name is the place in the source.
            seconds[event["testID"].rpartition("/")[0]] = moment - started[event["testID"]]
    return seconds, max(moments, default=0) - min(moments, default=0)


def waits(path):
    """The number and the seconds of each kind of wait."""
    found = collections.defaultdict(lambda: [0, 0.0])
    for line in path.read_text().splitlines() if path.exists() else []:
        kind, seconds = line.split()
        found[kind][0] += 1
        found[kind][1] += float(seconds)
    return found


def main():
    log, events, times = map(pathlib.Path, sys.argv[1:])
    seconds, whole = tests(events)
    built = re.search(r"Build complete! \(([\d.]+)s\)", log.read_text())
    print(f"\nThe {SLOWEST} slowest of {len(seconds)} tests, in seconds:")
    for name, time in sorted(seconds.items(), key=lambda item: -item[1])[:SLOWEST]:
        print(f"{time:9.2f}  {name}")
    print("\nWhere the time went, in seconds:")
    print(f"{float(built[1]) if built else 0:9.1f}  building")
    print(f"{whole:9.1f}  testing")
    found = waits(times)
    for kind, (count, time) in sorted(found.items(), key=lambda item: -item[1][1]):
        print(f"{time:9.1f}    {KINDS[kind]} ({count} times)")
    print(f"{whole - sum(time for _, time in found.values()):9.1f}    everything else")


if __name__ == "__main__":
    main()
