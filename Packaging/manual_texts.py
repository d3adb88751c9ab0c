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
        "Some clips gave no cover or could not be probed, or a file that a board refers to is missing; standard error "
        "reports which.",
    ),
    ("1", named("cover", "batch"), "Some clips gave no cover; standard error or --json reports which."),
    ("1", named("probe"), "Some clips could not be probed; standard error or --json reports which."),
    ("1", named("check"), "A clip or a cover that the board refers to is missing; standard error reports which."),
    (
        "2",
        option("--sandbox"),
        "Could not continue: the decoder is missing or cannot be sandboxed (--sandbox require), or a file, a folder or "
        "standard output cannot be read or written.",
    ),
    ("2", always, "Could not continue: a file, a folder or standard output cannot be read or written."),
    ("3", option("--if-revision"), "Refused by the rules of the board; nothing was changed."),
    (
        "4",
        option("--if-revision"),
        "The revision of the board is not that of --if-revision; nothing was changed.",
    ),
    (
        "5",
        option("--lock-timeout"),
        "Another process kept the board locked for longer than --lock-timeout; nothing was changed.",
    ),
    ("6", option("--board"), "The board does not exist or cannot be read; nothing was changed."),
    ("64", always, "Invalid usage."),
    ("128+N", always, "Ended by signal N, as a shell reports it."),
]

ENVIRONMENT = {
    "CLIPCANVAS_BOARD": (option("--board"), "The file of the board if --board is not given."),
    "NO_COLOR": (named("show", "live"), "If set, the output has no colours."),
    "COLUMNS": (named("show"), "The maximum width of the drawing if standard output is not a terminal."),
    "TERM": (named("live"), "Together with COLORTERM and others, determines what the terminal can display."),
    "TMUX": (named("live"), "In tmux, as in screen (STY), covers are drawn with characters."),
    "XDG_CACHE_HOME": (
        option("--freedesktop"),
        "The folder that contains the thumbnails of --freedesktop (default: .cache in HOME).",
    ),
}

# The text for the environment variable of a helper program.
HELPER = "The path of another {helper}. If it is set, no other place is searched."

FILES = {
    "board.json": "The board, unless --board or CLIPCANVAS_BOARD names another file.",
    "board.covers/": "The covers of the clips on that board.",
    ".NAME.failed.json": "The note about a clip that gave no cover, next to the place of the cover.",
}
