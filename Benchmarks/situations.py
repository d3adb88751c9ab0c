"""Rows that are not about the content of a clip: older covers, files that are not regular, and odd names.

Each function yields the name of a situation, and for each program whether it was right and what it did. Used by
compare.py.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from pictures import read_png
from programs import HANGS, NAMES, OURS, PROJECT, commands, is_installed, overwriting, run

FIXTURES = PROJECT / "Fixtures"
BROKEN = ["truncated-no-index.mp4", "empty.mp4", "damaged.mkv", "cut-in-first-frame.mkv", "sound-only.m4a"]
CARD = ["ff0000", "00ff00", "0000ff", "ffffff"]  # the corners of the test card
APPLE_DOUBLE = bytes.fromhex("0005160700020000") + bytes(4088)
ODD_NAMES = [
    (b"clip 13:19:57.webm", "colon behind a space"),
    (b"13:19:57.webm", "colon"),
    (b"-x.mp4", "dash in front"),
    (b"a%03d.mp4", "percent sign"),
    (b"two\nlines.mp4", "newline"),
    ("e\u0301te\u0301.mp4".encode(), "decomposed accents"),
    ("\U0001f3ac.mp4".encode(), "emoji"),
    (b"caf\xe9.mp4", "invalid UTF-8"),
    (b"a'b \"c\" [d] *.mp4", "quotes and stars"),
]


def older_covers(scratch):
    """Row 21: the older cover must survive every failure, byte for byte."""
    for broken in BROKEN:
        yield broken, verdicts(lambda name, b=broken: survives(name, scratch, FIXTURES / b))
    # A limit on the file size interrupts a write like a full disk, but needs no separate disk.
    full = ["env", "--ignore-signal=XFSZ", "prlimit", "--fsize=1024", "--"]
    large = FIXTURES / "1080p.mp4"
    yield "full disk", verdicts(lambda name: survives(name, scratch, large, prefix=full))
    yield "killed at any time", verdicts(lambda name: survives_being_killed(name, scratch, large))


def older_cover(scratch, name):
    """Makes a good cover with the given program, and returns its path and bytes."""
    cover = Path(scratch) / f"{name}.png"
    cover.unlink(missing_ok=True)
    run(commands(name, str(FIXTURES / "h264.mp4"), str(cover)))
    return cover, cover.read_bytes()


def survives(name, scratch, clip, prefix=()):
    """Whether the older cover is unchanged after a run that cannot succeed."""
    cover, before = older_cover(scratch, name)
    run([*prefix, *overwriting(name, commands(name, str(clip), str(cover)))])
    return fate(cover, [before])


def survives_being_killed(name, scratch, clip):
    """Whether every killed run leaves either the older or the new cover intact."""
    cover, before = older_cover(scratch, name)
    command = overwriting(name, commands(name, str(clip), str(cover)))
    start = time.monotonic()
    run(command)
    whole, seconds = cover.read_bytes(), time.monotonic() - start
    for share in range(1, 20):
        cover.write_bytes(before) if name != OURS else older_cover(scratch, name)
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(seconds * share / 20)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        is_right, what = fate(cover, [before, whole])
        if not is_right:
            return is_right, what
    return True, "survives"


def fate(cover, good):
    """Whether a cover is still one of these, byte for byte, and what happened to it."""
    if not cover.exists():
        return False, "older cover lost"
    found = cover.read_bytes()
    if found in good:
        return True, "survives"
    return False, "broken file in its place" if found else "0-byte file in its place"


def no_regular_files(scratch):
    """Row 22: a file with no data, or with endless data, must not hang a program or give a cover."""
    pipe = Path(scratch) / "pipe.mp4"
    os.mkfifo(pipe)
    for clip in [pipe, Path("/dev/zero")]:
        kind = "pipe without writer" if clip == pipe else "/dev/zero"
        yield kind, verdicts(lambda name, c=clip: refused(name, scratch, c))


def refused(name, scratch, clip):
    """Whether a run ends in time and leaves no files."""
    cover = Path(scratch) / f"{name}-{clip.name}.png"
    ended = run(commands(name, str(clip), str(cover)))
    if ended.status is None:
        return False, HANGS
    if cover.exists():
        return False, "makes a cover" if cover.stat().st_size else "0-byte file"
    return True, "refused"


def odd_names(scratch):
    """Row 24: a clip of any name gets its cover next to it if the program runs in its folder."""
    for name_bytes, kind in ODD_NAMES:
        yield kind, verdicts(lambda name, b=name_bytes: named(name, scratch, b))
    yield "AppleDouble file", verdicts(lambda name: named(name, scratch, b"._clip.mp4", APPLE_DOUBLE))


def named(name, scratch, clip, content=None):
    """Whether a clip of this name gives its cover, or no file if the content is not a clip."""
    folder = Path(scratch) / f"names-{name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    source = FIXTURES / ("vp9.webm" if clip.endswith(b".webm") else "h264.mp4")
    path = os.path.join(os.fsencode(folder), clip)
    Path(os.fsdecode(path)).write_bytes(source.read_bytes() if content is None else content)
    cover = None if name == OURS else os.fsdecode(clip) + ".png"  # clipcanvas uses this name by default
    ended = run([os.fsencode(word) for word in commands(name, os.fsdecode(clip), cover)], folder)
    made = sorted(set(os.listdir(os.fsencode(folder))) - {clip})
    if ended.status is None:
        return False, HANGS
    if content is not None:
        return not made, "leaves a file" if made else "refused"
    if not made:
        return False, "no cover"
    if made != [clip + b".png"]:
        return False, "cover under another name"
    if os.path.getsize(path + b".png") == 0:
        return False, "0-byte file"
    # Under a plain name, which ffmpeg can open without trouble.
    plain = shutil.copy(path + b".png", Path(scratch) / f"plain-{name}.png")
    picture = read_png(plain)
    is_right = picture is not None and picture.has_corners(CARD)
    return is_right, "right" if is_right else "wrong picture"


def verdicts(judge):
    """The verdict on each installed program."""
    return {name: judge(name) for name in NAMES if is_installed(name)}


SITUATIONS = {21: older_covers, 22: no_regular_files, 24: odd_names}
