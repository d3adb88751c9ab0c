"""A board with very many takes: its commands, and the list on its page."""

import importlib.util
import json
import os
import shutil
import statistics
import sys
import time

from programs import CLIPCANVAS, PROJECT

from measuring.boards import call, ours
from measuring.clips import FIXTURES, progress
from measuring.folders import emptied, grouped
from measuring.report import UNREPORTED, Claim, Section, duration
from measuring.serving import Client
from measuring.timing import NOT_INSTALLED, Contestant, race, within

sys.path.insert(0, str(PROJECT / "Tests/Browser"))

TAKES, QUICK_TAKES = 10_000, 100
# The page lists as many until older ones are asked for.
LISTED = 100
OPENED = 5
SERVER = CLIPCANVAS.parent.parent / "libexec/clipcanvas/clipcanvas-serve"


def board_of(folder, count):
    """A board whose first canvas has so many takes, each with a file and a cover; as many files are left over.

    The board is made by clipcanvas with one take, and the others are variations of that.
    """
    emptied(folder)
    path, clips = folder / "board.json", folder / "board.clips"
    clips.mkdir()
    call("board", "new", "--board", within(path))
    for name, more in (("first.mp4", []), ("second.mp4", ["--replace"])):
        shutil.copy(FIXTURES / "h264.mp4", clips / name)
        call("board", "clip", "import", "c1", *more, within(clips / name), "--board", within(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    (one,) = document["takes"]
    generation = document["canvases"][0]["clip"]["generation"]
    cover = folder / one["cover"]["path"]
    takes = []
    for number in range(generation + 1, generation + count):
        file, picture = clips / f"{number}.mp4", cover.with_name(f"c1-{number}.png")
        file.write_bytes(b"clip")
        shutil.copy(cover, picture)
        (clips / f"left-{number}.mp4").write_bytes(b"clip")
        clip = one["clip"] | {"path": os.path.relpath(file, folder), "generation": number, "bytes": 4,
                              "mtimeNanoseconds": file.stat().st_mtime_ns}
        takes.append(one | {"clip": clip, "cover": one["cover"] | {"path": os.path.relpath(picture, folder)}})
    # The board of the program must be later than its last generation.
    document |= {"takes": document["takes"] + takes, "revision": generation + count, "history": []}
    path.write_text(json.dumps(document), encoding="utf-8")
    call("board", "check", "--board", within(path))
    return path


def loaded(client, rounds):
    """The times that the list of takes takes over HTTP, and its size in bytes."""
    times, size = [], 0
    for _ in range(rounds):
        began = time.perf_counter()
        client.connection.request("GET", "/canvases/c1/takes", headers={**client.headers, "Cookie": client.cookie})
        answer = client.connection.getresponse()
        size = len(answer.read())
        times.append(time.perf_counter() - began)
        if answer.status != 200:
            raise RuntimeError(f"the list of takes was answered with {answer.status}")
    return times, size


def opened(window, count, rounds):
    """The times from a click on "Takes" to the list on the screen."""
    script = """
      const [count, done] = arguments;
      document.querySelector("[data-canvas=c1] .more").click();
      const start = performance.now();
      document.querySelector("#menu [data-action=takes]").click();
      const dialog = document.getElementById("takes-dialog");
      const wait = () => {
        if (!dialog.open || dialog.querySelectorAll("li").length < count) return requestAnimationFrame(wait);
        requestAnimationFrame(() => setTimeout(() => {
          done(performance.now() - start);
          dialog.close();
        }));
      };
      wait();
    """
    times = []
    for _ in range(rounds):
        times.append(window.browser.execute_async_script(script, count) / 1000)
        time.sleep(0.5)
    return times


def on_page(path, count, rounds):
    """The times over HTTP, the size of the list, and the times in Chromium, if it is installed."""
    from board_site import Server, Window  # needs Selenium
    server = Server(str(CLIPCANVAS), path)
    try:
        times, size = loaded(Client(server), rounds)
        if not shutil.which("chromium"):
            return times, size, []
        window = Window(server, path.parent / "profile-takes")
        try:
            window.enter()
            return times, size, opened(window, min(count, LISTED), min(rounds, OPENED))
        finally:
            window.browser.quit()
    finally:
        server.end()


def figure(what, times):
    """A claim without a budget."""
    shown = duration(statistics.median(times)) if times else NOT_INSTALLED
    return Claim(what, shown, UNREPORTED, UNREPORTED, UNREPORTED)


def many_takes(bench):
    """The commands about takes, and their list on the page, with very many takes."""
    count = QUICK_TAKES if bench.is_quick else TAKES
    about = f"{grouped(count)} takes"
    progress(about)
    path = board_of(bench.work / "many-takes", count)
    words = ["--board", within(path)]
    series = race([Contestant("board takes", ours("board", "takes", *words)),
                   Contestant("board clean --dry-run", ours("board", "clean", "--dry-run", *words)),
                   Contestant("board show", ours("board", "show", *words))], bench.rounds)
    claims = [figure(f"{one.name}, {about}", one.seconds) for one in series if not one.problem]
    notes = [f"One canvas has {about}, each with a file and a cover; as many files are left over, which `clean` lists. "
             f"The board has {path.stat().st_size / 1e6:.1f} MB."]
    text = ""
    if SERVER.exists() and importlib.util.find_spec("selenium"):
        times, size, shown = on_page(path, count, bench.rounds)
        claims += [figure(f"list of {about} over HTTP", times), figure(f"list of {about} in Chromium", shown)]
        text = (f"- list over HTTP: {size / 1e6:.1f} MB, median {duration(statistics.median(times))}, at most "
                f"{duration(max(times))}, of {len(times)}")
        if shown:
            text += (f"\n- from a click to the list in Chromium: median {duration(statistics.median(shown))}, at most "
                     f"{duration(max(shown))}, of {len(shown)}")
    else:
        notes.append("The list on the page was not measured: it needs clipcanvas-serve and Selenium "
                     "('make setup-browser').")
    yield Section(f"A board with {about}", notes, claims, series, text)
