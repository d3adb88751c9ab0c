#!/usr/bin/env python3
"""Compares the covers of ClipCanvas, ffmpegthumbnailer and plain ffmpeg, row by row of a table of kinds of clips.

    compare.py              print the results of each program for each row, then the time for one cover
    compare.py --row N      only this row
    compare.py --markdown   print the table for the documentation

The clips of a row are the fixtures that belong to it, and the real recordings in rows.py that are available. A cover is
right if its size and corners are those worked out by hand (Fixtures/manifest.json), and its pixels those of the
reference command (pictures.py): a mean difference of at most 1, and at least 40 dB. The cover of an interlaced clip may
match the deinterlaced reference instead. ClipCanvas is never compared with itself, and other programs may use another
resolution.
"""

import argparse
import functools
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

from made_clips import MADE_CLIPS
from pictures import DEINTERLACED, HABLE, TURNS, UPRIGHT, Difference, is_deep, read_png, reference
from programs import FFMPEG, HANGS, MEBIBYTE, NAMES, OURS, PROJECT, THUMBNAILER
from programs import commands, is_installed, overwriting, run, version
from rows import ROWS
from situations import SITUATIONS

FIXTURES = PROJECT / "Fixtures"
LARGEST_MEAN, FEWEST_DECIBELS, LUMA_BAND = 1.0, 40.0, 0.12
LEAST_SATURATION = 0.7  # of the reference; without tone mapping the luma is right by chance, but colours are washed out
SAME_PICTURE_DECIBELS = 25.0  # enough to identify the frame and the orientation of a picture
MOST_MEMORY = 1024 * MEBIBYTE
SPEED_RUNS, SPEED_SIZE = 15, 256
MOST_LISTED = 8


class Case(NamedTuple):
    """A clip of a row, and the expected result."""

    row: int
    path: Path
    cover: dict | None
    failure: dict | None


class Verdict(NamedTuple):
    """Whether a program was right on a clip, what it did, and how its pixels differ from the reference."""

    is_right: bool
    what: str
    difference: Difference | None = None
    peak: int = 0


@functools.cache
def manifest():
    """The entries of all fixtures."""
    return json.loads((FIXTURES / "manifest.json").read_text(encoding="utf-8"))["fixtures"]


def cases_of(row, recordings):
    """The clips of a row."""
    for fixture in manifest():
        if row in fixture["rows"]:
            yield Case(row, FIXTURES / fixture["file"], fixture.get("cover"), fixture.get("failure"))
    for recording in ROWS[row].recordings:
        path, _, cause = recording.partition(" → ")
        if (recordings / path).exists():
            yield Case(row, recordings / path, None if cause else {}, {"cause": cause} if cause else None)


def judge(case, name, scratch):
    """The verdict on a program for a clip."""
    cover = scratch / f"{case.row}-{name}-{case.path.name}.png"
    ended = run(commands(name, str(case.path), str(cover)), watches_memory=case.row == 23)
    if ended.status is None:
        return Verdict(False, HANGS)
    if case.failure is not None:
        return judged_failure(case, name, ended, cover)
    if not cover.exists():
        return Verdict(False, f"no cover ({ended.record().get('reason')})" if name == OURS else "no cover")
    if cover.stat().st_size == 0:
        return Verdict(False, "0-byte file")
    if case.row == 7 and case.path.name == "dolby-vision-5.mp4":
        is_degraded = name == OURS and ended.record().get("status") == "degraded"
        return Verdict(is_degraded, "degraded" if is_degraded else "no word of the missing base layer")
    return judged_picture(case, name, cover)


def judged_failure(case, name, ended, cover):
    """The verdict on a program for a clip that cannot have a cover, including the reason that it reports."""
    if cover.exists():
        return Verdict(False, "cover anyway" if cover.stat().st_size else "0-byte file")
    if ended.peak > MOST_MEMORY:
        return Verdict(False, f"{ended.peak / MEBIBYTE / 1024:.1f} GiB of memory")
    if name != OURS:
        return Verdict(True, "no cover")
    found = ended.record()
    is_right = all(found.get("reason" if word == "cause" else word) == said for word, said in case.failure.items()
                   if word != "unopened")
    return Verdict(is_right, f"{found.get('stage')}, {found.get('reason')}", peak=ended.peak)


