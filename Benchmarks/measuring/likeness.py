"""Look-alikes: what the perceptual hashes cost in a batch, and the search in reports of many clips."""

import json
import random
import re
import shutil
import subprocess

from programs import CLIPCANVAS, PROJECT

from measuring.clips import FIXTURES, folder_of_real, progress
from measuring.covers import PIXELS
from measuring.folders import SOME_CLIPS_FAILED, emptied, grouped
from measuring.report import UNREPORTED, Claim, Section, duration, limited, shown_memory, table
from measuring.timing import NOT_INSTALLED, Contestant, race, within

# The program that was installed has no symbols.
WITH_SYMBOLS = PROJECT / ".build/release/clipcanvas"
SAMPLES_PER_SECOND = 999
MOST_OF_BATCH = 0.03
SYMBOL = re.compile(r"\s*([0-9]+)\s*\|\[.\] (.*)")
# The reduction to 32×32 values, and the transform.
HASHES = re.compile(r"LumaCells|PerceptualHash")
# The pass over the pixels that computes their luma, its mean and its variance.
LUMA = re.compile(r"lumaStatistics")

RECORDS, QUICK_RECORDS = 100_000, 1000
MOST_SECONDS, MOST_MEMORY = 10, 500e6 / (1 << 20)
SEED = 53
HASH_BITS = 64
PAIRS, NEAR, EQUAL = "pairs", "near", "equal"
KINDS = {PAIRS: "a pair in each 50", NEAR: "half of them within 4 bits", EQUAL: "half of them equal"}


def percent(share):
    """A share as text."""
    return f"{share:.2%}".replace("%", " %")


