"""The undamaged clips of the sweep: the codecs of the allow-list that ffmpeg can encode, in several containers."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

FRAMES = 30
SOURCES = {
    "bars": "testsrc2=s=320x240:r=25,hue=h=6*n",
    "noise": "testsrc2=s=320x240:r=25,noise=alls=12",
    "fractal": "mandelbrot=s=320x240:r=25:start_scale=0.02:end_scale=0.002:end_pts=60",
}
LAST_KEY_FRAME = 1000  # a distance that leaves a clip only one
RAW = {"h264": "h264", "hevc": "hevc", "m2v": "mpeg2video", "m1v": "mpeg1video", "m4v": "m4v", "mkv": "matroska"}
X265 = "log-level=error:pools=none:frame-threads=1:scenecut=0:open-gop=0:keyint={g}:min-keyint={g}"
VPX = ["-b:v", "600k", "-deadline", "realtime", "-cpu-used", "6"]

# Codec: containers, encoder with options. In options, {g} is the distance of key frames.
PREDICTING = {
    "h264": ("mp4 mkv ts flv mov h264", ["libx264", "-preset", "fast", "-g", "{g}", "-keyint_min", "{g}", "-bf", "3"]),
    "h264-slices": ("mp4 ts", ["libx264", "-preset", "fast", "-g", "{g}", "-x264-params", "slices=4"]),
    "h264-refresh": ("mkv ts", ["libx264", "-x264-params", "intra-refresh=1:keyint=10:bframes=0"]),
    "hevc": ("mp4 mkv ts hevc", ["libx265", "-preset", "ultrafast", "-x265-params", X265]),
    "mpeg2": ("mpg ts mkv mov m2v vob", ["mpeg2video", "-q:v", "4", "-g", "{g}", "-bf", "2"]),
    "mpeg1": ("mpg ts m1v", ["mpeg1video", "-q:v", "4", "-g", "{g}", "-bf", "2"]),
    "mpeg4": ("mp4 mkv mov m4v", ["mpeg4", "-q:v", "4", "-g", "{g}", "-bf", "2"]),
    "mpeg4-plain": ("avi", ["mpeg4", "-q:v", "4", "-g", "{g}"]),
    "msmpeg4v2": ("avi", ["msmpeg4v2", "-q:v", "4", "-g", "{g}"]),
    "msmpeg4": ("avi wmv", ["msmpeg4", "-q:v", "4", "-g", "{g}"]),
    "wmv1": ("wmv avi", ["wmv1", "-q:v", "4", "-g", "{g}"]),
    "wmv2": ("wmv avi mkv", ["wmv2", "-q:v", "4", "-g", "{g}"]),
    "flv": ("flv avi", ["flv", "-q:v", "4", "-g", "{g}"]),
    "rv10": ("rm", ["rv10", "-q:v", "4", "-g", "{g}"]),
    "rv20": ("rm", ["rv20", "-q:v", "4", "-g", "{g}"]),
    "svq1": ("mov", ["svq1", "-q:v", "4", "-g", "{g}"]),
    "theora": ("ogv mkv", ["libtheora", "-q:v", "6", "-g", "{g}"]),
    "vp8": ("webm ivf", ["libvpx", "-g", "{g}"] + VPX),
    "vp9": ("webm mp4 ivf", ["libvpx-vp9", "-g", "{g}"] + VPX),
    "av1": ("mp4 mkv obu", ["libsvtav1", "-preset", "10", "-crf", "40", "-g", "{g}"]),
    "cinepak": ("avi mov", ["cinepak", "-g", "{g}", "-vf", "scale=160:120"]),
    "flashsv": ("flv", ["flashsv", "-g", "{g}"]),
    "flashsv2": ("flv", ["flashsv2", "-g", "{g}"]),
    "rpza": ("mov", ["rpza", "-g", "{g}"]),
    "qtrle": ("mov", ["qtrle", "-g", "{g}"]),
}
INTRA = {
    "mjpeg": ("avi mov mkv mjpeg", ["mjpeg", "-q:v", "4"]),
    "jpeg2000": ("mov mxf mkv", ["jpeg2000", "-q:v", "4"]),
    "png": ("mov avi", ["png"]),
    "gif": ("gif", ["gif"]),
    "prores": ("mov mkv", ["prores_ks"]),
    "dnxhd": ("mov mxf", ["dnxhd", "-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p"]),
    "cfhd": ("mov avi", ["cfhd"]),
    "dv": ("avi mov dv", ["dvvideo", "-vf", "scale=720:576", "-pix_fmt", "yuv420p"]),
    "ffv1": ("mkv avi", ["ffv1", "-level", "3"]),
    "ffv1-1": ("mkv nut", ["ffv1", "-level", "1", "-g", "1"]),
    "huffyuv": ("avi nut", ["huffyuv"]),
    "ffvhuff": ("avi", ["ffvhuff"]),
    "utvideo": ("avi", ["utvideo"]),
    "rawvideo": ("avi nut", ["rawvideo"]),
    "vc2": ("mov", ["vc2"]),
}
SHORT = {
    *("h264 mp4 10", "h264 ts 1000", "hevc ts 1000", "mpeg2 ts 10", "mpeg4-plain avi 1000", "mjpeg avi 1"),
    "vp9 webm 10",
}


class Clip(NamedTuple):
    """An undamaged clip."""

    codec: str
    container: str
    key_frames: int
    source: str
    encoder: list

    @property
    def name(self):
        return f"{self.codec}-{self.source}-{self.key_frames}.{self.container}"


def all_clips(is_short):
    """The clips to make; with `is_short` a few of them."""
    for codecs, distances in ((PREDICTING, (10, LAST_KEY_FRAME)), (INTRA, (1,))):
        for codec, (containers, encoder) in codecs.items():
            for container in containers.split():
                for distance in distances:
                    for source in list(SOURCES)[: 1 if is_short else None]:
                        if not is_short or f"{codec} {container} {distance}" in SHORT:
                            yield Clip(codec, container, distance, source, encoder)


def ffmpeg(*arguments, **options):
    """Runs ffmpeg and returns its result."""
    command = ["ffmpeg", "-nostdin", "-hide_banner", "-y", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, **options)


def pixel_format(clip):
    """Options for the pixel format; none where the encoder has to choose."""
    special = {"mjpeg": "yuvj420p", "huffyuv": "yuv422p", "svq1": "yuv410p"}
    special |= dict.fromkeys(("prores", "cfhd"), "yuv422p10le")
    chooses = {"png", "gif", "qtrle", "flashsv", "flashsv2", "rpza", "cinepak"}
    is_set = clip.codec in chooses or "-pix_fmt" in clip.encoder
    return [] if is_set else ["-pix_fmt", special.get(clip.codec, "yuv420p")]


def make(clip, folder):
    """Makes a clip. Returns its path, or None if this ffmpeg cannot."""
    path = folder / clip.name
    encoder = [word.replace("{g}", str(clip.key_frames)) for word in clip.encoder] + pixel_format(clip)
    scene_cuts = ["-sc_threshold", 0 if encoder[0] == "libx264" else 1000000000]
    container = ["-f", RAW[clip.container]] if clip.container in RAW else []
    result = ffmpeg(
        *("-v", "error", "-f", "lavfi", "-i", SOURCES[clip.source], "-frames:v", FRAMES if clip.key_frames > 1 else 6),
        *("-threads", 1, *scene_cuts, "-c:v", *encoder, *container),
        path,
    )
    return path if result.returncode == 0 and path.exists() and path.stat().st_size > 0 else None


def make_all(folder, is_short, jobs=2):
    """Makes the clips; yields each with its path, or with None if this ffmpeg cannot encode it."""
    clips = list(all_clips(is_short))
    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(clips, pool.map(lambda clip: make(clip, folder), clips))