def ratio(found, wanted):
    """The ratio of two values, with 1 added to both so that black and gray pictures have one, too."""
    return (found + 1) / (wanted + 1)


def judged_picture(case, name, path):
    """The verdict on a cover, by the manifest and the reference command."""
    stated, has_alpha = case.cover, case.row == 8
    transfer = tone_mapped(case)
    # A cover with 16 bits per channel is compared with a reference that also had 16 bits before it was reduced to 8.
    after = f"{UPRIGHT},format={'rgba64' if has_alpha else 'rgb48'}" if is_deep(path) else UPRIGHT
    source = case.path.with_name(stated.get("samePicture", case.path.name))
    wanted = next(iter(reference(source, stated, has_alpha, transfer or "null", after)), None)
    found = read_png(path, has_alpha)
    if wanted is None or found is None:
        return Verdict(False, "no reference" if found else "broken PNG")
    if has_alpha and wanted.is_opaque():
        wanted, found = wanted.without_alpha(), found.without_alpha()
    if (found.width, found.height) != (stated.get("width", wanted.width), stated.get("height", wanted.height)):
        if name != OURS and is_scaled(case, found, wanted):
            return Verdict(True, f"right shape, {found.size}")
        return Verdict(False, wrong_size(case, found, wanted))
    if wanted.channels == 4 and found.is_opaque():
        return Verdict(False, "alpha lost")
    if transfer:
        luma = ratio(found.luma(), wanted.luma())
        saturation = ratio(found.saturation(), wanted.saturation())
        is_right = abs(luma - 1) <= LUMA_BAND and saturation >= LEAST_SATURATION
        return Verdict(is_right, f"washed (luma × {luma:.2f}, saturation × {saturation:.2f})")
    difference = Difference.between(found, wanted)
    has_corners = "corners" not in stated or found.has_corners(stated["corners"])
    if has_corners and is_same(difference) and case.row != 19:
        return Verdict(True, "right", difference)
    smooth = Difference.between(found, reference(case.path, stated, has_alpha, DEINTERLACED, after)[0])
    if has_corners and (smooth.decibels > difference.decibels or is_same(smooth)):
        return Verdict(True, "right", smooth)  # interlaced, and closer to the deinterlaced frame than to the combed one
    what = "combed" if has_corners and is_same(difference) else wrong_picture(case, path, found, wanted)
    return Verdict(False, what, smooth if what == "combed" else difference)


def is_scaled(case, found, wanted):
    """Whether a cover has the right shape and picture at another resolution, such as of a program that scales up."""
    if abs(found.width - wanted.width * found.height / wanted.height) > 1:
        return False
    if "corners" in case.cover:
        return found.has_corners(case.cover["corners"])
    scaled = reference(case.path, case.cover, after=f"{UPRIGHT},scale={found.width}:{found.height}")
    return Difference.between(found.without_alpha(), scaled[0]).decibels >= SAME_PICTURE_DECIBELS


def is_same(difference):
    """Whether two pictures are the same within the limits."""
    return difference.mean <= LARGEST_MEAN and difference.decibels >= FEWEST_DECIBELS


def tone_mapped(case):
    """The filters for the reference of an HDR clip; None for other clips."""
    return HABLE if case.row == 7 and case.path.name != "bt2020.mp4" else None


def wrong_size(case, found, wanted):
    """The reason for the wrong size of a cover."""
    if (found.width, found.height) == (wanted.height, wanted.width):
        return "turned"
    if found.size in [one.size for one in reference(case.path, case.cover, after="null")]:
        return "pixels not square"
    streams = [reference(case.path, {"stream": f"0:v:{index}"}) for index in range(2)]
    if all(streams) and found.size in [pictures[0].size for pictures in streams]:
        return "another stream's picture"
    return f"{found.size} for {wanted.size}"


