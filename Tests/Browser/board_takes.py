"""Stories of the takes of a canvas, and of the part of a clip that is played."""

import json
import statistics
import subprocess
import time

from board_people import tap_beside
from board_site import Server, Window, check_policy
from gallery_site import COLOURS, check, draw

# The longest time from a move of a handle to the frame there, in seconds.
STEP = 0.1


def command(server, *words):
    subprocess.run([server.program, "board", *words, "--board", str(server.board)], check=True, stdout=subprocess.DEVNULL)


def open_menu(window, canvas, action):
    window.part(canvas, ".more").click()
    window.find(f"#menu [data-action={action}]").click()


def listed(window):
    """Returns the names of the takes in the dialog, the newest first; the one in use has an asterisk."""
    return window.run("""
        return Array.from(document.querySelectorAll("#takes-list li"), (item) =>
          item.querySelector(".take-name").textContent + (item.dataset.inUse === "true" ? "*" : ""))""")


def press(window, take, button):
    item = next(item for item in window.browser.find_elements("css selector", "#takes-list li") if take in item.text)
    item.find_element("css selector", f".take-{button}").click()


def colour(window, selector, x=0.5):
    """Returns the colour in the middle of a picture, or at a part of its width."""
    return window.run("""
        const picture = document.querySelector(arguments[0]);
        const [width, height] = [picture.videoWidth ?? picture.naturalWidth ?? picture.width,
                                 picture.videoHeight ?? picture.naturalHeight ?? picture.height];
        if (!width) return null;
        const context = new OffscreenCanvas(1, 1).getContext("2d");
        context.drawImage(picture, width * arguments[1], height / 2, 1, 1, 0, 0, 1, 1);
        const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
        return red > 180 && green < 80 ? "red" : green > 180 && red < 80 ? "lime" : blue > 180 && red < 80 ? "blue"
          : `${red} ${green} ${blue}`;""", selector, x)


def takes(program, folder):
    """Takes are listed with their covers, played, used and deleted, with undo, and followed in every window."""
    server = Server(program, folder / "board.json")
    for name in ("red", "lime"):
        draw(folder / f"{name}.webm", (name, "320x180", 25, 1))
        command(server, "clip", "import", "c1", str(folder / f"{name}.webm"), "--replace")
    first, second = Window(server, folder / "profile-takes-1"), Window(server, folder / "profile-takes-2", 420, 800)
    try:
        first.enter()
        second.enter()
        open_menu(first, "c1", "takes")
        check("the dialog lists the takes, the newest first",
              first.wait(lambda: listed(first) == ["lime.webm*", "red.webm"]), listed(first))
        check("each with its cover", first.wait(lambda: colour(first, "#takes-list li:last-child img") == "red")
              and colour(first, "#takes-list li:first-child img") == "lime")
        first.picture(folder / "list.png")
        open_menu(second, "c1", "takes")
        second.wait(lambda: len(listed(second)) == 2)
        second.picture(folder / "list-small.png")
        press(first, "red.webm", "play")
        check("a take is played in the list", first.wait(lambda: first.run(
            "return document.querySelector('#takes-list video')?.currentTime > 0.3"))
            and colour(first, "#takes-list video") == "red")
        first.picture(folder / "played.png")
        press(first, "red.webm", "use")
        check("Use puts it on the canvas with its cover", first.wait(lambda: first.cover_colour("c1") == "red"))
        check("and the list shows that", first.wait(lambda: listed(first) == ["lime.webm", "red.webm*"]), listed(first))
        check("the other window follows", second.wait(lambda: listed(second) == ["lime.webm", "red.webm*"]))
        press(first, "lime.webm", "delete")
        check("Delete takes it out of the list",
              first.wait(lambda: listed(first) == ["red.webm*"]) and "Deleted lime.webm" in first.find("#takes-note").text)
        first.picture(folder / "deleted.png")
        first.find("#takes-undo").click()
        check("Undo brings it back", first.wait(lambda: len(listed(first)) == 2))
        press(first, "red.webm", "delete")
        check("deleting the clip in use empties the canvas",
              first.wait(lambda: listed(first) == ["lime.webm"]) and first.until_shows("c1", "plus"))
        first.find("#takes-undo").click()
        check("which is one step", first.wait(lambda: listed(first) == ["lime.webm", "red.webm*"]), listed(first))
        command(server, "forget", "c1", "lime.webm")
        check("the list follows commands", first.wait(lambda: listed(first) == ["red.webm*"]))
        (folder / "red.webm").unlink()
        command(server, "undo")
        check("a file that is missing is shown as such",
              first.wait(lambda: "the file is missing" in first.find("#takes-list").text))
        first.find("#takes-close").click()
        command(server, "canvas", "remove", "c1")
        check("the dialog closes with its canvas", second.wait(lambda: not second.run(
            "return document.getElementById('takes-dialog').open")))
        check_policy(first, second)
    finally:
        first.browser.quit()
        second.browser.quit()
        server.end()


