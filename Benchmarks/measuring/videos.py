"""Videos: copying a large clip into another container, and all clips of a board in one video."""

import subprocess

from programs import CLIPCANVAS, FFMPEG, OURS

from measuring.clips import Recipe, made, progress
from measuring.report import Section, bounded, compared, duration, limited, smaller
from measuring.timing import Contestant, race, within

MEGABYTES, QUICK_MEGABYTES = 1000, 2
LEAST_SPEED, MOST_MEMORY = 1.5, 0.5  # times real time; times the memory of ffmpeg's xstack
TEN_SECONDS = Recipe("1080p H.264 of 10 s", "ten-seconds.mp4",
                     "testsrc2=s=1920x1080:r=30:d={seconds},noise=alls=4:allf=t", 10,
                     ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-c:a", "aac"], has_sound=True)


def large_clip(bench):
    """A clip of a gigabyte: a short one again and again. It is not turned, since Matroska cannot hold that."""
    megabytes = QUICK_MEGABYTES if bench.is_quick else MEGABYTES
    part, clip = made(TEN_SECONDS, bench.is_quick), bench.work / "large.mp4"
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
        claims = [bounded(f"remux to .{ending}", series[0], series[1], 1.2),
                  compared(f"remux to .{ending}", series[0], series[2], 1)]
        notes = [f"A clip of {size:.1f} GB with H.264 and AAC. The index is at the end."]
        yield Section(f"Remux to .{ending}", notes, claims, series)
    clip.unlink()


def board_of(clip, bench):
    """A board of four canvases with the same clip, without covers."""
    board = bench.work / "export.json"
    board.unlink(missing_ok=True)
    start = [str(CLIPCANVAS), "board"]
    commands = [["new", "--grid", "2x2"]] + [["clip", "import", f"c{number}", str(clip), "--no-cover"]
                                             for number in range(1, 5)]
    for words in commands:
        subprocess.run([*start, *words, "--board", str(board)], check=True, capture_output=True)
    return board


def stacked(clip, output):
    """ffmpeg's command for the same video."""
    tiles = "".join(f"[{number}:v]fps=30,scale=960:540[v{number}];" for number in range(4))
    grid = "[v0][v1][v2][v3]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0[v];[0:a][1:a][2:a][3:a]amix=inputs=4[a]"
    inputs = [word for _ in range(4) for word in ("-i", within(clip))]
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, "-filter_complex", tiles + grid, "-map", "[v]", "-map",
            "[a]", "-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac", within(output)]


def export(bench):
    """Four clips of 1080p in one video of 1080p."""
    progress("export")
    clip = made(TEN_SECONDS, bench.is_quick)
    board = board_of(clip, bench)
    ours, chain = bench.work / "export.mp4", bench.work / "xstack.mp4"
    contestants = [
        Contestant(OURS, [within(CLIPCANVAS), "board", "export", "--board", within(board), "--size", "1920x1080", "--fps",
                          "30", "--force", "-o", within(ours)]),
        Contestant(f"{FFMPEG} xstack", stacked(clip, chain)),
    ]
    series = race(contestants, min(bench.rounds, 5))
    claims = [compared("four clips in one video", series[0], series[1], 1),
              smaller("four clips in one video", series[0], series[1], MOST_MEMORY)]
    if not bench.is_quick and not series[0].problem:
        claims.append(limited("ten seconds of four clips in one video", series[0].median,
                              TEN_SECONDS.seconds / LEAST_SPEED, duration))
    notes = ["Four clips of 1080p with sound, 10 s each, in one video of 1080p with 30 frames a second, encoded by x264's "
             "`veryfast`."]
    yield Section("Export of a board", notes, claims, series)
