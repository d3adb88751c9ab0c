"""Runs the built tests with one mutant active, until the first failure."""

import os
import re
import resource
import shutil
import signal
import subprocess
import time
from typing import NamedTuple

from modules import PROJECT
from switches import RECORD
from tree import ACTIVE, REACHED, TREE, WORK

OUTPUT = WORK / "tests.log"
SCRATCH = WORK / "scratch"
ISSUE = re.compile(r"^\S+ (Test .*? recorded an issue.*)$", re.MULTILINE)
WIDTH = ["--experimental-maximum-parallelization-width", "4"]
ENDED = "the tests ended with status {}"
# The status as a shell reports it, and as Python reports it without a shell in between.
TERMINATED = {ENDED.format(128 + signal.SIGTERM), ENDED.format(-signal.SIGTERM)}
MOST_MEMORY = 8 << 30
# A run counts as hung if it takes longer than SLOWER times the run without a mutant plus LONGER seconds. Both are
# generous, because the machine may be busy.
SLOWER, LONGER = 4, 30
LONGEST_RUN = 900


class Verdict(NamedTuple):
    """The result of a run."""

    problem: str  # empty if all passed
    seconds: float


def bundle():
    """The path of the test executable."""
    return str(next((TREE / ".build/debug").glob("*.xctest")))


def suites():
    """The names of all suites, as `Target.Suite`."""
    listing = subprocess.run([bundle(), "--testing-library", "swift-testing", "--list-tests"], cwd=TREE,
                          capture_output=True, text=True, check=True).stdout
    return sorted({name.split("/")[0] for name in listing.split("\n") if "." in name and "/" in name})


def isolation():
    """A command prefix that runs tests in a PID namespace with a private /tmp.

    Every process that a test starts ends with the namespace, even a daemon. Where the system does not allow this, the
    prefix is empty, and a process that leaves the process group survives.
    """
    unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if str(PROJECT).startswith("/tmp/") or not shutil.which("unshare"):
        return []
    try_it = subprocess.run([*unshare, "mount", "--bind", "/tmp", "/tmp"], capture_output=True, check=False)
    if try_it.returncode != 0:
        return []
    # The shell keeps running to reap processes whose parents have ended.
    return [*unshare, "sh", "-c", 'mount --bind "$0" /tmp && "$@"; exit $?', str(SCRATCH)]


def run(suites_to_run, mutant=0, seconds=LONGEST_RUN, prefix=(), to_the_end=False):
    """Runs suites or test targets with a mutant (0: none), by default only until the first failure.

    SIGTERM is sent from outside and says nothing about the mutant, so a run that it ended is repeated.
    """
    while True:
        trial = attempt(suites_to_run, mutant, seconds, prefix, to_the_end)
        if trial.problem not in TERMINATED:
            return trial
        print(f"{', '.join(suites_to_run)} was ended by SIGTERM; running it again", flush=True)


def attempt(suites_to_run, mutant, seconds, prefix, to_the_end):
    """Runs the suites once."""
    ACTIVE.write_text(str(mutant), encoding="ascii")
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir()
    SCRATCH.chmod(0o1777)
    pattern = "|".join(name + (r"\." if "." not in name else "/") for name in suites_to_run)
    command = [*prefix, bundle(), "--testing-library", "swift-testing", *WIDTH, "--filter", f"^({pattern})"]
    began = time.monotonic()
    with OUTPUT.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   start_new_session=True, preexec_fn=prepare)
    try:
        problem = watch(process, began + seconds, to_the_end)
    finally:
        end(process)
    return Verdict(problem, time.monotonic() - began)


def prepare():
    """Limits the resources that a mutant can use, and resets signals that nohup or a background job ignores."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    # Not the address space: browsers reserve much more of it than they use.
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def watch(process, deadline, to_the_end):
    """Waits for the end or the first failure, and returns the problem, if any."""
    pause = 0.02
    while True:
        status = process.poll()
        text = OUTPUT.read_text(encoding="utf-8", errors="replace")
        issue = ISSUE.search(text)
        if issue and (status is not None or not to_the_end):
            return issue.group(1)[:300]
        if status is not None:
            if status == 0 and "Test run with 0 tests" not in text and "Test run with" in text:
                return ""
            return ENDED.format(status)
        if time.monotonic() > deadline:
            return "the tests did not end"
        time.sleep(pause)
        pause = min(pause * 1.5, 0.5)


def end(process):
    """Kills the whole process group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def reach(suite, count, prefix):
    """Runs a suite without a mutant. Returns the result, and the numbers of the mutants that it executes.

    To record these, each program opens a file, which a test that traces system calls may reject. So the suite runs
    again if it fails.
    """
    REACHED.write_bytes(bytes(count + 1))
    REACHED.chmod(0o666)  # tests run programs as other users, too
    try:
        trial = run([suite], RECORD, prefix=prefix, to_the_end=True)
        numbers = {number for number, mark in enumerate(REACHED.read_bytes()) if mark}
        return run([suite], prefix=prefix) if trial.problem else trial, numbers
    finally:
        REACHED.unlink()
