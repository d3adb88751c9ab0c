"""A place in the sources where a mutation is possible."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """An operator or a constant, and its replacement."""

    module: str
    file: str  # relative to the project folder
    number: int  # line number
    line: str  # text of the line, without surrounding spaces
    nth: int  # position among equal changes in the line, from 1
    at: int  # offset of the operator or constant in the file
    start: int  # range of characters to replace; in C it includes the operands
    end: int
    kind: str  # "binary", "negation", "integer", "fraction" or "boolean"
    old: str
    new: str
    compares_nil: bool = False

    @property
    def change(self):
        """The mutation in words."""
        return f"{self.old} to {self.new}"

    @property
    def key(self):
        """Identifies the mutation even after other lines of the file have changed."""
        return (self.file, self.line, self.change, self.nth)

    def __str__(self):
        nth = f" (number {self.nth} in the line)" if self.nth > 1 else ""
        return f"{self.file}:{self.number}: {self.change}{nth}\n    {self.line}"


def collect(module, file, text, found):
    """Places in file order, from tuples of the fields after `nth`."""
    lines = text.splitlines()
    seen, places = {}, []
    for at, start, end, kind, old, new, *more in sorted(found):
        number = text.count("\n", 0, at) + 1
        nth = seen[number, old, new] = seen.get((number, old, new), 0) + 1
        line = lines[number - 1].strip()
        places.append(Place(module, file, number, line, nth, at, start, end, kind, old, new, *more))
    return places
