"""What the four sides of a board can do: clicks in a window, events of another, keys in a terminal, and commands."""

import json
import subprocess

NAMES = [f"c{number}" for number in range(1, 7)]
CLIPS = ("red.webm", "lime.webm", "h264.mp4", "sound-only.m4a")

# What each side does, with how often. "NAME" stands for a canvas, "PLACE" for a position, "CLIP" for a file. Canvases
# are removed more often than added, because the removal of a missing canvas does nothing.
CLICKS = [(6, "tap", "NAME"), (1, "press", "record"), (1, "press", "pause"), (1, "press", "resume"),
          (1, "press", "stop"), (2, "press", "discard"), (1, "press", "close-camera"), (2, "press", "undo"),
          (1, "press", "redo"), (1, "press", "add-canvas"), (1, "menu", "NAME", "removeClip"),
          (2, "menu", "NAME", "removeCanvas"), (1, "menu", "NAME", "coverRetry")]
EVENTS = [(4, "send", "tap", "NAME"), (2, "send", "select", "NAME"), (1, "send", "preview", "NAME"),
          (1, "send", "deselect"), (1, "send", "stopPreview"), (1, "send", "removeClip", "NAME"), (1, "send", "trimClip", "NAME"),
          (1, "send", "addCanvas", "NAME"), (2, "send", "removeCanvas", "NAME"),
          (3, "send", "moveCanvas", "NAME", "PLACE"), (1, "send", "recordPause"), (1, "send", "recordResume"),
          (3, "send", "recordDiscard"), (1, "press", "u"), (1, "press", "U"), (1, "press", "r"), (1, "press", "p")]
KEYS = [(5, "press", "PLACE", "Enter"), (2, "press", "PLACE", "s"), (3, "press", "PLACE", "<"),
        (3, "press", "PLACE", ">"), (1, "press", "PLACE", "x"), (2, "press", "PLACE", "X"), (1, "press", "PLACE", "n"),
        (1, "press", "PLACE", "r"), (1, "press", "PLACE", "p"), (2, "press", "PLACE", "dd"), (2, "press", "PLACE", "u"),
        (1, "press", "PLACE", "U"), (1, "press", "PLACE", "c"), (1, "press", "PLACE", "]"),
        (1, "press", "PLACE", "="), (1, "press", "PLACE", "t"), (3, "give", "PLACE", "CLIP")]
COMMANDS = [(3, "apply", "tap", "NAME"), (2, "apply", "select", "NAME"), (2, "apply", "moveCanvas", "NAME", "PLACE"),
            (1, "apply", "addCanvas", "NAME"), (2, "run", "tap", "NAME"), (1, "run", "deselect"),
            (4, "run", "clip", "import", "--no-check", "--replace", "NAME", "CLIP"), (1, "run", "clip", "remove", "NAME"),
            (2, "run", "clip", "trim", "--from", "0.2", "NAME"), (1, "run", "clip", "trim", "--clear", "NAME"),
            (1, "run", "canvas", "add"), (2, "run", "canvas", "remove", "NAME"), (3, "run", "record", "start"),
            (1, "run", "record", "pause"), (1, "run", "record", "resume"),
            (1, "run", "record", "stop", "--no-check", "--clip", "CLIP"), (2, "run", "record", "discard"), (1, "run", "undo"),
            (1, "run", "redo"), (1, "run", "cover"), (2, "run", "use", "NAME", "NUMBER"), (1, "run", "forget", "NAME", "NUMBER")]


def steps(numbers, choices, count):
    """Chooses what a side does, from the random numbers alone: neither the board nor the time makes a difference."""
    values = {"NAME": NAMES, "PLACE": range(6), "CLIP": CLIPS, "NUMBER": ("1", "2", "3", "4")}
    chosen = numbers.choices([choice[1:] for choice in choices], [choice[0] for choice in choices], k=count)
    return [[numbers.choice(values[word]) if word in values else word for word in choice] for choice in chosen]


class Clicks:
    """A window whose user clicks."""

    def __init__(self, window):
        self.window = window

    def tap(self, name):
        self.window.run("document.querySelector(`[data-canvas='${arguments[0]}'] .tap`)?.click()", name)

    def press(self, button):
        for _ in range(2 if button == "discard" else 1):
            self.window.run("const button = document.getElementById(arguments[0]);"
                            "if (!button.disabled && button.checkVisibility()) button.click()", button)

    def menu(self, name, action):
        self.window.run("""
            document.querySelector(`[data-canvas='${arguments[0]}'] .more`)?.click();
            const menu = document.getElementById("menu");
            const item = menu.querySelector(`[data-action=${arguments[1]}]`);
            if (menu.matches(":popover-open")) item.disabled ? menu.hidePopover() : item.click();""", name, action)


class Events:
    """A window whose user presses keys, and that sends the events of pages."""

    def __init__(self, window, answers):
        self.window, self.answers = window, answers

    def send(self, event, name=None, place=None):
        members = {key: value for key, value in (("canvas", name), ("to", place)) if value is not None}
        outcome = self.window.browser.execute_async_script("""
            const [event, members, done] = arguments;
            import("/server.js").then(({ sendEvent }) => sendEvent(event, members))
              .then(done, (error) => done({ outcome: "refused", reason: error.reason, message: error.message }));""",
                                                           event, members)
        self.answers.append((event, outcome))

    def press(self, key):
        self.window.run("const event = new KeyboardEvent('keydown', { key: arguments[0], bubbles: true });"
                        "document.body.dispatchEvent(event)", key)


class Keys:
    """The user of the live board in a terminal."""

    def __init__(self, live, folder):
        self.live, self.folder = live, folder

    def press(self, place, keys):
        self.live.go(place)
        self.live.keys(*([keys] if keys == "Enter" else keys))

    def give(self, place, clip):
        self.live.go(place)
        self.live.give_clip(self.folder / clip)


class Commands:
    """Commands beside them."""

    def __init__(self, program, board, answers):
        self.program, self.board, self.answers = program, board, answers

    def apply(self, event, name, place=None):
        line = {"event": event, "canvas": name} | ({} if place is None else {"to": place})
        self.answers.append((event, json.loads(self.run("apply", "--json", lines=json.dumps(line) + "\n"))))

    def run(self, *words, lines=""):
        words = [str(self.board.parent / word) if word in CLIPS else word for word in words]
        ran = subprocess.run([self.program, "board", *words, "--board", str(self.board)], input=lines, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # 1: a clip without a cover; 3: the board refused it. All else is a failure of the command.
        assert ran.returncode in (0, 1, 3), f"{words} ended with status {ran.returncode}: {ran.stderr}"
        return ran.stdout
