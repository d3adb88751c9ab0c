"""The names that FFmpeg's configure has for the containers and decoders of the allow-list.

Sources/CCover/**/allow_list.c is the only list. It contains the names that libavformat and libavcodec use at run time;
configure uses those of the C symbols: the container "vc1test" is the symbol ff_vc1t_demuxer, so configure calls it vc1t.
"""

import re
import subprocess
from pathlib import Path

# Listed decoders that the bundled FFmpeg does without, and why.
LEFT_OUT = {
    "libaom-av1": "libdav1d decodes AV1",
    "libopenjpeg": "jpeg2000 decodes JPEG 2000",
}

# Listed containers and decoders that older versions of FFmpeg do not have, and the version that added them.
ADDED_IN = {
    "webp_anim": (9, 0),
}

# What the programs use apart from the list. Tests of the programs fail if something is missing here.
ENCODERS = ["mjpeg", "libwebp", "gif", "libx264", "aac"]
MUXERS = ["mov", "mp4", "matroska", "webm", "gif"]
LIBRARIES = ["zlib", "libdav1d", "libvpx", "libx264", "libwebp"]


class UnknownName(Exception):
    """A name on the list that this version of FFmpeg should have, and does not."""


def listed(source: Path, array: str) -> list[str]:
    """Returns the names in an array of allow_list.c."""
    text = re.sub(r"//[^\n]*", "", source.read_text())
    found = re.search(rf"\bconst {array}\[\] = \{{(.*?)\}};", text, re.DOTALL)
    names = re.findall(r'"([^"]*)"', found[1]) if found else []
    if not names:
        raise UnknownName(f"{source}: no list named {array}")
    return names


def version(ffmpeg: Path) -> tuple[int, ...]:
    """Returns the version of a source of FFmpeg."""
    text = (ffmpeg / "RELEASE").read_text().strip()
    return tuple(int(number) for number in re.findall(r"\d+", text))


def expected(ffmpeg: Path, source: Path, array: str) -> list[str]:
    """Returns the names in an array of allow_list.c that FFmpeg must have."""
    current = version(ffmpeg)
    return [name for name in listed(source, array) if name not in LEFT_OUT and ADDED_IN.get(name, current) <= current]


def symbols(ffmpeg: Path, library: str, kind: str) -> dict[str, str]:
    """Returns the symbols of FFmpeg's demuxers or decoders by their names at run time."""
    known = {}
    for path in sorted((ffmpeg / library).rglob("*.c")):
        text = path.read_text(errors="replace")
        for symbol, body in re.findall(rf"\bff_(\w+)_{kind}\s*=\s*\{{(.*?)^\}};", text, re.DOTALL | re.MULTILINE):
            name = re.search(r'\.(?:p\.)?name\s*=\s*"([^"]+)"', body)
            if name:
                known[name[1]] = symbol
    return known


def component(name: str, kind: str, known: dict[str, str], names: set[str]) -> str:
    """Returns configure's name of a demuxer or decoder. Most of those defined by macros have one name for both."""
    for candidate in (known.get(name, ""), name, f"image_{name}"):
        if candidate in names:
            return candidate
    raise UnknownName(f"FFmpeg has no {kind} named {name}, which is on the allow-list")


def components(ffmpeg: Path, source: Path) -> tuple[list[str], list[str]]:
    """Returns configure's names of all containers and decoders on the list."""
    result = []
    for kind, library, arrays in (
        ("demuxer", "libavformat", ["containers"]),
        ("decoder", "libavcodec", ["decoders", "sound_decoders"]),
    ):
        answer = subprocess.run(["./configure", f"--list-{kind}s"], cwd=ffmpeg, check=True, capture_output=True, text=True)
        known, names = symbols(ffmpeg, library, kind), set(answer.stdout.split())
        wanted = [name for array in arrays for name in expected(ffmpeg, source, array)]
        result.append([component(name, kind, known, names) for name in wanted])
    return result[0], result[1]


def options(ffmpeg: Path, source: Path) -> list[str]:
    """Returns the options of configure for a static FFmpeg with nothing but what is used."""
    demuxers, decoders = components(ffmpeg, source)
    return [
        "--prefix=/", "--enable-gpl", "--enable-version3", "--enable-static", "--disable-shared", "--enable-pic",
        "--disable-everything", "--disable-autodetect", "--disable-network", "--disable-programs", "--disable-doc",
        "--disable-debug", "--disable-avdevice", "--disable-avfilter", "--disable-postproc",
        # A bitstream filter works for a codec only if another one has selected that codec's parser.
        "--enable-parsers", "--enable-bsfs",
        "--pkg-config-flags=--static",
        "--extra-cflags=-D_FORTIFY_SOURCE=2 -fstack-protector-strong",
        *(f"--enable-{library}" for library in LIBRARIES),
        *(f"--enable-demuxer={name}" for name in demuxers),
        *(f"--enable-decoder={name}" for name in decoders),
        *(f"--enable-encoder={name}" for name in ENCODERS),
        *(f"--enable-muxer={name}" for name in MUXERS),
    ]
