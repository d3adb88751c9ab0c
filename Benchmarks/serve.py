#!/usr/bin/env python3
"""Measures `clipcanvas board serve`: from a tap to other pages, from Stop to the cover, many followers, and memory.

    Benchmarks/serve.py [CLIPCANVAS]

The pages are Chromium's, driven by Selenium; the many followers only read the stream of changes. Needs what
`make setup-browser` installs.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import select
import socket
import statistics
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Tests/Browser"))

from board_site import Server, Window

NUMBER = re.compile(rb"\nid: [0-9a-z]+-([0-9]+)\n")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", nargs="?", default=".build/release/clipcanvas")
    parser.add_argument("--taps", type=int, default=200)
    parser.add_argument("--followers", type=int, default=200)
    parser.add_argument("--rate", type=int, default=50, help="taps in a second while there are many followers")
    parser.add_argument("--seconds", type=int, default=10, help="how long they go on")
    return parser.parse_args()


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
        self.headers = {"X-ClipCanvas-Token": token, "Origin": server.origin,
                        "Content-Type": "application/json"}

    def tap(self, canvas):
        body = json.dumps({"event": "tap", "canvas": canvas})
        self.connection.request("POST", "/events", body, self.headers)
        answer = self.connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status

    def follow(self):
        """Returns a socket that receives the changes."""
        stream = socket.create_connection((self.place.hostname, self.place.port))
        stream.sendall(f"GET /changes HTTP/1.1\r\nHost: {self.place.netloc}\r\nCookie: {self.cookie}\r\n\r\n".encode())
        return stream


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def line(name, times, unit=1000):
    print(f"{name}: median {statistics.median(times) * unit:.1f} ms, 99 % {percentile(times, 0.99) * unit:.1f} ms, "
          f"at most {max(times) * unit:.1f} ms, of {len(times)}")


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
        while not self.is_over:
            for number, _ in self.poll.poll(0.2):
                data = self.rests.get(number, b"") + self.streams[number].recv(1 << 18)
                now = time.perf_counter()
                for found in NUMBER.finditer(data):
                    change = int(found[1])
                    if 0 < change <= len(self.sent):
                        self.delays.append(now - self.sent[change - 1])
                # What may be the beginning of the next number.
                self.rests[number] = data[-40:] if not data.endswith(b"\n\n") else b""


def many(program, folder, options):
    server = Server(program, folder / "many.json", "4x4")
    client = Client(server)
    followers = Followers(client, options.followers)
    time.sleep(2)
    followers.thread.start()
    start = time.perf_counter()
    for tap in range(options.rate * options.seconds):
        time.sleep(max(0, start + tap / options.rate - time.perf_counter()))
        followers.sent.append(time.perf_counter())
        client.tap(f"c{tap % 16 + 1}")
    time.sleep(2)
    followers.is_over = True
    followers.thread.join()
    line(f"tap to {options.followers} followers, {options.rate} taps a second", followers.delays)
    print(f"  of {options.followers * len(followers.sent)} messages, {len(followers.delays)} arrived")
    memory(server, f"with {options.followers} followers")
    server.end()


def memory(server, situation):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    size = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
    print(f"memory {situation}: {size:.1f} MiB")


def pages(program, folder, options):
    server = Server(program, folder / "board.json", "4x4")
    one, other = (Window(server, folder / f"profile-{name}") for name in ("one", "other"))
    try:
        for window in (one, other):
            window.enter()
        memory(server, "with two pages")
        other.run("window.drawn = {};"
                  "new MutationObserver(() => { drawn[document.documentElement.dataset.revision] ??= Date.now() })"
                  ".observe(document.documentElement, {attributeFilter: ['data-revision']})")
        taps(one, other, options.taps)
        stops(one)
    finally:
        for window in (one, other):
            window.browser.quit()
        server.end()


def taps(one, other, count):
    """From a tap in one browser to the drawing in another, both on this machine's clock."""
    script = """
      const [canvas, done] = arguments;
      const start = Date.now(), before = document.documentElement.dataset.revision;
      document.querySelector(`[data-canvas=${canvas}] .tap`).click();
      const wait = () => document.documentElement.dataset.revision === before ? setTimeout(wait, 1)
        : done([start, document.documentElement.dataset.revision]);
      wait();
    """
    starts = []
    # Taps on one canvas: no camera can be left waiting when its preview has moved on.
    for _ in range(count):
        starts.append(one.browser.execute_async_script(script, "c1"))
        time.sleep(0.05)
    time.sleep(1)
    drawn = other.run("return drawn")
    line("tap in one browser to the screen of another", [(drawn[revision] - start) / 1000 for start, revision in starts])


def stops(window, count=12):
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
    times = []
    for number in range(count):
        canvas = f"c{number + 1}"
        window.tap(canvas)
        window.wait(lambda: window.camera_width(canvas))
        window.press("record")
        window.until_shows(canvas, "live")
        time.sleep(3)
        times.append(window.browser.execute_async_script(script, canvas) / 1000)
    line("Stop to the cover on the screen, takes of 3 s", times)


def main():
    options = arguments()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        many(program, pathlib.Path(folder), options)
        pages(program, pathlib.Path(folder), options)


main()
