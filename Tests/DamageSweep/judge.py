"""What ffmpeg decodes from the undamaged clip, and what it reports about a damaged one."""

import math
import re
import subprocess
import zlib

from clips import ffmpeg

VISIBLY_BROKEN = 28.0  # dB; below, a picture is visibly broken


def pixels_of_png(path):
    """Width, height and RGB samples of a PNG with 8 bits per channel, with or without alpha, which is left out."""
    data, at, body, head = path.read_bytes(), 8, b"", b""
    while at < len(data):
        length, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        head = data[at + 8 : at + 8 + length] if kind == b"IHDR" else head
        body += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    channels = {2: 3, 6: 4}[head[9]]
    lines, rows, above = zlib.decompress(body), [], bytes(width * channels)
    for start in range(0, len(lines), width * channels + 1):
        above = unfiltered(lines[start], lines[start + 1 : start + 1 + width * channels], above, channels)
        rows.append(above)
    samples = b"".join(rows)
    return width, height, samples if channels == 3 else bytes(s for at, s in enumerate(samples) if at % 4 < 3)


def unfiltered(kind, line, above, step):
    """A line of a PNG without its filter (PNG specification, section 9)."""
    row = bytearray(line)
    for at, up in enumerate(above):
        left, corner = (row[at - step], above[at - step]) if at >= step else (0, 0)
        if kind == 4:
            paeth = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[at] = (row[at] + paeth) & 255
        else:
            row[at] = (row[at] + (0, left, up, (left + up) // 2)[kind]) & 255
    return bytes(row)


class Reference:
    """The frames of an undamaged clip, at the size of its cover."""

    def __init__(self, path, width, height):
        scale = f"showinfo=checksum=0,scale={width}:{height}:flags=bicubic+accurate_rnd+full_chroma_int"
        result = ffmpeg(
            *("-v", "info", "-threads", 1, "-i", path, "-map", "0:V:0", "-fps_mode", "passthrough"),
            *("-vf", scale, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"),
        )
        size = width * height * 3
        self.frames = [result.stdout[at : at + size] for at in range(0, len(result.stdout) - size + 1, size)]
        texts = re.findall(rb"pts_time:\s*(\S+)", result.stderr)
        times = [float(text) if re.fullmatch(rb"-?[0-9.]+", text) else None for text in texts]
        self.times = [time - times[0] if time is not None and times[0] is not None else None for time in times]

    def decibels(self, pixels, time):
        """How close the picture is to the frame at the time, or, in a clip whose start moved, to any frame."""
        at = [frame for frame, own in zip(self.frames, self.times) if own is not None and abs(own - time) < 0.015]
        if at and (found := decibels(at[0], pixels)) >= VISIBLY_BROKEN:
            return found
        return max((decibels(frame, pixels) for frame in self.frames), default=0.0)


def decibels(one, other):
    """The peak signal-to-noise ratio of two pictures; 0 if their sizes differ."""
    if len(one) != len(other) or not one:
        return 0.0
    squares = sum((a - b) * (a - b) for a, b in zip(one, other)) / len(one)
    return 99.0 if squares == 0 else 10 * math.log10(255 * 255 / squares)


def packet_times(path):
    """Presentation time in seconds and decoding time in ticks of each video packet; None for a missing one."""
    entries = ["-select_streams", "V:0", "-show_entries", "packet=pts_time,dts", "-of", "compact=p=0", str(path)]
    lines = subprocess.run(["ffprobe", "-v", "quiet", *entries], capture_output=True, text=True, check=False).stdout
    fields = [dict(pair.split("=", 1) for pair in line.split("|") if "=" in pair) for line in lines.splitlines()]
    fields = [one for one in fields if "dts" in one]
    number = re.compile(r"-?[0-9.]+")
    known = lambda text: float(text) if number.fullmatch(text) else None
    return [(known(one.get("pts_time", "")), known(one["dts"])) for one in fields]


def reports(path, time):
    """What ffmpeg logs about the packets of a damaged clip up to the one with the time in seconds since the start."""
    times = packet_times(path)
    known = [own for own, _ in times if own is not None]
    # A damaged time may be absurd; the first frame is at most a few frames after the first packet.
    start = min((own for own in known if abs(own - known[0]) < 10), default=0)
    places = [at for at, (own, _) in enumerate(times) if own is not None and abs(own - start - time) < 0.015]
    packets = times[: places[0] + 1 if places else 1]
    copied = ffmpeg(
        *("-v", "level+warning", "-i", path, "-map", "0:V:0", "-c", "copy", "-copyinkf"),
        *("-frames:v", len(packets), "-f", "nut", "-"),
    )
    # ffmpeg reads ahead, so that only the time identifies the corrupt packet.
    corrupt = re.findall(rb"Packet corrupt \(stream = 0, dts = (-?[0-9]+)\)", copied.stderr)
    found = [f"corrupt packet {time.decode()}" for time in corrupt if float(time) in {dts for _, dts in packets}]
    decoded = ffmpeg("-v", "level+info", "-threads", 1, "-f", "nut", "-i", "-", "-f", "null", "-", input=copied.stdout)
    decoder = re.compile(r"\[(?!nut|swscaler)\w+ @ 0x\w+\] (\[(warning|error|fatal)\]|\[info\] concealing )")
    lines = [line for line in decoded.stderr.decode(errors="replace").splitlines() if decoder.match(line)]
    return found + [re.sub(r" @ 0x\w+", "", line) for line in lines]


def digest(data):
    """A short name for a damaged copy."""
    return f"{zlib.crc32(bytes(data)):08x}"
