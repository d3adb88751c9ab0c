"""Programs timed in turns by one clock, with the processor time of all that they start."""

import ctypes
import os
import shutil
import signal
import statistics
import tempfile
import time
from typing import Callable, NamedTuple

from programs import PROJECT

LONGEST_SECONDS = 900
PR_SET_CHILD_SUBREAPER = 36
NOT_INSTALLED = "not installed"


class Contestant(NamedTuple):
    """A program and what it is to do."""

    name: str
    command: list  # empty if it is not installed
    source: str = os.devnull  # what it reads
    environment: dict = {}  # beside what is set anyway
    before: Callable = lambda: None  # done before each run, and not timed
    after: Callable = lambda: ""  # what to tell of the last run
    statuses: tuple = (0,)  # with which it may end

    def shown(self):
        """The command as one types it in the project's folder."""
        words = [f"{name}={quoted(value)}" for name, value in self.environment.items()]
        words += [quoted(word) for word in self.command]
        return " ".join(words + ([f"< {quoted(self.source)}"] if self.source != os.devnull else []))


class Ended(NamedTuple):
    """How a run ended."""

    status: int
    seconds: float
    processor: float  # seconds, user and system, of the program and all that it started
    output: bytes
    messages: bytes


class Series(NamedTuple):
    """The runs of one contestant."""

    contestant: Contestant
    seconds: list
    processor: list
    problem: str  # why there are no runs; empty if there are
    told: str = ""  # what it said of its last run

    @property
    def name(self):
        return self.contestant.name

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def processor_median(self):
        return statistics.median(self.processor)

    @property
    def quartiles(self):
        """The first and the third."""
        if len(self.seconds) < 2:
            return self.seconds[0], self.seconds[0]
        first, _, third = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return first, third


def within(path):
    """A path as seen from the project's folder, in which everything runs."""
    return os.path.relpath(path, PROJECT)


def quoted(word):
    """A word as a shell takes it, without the path of this machine."""
    word = str(word).replace(f"{PROJECT}/", "")
    is_plain = all(letter.isalnum() or letter in "@%+=:,./-_{}" for letter in word)
    return word if word and is_plain else "'" + word.replace("'", "'\\''") + "'"


def adopt_orphans():
    """Makes what a child leaves behind a child of ours, so that its processor time is counted."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def start(command, source=os.devnull, output=os.devnull, messages=os.devnull, environment=None):
    """Starts a program in a process group of its own, and gives its number."""
    writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    return os.posix_spawn(
        shutil.which(command[0]) or command[0], command, {**os.environ, **(environment or {})}, setpgroup=0,
        file_actions=[(os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0),
                      (os.POSIX_SPAWN_OPEN, 1, output, writing, 0o600),
                      (os.POSIX_SPAWN_OPEN, 2, messages, writing, 0o600)])


def end(process):
    """Ends a program with all in its group."""
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:  # it has just ended by itself
        pass


def timed(command, source=os.devnull, environment=None):
    """Runs a program to its end. No other child may be there."""
    command = [str(word) for word in command]
    with tempfile.NamedTemporaryFile() as output, tempfile.NamedTemporaryFile() as messages:
        began = time.perf_counter()
        process = start(command, source, output.name, messages.name, environment)
        signal.signal(signal.SIGALRM, lambda number, frame: end(process))
        signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
        try:
            _, status, usage = os.wait4(process, 0)
        except KeyboardInterrupt:  # which only we have got
            end(process)
            raise
        seconds = time.perf_counter() - began
        processor = usage.ru_utime + usage.ru_stime + processor_of_orphans()
        signal.setitimer(signal.ITIMER_REAL, 0)
        return Ended(os.waitstatus_to_exitcode(status), seconds, processor, output.read(), messages.read())


def processor_of_orphans():
    """Waits for what the last program left behind."""
    processor = 0
    while True:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return processor
        processor += usage.ru_utime + usage.ru_stime


def failure(ended):
    """How a run ended that should have ended well, with the last that it said."""
    said = (ended.messages.strip() or ended.output.strip()).decode(errors="replace").splitlines()[-1:]
    return ": ".join([f"ended with status {ended.status}", *said]).replace(f"{PROJECT}/", "")


def race(contestants, rounds):
    """Lets all take turns: a round to warm up, then those that count, each begun by the next one.

    So what else the machine does slows all of them, and none always follows the same other.
    """
    runs = {one.name: Series(one, [], [], "" if one.command else NOT_INSTALLED) for one in contestants}
    for number in range(-1, rounds):
        first = number % len(contestants)
        for one in contestants[first:] + contestants[:first]:
            series = runs[one.name]
            if series.problem:
                continue
            one.before()
            ended = timed(one.command, one.source, one.environment)
            if ended.status not in one.statuses:
                runs[one.name] = series._replace(problem=failure(ended))
            elif number >= 0:
                series.seconds.append(ended.seconds)
                series.processor.append(ended.processor)
                runs[one.name] = series._replace(told=one.after())
    return [runs[one.name] for one in contestants]
