#!/usr/bin/env python3
"""Checks that `clipcanvas similar` finds copies and keeps different clips apart.

    similar.py                 three sets, chosen by the seeds 101, 102 and 103
    similar.py --seed N        this set; can be repeated
    similar.py --clips N --copies N
                               the number of different clips in a set (default: 1000), and how many of them get a copy
                               and a cut copy (default: 100)
    similar.py --pictures      make a picture of each false pair, too

ffmpeg makes the different clips: fractals, cellular automata, gradients, patches, waves, boxes, pages of text, mosaics
of these, test pictures, and if ../shared/clips exists, quarters of real recordings. A copy has another codec, size, bit
rate and container, and sometimes another frame rate. A cut copy ends up to a twentieth earlier, too. None of these
clips was used to choose the rule of `similar`.

A copy is found if it is in the group of its original. Two different clips in one group are a false pair; it is printed
with the distances of the hashes of its four frames. The status is 0 if at least 95 % of the copies of each set are
found, whatever the share of the cut ones, and there is no false pair. The clips are made on first use and kept in
.build/bench/similar.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

from programs import CLIPCANVAS, FFMPEG, OURS, PROJECT, is_installed
from scenes import RATE, SCENES

KEPT = PROJECT / ".build/bench/similar"
SEEDS = [101, 102, 103]
LEAST_FOUND = 0.95
COPY, CUT = "-copy", "-cut"
SIZES = [(256, 144), (320, 180), (240, 180), (144, 256), (192, 192)]
REAL = PROJECT.parent / "shared/clips/valid"
# Recordings of different scenes, long enough and without test pictures. Each gives four clips, one of each quarter.
RECORDINGS = [
    "camera_phone/Issue 515 (java).mp4", "camera_phone/bamboo.mp4", "edit_list/example.f4v", "legacy_codec/testWMV.wmv",
    "matroska_webm/book.mkv", "mp4_mov/bbb_480p_30s.mp4", "multi_video_stream/nasa_13013.mp4",
    "multi_video_stream/testASF.asf", "no_keyframe_start/v.mp4", "odd_name/example video.ogv",
    "odd_or_tiny_size/cityCC0.mpg", "pro_intra_codec/100_0306.AVI", "pro_intra_codec/MVI_4823.AVI",
    "rotation/with-gps.mov", "vfr/FLIR Thermal.mp4", "vfr/MOV00006.3gp",
]
TEST_PICTURES = ["testsrc", "testsrc2", "smptehdbars", "rgbtestsrc", "yuvtestsrc", "sierpinski=type=carpet",
                 "sierpinski=type=triangle"]
# The containers and encoders of copies; each with the range of its quality or bit rate.
COPIES = [
    ("mkv", ["-c:v", "libx264", "-preset", "ultrafast", "-crf"], (28, 34)),
    ("mp4", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:pools=1", "-crf"], (28, 34)),
    ("avi", ["-c:v", "mpeg4", "-q:v"], (6, 12)),
    ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v"], (250_000, 120_000)),
    ("webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v"], (200_000, 90_000)),
    ("ts", ["-r", "25", "-c:v", "mpeg2video", "-q:v"], (6, 14)),
    ("mov", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v"], (8, 16)),
    ("wmv", ["-c:v", "wmv2", "-q:v"], (6, 12)),
    ("flv", ["-c:v", "flv", "-q:v"], (6, 12)),
    ("ogv", ["-c:v", "libtheora", "-q:v"], (6, 3)),
]


class Clip(NamedTuple):
    """A different clip, and the input that ffmpeg makes it from."""

    kind: str
    seconds: float
    size: tuple
    source: list  # ffmpeg's options that name the input
    filters: str  # of that input; may be empty


def seconds_of(recording):
    """The duration of a recording."""
    ended = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", recording],
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return float(ended.stdout)


def quarters(chance):
    """A clip of each quarter of each recording, if there are any."""
    for name in RECORDINGS if REAL.is_dir() else []:
        seconds = round(chance.uniform(2, 4), 1)
        whole = seconds_of(REAL / name)
        begin = round(chance.uniform(0.1, 0.9) * max(0, whole - seconds - 0.2), 2)
        for across, down in itertools.product((0, 1), (0, 1)):
            width, height = chance.choice(SIZES[:3])
            yield Clip("quarter", min(seconds, int(whole * 10) / 10), (width, height),
                       ["-ss", str(begin), "-i", str(REAL / name)],
                       f"crop=iw/2:ih/2:iw/2*{across}:ih/2*{down},fps={RATE},scale={width}:{height}")


def recipes(chance, count):
    """The different clips."""
    clips = list(quarters(chance))
    width, height = SIZES[0]
    for picture in TEST_PICTURES:
        options = f"{':' if '=' in picture else '='}s={width}x{height}:r={RATE}"
        clips.append(Clip("test picture", 3, SIZES[0], ["-f", "lavfi", "-i", picture + options], ""))
    while len(clips) < count:
        scene, size = SCENES[len(clips) % len(SCENES)], chance.choice(SIZES)
        clips.append(Clip(scene.__name__, round(chance.uniform(2, 4), 1), size,
                          ["-f", "lavfi", "-i", scene(chance, *size)], ""))
    return clips[:count]


def command(clip):
    """ffmpeg's command for a different clip, with square pixels, which almost all recordings have."""
    filters = ["-vf", ",".join(filter(None, [clip.filters, "setsar=1"]))]
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1", *clip.source, "-map", "0:v:0", *filters,
            "-t", str(clip.seconds), "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-threads", "1",
            "-pix_fmt", "yuv420p", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact"]


