"""One cover: for five kinds of clips, and by stages."""

import json
import os
import statistics
import subprocess

from programs import CLIPCANVAS, FFMPEG, NAMES, OURS, PROJECT, THUMBNAILER, commands, is_installed, overwriting

from measuring.clips import LONG_GROUPS, RECIPES, made, progress
from measuring.peers import built
from measuring.report import Section, bounded, compared, milliseconds, table
from measuring.timing import Contestant, failure, race, timed, within

PIXELS = 256
BARE_LOOP = "bare C loop"
QUICK_LOOP = "bare C loop without stream info"
KEY_FRAME = "clipcanvas, key frame"
LEAST_FASTER = {THUMBNAILER: 1.6, FFMPEG: 1.9}  # for clips of at most 1080 lines
DECODER = CLIPCANVAS.parent.parent / "libexec/clipcanvas/clipcanvas-decoder"
WRONG_USAGE = 64
STAGES = ["open", "decode", "convert", "encode"]


def command(name, clip, cover):
    """The command for the cover of one clip, fitted into the box."""
    if name == FFMPEG:
        fitting = f"scale={PIXELS}:{PIXELS}:force_original_aspect_ratio=decrease"
        return ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", clip, "-frames:v", "1", "-vf", fitting, cover]
    return [word.replace(f"{PROJECT}/", "") for word in overwriting(name, commands(name, clip, cover, PIXELS))]


def bare_loop(jobs, folder, *options, program="bare_loop"):
    """The command of the C loop, which reads a list of clips and writes to a folder."""
    return [*built(program), *options, str(jobs), str(PIXELS), within(folder)]


def racers(clip, work):
    """The programs that make the cover of one clip, each with its own output file."""
    words = {name: command(name, within(clip), within(work / f"{name}.png")) if is_installed(name) else []
             for name in NAMES}
    paths = work / "one.list"
    paths.write_bytes(os.fsencode(within(clip)) + b"\0")
    return [*(Contestant(name, one) for name, one in words.items()),
            Contestant(BARE_LOOP, bare_loop(1, work), source=within(paths))]


def key_frame(clip):
    """The size in bytes of the first picture of a clip."""
    asked = ["-select_streams", "v:0", "-read_intervals", "%+#1", "-show_entries", "packet=size", "-of", "csv=p=0"]
    ended = subprocess.run(["ffprobe", "-v", "error", *asked, clip], capture_output=True, text=True, check=True)
    return int(ended.stdout.split()[0].strip(","))


def one_cover(bench):
    """A cover of each kind of clip."""
    for recipe in RECIPES:
        progress(f"one cover: {recipe.about}")
        clip = made(recipe, bench.is_quick)
        series = race(racers(clip, bench.work), bench.rounds * 2)
        by_name = {one.name: one for one in series}
        what, ours = f"cover, {recipe.about}", by_name[OURS]
        least = {} if recipe.about.startswith("4K") else LEAST_FASTER
        claims = [*(compared(what, ours, by_name[name], least.get(name)) for name in (THUMBNAILER, FFMPEG)),
                  bounded(what, ours, by_name[BARE_LOOP])]
        notes = [f"A clip of {clip.stat().st_size / 1e6:.1f} MB whose first picture has "
                 f"{key_frame(clip) / 1e3:.0f} KB; the cover is fitted into a box of {PIXELS} pixels."]
        yield Section(f"One cover: {recipe.about}", notes, claims, series)


def duration(clip):
    """The duration of a clip in seconds."""
    asked = ["-show_entries", "format=duration", "-of", "csv=p=0"]
    ended = subprocess.run(["ffprobe", "-v", "error", *asked, clip], capture_output=True, text=True, check=True)
    return float(ended.stdout)


