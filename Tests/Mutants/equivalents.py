"""The equivalent mutants listed in `equivalents.toml`."""

import sys
import tomllib
from pathlib import Path

LIST = Path(__file__).with_name("equivalents.toml")


def listed(places):
    """The places that are listed. Reports entries that match nothing."""
    with LIST.open("rb") as file:
        entries = tomllib.load(file).get("mutant", [])
    found = {place for place in places if any(matches(entry, place) for entry in entries)}
    for entry in entries:
        if not any(matches(entry, place) for place in found):
            print(f"mutants: equivalents.toml: no such mutant; remove or update the entry: "
                  f"{entry['file']}: {entry.get('change', '')}: {entry.get('line', '')}", file=sys.stderr)
    return found


def matches(entry, place):
    """Whether an entry matches a place. Without `line` it matches the whole file, without `nth` all such changes."""
    if "line" not in entry:
        return entry["file"] == place.file
    key = (entry["file"], entry["line"].strip(), entry["change"])
    return key == (place.file, place.line, place.change) and entry.get("nth", place.nth) == place.nth
