"""Clips with known colours and hostile names, their gallery, and a browser that reports what the page does."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

FIXTURES = pathlib.Path(__file__).parents[2] / "Fixtures"
COLOURS = ["red", "lime", "blue"]
# The longest time to wait for what the page should do, in seconds.
PATIENCE = 60
# A name of a script, an attribute and a comment; names with quotes, a line feed, another direction and no valid text.
HOSTILE_NAMES = [
    b"<script>document.title=1</script>/onerror=document.title=1 --> ]]>.webm",
    b"\"'&amp; #%3F?.webm", b"line\nfeed.webm", "\u202e4pm.webm".encode(), b"\xff\xfe.webm", b"javascript:alert(1).webm",
]

# What was found wrong.
failed = []


def draw(path, *sources, codec=("libvpx", "-b:v", "1M", "-g", "1000", "-force_key_frames", "expr:gte(t,n_forced)")):
    """Draws a clip: each source is a colour, a size, a rate and a duration."""
    path.parent.mkdir(parents=True, exist_ok=True)
    inputs, names = [], ""
    for number, (colour, size, rate, duration) in enumerate(sources):
        inputs += ["-f", "lavfi", "-i", f"color={colour}:s={size}:r={rate}:d={duration}"]
        names += f"[{number}:v]"
    subprocess.run(["ffmpeg", "-nostdin", "-y", "-v", "error", *inputs, "-filter_complex",
                    f"{names}concat=n={len(sources)}", "-c:v", *codec, str(path)], check=True)


def make(program, folder):
    """Makes the clips, a gallery with storyboards (story.html) and one with animations only (animated.html)."""
    clips = folder / "films"
    draw(clips / "one/alpha.webm", *[(colour, "320x180", 10, 1) for colour in COLOURS])
    draw(clips / "one/beta.webm", ("gray", "160x90", 5, 12))
    draw(clips / "one/gamma.mkv", ("orange", "64x64", 10, 2), codec=("ffv1", "-metadata", "creation_time=2019-02-03T12:00:00Z"))
    draw(clips / "two/delta.webm", ("navy", "96x54", 1, 70))
    for number in range(10):
        draw(clips / f"two/clip {number}.webm", ("green", "64x36", 10, 0.5))
    for name, copy in (("no-keyframe.mkv",) * 2, ("sound-only.m4a", "sound-only.mp4"), ("empty.mp4",) * 2):
        shutil.copy(FIXTURES / name, clips / "two" / copy)
    (clips / "two/another.mp4").touch()
    for name in HOSTILE_NAMES:
        path = os.fsencode(clips) + b"/odd/" + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(os.fsencode(clips / "two/clip 0.webm"), path)
    # Dates that differ, in another order than the names; the file of gamma.mkv is younger than its recording.
    for days, name in enumerate(["two/delta.webm", "one/gamma.mkv", "one/alpha.webm", "one/beta.webm"]):
        os.utime(clips / name, (1.7e9 + 86400 * days, 1.7e9 + 86400 * days))
    for page, options in (("story", ["--storyboard", "--interval", "1s"]), ("animated", [])):
        run = subprocess.run([program, "batch", "-q", "-o", page, "--animate", *options, "--gallery", f"{page}.html",
                              "films"], cwd=folder, stderr=subprocess.DEVNULL)
        assert run.returncode == 1, "three clips have no cover"
    make_pairs(program, folder)


def make_pairs(program, folder):
    """Makes two pairs of clips that look alike and a clip that is like no other, and their gallery (pairs.html)."""
    for name, source in (
            ("one/alpha.mp4", "mandelbrot=s=320x180:r=10"), ("two/omega.mp4", "mandelbrot=s=320x180:r=10,scale=160:90"),
            ("one/beta.mp4", "testsrc=s=320x180:r=10"), ("two/gamma.mp4", "testsrc=s=320x180:r=10,scale=160:90"),
            ("one/gray.mp4", "color=gray:s=320x180:r=10"), ("two/gray.mp4", "color=gray:s=160x90:r=10")):
        path = folder / "pairs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["ffmpeg", "-nostdin", "-y", "-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "5", "-c:v",
                        "mpeg4", "-q:v", "3", str(path)], check=True)
    subprocess.run([program, "batch", "-q", "-o", "paired", "--gallery", "pairs.html", "pairs"], cwd=folder, check=True)


def multiply(page, number):
    """Writes a page with as many cards as wanted, copies of those of a page."""
    text = page.read_text()
    start, cards, end = re.match(r'(.*?<ul id="clips"[^>]*>\n)(.*?)(</ul>\n<p id="nothing".*)', text, re.DOTALL).groups()
    cards = re.findall(r"<li .*?</li>\n", cards, re.DOTALL)
    copies = []
    for copy in range(number):
        card = re.sub(r'(class="folder">)[^<]*', rf"\g<1>day {copy // 250:02}/", cards[copy % len(cards)])
        card = card.replace('class="name">', f'class="name">{copy:05} ').replace('.png"', f'.png?{copy}"')
        copies.append(card)
    big = page.with_name("big.html")
    big.write_text(start + "".join(copies) + end)
    return big


class Page:
    """A page in Chromium, and what it requested."""

    def __init__(self, profile, width=1280, height=900, more=(), program=None):
        options = webdriver.ChromeOptions()
        if program:
            options.binary_location = str(program)
        for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                       f"--user-data-dir={profile}", *more):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.command("Page.addScriptToEvaluateOnNewDocument", source="""
            window.violations = [];
            addEventListener("securitypolicyviolation", (event) => violations.push(event.blockedURI));""")
        self.resize(width, height)
        self.requested = []

    def command(self, name, **parameters):
        return self.browser.execute_cdp_cmd(name, parameters)

    def resize(self, width, height=900):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=False)

    def media(self, **features):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()])

    def open(self, file, fragment=""):
        self.browser.get("about:blank")
        self.browser.get(file.as_uri() + fragment)

    def requests(self):
        """Returns the addresses of all requests until now."""
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requested.append(message["params"]["request"]["url"])
        return self.requested

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def tile(self, name):
        return self.run("return Array.from(document.querySelectorAll('.card'))"
                        ".find(card => card.querySelector('.name').textContent === arguments[0])", name)

    def wait(self, condition):
        """Returns the value of a condition once it is true, or its last value."""
        end = time.monotonic() + PATIENCE
        while not (value := condition()) and time.monotonic() < end:
            time.sleep(0.05)
        return value

    def names(self, selector=".card"):
        """Returns the names of the clips that can be seen, in order."""
        return self.run("return Array.from(document.querySelectorAll(arguments[0]))"
                        ".filter(card => card.checkVisibility()).map(card => card.querySelector('.name').textContent)",
                        selector)

    def choose(self, control, value):
        """Sets a control as a person does."""
        self.run("const control = document.querySelector(`#tools [name=${arguments[0]}]`);"
                 "if (control.type === 'checkbox') control.checked = arguments[1]; else control.value = arguments[1];"
                 "control.dispatchEvent(new Event('input', {bubbles: true}))", control, value)

    def focused(self):
        return self.run("const card = document.activeElement.closest('.card');"
                        "return card && card.querySelector('.name').textContent")


def check(sentence, is_true, found=""):
    print(f"{'right' if is_true else 'WRONG'}  {sentence}{'' if is_true else f': {found}'}", flush=True)
    if not is_true:
        failed.append(sentence)


def keys(page, *keys):
    for key in keys:
        ActionChains(page.browser).send_keys(key).perform()
