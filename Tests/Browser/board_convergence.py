"""A story of four sides that change one board at the same time, and must end with the same board."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import threading
import time

from selenium.common.exceptions import WebDriverException

from board_sides import CLICKS, CLIPS, COMMANDS, EVENTS, KEYS, Clicks, Commands, Events, Keys, steps
from board_site import Server, Window, check_policy
from gallery_site import FIXTURES, PATIENCE, check, draw
from live_board import COLOURS, LiveBoard

# For this long, nothing has changed when all sides are compared, in seconds.
QUIET = 0.7


def amount():
    """Returns the number of events and of times that the sides are compared: few, or many in `make torture`."""
    if "CLIPCANVAS_TORTURE" not in os.environ:
        return 60, 5
    events = int(os.environ.get("TORTURE_STEPS", 1000))
    return events, max(1, events // 40)


def expected(document):
    """Returns what all sides should show of a board, from its file alone."""
    session, take = document["session"], document.get("take")
    focus = next((canvas["id"] for canvas in document["canvases"] if canvas["isSelected"]), None)
    return {"revision": document["revision"], "session": session, "focus": focus,
            "isInterrupted": bool(take and take.get("interrupted")),
            "canvases": [expected_canvas(canvas, session, canvas["id"] == focus) for canvas in document["canvases"]]}


def expected_canvas(canvas, session, has_focus):
    at_rest = {"none": "plus", "pending": "coverPending", "ready": "cover", "failed": "coverMissing"}
    in_use = {"previewing": "preview", "recording": "live", "paused": "take", "finalizing": "take"}
    shows = at_rest[canvas["cover"]["state"]]
    if has_focus and session in in_use:
        shows = in_use[session]
    elif session == "recording" and "clip" in canvas:
        shows = "playing"
    clip = canvas.get("clip")
    name = pathlib.PurePath(clip["path"]).name if clip else None
    picture = None
    if shows in ("cover", "playing") and canvas["cover"]["state"] == "ready":
        picture = name.split(".")[0] if name.split(".")[0] in COLOURS else "another"
    return {"id": canvas["id"], "shows": shows, "selected": canvas["isSelected"], "status": canvas["status"],
            "cover": canvas["cover"]["state"], "clip": name, "generation": clip["generation"] if clip else None,
            "picture": picture, "region": [canvas["region"][side] for side in ("x", "y", "width", "height")]}


def only(canvas, *keys):
    return {key: canvas[key] for key in keys}


def window_difference(window, board):
    """Returns what a window should show and what it does show; None if both are the same."""
    wanted = {"revision": str(board["revision"]), "canvases": [
        only(canvas, "id", "shows", "selected", "status", "cover", "clip", "region")
        | {"name": canvas["id"], "order": number, "generation": canvas["generation"] if canvas["picture"] else None}
        for number, canvas in enumerate(board["canvases"])]}
    found = window.run("""
        return {
          revision: document.documentElement.dataset.revision,
          canvases: Array.from(document.querySelectorAll("#board > .canvas"), (element) => {
            const cover = element.querySelector(".cover");
            // In preview, each window shows its camera, or the clip over its cover.
            const isSeen = element.dataset.shows !== "preview" && !cover.hidden && cover.complete
              && cover.naturalWidth > 0;
            return {
              id: element.dataset.canvas, shows: element.dataset.shows, selected: element.dataset.selected === "true",
              status: element.dataset.status, cover: element.dataset.cover,
              clip: element.querySelector(".clip-name").dataset.file || null,
              region: ["x", "y", "width", "height"].map((side) => Number(element.style.getPropertyValue(`--${side}`))),
              name: element.querySelector(".name").textContent, order: Number(element.style.order),
              generation: isSeen ? Number(new URL(cover.src).pathname.split("/").at(-1)) : null,
            };
          }),
        };""")
    if found == wanted:
        canvases = [canvas for canvas in board["canvases"] if canvas["shows"] != "preview"]
        colours = {canvas["id"]: window.cover_colour(canvas["id"]) for canvas in canvases}
        wanted = {canvas["id"]: canvas["picture"] for canvas in canvases}
        found = {name: seen if seen in COLOURS or seen is None else "another" for name, seen in colours.items()}
    return difference(wanted, found)


def live_difference(live, board):
    """Returns the same of the live board, which has the canvases at their places."""
    canvases = board["canvases"]
    if len({tuple(canvas["region"][:2]) for canvas in canvases}) == len(canvases):
        canvases = sorted(canvases, key=lambda canvas: (round(canvas["region"][1], 4), canvas["region"][0]))
    wanted = only(board, "revision", "session", "focus") | {"count": len(canvases), "canvases": [
        only(canvas, "id", "shows", "selected", "clip", "picture") for canvas in canvases]}
    return difference(wanted, live.shown())


def command_difference(program, file, board):
    """Returns the same of `board show`."""
    shown = json.loads(subprocess.run([program, "board", "show", "--json", "--board", str(file)], check=True,
                                      stdout=subprocess.PIPE).stdout)
    found = only(shown, "revision", "session", "focus") | {"canvases": [
        only(canvas, "id", "shows", "status", "cover", "generation")
        | {"selected": canvas["isSelected"], "clip": canvas["clip"] and pathlib.PurePath(canvas["clip"]["path"]).name,
           "region": [canvas["region"][side] for side in ("x", "y", "width", "height")]}
        for canvas in shown["canvases"]]}
    wanted = only(board, "revision", "session", "focus") | {"canvases": [
        only(canvas, "id", "shows", "status", "cover", "generation", "selected", "clip", "region")
        for canvas in board["canvases"]]}
    return difference(wanted, found)


def difference(wanted, found):
    """Returns the members that differ; for canvases, those that do."""
    if wanted == found:
        return None
    parts = [f"{key}: {found.get(key)!r} instead of {value!r}" for key, value in wanted.items()
             if key != "canvases" and found.get(key) != value]
    here, there = wanted.get("canvases", []), found.get("canvases", [])
    if len(here) != len(there):
        parts.append(f"{len(there)} canvases instead of {len(here)}")
    parts += [f"{seen} instead of {canvas}" for canvas, seen in zip(here, there) if canvas != seen]
    return "; ".join(parts)


class Board:
    """The four sides of a board, and what was ever logged of it."""

    def __init__(self, program, folder):
        self.program, self.folder, self.file = program, folder, folder / "board.json"
        self.answers, self.log, self.seen = [], {}, set()
        self.server = Server(program, self.file, "2x2")
        self.first = Window(self.server, folder / "profile-1")
        self.second = Window(self.server, folder / "profile-2", width=1000, height=700)
        self.live = LiveBoard(program, self.file, folder)
        self.sides = {"clicks": Clicks(self.first), "events": Events(self.second, self.answers),
                      "live": Keys(self.live, folder), "commands": Commands(program, self.file, self.answers)}

    def end(self):
        for end in (self.first.browser.quit, self.second.browser.quit, self.live.end, self.server.end):
            end()

    def document(self):
        return json.loads(self.file.read_bytes())

    def do(self, plan):
        """Lets all sides do their steps at the same time."""
        problems = []

        def work(side, steps):
            try:
                for action, *words in steps:
                    getattr(self.sides[side], action)(*words)
            except (WebDriverException, OSError, subprocess.SubprocessError, ValueError, AssertionError) as error:
                problems.append(f"{side}, {action} {words}: {error}")

        workers = [threading.Thread(target=work, args=entry) for entry in plan.items()]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return problems

    def differences(self):
        """Returns what the sides show other than the file, once nothing changes any more."""
        end, found = time.monotonic() + PATIENCE, {}
        revision, since = None, 0
        while time.monotonic() < end:
            document = self.document()
            if document["revision"] != revision:
                revision, since = document["revision"], time.monotonic()
            if time.monotonic() - since < QUIET:
                time.sleep(0.05)
                continue
            board = expected(document)
            found = {"window one": window_difference(self.first, board),
                     "window two": window_difference(self.second, board),
                     "live": live_difference(self.live, board),
                     "command line": command_difference(self.program, self.file, board)}
            if not any(found.values()) and self.document()["revision"] == revision:
                self.seen |= {canvas["shows"] for canvas in board["canvases"]}
                return {}
        return {side: text for side, text in found.items() if text}

    def read_log(self):
        lines = subprocess.run([self.program, "board", "log", "--json", "--board", str(self.file)], check=True,
                               text=True, stdout=subprocess.PIPE).stdout.splitlines()
        for entry in map(json.loads, lines):
            self.log[entry["revision"]] = entry

    def lost(self):
        """Returns the revisions that are not in the log, and the accepted events that are not in theirs."""
        missing = [number for number in range(1, self.document()["revision"] + 1) if number not in self.log]
        changed = [(outcome["revision"], event) for event, outcome in self.answers if outcome["outcome"] == "changed"]
        return missing + [(number, event) for number, event in changed
                          if number not in self.log or event not in self.log[number].get("events", [])]


def agree(board, when):
    differences = board.differences()
    board.read_log()
    check(f"{when}, all four sides show what the file says", not differences, differences)
    return not differences


def convergence(program, folder):
    """Random events from four sides; in whatever order they arrive, all sides show the same board."""
    seed = int(os.environ.get("TORTURE_SEED") or random.SystemRandom().randrange(1_000_000))
    events, rounds = amount()
    print(f"       {events} events; TORTURE_SEED={seed} repeats them", flush=True)
    for colour in COLOURS:
        draw(folder / f"{colour}.webm", (colour, "320x180", 25, 1))
    for name in CLIPS[2:]:
        shutil.copy(FIXTURES / name, folder / name)
    board = Board(program, folder)
    try:
        board.first.enter()
        board.second.enter()
        if each_side(board):
            at_random(board, random.Random(seed), events, rounds)
        board.first.picture(folder.parent / "convergence-1.png")
        board.second.picture(folder.parent / "convergence-2.png")
        (folder.parent / "convergence-live.txt").write_text(board.live.text())
        lost = board.lost()
        check("no revision and no accepted event is lost", not lost, lost)
        changed = sum(outcome["outcome"] == "changed" for _, outcome in board.answers)
        print(f"       {len(board.log)} revisions; {changed} of {len(board.answers)} answers were a change; compared: "
              f"{', '.join(sorted(board.seen))}")
        check_policy(board.first, board.second)
    finally:
        board.end()


def at_random(board, numbers, events, rounds):
    """Lets all sides do random steps at the same time, and compares them after each round."""
    choices = {"clicks": CLICKS, "events": EVENTS, "live": KEYS, "commands": COMMANDS}
    share = events // (len(choices) * rounds)
    for number in range(1, rounds + 1):
        plan = {side: steps(numbers, choices[side], share) for side in choices}
        problems = board.do(plan)
        check(f"round {number}: each side could do its part", not problems, problems)
        if not agree(board, f"after {len(choices) * share * number} events"):
            print(f"       the steps of this round: {json.dumps(plan)}")
            return


def each_side(board):
    """Each side makes changes that the others show, with all that a canvas can show; returns whether they did.

    Without this, sides that do nothing would agree as well.
    """
    clicks, events, live, commands = board.sides.values()
    for said, change in (
        ("a tap in window one", lambda: clicks.tap("c1")),
        ("an event of window two", lambda: events.send("moveCanvas", "c4", 0)),
        ("a clip from the live board", lambda: live.give(2, "red.webm")),
        ("a clip from a command", lambda: commands.run("clip", "import", "c3", "h264.mp4")),
        ("a clip in place of another", lambda: commands.run("clip", "import", "--replace", "c3", "lime.webm")),
        ("a clip without a cover", lambda: commands.run("clip", "import", "--no-check", "c4", "sound-only.m4a")),
        ("the start of a recording", lambda: commands.run("record", "start")),
        ("a pause from window two", lambda: events.press("p")),
        ("its end in window one", lambda: clicks.press("discard")),
        ("another order from the live board", lambda: live.press(1, ">")),
    ):
        before = board.document()["revision"]
        change()
        end = time.monotonic() + PATIENCE
        while (is_same := board.document()["revision"] == before) and time.monotonic() < end:
            time.sleep(0.02)
        check(f"{said} changes the board", not is_same)
        if is_same or not agree(board, f"after {said}"):
            return False
    missing = {"plus", "cover", "coverMissing", "preview", "live", "take", "playing"} - board.seen
    check("all that a canvas shows was compared", not missing, missing)
    return True


STORIES = {"convergence": convergence}
