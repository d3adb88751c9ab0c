"""Copying a large clip into another container, compared with copying its file, and with ffmpeg's stream copy."""

import subprocess

from programs import CLIPCANVAS, FFMPEG, OURS

from measuring.clips import RECIPES, made, progress
from measuring.report import Section, bounded, compared
from measuring.timing import Contestant, race, within

PHONE = RECIPES[3]
MEGABYTES, QUICK_MEGABYTES = 1000, 2


def large_clip(bench):
    """A clip of a gigabyte: a phone's, again and again."""
    megabytes = QUICK_MEGABYTES if bench.is_quick else MEGABYTES
    part, clip = made(PHONE, bench.is_quick), bench.work / "large.mp4"
    loops = megabytes * 1_000_000 // part.stat().st_size
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-stream_loop", str(loops), "-i", str(part), "-c", "copy",
                    str(clip)], check=True)
    return clip


def remux(bench):
    """From MP4 to MP4 and to Matroska. All files are on disk at the end."""
    clip = large_clip(bench)
    size = clip.stat().st_size / 1e9
    for ending in ("mp4", "mkv"):
        progress(f"remux: to {ending}")
        ours, copy, chain = (bench.work / f"{name}.{ending}" for name in ("ours", "copy", "ffmpeg"))

        def removing(path):
            return lambda: path.unlink(missing_ok=True)

        def script(command, output):
            return ["sh", "-c", f"{command} && sync {within(output)}"]

        contestants = [
            Contestant(OURS, [within(CLIPCANVAS), "remux", within(clip), "-o", within(ours)], before=removing(ours)),
            Contestant("cp and sync", script(f"cp --reflink=never {within(clip)} {within(copy)}", copy),
                       before=removing(copy)),
            Contestant(f"{FFMPEG} -c copy and sync",
                       script(f"ffmpeg -nostdin -v error -y -i {within(clip)} -map 0 -c copy {within(chain)}", chain),
                       before=removing(chain)),
        ]
        series = race(contestants, min(bench.rounds, 5))
        claims = [bounded(f"remux to .{ending}", series[0], series[1], 1.2 if ending == "mp4" else None),
                  compared(f"remux to .{ending}", series[0], series[2], 1)]
        notes = [f"A clip of {size:.1f} GB with H.264 and AAC. The index is at the end."]
        yield Section(f"Remux to .{ending}", notes, claims, series)
    clip.unlink()
