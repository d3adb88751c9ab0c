"""Stories of how a served board looks and sounds: on a phone, while it plays, and when a clip cannot be saved."""

import json
import subprocess

from board_site import CAMERA, NO_CAMERA, Server, Window, check_policy
from board_stories import start_recording
from gallery_site import check, draw

PHONE = {"width": 390, "height": 844}


def small(program, folder):
    """A phone: the canvas in use gets the room that it needs, every button has a name, and no cover is explained."""
    server = Server(program, folder / "board.json", "3x2")
    page = Window(server, folder / "profile-small", more=CAMERA, **PHONE)
    box = lambda canvas: page.run("const box = document.querySelector(`[data-canvas='${arguments[0]}']`)"
                                  ".getBoundingClientRect(); return [box.left, box.top, box.width, box.height]", canvas)
    try:
        page.enter()
        page.wait(lambda: page.find("#message").text)
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        page.browser.refresh()
        check("where no file can be dropped, another way is named", page.wait(
            lambda: page.message == "Tap a canvas to open the camera in it, or choose a video file from its menu."),
              page.message)
        check("the dots are as high as the name", dots(page, "c1") < 1, dots(page, "c1"))
        names(page)
        before = [box(f"c{number}") for number in range(1, 7)]
        hidden = [page.find(f"#{button}").is_displayed() for button in ("discard", "close-camera")]
        check("what cannot be pressed yet is not there", not any(hidden), hidden)
        page.picture(folder / "small-1.png")
        page.tap("c2")
        page.wait(lambda: page.camera_width("c2"))
        check("a small canvas in use covers the board", box("c2")[2] > 360 and box("c2")[3] > 500, box("c2"))
        check("the others stay", [box(f"c{number}") for number in (1, 3, 6)] == [before[0], before[2], before[5]])
        check("Close says what it closes", page.find("#close-camera").text == "Close camera")
        page.picture(folder / "small-2.png")
        page.press("record")
        page.until_shows("c2", "live")
        page.picture(folder / "small-3.png")
        page.press("discard")
        check("the second press of Discard is asked for", page.find("#discard").accessible_name == "Discard?")
        page.discard()
        page.until_shows("c2", "preview")
        page.press("close-camera")
        page.until_shows("c2", "plus")
        check("then it is in its place again", box("c2") == before[1], (box("c2"), before[1]))
        no_cover(page, folder)
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def sideways(program, folder):
    """A phone on its side: nothing covers the controls, and everything can be reached."""
    server = Server(program, folder / "board.json", "3x2")
    page = Window(server, folder / "profile-sideways", width=844, height=390)
    try:
        page.enter()
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        for width, height in ((844, 390), (568, 320)):
            page.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                         mobile=True)
            page.reload()
            page.tap("c2")
            page.wait(lambda: page.camera_width("c2"))
            page.press("sources")
            page.wait(lambda: page.find("#share-screen").is_displayed())
            covered = [button for button in ("sources", "record", "close-camera") if not is_on_top(page, button)]
            check(f"at {width}×{height}, the panel covers no control", not covered, covered)
            page.run("document.getElementById('share-screen').scrollIntoView()")
            check("and can be scrolled to its end", is_on_top(page, "share-screen"))
            page.picture(folder / f"sideways-{width}.png")
            page.press("sources")
            page.wait(lambda: not page.find("#share-screen").is_displayed())
            page.press("record")
            check("a recording starts", page.until_shows("c2", "live"))
            page.discard()
            page.until_shows("c2", "preview")
            page.press("close-camera")
            page.until_shows("c2", "plus")
    finally:
        page.browser.quit()
        server.end()


def is_on_top(page, button):
    """Whether a click in the middle of a button reaches it."""
    return page.run("""
        const button = document.getElementById(arguments[0]);
        const { left, top, width, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));""", button)


def dots(page, canvas):
    """Returns how much higher or lower the dots of a canvas are than its name, in pixels."""
    return page.run("""
        const middle = (part) => {
          const { top, bottom } = part.getBoundingClientRect();
          return (top + bottom) / 2;
        };
        const element = document.querySelector(`[data-canvas='${arguments[0]}']`);
        return Math.abs(middle(element.querySelector(".more")) - middle(element.querySelector(".name")));""", canvas)


