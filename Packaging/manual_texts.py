"""Texts of the manual pages that are not in the help of the program: exit statuses, environment, files.

Each text has a predicate for the commands that it applies to.
"""


def is_root(command) -> bool:
    return command.words == ["clipcanvas"]


def option(*names):
    """A predicate for commands that have one of the options, and for the page of the program."""
    return lambda command: is_root(command) or any(command.has(name) for name in names)


def named(*names):
    """A predicate for these commands, and for the page of the program."""
    return lambda command: is_root(command) or command.page.removeprefix("clipcanvas-") in names


def always(command) -> bool:
    return True


# If several texts have the same number, the first that applies to the command is used.
STATUSES = [
    ("0", always, "Done."),
    (
        "1",
        is_root,
        "Some clips gave no cover, or their facts could not be told, or something that a board names is missing; "
        "standard error tells which.",
    ),
    ("1", named("cover", "batch"), "Some clips gave no cover; standard error or --json tells which."),
    ("1", named("probe"), "The facts of some clips could not be told; standard error or --json tells which."),
    ("1", named("check"), "A clip or a cover that the board names is missing; standard error tells which."),
    (
        "2",
        option("--sandbox"),
        "Could not go on: no decoder, or one that cannot be locked in (--sandbox require), a file or folder that "
        "cannot be read or written, no room on standard output.",
    ),
    ("2", always, "Could not go on: a file or folder that cannot be read or written, no room on standard output."),
    ("3", option("--if-revision"), "Refused by the rules of the board; nothing was changed."),
    (
        "4",
        option("--if-revision"),
        "The board has another revision than --if-revision asks for; nothing was changed.",
    ),
    (
        "5",
        option("--lock-timeout"),
        "Somebody else kept the board locked for longer than --lock-timeout; nothing was changed.",
    ),
    ("6", option("--board"), "There is no board, or it cannot be read; nothing was changed."),
    ("64", always, "Wrong usage."),
    ("128+N", always, "Ended by signal N, as a shell tells it."),
]

ENVIRONMENT = {
    "CLIPCANVAS_BOARD": (option("--board"), "The board's file, where --board does not name it."),
    "NO_COLOR": (named("show", "live"), "Where it is set, nothing is shown in colours."),
    "COLUMNS": (named("show"), "How wide the drawing may be, where standard output is no terminal."),
    "TERM": (named("live"), "With COLORTERM and others, what the terminal can show."),
    "TMUX": (named("live"), "In tmux, as in screen (STY), covers are made of characters."),
    "XDG_CACHE_HOME": (
        option("--freedesktop"),
        "The folder that holds the thumbnails of --freedesktop; .cache in HOME, unless told.",
    ),
}

# The text for the environment variable of a helper program.
HELPER = "The path of another {helper}. While it is set, no other place is looked at."

FILES = {
    "board.json": "The board, unless --board or CLIPCANVAS_BOARD names another file.",
    "board.covers/": "The covers of the clips on that board.",
    ".NAME.failed.json": "Beside where the cover would be: the note of a clip that gave none.",
}