def sampled(words, data):
    """The number of samples of each function while a command and all that it starts run."""
    data.unlink(missing_ok=True)
    ended = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES_PER_SECOND), "-o", data, "--",
                            *words], cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if not data.exists() or data.stat().st_size == 0:
        raise PermissionError((ended.stderr.strip() or "nothing was recorded").splitlines()[-1])
    if ended.returncode not in (0, SOME_CLIPS_FAILED):
        raise RuntimeError(f"{' '.join(words)} ended with status {ended.returncode}")
    report = subprocess.run(["perf", "report", "-i", data, "--stdio", "--no-children", "-F", "sample,sym", "-t", "|"],
                            cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    found = [SYMBOL.fullmatch(line) for line in report.stdout.splitlines()]
    return [(int(each[1]), each[2]) for each in found if each]


def batch_of(clips, options, covers):
    """The command that makes all covers of a folder."""
    return [within(WITH_SYMBOLS), "batch", "-q", "--force", *options, "-j2", "-o", within(covers), within(clips)]


def hashes(bench):
    """The share of the perceptual hashes in the CPU time of a batch."""
    progress("perceptual hashes in a batch")
    title = "Perceptual hashes in a batch"
    clips, about = folder_of_real(bench.is_quick)
    what = f"hashes, mean and variance, of the CPU time of {about}"
    missing = ""
    if not shutil.which("perf"):
        missing = "perf is missing: run 'apt-get install linux-perf'."
    elif not WITH_SYMBOLS.exists():
        missing = f"{within(WITH_SYMBOLS)} is missing: run 'make release'."
    if missing:
        yield Section(title, [missing], [Claim(what, NOT_INSTALLED, UNREPORTED, UNREPORTED, UNREPORTED)])
        return
    covers, data = bench.work / "hashed-covers", bench.work / "perf.data"
    claims, rows = [], []
    for size, options in ((f"{PIXELS} pixels", ["--size", str(PIXELS)]), ("full size", [])):
        total = of_hashes = of_luma = 0
        for _ in range(bench.rounds):
            emptied(covers)
            try:
                samples = sampled(batch_of(clips, options, covers), data)
            except PermissionError as problem:
                yield Section(title, [f"perf cannot record here: {problem}."],
                              [Claim(what, "not measured", UNREPORTED, UNREPORTED, UNREPORTED)])
                return
            total += sum(count for count, _ in samples)
            of_hashes += sum(count for count, symbol in samples if HASHES.search(symbol))
            of_luma += sum(count for count, symbol in samples if LUMA.search(symbol) and not HASHES.search(symbol))
        if of_luma == 0 and not bench.is_quick:
            raise RuntimeError(f"no function of {within(WITH_SYMBOLS)} was recognised; was it stripped?")
        claims.append(limited(f"{what}, {size}", (of_hashes + of_luma) / total, MOST_OF_BATCH, percent))
        rows.append([size, str(total), str(of_hashes), percent(of_hashes / total), str(of_luma),
                     percent((of_hashes + of_luma) / total)])
    notes = [f"`perf record -e cpu-clock -F {SAMPLES_PER_SECOND}` of `{' '.join(batch_of(clips, options, covers))}`, "
             f"with and without `--size {PIXELS}`, {bench.rounds} times; all processes and the kernel. Hashes are the "
             "functions of `LumaCells` and `PerceptualHash`. They get the luma of each pixel from the pass that "
             "computes the mean and the variance (`lumaStatistics`), which the facts of covers had before the hashes. "
             "What the hashes add to that pass is not known separately: the share of both must be within the budget."]
    text = table(["covers", "samples", "in hashes", "share", "in the mean and variance", "share of both"], rows)
    yield Section(title, notes, claims, text=text)


def records(bench, kind, count):
    """A report of many clips, whose records are variations of a record of this version; the seed chooses them.

    The files do not exist and have different sizes, so only hashes are compared.
    """
    report = bench.work / "one.ndjson"
    subprocess.run([CLIPCANVAS, "batch", "-q", "--force", "--report", report, "-o", bench.work / "one",
                    FIXTURES / "h264.mp4"], cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    one = json.loads(report.read_text(encoding="utf-8").splitlines()[0])
    one["clip"] |= {"path": "PATH", "uri": "file:///PATH", "bytes": "BYTES"}
    line = json.dumps(one | {"cover": "PATH.png", "perceptualHash": "HASH"}, sort_keys=True, separators=(",", ":"))
    chance = random.Random(SEED)
    title, bits = chance.getrandbits(HASH_BITS), 0
    path = bench.work / f"{kind}.ndjson"
    with path.open("w", encoding="ascii") as file:
        for number in range(count):
            if kind == PAIRS and number % 50 == 1:
                bits ^= flipped(chance, 6)
            elif kind == NEAR and number % 2:
                bits = title ^ flipped(chance, 2)
            else:
                bits = title if kind == EQUAL and number % 2 else chance.getrandbits(HASH_BITS)
            name = f"nowhere/{number // 200:04}/clip-{number:06}.mp4"
            file.write(line.replace("PATH", name).replace('"BYTES"', str(1_000_000 + 7 * number))
                       .replace("HASH", f"{bits:016x}") + "\n")
    return path


def flipped(chance, most):
    """A number with at most so many ones."""
    return sum(1 << bit for bit in chance.sample(range(HASH_BITS), chance.randint(1, most)))


def similar(bench):
    """The search for look-alikes in reports of many clips."""
    count = QUICK_RECORDS if bench.is_quick else RECORDS
    claims, contestants, lines = [], [], []
    for kind, about in KINDS.items():
        progress(f"similar: {about}")
        words = [within(CLIPCANVAS), "similar", within(records(bench, kind, count))]
        ended = subprocess.run(words, cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        lines.append(f"- {about}: {ended.stdout.splitlines()[-1].rpartition(';')[0]}")
        contestants.append(Contestant(about, words))
    series = race(contestants, bench.rounds)
    for one in series:
        if one.problem:
            continue
        what = f"similar, report of {grouped(count)} clips, {one.name}"
        claims.append(limited(what, one.median, MOST_SECONDS, duration))
        claims.append(limited(f"memory: {what}", one.memory_median, MOST_MEMORY, shown_memory))
    notes = [f"Each report has {grouped(count)} records of this version with hashes chosen by the seed {SEED}. The "
             "files do not exist and have different sizes, so no content is compared."]
    yield Section("Look-alikes in reports", notes, claims, series, "\n".join(lines))
