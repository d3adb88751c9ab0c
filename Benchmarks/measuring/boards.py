"""Boards: one tap, many concurrent writers, and the delay of `watch`."""

import json
import os
import queue
import shutil
import statistics
import subprocess
import threading
import time

from programs import CLIPCANVAS, OURS

from measuring.clips import progress
from measuring.peers import built
from measuring.report import UNREPORTED, Claim, Section, bounded, compared, duration, limited
from measuring.timing import NOT_INSTALLED, Contestant, race, start, within

FEW, LARGE = 4, 1000
HISTORY = 100  # number of revisions that a board keeps
MOST_OF_FEW = 5
WRITERS = 64
MOST_DELAY = 0.020
A_LINE_COMES_WITHIN = 5


def ours(*words):
    """A command of clipcanvas."""
    return [within(CLIPCANVAS), *map(str, words)]


def call(*words):
    """Runs clipcanvas, and returns its output."""
    return subprocess.run(ours(*words), stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout


def board(work, name, canvases):
    """A board with a full history, in a new folder."""
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "board.json"
    call("board", "new", "--canvases", canvases, "--board", within(path))
    for _ in range(HISTORY):
        call("board", "tap", "c2", "--board", within(path))
    return path


def tap(path):
    """The command for a tap."""
    return ours("board", "tap", "c2", "--board", within(path))


def revision(path):
    """A board's revision."""
    return json.loads(path.read_text(encoding="utf-8"))["revision"]


def taskwarrior(work, name):
    """A new task list: the command that adds a task, and its environment."""
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "taskrc").write_text("confirmation=off\n", encoding="utf-8")
    environment = {"TASKRC": within(folder / "taskrc"), "TASKDATA": within(folder)}
    return ["task", "add", "tap"] if shutil.which("task") else [], environment


def taps(bench):
    """One change, which is on the disk when the program ends."""
    progress("one tap")
    few, large = board(bench.work, "few", FEW), board(bench.work, "large", LARGE)
    copied = bench.work / "bare-board" / "board.json"
    shutil.rmtree(copied.parent, ignore_errors=True)
    copied.parent.mkdir()
    shutil.copy(few, copied)
    task, environment = taskwarrior(bench.work, "tasks")
    series = race([
        Contestant(f"tap, {FEW} canvases", tap(few)),
        Contestant(f"tap, {LARGE} canvases", tap(large)),
        Contestant("task add", task, environment=environment),
        Contestant("bare commit in C", [*built("commit_bound"), within(copied)]),
        Contestant("start of clipcanvas", ours("--help")),
        Contestant("nothing (`true`)", ["true"]),
    ], bench.rounds * 20)
    on_few, on_large, task_add, commit, starting, nothing = series
    claims = [
        compared(f"tap, {FEW} canvases", on_few, task_add, 1),
        bounded(f"tap, {FEW} canvases", on_few, commit),
        bounded(f"tap, {LARGE} canvases", on_large, on_few, MOST_OF_FEW),
        bounded("start", starting, nothing),
    ]
    notes = [f"Boards with {HISTORY} revisions of history. A tap syncs the file and the folder before it ends, and so "
             "does the bare commit; `task add` syncs nothing."]
    yield Section("One tap", notes, claims, series)


def writers(bench):
    """Many programs that change one board concurrently."""
    progress("many writers")
    path = board(bench.work, "written", FEW)
    task, environment = taskwarrior(bench.work, "tasks-at-once")
    ran = {OURS: [], "task add": []}
    arrived = {OURS: 0, "task add": 0}
    for _ in range(bench.rounds):
        before = revision(path)
        ran[OURS].append(at_once(tap(path)))
        arrived[OURS] += revision(path) - before
        if task:
            before = tasks_in(environment)
            ran["task add"].append(at_once(task, environment))
            arrived["task add"] += tasks_in(environment) - before
    expected = WRITERS * bench.rounds
    notes = [f"{WRITERS} programs started in quick succession on the same {FEW} canvases, or on the same task list. "
             "Times are from the first start to the last end; those of the runs are in ms."]
    text = "\n".join(f"- {name}: median {duration(statistics.median(taken))}, minimum {duration(min(taken))}; "
                     f"{arrived[name]} of {expected} changes were saved. Runs: "
                     + " ".join(f"{each * 1000:.0f}" for each in taken) if taken else f"- {name}: {NOT_INSTALLED}"
                     for name, taken in ran.items())
    yield Section(f"{WRITERS} writers at once", notes, claims_of(ran, arrived, expected), text=text)


