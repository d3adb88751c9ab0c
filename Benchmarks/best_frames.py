#!/usr/bin/env python3
"""Puts the frames that programs choose for the same clips side by side, so that people can compare them.

    best_frames.py FOLDER CLIP...

In each row of FOLDER/0.png, FOLDER/1.png and so on: the first frame, the frame of clipcanvas --at best, and those of
ffmpegthumbnailer and totem-video-thumbnailer with their defaults. A program that makes no picture leaves its place
empty. Requires Pillow, and `make install PREFIX=$PWD/.build/bench/installed`.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from PIL import Image, ImageDraw

from programs import CLIPCANVAS

WIDTH, HEIGHT, LABEL, ROWS = 240, 150, 16, 10
LIMIT_SECONDS = 30


def commands(clip, picture):
    """The commands for one row, in order."""
    ours = [CLIPCANVAS, "cover", "--force", "--size", str(WIDTH), "-o", picture]
    return [
        [*ours, clip], [*ours, "--at", "best", clip], ["ffmpegthumbnailer", "-s", str(WIDTH), "-i", clip, "-o", picture],
        ["totem-video-thumbnailer", "-s", str(WIDTH), clip, picture],
    ]


def frame(command, picture):
    """The picture that a command makes; None if it makes none."""
    picture.unlink(missing_ok=True)
    try:
        subprocess.run([str(word) for word in command], capture_output=True, timeout=LIMIT_SECONDS, check=False)
        with Image.open(picture) as made:
            copy = made.convert("RGB")
    except (OSError, subprocess.TimeoutExpired):
        return None
    copy.thumbnail((WIDTH - 4, HEIGHT - LABEL - 4))
    return copy


def page(clips, work):
    """A page with a row for each clip."""
    sheet = Image.new("RGB", (4 * WIDTH, ROWS * HEIGHT), "dimgray")
    draw = ImageDraw.Draw(sheet)
    for row, clip in enumerate(clips):
        draw.text((2, row * HEIGHT + 2), clip.name, fill="white")
        for column, command in enumerate(commands(clip, work / "frame.png")):
            picture = frame(command, work / "frame.png")
            if picture:
                sheet.paste(picture, (column * WIDTH, row * HEIGHT + LABEL))
    return sheet


def main():
    """Makes all pages."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, clips = Path(sys.argv[1]), [Path(name).resolve() for name in sys.argv[2:]]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for number, start in enumerate(range(0, len(clips), ROWS)):
            page(clips[start:start + ROWS], Path(work)).save(folder / f"{number}.png")


if __name__ == "__main__":
    main()
