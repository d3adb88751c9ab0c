"""Damaged copies of a clip."""

import random
import subprocess

from clips import RAW, ffmpeg

TS_PACKET = 188
WITHOUT_SIZES = {"ts", "h264", "hevc", "m2v", "m1v", "m4v", "mpg", "vob", "mjpeg", "obu", "ivf"}


def packets_of(path):
    """Position and size of each video packet, estimated for raw streams, whose packets have no position."""
    entries = ["-select_streams", "V:0", "-show_entries", "packet=pos,size", "-of", "compact=p=0"]
    command = ["ffprobe", "-v", "error", *entries, str(path)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    found, position = [], 0
    for line in lines:
        fields = dict(pair.split("=", 1) for pair in line.split("|") if "=" in pair)
        if not fields.get("size", "").isdigit():
            continue
        position = int(fields["pos"]) if fields.get("pos", "").isdigit() else position
        found.append((position, int(fields["size"])))
        position += int(fields["size"])
    return found


def copies_of(path, count, seed):
    """Yields (kind, bytes) of damaged copies, `count` of each kind. The same seed gives the same copies."""
    chance = random.Random(f"{path.name} {seed}")
    data, packets = path.read_bytes(), packets_of(path)
    if not packets:
        return
    is_transport = path.suffix == ".ts"
    start, size = packets[0]
    size = size * TS_PACKET // (TS_PACKET - 4) if is_transport else size
    first, end = start + min(24, size // 8), min(start + size, len(data))
    for number in range(count):
        copy = bytearray(data)
        for _ in range((1, 3, 10)[number % 3]):
            copy[chance.randrange(first, end)] ^= 1 << chance.randrange(8)
        yield "flipped bits", copy
        length = max(4, int(size * (0.02, 0.125, 0.4)[number % 3]))
        place = chance.randrange(first, max(first + 1, end - length))
        yield "zeros", data[:place] + bytes(min(length, len(data) - place)) + data[place + length :]
        place = start + int(size * min(0.97, (0.2, 0.5, 0.8)[number % 3] * chance.uniform(0.8, 1.2)))
        yield "zeros to the end", data[:place] + bytes(end - place) + data[end:]
        yield "cut in the first frame", data[: max(place, start + 1)]
        if len(packets) > 2:
            later = chance.choice(packets[1:4])
            yield "cut later", data[: later[0] + int(later[1] * chance.random())]
        if path.suffix[1:] in WITHOUT_SIZES:
            length = TS_PACKET * (1 + number) if is_transport else max(8, int(size * (0.05, 0.2, 0.5)[number % 3]))
            place = chance.randrange(start, max(start + 1, end - length))
            place -= place % TS_PACKET if is_transport else 0
            yield "lost bytes", data[:place] + data[place + length :]


def without_key_frame(path, out):
    """Writes a copy without the first packet. Returns whether ffmpeg could."""
    kind = path.suffix[1:]
    drop = ["-map", "0:V:0", "-c", "copy", "-copyts", "-bsf:v", "noise=drop=lt(n\\,1)"]
    result = ffmpeg("-v", "quiet", "-i", path, *drop, *(["-f", RAW[kind]] if kind in RAW else []), out)
    return result.returncode == 0 and out.exists()