def claims_of(ran, arrived, expected):
    """The claim about many writers."""
    mine, theirs = ran[OURS], ran["task add"]
    figure = f"{duration(statistics.median(mine))}, {arrived[OURS]} of {expected} saved"
    if not theirs:
        return [Claim(f"{WRITERS} writers", figure, "task add", NOT_INSTALLED, UNREPORTED)]
    ratio = statistics.median(theirs) / statistics.median(mine)
    reported = f"{duration(statistics.median(theirs))}, {arrived['task add']} of {expected} saved"
    return [Claim(f"{WRITERS} writers", figure, "task add", reported, f"{ratio:.2f}× as fast")]


def at_once(command, environment=None):
    """Starts many processes of a command at once, and returns the seconds until the last one has ended."""
    began = time.perf_counter()
    processes = [start(command, environment=environment) for _ in range(WRITERS)]
    for process in processes:
        os.waitpid(process, 0)
    return time.perf_counter() - began


def tasks_in(environment):
    """The number of tasks."""
    ended = subprocess.run(["task", "rc.verbose=nothing", "count"], env={**os.environ, **environment},
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return int(ended.stdout.strip() or 0)


class Watching:
    """A running `clipcanvas board watch`, and the times of its lines."""

    def __init__(self, path):
        command = ours("board", "watch", "--json", "--board", within(path))
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Records each line with its time."""
        for line in self.process.stdout:
            self.lines.put((time.perf_counter(), line))

    def next_line(self):
        """The next line and its time."""
        try:
            return self.lines.get(timeout=A_LINE_COMES_WITHIN)
        except queue.Empty:
            raise RuntimeError(f"watch printed no line within {A_LINE_COMES_WITHIN} s") from None

    def first_line_of(self, number):
        """The time of the first line of a revision."""
        while True:
            came, line = self.next_line()
            if json.loads(line).get("revision") == number:
                return came

    def end(self):
        """Terminates the process."""
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def watch_delay(bench):
    """The delay from a change to the line of `watch`."""
    progress("watch")
    path = board(bench.work, "watched", FEW)
    watching = Watching(path)
    since_start, since_end, since_rename = [], [], []
    try:
        watching.next_line()  # 'fresh'
        for _ in range(bench.rounds * 15):
            following = revision(path) + 1
            began = time.perf_counter()
            process = start(tap(path))
            os.waitpid(process, 0)
            ended = time.perf_counter()
            came = watching.first_line_of(following)
            since_start.append(came - began)
            since_end.append(came - ended)
            since_rename.append(renamed_delay(path, watching))
    finally:
        watching.end()
    claims = [limited("watch, from the rename to the line", statistics.median(since_rename), MOST_DELAY, duration),
              limited("watch, from the tap's start to the line", statistics.median(since_start), MOST_DELAY, duration)]
    notes = [f"{FEW} canvases with {HISTORY} revisions, {len(since_start)} changes by `clipcanvas board tap`, and as "
             "many made in a copy that was renamed over the board. A line printed before the end of the tap has a "
             "negative delay."]
    text = "\n".join(f"- {name}: median {reported(statistics.median(delays))}, minimum {reported(min(delays))}, maximum "
                     f"{reported(max(delays))}" for name, delays in [
                         ("from the rename", since_rename), ("from the tap's start", since_start),
                         ("from the tap's end", since_end)])
    yield Section("From a change to the line of watch", notes, claims, text=text)


def reported(delay):
    """A delay as text, with its sign."""
    return f"{delay * 1000:.2f} ms"


def renamed_delay(path, watching):
    """The delay of a change made by renaming a file, so that the time of the change is known exactly."""
    beside = path.parent.parent / "beside" / path.name
    beside.parent.mkdir(exist_ok=True)
    shutil.copy(path, beside)
    call("board", "tap", "c2", "--board", within(beside))
    following = revision(beside)
    began = time.perf_counter()
    os.replace(beside, path)
    return watching.first_line_of(following) - began
