#!/usr/bin/env python3
"""Writes the manual pages of clipcanvas from the help of the program.

    manual.py [--version V] [--date YYYY-MM-DD] [--helpers NAME...] PROGRAM FOLDER

The pages are clipcanvas(1) and one for each command, such as clipcanvas-cover(1), which includes its subcommands. The
descriptions of options and commands come from PROGRAM --experimental-dump-help, so the pages always match the program.
Texts that are not in the help, such as exit statuses and environment variables, are in manual_texts.py.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

from manual_texts import ENVIRONMENT, FILES, HELPER, STATUSES
from roff import Page, bold, italic, typed


DOTS = r"\~.\|.\|."


class Option(NamedTuple):
    """An option, flag or argument of a command."""

    names: list[str]
    value: str | None
    text: str
    section: str
    is_required: bool
    is_repeating: bool

    @property
    def heading(self) -> str:
        """The names and the value in roff."""
        value = f" {italic(self.value)}" + DOTS * self.is_repeating if self.value else ""
        return ", ".join(bold(name) for name in self.names) + value


class Argument(NamedTuple):
    """A positional argument."""

    name: str
    text: str
    is_optional: bool
    is_repeating: bool

    @property
    def synopsis(self) -> str:
        """The argument in roff."""
        dots = DOTS * self.is_repeating
        return rf"\fR[\fI{typed(self.name)}\fR]{dots}" if self.is_optional else italic(self.name) + dots


class Command:
    """A command and its subcommands."""

    def __init__(self, told: dict, words: list[str]):
        self.words = words
        self.abstract = told.get("abstract", "")
        self.paragraphs, self.examples, self.statuses = split_discussion(told.get("discussion", ""))
        shown = [each for each in told["arguments"] if each["shouldDisplay"]]
        self.options = joined_inversions([option(each) for each in shown if each["kind"] != "positional"])
        self.arguments = [
            Argument(each["valueName"], each.get("abstract", ""), each["isOptional"], each["isRepeating"])
            for each in shown
            if each["kind"] == "positional"
        ]
        self.commands = [
            Command(each, words + [each["commandName"]])
            for each in told.get("subcommands", [])
            if each["shouldDisplay"] and each["commandName"] != "help"
        ]

    @property
    def page(self) -> str:
        """The name of its manual page."""
        return "-".join(self.words)

    @property
    def whole(self) -> list["Command"]:
        """The command and its subcommands, which are on the same page."""
        return [self] + self.commands

    def has(self, name: str) -> bool:
        """Whether the command or one of its subcommands has an option."""
        return any(name in each.names for command in self.whole for each in command.options)

    @property
    def synopsis(self) -> str:
        """The command line in roff."""
        options = [each for each in self.options if each.names != ["-h", "--help"]]
        needed = [each.heading for each in options if each.is_required]
        parts = [bold(" ".join(self.words))]
        if self.commands:
            parts += [italic("command")]
        parts += [r"\fR[\fIoptions\fR]"] * (len(options) > len(needed) or bool(self.commands))
        return " ".join(parts + needed + [each.synopsis for each in self.arguments])


def option(told: dict) -> Option:
    """An option or a flag, from its entry in the help of the program."""
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    names = [dashes[name["kind"]] + name["name"] for name in told["names"]]
    text = told.get("abstract", "")
    unnamed = [value for value in told.get("allValues") or [] if not re.search(rf"\b{value}\b", text)]
    notes = [f"values: {', '.join(told['allValues'])}"] if unnamed else []
    notes += [f"default: {told['defaultValue']}"] if told.get("defaultValue") else []
    text += f" ({'; '.join(notes)})" if notes else ""
    value = told["valueName"] if told["kind"] == "option" else None
    is_required = told["kind"] == "option" and not told["isOptional"]
    return Option(names, value, text, told.get("sectionTitle") or "", is_required, told["isRepeating"])


def joined_inversions(options: list[Option]) -> list[Option]:
    """The options, with each --no-x joined to the --x before it."""
    joined: list[Option] = []
    for each in options:
        before = joined[-1].names if joined else []
        if each.names == ["--no-" + name[2:] for name in before]:
            joined[-1] = joined[-1]._replace(names=before + each.names)
        else:
            joined.append(each)
    return joined


def split_discussion(text: str) -> tuple[list[str], list[str], dict[str, str]]:
    """The paragraphs, the example lines and the exit statuses in the help of a command."""
    paragraphs, examples, statuses = [], [], {}
    for part in filter(None, (part.strip("\n") for part in text.split("\n\n"))):
        if re.match(r"Examples?:\n", part):
            examples += [line.strip() for line in part.split("\n")[1:]]
        elif part.startswith("Exit status: "):
            told = part.removeprefix("Exit status: ").removesuffix(".")
            for each in re.split(r", (?=\d)", told):
                number, words = each.split(" ", 1)
                statuses[number] = words
        else:
            paragraphs.append(part)
    return paragraphs, examples, statuses


def groups(program: Path) -> list[tuple[str, list[str]]]:
    """The commands of the program, grouped as in its help."""
    found: list[tuple[str, list[str]]] = []
    for line in run(program, "--help").split("\n"):
        if match := re.fullmatch(r"(.*)SUBCOMMANDS:", line):
            found.append((match[1].strip().capitalize(), []))
        elif found and (match := re.match(r"  ([a-z-]+)(  |$)", line)):
            found[-1][1].append(match[1])
    return found


def write_statuses(page: Page, command: Command) -> None:
    """Writes the section of the exit statuses that the command can have."""
    page.section("Exit status")
    own = command.statuses if command.words != ["clipcanvas"] else {}
    for number in dict.fromkeys(number for number, _, _ in STATUSES):
        texts = [text for each, holds, text in STATUSES if each == number and holds(command)]
        if number in own:
            texts = [own[number][:1].upper() + own[number][1:] + "."]
        if texts:
            page.item(bold(number), texts[0])


def write_environment(page: Page, command: Command, helpers: list[str]) -> None:
    """Writes the section of the environment variables, if there are any."""
    found = [(name, text) for name, (holds, text) in ENVIRONMENT.items() if holds(command)]
    for helper in helpers:
        part = helper.removeprefix("clipcanvas-")
        decodes = part == "decoder" and command.has("--sandbox")
        if decodes or command.words[-1] == part or command.words == ["clipcanvas"]:
            found.append(("CLIPCANVAS_" + part.upper(), HELPER.format(helper=helper)))
    if found:
        page.section("Environment")
        for name, text in sorted(found):
            page.item(bold(name), text)


def write_options(page: Page, options: list[Option]) -> None:
    """Writes options grouped as in the help, starting with those without a group."""
    sections = list(dict.fromkeys(each.section for each in options))
    for section in sorted(sections, key=lambda section: section != ""):
        if len(sections) > 1:
            page.subsection(section or "General options")
        for each in options:
            if each.section == section:
                page.item(each.heading, each.text)


def common_options(command: Command) -> list[Option]:
    """The options that all subcommands of a command share."""
    first, *others = [each.options for each in command.commands] or [[]]
    return [each for each in first if all(each in options for options in others)]


def write_commands(page: Page, command: Command) -> None:
    """Writes the subcommands of a command, each with its own options."""
    common = common_options(command)
    page.section("Commands")
    for each in command.commands:
        page.subsection(each.synopsis)
        page.paragraph(" ".join([each.abstract] + each.paragraphs))
        for argument in each.arguments:
            page.item(italic(argument.name), argument.text)
        for own in each.options:
            if own not in common:
                page.item(own.heading, own.text)
    page.section("Options")
    page.paragraph(f"All commands of {bold(' '.join(command.words))} have these options:", is_roff=True)
    write_options(page, common)


def command_page(command: Command, page: Page, related: list[str], arguments: argparse.Namespace) -> None:
    """Writes the page of a command."""
    page.name(command.page, command.abstract)
    page.synopsis([each.synopsis for each in command.commands or [command]])
    page.section("Description")
    for text in [command.abstract] + command.paragraphs:
        page.paragraph(text)
    for argument in command.arguments:
        page.item(italic(argument.name), argument.text)
    if command.commands:
        write_commands(page, command)
    else:
        page.section("Options")
        write_options(page, command.options)
    write_statuses(page, command)
    write_environment(page, command, arguments.helpers)
    page.examples([line for each in command.whole for line in each.examples])
    page.see_also(["clipcanvas"] + sorted(name for name in related if name != command.page))


def root_page(root: Command, page: Page, arguments: argparse.Namespace) -> None:
    """Writes the page of the program."""
    page.name(root.page, root.abstract)
    page.synopsis([root.synopsis, rf"{bold('clipcanvas')} {bold('--version')}"])
    page.section("Description")
    for text in [root.abstract] + root.paragraphs:
        page.paragraph(text)
    page.section("Commands")
    by_name = {each.words[-1]: each for each in root.commands}
    for title, names in groups(arguments.program):
        page.subsection(title)
        for name in names:
            page.item(rf"\fB{typed(by_name[name].page)}\fR(1)", by_name[name].abstract)
    page.section("Options")
    write_options(page, root.options)
    write_statuses(page, root)
    write_environment(page, root, arguments.helpers)
    page.section("Files")
    for name, text in FILES.items():
        page.item(italic(name), text)
    page.examples([line for each in root.commands[:2] for line in each.examples[:2]])
    page.see_also(sorted(each.page for each in root.commands))


def run(program: Path, *words: str) -> str:
    """Runs the program and returns its output."""
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", default="")
    parser.add_argument("--date", type=datetime.date.fromisoformat, default=datetime.date.today())
    parser.add_argument("--helpers", nargs="*", default=[])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    arguments.program = arguments.program.absolute()
    root = Command(json.loads(run(arguments.program, "--experimental-dump-help"))["command"], ["clipcanvas"])
    if unknown := root.statuses.keys() - {number for number, _, _ in STATUSES}:
        raise SystemExit(f"manual.py: exit statuses without a text in manual_texts.py: {', '.join(sorted(unknown))}")
    group_of = {name: names for _, names in groups(arguments.program) for name in names}
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for command in [root] + root.commands:
        page = Page(command.page, arguments.date, f"clipcanvas {arguments.version}".strip())
        if command is root:
            root_page(root, page, arguments)
        else:
            related = ["clipcanvas-" + name for name in group_of[command.words[-1]]]
            command_page(command, page, related, arguments)
        (arguments.folder / f"{command.page}.1").write_text(page.text, encoding="utf-8")


if __name__ == "__main__":
    main()
