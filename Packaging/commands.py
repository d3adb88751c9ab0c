"""The commands of a program and their options, read from its help."""

import json
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from roff import bold, italic, typed

DOTS = r"\~.\|.\|."


class Option(NamedTuple):
    """An option or a flag."""

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


class Example(NamedTuple):
    """A command line, with a description if the help has one next to it."""

    line: str
    text: str


class Command:
    """A command and its subcommands."""

    def __init__(self, help_: dict, words: list[str]):
        self.words = words
        self.abstract = help_.get("abstract", "")
        self.paragraphs, self.examples, self.statuses = split_discussion(help_.get("discussion", ""))
        shown = [each for each in help_["arguments"] if each["shouldDisplay"]]
        self.options = joined_inversions([option(each) for each in shown if each["kind"] != "positional"])
        self.arguments = [
            Argument(each["valueName"], each.get("abstract", ""), each["isOptional"], each["isRepeating"])
            for each in shown
            if each["kind"] == "positional"
        ]
        self.commands = [
            Command(each, words + [each["commandName"]])
            for each in help_.get("subcommands", [])
            if each["shouldDisplay"] and each["commandName"] != "help"
        ]
        # Named groups of subcommands; a command that has them has a page for each subcommand.
        self.groups: list[tuple[str, list[Command]]] = []

    @property
    def page(self) -> str:
        """The name of its manual page."""
        return "-".join(self.words)

    @property
    def is_root(self) -> bool:
        return len(self.words) == 1

    @property
    def whole(self) -> list["Command"]:
        """The command and all commands below it."""
        return [self] + [each for command in self.commands for each in command.whole]

    def has(self, name: str) -> bool:
        """Whether the command or one below it has an option."""
        return any(name in each.names for command in self.whole for each in command.options)

    @property
    def synopsis(self) -> str:
        """The command line in roff."""
        options = [each for each in self.options if each.names != ["-h", "--help"]]
        needed = [each._replace(names=each.names[:1]).heading for each in options if each.is_required]
        parts = [bold(" ".join(self.words))]
        if self.commands:
            parts += [italic("command")]
        parts += [r"\fR[\fIoptions\fR]"] * (len(options) > len(needed) or bool(self.commands))
        return " ".join(parts + needed + [each.synopsis for each in self.arguments])


def option(help_: dict) -> Option:
    """An option or a flag, from its entry in the help of the program."""
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    names = sorted((dashes[name["kind"]] + name["name"] for name in help_["names"]), key=lambda name: name[:2] == "--")
    text = help_.get("abstract", "")
    unnamed = [value for value in help_.get("allValues") or [] if not re.search(rf"\b{value}\b", text)]
    notes = [f"values: {', '.join(help_['allValues'])}"] if unnamed else []
    notes += [f"default: {help_['defaultValue']}"] if help_.get("defaultValue") and "(default:" not in text else []
    text += f" ({'; '.join(notes)})" if notes else ""
    text += " " + help_["discussion"] if help_.get("discussion") else ""
    value = help_["valueName"] if help_["kind"] == "option" else None
    is_required = help_["kind"] == "option" and not help_["isOptional"]
    # The program collects the values of some options only to reject a second one; none of those is required.
    return Option(names, value, text, help_.get("sectionTitle") or "", is_required, is_required and help_["isRepeating"])


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


def split_discussion(text: str) -> tuple[list[str], list[Example], dict[str, str]]:
    """The paragraphs, the examples and the exit statuses in the help of a command."""
    paragraphs, examples, statuses = [], [], {}
    for part in filter(None, (part.strip("\n") for part in text.split("\n\n"))):
        if re.match(r"Examples?:\n", part):
            examples += [Example(*re.fullmatch(r"(.+?)(?: {2,}(.*))?", line.strip()).groups(""))
                         for line in part.split("\n")[1:]]
        elif part.startswith("Exit status: "):
            for each in re.split(r", (?=\d)", part.removeprefix("Exit status: ").removesuffix(".")):
                number, words = each.split(" ", 1)
                statuses[number] = words
        else:
            paragraphs.append(part)
    return paragraphs, examples, statuses


def group_commands(command: Command, program: Path) -> None:
    """Sets the groups of a command and of all commands below it to those in the help of the program."""
    by_name = {each.words[-1]: each for each in command.commands}
    title = ""
    for line in run(program, "help", *command.words[1:]).split("\n") if by_name else []:
        if match := re.fullmatch(r"(.*)SUBCOMMANDS:", line):
            title = match[1].strip().capitalize()
            command.groups += [(title, [])] if title else []
        elif title and (match := re.match(r"  ([a-z-]+)(  |$)", line)):
            command.groups[-1][1].append(by_name[match[1]])
    for each in command.commands:
        group_commands(each, program)


def run(program: Path, *words: str) -> str:
    """Runs the program and returns its output."""
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def commands_of(program: Path) -> Command:
    """The root command of the program."""
    root = Command(json.loads(run(program, "--experimental-dump-help"))["command"], [program.name])
    group_commands(root, program)
    return root
