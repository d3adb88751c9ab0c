#!/usr/bin/env python3
"""Takes the picture of `board live` for the README: terminal.py CLIPCANVAS FOLDER

FOLDER has the board, board.json, and gets live.png. Runs the program in tmux, and draws what it shows in Chromium.
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import time

from selenium import webdriver

COLUMNS, ROWS = 90, 24
PAGE = """<meta charset="utf-8"><style>
body { margin: 0 }
pre { display: inline-block; margin: 0; padding: 14px; background: #16181d; font: 16px/18px "DejaVu Sans Mono" }
</style><pre>%s</pre>"""
BASIC = ["#16181d", "#e5484d", "#46a758", "#e2a336", "#5b8def", "#b07cd8", "#3fb6c1", "#d8dbe2"]


def tmux(*words):
    """Runs a command in a private tmux server."""
    command = ["tmux", "-L", f"picture-{os.getpid()}", "-f", os.devnull, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def screen(program, board):
    """What the terminal shows after some seconds, with escape sequences."""
    live = f"exec env COLORTERM=truecolor TERM=tmux-256color {program} board live --board {board}"
    tmux("new-session", "-d", "-x", COLUMNS, "-y", ROWS, live)
    try:
        time.sleep(5)
        return tmux("capture-pane", "-p", "-e")
    finally:
        tmux("kill-server")


class Style:
    """The colours and the weight that the latest escape sequences selected."""

    def __init__(self):
        self.reset()

    def reset(self):
        """Selects the default."""
        self.front, self.back, self.is_bold, self.is_dim, self.is_inverse = None, None, False, False, False

    def select(self, codes):
        """Applies the numbers of one escape sequence."""
        codes = [int(code or 0) for code in codes]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code in (38, 48):
                kind, *rest = codes
                wide = 3 if kind == 2 else 1
                colour = "#%02x%02x%02x" % tuple(rest[:3]) if kind == 2 else BASIC[rest[0] % 8]
                codes = rest[wide:]
                self.front, self.back = (colour, self.back) if code == 38 else (self.front, colour)
            elif code in (1, 2, 7):
                self.is_bold, self.is_dim = self.is_bold or code == 1, self.is_dim or code == 2
                self.is_inverse = self.is_inverse or code == 7
            elif code in (22, 27, 39, 49):
                self.is_bold, self.is_dim = (False, False) if code == 22 else (self.is_bold, self.is_dim)
                self.is_inverse = self.is_inverse and code != 27
                self.front, self.back = None if code == 39 else self.front, None if code == 49 else self.back
            elif 30 <= code % 60 <= 37 and code < 100:
                self.front = BASIC[code % 60 - 30]
            elif 40 <= code <= 47:
                self.back = BASIC[code - 40]

    def css(self):
        """The style of a span."""
        front, back = self.front or BASIC[7], self.back or BASIC[0]
        front, back = (back, front) if self.is_inverse else (front, back)
        return (f"color:{front};background:{back};font-weight:{700 if self.is_bold else 400};"
                f"opacity:{0.65 if self.is_dim else 1}")


def page(text):
    """The text as HTML."""
    style, parts = Style(), []
    for part in re.split(r"(\x1b\[[0-9;]*m)", text.rstrip("\n")):
        if part.startswith("\x1b["):
            style.select(part[2:-1].split(";"))
        elif part:
            parts.append(f'<span style="{style.css()}">{html.escape(part)}</span>')
    return PAGE % "".join(parts)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    (folder / "live.html").write_text(page(screen(program, folder / "board.json")), encoding="utf-8")
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1.5"):
        options.add_argument(word)
    browser = webdriver.Chrome(options=options)
    browser.get((folder / "live.html").as_uri())
    browser.set_window_size(1600, 1200)
    browser.find_element("css selector", "pre").screenshot(str(folder / "live.png"))
    browser.quit()


main()
