"""Reads a PNG or makes the reference cover of a clip, with the ffmpeg command line. Used by compare.py."""

import math
import operator
import subprocess
from collections import Counter
from typing import NamedTuple

SECONDS_PER_COMMAND = 120
CORNER_TOLERANCE = 12
# The reference command. `0:V` excludes artwork, `passthrough` keeps ffmpeg from dropping or duplicating the first
# frame, `file:` keeps it from taking a colon for a protocol.
UPRIGHT = "scale=round(iw*sar):ih,setsar=1"
HABLE = (
    "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,"
    "zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
)
DEINTERLACED = "yadif=deint=interlaced"
TURNS = ["hflip", "vflip", "hflip,vflip", "transpose=0", "transpose=1", "transpose=2", "transpose=3"]


class Picture(NamedTuple):
    """A picture with 8 bits per channel, row after row without gaps."""

    width: int
    height: int
    channels: int
    pixels: bytes

    @property
    def size(self):
        """The size as text."""
        return f"{self.width}×{self.height}"

    def corners(self):
        """The colours 5 % inside the top left, top right, bottom left and bottom right corner."""
        left, top = self.width // 20, self.height // 20
        places = [(x, y) for y in (top, self.height - 1 - top) for x in (left, self.width - 1 - left)]
        starts = [(y * self.width + x) * self.channels for x, y in places]
        return [self.pixels[start : start + 3] for start in starts]

    def has_corners(self, colours):
        """Whether the corners have these colours, within the tolerance of the manifest."""
        pairs = zip(b"".join(self.corners()), bytes.fromhex("".join(colours)))
        return all(abs(one - other) <= CORNER_TOLERANCE for one, other in pairs)

    def luma(self):
        """The mean BT.709 luma of the stored values, 0 to 255."""
        means = [sum(self.pixels[channel :: self.channels]) / (self.width * self.height) for channel in range(3)]
        return 0.2126 * means[0] + 0.7152 * means[1] + 0.0722 * means[2]

    def saturation(self):
        """The mean difference between the largest and the smallest channel of a pixel, 0 to 255."""
        channels = [self.pixels[channel :: self.channels] for channel in range(3)]
        return sum(map(operator.sub, map(max, *channels), map(min, *channels))) / (self.width * self.height)

    def is_opaque(self):
        """Whether every pixel is opaque."""
        return self.channels == 3 or self.pixels[3::4].count(255) == self.width * self.height

    def without_alpha(self):
        """The picture with its stored colours and without alpha."""
        if self.channels == 3:
            return self
        colours = bytearray(self.width * self.height * 3)
        for channel in range(3):
            colours[channel::3] = self.pixels[channel::4]
        return Picture(self.width, self.height, 3, bytes(colours))


class Difference(NamedTuple):
    """The difference between two pictures of the same size."""

    mean: float
    decibels: float

    @staticmethod
    def between(one, other):
        """The difference of two pictures; None if their sizes or channels differ."""
        if one[:3] != other[:3]:
            return None
        if one.pixels == other.pixels:
            return Difference(0, math.inf)
        differences = Counter(map(operator.sub, one.pixels, other.pixels))
        count = len(one.pixels)
        mean = sum(abs(value) * times for value, times in differences.items()) / count
        square = sum(value * value * times for value, times in differences.items()) / count
        return Difference(mean, 10 * math.log10(255 * 255 / square))


def read_png(path, has_alpha=False, turn="null"):
    """The picture in a PNG, transformed by a filter from TURNS; None if ffmpeg finds no picture."""
    command = ["-f", "png_pipe", "-i", f"file:{path}", "-frames:v", "1", "-vf", turn]
    return next(iter(pictures_of(command, has_alpha)), None)


def is_deep(path):
    """Whether a PNG has 16 bits per channel."""
    return path.read_bytes()[24:25] == b"\x10"


def reference(clip, stated, has_alpha=False, before="null", after=UPRIGHT, frames=1):
    """ffmpeg's covers of a clip, one for each of its first frames; the first is the right one.

    `stated` is the entry of the cover in the manifest, with options in front of the input and the number of the right
    frame. `before` is a filter for the stored frame, and `after` one that makes its pixels square.
    """
    command = [*stated.get("reference", []), "-i", f"file:{clip}", "-map", stated.get("stream", "0:V:0")]
    command += ["-frames:v", str(frames), "-fps_mode", "passthrough"]
    return pictures_of([*command, "-vf", f"select=gte(n\\,{stated.get('frame', 0)}),{before},{after}"], has_alpha)


def pictures_of(words, has_alpha):
    """The pictures that an ffmpeg command writes as PAM, which has the size in a short text header."""
    command = ["ffmpeg", "-nostdin", "-v", "error", *words, "-pix_fmt", "rgba" if has_alpha else "rgb24"]
    command += ["-c:v", "pam", "-f", "image2pipe", "-"]
    try:
        stream = subprocess.run(command, capture_output=True, timeout=SECONDS_PER_COMMAND, check=False).stdout
    except subprocess.TimeoutExpired:
        return []
    pictures, start = [], 0
    while (end := stream.find(b"ENDHDR\n", start)) >= 0:
        fields = dict(line.split() for line in stream[start:end].splitlines()[1:])
        width, height, channels = (int(fields[key]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH"))
        first = end + len(b"ENDHDR\n")
        start = first + width * height * channels
        pictures.append(Picture(width, height, channels, stream[first:start]))
    return pictures
