"""Stories of a served board whose disk is full, and of pages of others on the same machine."""

import http.server
import os
import pathlib
import tempfile
import threading
import time

from board_site import NO_CAMERA, TOLERANCE, Server, Window, check_policy
from board_stories import start_recording
from gallery_site import check, draw

# A page that tries to read and change the board, and records what came of each attempt.
STRANGER = """<!doctype html>
<title>stranger</title>
<iframe name="frame" src="{origin}/"></iframe>
<form id="form" method="post" action="{origin}/events" enctype="text/plain">
  <input name='{{"event":"tap","canvas":"c1","x":"' value='"}}'>
</form>
<script>
  window.results = {{}};
  const tell = (name) => (result) => {{ results[name] = String(result?.type ?? result); }};
  const element = (kind, name, address) => {{
    const made = document.createElement(kind);
    made.onload = made.onloadeddata = () => tell(name)("loaded");
    made.onerror = () => tell(name)("refused");
    made.src = address;
    document.body.append(made);
  }};
  element("img", "picture", "{origin}/covers/c1/{generation}");
  element("video", "clip", "{origin}/clips/c1/{generation}");
  element("script", "script", "{origin}/main.js");
  const event = JSON.stringify({{ event: "tap", canvas: "c1" }});
  for (const mode of ["cors", "no-cors"]) {{
    const change = {{ mode, credentials: "include", method: "POST", body: event }};
    fetch("{origin}/board", {{ mode, credentials: "include" }}).then(tell("read " + mode), tell("read " + mode));
    fetch("{origin}/events", change).then(tell("change " + mode), tell("change " + mode));
  }}
  new EventSource("{origin}/changes", {{ withCredentials: true }}).onerror = () => tell("stream")("refused");
</script>
"""


class StrangerSite(http.server.ThreadingHTTPServer):
    """Another server on this machine: for cookies, it is the same site."""

    def __init__(self, page):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server_port}"


def strangers(program, folder):
    """A page of another server on this machine, in the browser that has the cookie."""
    draw(folder / "red.webm", ("red", "320x180", 25, 1))
    server = Server(program, folder / "board.json")
    page = Window(server, folder / "profile-strangers", more=NO_CAMERA)
    try:
        page.enter()
        page.choose("c1", folder / "red.webm")
        page.until_shows("c1", "cover")
        generation = page.state()["canvases"][0]["clip"]["generation"]
        site = StrangerSite(STRANGER.format(origin=server.origin, generation=generation))
        before = server.board.read_bytes()
        board = page.browser.current_window_handle
        page.browser.switch_to.new_window("tab")
        page.browser.get(site.origin)
        names = ["picture", "clip", "script", "stream", "read cors", "change cors", "read no-cors", "change no-cors"]
        page.wait(lambda: len(page.run("return results")) == len(names))
        results = page.run("return results")
        for name in names:
            allowed = ["refused", "TypeError: Failed to fetch"]
            check(f"a page of another server: {name} is refused", results.get(name) in allowed, results.get(name))
        page.browser.switch_to.frame("frame")
        check("it cannot show the board in a frame", not page.run("return document.getElementById('board')"))
        page.browser.switch_to.default_content()
        page.run("document.getElementById('form').submit()")
        said = page.wait(lambda: (now := page.run("return document.body.innerText")) and "another page" in now and now)
        check("its form is refused", said, said)
        page.browser.close()
        page.browser.switch_to.window(board)
        check("nothing has changed", server.board.read_bytes() == before and page.shows("c1") == "cover")
        site.shutdown()
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def full_disk(program, folder):
    """The disk becomes full while a recording is made. The folder must be on a separate disk, of less than 100 MB."""
    server = Server(program, folder / "board.json")
    ballast = folder / "ballast"
    page = Window(server, pathlib.Path(tempfile.mkdtemp()) / "profile")
    try:
        page.enter()
        start_recording(page, "c1", 2)
        fill(ballast)
        said = page.wait(lambda: "disk" in (now := page.message) and now)
        check("the page says that the disk is full, and what waits", said.startswith("The disk is full: free some space; ")
              and "wait to be sent" in said and page.shows("c1") == "live", said)
        page.picture(folder.parent / "full-disk-1.png")
        arrived = part(folder)
        page.press("pause")
        check("the board can still be changed", page.until_shows("c1", "take"), page.message)
        check("what has arrived is kept", part(folder) >= arrived > 0, (arrived, part(folder)))
        time.sleep(8)
        check("the recorder is still there", not page.state()["take"]["interruption"], page.state()["take"])
        ballast.unlink()
        check("when there is room, the rest is sent", page.wait(lambda: "disk" not in page.message), page.message)
        page.press("resume")
        page.until_shows("c1", "live")
        time.sleep(1)
        fill(ballast)
        page.press("stop")
        said = page.wait(lambda: "disk" in (now := page.message + page.part("c1", ".note-text").text) and now)
        check("Stop on a full disk says why there is no clip yet", said, page.message)
        # Since Stop, nothing is counted any more.
        length = page.state()["take"]["seconds"]
        page.picture(folder.parent / "full-disk-2.png")
        ballast.unlink()
        check("and makes it when there is room", page.until_shows("c1", "cover"), page.message)
        found = page.clip("c1", folder.parent / "full-disk-clip")
        check("nothing of it is lost", abs(found - length) <= TOLERANCE, (found, length))
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def fill(ballast, rest=1 << 20):
    """Fills the disk except for some bytes."""
    room = os.statvfs(ballast.parent)
    with open(ballast, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, room.f_bavail * room.f_frsize - rest)


def part(folder):
    """Returns how much has arrived of the only recording."""
    return sum(file.stat().st_size for file in (folder / ".board.json.uploads").iterdir())


STORIES = {"strangers": strangers}
# Needs a folder on a small disk, so it is not run with the others.
DISK_STORIES = {"full-disk": full_disk}
