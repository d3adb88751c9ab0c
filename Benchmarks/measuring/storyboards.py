"""Storyboards, compared with ffmpeg's tile filter."""

from programs import CLIPCANVAS, FFMPEG, OURS

from measuring.clips import LONG_GROUPS, RECIPES, made, progress
from measuring.report import Section, compared
from measuring.timing import Contestant, race, within

INTERVAL = 10
KEY_FRAMES = f"{FFMPEG}, key frames"


def chain(clip, sheets, *options):
    """ffmpeg's command for the same sheets: a frame for each interval, scaled and put into a grid."""
    filters = f"fps=1/{INTERVAL}:round=down,scale=320:-1,tile=10x10"
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *options, "-i", within(clip), "-vf", filters, "-q:v", "4",
            within(sheets / "%d.jpg")]


def storyboards(bench):
    """The storyboard of a long clip, from its key frames, and of one whose key frames are 10 s apart, from all."""
    for recipe in (RECIPES[-1], LONG_GROUPS):
        progress(f"storyboard: {recipe.about}")
        clip = made(recipe, bench.is_quick)
        sheets = bench.work / "sheets"
        sheets.mkdir(exist_ok=True)
        ours = [within(CLIPCANVAS), "storyboard", "--force", "-o", within(bench.work / "boards"), within(clip)]
        contestants = [
            Contestant(OURS, ours),
            Contestant(KEY_FRAMES, chain(clip, sheets, "-skip_frame", "nokey")),
            Contestant(f"{OURS} --exact", [*ours[:3], "--exact", *ours[3:]]),
            Contestant(FFMPEG, chain(clip, sheets)),
        ]
        series = race(contestants, bench.rounds)
        keys, chained, exact, decoded = series
        what = f"storyboard, {recipe.about}"
        claims = [compared(what, keys, chained, 1.5), compared(f"exact {what}", exact, decoded, 1)]
        notes = [f"A tile of 320 pixels for every {INTERVAL} s. With `-skip_frame nokey`, ffmpeg reads the whole clip but "
                 "decodes key frames only; without, it decodes every frame. ffmpeg writes no list of the tiles."]
        yield Section(f"Storyboard: {recipe.about}", notes, claims, series)
