"""Compares the fixtures with the manifest: facts with ffprobe, covers with ffmpeg. Used by make.py --check."""

import json
import re
import subprocess

NOT_FIXTURES = {"README.md", "make.py", "checks.py", "manifest.json"}
LARGEST_TOTAL = 5_000_000
SECONDS_PER_COMMAND = 60
CORNER_TOLERANCE = 12

# The signs of a, b, c and d in a display matrix, and (rotation, mirrored): the picture is mirrored left to right if
# mirrored is true, then rotated clockwise.
ORIENTATIONS = {
    (1, 0, 0, 1): (0, False),
    (0, 1, -1, 0): (90, False),
    (-1, 0, 0, -1): (180, False),
    (0, -1, 1, 0): (270, False),
    (-1, 0, 0, 1): (0, True),
    (0, -1, -1, 0): (90, True),
    (1, 0, 0, -1): (180, True),
    (0, 1, 1, 0): (270, True),
}


def problems_of_folder(folder, fixtures):
    """Files that are not in the manifest, and exceeding the size limit."""
    known = NOT_FIXTURES | {fixture["file"] for fixture in fixtures}
    problems = [f"{entry.name}: not in manifest.json" for entry in folder.iterdir() if entry.name not in known]
    total = sum(entry.stat().st_size for entry in folder.iterdir() if entry.is_file())
    return problems + ([f"{total} bytes in all, more than {LARGEST_TOTAL}"] if total > LARGEST_TOTAL else [])


def problems_of(folder, fixture):
    """The differences between a fixture and the manifest."""
    path = folder / fixture["file"]
    if not path.is_file():
        return ["missing"]
    if "cover" in fixture:
        return problems_of_facts(path, fixture) + problems_of_cover(path, fixture["cover"])
    if fixture["failure"].get("unopened"):
        return []  # ffmpeg has no such limits: it would follow the playlist or allocate the memory
    found = reference_cover(path, [], 0)
    return problems_of_facts(path, fixture) + (["ffmpeg makes a cover against expectation"] if found else [])


def problems_of_facts(path, fixture):
    """The facts where ffprobe contradicts the manifest."""
    stated, probed = fixture["facts"], probed_facts(path)
    if stated is None or probed is None:
        return [] if stated is probed else [f"stated {stated}, ffprobe reports {probed}"]
    wrong = [key for key in stated if not agree(key, stated[key], probed)]
    return [f"{key}: stated {stated[key]}, found {probed[key]}" for key in wrong]


def agree(key, stated, probed):
    """Whether a stated fact agrees with the probed ones; null agrees with anything."""
    if stated is None:
        return True
    if key == "durationSeconds":
        return abs(stated - probed[key]) <= 0.1
    if key == "framesPerSecond":
        return any(abs(stated - rate) <= 0.01 * stated for rate in probed[key])
    return stated == probed[key]


def probed_facts(path):
    """The facts that ffprobe reports, under the names of the manifest, with all frame rates; None without video."""
    words = ["ffprobe", "-v", "quiet", "-of", "json", "-show_format", "-show_streams", "-show_frames"]
    words += ["-read_intervals", "%+#20", f"file:{path}"]
    probe = json.loads(subprocess.run(words, capture_output=True, timeout=SECONDS_PER_COMMAND).stdout or "{}")
    streams = probe.get("streams", [])
    videos = [s for s in streams if s["codec_type"] == "video" and not s["disposition"]["attached_pic"]]
    if not videos:
        return None
    video = videos[0]
    frames = [frame for frame in probe.get("frames", []) if frame.get("stream_index") == video["index"]]
    rotation, mirrored = orientation([*frames[:1], video])
    ratio = video.get("sample_aspect_ratio", "1:1")
    return {
        "container": probe["format"]["format_name"],
        "codec": video.get("codec_name"),
        "storedWidth": video["width"],
        "storedHeight": video["height"],
        "rotation": rotation,
        "mirrored": mirrored,
        "sampleAspectRatio": "1:1" if ratio == "0:1" else ratio,
        "pixelFormat": video.get("pix_fmt"),
        "durationSeconds": float(probe["format"].get("duration", "nan")),
        "framesPerSecond": [quotient(video[key]) for key in ("avg_frame_rate", "r_frame_rate")],
        "hasAudio": any(s["codec_type"] == "audio" for s in streams),
    }


def orientation(places):
    """The (rotation, mirrored) of the first display matrix; a matrix that is not in the table is ignored."""
    for side in [side for place in places for side in place.get("side_data_list", [])]:
        if "displaymatrix" in side:
            a, b, _, c, d, *_ = (int(n) for n in re.findall(r"-?\d+", re.sub(r"\d+:", "", side["displaymatrix"])))
            return ORIENTATIONS.get(tuple((n > 0) - (n < 0) for n in (a, b, c, d)), (0, False))
    return 0, False


def quotient(rate):
    """The value of a fraction such as "25/1"; NaN for "0/0"."""
    top, bottom = map(int, rate.split("/"))
    return top / bottom if bottom else float("nan")


def problems_of_cover(path, stated):
    """The differences in size and corner colours between ffmpeg's cover and the manifest."""
    found = reference_cover(path, stated.get("reference", []), stated.get("frame", 0))
    if found is None:
        return ["ffmpeg makes no cover"]
    width, height, pixels = found
    if (width, height) != (stated["width"], stated["height"]):
        return [f"cover: stated {stated['width']}x{stated['height']}, found {width}x{height}"]
    problems, left, top = [], width // 20, height // 20
    places = [(x, y) for y in (top, height - 1 - top) for x in (left, width - 1 - left)]
    for (x, y), colour in zip(places, stated.get("corners", [])):
        pixel = pixels[(y * width + x) * 3 :][:3]
        if max(abs(a - b) for a, b in zip(pixel, bytes.fromhex(colour))) > CORNER_TOLERANCE:
            problems.append(f"corner at {x},{y}: stated {colour}, found {pixel.hex()}")
    return problems


def reference_cover(path, options, frame):
    """The (width, height, RGB bytes) of ffmpeg's cover; None if ffmpeg makes no cover."""
    words = ["ffmpeg", "-nostdin", "-v", "quiet", *options, "-i", f"file:{path}", "-map", "0:V:0", "-frames:v", "1"]
    words += ["-fps_mode", "passthrough", "-vf", f"select=gte(n\\,{frame}),scale=round(iw*sar):ih,setsar=1"]
    words += ["-pix_fmt", "rgb24", "-c:v", "ppm", "-f", "image2pipe", "-"]
    ppm = subprocess.run(words, capture_output=True, timeout=SECONDS_PER_COMMAND).stdout
    if not ppm:
        return None
    width, height = map(int, ppm.split(maxsplit=3)[1:3])
    return width, height, ppm[-width * height * 3 :]
