#!/usr/bin/env python3
"""Changes operators and constants in a copy of the sources, one at a time, and checks that a test fails.

    mutants.py [--count N] [--seed N] [--only WHAT] [--continue] [--list]

--count N    how many mutants (200)
--seed N     the random seed; the same seed chooses the same mutants of the same sources (1)
--only WHAT  only mutants of a module (`Covers`), a file (`PNGHead.swift`) or a line (`PNGHead.swift:53`), or with
             `survivors` those that survived the last run
--continue   do not test again what the last run killed; it may have been interrupted, or tests may have been added
--list       print the mutants and run no tests

The copy is .build/mutants/tree. It is built once, with every mutant compiled in; its programs read the number of the
active one from a file when they start. A mutant runs the suites that execute the mutated code: first its module's own
tests, then those of the code that uses the module, and of both the quick ones first. The exit status is 1 if a mutant
survived.
"""

import argparse
import fcntl
import os
import random
import signal
import sys

sys.dont_write_bytecode = True

import equivalents
import trials
from modules import PROJECT, TESTS, places_of, suites_for
from report import Fate, earlier_fates, keep, progress, survivors, table
from tree import WORK, build


def arguments():
    """The command-line options."""
    parser = argparse.ArgumentParser(description="Checks that the tests notice changed operators and constants.")
    parser.add_argument("--count", type=int, default=200, metavar="N", help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the random seed (1)")
    parser.add_argument("--only", default="", metavar="WHAT",
                        help="a module, a file, a line as PNGHead.swift:53, or survivors")
    parser.add_argument("--continue", action="store_true", dest="continues",
                        help="do not test again what the last run killed")
    parser.add_argument("--list", action="store_true", help="print the mutants and run no tests")
    return parser.parse_args()


def wanted(places, only):
    """The places that match `--only`."""
    if only == "survivors":
        return [fate.place for fate in earlier_fates(places) if fate.what == "survived"]
    return [place for place in places if not only or only == place.module
            or f"/{place.file}".endswith(f"/{only}") or f"/{place.file}:{place.number}".endswith(f"/{only}")]


def choice(places, count, seed):
    """The same number of mutants from each module, and the remainder from any."""
    chosen = []
    modules = [module for module in TESTS if any(place.module == module for place in places)]
    for module in modules:
        own = [place for place in places if place.module == module]
        # The module is part of the seed, so that `--only` does not change the choice within a module.
        chosen += random.Random(f"{seed} {module}").sample(own, min(len(own), count // len(modules)))
    taken = set(chosen)
    rest = [place for place in places if place not in taken]
    chosen += random.Random(seed).sample(rest, min(len(rest), count - len(chosen)))
    return sorted(chosen, key=lambda place: (list(TESTS).index(place.module), place.file, place.at))


# A suite that takes longer is run after those that do not: most mutants are killed by one of these.
QUICK_SECONDS = 5


class Tests:
    """The suites, how long each takes without a mutant, and which mutants each executes."""

    def __init__(self, mutants):
        self.names = trials.suites()
        self.prefix = trials.isolation()
        self.most = max(mutants)
        self.known = {}

    def baseline(self, suite):
        """The seconds that a suite takes without a mutant, and the mutants it executes. Runs it the first time.

        A suite that fails here, as some browsers do with limited memory, is left out.
        """
        if suite not in self.known:
            trial, reached = trials.reach(suite, self.most, self.prefix)
            if trial.problem:
                print(f"left out: {suite} fails without a mutant: {trial.problem}", flush=True)
            self.known[suite] = trial.seconds, set() if trial.problem else reached
        return self.known[suite]

    def groups(self, number, place):
        """The suites that execute a mutant, in groups: its module's before others, and of each the quick ones first."""
        for suites in suites_for(place.module, self.names):
            reaching = [suite for suite in suites if number in self.baseline(suite)[1]]
            quick = [suite for suite in reaching if self.baseline(suite)[0] <= QUICK_SECONDS]
            yield from filter(None, (quick, [suite for suite in reaching if suite not in quick]))

    def fate(self, number, place):
        """Runs the tests that execute a mutant, until one fails: the quick ones of its module first."""
        passed, spent = 0, 0
        for chosen in self.groups(number, place):
            seconds = sum(self.baseline(suite)[0] for suite in chosen)
            trial = trials.run(chosen, number, seconds * trials.SLOWER + trials.LONGER, self.prefix)
            spent += trial.seconds
            if trial.problem:
                by = chosen[0] if len(chosen) == 1 else f"one of {len(chosen)} suites"
                return Fate(place, "killed", trial.problem, by, spent)
            passed += len(chosen)
        return Fate(place, "survived", f"{passed} suites passed" if passed else "no test executes it", "", spent)


def tried(mutants, fates):
    """Builds and tests the mutants, and appends the outcomes."""
    mutants, dropped = build(mutants, os.environ.get("SWIFT", "swift"))
    fates += [Fate(place, "not compiled", error) for place, error in dropped.items()]
    tests = Tests(mutants)
    for number, place in mutants.items():
        fates.append(tests.fate(number, place))
        print(f"{len(fates):4} {progress(fates[-1])}", flush=True)
        keep(fates)


def locked():
    """Locks .build/mutants, which only one run at a time can use, and returns the open lock file."""
    WORK.mkdir(parents=True, exist_ok=True)
    lock = (WORK / "lock").open("w", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("mutants: another run uses .build/mutants; wait until it has finished")
    return lock


def main():
    options = arguments()
    os.chdir(PROJECT)
    places = [place for module in TESTS for place in places_of(module)]
    candidates = wanted(places, options.only)
    if not candidates:
        sys.exit(f"mutants: {options.only}: nothing to mutate")
    chosen = choice(candidates, options.count, options.seed)
    if options.list:
        print("\n".join(map(str, chosen)))
        return
    lock = locked()
    listed = equivalents.listed(places)
    fates = [Fate(place, "equivalent") for place in chosen if place in listed]
    if options.continues:
        fates += [one for one in earlier_fates(places) if one.what == "killed" and one.place in chosen
                  and one.place not in listed]
    decided = {fate.place for fate in fates}
    mutants = dict(enumerate((place for place in chosen if place not in decided), start=1))
    print(f"{len(chosen)} mutants of {len(candidates)} places; seed {options.seed}", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    status = 0
    try:
        if mutants:
            tried(mutants, fates)
    except KeyboardInterrupt:
        print("interrupted; the results until now:", flush=True)
        status = 130
    print(f"\n{table(fates)}")
    missed = survivors(fates)
    if missed:
        print(f"\nsurvivors:\n{missed}")
    lock.close()
    sys.exit(status or (1 if missed else 0))


if __name__ == "__main__":
    main()
