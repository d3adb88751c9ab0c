"""Pixels by the ffmpeg command line: of a PNG, and of the reference cover of a clip. Used by compare.py."""

import math
import operator
import subprocess
from collections import Counter
from typing import NamedTuple

SECONDS_PER_COMMAND = 120
CORNER_TOLERANCE = 12
# The reference command of the design. `0:V` leaves artwork out, `passthrough` keeps ffmpeg from dropping or doubling
# the first frame, `file:` stops it from reading a colon as a protocol.
UPRIGHT = "scale=iw*sar:ih,setsar=1"
HABLE = (
    "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,"
    "zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
)
DEINTERLACED = "yadif=deint=interlaced"
TURNS = ["hflip", "vflip", "hflip,vflip", "transpose=0", "transpose=1", "transpose=2", "transpose=3"]


class Picture(NamedTuple):
    """Pixels of 8 bits a channel, row after row without gaps."""

    width: int
    height: int
    channels: int
    pixels: bytes

    @property
    def size(self):
        """As a person writes it."""
        return f"{self.width}×{self.height}"

    def corners(self):
        """The colours 5 % inside the top left, top right, bottom left and bottom right corner."""
        left, top = self.width // 20, self.height // 20
        places = [(x, y) for y in (top, self.height - 1 - top) for x in (left, self.width - 1 - left)]
        starts = [(y * self.width + x) * self.channels for x, y in places]
        return [self.pixels[start : start + 3] for start in starts]

    def has_corners(self, colours):
        """Whether its corners have these colours, each channel to the tolerance of the manifest."""
        pairs = zip(b"".join(self.corners()), bytes.fromhex("".join(colours)))
        return all(abs(one - other) <= CORNER_TOLERANCE for one, other in pairs)

    def luma(self):
        """The mean of the BT.709 luma of its stored values, 0 to 255."""
        means = [sum(self.pixels[channel :: self.channels]) / (self.width * self.height) for channel in range(3)]
        return 0.2126 * means[0] + 0.7152 * means[1] + 0.0722 * means[2]

    def saturation(self):
        """The mean distance of a pixel's largest and smallest channel, 0 to 255."""
        channels = [self.pixels[channel :: self.channels] for channel in range(3)]
        return sum(map(operator.sub, map(max, *channels), map(min, *channels))) / (self.width * self.height)

    def is_opaque(self):
        """Whether no pixel lets anything through."""
        return self.channels == 3 or self.pixels[3::4].count(255) == self.width * self.height

    def without_alpha(self):
        """The colours alone, as they are stored."""
        if self.channels == 3:
            return self
        colours = bytearray(self.width * self.height * 3)
        for channel in range(3):
            colours[channel::3] = self.pixels[channel::4]
        return Picture(self.width, self.height, 3, bytes(colours))


class Difference(NamedTuple):
    """How far two pictures of the same size are apart."""

    mean: float
    decibels: float

    @staticmethod
    def between(one, other):
        """None when the sizes or channels differ."""
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
    """The picture in a PNG, turned by a filter of TURNS; None if ffmpeg finds no picture in it."""
    command = ["-f", "png_pipe", "-i", f"file:{path}", "-frames:v", "1", "-vf", turn]
    return next(iter(pictures_of(command, has_alpha)), None)


def is_deep(path):
    """Whether a PNG has 16 bits a channel."""
    return path.read_bytes()[24:25] == b"\x10"


def reference(clip, stated, has_alpha=False, before="null", after=UPRIGHT, frames=1):
    """The covers that ffmpeg makes of a clip, one for each of its first frames; the first is the right one.

    `stated` is the cover of the manifest: options in front of the input, and the number of the right frame. `before`
    and `after` are filters for the frame as it is stored, and for squaring its pixels.
    """
    command = [*stated.get("reference", []), "-i", f"file:{clip}", "-map", stated.get("stream", "0:V:0")]
    command += ["-frames:v", str(frames), "-fps_mode", "passthrough"]
    return pictures_of([*command, "-vf", f"select=gte(n\\,{stated.get('frame', 0)}),{before},{after}"], has_alpha)


def pictures_of(words, has_alpha):
    """The pictures that an ffmpeg command makes, as PAM: it carries its size in a short head of text."""
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
