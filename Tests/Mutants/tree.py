"""The mutated copy of the project."""

import os
import re
import shutil
import subprocess
import sys

from modules import PROJECT, source
from switches import C_HEADER, C_SOURCE, HELPER, PACKAGE_END, RECORD, TARGET, helper, mutated_c, mutated_swift

WORK = PROJECT / ".build/mutants"
TREE = WORK / "tree"
ACTIVE = WORK / "active"
REACHED = WORK / "reached"
LOG = WORK / "build.log"
FLAGS = ["--explicit-target-dependency-import-check", "error", "--package-path", str(TREE)]
ERROR = re.compile(r"^/?.*?(Sources/\w+/[^:\n]+):(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
# In a call that spans several lines the compiler may report an error some lines below the mutant.
MOST_LINES = 20


def build(mutants, swift):
    """Builds the copy. Returns the mutants that compile, by number, and the error of each of the others."""
    dropped = {}
    while True:
        owners = write(mutants)
        with LOG.open("w", encoding="utf-8") as log:
            ended = subprocess.run([swift, "build", *FLAGS, "--build-tests"], stdout=log, stderr=log, check=False)
        if ended.returncode == 0:
            return mutants, dropped
        culprits = culprits_of(LOG.read_text(encoding="utf-8", errors="replace"), mutants, owners)
        if not culprits:
            sys.exit(f"mutants: the copy does not build, and no error is at a mutant; see {LOG.relative_to(PROJECT)}")
        for number, error in culprits.items():
            dropped[mutants[number]] = error
        mutants = {number: place for number, place in mutants.items() if number not in culprits}
        print(f"{len(dropped)} mutants do not compile; building again without them", flush=True)


def culprits_of(log, mutants, owners):
    """The mutants that caused the compiler's errors."""
    culprits = {}
    for file, line, message in ERROR.findall(log):
        module, line = file.split("/")[1], int(line)
        if file.endswith("/" + HELPER):
            found = [owners[module].get(line)] if owners[module].get(line) else []
        else:
            near = {number: line - place.number for number, place in mutants.items() if place.file == file}
            near = {number: away for number, away in near.items() if 0 <= away <= MOST_LINES}
            found = [number for number, away in near.items() if away == min(near.values())]
        culprits |= {number: message for number in found}
    return culprits


def write(mutants):
    """Writes the files of the copy that differ. Returns the mutant of each line of the helper files, by module."""
    texts, owners = {"Package.swift": source("Package.swift") + PACKAGE_END}, {}
    for file in {place.file for place in mutants.values()}:
        chosen = {number: place for number, place in mutants.items() if place.file == file}
        texts[file] = (mutated_swift if file.endswith(".swift") else mutated_c)(source(file), chosen)
    for module in {place.module for place in mutants.values() if place.file.endswith(".swift")}:
        chosen = {number: place for number, place in mutants.items()
                  if place.module == module and place.file.endswith(".swift")}
        texts[f"Sources/{module}/{HELPER}"], owners[module] = helper(chosen)
    texts[f"Sources/{TARGET}/include/{TARGET}.h"] = C_HEADER
    texts[f"Sources/{TARGET}/switch.c"] = filled(C_SOURCE, ACTIVE=ACTIVE, REACHED=REACHED, RECORD=RECORD)
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=PROJECT,
                            capture_output=True, text=True, check=True).stdout.split("\0")
    names = {name for name in listed if name and os.path.lexists(PROJECT / name)}
    remove_all_but(names | set(texts))
    for name in names - set(texts):
        copy(name)
    for name, text in texts.items():
        put(TREE / name, text.encode())
    return owners


def filled(text, **values):
    """A text with its placeholders replaced."""
    for name, value in values.items():
        text = text.replace(name, str(value))
    return text


def copy(name):
    """Copies a file if it has changed."""
    origin, place = PROJECT / name, TREE / name
    if origin.is_symlink():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(os.readlink(origin))
        return
    if not place.exists() or place.stat().st_mtime_ns != origin.stat().st_mtime_ns:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(origin, place)


def put(place, data):
    """Writes a file if its content differs."""
    if not place.exists() or place.read_bytes() != data:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def remove_all_but(names):
    """Removes files left over from an earlier copy."""
    for top in ("Sources", "Tests", "Fixtures"):
        for path in (TREE / top).rglob("*"):
            if not path.is_dir() and str(path.relative_to(TREE)) not in names:
                path.unlink()