def names(page):
    found = {button: page.find(f"#{button}").accessible_name for button in
             ("sources", "undo", "redo", "play-all", "add-canvas", "help")}
    check("each button has its name", found == {
        "sources": "Camera and sound", "undo": "Undo", "redo": "Redo", "play-all": "Play all",
        "add-canvas": "Add canvas", "help": "Help"}, found)
    described = page.find("#play-all").get_attribute("aria-description")
    check("a button that does not work yet says why", described == "Available when every canvas has a clip", described)
    shown = [page.find(f"#{button} span").is_displayed() for button in ("sources", "undo", "redo")]
    check("each sign of the controls has its name with it", all(shown), shown)


def no_cover(page, folder):
    """A clip whose cover cannot be made any more."""
    draw(folder / "red.webm", ("red", "320x180", 25, 1))
    page.choose("c2", folder / "red.webm")
    page.until_shows("c2", "cover")
    clip = next((folder / "board.clips").glob("red.webm"))
    clip.write_bytes(clip.read_bytes()[:100])
    page.part("c2", ".more").click()
    page.find("#menu [data-action=coverRetry]").click()
    said = page.wait(lambda: "keeps" in (now := page.message) and now)
    check("a cover that cannot be made again is kept", said.startswith("c2 keeps its old cover: "), said)
    check("and shown", page.until_shows("c2", "cover"))
    for cover in (folder / "board.covers").glob("c2-*"):
        cover.unlink()
    page.part("c2", ".more").click()
    page.find("#menu [data-action=coverRetry]").click()
    page.until_shows("c2", "coverMissing")
    # On a canvas as low as this, the button stands for the text.
    note = page.part("c2", ".note-text").get_attribute("textContent")
    check("the canvas shows that it has no cover", note.startswith("No cover: ")
          and "no cover: " in page.part("c2", ".tap").get_attribute("aria-label"), note)
    page.picture(folder / "small-4.png")
    page.part("c2", ".note-other").click()
    reason = page.find("#cover-reason").text
    check("the reason can be read in full", len(reason) > 20 and reason.endswith("."), reason)
    offered = [button.text for button in page.find("#cover-dialog").find_elements("css selector", "button")]
    check("with what can be done", offered == ["Close", "Remove clip", "Choose a file…", "Try again"], offered)
    page.picture(folder / "small-5.png")
    page.find("#cover-dialog [value=removeClip]").click()
    check("Remove clip removes it", page.until_shows("c2", "plus"))


def playing(program, folder):
    """Clips that load slowly, and the messages while they play."""
    draw(folder / "red.webm", ("red", "320x180", 25, 4))
    server = Server(program, folder / "board.json")
    page = Window(server, folder / "profile-playing", more=NO_CAMERA)
    try:
        page.enter()
        for canvas in ("c1", "c2"):
            page.choose(canvas, folder / "red.webm")
            page.until_shows(canvas, "cover")
        interrupted(page)
        # No clip is ever ready to be played to its end; that of c1 has its first frames after some seconds.
        page.run("""
            const late = performance.now() + 3000;
            Object.defineProperty(HTMLMediaElement.prototype, "readyState", { get() {
              return this.closest("[data-canvas=c1]") && performance.now() > late ? 3 : 0;
            } });
            const listen = HTMLMediaElement.prototype.addEventListener;
            HTMLMediaElement.prototype.addEventListener = function (type, ...rest) {
              if (type !== "canplaythrough") listen.call(this, type, ...rest);
            };""")
        page.press("play-all")
        check("the page says that it loads the clips", page.message == "Loading the clips…", page.message)
        said = page.wait(lambda: "c2" in (now := page.message) and now)
        check("a clip that is too slow is left out, with the reason",
              said == "The clip of c2 takes too long to load; the others play without it.", said)
        check("a clip that is only slow is played", page.wait(
            lambda: page.run("return document.querySelector('[data-canvas=c1] .clip').currentTime > 0")))
        page.run("document.body.click(); dispatchEvent(new PointerEvent('pointerdown'))")
        check("the hint says what is played", page.wait(lambda: page.message == "Playing the clip of c1."), page.message)
        page.picture(folder / "playing-1.png")
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def interrupted(page):
    """A clip whose first start is interrupted, as by a pause before it has anything to show."""
    page.run("""
        const play = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function () {
          if (!this.closest("[data-canvas=c1]")) return play.call(this);
          HTMLMediaElement.prototype.play = play;
          return Promise.reject(new DOMException("", "AbortError"));
        };""")
    page.press("play-all")
    check("a clip whose start was interrupted is played with the others", page.wait(lambda: plays(page) == 2))
    check("and is not muted", not page.run("return document.querySelector('[data-canvas=c1] .clip').muted"))
    page.press("play-all")


