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
# Endings of containers. ClipCanvas recognises a clip in one of these that is still being recorded; see README.md.
RECOGNISED_CUTS = {".mp4", ".mov", ".mkv", ".webm", ".avi", ".flv"}
CUTS = {
    "faststart.mp4": ["-c:v", "libx264", "-movflags", "faststart"],
    "fragmented.mp4": ["-c:v", "libx264", "-movflags", "frag_keyframe+empty_moov"],
    "plain.mov": ["-c:v", "mpeg4"], "plain.flv": ["-c:v", "libx264"], "plain.mkv": ["-c:v", "libx264"],
    "plain.webm": ["-c:v", "libvpx"], "plain.avi": ["-c:v", "mpeg4"], "plain.ts": ["-c:v", "mpeg2video"],
    "plain.wmv": ["-c:v", "wmv2"], "plain.ogv": ["-c:v", "libtheora"],
}
SCHEMES = {"cenc.mp4": ["libx264"], "cenc-hevc.mp4": ["libx265", "-x265-params", "log-level=none"]}
KEY = "00112233445566778899aabbccddeeff"
EMBEDDED = "embedded"  # the position of the video in a motion photo


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
    if position == EMBEDDED:
        return [*command[:2], "--embedded-video", *command[2:]] if name == OURS else command
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
            wanted = "incomplete" if clip.suffix in RECOGNISED_CUTS else "failed"
            yield f"{label} of {count} bytes", verdicts(
                clip, lambda name, ended, cover, wanted=wanted: waits(name, ended, cover, wanted))


def waits(name, ended, cover, wanted):
    """Whether a program makes no cover, and ClipCanvas reports the wanted status."""
    if cover.exists():
        return False, "cover anyway"
    status = ended.record().get("status") if name == OURS else wanted
    return status == wanted, f"{status}"


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


def interrupted(scratch):
    """Row 42: a transport stream that continues an hour later; the frame before the gap is held."""
    parts = [scratch / "before.ts", scratch / "after.ts"]
    for part, start in zip(parts, (0, 3600)):
        ffmpeg(*TEST_PICTURE, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-output_ts_offset", start, part)
    clip = scratch / "gap.ts"
    clip.write_bytes(b"".join(part.read_bytes() for part in parts))
    frames = frames_of(parts[0])[-2:]
    yield "at 25 %", verdicts(clip, lambda name, ended, cover: shows(cover, frames), (25, 900))


def preceded(scratch):
    """Row 44: a transport stream after zeros."""
    whole, clip = scratch / "whole.ts", scratch / "zeros.ts"
    ffmpeg(*TEST_PICTURE, "-c:v", "libx264", "-pix_fmt", "yuv420p", whole)
    clip.write_bytes(bytes(20_000) + whole.read_bytes())
    frames = frames_of(whole)[:1]
    yield "20 kB of zeros", verdicts(clip, lambda name, ended, cover: shows(cover, frames))


def headless(scratch):
    """Row 45: recordings whose first bytes are lost."""
    for label in ("plain.webm", "plain.mkv", "faststart.mp4"):
        whole, clip = scratch / f"whole-{label}", scratch / label
        ffmpeg(*TEST_PICTURE, *CUTS[label], "-pix_fmt", "yuv420p", whole)
        clip.write_bytes(whole.read_bytes()[4000:])
        yield f"{label} without 4 kB", verdicts(
            clip, lambda name, ended, cover: refused(name, ended, cover, "unrecognised")
        )


def ivf_packets(data):
    """The packets of an IVF file: the header of each, after its size, and its data."""
    packets, start = [], 32
    while start + 12 <= len(data):
        size = int.from_bytes(data[start:start + 4], "little")
        packets.append((data[start + 4:start + 12], data[start + 12:start + 12 + size]))
        start += 12 + size
    return packets


def layered(scratch):
    """Row 47: packets that hold a frame for each of three sizes; the last one is shown."""
    layers = [scratch / f"{width}.ivf" for width in (160, 320, 640)]
    for layer in layers:
        width = int(layer.stem)
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={width}x{width * 9 // 16}:r=25:d=1", "-c:v", "libvpx-vp9",
               "-deadline", "realtime", "-cpu-used", "8", "-g", "1", "-pix_fmt", "yuv420p", layer)
    data = layers[-1].read_bytes()[:32]
    for packets in zip(*(ivf_packets(layer.read_bytes()) for layer in layers)):
        # The index of a superframe: sizes of four bytes between two markers.
        marker = bytes([0b1100_0000 | 3 << 3 | (len(packets) - 1)])
        sizes = b"".join(len(frame).to_bytes(4, "little") for _, frame in packets)
        packet = b"".join(frame for _, frame in packets) + marker + sizes + marker
        data += len(packet).to_bytes(4, "little") + packets[0][0] + packet
    clip = scratch / "layers.ivf"
    clip.write_bytes(data)
    frames = frames_of(layers[-1])[:1]
    yield clip.name, verdicts(clip, lambda name, ended, cover: shows(cover, frames))


def very_large(scratch):
    """Row 49: frames of 8192×4320 that were predicted from four others."""
    clip = scratch / "large.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=8192x4320:r=25:d=0.4", "-c:v", "libx264", "-preset", "ultrafast",
           "-x264-params", "ref=4:bframes=3:b-pyramid=2", "-pix_fmt", "yuv422p10le", clip)
    for position in ((10, 0.04), (50, 0.2)):
        frames = pictures_of(["-ss", str(position[1]), "-i", f"file:{clip}", "-frames:v", "1"], False)
        yield f"at {position[0]} %", verdicts(
            clip, lambda name, ended, cover, frames=frames: shows(cover, frames), position
        )


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


def motion(scratch):
    """Row 56: a JPEG followed by an MP4, as phones write motion photos."""
    video, photo, clip = scratch / "video.mp4", scratch / "photo.jpg", scratch / "PXL_1.MP.jpg"
    ffmpeg(*TEST_PICTURE, "-c:v", "libx264", "-pix_fmt", "yuv420p", video)
    ffmpeg("-f", "lavfi", "-i", "color=red:s=640x480", "-frames:v", "1", photo)
    clip.write_bytes(photo.read_bytes() + video.read_bytes())
    frames = frames_of(video)[:1]
    yield clip.name, verdicts(clip, lambda name, ended, cover: shows(cover, frames), EMBEDDED)


MADE_CLIPS = {
    26: lambda scratch: damaged(scratch, 26),
    27: lambda scratch: damaged(scratch, 27),
    28: encrypted,
    31: unfinished,
    33: rare,
    34: raw,
    35: browser,
    40: cut,
    42: interrupted,
    44: preceded,
    45: headless,
    47: layered,
    49: very_large,
    53: blanking,
    54: programmes,
    56: motion,
}
