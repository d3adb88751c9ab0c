#!/usr/bin/env python3
"""Opens a page with animations in Chromium, and checks that they play, in order and again and again.

The clip has a colour for each second, so every frame is known. Chromium is driven by Selenium.

    animation_page.py CLIPCANVAS FOLDER

CLIPCANVAS is the program; FOLDER is where the clip, its animations and the page are made. Prints a line for each
animation, and exits with status 1 if one does not play.
"""

import io
import pathlib
import subprocess
import sys
import time

from PIL import Image
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from storyboard_player import near, serve, start_chromium

COLOURS = ["red", "lime", "blue"]
PAGE = """<!doctype html>
<meta charset="utf-8">
<title>Animations</title>
<img id="webp" src="clip.mkv.preview.webp">
<img id="gif" src="clip.mkv.preview.gif">
<script>
  async function facts(id) {
    const type = `image/${id}`;
    const response = await fetch(document.getElementById(id).src);
    const decoder = new ImageDecoder({data: await response.arrayBuffer(), type});
    await decoder.tracks.ready;
    const {frameCount, repetitionCount} = decoder.tracks.selectedTrack;
    const durations = [];
    for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
      durations.push((await decoder.decode({frameIndex})).image.duration);
    }
    return [durations.join(), String(repetitionCount)];
  }
</script>
"""
# The longest time that an animation may hide one of its colours, in seconds.
PATIENCE = 60


def make(program, folder):
    sources, names = [], ""
    for number, colour in enumerate(COLOURS):
        sources += ["-f", "lavfi", "-i", f"color={colour}:s=160x90:r=10:d=2"]
        names += f"[{number}:v]"
    clip = str(folder / "clip.mkv")
    subprocess.run(["ffmpeg", "-nostdin", "-y", "-v", "error", *sources, "-filter_complex",
                    f"{names}concat=n={len(COLOURS)}", "-c:v", "ffv1", clip], check=True)
    for form in ("webp", "gif"):
        subprocess.run([program, "animate", "--force", "--segments", "3", "--segment-length", "1", "--fps", "1",
                        "--quality", "95", "--format", form, clip], check=True)
    (folder / "page.html").write_text(PAGE)


def colour_of(picture):
    shot = Image.open(io.BytesIO(picture.screenshot_as_png)).convert("RGB")
    pixel = shot.getpixel((shot.width // 2, shot.height // 2))
    return next((colour for colour in COLOURS if near(pixel, colour)), str(pixel))


def watch(picture):
    """Returns the colours that are shown one after another, until each has been seen twice."""
    seen = []
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not all(seen.count(colour) >= 2 for colour in COLOURS):
        colour = colour_of(picture)
        if seen[-1:] != [colour]:
            seen.append(colour)
    return seen


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    make(program, folder)
    browser = start_chromium(folder / "profile")
    wrong = 0
    try:
        browser.get(serve(folder))
        for form in ("webp", "gif"):
            picture = browser.find_element(By.ID, form)
            WebDriverWait(browser, 60).until(lambda _: picture.get_property("naturalWidth") == 160)
            durations, repetitions = browser.execute_async_script(
                "const [id, done] = arguments; facts(id).then(done, error => done([String(error), '']))", form)
            seen = watch(picture)
            right = (durations == "1000000,1000000,1000000" and repetitions == "Infinity"
                     and set(seen) == set(COLOURS) and all(seen.count(colour) >= 2 for colour in COLOURS))
            wrong += not right
            print(f"{form:4} {'right' if right else 'WRONG'}  {durations} µs, {repetitions} times: {' '.join(seen)}")
    finally:
        browser.quit()
    print(f"{wrong} of 2 animations are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
