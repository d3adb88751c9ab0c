#!/usr/bin/env python3
"""Compares the covers that clipcanvas makes with different versions of FFmpeg.

    clips.py record PROGRAM RECORD CLIP...       writes a line of JSON per clip; a folder stands for the files in it
    clips.py compare RECORD RECORD [--allow TABLE]

A line of a record has the name and digest of a clip, and the status, reason, size and picture (at most 256 pixels, PNG) of
its cover. Records are compared by digest. Status and size must be equal, and the pictures must have a PSNR of at least
38 dB, except for clips in the table.
"""

import argparse
import base64
import fnmatch
import hashlib
import io
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

LOWEST_PSNR = 38
SIZE = 256
# What the table may allow; "status" includes the other two, because another status has another picture or none.
KINDS = ["status", "size", "picture"]


def files(paths):
    for path in map(Path, paths):
        yield from sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]


def record(program, output, paths):
    clips = [path for path in files(paths) if path.suffix not in (".md", ".json", ".py", ".tsv")]
    with tempfile.TemporaryDirectory() as folder, open(output, "w", encoding="utf-8") as lines:
        # A link per clip, because names may occur twice.
        links = Path(folder, "clips")
        links.mkdir()
        for number, clip in enumerate(clips):
            (links / f"{number:05}{clip.suffix}").symlink_to(clip.absolute())
        names = Path(folder, "names")
        names.write_text("".join(f"{each}\n" for each in sorted(links.iterdir())), encoding="utf-8")
        report = Path(folder, "report")
        subprocess.run([program, "batch", "--quiet", "--size", str(SIZE), "--report", str(report), "-o", f"{folder}/covers",
                        "--files-from", str(names)], stderr=subprocess.DEVNULL, check=False)
        for line in report.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            if "clip" not in result:
                continue
            clip = clips[int(Path(result["clip"]["path"]).name[:5])]
            cover = result.get("cover")
            picture = base64.b64encode(Path(cover).read_bytes()).decode() if cover and Path(cover).exists() else None
            print(json.dumps({
                "name": clip.name, "digest": hashlib.sha256(clip.read_bytes()).hexdigest(), "status": result["status"],
                "reason": result.get("reason"), "message": result.get("message"), "size": [result.get("width"), result.get("height")],
                "picture": picture,
            }), file=lines)


def load(path):
    with open(path, encoding="utf-8") as lines:
        return {each["digest"]: each for each in map(json.loads, lines)}


def psnr(one, other):
    pictures = [Image.open(io.BytesIO(base64.b64decode(each))).convert("RGBA") for each in (one, other)]
    error = sum(ImageStat.Stat(ImageChops.difference(*pictures)).sum2) / (4 * pictures[0].width * pictures[0].height)
    return math.inf if error == 0 else 10 * math.log10(255 * 255 / error)


def difference(one, other):
    """The kind of the first difference of two results, and a text; None if they are equal."""
    if one["status"] != other["status"]:
        return "status", " → ".join(f"{each['status']} ({each['reason'] or 'no reason'})" for each in (one, other))
    if one["size"] != other["size"]:
        return "size", f"{one['size']} → {other['size']}"
    if one["picture"] and other["picture"]:
        value = psnr(one["picture"], other["picture"])
        if value < LOWEST_PSNR:
            return "picture", f"{value:.1f} dB"
    return None


def allowances(path):
    """The lines of a table: name of a clip (with wildcards), kind, reason; separated by tabs."""
    lines = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            fields = line.split("\t")
            if len(fields) != 3 or fields[1] not in KINDS or not fields[2].strip():
                sys.exit(f"{path}:{number}: expected NAME, one of {', '.join(KINDS)}, and a reason, separated by tabs")
            lines.append(fields)
    return lines


def compare(first, second, table):
    one, other = load(first), load(second)
    allowed = allowances(table) if table else []
    common = [digest for digest in one if digest in other]
    if not common or len(common) < max(len(one), len(other)):
        print(f"only {len(common)} clips are in both records, which have {len(one)} and {len(other)}")
        return 1
    bad = 0
    for digest in common:
        found = difference(one[digest], other[digest])
        if found is None:
            continue
        name = one[digest]["name"]
        reason = next((why for pattern, kind, why in allowed if kind == found[0] and fnmatch.fnmatchcase(name, pattern)), None)
        bad += reason is None
        print(f"{'DIFFERS' if reason is None else 'allowed'}  {name}  {found[0]}  {found[1]}{'' if reason is None else f'  ({reason})'}")
    print(f"{len(common)} clips, {bad} differences that are not allowed")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("record")
    one.add_argument("program")
    one.add_argument("record")
    one.add_argument("clips", nargs="+")
    two = commands.add_parser("compare")
    two.add_argument("records", nargs=2)
    two.add_argument("--allow")
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.program, arguments.record, arguments.clips)
    else:
        sys.exit(compare(*arguments.records, arguments.allow))


if __name__ == "__main__":
    main()
