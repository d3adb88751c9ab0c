#!/usr/bin/env python3
"""Damages clips of every codec that ffmpeg can encode, and looks for visibly broken covers with the status `cover`.

    damage_sweep.py [--short] [--copies N] [--seed N] [--at TIME] [--list] [--program PATH]

--short        a few clips and copies; takes seconds
--copies N     damaged copies of each kind for each clip (3)
--seed N       the random seed; the same seed damages the same bytes (1)
--at TIME      the frame to show (first)
--list         print each broken cover whose status is `cover`
--program PATH the clipcanvas to test

The reference is what ffmpeg decodes from the undamaged clip. A cover is visibly broken if it is less than 28 dB away
from the frame at its time, and from all others, because the start of a cut clip moves. A broken cover counts as
reported if ffmpeg logs a warning or an error about its packet or an earlier one. The exit status is 1 if there is one.
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from clips import make_all
from damage import copies_of, without_key_frame
from judge import VISIBLY_BROKEN, Reference, digest, pixels_of_png, reports

PROJECT = Path(__file__).resolve().parents[2]
SIZE = 96


def covers_of(options, clips, covers):
    """The record of each clip by name, after a batch."""
    command = [options.program, "batch", "--all", "--at", options.at, "--size", SIZE, "--json", "-o", covers, clips]
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    records = (json.loads(line) for line in result.stdout.splitlines())
    found = {Path(record["clip"]["path"]).name: record for record in records if "clip" in record}
    if not found:
        sys.exit(f"no covers: {result.stderr}")
    return found


def damage(clip, path, folder, options):
    """Writes the damaged copies of a clip. Returns the kind of damage by file name."""
    kinds = {}
    for number, (kind, data) in enumerate(copies_of(path, options.copies, options.seed)):
        name = f"{path.stem}-{number}-{digest(data)}{path.suffix}"
        (folder / name).write_bytes(data)
        kinds[name] = kind
    if clip.key_frames > 1:
        name = f"{path.stem}-nokey{path.suffix}"
        if without_key_frame(path, folder / name):
            kinds[name] = "no key frame"
    return kinds


class Sweep:
    """Counts by codec."""

    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.counts = collections.defaultdict(collections.Counter)
        self.kinds = collections.Counter()

    def judge(self, clip, path, kinds, records, whole):
        """Counts the covers of a clip's damaged copies."""
        reference = None
        for name, kind in kinds.items():
            record, count = records.get(name, {}), self.counts[clip.codec]
            count["copies"] += 1
            count[record.get("status", "missing")] += 1
            if not record.get("cover"):
                continue
            picture = pixels_of_png(Path(record["cover"]))
            reference = reference or Reference(path, *picture[:2])
            if reference.decibels(picture[2], record.get("actualTime") or 0) >= VISIBLY_BROKEN:
                continue
            count["broken"] += 1
            if record["status"] == "cover":
                count["broken cover"] += 1
                self.kinds[kind] += 1
                self.explain(path, name, kind, record, count)
        if whole.get("status") != "cover":
            count = self.counts[clip.codec]
            count["false alarms"] += 1

    def explain(self, path, name, kind, record, count):
        """Counts a broken cover as reported if ffmpeg reports something that it does not for the undamaged clip."""
        time = record.get("actualTime") or 0
        usual = reports(path, time)
        lines = [line for line in reports(self.scratch / "damaged" / name, time) if line not in usual]
        count["reported"] += bool(lines)
        if lines or self.options.list:
            print(f"{name} ({kind}) at {record.get('actualTime')} s: {lines[0] if lines else 'nothing reported'}")

    def table(self):
        """The counts as text."""
        columns = ["copies", "cover", "degraded", "no cover", "broken", "broken cover", "reported", "false alarms"]
        print(f"{'codec':14}" + "".join(f"{column:>14}" for column in columns) + f"{'undetected':>14}")
        total = sum(self.counts.values(), collections.Counter())
        for codec, count in [*sorted(self.counts.items()), ("all", total)]:
            count["no cover"] = count["failed"] + count["incomplete"]
            share = 100 * count["broken cover"] / max(1, count["broken"])
            print(f"{codec:14}" + "".join(f"{count[column]:14}" for column in columns) + f"{share:13.0f}%")
        kinds = ", ".join(f"{kind} {number}" for kind, number in self.kinds.most_common())
        print("broken covers by kind of damage:", kinds or "none")
        return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--copies", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", default="first")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--program", type=Path, default=PROJECT / ".build" / "debug" / "clipcanvas")
    options = parser.parse_args()
    options.copies = options.copies or (2 if options.short else 3)
    with tempfile.TemporaryDirectory(prefix="damage-sweep-") as name:
        scratch = Path(name)
        for folder in ("whole", "damaged", "covers", "covers-whole"):
            (scratch / folder).mkdir()
        made, missing = [], set()
        for clip, path in make_all(scratch / "whole", options.short):
            if path is None:
                missing.add(clip.codec + " in " + clip.container)
            else:
                made.append((clip, path, damage(clip, path, scratch / "damaged", options)))
        records = covers_of(options, scratch / "damaged", scratch / "covers")
        whole = covers_of(options, scratch / "whole", scratch / "covers-whole")
        sweep = Sweep(options, scratch)
        for clip, path, kinds in made:
            sweep.judge(clip, path, kinds, records, whole.get(path.name, {}))
        if missing:
            print("not encoded by this ffmpeg:", ", ".join(sorted(missing)))
        total = sweep.table()
    return 1 if total["reported"] or total["false alarms"] else 0


if __name__ == "__main__":
    sys.exit(main())
