"""The outcomes of a run: progress lines, the table, the survivors."""

import json
from typing import NamedTuple

from modules import TESTS
from places import Place
from tree import WORK

RESULTS = WORK / "results.json"
HEADS = ["module", "mutants", "killed", "survived", "equivalent", "not compiled"]


class Fate(NamedTuple):
    """The outcome of one mutant."""

    place: Place
    what: str  # one of HEADS, from "killed" on
    why: str = ""
    suite: str = ""
    seconds: float = 0


def progress(fate):
    """The line printed when a mutant is done."""
    by = f" by {fate.suite}" if fate.what == "killed" else f": {fate.why}" if fate.why else ""
    return f"{fate.what:8} {fate.place.file}:{fate.place.number}: {fate.place.change}{by} ({fate.seconds:.0f} s)"


def table(fates):
    """The counts of each module and their sums."""
    rows = [[module, *numbers(fate for fate in fates if fate.place.module == module)] for module in TESTS]
    rows = [row for row in rows if row[1]] + [["all", *numbers(fates)]]
    widths = [max(len(str(row[column])) for row in [HEADS, *rows]) for column in range(len(HEADS))]
    return "\n".join("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip()
                     for row in [HEADS, *rows])


def numbers(fates):
    """The number of mutants, and of each outcome."""
    fates = list(fates)
    return [len(fates), *(sum(fate.what == head for fate in fates) for head in HEADS[2:])]


def survivors(fates):
    """The mutants that no test noticed, with the suites that passed."""
    return "\n".join(f"{fate.place}\n    {fate.why}" for fate in fates if fate.what == "survived")


def keep(fates):
    """Saves the outcomes for `earlier_fates`."""
    records = [{"key": fate.place.key, "what": fate.what, "why": fate.why, "suite": fate.suite,
                "seconds": round(fate.seconds, 1)} for fate in fates]
    RESULTS.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def earlier_fates(places):
    """The outcomes of the last run, for those of the places that it tested."""
    by_key = {place.key: place for place in places}
    records = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    return [Fate(by_key[tuple(one["key"])], one["what"], one["why"], one["suite"], one["seconds"])
            for one in records if tuple(one["key"]) in by_key]
