#!/usr/bin/env python3
"""Seeks through a clip on a page in Chromium, and checks that the storyboard shows what the video shows.

The page is what a player does at its simplest: a video with the storyboard as a track, and a tile that follows the
slider. Each second of the clip has a colour of its own, so both pictures are known. Chromium is driven by Selenium.

    storyboard_player.py CLIPCANVAS FOLDER

CLIPCANVAS is the program; FOLDER is where the clip, its storyboard and the page are made. Prints a line for each time,
and exits with status 1 if a picture is wrong.
"""

import functools
import http.server
import io
import pathlib
import re
import subprocess
import sys
import threading
from time import sleep

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

COLOURS = ["red", "lime", "blue", "yellow", "cyan", "magenta", "white", "gray", "orange", "navy", "green"]
PAGE = """<!doctype html>
<meta charset="utf-8">
<title>A player with a storyboard</title>
<video id="video" muted width="320" height="180" src="clip.webm">
  <track id="track" kind="metadata" default src="clip.webm.storyboard/storyboard.vtt">
</video>
<p><input id="slider" type="range" min="0" max="11" step="0.01" value="0"></p>
<div id="tile"></div>
<canvas id="canvas" width="32" height="18"></canvas>
<script>
  const [video, track, slider, tile, canvas] =
    ["video", "track", "slider", "tile", "canvas"].map(name => document.getElementById(name));
  track.track.mode = "hidden";
  function seek() {
    const time = Number(slider.value);
    const cue = Array.from(track.track.cues).find(cue => cue.startTime <= time && time < cue.endTime);
    const [, sheet, x, y, width, height] = cue.text.match(/^(.+)#xywh=(\\d+),(\\d+),(\\d+),(\\d+)$/);
    const address = new URL(sheet, track.src).href;
    const picture = new Image();
    delete tile.dataset.time;
    picture.onload = () => {
      tile.style.cssText = `width:${width}px;height:${height}px;background:url(${address}) -${x}px -${y}px`;
      tile.dataset.time = time;
    };
    picture.src = address;
    video.onseeked = () => { video.dataset.time = time; };
    video.currentTime = time;
  }
  function videoPixel() {
    const context = canvas.getContext("2d");
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    return Array.from(context.getImageData(16, 9, 1, 1).data.slice(0, 3));
  }
  slider.oninput = seek;
</script>
"""


def make(program, folder):
    sources, names = [], ""
    for number, colour in enumerate(COLOURS):
        sources += ["-f", "lavfi", "-i", f"color={colour}:s=320x180:r=10:d=1"]
        names += f"[{number}:v]"
    subprocess.run(["ffmpeg", "-nostdin", "-y", "-v", "error", *sources, "-filter_complex",
                    f"{names}concat=n={len(COLOURS)}", "-c:v", "libvpx", "-b:v", "2M", "-g", "1000",
                    "-force_key_frames", "expr:gte(t,n_forced)", str(folder / "clip.webm")], check=True)
    subprocess.run([program, "storyboard", "--force", "--interval", "1s", "--tile", "4x2", "--width", "160",
                    str(folder / "clip.webm")], check=True)
    (folder / "page.html").write_text(PAGE)


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves files with ranges, which Chromium needs to seek in a video."""

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = pathlib.Path(self.translate_path(self.path))
        wanted = re.match(r"bytes=(\d+)-(\d*)$", self.headers.get("Range", ""))
        if not wanted or not path.is_file():
            return super().do_GET()
        data = path.read_bytes()
        start, end = int(wanted[1]), min(int(wanted[2] or len(data) - 1), len(data) - 1)
        self.send_response(206)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Range", f"bytes {start}-{end}/{len(data)}")
        self.send_header("Content-Length", str(end + 1 - start))
        self.end_headers()
        self.wfile.write(data[start:end + 1])
        return None


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/page.html"


def start_chromium(profile):
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   f"--user-data-dir={profile}"):
        options.add_argument(option)
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def near(pixel, colour):
    expected = Image.new("RGB", (1, 1), colour).getpixel((0, 0))
    return all(abs(int(a) - b) <= 12 for a, b in zip(pixel, expected))


def compare(browser, colour):
    """Whether the video and the tile have the colour, and the colours that they have."""
    shot = Image.open(io.BytesIO(browser.find_element(By.ID, "tile").screenshot_as_png)).convert("RGB")
    video = browser.execute_script("return videoPixel()")
    corners = [shot.getpixel((x, y)) for x in (3, shot.width - 4) for y in (3, shot.height - 4)]
    right = shot.size == (160, 90) and near(video, colour) and all(near(corner, colour) for corner in corners)
    return right, video, corners


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    make(program, folder)
    browser = start_chromium(folder / "profile")
    wrong = 0
    try:
        browser.get(serve(folder))
        wait = WebDriverWait(browser, 60)
        wait.until(lambda _: browser.execute_script(
            "return video.readyState >= 1 && track.readyState === 2 && track.track.cues.length > 0"))
        for number, colour in enumerate(COLOURS):
            for part in (0.05, 0.5, 0.95):
                time = round(number + part, 2)
                browser.execute_script("slider.value = arguments[0]; slider.oninput()", time)
                wait.until(lambda _: browser.execute_script(
                    "return tile.dataset.time === arguments[0] && video.dataset.time === arguments[0]", str(time)))
                # A busy browser paints a little later than it reports.
                for _ in range(40):
                    right, video, corners = compare(browser, colour)
                    if right:
                        break
                    sleep(0.25)
                wrong += not right
                print(f"{time:5.2f} s {colour:8} {'right' if right else 'WRONG'}  video {video} tile {corners}")
    finally:
        browser.quit()
    print(f"{wrong} of {3 * len(COLOURS)} times are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
