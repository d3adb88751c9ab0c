#!/usr/bin/env python3
"""Writes the manual page clipcanvas-json(5) from the JSON schemas.

    reference.py [--version V] [--date YYYY-MM-DD] SCHEMAS FOLDER

The page describes every member of every object, in the words of the schemas, so the two always agree. What applies to all
objects, such as what may change between versions, is written here.
"""

import argparse
import datetime
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True

from roff import Page, bold, escaped, prose, typed

NAME = "clipcanvas-json"
SUFFIX = ".schema.json"
# The order of the objects on the page. Those in the last file are parts of others.
ORDER = [
    "cover", "sheet", "animation", "storyboard", "summary", "planned", "removed", "batch", "failure-marker",
    "remux", "probe", "similar", "board", "board-event", "board-answer", "board-state", "board-change", "board-transaction",
    "board-next", "board-check", "board-take", "board-server", "board-wait", "board-row", "board-repair", "board-new",
    "board-picture",
    "board-video",
]  # fmt: skip
PARTS = ["common", "board-common"]

DESCRIPTION = [
    "This page describes every JSON object that clipcanvas prints with --json, or writes to a file. Lines of output are "
    "JSON Lines: each object is on one line, in UTF-8, with sorted members. Numbers have the unit that their description "
    "names; sizes are in pixels, times in seconds, unless their name has another unit. A value that is unknown or does not "
    "apply is omitted rather than null, unless its description permits null.",
    "Each object has a schema, in the JSON Schema language (draft 2020-12), which is installed in "
    "share/clipcanvas/schemas. This page is made from them. The schemas refer to one another by file name, and the address "
    "in their $id identifies them but is not that of a page.",
]
STABILITY = [
    "Names, types, units and meanings of members do not change, and a member that is always present remains so. Should a "
    "version have to break this promise, its changelog announces it first.",
    "A later version may add members, and values to a list of words such as reason. A program should therefore ignore members "
    "that it does not know, and treat an unknown word like the failure of the clip. For the same reason, the schemas permit "
    "members that they do not describe, except in what clipcanvas reads.",
    "Texts for people, which are message, advice and warnings, may change in any version. So may the names that FFmpeg gives "
    "to containers, codecs, pixel formats and colours, with the version of FFmpeg.",
]


class Member(NamedTuple):
    """A member of an object."""

    name: str  # with the names of the objects around it, as in tiles.width
    kind: str
    text: str


class Schemas:
    """All schemas, by the name of their file."""

    def __init__(self, folder: Path):
        files = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*" + SUFFIX)}
        self.files = files
        self.names = [name.removesuffix(SUFFIX) for name in files]
        # Objects that several members contain, by title, with their file.
        self.shared: dict[str, tuple[dict, str]] = {}

    def resolved(self, reference: str, file: str) -> tuple[dict, str]:
        """The schema that a reference in a file names, and its file."""
        name, _, pointer = reference.partition("#")
        file = name or file
        schema = self.files[file]
        for word in pointer.split("/")[1:]:
            schema = schema[word]
        return schema, file

    def groups(self, schema: dict, file: str) -> list[tuple[str, list[Member]]]:
        """The members of an object, in groups: those that it always may have, and others under a heading."""
        groups: list[tuple[str, dict, set]] = [("", {}, set())]
        self.collect(schema, file, groups)
        return [
            (title, [member for name, (each, at) in found.items() for member in self.members(name, each, at, name in needed)])
            for title, found, needed in groups
            if found
        ]

    def collect(self, schema: dict, file: str, groups: list) -> None:
        """Adds the members that a schema describes to the last group, or to a new one if the schema has a heading."""
        if "title" in schema and schema["title"].startswith("If "):
            groups.append((schema["title"], {}, set()))
        _, found, needed = groups[-1]
        if "$ref" in schema:
            target, at = self.resolved(schema["$ref"], file)
            # An object with its own schema has a separate section.
            if "$id" not in target:
                self.collect(target | {"title": ""}, at, groups)
        needed.update(schema.get("required", []))
        for name, each in schema.get("properties", {}).items():
            found.setdefault(name, (each, file))
        for each in schema.get("allOf", []):
            self.collect(each, file, groups)
        for word in ("then", "else"):
            if word in schema:
                self.collect(schema[word], file, groups)

    def members(self, name: str, schema: dict, file: str, is_needed: bool) -> Iterator[Member]:
        """A member, followed by those of the object that it is."""
        kind, inner, at = self.kind(schema, file)
        at = at or file
        presence = "always present" if is_needed else ""
        yield Member(name, ", ".join(filter(None, [kind, presence])), schema.get("description", ""))
        if inner:
            prefix = name + ("[]" if "items" in schema else "")
            for _, members in self.groups(inner | {"title": ""}, at):
                yield from (each._replace(name=f"{prefix}.{each.name}") for each in members)

    def kind(self, schema: dict, file: str) -> tuple[str, dict | None, str]:
        """The type and the range of a value in words, and the schema of an object that is described with it."""
        # An object may add members to another one.
        is_other = "$ref" in schema and "properties" not in schema
        target, at = self.resolved(schema["$ref"], file) if is_other else (schema, file)
        if "anyOf" in target:
            return " or ".join(self.kind(each, at)[0] for each in target["anyOf"]), None, at
        if "items" in target:
            kind, inner, at = self.kind(target["items"], at)
            return f"array of {kind}s" if kind == "object" else f"array ({kind})", inner, at
        if target.get("type") == "object" or "$ref" in target:
            if "title" not in target:
                return "object", target, at
            if "$id" not in target:
                self.shared[target["title"]] = (target, at)
            return f"object described under {target['title']}", None, at
        return simple_kind(target), None, at


