"""The record of a run, in Markdown."""

from typing import NamedTuple

UNREPORTED = "–"


class Claim(NamedTuple):
    """A row of the table: a figure of ClipCanvas, the figure it is compared with, and the budget, if there is one."""

    what: str
    ours: str
    against: str
    theirs: str
    ratio: str
    budget: str = UNREPORTED
    is_met: bool | None = None  # None without a budget or without figures to compare
    processor: str = UNREPORTED  # the ratio of CPU times, which are less affected by other load on the machine


class Section(NamedTuple):
    """The results of a row of the benchmark."""

    title: str
    notes: list
    claims: list
    series: list = []
    text: str = ""  # included verbatim


def milliseconds(seconds):
    """Milliseconds as text, with the significant digits."""
    taken = seconds * 1000
    return f"{taken:.0f}" if taken >= 1000 else f"{taken:.1f}" if taken >= 10 else f"{taken:.2f}"


def duration(seconds):
    """A duration as text."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{milliseconds(seconds)} ms"


def shown_memory(mebibytes):
    """An amount of memory as text."""
    return f"{mebibytes:.1f} MiB"


def time_of(series):
    """The time that a program took, as text."""
    return duration(series.median)


def memory_of(series):
    """The memory that a program took, as text."""
    return shown_memory(series.memory_median)


def compared(what, ours, peer, least=None):
    """The claim that ClipCanvas is `least` times as fast as a peer."""
    budget = f"at least {least:g}×" if least else UNREPORTED
    if ours.problem or peer.problem:
        return unmeasured(what, ours, peer, budget)
    ratio = peer.median / ours.median
    return Claim(what, time_of(ours), peer.name, time_of(peer), f"{ratio:.2f}× as fast", budget,
                 ratio >= least if least else None, f"{peer.processor_median / ours.processor_median:.2f}×")


def bounded(what, ours, bound, most=None):
    """The claim that ClipCanvas takes at most `most` times as long as a lower bound."""
    budget = f"at most {most:g}×" if most else UNREPORTED
    if ours.problem or bound.problem:
        return unmeasured(what, ours, bound, budget)
    ratio = ours.median / bound.median
    return Claim(what, time_of(ours), bound.name, time_of(bound), f"{ratio:.2f}× its time", budget,
                 ratio <= most if most else None, f"{ours.processor_median / bound.processor_median:.2f}×")


def smaller(what, ours, peer, most):
    """The claim that ClipCanvas takes at most `most` times the memory of a peer."""
    budget = f"at most {most:g}×"
    if ours.problem or peer.problem:
        return unmeasured(what, ours, peer, budget, memory_of)
    ratio = ours.memory_median / peer.memory_median
    return Claim(what, memory_of(ours), peer.name, memory_of(peer), f"{ratio:.2f}× its memory", budget, ratio <= most)


def limited(what, value, limit, show):
    """The claim that a figure of ClipCanvas stays under a limit."""
    return Claim(what, show(value), UNREPORTED, UNREPORTED, UNREPORTED, f"under {show(limit)}", value < limit)


def unmeasured(what, ours, peer, budget, shown=time_of):
    """A claim that cannot be checked, with the reason."""
    return Claim(what, ours.problem or shown(ours), peer.name, peer.problem or shown(peer), UNREPORTED, budget)


def table(heads, rows):
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def claims_of(sections):
    """The table of all claims."""
    words = {True: ", met", False: ", **not met**", None: ""}
    rows = [[one.what, one.ours, one.against, one.theirs, one.ratio, one.processor,
             one.budget + (words[one.is_met] if one.is_met is not None or one.budget == UNREPORTED else ", not judged")]
            for section in sections for one in section.claims]
    return table(["what", "clipcanvas", "compared with", "its figure", "ratio", "CPU time ratio", "budget"], rows)


def runs_of(series):
    """The table of the times of each program."""
    rows = []
    for one in series:
        if one.problem:
            rows.append([one.name, one.problem, *[UNREPORTED] * 4, one.reported])
            continue
        first, third = one.quartiles
        rows.append([one.name, milliseconds(one.median), milliseconds(min(one.seconds)),
                     f"{milliseconds(first)} to {milliseconds(third)}", milliseconds(one.processor_median),
                     str(len(one.seconds)), one.reported])
    return table(["program", "median ms", "minimum", "quartiles", "CPU ms", "runs", "remark"], rows)


def details_of(section):
    """The commands and raw figures of a row."""
    parts = [f"### {section.title}", *section.notes]
    if section.series:
        commands = [one.contestant.shown() for one in section.series if one.contestant.command]
        raw = [f"{one.name}: {' '.join(milliseconds(taken) for taken in one.seconds)}"
               for one in section.series if one.seconds]
        parts += ["```sh\n" + "\n".join(commands) + "\n```", runs_of(section.series),
                  "<details><summary>milliseconds of each run</summary>\n\n```\n" + "\n".join(raw)
                  + "\n```\n\n</details>"]
    return "\n\n".join(parts + ([section.text] if section.text else []))


def document(title, introduction, facts, sections):
    """The complete record."""
    parts = [f"# {title}", introduction, table(["machine", ""], facts), "## Results", claims_of(sections),
             "## Details", *map(details_of, sections)]
    return "\n\n".join(parts) + "\n"
