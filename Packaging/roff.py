"""Text as roff, for manual pages in the man(7) language."""

import datetime
import re
import textwrap

# Text to be typed: command lines in quotes, options and names of variables. A single - is standard input or output.
TYPED = re.compile(r"'(clipcanvas [^']+)'|(?<![\w-])--?[a-zA-Z0-9][\w-]*|(?<=[ (])-(?=[ ),.;]|$)|\b[A-Z]+_[A-Z_]+\b")

GLYPHS = {"\\": r"\e", "'": r"\(aq", "^": r"\(ha", "~": r"\(ti", "`": r"\(ga"}


def escaped(text: str) -> str:
    """The text with the special characters of roff escaped."""
    return "".join(GLYPHS.get(letter, letter) for letter in text)


def typed(text: str) -> str:
    """The same for text to be typed: dashes stay ASCII hyphens, so that they can be copied."""
    return escaped(text).replace("-", r"\-")


def bold(text: str) -> str:
    return rf"\fB{typed(text)}\fR"


def italic(text: str) -> str:
    return rf"\fI{typed(text)}\fR"


def prose(text: str) -> str:
    """Sentences with text to be typed in bold, each starting on a new line, as is usual in roff.

    A command line in quotes loses them, and 'program help command' becomes the name of the manual page.
    """
    parts, end = [], 0
    for match in TYPED.finditer(text):
        parts += [escaped(text[end : match.start()]), command_line(match[1]) if match[1] else r"\%" + bold(match[0])]
        end = match.end()
    whole = re.sub(r"\bclipcanvas\b", r"\\%clipcanvas", "".join(parts + [escaped(text[end:])]))
    sentences = re.split(r"(?<=[A-Za-z0-9)]\.) (?=[A-Z\\])", whole)
    return "\n".join(line for sentence in sentences for line in wrapped(sentence))


def command_line(line: str) -> str:
    """A command line in bold, or the manual page that a request for help stands for."""
    program, *words = line.split(" ")
    if words[0] == "help":
        return rf"\%\fB{typed('-'.join([program] + words[1:]))}\fR(1)"
    return bold(line)


def wrapped(roff: str) -> list[str]:
    """The text in lines of at most 80 columns; none looks like a request."""
    lines = textwrap.wrap(roff, 78, break_long_words=False, break_on_hyphens=False)
    return [rf"\&{line}" if line.startswith(".") else line for line in lines]


class Page:
    """A manual page that is written from top to bottom."""

    def __init__(self, name: str, date: datetime.date, source: str, section: int = 1, origin: str = ""):
        """origin: what the page is made from, if it is not the help of the program."""
        volume = {1: "User Commands", 5: "File Formats"}[section]
        origin = origin or f"manual.py from the help of {name.split('-')[0]}"
        self.lines = [
            f'.\\" Made by Packaging/{origin}.',
            f'.TH {typed(name.upper())} {section} {date.isoformat()} "{source}" "{volume}"',
        ]

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def section(self, title: str) -> None:
        self.lines.append(f".SH {title.upper()}")

    def subsection(self, roff: str) -> None:
        self.lines += [".SS " + roff.replace('"', r"\(dq")]

    def paragraph(self, text: str, is_roff: bool = False) -> None:
        """A paragraph. The first of a section has no .PP request, which linters would report."""
        if not self.lines[-1].startswith((".SH", ".SS")):
            self.lines.append(".PP")
        self.lines.append(text if is_roff else prose(text))

    def item(self, heading: str, text: str) -> None:
        """A heading with an indented text below it."""
        self.lines += [".TP", heading, prose(text)]

    def name(self, name: str, abstract: str) -> None:
        """The section that whatis(1) reads."""
        self.section("Name")
        short = re.split(r"[:;.](?= |$)", abstract)[0]
        self.lines += wrapped(rf"{typed(name)} \- {escaped(short if short[:2].isupper() else short[:1].lower() + short[1:])}")

    def synopsis(self, lines: list[str]) -> None:
        self.section("Synopsis")
        self.lines.append("\n.br\n".join(lines))

    def examples(self, examples: list[tuple[str, str]]) -> None:
        """Example command lines, each with a description or an empty text."""
        if not examples:
            return
        self.section("Examples")
        if any(text for _, text in examples):
            for line, text in examples:
                self.item(bold(line), text[:1].upper() + text[1:] + ".")
        else:
            self.lines += [".EX"] + [typed(line) for line, _ in examples] + [".EE"]

    def see_also(self, pages: list[str]) -> None:
        """The related pages; one in another section than 1 has it in parentheses, as in 'name(5)'."""
        self.section("See also")
        split = [re.fullmatch(r"(.+?)(?:\((\d)\))?", page) for page in pages]
        self.lines.append(",\n".join(rf".BR \%{typed(page[1])} ({page[2] or 1})" for page in split))
