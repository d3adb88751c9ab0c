"""The clips of the benchmark, made by ffmpeg on first use and kept in .build/bench/clips."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from programs import PROJECT

KEPT = PROJECT / ".build/bench/clips"
REAL = [PROJECT.parent / "shared/clips" / kind for kind in ("valid", "awkward")]
FIXTURES = PROJECT / "Fixtures"
TINY = ["h264.mp4", "h264.mkv", "vp9.webm", "mpeg2.ts"]
A_FOLDER = 100  # clips in a folder of the large tree
QUARTER_TURN = bytes.fromhex(  # for a picture 1080 pixels high
    "00000000 00010000 00000000 ffff0000 00000000 00000000 04380000 00000000 40000000"
)
MATRIX_IN_TKHD = 40  # offset after the name of a version 0 box


class Recipe(NamedTuple):
    """The recipe for a clip."""

    about: str
    name: str
    picture: str
    seconds: int
    options: list
    has_sound: bool = False
    is_turned: bool = False


# The noise makes decoding as expensive as when the budgets were set: about 15 ms for the first picture at 1080p.
RECIPES = [
    Recipe("1080p H.264", "1080p-h264.mp4", "testsrc2=s=1920x1080:r=30:d={seconds},noise=alls=4:allf=t", 3,
           ["-c:v", "libx264", "-preset", "medium", "-crf", "23"]),
    Recipe("4K HEVC", "4k-hevc.mp4", "testsrc2=s=3840x2160:r=25:d={seconds},noise=alls=4:allf=t", 1,
           ["-c:v", "libx265", "-preset", "veryfast", "-crf", "26", "-x265-params", "log-level=error",
            "-tag:v", "hvc1"]),
    Recipe("1080p VP9", "1080p-vp9.webm", "testsrc2=s=1920x1080:r=30:d={seconds},noise=alls=4:allf=t", 2,
           ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-row-mt", "1", "-b:v", "8M"]),
    Recipe("phone clip, index at the end", "phone.mp4", "testsrc2=s=1920x1080:r=30:d={seconds},noise=alls=4:allf=t", 8,
           ["-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-c:a", "aac"], has_sound=True, is_turned=True),
    Recipe("MKV of 40 minutes", "long.mkv", "testsrc2=s=1280x720:r=2:d={seconds}", 2400,
           ["-c:v", "libx264", "-preset", "veryfast", "-crf", "35", "-g", "20", "-c:a", "aac", "-b:a", "48k"],
           has_sound=True),
]

# 90 % of it is in the middle of ten seconds without a key frame.
LONG_GROUPS = Recipe("720p H.264 with key frames 10 s apart", "groups.mp4",
                     "testsrc2=s=1280x720:r=25:d={seconds},noise=alls=4:allf=t", 105,
                     ["-c:v", "libx264", "-preset", "veryfast", "-crf", "27", "-g", "250", "-keyint_min", "250",
                      "-sc_threshold", "0"])


def progress(text):
    """Prints progress to standard error."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def made(recipe, is_quick):
    """The path of a clip, which is made if it is missing or its recipe has changed."""
    seconds = min(recipe.seconds, 60 if recipe.name == "long.mkv" else 0.2) if is_quick else recipe.seconds
    folder = KEPT / "quick" if is_quick else KEPT
    clip, note = folder / recipe.name, folder / f"{recipe.name}.json"
    sound = ["-f", "lavfi", "-i", f"sine=f=440:r=48000:d={seconds}"] if recipe.has_sound else []
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", recipe.picture.format(seconds=seconds),
               *sound, *recipe.options, "-pix_fmt", "yuv420p"]
    said = json.dumps([command, recipe.is_turned])
    if clip.exists() and note.exists() and note.read_text(encoding="utf-8") == said:
        return clip
    progress(f"making {recipe.name}")
    folder.mkdir(parents=True, exist_ok=True)
    note.unlink(missing_ok=True)
    subprocess.run([*command, str(clip)], check=True)
    if recipe.is_turned:
        turn(clip)
    note.write_text(said, encoding="utf-8")
    return clip


def turn(clip):
    """Writes the display matrix of a phone held upright; ffmpeg 5 has no option for it."""
    data = bytearray(clip.read_bytes())
    at = data.index(b"tkhd") + len(b"tkhd") + MATRIX_IN_TKHD
    data[at:at + len(QUARTER_TURN)] = QUARTER_TURN
    clip.write_bytes(data)


def folder_of_real(is_quick):
    """A flat folder of real clips, or of fixtures if there are no real clips, and its description.

    The copies have names that every program accepts; compare.py tests names.
    """
    has_real = REAL[0].is_dir()
    sources = REAL if has_real else [FIXTURES]
    about = "real clips" if has_real else "fixtures (no real clips in ../shared/clips)"
    folder = KEPT / ("quick-real" if is_quick else "real" if has_real else "fixtures")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    endings = {".py", ".md", ".json", ".pyc"}
    paths = [path for source in sources for path in sorted(source.rglob("*"))
             if path.is_file() and path.suffix not in endings and not path.name.startswith("huge")]
    paths = paths[::8] if is_quick else paths
    for number, path in enumerate(paths):
        shutil.copyfile(path, folder / f"{number:03}{path.suffix}")
    return folder, f"{len(paths)} {about}"


def list_of(folder, place):
    """Writes a NUL-terminated list of the clips in a folder, relative to the project folder."""
    paths = sorted(os.path.relpath(path, PROJECT) for path in folder.rglob("*") if path.is_file())
    place.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in paths))
    return place


def tree(count):
    """A tree of many tiny clips, which are hard links to a few files, with a hundred clips per folder."""
    top = KEPT / f"many-{count}"
    if (top / "whole").exists():
        return top / "clips"
    progress(f"making {count} tiny clips")
    shutil.rmtree(top, ignore_errors=True)
    (top / "sources").mkdir(parents=True)
    sources = [Path(shutil.copy(FIXTURES / name, top / "sources" / name)) for name in TINY]
    for number in range(count):
        folder = top / "clips" / f"{number // A_FOLDER:04}"
        folder.mkdir(parents=True, exist_ok=True)
        source = sources[number % len(sources)]
        # A file system limits the number of links to a file.
        try:
            os.link(source, folder / f"{number:06}{source.suffix}")
        except OSError:
            sources[number % len(sources)] = Path(shutil.copy(source, folder / f"{number:06}{source.suffix}"))
    (top / "whole").touch()
    return top / "clips"
