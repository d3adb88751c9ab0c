"""Contact sheets and animations, compared with vcsi and with ffmpeg's filters."""

import shutil

from programs import CLIPCANVAS, FFMPEG, OURS, PROJECT

from measuring.clips import LONG_GROUPS, RECIPES, made, progress
from measuring.report import Section, compared
from measuring.timing import Contestant, race, within

VCSI = "vcsi"
PHONE = RECIPES[3]


def vcsi():
    """The command that starts vcsi; empty if it is not installed."""
    own = PROJECT / ".build/bench/venv/bin/vcsi"
    found = str(own) if own.exists() else shutil.which(VCSI)
    return [found] if found else []


def contact_sheets(bench):
    """A sheet of four by three frames, with header and times; ffmpeg's has neither."""
    for recipe in (PHONE, LONG_GROUPS):
        progress(f"contact sheet: {recipe.about}")
        clip, rate = made(recipe, bench.is_quick), 12 / recipe.seconds
        filters = f"fps={rate}:round=down,scale=400:-1,tile=4x3"
        out = bench.work / "contact-sheet"
        out.mkdir(exist_ok=True)
        start = vcsi()
        contestants = [
            Contestant(OURS, [within(CLIPCANVAS), "sheet", "--force", "-o", within(out / "ours.png"), within(clip)]),
            Contestant(VCSI, [*start, "-g", "4x3", "-w", "1600", "-o", within(out / "vcsi.png"), within(clip)]
                       if start else []),
            Contestant(FFMPEG, ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", within(clip), "-vf", filters,
                                "-frames:v", "1", within(out / "ffmpeg.png")]),
        ]
        series = race(contestants, bench.rounds)
        ours, peer, chained = series
        what = f"contact sheet, {recipe.about}"
        claims = [compared(what, ours, peer, 4), compared(what, ours, chained, 1)]
        notes = ["Twelve frames of 400 pixels. vcsi runs ffmpeg once for each frame. ffmpeg's `tile` decodes the whole clip "
                 "and writes neither the name nor the times."]
        yield Section(f"Contact sheet: {recipe.about}", notes, claims, series)


def animations(bench):
    """A loop of six segments of half a second, as a GIF: the palette chain that people use for it."""
    for recipe in (PHONE, LONG_GROUPS):
        progress(f"animation: {recipe.about}")
        clip = made(recipe, bench.is_quick)
        out = bench.work / "animation"
        out.mkdir(exist_ok=True)
        ours = [within(CLIPCANVAS), "animate", "--force", "-o"]
        contestants = [
            Contestant(f"{OURS} GIF", [*ours, within(out / "ours.gif"), within(clip)]),
            Contestant(f"{FFMPEG} palette", palette_chain(within(clip), recipe.seconds, within(out / "ffmpeg.gif"))),
            Contestant(f"{OURS} WebP", [*ours, within(out / "ours.webp"), within(clip)]),
            Contestant(f"{FFMPEG} WebP", webp_chain(within(clip), recipe.seconds, within(out / "ffmpeg.webp"))),
        ]
        series = race(contestants, bench.rounds)
        gif, palette, webp, chained = series
        claims = [compared(f"GIF, {recipe.about}", gif, palette, 1),
                  compared(f"animated WebP, {recipe.about}", webp, chained, 1)]
        notes = ["Six segments of half a second, 320 pixels, ten frames a second. ffmpeg opens the clip once for each segment "
                 "and seeks to it; `palettegen` and `paletteuse` choose the colours of its GIF."]
        yield Section(f"Animation: {recipe.about}", notes, claims, series)


def segments(clip, seconds):
    """ffmpeg's inputs for the same segments, and the filter that joins them."""
    part = seconds / 6
    inputs = [word for number in range(6) for word in ("-ss", f"{(number + 0.5) * part - 0.25:.3f}", "-t", "0.5", "-i", clip)]
    joined = "".join(f"[{number}:v]" for number in range(6)) + "concat=n=6:v=1:a=0,fps=10,scale=320:-1"
    return inputs, joined


def palette_chain(clip, seconds, output):
    """ffmpeg's command for a GIF."""
    inputs, joined = segments(clip, seconds)
    graph = f"{joined},split[a][b];[a]palettegen[p];[b][p]paletteuse"
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-filter_complex", graph, output]


def webp_chain(clip, seconds, output):
    """ffmpeg's command for an animated WebP."""
    inputs, joined = segments(clip, seconds)
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-filter_complex", joined, "-c:v", "libwebp_anim",
            "-quality", "70", "-loop", "0", output]
