"""One cover: of five kinds of clips, and by its stages."""

import json
import os
import shutil
import statistics
import subprocess

from programs import CLIPCANVAS, FFMPEG, NAMES, OURS, PROJECT, THUMBNAILER, commands, is_installed, overwriting

from measuring.clips import RECIPES, list_of, made, progress
from measuring.peers import built
from measuring.report import Section, compared, milliseconds, table
from measuring.timing import Contestant, race, timed, within

PIXELS = 256
LEAST_FASTER = 1.6  # than ffmpegthumbnailer and ffmpeg, on 1080p H.264
DECODER = CLIPCANVAS.with_name("clipcanvas-decoder")
WRONG_USAGE = 64


def bare_loop(paths, folder, jobs=1):
    """The C loop on a list of clips, into a folder."""
    return Contestant("bare C loop", [*built("bare_loop"), str(jobs), str(PIXELS), within(folder)],
                      source=within(paths))


def racers(clip, work):
    """Each program that makes the cover of one clip, into a place of its own."""
    programs = [Contestant(name, overwriting(name, commands(name, within(clip), within(work / f"{name}.png"), PIXELS))
                           if is_installed(name) else []) for name in NAMES]
    alone = work / "alone"
    shutil.rmtree(alone, ignore_errors=True)
    alone.mkdir()
    os.link(clip, alone / clip.name)
    return [*programs, bare_loop(list_of(alone, work / "one.list"), work)]


def one_cover(bench):
    """A cover of each kind of clip."""
    for number, recipe in enumerate(RECIPES):
        progress(f"one cover: {recipe.about}")
        clip = made(recipe, bench.is_quick)
        series = race(racers(clip, bench.work), bench.rounds * 2)
        by_name = {one.name: one for one in series}
        ours, least = by_name[OURS], None if number else LEAST_FASTER
        claims = [compared(f"cover, {recipe.about}", ours, by_name[name], least) for name in (THUMBNAILER, FFMPEG)]
        claims.append(compared(f"cover, {recipe.about}", ours, by_name["bare C loop"]))
        size = clip.stat().st_size / 1e6
        yield Section(f"One cover: {recipe.about}", [f"Clip of {size:.1f} MB, cover in a box of {PIXELS} pixels."],
                      claims, series)


def stages(bench):
    """Where the time of one cover goes, by what the programs tell of themselves."""
    progress("stages of a cover")
    clip = made(RECIPES[0], bench.is_quick)
    contestants = {one.name: one for one in racers(clip, bench.work)}
    told = {OURS: [], "bare C loop": []}
    for number in range(-1, bench.rounds * 3):
        for name, stages_told in told.items():
            ended = timed(contestants[name].command, contestants[name].source)
            if ended.status != 0:
                raise RuntimeError(f"{contestants[name].shown()} ended with status {ended.status}")
            if number >= 0:
                stages_told.append(stages_of(json.loads(ended.output.splitlines()[-1])))
    parts = [
        Contestant("nothing (`true`)", ["true"]),
        Contestant("start of clipcanvas", [within(CLIPCANVAS), "--help"]),
        # Ends over its arguments, when the libraries are linked.
        Contestant("start of the decoder", [within(DECODER), "--help"], statuses=(WRONG_USAGE,)),
        contestants[OURS],
        contestants["bare C loop"],
    ]
    series = race(parts, bench.rounds * 3)
    rows = [[stage, *(milliseconds(statistics.median(one.get(stage, 0) for one in runs)) for runs in told.values())]
            for stage in ("open", "decode", "convert", "encode")]
    notes = ["The stages are medians of what `--json` and the C loop tell; the rest of a process is in the other table. "
             "The C loop's stages are *open* with reading on, *decode*, *scale* and *encode*."]
    text = table(["stage", "clipcanvas, ms", "bare C loop, ms"], rows) + "\n\n" + linking()
    yield Section(f"Stages of a cover: {RECIPES[0].about}", notes, [], series, text)


def stages_of(record):
    """Seconds by clipcanvas's names of the stages."""
    if "milliseconds" in record:
        return {stage: taken / 1000 for stage, taken in record["milliseconds"].items()}
    taken = record["seconds"]
    return {"open": taken["open"] + taken["probe"], "decode": taken["decode"], "convert": taken["scale"],
            "encode": taken["encode"]}


def linking():
    """What the dynamic linker tells of the decoder's start."""
    ended = subprocess.run([DECODER, "--help"], env={**os.environ, "LD_DEBUG": "statistics"}, cwd=PROJECT,
                           capture_output=True, text=True, check=False)
    lines = [line.partition(":")[2].strip() for line in ended.stderr.splitlines() if line.strip()[:1].isdigit()]
    told = "\n".join(line for line in lines if ":" in line and not line.endswith("statistics:"))
    return f"The dynamic linker on the decoder's start (`LD_DEBUG=statistics`):\n\n```\n{told}\n```"