def simple_kind(schema: dict) -> str:
    """The type and the range of a simple value, in words."""
    if "const" in schema:
        return f"always {json.dumps(schema['const'])}"
    if "enum" in schema:
        return "one of " + ", ".join(json.dumps(each).strip('"') for each in schema["enum"])
    kinds = schema.get("type", "any value")
    kind = " or ".join(kinds) if isinstance(kinds, list) else kinds
    low, high, over = schema.get("minimum"), schema.get("maximum"), schema.get("exclusiveMinimum")
    if low is not None and high is not None:
        return f"{kind} from {low} to {high}"
    if low is not None:
        return f"{kind}, {low} or more"
    return f"{kind} above {over}" if over is not None else kind


def write_members(page: Page, groups: list[tuple[str, list[Member]]], inner: bool = False) -> None:
    for title, members in groups:
        if title and inner:
            page.lines += [".PP", escaped(title) + ":"]
        elif title:
            page.subsection(escaped(title))
        for member in members:
            page.item(rf"{bold(member.name)} ({typed(member.kind)})", member.text)


def write_object(page: Page, schema: dict, file: str, schemas: Schemas) -> None:
    """Writes the section of an object that is printed or written as a whole."""
    page.section(schema["title"])
    page.paragraph(schema["description"])
    page.paragraph(f"Schema: {file}")
    write_members(page, schemas.groups(schema, file))
    for example in schema.get("examples", [])[:1]:
        page.lines += [".PP", "Example:", ".PP", ".nf"]
        page.lines += [typed(line) for line in json.dumps(example, ensure_ascii=False, indent=2, sort_keys=True).split("\n")]
        page.lines += [".fi"]


def write_page(page: Page, schemas: Schemas) -> None:
    page.name(NAME, "JSON that clipcanvas prints and writes")
    page.section("Description")
    for text in DESCRIPTION:
        page.paragraph(text)
    page.subsection("Stability")
    for text in STABILITY:
        page.paragraph(text)
    for name in ORDER:
        write_object(page, schemas.files[name + SUFFIX], name + SUFFIX, schemas)
    page.section("Parts of objects")
    page.paragraph("Objects that several of those above contain.")
    done: set[str] = set()
    # A part may contain others.
    while left := [title for title in schemas.shared if title not in done]:
        for title in left:
            done.add(title)
            schema, file = schemas.shared[title]
            page.subsection(escaped(title))
            page.paragraph(schema["description"])
            write_members(page, schemas.groups(schema | {"title": ""}, file), inner=True)
    page.section("Files")
    page.item(r"\fIshare/clipcanvas/schemas/\fR", "The schemas, below the prefix of the installation, such as /usr/local.")
    page.see_also(["clipcanvas"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", default="")
    parser.add_argument("--date", type=datetime.date.fromisoformat, default=datetime.date.today())
    parser.add_argument("schemas", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    schemas = Schemas(arguments.schemas)
    if unlisted := set(schemas.names) ^ {*ORDER, *PARTS}:
        raise SystemExit(f"reference.py: ORDER is not the list of the schemas: {', '.join(sorted(unlisted))}")
    page = Page(NAME, arguments.date, f"clipcanvas {arguments.version}".strip(), 5, "reference.py from Packaging/schemas")
    write_page(page, schemas)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / f"{NAME}.5").write_text(page.text, encoding="utf-8")


if __name__ == "__main__":
    main()
