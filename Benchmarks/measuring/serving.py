"""A served board: from a tap to other pages, from Stop to the cover, many followers, and the server's memory.

The pages are Chromium's, driven by Selenium; the many followers only read the stream of changes.
"""

import http.client
import importlib.util
import json
import pathlib
import re
import select
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

from programs import CLIPCANVAS, PROJECT

from measuring.clips import Recipe, made, progress
from measuring.report import UNREPORTED, Claim, Section, duration, limited, shown_memory
from measuring.timing import NOT_INSTALLED

sys.path.insert(0, str(PROJECT / "Tests/Browser"))

CANVASES = 16
TAPS, STOPS, TAKE_SECONDS = 200, 12, 3
FOLLOWERS, TAPS_PER_SECOND, SECONDS = 200, 50, 10
MOST_TAP, MOST_RARE_TAP, MOST_STOP, MOST_FOLLOWER = 0.020, 0.050, 0.300, 0.100
PLAYS = 8
TOGETHER = Recipe("360p VP8 with sound", "together.webm", "testsrc2=s=640x360:r=30:d={seconds}", 3,
                  ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "600k", "-c:a", "libopus"], has_sound=True)
# How far apart clips may start, and be while they play, at 30 frames a second.
MOST_APART, MOST_OUT_OF_STEP = 0.010, 1 / 30
MOST_MEBIBYTES = 30
REVISION = re.compile(rb"\nid: [0-9a-z]+-([0-9]+)\n")


class Client:
    """A connection that reads and changes the board, as a page does."""

    def __init__(self, server):
        self.place = urllib.parse.urlsplit(server.origin)
        self.connection = http.client.HTTPConnection(self.place.netloc)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection.request("GET", server.address.removeprefix(server.origin))
        answer = self.connection.getresponse()
        token = re.search(r'"clipcanvas-token" content="(\w+)"', answer.read().decode())[1]
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        self.headers = {"X-ClipCanvas-Token": token, "Origin": server.origin, "Content-Type": "application/json"}

    def tap(self, canvas):
        """Taps a canvas."""
        self.connection.request("POST", "/events", json.dumps({"event": "tap", "canvas": canvas}), self.headers)
        answer = self.connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"a tap was answered with {answer.status}")

    def follow(self):
        """A socket that receives the changes."""
        stream = socket.create_connection((self.place.hostname, self.place.port))
        stream.sendall(f"GET /changes HTTP/1.1\r\nHost: {self.place.netloc}\r\nCookie: {self.cookie}\r\n\r\n".encode())
        return stream


class Followers:
    """Connections that follow the board, and how long each change took to reach them."""

    def __init__(self, client, count):
        self.streams = {stream.fileno(): stream for stream in (client.follow() for _ in range(count))}
        self.poll = select.epoll()
        for number in self.streams:
            self.poll.register(number, select.EPOLLIN)
        self.sent, self.delays, self.rests = [], [], {}
        self.is_over = False
        self.thread = threading.Thread(target=self.read)

    def read(self):
        """Records the delay of each change for each follower."""
        while not self.is_over:
            for number, _ in self.poll.poll(0.2):
                data = self.rests.get(number, b"") + self.streams[number].recv(1 << 18)
                now = time.perf_counter()
                for found in REVISION.finditer(data):
                    change = int(found[1])
                    if 0 < change <= len(self.sent):
                        self.delays.append(now - self.sent[change - 1])
                # What may be the beginning of the next number.
                self.rests[number] = data[-40:] if not data.endswith(b"\n\n") else b""

    def end(self):
        """Stops reading."""
        self.is_over = True
        self.thread.join()
        for stream in self.streams.values():
            stream.close()


def mebibytes(process):
    """The memory of a process."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def percentile(delays, share):
    """The delay that a share of the delays does not exceed."""
    return sorted(delays)[min(len(delays) - 1, int(len(delays) * share))]


def summary(what, delays):
    """A line about delays."""
    return (f"- {what}: median {duration(statistics.median(delays))}, 99 % {duration(percentile(delays, 0.99))}, at most "
            f"{duration(max(delays))}, of {len(delays)}")


def follow(folder, Server, taps):
    """Taps on a board with many followers: the delays of their messages, how many there should be, and the memory."""
    server = Server(str(CLIPCANVAS), folder / "followed.json", "4x4")
    try:
        client = Client(server)
        followers = Followers(client, FOLLOWERS)
        time.sleep(2)
        followers.thread.start()
        began = time.perf_counter()
        for tap in range(taps):
            time.sleep(max(0, began + tap / TAPS_PER_SECOND - time.perf_counter()))
            followers.sent.append(time.perf_counter())
            client.tap(f"c{tap % CANVASES + 1}")
        time.sleep(2)
        memory = mebibytes(server.process)
        followers.end()
        return followers.delays, FOLLOWERS * taps, memory
    finally:
        server.end()


def tap(one, other, count):
    """From a tap in one browser to the drawing in another, both by this machine's clock."""
    script = """
      const [canvas, done] = arguments;
      const start = Date.now(), before = document.documentElement.dataset.revision;
      document.querySelector(`[data-canvas=${canvas}] .tap`).click();
      const wait = () => document.documentElement.dataset.revision === before ? setTimeout(wait, 1)
        : done([start, document.documentElement.dataset.revision]);
      wait();
    """
    other.run("window.drawn = {};"
              "new MutationObserver(() => { drawn[document.documentElement.dataset.revision] ??= Date.now() })"
              ".observe(document.documentElement, {attributeFilter: ['data-revision']})")
    starts = []
    # Taps on one canvas: no camera can be left waiting when its preview has moved on.
    for _ in range(count):
        starts.append(one.browser.execute_async_script(script, "c1"))
        time.sleep(0.05)
    time.sleep(1)
    drawn = other.run("return drawn")
    return [(drawn[revision] - start) / 1000 for start, revision in starts]


