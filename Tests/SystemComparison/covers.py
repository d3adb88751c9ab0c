#!/usr/bin/env python3
"""Compares the covers that clipcanvas makes with different versions of FFmpeg.

    covers.py make FOLDER                        makes clips of every codec and container that ffmpeg can write
    covers.py record PROGRAM RECORD CLIP...      writes a line of JSON per clip; a folder stands for the files in it
    covers.py compare RECORD RECORD [--allow TABLE]

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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent.parent / "DamageSweep"))

import clips as codecs

LOWEST_PSNR = 38
SIZE = 256
# What the table may allow; "status" includes the other two, because another status has another picture or none.
KINDS = ["status", "size", "picture"]
# File names for the containers of the allow-list that ffmpeg can write.
CONTAINERS = "mp4 mov m4v 3gp mkv webm avi wmv flv mpg vob ts m2ts mxf gxf nut rm wtv ogv ivf dv".split()


def make(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # One picture is enough, because damage is not of interest here.
    wanted = [clip for clip in codecs.all_clips(False) if clip.source == "bars"]

    def copy(container, path):
        other = folder / f"{path.stem}-{path.suffix[1:]}.{container}"
        result = codecs.ffmpeg("-v", "error", "-i", path, "-c", "copy", "-strict", "experimental", other)
        if result.returncode != 0 and other.exists():
            other.unlink()

    with ThreadPoolExecutor(2) as pool:
        made = [path for path in pool.map(lambda clip: codecs.make(clip, folder), wanted) if path]
        # A copy of each codec's first clip in every container that takes it.
        firsts = {path.name.rsplit("-", 1)[0]: path for path in reversed(made)}.values()
        list(pool.map(lambda pair: copy(*pair), [(each, path) for path in firsts for each in CONTAINERS]))
    print(f"{sum(1 for _ in folder.iterdir())} clips in {folder}")


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
        result = subprocess.run([program, "batch", "--quiet", "--size", str(SIZE), "--report", str(report),
                                 "-o", f"{folder}/covers", "--files-from", str(names)],
                                stderr=subprocess.PIPE, text=True, check=False)
        # 1: some clips have no cover.
        if result.returncode not in (0, 1):
            sys.exit(f"{program}: exit status {result.returncode}\n{result.stderr}")
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
    # Where records are only written, Pillow need not be installed.
    from PIL import Image, ImageChops, ImageStat

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
    commands.add_parser("make").add_argument("folder")
    one = commands.add_parser("record")
    one.add_argument("program")
    one.add_argument("record")
    one.add_argument("clips", nargs="+")
    two = commands.add_parser("compare")
    two.add_argument("records", nargs=2)
    two.add_argument("--allow")
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.folder)
    elif arguments.command == "record":
        record(arguments.program, arguments.record, arguments.clips)
    else:
        sys.exit(compare(*arguments.records, arguments.allow))


if __name__ == "__main__":
    main()
