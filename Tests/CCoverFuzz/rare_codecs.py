#!/usr/bin/env python3
"""Makes clips of codecs that few programs write, raw streams, and AVI with frames out of order: rare_codecs.py FOLDER

They are the seeds for fuzzing these decoders. ffmpeg encodes three of the codecs. For five more, frames are simple enough
to be written here, with a picture that a decoder must reproduce. For the rest, a clip has correct headers and frames that
begin like real ones, which is enough for a fuzzer to start from.
"""

import itertools
import random
import struct
import subprocess
import sys
import zlib
from pathlib import Path

WIDTH, HEIGHT, FRAMES = 64, 48, 3


def chunk(name, data):
    """A RIFF chunk."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def avi(tag, depth, frames, palette=b"", extra=b""):
    """An AVI clip of frames that are already encoded."""
    header = struct.pack("<10I", 40_000, 0, 0, 0x10, len(frames), 0, 1, 0, WIDTH, HEIGHT) + bytes(16)
    stream = struct.pack("<4s4sIHHIIIIIIiI4H", b"vids", tag, 0, 0, 0, 0, 1, 25, 0, len(frames), 0, -1, 0,
                         0, 0, WIDTH, HEIGHT)
    picture = struct.pack("<IiiHH4sIiiII", 40 + len(palette) + len(extra), WIDTH, HEIGHT, 1, depth, tag, 0, 0, 0,
                          len(palette) // 4, 0) + palette + extra
    headers = chunk(b"avih", header) + chunk(b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", picture))
    movie, index = b"movi", b""
    for number, frame in enumerate(frames):
        index += struct.pack("<4sIII", b"00dc", 0x10 if number == 0 else 0, len(movie), len(frame))
        movie += chunk(b"00dc", frame)
    return chunk(b"RIFF", b"AVI " + chunk(b"LIST", b"hdrl" + headers) + chunk(b"LIST", movie) + chunk(b"idx1", index))


def luma(x, y):
    """The brightness of the test picture: bars that rise to the right, and a dark lower half."""
    return (x // 8 * 32 + 16) // (1 if y < HEIGHT // 2 else 2)


def runs(depth):
    """The test picture as Microsoft RLE, the bottom row first."""
    data = b""
    for y in reversed(range(HEIGHT)):
        for x in range(0, WIDTH, 8):
            value = luma(x, y)
            pixel = {8: bytes([value]), 16: struct.pack("<H", (value >> 3) * 0x0421), 24: bytes([value] * 3)}[depth]
            data += bytes([8]) + pixel
        data += b"\0\0"
    return data + b"\0\1"


def gray_palette():
    """256 grays, as in a BMP."""
    return b"".join(bytes([level, level, level, 0]) for level in range(256))


def vmware():
    """The test picture as one rectangle of raw 16×16 tiles with 32 bits per pixel."""
    data = struct.pack(">HHHHHHI", 0, 1, 0, 0, WIDTH, HEIGHT, 5)
    for top in range(0, HEIGHT, 16):
        for left in range(0, WIDTH, 16):
            data += b"\1"
            for y in range(top, top + 16):
                data += b"".join(bytes([luma(x, y)] * 3 + [0]) for x in range(left, left + 16))
    return data


def fraps():
    """The test picture as Fraps version 1: rows of BGR, the bottom row first."""
    rows = b"".join(bytes([luma(x, y)] * 3) for y in reversed(range(HEIGHT)) for x in range(WIDTH))
    return struct.pack("<I", 0x01) + rows


def meeting():
    """GoToMeeting: a picture of one tile that is left out."""
    display = struct.pack(">IIIHHB", WIDTH, HEIGHT, 3, 64, 48, 32) + bytes(16)
    return b"G2M4" + struct.pack("<IB", len(display) + 1, 0xC8) + display + struct.pack("<IB", 1, 0xCC)


def noise(seed, start, count):
    """A start, and bytes that are the same in every run."""
    return start + random.Random(seed).randbytes(count)


def clips():
    """The names and bytes of the clips that ffmpeg cannot encode."""
    palette = gray_palette()
    yield "msrle.avi", avi(struct.pack("<I", 1), 8, [runs(8)] * FRAMES, palette)
    for depth in (8, 16, 24):
        frames = [zlib.compress(runs(depth))] * FRAMES
        yield f"tscc-{depth}.avi", avi(b"tscc", depth, frames, palette if depth == 8 else b"")
    yield "vmnc.avi", avi(b"VMnc", 32, [vmware()] * FRAMES)
    yield "fraps.avi", avi(b"FPS1", 24, [fraps()] * FRAMES)
    yield "g2m.avi", avi(b"G2M4", 24, [meeting()] * FRAMES)
    apple = struct.pack(">BBHIHHBBBB", 1, 0, 24, 600, WIDTH, HEIGHT, 0x10, 0, 0, 0)
    yield "aic.avi", avi(b"icod", 24, [noise(1, apple, 600)] * FRAMES)
    yield "hqx.avi", avi(b"CHQX", 24, [noise(2, b"HQ\1" + bytes([0, 2, 0x40]), 900)] * FRAMES)
    notch = struct.pack("<4sIII", b"NLC1", 0x10000, 0, 2) + struct.pack("<IIHH", 0, 0, WIDTH, HEIGHT)
    yield "notchlc.avi", avi(b"nclc", 32, [noise(3, notch, 900)] * FRAMES)
    yield "tscc2.avi", avi(b"TSC2", 24, [noise(4, struct.pack("<I", 0x01), 900)] * FRAMES, extra=bytes(16))
    extra = struct.pack(">15I", 60 + 768, 2, 0, 0, 0, WIDTH, HEIGHT, 0, 0, 0, 0, 0, 0, 0, 16)
    yield "mss2.avi", avi(b"MSS2", 24, [noise(5, b"\x80\0", 900)] * FRAMES, extra=extra + gray_palette()[:768])


def camera(folder):
    """A clip of a surveillance camera (DHAV): H.264 frames, each between a header and a trailer."""
    coded = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                            f"testsrc=s={WIDTH}x{HEIGHT}:d=0.12", "-c:v", "libx264", "-g", "1", "-x264-params", "aud=1",
                            "-f", "h264", "-"], check=True, capture_output=True).stdout
    delimiter = b"\0\0\0\1\x09"
    data = b""
    for number, unit in enumerate(coded.split(delimiter)[1:]):
        frame = bytes([0x80, 0, WIDTH // 8, HEIGHT // 8, 0x81, 0, 2, 25]) + delimiter + unit
        count = 24 + len(frame) + 8
        data += struct.pack("<4sBBBBIIIHBB", b"DHAV", 0xFD, 0, 0, 0, number, count, 0x5A000000, 40 * number, 8, 0)
        data += frame + b"dhav" + struct.pack("<I", count)
    (folder / "camera.dav").write_bytes(data)


def encode(folder, name, codec, *options, seconds=0.12):
    """Encodes the test picture of ffmpeg with one of its own encoders."""
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                    f"testsrc=s={WIDTH}x{HEIGHT}:d={seconds}", "-c:v", codec, *options, folder / name], check=True)


def raw_streams(folder):
    """Streams without a container, whose times are counted or whose key frames are not marked."""
    encode(folder, "raw.hevc", "libx265", "-x265-params", "log-level=none:keyint=2:bframes=1")
    encode(folder, "raw.drc", "vc2", "-pix_fmt", "yuv420p", "-b:v", "4M")
    encode(folder, "raw.h261", "h261", "-s", "176x144", "-r", "30000/1001")


def out_of_order(folder):
    """AVI whose frames are decoded and shown in different orders; with Xvid, some share a packet."""
    encode(folder, "packed.avi", "libxvid", "-bf", "2", "-g", "6", seconds=0.4)
    encode(folder, "pyramid.avi", "libx264", "-bf", "3", "-x264-params", "b-adapt=0:b-pyramid=normal", seconds=0.4)


def huge_sizes():
    """Headers whose sizes exceed 64 bits when they are added or multiplied."""
    bitmap = b"BM" + struct.pack("<IIIIiiHHI", 54, 0, 54, 40, 2**31 - 1, -2**31, 1, 65535, 0) + bytes(20)
    yield "huge.bmp", bitmap + bytes(64)
    header = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c") + struct.pack("<QIBB", 30, 0, 1, 2)
    data = bytes.fromhex("3626b2758e66cf11a6d900aa0062ce6c") + struct.pack("<Q", 2**63 - 1) + bytes(26)
    yield "huge.asf", header + data


def make_all(folder):
    """Writes all clips into a folder."""
    for name, data in itertools.chain(clips(), huge_sizes()):
        (folder / name).write_bytes(data)
    encode(folder, "msvideo1.avi", "msvideo1", "-pix_fmt", "rgb555le")
    for kind in ("hap", "hap_alpha", "hap_q"):
        encode(folder, f"{kind}.mov", "hap", "-format", kind)
    encode(folder, "speedhq.avi", "speedhq", "-vtag", "SHQ0", "-pix_fmt", "yuv420p")
    raw_streams(folder)
    camera(folder)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    make_all(folder)
    out_of_order(folder)


if __name__ == "__main__":
    main()