def stop(window, count):
    """From Stop to the cover, for takes on empty canvases."""
    script = """
      const [canvas, done] = arguments;
      const start = performance.now();
      document.getElementById("stop").click();
      const wait = () => {
        const cover = document.querySelector(`[data-canvas=${canvas}] .cover`);
        const isShown = cover?.checkVisibility() && cover.complete && cover.naturalWidth > 0;
        if (isShown) done(performance.now() - start); else requestAnimationFrame(wait);
      };
      wait();
    """
    delays = []
    for number in range(count):
        canvas = f"c{number + 1}"
        window.tap(canvas)
        window.wait(lambda: window.camera_width(canvas))
        window.press("record")
        window.until_shows(canvas, "live")
        time.sleep(TAKE_SECONDS)
        delays.append(window.browser.execute_async_script(script, canvas) / 1000)
    return delays


def browse(folder, Server, Window, taps, stops):
    """Two pages of a board: the delays of taps, those of covers, and the memory."""
    server, windows = Server(str(CLIPCANVAS), folder / "browsed.json", "4x4"), []
    try:
        for name in ("one", "other"):
            windows.append(Window(server, folder / f"profile-{name}"))
            windows[-1].enter()
        memory = mebibytes(server.process)
        return tap(*windows, taps), stop(windows[0], stops), memory
    finally:
        for window in windows:
            window.browser.quit()
        server.end()


def play_together(folder, Server, Window, plays):
    """How far apart the clips of all canvases are when they start to play together, and a second later."""
    script = """
      const done = arguments[0], spreads = [];
      document.getElementById("play-all").click();
      let began = null;
      const look = () => {
        const clips = [...document.querySelectorAll(".clip")], times = clips.map((clip) => clip.currentTime);
        if (clips.length && clips.every((clip, i) => !clip.paused && clip.playbackRate > 0.5 && times[i] > 0)) {
          began ??= performance.now();
          spreads.push([(performance.now() - began) / 1000, Math.max(...times) - Math.min(...times)]);
        }
        if (began === null || performance.now() - began < 2000) return requestAnimationFrame(look);
        document.getElementById("play-all").click();
        done(spreads);
      };
      look();
    """
    clip = made(TOGETHER, is_quick=False)
    server = Server(str(CLIPCANVAS), folder / "together.json", "4x4")
    window = Window(server, folder / "profile-together")
    try:
        for number in range(1, CANVASES + 1):
            subprocess.run([CLIPCANVAS, "board", "clip", "import", f"c{number}", clip, "--board", server.board], check=True,
                           stdout=subprocess.DEVNULL)
        window.enter()
        window.wait(lambda: window.run("return document.querySelectorAll('[data-shows=cover]').length") == CANVASES)
        apart, later = [], []
        for _ in range(plays):
            time.sleep(1)
            spreads = window.browser.execute_async_script(script)
            apart.append(statistics.median(spread for after, spread in spreads if after < 0.5))
            later.append(statistics.median(spread for after, spread in spreads if after > 1))
        return apart, later
    finally:
        window.browser.quit()
        server.end()


def serve(bench):
    """A board in browsers."""
    progress("serve")
    if not importlib.util.find_spec("selenium") or not shutil.which("chromium"):
        yield Section("A served board", ["Chromium and Selenium are missing: run 'make setup-browser'."],
                      [Claim("a served board", NOT_INSTALLED, UNREPORTED, UNREPORTED, UNREPORTED)])
        return
    from board_site import Server, Window
    few = bench.is_quick
    folder = bench.work / "served"
    folder.mkdir()
    reached, expected, followed = follow(folder, Server, TAPS_PER_SECOND * (1 if few else SECONDS))
    apart, later = play_together(folder, Server, Window, 1 if few else PLAYS)
    tapped, stopped, browsed = browse(folder, Server, Window, 10 if few else TAPS, 1 if few else STOPS)
    claims = [
        limited("tap, to the screen of another browser", statistics.median(tapped), MOST_TAP, duration),
        limited("the same, 99 %", percentile(tapped, 0.99), MOST_RARE_TAP, duration),
        limited("Stop, to the cover on the screen", statistics.median(stopped), MOST_STOP, duration),
        limited(f"tap, to the last of {FOLLOWERS} followers", max(reached), MOST_FOLLOWER, duration),
        limited(f"{CANVASES} clips with sound, apart at the start of Play all", statistics.median(apart), MOST_APART,
                duration),
        limited("the same after a second", statistics.median(later), MOST_OUT_OF_STEP, duration),
        limited("the server's memory with two pages", browsed, MOST_MEBIBYTES, shown_memory),
        limited(f"its memory with {FOLLOWERS} followers", followed, MOST_MEBIBYTES, shown_memory),
    ]
    notes = [f"Sixteen canvases. Pages are in headless Chromium, on the same cores; takes last {TAKE_SECONDS} s. The "
             f"followers read the stream of changes while {TAPS_PER_SECOND} taps a second arrive for {SECONDS} s."]
    text = "\n".join([summary("tap to another browser", tapped), summary("Stop to the cover", stopped),
                      summary("tap to the followers", reached),
                      summary("clips apart in the first half second", apart),
                      summary("clips apart after a second", later),
                      f"- {len(reached)} of {expected} messages arrived at the followers"])
    yield Section("A served board", notes, claims, text=text)
