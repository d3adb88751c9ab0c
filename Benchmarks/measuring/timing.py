"""Times programs in turns, including the CPU time of all processes that they start."""

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
    """A program and its task."""

    name: str
    command: list  # empty if it is not installed
    source: str = os.devnull  # standard input
    environment: dict = {}  # additional variables
    before: Callable = lambda: None  # called before each run, not timed
    after: Callable = lambda: ""  # returns a remark on the last run
    statuses: tuple = (0,)  # allowed exit statuses

    def shown(self):
        """The command as typed in the project folder."""
        words = [f"{name}={quoted(value)}" for name, value in self.environment.items()]
        words += [quoted(word) for word in self.command]
        return " ".join(words + ([f"< {quoted(self.source)}"] if self.source != os.devnull else []))


class Ended(NamedTuple):
    """How a run ended."""

    status: int
    seconds: float
    processor: float  # CPU seconds, user and system, of the program and all processes it started
    mebibytes: float  # the most memory of one process
    output: bytes
    messages: bytes


class Series(NamedTuple):
    """The runs of one contestant."""

    contestant: Contestant
    seconds: list
    processor: list
    mebibytes: list
    problem: str  # the reason why there are no runs; otherwise empty
    reported: str = ""  # the remark on the last run

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
    def memory_median(self):
        return statistics.median(self.mebibytes)

    @property
    def quartiles(self):
        """The first and the third quartile."""
        if len(self.seconds) < 2:
            return self.seconds[0], self.seconds[0]
        first, _, third = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return first, third


def within(path):
    """A path relative to the project folder, where all programs run."""
    return os.path.relpath(path, PROJECT)


def quoted(word):
    """A word quoted for the shell, with paths relative to the project folder."""
    word = str(word).replace(f"{PROJECT}/", "")
    is_plain = all(letter.isalnum() or letter in "@%+=:,./-_{}" for letter in word)
    return word if word and is_plain else "'" + word.replace("'", "'\\''") + "'"


def adopt_orphans():
    """Makes orphaned descendants children of this process, so that their CPU time is counted."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


def start(command, source=os.devnull, output=os.devnull, messages=os.devnull, environment=None):
    """Starts a program in a new process group, and returns its process ID."""
    writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    return os.posix_spawn(
        shutil.which(command[0]) or command[0], command, {**os.environ, **(environment or {})}, setpgroup=0,
        file_actions=[(os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0),
                      (os.POSIX_SPAWN_OPEN, 1, output, writing, 0o600),
                      (os.POSIX_SPAWN_OPEN, 2, messages, writing, 0o600)])


def end(process):
    """Kills a program and its process group."""
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:  # it has just ended
        pass


def timed(command, source=os.devnull, environment=None):
    """Runs a program and waits for its end. There must be no other child process."""
    command = [str(word) for word in command]
    with tempfile.NamedTemporaryFile() as output, tempfile.NamedTemporaryFile() as messages:
        began = time.perf_counter()
        process = start(command, source, output.name, messages.name, environment)
        signal.signal(signal.SIGALRM, lambda number, frame: end(process))
        signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS)
        try:
            _, status, usage = os.wait4(process, 0)
        except KeyboardInterrupt:  # received only by this process
            end(process)
            raise
        seconds = time.perf_counter() - began
        processor = usage.ru_utime + usage.ru_stime + processor_of_orphans()
        signal.setitimer(signal.ITIMER_REAL, 0)
        return Ended(os.waitstatus_to_exitcode(status), seconds, processor, usage.ru_maxrss / 1024,
                     output.read(), messages.read())


def processor_of_orphans():
    """Waits for the orphans of the last program, and returns their CPU seconds."""
    processor = 0
    while True:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return processor
        processor += usage.ru_utime + usage.ru_stime


def failure(ended):
    """The status of a failed run, with the last line of its output."""
    said = (ended.messages.strip() or ended.output.strip()).decode(errors="replace").splitlines()[-1:]
    return ": ".join([f"ended with status {ended.status}", *said]).replace(f"{PROJECT}/", "")


def race(contestants, rounds):
    """Runs the contestants in turns: a warm-up round, then the rounds that count, each starting with the next one.

    Other load on the machine slows all of them equally, and none always follows the same other one.
    """
    runs = {one.name: Series(one, [], [], [], "" if one.command else NOT_INSTALLED) for one in contestants}
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
                series.mebibytes.append(ended.mebibytes)
                runs[one.name] = series._replace(reported=one.after())
    return [runs[one.name] for one in contestants]
