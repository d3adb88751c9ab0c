"""Folders: real clips, second runs, memory."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from programs import CLIPCANVAS, FFMPEG, NAMES, OURS, THUMBNAILER, is_installed

from measuring.clips import KEPT, RECIPES, folder_of_real, list_of, made, progress, tree
from measuring.covers import BARE_LOOP, PIXELS, QUICK_LOOP, bare_loop, command
from measuring.peers import PYAV_LOOP, built, pyav_python
from measuring.report import Section, bounded, compared, duration, limited, shown_memory
from measuring.timing import Contestant, processor_of_orphans, race, timed, within

# With two jobs.
LEAST_FASTER = {THUMBNAILER: 6, FFMPEG: 6, "PyAV": 2}
MOST_OF_LOOP = {BARE_LOOP: 0.75, QUICK_LOOP: 1.2}
MOST_OF_STAT, MOST_SECONDS = 3, 1.0
MOST_MEMORY, MOST_DECODER_MEMORY = 64, 300  # in MiB
MANY, QUICK_MANY, VERY_MANY = 10_000, 200, 100_000
SOME_CLIPS_FAILED = 1  # the status of clipcanvas, and of each.c
COPIES_OF_4K = 5
LOOKS_A_SECOND = 500


def emptied(folder):
    """Replaces a folder with an empty one, and flushes the writes of earlier runs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.sync()  # otherwise a program that syncs its files would also wait for writes of the others


def covers_in(folder):
    """The number of covers in a folder, as text."""
    count = sum(path.stat().st_size > 0 for path in folder.rglob("*.png"))
    return f"{count} covers"


def racers(clips, jobs, work):
    """The programs on the same folder of clips, each with its own output folder."""
    paths = within(list_of(clips, work / "clips.list"))
    out = {name: work / f"covers-by-{name.replace(' ', '-')}" for name in [*NAMES, "PyAV", BARE_LOOP, QUICK_LOOP]}
    python = pyav_python()
    commands = {
        OURS: [within(CLIPCANVAS), "batch", "-q", "--size", str(PIXELS), f"-j{jobs}", "-o", within(out[OURS]), "-0",
               "--files-from", paths],
        **{name: [*built("each"), str(jobs), *command(name, "{}", within(out[name] / "{/}.png"))]
           if is_installed(name) else [] for name in (THUMBNAILER, FFMPEG)},
        "PyAV": [python, within(PYAV_LOOP), str(jobs), str(PIXELS), within(out["PyAV"])] if python else [],
        BARE_LOOP: bare_loop(jobs, out[BARE_LOOP]),
        QUICK_LOOP: bare_loop(jobs, out[QUICK_LOOP], "-q"),
    }
    return [Contestant(name, words, source=os.devnull if name == OURS else paths,
                       before=lambda folder=out[name]: emptied(folder),
                       after=lambda folder=out[name]: covers_in(folder), statuses=(0, SOME_CLIPS_FAILED))
            for name, words in commands.items()]


def real_folder(bench):
    """A folder of real clips with one job and with two."""
    clips, about = folder_of_real(bench.is_quick)
    for jobs in (1, 2):
        progress(f"a folder, {jobs} at a time")
        series = race(racers(clips, jobs, bench.work), bench.rounds)
        ours, *peers = [one for one in series if one.name not in MOST_OF_LOOP]
        loops = [one for one in series if one.name in MOST_OF_LOOP]
        what = f"{about}, {jobs} at a time"
        claims = [compared(what, ours, peer, LEAST_FASTER[peer.name] if jobs == 2 else None) for peer in peers]
        claims += [bounded(what, ours, loop, MOST_OF_LOOP[loop.name] if jobs == 2 else None) for loop in loops]
        notes = [f"{about.capitalize()}, each cover fitted into a box of {PIXELS} pixels. `each` is like "
                 "`xargs -0 -P -I{}`, but continues if a program fails. The table shows how many covers each program "
                 "made. Only clipcanvas syncs its covers to the disk."]
        yield Section(f"A folder, {jobs} at a time", notes, claims, series)