def wrong_picture(case, path, found, wanted):
    """The reason for the wrong pixels of a cover with the right size, if one is found."""

    def is_near(picture, other):
        apart = Difference.between(picture, other)
        return apart is not None and apart.decibels >= SAME_PICTURE_DECIBELS

    if found.channels == 3:
        for turn in TURNS:
            if not is_near(found, wanted) and is_near(read_png(path, turn=turn), wanted):
                return "turned"
        frames = reference(case.path, case.cover | {"frame": 0, "reference": []}, frames=30)
        nearest = max(frames, key=lambda frame: Difference.between(found, frame).decibels, default=wanted)
        if is_near(found, nearest) and nearest.pixels != wanted.pixels and nearest is not frames[0]:
            return "another frame"
    return "wrong pixels"


def results_of(row, recordings, scratch, pool):
    """The verdicts on each installed program, for each clip or situation of a row."""
    installed = [name for name in NAMES if is_installed(name)]
    cases = list(cases_of(row, recordings))
    jobs = [(case, name, pool.submit(judge, case, name, scratch)) for case in cases for name in installed]
    results = {}
    for case, name, job in jobs:
        label = case.path.name if case.path.parent == FIXTURES else f"{case.path.parent.name}/{case.path.name}"
        results.setdefault(label, {})[name] = job.result()
    if situations := (SITUATIONS | MADE_CLIPS).get(row):
        folder = scratch / f"situations-{row}"
        folder.mkdir()
        for label, said in situations(folder):
            results[label] = {name: Verdict(*verdict) for name, verdict in said.items()}
    return results


def summary(name, results):
    """The results of a program in a row: the number of right covers, their largest difference, and what is wrong."""
    if not is_installed(name):
        return "not installed"
    verdicts = {label: said[name] for label, said in results.items()}
    right, wrong = [verdict for verdict in verdicts.values() if verdict.is_right], {}
    for label, verdict in verdicts.items():
        if not verdict.is_right:
            apart = f" ({decibels(verdict.difference)})" if verdict.difference else ""
            wrong.setdefault(verdict.what, []).append(f"`{label}`{apart}")
    parts = [f"{len(right)}/{len(verdicts)}"]
    differences = [verdict.difference for verdict in right if verdict.difference]
    if differences and name == OURS:
        worst = min(differences, key=lambda difference: difference.decibels)
        parts.append(f"mean {max(one.mean for one in differences):.2f}, {decibels(worst)}")
    if peak := max((verdict.peak for verdict in right), default=0):
        parts.append(f"{peak // MEBIBYTE} MiB")
    return "; ".join([*parts, *(f"{what}: {listed(labels)}" for what, labels in wrong.items())])


def listed(labels):
    """The names of clips as text, the first of them if there are many."""
    shown = labels if len(labels) <= MOST_LISTED else labels[:MOST_LISTED - 1]
    more = [f"{len(labels) - len(shown)} more"] if len(shown) < len(labels) else []
    return ", ".join([*shown, *more])


def is_row_right(name, results):
    """Whether a program was right on every clip of a row."""
    return is_installed(name) and all(said[name].is_right for said in results.values())


def decibels(difference):
    """The decibels as text; equal pictures have an infinite ratio."""
    return "∞ dB" if math.isinf(difference.decibels) else f"{difference.decibels:.1f} dB"


