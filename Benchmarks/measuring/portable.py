"""The programs of a portable archive, which have FFmpeg linked in."""

import subprocess

from programs import CLIPCANVAS, FFMPEG, OURS, PROJECT, THUMBNAILER

from measuring.clips import RECIPES, made, progress
from measuring.covers import PIXELS, bare_loop, command, racers
from measuring.folders import copies_of, emptied, peaks_of
from measuring.report import UNREPORTED, Claim, Section, bounded, compared, limited, shown_memory
from measuring.timing import NOT_INSTALLED, Contestant, race, within

PORTABLE = "clipcanvas, portable"
BUNDLED_LOOP = "bare C loop with the same FFmpeg"
INSTALLED = PROJECT / ".build/bench/portable/bin/clipcanvas"
ARCHIVES = PROJECT / ".build/portable"
LEAST_FASTER = {THUMBNAILER: 2.8, FFMPEG: 3.2}
MOST_OF_LOOP = 1.5
MOST_START_SECONDS = 0.003
MOST_MEGABYTES, MOST_WITH_PANGO = 25, 40
DECODER = "clipcanvas-deco"  # as the kernel shortens it


def portable(bench):
    """A cover of each kind of clip with at most 1080 lines, the start of the program, its memory, and the archive."""
    if not INSTALLED.exists():
        what = "the programs of a portable archive"
        yield Section("Portable archive", ["Make the archive first, with `make portable`."],
                      [Claim(what, NOT_INSTALLED, UNREPORTED, UNREPORTED, UNREPORTED)])
        return
    for recipe in RECIPES:
        if recipe.about.startswith("4K"):
            continue
        progress(f"one cover, portable: {recipe.about}")
        series = race(portable_racers(made(recipe, bench.is_quick), bench.work), bench.rounds * 2)
        by_name = {one.name: one for one in series}
        what, ours = f"portable: cover, {recipe.about}", by_name[PORTABLE]
        claims = [*(compared(what, ours, by_name[name], least) for name, least in LEAST_FASTER.items()),
                  compared(what, ours, by_name[OURS]), bounded(what, ours, by_name[BUNDLED_LOOP], MOST_OF_LOOP)]
        yield Section(f"One cover, portable: {recipe.about}", [], claims, series)
    yield start(bench)
    yield sizes(bench)


def portable_racers(clip, work):
    """The racers of a cover, with the portable programs in the first place and their C loop in the last."""
    system, thumbnailer, ffmpeg, loop = racers(clip, work)
    folder = work / "bundled-loop"
    emptied(folder)
    words = [within(INSTALLED), *command(OURS, within(clip), within(work / "portable.png"))[1:]]
    return [Contestant(PORTABLE, words), system, thumbnailer, ffmpeg,
            Contestant(BUNDLED_LOOP, bare_loop(1, folder, program="bare_loop_bundled"), source=loop.source)]


def start(bench):
    """The start of the program alone."""
    progress("the start of the portable program")
    series = race([Contestant("nothing (`true`)", ["true"]), Contestant(PORTABLE, [within(INSTALLED), "--help"])],
                  bench.rounds * 3)
    claims = [limited("portable: start of clipcanvas", series[1].median * 1000, MOST_START_SECONDS * 1000,
                      lambda taken: f"{taken:.1f} ms")]
    return Section("The start of the portable program", [], claims, series)


def sizes(bench):
    """The size of the archive, and the memory of the decoder compared with that of an installed build."""
    progress("the portable archive")
    archive = next(ARCHIVES.glob("*.tar.xz"))
    claims = [limited("portable: archive", megabytes(archive.stat().st_size), MOST_WITH_PANGO, shown_size),
              limited("portable: archive without Pango", megabytes(size_without_pango(archive, bench.work)),
                      MOST_MEGABYTES, shown_size)]
    folder = copies_of(made(RECIPES[1], bench.is_quick))
    peaks = {}
    for name, program in [(PORTABLE, INSTALLED), (OURS, CLIPCANVAS)]:
        covers = bench.work / "portable-covers"
        emptied(covers)
        peaks[name] = peaks_of([within(program), "batch", "-q", "--size", str(PIXELS), "-j2", "-o", within(covers),
                                within(folder)])[DECODER]
    ratio = peaks[PORTABLE] / peaks[OURS]
    claims.append(Claim(f"portable: memory of the decoder, {RECIPES[1].about}", shown_memory(peaks[PORTABLE]), OURS,
                        shown_memory(peaks[OURS]), f"{ratio:.2f}× its memory", "at most 1×", ratio <= 1))
    return Section("The portable archive", ["Without Pango: compressed again without the folder of shared libraries."],
                   claims)


def size_without_pango(archive, work):
    """The bytes of the archive without the shared libraries that only drawing needs."""
    folder = work / "unpacked"
    emptied(folder)
    subprocess.run(["tar", "-C", folder, "-xf", archive], check=True)
    name = archive.name.removesuffix(".tar.xz")
    packed = subprocess.Popen(["tar", "-C", folder, "--sort=name", f"--exclude={name}/bin/lib", "-cf", "-", name],
                              stdout=subprocess.PIPE)
    compressed = subprocess.run(["xz", "-9e", "-T1"], stdin=packed.stdout, capture_output=True, check=True).stdout
    if packed.wait() != 0:
        raise RuntimeError("tar could not read the unpacked archive")
    return len(compressed)


def megabytes(count):
    """Bytes in megabytes."""
    return count / 1e6


def shown_size(size):
    """A size in megabytes as text."""
    return f"{size:.1f} MB"