def frame_at(bench):
    """The frame at 90 % of a clip, and the key frame before it."""
    progress("the frame at 90 %")
    clip = made(LONG_GROUPS, bench.is_quick)
    ours = command(OURS, within(clip), within(bench.work / "at.png"))
    key = command(OURS, within(clip), within(bench.work / "key.png"))
    theirs = command(FFMPEG, within(clip), within(bench.work / "ffmpeg.png"))
    contestants = [
        Contestant(OURS, [*ours[:2], "--at", "90%", *ours[2:]]),
        Contestant(KEY_FRAME, [*key[:2], "--at", "key:90%", *key[2:]]),
        Contestant(THUMBNAILER, ["ffmpegthumbnailer", "-t", "90%", "-s", str(PIXELS), "-i", within(clip), "-o",
                                 within(bench.work / "thumbnail.png")] if is_installed(THUMBNAILER) else []),
        Contestant(FFMPEG, [*theirs[:5], "-ss", f"{duration(clip) * 0.9:.3f}", *theirs[5:]]),
    ]
    series = race(contestants, bench.rounds * 2)
    exact, quick, thumbnail, same = series
    claims = [compared(f"frame at 90 %, {LONG_GROUPS.about}", exact, same, 1),
              compared(f"frame at 90 %, {LONG_GROUPS.about}", exact, thumbnail, 1),
              compared(f"key frame at 90 %, {LONG_GROUPS.about}", quick, thumbnail, 3)]
    notes = ["clipcanvas and ffmpeg take the frame itself, for which they decode up to 125 frames after the key frame; "
             "with `key:`, clipcanvas takes the key frame. ffmpegthumbnailer always takes the key frame."]
    yield Section("The frame at 90 %", notes, claims, series)


def stages(bench):
    """The time of one cover by stages, as reported by the programs."""
    progress("stages of a cover")
    clip = made(RECIPES[0], bench.is_quick)
    contestants = {one.name: one for one in racers(clip, bench.work)}
    medians = told_stages([contestants[OURS], contestants[BARE_LOOP]], bench.rounds * 3)
    parts = [
        Contestant("nothing (`true`)", ["true"]),
        Contestant("start of clipcanvas", [within(CLIPCANVAS), "--help"]),
        # Exits with a usage error once its libraries are linked.
        Contestant("start of its decoder", [within(DECODER), "--help"], statuses=(WRONG_USAGE,)),
        contestants[OURS],
        contestants[BARE_LOOP],
    ]
    series = race(parts, bench.rounds * 3)
    notes = ["The stages are medians of the times that the programs report, over the same number of runs. *open* "
             "includes further reading if the header does not suffice. *The rest* of clipcanvas is the time of the "
             "whole process apart from its start, the start of the decoder and the stages: the socket, the sandbox, "
             "and checking, syncing and renaming the cover. For the C loop it is the start with its libraries."]
    starts = {OURS: series[1].median + series[2].median, BARE_LOOP: 0}
    wholes = {OURS: series[3].median, BARE_LOOP: series[4].median}
    rows = [[stage, *(milliseconds(one[stage]) for one in medians.values())] for stage in STAGES]
    rows.append(["the rest", *(milliseconds(wholes[name] - starts[name] - sum(medians[name].values()))
                               for name in medians)])
    text = table(["stage", *(f"{name}, ms" for name in medians)], rows) + "\n\n" + linking()
    yield Section(f"Stages of a cover: {RECIPES[0].about}", notes, [], series, text)


def told_stages(contestants, rounds):
    """For each program, the median seconds of each stage that it reports. The programs take turns after a warm-up."""
    reported = {one.name: [] for one in contestants}
    for number in range(-1, rounds):
        for one in contestants:
            ended = timed(one.command, one.source)
            if ended.status != 0:
                raise RuntimeError(f"{one.shown()} {failure(ended)}")
            if number >= 0:
                reported[one.name].append(stages_of(json.loads(ended.output.splitlines()[-1])))
    return {name: {stage: statistics.median(one[stage] for one in runs) for stage in STAGES}
            for name, runs in reported.items()}


def stages_of(record):
    """The seconds of each stage, under the names of clipcanvas."""
    if "milliseconds" in record:
        return {stage: record["milliseconds"].get(stage, 0) / 1000 for stage in STAGES}
    taken = record["seconds"]
    return {"open": taken["open"] + taken["probe"], "decode": taken["decode"], "convert": taken["scale"],
            "encode": taken["encode"]}


def linking():
    """The statistics of the dynamic linker for the start of the decoder."""
    ended = subprocess.run([DECODER, "--help"], env={**os.environ, "LD_DEBUG": "statistics"}, cwd=PROJECT,
                           capture_output=True, text=True, check=False)
    lines = [line.partition(":")[2].strip() for line in ended.stderr.splitlines() if line.strip()[:1].isdigit()]
    reported = "\n".join(line for line in lines if ":" in line and not line.endswith("statistics:"))
    return f"The dynamic linker at the start of the decoder (`LD_DEBUG=statistics`):\n\n```\n{reported}\n```"
