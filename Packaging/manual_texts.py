"""Texts of the manual pages that are not in the help of the program: exit statuses, environment, files.

Each text has a predicate for the commands that it applies to. It also applies to the pages of the commands above those.
"""


def is_root(command) -> bool:
    return command.is_root


def option(*names):
    """A predicate for commands that have one of the options."""
    return lambda command: any(command.has(name) for name in names)


def named(*names):
    """A predicate for the commands with these names."""
    return lambda command: any(" ".join(each.words[1:]) in names for each in command.whole)


def is_ended_by_missing_board(command) -> bool:
    """Whether a command with a board does not wait until there is one."""
    return option("--board")(command) and not named("board watch", "board wait")(command)


def is_ended_by_signals(command) -> bool:
    """Whether a signal does not count as the usual end of the command."""
    return not named("board serve")(command)


def always(command) -> bool:
    return True


# If several texts with the same number apply to a command, the first is used.
STATUSES = [
    ("0", always, "Success."),
    (
        "1",
        is_root,
        "Some clips failed, or a file that a board refers to is missing; standard error reports "
        "which.",
    ),
    ("1", named("cover"), "Some clips have no cover; standard error and --json report which."),
    ("1", named("batch"), "Some clips have no cover, or it could not be written; standard error and --json report which. Known failures count "
     "with --strict only."),
    ("1", named("report merge"), "Some clips failed; standard error reports which."),
    ("1", named("sheet"), "Some clips have no contact sheet; standard error and --json report which."),
    ("1", named("animate"), "Some clips have no animation; standard error and --json report which."),
    ("1", named("storyboard"), "Some clips have no storyboard; standard error and --json report which."),
    ("1", named("remux"), "The video was not written; standard error and --json report why."),
    ("1", named("similar"), "Some clips could not be compared, or a report has damaged lines; standard error reports which."),
    ("1", named("probe"), "Some clips could not be probed; standard error and --json report which."),
    ("1", named("board"), "A cover could not be made, a file of the board is missing, or some clips cannot be exported as they "
                          "should; standard error reports which."),
    ("1", named("board cover"), "Some covers could not be made; standard error reports which."),
    ("1", named("board export"), "Some clips cannot be shown or heard as they should; standard error and --json report which."),
    ("1", named("board check"), "A clip or a cover that the board refers to is missing; standard error reports which."),
    (
        "2",
        is_root,
        "Could not continue: a program that reads clips is missing or cannot be sandboxed (--sandbox require), shards are "
        "missing, board wait timed out, or a file, a folder or standard output cannot be read or written.",
    ),
    ("2", named("board wait"), "The conditions were not met before the timeout, or a file cannot be read or written."),
    ("2", named("report merge"), "Shards are missing (standard error lists them), or a file cannot be read or written."),
    (
        "2",
        option("--sandbox"),
        "Could not continue: a program that reads clips is missing or cannot be sandboxed (--sandbox require), the folder "
        "for the output cannot be made, or standard output cannot be written.",
    ),
    ("2", always, "Could not continue: a file, a folder or standard output cannot be read or written."),
    ("3", option("--if-revision"), "Refused by the rules of the board; nothing was changed."),
    ("3", named("board can"), "The board would refuse the command."),
    ("3", named("board clean"), "A recording is in progress, or another process needs the clips; nothing was removed."),
    (
        "4",
        option("--if-revision"),
        "The revision of the board is not that of --if-revision; nothing was changed.",
    ),
    ("4", named("board can"), "The revision of the board is not that of --if-revision."),
    (
        "5",
        option("--lock-timeout"),
        "Another process kept the board locked for longer than --lock-timeout; nothing was changed.",
    ),
    ("6", named("board wait"), "The board cannot be read."),
    ("6", is_ended_by_missing_board, "The board does not exist or cannot be read."),
    ("64", always, "Invalid arguments."),
    ("128+N", is_ended_by_signals, "Ended by signal N, as a shell reports it."),
]

ENVIRONMENT = {
    "CLIPCANVAS_BOARD": (option("--board"), "The board's file, if --board is not given."),
    "NO_COLOR": (named("board show", "board live"), "If set, the output has no colours."),
    "COLUMNS": (named("board show"), "The maximum width of board show's drawing if standard output is not a terminal."),
    "HOME": (named("board live"), "The folder that ~ stands for at the start of a clip's path in board live."),
    "TERM": (named("board live"), "Determines, together with COLORTERM and others, what the terminal can display."),
    "TMUX": (named("board live"), "If TMUX or STY is set, as in tmux and screen, covers are drawn with characters."),
    "TMPDIR": (
        option("--gallery", "--sandbox"),
        "The folder for temporary files, such as clips from standard input and pages of --gallery - (default: "
        "/tmp).",
    ),
    "XDG_STATE_HOME": (
        named("board serve"),
        "The folder that contains clipcanvas/, where the tokens of served boards and the certificate of shared ones are kept (default: ~/.local/state).",
    ),
    "XDG_CACHE_HOME": (
        option("--freedesktop"),
        "The folder that contains the thumbnail cache used by --freedesktop (default: ~/.cache).",
    ),
}

# The text for the environment variable of a helper program.
HELPER = "The path of the {helper} program to run instead of the installed one."

FILES = {
    "board.json": (named("board"), "The board, unless --board or CLIPCANVAS_BOARD names another file."),
    "board.covers/": (named("board"), "The covers of the clips on that board."),
    "board.clips/": (named("board serve", "board clean"), "The clips that browsers recorded on that board or uploaded to it."),
    ".board.json.uploads/": (named("board serve"), "The parts of unfinished recordings that have arrived."),
    "share/doc/clipcanvas/": (is_root, "The README and licences. Programs from a portable archive contain FFmpeg and other "
                                       "libraries, which the system does not update; --version then prints a version of "
                                       "FFmpeg that ends in -bundled- and a date. After a security update of FFmpeg, "
                                       "install a newer archive, or make one with \"make portable\"."),
    "NAME.sheet.png": (named("sheet", "batch"), "A contact sheet, as PNG, JPEG or WebP."),
    "NAME.storyboard/": (named("storyboard", "batch"),
                         "A storyboard: the sheets 0.jpg, 1.jpg and so on, and their list, storyboard.vtt."),
    "NAME.preview.webp, NAME.preview.gif": (named("animate", "batch"), "An animation."),
    ".clipcanvasignore": (named("batch", "similar"), "Files and folders to skip, in the folder of the file and below it, with "
                                          "the rules of gitignore(5)."),
    "clipcanvas-watch@.service": (named("batch"), "A systemd user unit that watches a folder; its comments explain how to "
                                                  "enable it and where to put options."),
    ".NAME.failed.json": (named("batch"), "A failure marker: it records why a clip has no cover, and is where the cover would be."),
}