def copying(chance, clip, number, path):
    """ffmpeg's commands for a copy and a cut copy, by the end of their names."""
    extension, options, qualities = COPIES[number % len(COPIES)]
    scale = chance.choice([0.5, 0.6, 0.75, 1.25, 1.5])
    width, height = (max(32, int(side * scale) // 2 * 2) for side in clip.size)
    rate = chance.choice(["", "", ",fps=15", ",fps=25"])
    seconds = clip.seconds * (1 - chance.uniform(0, 0.05))
    quality = chance.uniform(*sorted(qualities))
    pixels = [] if "-pix_fmt" in options else ["-pix_fmt", "yuv420p"]
    reading = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1", "-i", str(path)]
    writing = ["-vf", f"scale={width}:{height}{rate}", *options, f"{quality:.0f}", *pixels, "-threads", "1",
               "-fflags", "+bitexact", "-flags", "+bitexact"]
    return {f"{COPY}.{extension}": [*reading, *writing],
            f"{CUT}.{extension}": [*reading, "-t", f"{seconds:.2f}", *writing]}


def run(words):
    """Runs ffmpeg."""
    ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"similar: {' '.join(words)}\n{ended.stderr.strip()}")


def made(seed, count, copies):
    """The folder of a set; clips that are missing or have another recipe are made."""
    chance = random.Random(seed)
    clips = recipes(chance, count)
    folder = KEPT / f"{seed}-{count}-{copies}"
    (folder / "clips").mkdir(parents=True, exist_ok=True)
    originals = [folder / "clips" / f"{number:04}-{clip.kind.replace(' ', '-')}.mp4"
                 for number, clip in enumerate(clips)]
    steps = [{path: command(clip) for path, clip in zip(originals, clips)}, {}]
    for number, original in enumerate(sorted(chance.sample(range(count), copies))):
        path = originals[original]
        for ending, words in copying(chance, clips[original], number, path).items():
            steps[1][path.with_name(path.stem + ending)] = words
    note = folder / "recipes.json"
    kept = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
    digests = {path.name: hashlib.sha256(json.dumps(words).encode()).hexdigest()
               for step in steps for path, words in step.items()}
    note.unlink(missing_ok=True)
    for path in (folder / "clips").iterdir():
        if path.name not in digests or kept.get(path.name) != digests[path.name]:
            path.unlink()
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for step in steps:
            missing = [[*words, str(path)] for path, words in step.items() if not path.exists()]
            if missing:
                print(f"similar: making {len(missing)} clips", file=sys.stderr, flush=True)
            list(pool.map(run, missing))
    note.write_text(json.dumps(digests), encoding="utf-8")
    return folder / "clips"


def distances(one, two):
    """The distances of the hashes of two clips; None for a frame that is not known of both."""
    return [None if first is None or second is None else (int(first, 16) ^ int(second, 16)).bit_count()
            for first, second in zip(one["hashes"] or [], two["hashes"] or [])]


def nearness(pair):
    """How near two clips are: the sum of the distances without the largest one."""
    known = sorted(distance for distance in distances(*pair) if distance is not None)
    return sum(known[:3])


def original_of(path):
    """The name of the original of a clip."""
    return Path(path).stem.removesuffix(COPY).removesuffix(CUT)


def is_original(path):
    """Whether a clip is not a copy."""
    return original_of(path) == Path(path).stem


def false_pairs(groups):
    """The different clips in each group: the nearest clips of both, by the names of the originals."""
    pairs = {}
    for group in groups:
        for one, two in itertools.combinations(group["clips"], 2):
            names = tuple(sorted(original_of(clip["clip"]["path"]) for clip in (one, two)))
            if names[0] != names[1] and (names not in pairs or nearness((one, two)) < nearness(pairs[names])):
                pairs[names] = (one, two)
    return pairs


def picture(pair, file):
    """Makes a picture of two clips, one below the other, with the frames that are compared."""
    inputs, filters = [], []
    for row, clip in enumerate(pair):
        for column, position in enumerate((0, 0.25, 0.5, 0.75)):
            at = max(0, position * (clip["durationSeconds"] or 0))
            inputs += ["-ss", f"{at:.3f}", "-i", clip["clip"]["path"]]
            filters.append(f"[{4 * row + column}:v]scale=240:180:force_original_aspect_ratio=decrease,"
                           f"pad=244:184:-1:-1,setsar=1,trim=end_frame=1[of{4 * row + column}]")
    rows = ["".join(f"[of{4 * row + column}]" for column in range(4)) + f"hstack=4[row{row}]" for row in (0, 1)]
    run(["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-filter_complex",
         ";".join([*filters, *rows, "[row0][row1]vstack"]), "-frames:v", "1", str(file)])


def checked(seed, options):
    """Checks one set and prints the result: whether it is as required."""
    clips = made(seed, options.clips, options.copies)
    began = time.monotonic()
    ended = subprocess.run([CLIPCANVAS, "similar", "--json", clips], stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"similar: clipcanvas ended with status {ended.returncode}: {ended.stderr.strip()}")
    seconds = time.monotonic() - began
    groups = [json.loads(line) for line in ended.stdout.splitlines()]
    pairs, found = false_pairs(groups), set()
    for group in groups:
        paths = [clip["clip"]["path"] for clip in group["clips"]]
        originals = {original_of(path) for path in paths if is_original(path)}
        found |= {Path(path).name for path in paths if not is_original(path) and original_of(path) in originals}
    shares, counts = {}, {}
    for ending in (COPY, CUT):
        names = sorted(path.name for path in clips.glob(f"*{ending}.*"))
        counts[ending] = sum(name in found for name in names)
        shares[ending] = counts[ending] / max(1, len(names))
    print(f"seed {seed}: {counts[COPY]} of {options.copies} copies found ({shares[COPY]:.0%}), {counts[CUT]} of "
          f"{options.copies} cut copies ({shares[CUT]:.0%}), {len(pairs)} false "
          f"{'pair' if len(pairs) == 1 else 'pairs'} among {options.clips} clips; {seconds:.0f} s", flush=True)
    for path in sorted(clips.iterdir()):
        if not is_original(path) and path.name not in found:
            print(f"  not found: {path.name}")
    for names, pair in sorted(pairs.items()):
        known = " ".join("–" if distance is None else str(distance) for distance in distances(*pair))
        print(f"  false pair: {', '.join(Path(clip['clip']['path']).name for clip in pair)}; distances {known}")
        if options.pictures:
            file = clips.parent / f"{'-'.join(names)}.png"
            picture(pair, file)
            if file.exists():
                print(f"    {file.relative_to(PROJECT)}")
    return (shares[COPY] >= LEAST_FOUND or options.copies == 0) and not pairs


def arguments():
    """The command-line options."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seed", type=int, action="append", metavar="N",
                        help=f"this set; can be repeated (default: {', '.join(map(str, SEEDS))})")
    parser.add_argument("--clips", type=int, default=1000, metavar="N", help="the number of clips (default: 1000)")
    parser.add_argument("--copies", type=int, default=100, metavar="N",
                        help="how many of them get a copy and a cut copy (default: 100)")
    parser.add_argument("--pictures", action="store_true", help="draw the frames of each false pair")
    options = parser.parse_args()
    if not 0 <= options.copies <= options.clips:
        parser.error("there can be at most as many copies as clips")
    return options


def main():
    options = arguments()
    for name in (OURS, FFMPEG):
        if not is_installed(name):
            sys.exit(f"similar: {name} is missing; " + ("run 'make bench'" if name == OURS else "run 'make setup'"))
    results = [checked(seed, options) for seed in options.seed or SEEDS]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