def many_clips(bench):
    """The first and the second run over many tiny clips."""
    count = QUICK_MANY if bench.is_quick else MANY
    clips, covers = tree(count), bench.work / "many-covers"
    progress(f"{grouped(count)} clips, first run")
    emptied(covers)
    words = [within(CLIPCANVAS), "batch", "-q", "--size", str(PIXELS), "-j2", "-o", within(covers), within(clips)]
    first = timed(words)
    if first.status != 0:
        messages = first.messages.decode(errors="replace").strip()
        raise RuntimeError(f"the first run over {grouped(count)} clips ended with status {first.status}: {messages}")
    progress(f"{grouped(count)} clips, second runs")
    series = race([Contestant(OURS, words),
                   Contestant("stat of each clip and cover", [*built("stat_all"), within(clips), within(covers / clips.name)])],
                  bench.rounds * 2)
    ours, stat = series
    what = f"second run over {grouped(count)} clips"
    claims = [bounded(what, ours, stat, MOST_OF_STAT)]
    if not ours.problem:
        claims.append(limited(what, ours.median, MOST_SECONDS, duration))
    notes = [f"{grouped(count)} clips of 160 × 120 pixels in folders of 100. The first run took "
             f"{duration(first.seconds)}, {duration(first.processor)} of CPU time."]
    yield Section(f"A second run over {grouped(count)} clips", notes, claims, series)


def memory(bench):
    """The peak memory of the parent in a long run, and of a decoder on 4K clips."""
    progress("memory")
    count = VERY_MANY if bench.is_long else QUICK_MANY if bench.is_quick else MANY
    covers = bench.work / "memory-covers"
    emptied(covers)
    copies = copies_of(made(RECIPES[1], bench.is_quick))
    notes, claims = [], []
    for what, size, folder, program, limit in [
        (f"parent, first run over {grouped(count)} clips", PIXELS, tree(count), "clipcanvas", MOST_MEMORY),
        (f"parent, second run over {grouped(count)} clips", PIXELS, tree(count), "clipcanvas", MOST_MEMORY),
        (f"decoder, {RECIPES[1].about}, {PIXELS} pixels", PIXELS, copies, "clipcanvas-deco", MOST_DECODER_MEMORY),
        (f"decoder, {RECIPES[1].about}, full size", 0, copies, "clipcanvas-deco", MOST_DECODER_MEMORY),
    ]:
        words = [within(CLIPCANVAS), "batch", "-q", *(["--size", str(size)] if size else []), "-j2", "-o",
                 within(covers), within(folder)]
        peaks = peaks_of(words)
        claims.append(limited(f"memory: {what}", peaks[program], limit, shown_memory))
        reported = ", ".join(f"{name} {shown_memory(peak)}" for name, peak in peaks.items() if name.startswith("clipcanvas"))
        notes.append(f"{what[0].upper()}{what[1:]}: {reported}; `{' '.join(words)}`")
    yield Section("Memory", ["Peak resident memory (`VmHWM`) of the largest process of each name, sampled "
                             f"{LOOKS_A_SECOND} times per second.", "\n".join(f"- {note}" for note in notes)], claims)


def copies_of(clip):
    """A folder with copies of a clip of 4K."""
    folder = KEPT / "copies"
    emptied(folder)
    for number in range(COPIES_OF_4K):
        shutil.copyfile(clip, folder / f"{number}{clip.suffix}")
    return folder


def grouped(count):
    """A number with grouped digits."""
    return f"{count:,}".replace(",", " ")


def peaks_of(words):
    """The peak memory in MiB of the largest process of each name, among a command and its descendants."""
    peaks = {}
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            look_at(process.pid, peaks)
            time.sleep(1 / LOOKS_A_SECOND)
    finally:
        process.kill()
        process.wait()
    processor_of_orphans()  # otherwise it would count for the next program
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} ended with status {process.returncode}")
    return peaks


def look_at(process, peaks):
    """Records the peaks of a process and its descendants."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
        children = [path.read_text(encoding="utf-8") for path in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:  # it has just ended
        return
    values = dict(line.split(":", 1) for line in lines)
    if "VmHWM" in values:
        name = values["Name"].strip()
        peaks[name] = max(peaks.get(name, 0), int(values["VmHWM"].split()[0]) / 1024)
    for child in " ".join(children).split():
        look_at(child, peaks)
