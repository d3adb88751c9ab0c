"""Rows whose clips are made on the spot: damaged, cut, encrypted, unusual and unfinished ones. Used by compare.py.

Each function yields the name of a clip, and for each program whether it was right and what it did.
"""

import subprocess
import sys
from pathlib import Path

from pictures import Difference, pictures_of, read_png
from programs import HANGS, NAMES, OURS, PROJECT, THUMBNAILER, commands, is_installed, run

sys.path.append(str(PROJECT / "Tests/DamageSweep"))
sys.path.append(str(PROJECT / "Tests/CCoverFuzz"))

from clips import LAST_KEY_FRAME, RAW, all_clips, make
from damage import copies_of
from rare_codecs import make_all

BROKEN_DECIBELS = 28.0  # below, a picture is visibly broken
TEST_PICTURE = ["-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=4"]
CUTS = {
    "faststart.mp4": ["-c:v", "libx264", "-movflags", "faststart"],
    "fragmented.mp4": ["-c:v", "libx264", "-movflags", "frag_keyframe+empty_moov"],
    "plain.mov": ["-c:v", "mpeg4"], "plain.flv": ["-c:v", "libx264"], "plain.mkv": ["-c:v", "libx264"],
    "plain.webm": ["-c:v", "libvpx"], "plain.avi": ["-c:v", "mpeg4"], "plain.ts": ["-c:v", "mpeg2video"],
    "plain.wmv": ["-c:v", "wmv2"], "plain.ogv": ["-c:v", "libtheora"],
}
SCHEMES = {"cenc.mp4": ["libx264"], "cenc-hevc.mp4": ["libx265", "-x265-params", "log-level=none"]}
KEY = "00112233445566778899aabbccddeeff"


