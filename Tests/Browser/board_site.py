"""A served board, and browser windows with a camera that looks at it."""

import json
import os
import pathlib
import ssl
import subprocess
import urllib.request

from gallery_site import Page, check

# A camera and a microphone that Chromium makes itself, at half its usual frame rate, and opens without a question.
CAMERA = ("--use-fake-device-for-media-stream=fps=10", "--use-fake-ui-for-media-stream",
          "--autoplay-policy=no-user-gesture-required")
# How far the length of a clip and the time that the board counted may differ on a busy machine, in seconds: the browser
# starts and stops a little after the board. On a quiet one they differ by a frame.
TOLERANCE = 1.5
# Shared boards have certificates that no authority signed.
UNCHECKED = ssl._create_unverified_context()
NO_CAMERA = ("--deny-permission-prompts",)


class Server:
    """A running `clipcanvas board serve`."""

    def __init__(self, program, board, grid="2x1", options=(), environment=None, listen="127.0.0.1:0"):
        self.program, self.board, self.grid = program, pathlib.Path(board), grid
        self.options, self.environment = options, environment or {}
        if not self.board.exists():
            self.new_board()
        self.start(listen)

    def new_board(self):
        subprocess.run([self.program, "board", "new", "--grid", self.grid, "--board", str(self.board)], check=True,
                       stdout=subprocess.DEVNULL)

    def start(self, listen="127.0.0.1:0"):
        command = [self.program, "board", "serve", "--board", str(self.board), "--listen", listen, *self.options]
        # The tokens are kept beside the board, not in the user's home folder.
        state = {"XDG_STATE_HOME": str(self.board.absolute().parent / "state")}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                        env=os.environ | state | self.environment)
        line = self.process.stdout.readline()
        assert " at http" in line, f"the server printed {line!r}"
        self.address = line.rsplit(" at ", 1)[1].strip()
        self.origin = self.address.split("/?")[0]

    def restart(self):
        """Starts the server again at the same port."""
        self.start(self.origin.removeprefix("http://"))

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Window(Page):
    """A separate browser, with cookies and camera, that shows the board."""

    def __init__(self, server, profile, width=1280, height=800, more=CAMERA, program=None):
        super().__init__(profile, width, height, more, program)
        self.server = server

    def enter(self, address=None):
        """Opens the board by the address that the server printed."""
        self.browser.get(address or self.server.address)
        self.wait(lambda: self.revision is not None)

    def reload(self):
        """Loads the page again, and waits until it shows the board."""
        self.browser.refresh()
        self.wait(lambda: self.revision is not None)

    @property
    def revision(self):
        return self.run("return document.documentElement.dataset.revision ?? null")

    def shows(self, canvas):
        return self.run("return document.querySelector(`[data-canvas='${arguments[0]}']`)?.dataset.shows", canvas)

    def until_shows(self, canvas, *shown):
        found = self.wait(lambda: (now := self.shows(canvas)) in shown and now)
        return bool(found)

    def part(self, canvas, selector):
        return self.find(f"[data-canvas='{canvas}'] {selector}")

    def tap(self, canvas):
        self.part(canvas, ".tap").click()

    def until_usable(self, button):
        self.wait(lambda: self.run("const button = document.getElementById(arguments[0]);"
                                   "return !button.disabled && button.checkVisibility()", button))

    def press(self, button):
        """Presses a button of the controls once it works."""
        self.until_usable(button)
        self.find(f"#{button}").click()

    def discard(self):
        """Discards the recording, in one step: on a busy machine the page stops asking before a second press."""
        self.until_usable("discard")
        self.run("const button = document.getElementById('discard');"
                 "if (button.dataset.armed !== 'true') button.click(); button.click()")

    def camera_width(self, canvas):
        """Returns the width of the camera's picture in a canvas; 0 without one."""
        return self.run("const video = document.querySelector(`[data-canvas='${arguments[0]}'] .camera`);"
                        "return video.checkVisibility() && video.srcObject?.active ? video.videoWidth : 0", canvas)

    def choose(self, canvas, file):
        """Chooses a file for a canvas through its menu."""
        # The window of the system to choose a file cannot be driven.
        self.run("document.getElementById('file').click = () => {}")
        self.part(canvas, ".more").click()
        self.find("#menu [data-action=choose]").click()
        self.find("#file").send_keys(str(file))

    def cover_colour(self, canvas):
        """Returns the colour of a cover, "red" or "lime"; its numbers for another colour, and None without
        a cover."""
        return self.run("""
            const cover = document.querySelector(`[data-canvas='${arguments[0]}'] .cover`);
            if (!cover.checkVisibility() || !cover.complete || !cover.naturalWidth) return null;
            const canvas = new OffscreenCanvas(1, 1), context = canvas.getContext('2d');
            context.drawImage(cover, 0, 0, 1, 1);
            const [red, green] = context.getImageData(0, 0, 1, 1).data;
            return red > 200 && green < 60 ? 'red' : green > 200 && red < 60 ? 'lime' : `${red} ${green}`;""", canvas)

    @property
    def message(self):
        return self.find("#message").text

    def state(self):
        """Returns the board as the server has it."""
        return json.loads(self.fetch("/board"))

    def fetch(self, path):
        """Returns the bytes at an address of the server, in as many parts as it sends them."""
        cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in self.browser.get_cookies())
        whole, size = b"", None
        while size is None or len(whole) < size:
            headers = {"Cookie": cookies, "Range": f"bytes={len(whole)}-"} if path != "/board" else {"Cookie": cookies}
            request = urllib.request.Request(self.server.origin + path, headers=headers)
            with urllib.request.urlopen(request, context=UNCHECKED) as answer:
                whole += answer.read()
                size = int(answer.headers["Content-Range"].split("/")[1]) if answer.status == 206 else len(whole)
        return whole

    def clip(self, canvas, file):
        """Stores the clip of a canvas as a file; returns its duration by ffprobe."""
        clip = next(entry["clip"] for entry in self.state()["canvases"] if entry["id"] == canvas)
        file.write_bytes(self.fetch(f"/clips/{canvas}/{clip['generation']}"))
        return float(probe(file, "format=duration").strip() or "nan")

    def picture(self, file):
        self.browser.save_screenshot(str(file))


def probe(file, entries):
    """Returns what ffprobe finds in a file."""
    command = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0", str(file)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout


def check_policy(*windows):
    """Checks that the pages kept to the policy that the server sends."""
    violations = [violation for window in windows for violation in window.run("return window.violations") or []]
    check("the page violates no policy", not violations, violations)