def speeds(scratch):
    """For each program, the median milliseconds of one cover of 1080p.mp4 at 256 pixels, and its difference.

    The programs take turns, so that other load on the machine slows all of them equally.
    """
    clip = FIXTURES / "1080p.mp4"
    words = {name: overwriting(name, commands(name, str(clip), f"{scratch}/speed-{name}.png", SPEED_SIZE))
             for name in NAMES if is_installed(name)}
    times = {name: [] for name in words}
    for _ in range(SPEED_RUNS):
        for name, command in words.items():
            start = time.perf_counter()
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            times[name].append((time.perf_counter() - start) * 1000)
    # In RGB, because chroma that was scaled down and up again would not be a valid reference.
    wanted = reference(clip, {}, after=f"format=rgb24,scale={SPEED_SIZE}:-1")[0]
    apart = {name: Difference.between(read_png(f"{scratch}/speed-{name}.png"), wanted) for name in words}
    return {name: (statistics.median(taken), apart[name]) for name, taken in times.items()}


def print_row(row, results, as_markdown):
    """Prints a row as text or as Markdown for the documentation."""
    said = {name: summary(name, results) for name in NAMES}
    if as_markdown:
        cells = [f"**{text}**" if is_row_right(name, results) else text for name, text in said.items()]
        print("|", " | ".join([str(row), ROWS[row].title, ROWS[row].oracle, *cells]), "|", flush=True)
        return
    print(f"{row:2} {ROWS[row].title} (judged by: {ROWS[row].oracle})")
    for name, text in said.items():
        mark = "right" if is_row_right(name, results) else "wrong" if is_installed(name) else "-"
        print(f"   {name:18} {mark:6} {text.replace('`', '')}", flush=True)


def print_end(results, measured, as_markdown):
    """Prints the number of right rows, and the time for one cover."""
    rows = {name: sum(is_row_right(name, of_row) for of_row in results.values()) for name in NAMES}
    names = [name for name in NAMES if is_installed(name)]
    if as_markdown:
        print("| | rows right | |", " | ".join(f"{rows[name]} of {len(results)}" if name in names else "not installed"
                                               for name in NAMES), "|")
    else:
        print("rows right:", ", ".join(f"{name} {rows[name]} of {len(results)}" for name in names))
    print(f"\nOne cover of 1080p.mp4 at {SPEED_SIZE} pixels, median of {SPEED_RUNS} runs in turns:")
    ours = measured[OURS][0]
    for name, (taken, difference) in measured.items():
        figure = f"{taken / ours:.2f} times as long" if as_markdown else f"{taken:6.1f} ms, {taken / ours:.2f} ×"
        nearness = decibels(difference) if difference else "another size"
        print(f"- {name}: {figure}, {nearness} from the reference made as small")


def main():
    parser = argparse.ArgumentParser(description="Compares the covers of several programs with a reference.")
    parser.add_argument("--markdown", action="store_true", help="print the table for the documentation")
    parser.add_argument("--row", type=int, choices=sorted(ROWS), metavar="N", help="only this row")
    parser.add_argument("--recordings", type=Path, default=PROJECT.parent / "shared/clips", metavar="FOLDER",
                        help="the folder of the real recordings (default: ../shared/clips)")
    options = parser.parse_args()
    for name in (OURS, FFMPEG):
        if not is_installed(name):
            sys.exit(f"compare: {name} is missing; " + ("run 'make compare'" if name == OURS else "run 'make setup'"))
    if not is_installed(THUMBNAILER):
        print("compare: ffmpegthumbnailer is not installed (apt-get install ffmpegthumbnailer)", file=sys.stderr)
    titles = [f"{name} {version(name)}" if is_installed(name) else name for name in NAMES]
    if options.markdown:
        print("| # | clips | judged by |", " | ".join(titles), "|\n|---|---|---|---|---|---|")
    else:
        print(", ".join(titles))
    results = {}
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        for row in [options.row] if options.row else ROWS:
            # Clips that take gigabytes run alone, because they would make a concurrent run exceed its time.
            with ThreadPoolExecutor(1 if row == 23 else 2) as pool:
                results[row] = results_of(row, options.recordings, Path(folder), pool)
            print_row(row, results[row], options.markdown)
        print_end(results, speeds(folder), options.markdown)


if __name__ == "__main__":
    main()