def ffmpeg(*words):
    """Runs ffmpeg, which must succeed."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, words)]
    subprocess.run(command, check=True, capture_output=True)


def verdicts(clip, judge, position=None):
    """The verdict of `judge` on the cover, its path and the run of each installed program."""
    found = {}
    for name in NAMES:
        if not is_installed(name):
            continue
        cover = clip.parent / f"{name}-{clip.name}.png"
        ended = run(at(position, name, commands(name, str(clip), str(cover))))
        if ended.status is None:
            found[name] = (False, HANGS)
        elif cover.exists() and cover.stat().st_size == 0:
            found[name] = (False, "0-byte file")
        else:
            found[name] = judge(name, ended, cover)
    return found


def at(position, name, command):
    """The command for the frame at a position instead of the first one: percentage and seconds."""
    if position is None:
        return command
    percent, seconds = position
    if name == THUMBNAILER:
        return [*command[:2], f"{percent}%", *command[3:]]
    words, place = (["--at", f"{percent}%"], 2) if name == OURS else (["-ss", str(seconds)], 1)
    return [*command[:place], *words, *command[place:]]


def frames_of(clip):
    """All frames of a clip."""
    return pictures_of(["-i", f"file:{clip}", "-map", "0:V:0", "-fps_mode", "passthrough"], False)


def is_intact(cover, frames):
    """Whether a cover shows one of the frames."""
    picture = read_png(cover)
    differences = [picture and Difference.between(picture, frame) for frame in frames]
    return any(difference and difference.decibels >= BROKEN_DECIBELS for difference in differences)


def damaged(scratch, wanted):
    """Rows 26 and 27: a broken picture must not look like a success."""
    for clip in all_clips(is_short=True):
        folder = scratch / clip.name
        folder.mkdir()
        whole = make(clip, folder)
        if whole is None:
            continue
        frames = frames_of(whole)
        for number, (kind, data) in enumerate(copies_of(whole, 1, seed=1)):
            if (kind == "cut in the first frame") != (wanted == 27):
                continue
            copy = folder / f"{number}{whole.suffix}"
            copy.write_bytes(data)
            distance = "one key frame" if clip.key_frames == LAST_KEY_FRAME else "many"
            yield f"{clip.codec} in {clip.container}, {kind}, {distance}", verdicts(
                copy, lambda name, ended, cover, frames=frames: honest(name, ended, cover, frames)
            )


def honest(name, ended, cover, frames):
    """Whether a program makes a good cover, reports a bad one, or makes none."""
    if not cover.exists() or ended.status != 0:
        return True, "no cover"
    if name == OURS and ended.record().get("status") == "degraded":
        return True, "degraded"
    return (True, "right") if is_intact(cover, frames) else (False, "broken picture")


def encrypted(scratch):
    """Row 28: encrypted frames are not pictures."""
    for label, codec in SCHEMES.items():
        clip = scratch / label
        ffmpeg(*TEST_PICTURE, "-c:v", *codec, "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", KEY,
               "-encryption_kid", KEY, clip)
        yield label, verdicts(clip, lambda name, ended, cover: refused(name, ended, cover, "encrypted"))


def refused(name, ended, cover, reason):
    """Whether a program makes no cover, and ClipCanvas reports why."""
    if cover.exists():
        return False, "cover anyway"
    found = ended.record().get("reason") if name == OURS else reason
    return found == reason, found


def unfinished(scratch):
    """Row 31: a recording in progress, cut where its header or its first frame is being written."""
    for label, codec in CUTS.items():
        whole = scratch / label
        ffmpeg(*TEST_PICTURE, *codec, "-pix_fmt", "yuv420p", whole)
        data = whole.read_bytes()
        for count in (64, 600):
            clip = scratch / f"{count}-{label}"
            clip.write_bytes(data[:count])
            yield f"{label} of {count} bytes", verdicts(clip, waits)


def waits(name, ended, cover):
    """Whether a program makes no cover, and ClipCanvas reports that the clip is incomplete."""
    if cover.exists():
        return False, "cover anyway"
    status = ended.record().get("status") if name == OURS else "incomplete"
    return status == "incomplete", f"{status}"


def rare(scratch):
    """Row 33: codecs of screen recorders and old cameras."""
    make_all(scratch)
    for clip in sorted(scratch.iterdir()):
        frames = frames_of(clip)[:1]
        if frames:
            yield clip.name, verdicts(clip, lambda _, ended, cover, frames=frames: shows(cover, frames))


def shows(cover, frames):
    """Whether a cover shows one of the frames."""
    if not cover.exists():
        return False, "no cover"
    return (True, "right") if is_intact(cover, frames) else (False, "another picture")


def raw(scratch):
    """Row 34: a raw stream that starts with a unit of another layer, which no probe recognises."""
    whole = scratch / "whole.hevc"
    ffmpeg(*TEST_PICTURE, "-c:v", "libx265", "-x265-params", "log-level=none", "-f", RAW["hevc"], whole)
    clip = scratch / "layers.hevc"
    clip.write_bytes(bytes([0, 0, 0, 1, 0x7E, 0x09]) + b"\x55" * 5000 + whole.read_bytes())
    frames = frames_of(whole)[:1]
    yield clip.name, verdicts(clip, lambda name, ended, cover: shows(cover, frames))


def browser(scratch):
    """Row 35: the frame at half of the duration of a recording by a browser, which does not store its duration."""
    for label, codec in {"vp8.webm": "libvpx", "vp9.webm": "libvpx-vp9", "h264.mkv": "libx264"}.items():
        clip = scratch / label
        command = ["ffmpeg", "-nostdin", "-v", "error", *TEST_PICTURE, "-g", "25", "-c:v", codec]
        container = "matroska" if clip.suffix == ".mkv" else "webm"
        written = subprocess.run([*command, "-f", container, "-"], check=True, capture_output=True).stdout
        clip.write_bytes(written)
        # The test picture shows a new number each second, and this second has frames 50 to 74.
        frames = frames_of(clip)[49:52]
        yield f"{label} at 50 %", verdicts(clip, lambda name, ended, cover, f=frames: shows(cover, f), (50, 2))


def cut(scratch):
    """Row 40: the frame at half of what a file holds that was cut off, whose header declares more."""
    for label in ("faststart.mp4", "fragmented.mp4", "plain.mkv", "plain.flv"):
        whole, clip = scratch / f"whole-{label}", scratch / label
        ffmpeg(*TEST_PICTURE, *CUTS[label], "-g", "25", "-pix_fmt", "yuv420p", whole)
        data = whole.read_bytes()
        clip.write_bytes(data[:len(data) * 6 // 10])
        frames = frames_of(clip)
        middle = len(frames) // 2
        near = frames[middle - 1:middle + 2]
        yield f"{label}, cut, at 50 %", verdicts(
            clip, lambda name, ended, cover, near=near: shows(cover, near), (50, middle / 25)
        )


def preceded(scratch):
    """Row 44: a transport stream after zeros."""
    whole, clip = scratch / "whole.ts", scratch / "zeros.ts"
    ffmpeg(*TEST_PICTURE, "-c:v", "libx264", "-pix_fmt", "yuv420p", whole)
    clip.write_bytes(bytes(20_000) + whole.read_bytes())
    frames = frames_of(whole)[:1]
    yield "20 kB of zeros", verdicts(clip, lambda name, ended, cover: shows(cover, frames))


def blanking(scratch):
    """Row 53: D-10, which stores lines of the vertical blanking interval above the picture."""
    clip = scratch / "d10.mxf"
    rate = ["-b:v", "30000k", "-minrate", "30000k", "-maxrate", "30000k", "-bufsize", "1200000"]
    ffmpeg("-f", "lavfi", "-i", "smptebars=s=720x576:r=25:d=1,setsar=1,pad=720:608:0:32:red", "-c:v", "mpeg2video",
           "-pix_fmt", "yuv422p", "-aspect", "4:3", *rate, "-rc_init_occupancy", "1200000", "-qmin", "1", "-qmax", "12",
           "-g", "1", "-intra_vlc", "1", "-non_linear_quant", "1", "-dc", "10", "-flags", "+ildct+ilme+low_delay",
           "-top", "1", "-f", "mxf_d10", clip)
    frames = pictures_of(["-i", f"file:{clip}", "-vf", "crop=720:576:0:32,scale=768:576", "-frames:v", "1"], False)
    yield clip.name, verdicts(clip, lambda name, ended, cover: shows(cover, frames))


def programmes(scratch):
    """Row 54: a transport stream whose first programme has a small video before a larger one."""
    clip = scratch / "programmes.ts"
    inputs = ["smptebars=s=160x120:r=25:d=2", "testsrc=s=320x240:r=25:d=2", "rgbtestsrc=s=640x480:r=25:d=2"]
    ffmpeg(*[word for source in inputs for word in ("-f", "lavfi", "-i", source)], "-map", "0", "-map", "1", "-map", "2",
           "-c:v", "libx264", "-pix_fmt", "yuv420p", "-program", "program_num=1:st=0:st=1", "-program",
           "program_num=2:st=2", clip)
    frames = pictures_of(["-i", f"file:{clip}", "-map", "0:1", "-frames:v", "1"], False)
    yield "the largest video of the first programme", verdicts(clip, lambda name, ended, cover: shows(cover, frames))


MADE_CLIPS = {
    26: lambda scratch: damaged(scratch, 26),
    27: lambda scratch: damaged(scratch, 27),
    28: encrypted,
    31: unfinished,
    33: rare,
    34: raw,
    35: browser,
    40: cut,
    44: preceded,
    53: blanking,
    54: programmes,
}