def many_takes(program, folder):
    """Of very many takes, the newest are listed first, and the others when they are asked for."""
    server = Server(program, folder / "board.json")
    for name in ("red", "lime"):
        draw(folder / f"{name}.webm", (name, "320x180", 25, 1))
        command(server, "clip", "import", "c1", str(folder / f"{name}.webm"), "--replace")
    server.end()
    document = json.loads(server.board.read_text())
    (take,), clip = document["takes"], document["canvases"][0]["clip"]
    # Their files are gone.
    others = [take | {"clip": take["clip"] | {"path": f"{number}.webm", "generation": clip["generation"] + number}}
              for number in range(1, 250)]
    document |= {"takes": [take, *others], "revision": clip["generation"] + 250, "history": []}
    server.board.write_text(json.dumps(document))
    command(server, "check")
    server.restart()
    window = Window(server, folder / "profile-many-takes")
    more = lambda: window.find("#takes-more").text
    try:
        window.enter()
        open_menu(window, "c1", "takes")
        check("the list begins with the newest takes", window.wait(lambda: len(listed(window)) == 100), listed(window))
        check("and counts the others", more() == "Show older takes (151)", more())
        window.picture(folder / "many.png")
        window.find("#takes-more").click()
        check("which it shows when asked", window.wait(lambda: len(listed(window)) == 200), len(listed(window)))
        focused = "return [...document.querySelectorAll('#takes-list li')].findIndex((item) => item.matches(':focus-within'))"
        check("with the focus on the first of them", window.run(focused) == 100, window.run(focused))
        window.find("#takes-more").click()
        check("until it shows all", window.wait(lambda: len(listed(window)) == 251) and more() == "", len(listed(window)))
        check("the clip of the canvas is among them", listed(window).count("lime.webm*") == 1)
        window.find("#takes-close").click()
        open_menu(window, "c1", "takes")
        check("and begins again with the newest", window.wait(lambda: len(listed(window)) == 100), len(listed(window)))
        check_policy(window)
    finally:
        window.browser.quit()
        server.end()


def move(window, handle, value):
    """Moves a handle; returns the seconds until the player shows the frame there."""
    return window.browser.execute_async_script("""
        const [handle, value, done] = [document.getElementById(arguments[0]), arguments[1], arguments[2]];
        const player = document.getElementById("trim-player");
        const start = performance.now();
        player.addEventListener("seeked", () => done((performance.now() - start) / 1000), { once: true });
        handle.value = String(value);
        handle.dispatchEvent(new Event("input", { bubbles: true }));""", handle, value)


def samples(window, selector, seconds):
    """Watches a player for some time; returns its times and colours."""
    end, found = time.time() + seconds, []
    while time.time() < end:
        at = window.run("return document.querySelector(arguments[0]).currentTime", selector)
        found.append((at, colour(window, selector)))
        time.sleep(0.05)
    return found


