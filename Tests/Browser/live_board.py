"""A live board in tmux, which provides the terminal and reports its contents."""

import collections
import os
import re
import subprocess
import time

from gallery_site import PATIENCE

SIZE = (200, 60)
# What a canvas shows, by the beginning of the text in its cell.
SIGNS = {"+": "plus", "◉ preview": "preview", "● REC": "live", "‖ paused": "take", "… finalizing": "take",
         "▶ playing": "playing", "▢ cover pending": "coverPending", "▢ no cover": "coverMissing"}
COLOURS = {"red": (255, 0, 0), "lime": (0, 255, 0)}
HEADLINE = re.compile(r"revision (\d+) · (\w+)(?: on (\S+))? · (\d+) canvas")


class LiveBoard:
    """A running `clipcanvas board live`, in a private tmux without the user's settings."""

    def __init__(self, program, board, folder):
        self.socket = folder / "tmux.socket"
        columns, rows = map(str, SIZE)
        environment = ["-e", "COLORTERM=truecolor", "-e", "NO_COLOR=", "-e", "CLIPCANVAS_BOARD="]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows, *environment,
                  str(program), "board", "live", "--debug", "--pictures", "symbols", "--board", str(board))
        self.screen()

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-u", "-S", str(self.socket), *arguments], check=True, text=True,
                              env=os.environ | {"TERM": "xterm-256color"}, stdout=subprocess.PIPE).stdout

    def end(self):
        self.tmux("kill-server")

    def keys(self, *names):
        self.tmux("send-keys", *names)

    def go(self, position):
        """Moves the cursor to the canvas at a position, or to the last one."""
        self.keys("Home", *["Right"] * position)

    def give_clip(self, file):
        """Imports a clip into the canvas with the cursor, if that can take one."""
        self.keys("i")
        # Without the question, the letters of the path would be keys.
        if not self.wait_for_question(True):
            return
        self.tmux("send-keys", "-l", str(file))
        self.keys("Enter")
        if not self.wait_for_question(False):
            self.keys("Escape")
            # Escape and a key at once are another key.
            assert self.wait_for_question(False), "the question stays"

    def wait_for_question(self, is_wanted):
        """Waits until the board asks for a clip, or does not ask any more; returns false if anything else happens."""
        end = time.monotonic() + 2
        while ("clip for" in self.text()) != is_wanted:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def text(self):
        return "\n".join("".join(character for character, _ in line) for line in self.screen())

    def screen(self):
        """Returns the lines of the screen; each character comes with its colour, if any.

        The live board erases its counters first and writes them last, so a screen with counters is complete.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            lines = [characters(line) for line in self.tmux("capture-pane", "-p", "-e").split("\n")]
            if any("".join(character for character, _ in line).startswith(" cells ") for line in lines):
                return lines
            time.sleep(0.01)
        raise TimeoutError("the screen of the live board has stayed incomplete")

    def shown(self):
        """Returns the board as shown on the screen: its headline, and the canvases from the top left."""
        lines = self.screen()
        found = HEADLINE.search("".join(character for character, _ in lines[0]))
        head = {"revision": int(found[1]), "session": found[2], "focus": found[3], "count": int(found[4])}
        return head | {"canvases": [canvas(lines, *place) for place in cells(lines)]}


def characters(line):
    """Returns the characters of a line with escape sequences, and the colour that is seen of each."""
    found, seen = [], {"38": None, "48": None}
    for sequence, text in re.findall(r"\x1b\[([\d;:]*)m|([^\x1b\x0e\x0f])", line):
        if text:
            found.append((text, seen["48"] if text == " " else seen["38"]))
        elif sequence in ("", "0"):
            seen = {"38": None, "48": None}
        for layer, *colour in re.findall(r"([34]8)[;:]2[;:](\d+)[;:](\d+)[;:](\d+)", sequence):
            seen[layer] = tuple(map(int, colour))
    return found


def cells(lines):
    """Returns the places of the cells: the first and the last row, and the first and the last column."""
    at = lambda row, column: lines[row][column][0] if row < len(lines) and column < len(lines[row]) else " "
    places = []
    for top in range(len(lines)):
        for left in range(len(lines[top])):
            # A picture may contain corners as well.
            if at(top, left) not in "┌┏" or any(a <= top <= b and c <= left <= d for a, b, c, d in places):
                continue
            right = next((column for column in range(left, len(lines[top])) if at(top, column) in "┐┓"), left)
            bottom = next((row for row in range(top, len(lines)) if at(row, left) in "└┗"), top)
            places.append((top, bottom, left, right))
    return places


def canvas(lines, top, bottom, left, right):
    """Returns what a cell shows of its canvas."""
    row = lambda number: "".join(character for character, _ in lines[number][left + 1:right])
    inner = [pixel for number in range(top + 1, bottom) for pixel in lines[number][left + 1:right]]
    words = next((text for number in range(top + 1, bottom) if (text := row(number).strip())), "")
    sign = next((shows for start, shows in SIGNS.items() if words.startswith(start)), None)
    clip = row(bottom).strip("─━ ")
    picture = colour(inner) if sign is None else None
    if clip.startswith("▶ playing "):
        sign, clip = "playing", clip.removeprefix("▶ playing ")
    return {"id": row(top).strip("─━ ▸"), "selected": lines[top][left][0] == "┏", "clip": clip or None,
            "shows": sign or ("cover" if picture else words), "picture": picture}


def colour(pixels):
    """Returns the name of the colour of nearly all, "another" for other pictures, and None without a picture."""
    counts = collections.Counter(rgb for _, rgb in pixels if rgb)
    if not counts:
        return None
    most, number = counts.most_common(1)[0]
    names = [name for name, rgb in COLOURS.items() if all(abs(a - b) < 40 for a, b in zip(rgb, most))]
    return names[0] if names and number > 0.9 * counts.total() else "another"
