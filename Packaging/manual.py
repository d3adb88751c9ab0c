#!/usr/bin/env python3
"""Writes the manual pages of clipcanvas from the help of the program.

    manual.py [--version V] [--date YYYY-MM-DD] [--helpers NAME...] PROGRAM FOLDER

The pages are clipcanvas(1) and one for each command, such as clipcanvas-cover(1). A command whose subcommands are in
groups, such as clipcanvas-board(1), lists them, and each has its own page; other pages, such as
clipcanvas-board-record(1), describe their subcommands. The descriptions come from PROGRAM --experimental-dump-help, so
the pages always match the program. Texts that are not in the help, such as exit statuses and environment variables, are
in manual_texts.py.
"""

import argparse
import datetime
import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.dont_write_bytecode = True

from commands import Command, Option, commands_of
from manual_texts import ENVIRONMENT, FILES, HELPER, STATUSES
from roff import Page, bold, italic, typed


def write_statuses(page: Page, command: Command) -> None:
    """Writes the section of the exit statuses that the command can have."""
    page.section("Exit status")
    for number in dict.fromkeys(number for number, _, _ in STATUSES):
        texts = [text for each, holds, text in STATUSES if each == number and holds(command)]
        own = command.statuses.get(number)
        if own and not command.is_root and (not texts or number == "0"):
            texts = [f"{own[:1].upper()}{own[1:]}."]
        if texts:
            page.item(bold(number), texts[0])


def write_environment(page: Page, command: Command, helpers: list[str]) -> None:
    """Writes the section of the environment variables, if there are any."""
    found = [(name, text) for name, (holds, text) in ENVIRONMENT.items() if holds(command)]
    for helper in helpers:
        part = helper.removeprefix("clipcanvas-")
        decodes = part == "decoder" and (
            command.has("--sandbox") or any(each.words[-1] in ("live", "serve") for each in command.whole))
        drawing = ("live", "render", "export", "sheet", "batch")
        shows = part == "view" and any(each.words[-1] in drawing for each in command.whole)
        serves = part == "serve" and any(each.words[-1] == "serve" for each in command.whole)
        writes = ("remux", "finish", "export", "serve")
        composes = part == "composer" and any(each.words[-1] in writes for each in command.whole)
        if decodes or shows or serves or composes:
            found.append(("CLIPCANVAS_" + part.upper(), HELPER.format(helper=helper)))
    if found:
        page.section("Environment")
        for name, text in sorted(found):
            page.item(bold(name), text)


def write_files(page: Page, command: Command) -> None:
    """Writes the section of the files, if there are any."""
    found = [(name, text) for name, (holds, text) in FILES.items() if holds(command)]
    if found:
        page.section("Files")
        for name, text in found:
            page.item(italic(name), text)


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


def write_index(page: Page, command: Command) -> None:
    """Writes the list of a command's subcommands; each has its own page."""
    page.section("Commands")
    for title, commands in command.groups:
        page.subsection(f"{title} commands")
        for each in commands:
            page.item(rf"\fB{typed(each.page)}\fR(1)", each.abstract)


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


def synopses(command: Command) -> list[str]:
    """The command lines of a page in roff."""
    version = [rf"{bold(command.words[0])} {bold('--version')}"] if command.is_root else []
    return [each.synopsis for each in (not command.groups and command.commands) or [command]] + version


def write_page(command: Command, page: Page, related: list[str], helpers: list[str]) -> None:
    """Writes the page of a command."""
    page.name(command.page, command.abstract)
    page.synopsis(synopses(command))
    page.section("Description")
    for text in [command.abstract] + command.paragraphs:
        page.paragraph(text)
    for argument in command.arguments:
        page.item(italic(argument.name), argument.text)
    if command.groups:
        write_index(page, command)
    if command.commands and not command.groups:
        write_commands(page, command)
    else:
        page.section("Options")
        write_options(page, command.options)
    write_statuses(page, command)
    write_environment(page, command, helpers)
    write_files(page, command)
    page.examples([each for one in ([command] if command.groups else command.whole) for each in one.examples])
    page.see_also(related)


def pages(command: Command, above: list[str], beside: list[Command]) -> Iterator[tuple[Command, list[str]]]:
    """The commands that have pages, each with the names of related pages.

    above: the pages of the commands that contain this one; beside: commands of the same group.
    """
    near = beside if len(beside) > 1 or above else command.commands
    yield command, above + sorted(each.page for each in near if each is not command)
    for _, group in command.groups:
        for each in group:
            alone = len(group) == 1
            yield from pages(each, above + [command.page], command.commands if alone else group)


def main() -> None:
    parser = argparse.ArgumentParser(description=re.split(r"\n", __doc__)[0])
    parser.add_argument("--version", default="")
    parser.add_argument("--date", type=datetime.date.fromisoformat, default=datetime.date.today())
    parser.add_argument("--helpers", nargs="*", default=[])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    root = commands_of(arguments.program.absolute())
    if unknown := root.statuses.keys() - {number for number, _, _ in STATUSES}:
        raise SystemExit(f"manual.py: exit statuses without a text in manual_texts.py: {', '.join(sorted(unknown))}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for command, related in pages(root, [], []):
        page = Page(command.page, arguments.date, f"{root.page} {arguments.version}".strip())
        prints_json = any(each.has("--json") for each in command.whole)
        write_page(command, page, related + ["clipcanvas-json(5)"] * prints_json, arguments.helpers)
        (arguments.folder / f"{command.page}.1").write_text(page.text, encoding="utf-8")


if __name__ == "__main__":
    main()