def trimming(program, folder):
    """A part of a clip is chosen with handles over a strip of frames, played in every way, and given up again."""
    server = Server(program, folder / "board.json")
    for canvas in ("c1", "c2"):
        draw(folder / f"{canvas}.webm", *[(name, "320x180", 25, 1) for name in COLOURS])
        command(server, "clip", "import", canvas, str(folder / f"{canvas}.webm"))
    page = Window(server, folder / "profile-trimming")
    try:
        page.enter()
        page.until_shows("c1", "cover")
        open_menu(page, "c1", "trim")
        check("the strip shows frames of the whole clip",
              page.wait(lambda: page.run("return document.getElementById('trim-strip').dataset.drawn") == "true")
              and [colour(page, "#trim-strip", part) for part in (0.15, 0.45, 0.85)] == COLOURS)
        times = [move(page, "trim-from", 0.1 * number) for number in range(1, 16)]
        check("a handle shows its frame within 100 ms", statistics.median(times) < STEP, times)
        print(f"       a step takes {1000 * statistics.median(times):.0f} ms, {1000 * max(times):.0f} ms at most")
        move(page, "trim-to", 2)
        move(page, "trim-from", 1)
        check("the frame at the start is shown", page.wait(lambda: colour(page, "#trim-player") == "lime"))
        check("the times are shown", page.find("#trim-times").text.startswith("1.00 s to 2.00 s: 1.00 s of 3.0"),
              page.find("#trim-times").text)
        page.picture(folder / "trim.png")
        page.find("#trim-play").click()
        page.wait(lambda: page.run("return document.getElementById('trim-player').paused"))
        check("Play plays the part only", colour(page, "#trim-player") == "lime", colour(page, "#trim-player"))
        move(page, "trim-from", 2.7)
        check("the handles do not cross", float(page.find("#trim-from").get_attribute("value")) < 2)
        move(page, "trim-from", 1)
        page.find("#trim-confirm").click()
        check("the cover is that of the part", page.wait(lambda: page.cover_colour("c1") == "lime"))
        clip = lambda: next(canvas["clip"] for canvas in page.state()["canvases"] if canvas["id"] == "c1")
        check("the board has the part", (clip()["from"], clip()["to"], clip()["seconds"]) == (1, 2, 1), clip())
        check("the page says what was done, and offers to undo it", page.wait(
            lambda: page.message.startswith("Trimmed c1.webm") and page.find("#message-action").text == "Undo"), page.message)
        page.tap("c1")
        page.until_shows("c1", "preview")
        page.wait(lambda: page.run("return document.querySelector('[data-canvas=c1] .clip').currentTime >= 1"))
        seen = samples(page, "[data-canvas=c1] .clip", 2.5)
        check("a tap plays the part in a loop", {name for _, name in seen} == {"lime"}
              and all(0.95 <= at <= 2.01 for at, _ in seen) and max(at for at, _ in seen) > 1.8, seen)
        tap_beside(page, "c1")
        page.until_shows("c1", "cover")
        page.press("play-all")
        page.wait(lambda: page.run("return document.getElementById('play-all').dataset.state") == "playing")
        seen = samples(page, "[data-canvas=c1] .clip", 2)
        check("Play all shows no frame outside the part", {name for _, name in seen} == {"lime"}, seen)
        check("and goes on until the longest clip has ended", page.wait(
            lambda: page.run("return document.getElementById('play-all').dataset.state") == "off"))
        open_menu(page, "c1", "trim")
        page.wait(lambda: page.find("#trim-whole").is_enabled())
        check("the dialog opens with the present part", page.find("#trim-times").text.startswith("1.00 s to 2.00 s"))
        page.find("#trim-whole").click()
        check("Whole clip gives up the part", page.wait(lambda: clip()["from"] is None and page.cover_colour("c1") == "red"))
        page.press("undo")
        check("Undo brings the part back with its cover", page.wait(
            lambda: clip()["from"] == 1 and page.cover_colour("c1") == "lime"))
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


STORIES = {"takes": takes, "many-takes": many_takes, "trimming": trimming}