def together(program, folder):
    """16 canvases in three windows: all become full, all play, and those that go while they play are left out."""
    for colour in ("red", "lime"):
        draw(folder / f"{colour}.webm", (colour, "160x90", 10, 15))
    server = Server(program, folder / "board.json", "4x4")
    page = Window(server, folder / "profile-together", more=("--autoplay-policy=no-user-gesture-required",))
    board = lambda *words, lines="": subprocess.run(
        [program, "board", *words, "--board", str(server.board)], check=True, input=lines, text=True,
        stdout=subprocess.DEVNULL)
    try:
        page.enter()
        for _ in range(2):
            page.browser.switch_to.new_window("window")
            page.resize(1280, 800)
            page.enter()
        windows = page.browser.window_handles
        check("a board with an empty canvas does not play all", all(
            page.run("return document.getElementById('play-all').disabled") for _ in each(page, windows)))
        names = ["red.webm", "lime.webm"] * 8
        board("apply", lines="".join(json.dumps({"event": "importClip", "canvas": f"c{number}", "clip": {"path": name}})
                                     + "\n" for number, name in enumerate(names, 1)))
        board("cover")
        for number in each(page, windows):
            full = page.wait(lambda: page.run("return document.querySelectorAll('[data-shows=cover]').length") == 16)
            check(f"window {number}: all 16 canvases are full", full)
            page.press("play-all")
        for number in each(page, windows):
            check(f"window {number}: Play all plays all 16 together", page.wait(lambda: plays(page) == 16), plays(page))
            page.picture(folder / f"together-{number}.png")
        board("canvas", "remove", "c6")
        board("clip", "remove", "c11")
        for number in each(page, windows):
            check(f"window {number}: without a canvas and a clip, 14 play on", page.wait(
                lambda: page.shows("c11") == "plus" and page.shows("c6") is None and plays(page) == 14), plays(page))
            page.picture(folder / f"together-{number + 3}.png")
        for number in each(page, windows):
            over = page.wait(lambda: page.find("#play-all").get_attribute("data-state") == "off")
            check(f"window {number}: it ends with the clips that are left", over)
            check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def each(page, windows):
    """Goes through the windows of a browser."""
    for number, window in enumerate(windows, 1):
        page.browser.switch_to.window(window)
        yield number


def plays(page):
    """Returns how many clips can be seen that are being played."""
    return page.run("return Array.from(document.querySelectorAll('.clip')).filter("
                    "clip => clip.checkVisibility() && !clip.paused && clip.currentTime > 0).length")


def unsaved(program, folder):
    """A recording that cannot be saved, because something has the name of the folder of clips; and the longest one."""
    server = Server(program, folder / "board.json")
    page = Window(server, folder / "profile-unsaved")
    try:
        page.enter()
        (folder / "board.clips").write_text("")
        start_recording(page, "c1", 3)
        page.press("stop")
        note = page.wait(lambda: "could not be saved" in (now := page.part("c1", ".note-text").text) and now)
        check("a failed save is not a pause",
              note and note.startswith("The clip could not be saved: board.clips is a link or a file, not a folder"),
              (page.part("c1", ".note-text").text, page.message, page.state()["take"]))
        choices = [page.find(f"#{button}").text for button in ("discard", "stop", "resume")]
        check("it offers to try again, continue or discard", choices == ["Discard", "Try again", "Continue"], choices)
        page.picture(folder / "unsaved-1.png")
        check("and says so", page.wait(lambda: page.message.startswith("Try to save it again")), page.message)
        (folder / "board.clips").unlink()
        page.press("stop")
        check("once the reason is gone, it is saved", page.until_shows("c1", "cover"), page.message)
        limit(page)
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def limit(page):
    """The last seconds before the maximum length, with a clock that is ahead."""
    page.run("window.spoken = []; new MutationObserver(() => spoken.push("
             "document.getElementById('announcement').textContent)).observe("
             "document.getElementById('announcement'), { childList: true, characterData: true, subtree: true })")
    start_recording(page, "c2", 0.5)
    page.run("const now = Date.now; Date.now = () => now() + 3_590_000")
    page.wait(lambda: page.shows("c2") != "live")
    # At the end, another sentence is announced.
    spoken = [text for text in page.run("return spoken") if text.startswith("The recording stops in ")]
    check("a screen reader hears of the end once, not each second", len(spoken) == 1, spoken)
    check("the longest recording ends with a clip", page.until_shows("c2", "cover"), page.message)


STORIES = {"small": small, "sideways": sideways, "playing": playing, "together": together, "unsaved": unsaved}
