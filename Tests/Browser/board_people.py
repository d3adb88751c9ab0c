"""Stories of what people expect of a served board: undo, playing by a tap, closed pages, and room for pictures and texts."""

import json
import subprocess
import time

from selenium.webdriver import ActionChains

from board_site import NO_CAMERA, Server, Window, check_policy
from board_stories import start_recording
from gallery_site import check, draw

# What a page that leaves may take to be noticed, in seconds; without its report, that would be six more.
NOTICED = 3


def record(window, canvas, seconds=1.2):
    start_recording(window, canvas, seconds)
    window.press("stop")
    return window.until_shows(canvas, "cover")


def offer(window, text):
    """Waits for a message with a picture and a button; returns the name of the button."""
    window.wait(lambda: window.message.startswith(text))
    return window.run("""
        const [action, picture] = ["message-action", "message-picture"].map((id) => document.getElementById(id));
        return action.checkVisibility() ? action.textContent : null""")


def has_picture(window):
    return window.wait(lambda: window.run(
        "return document.querySelector('#message-picture > img')?.naturalWidth > 0"))


def tap_beside(window, canvas):
    """Taps a canvas beside the buttons in its middle."""
    tap = window.part(canvas, ".tap")
    ActionChains(window.browser).move_to_element_with_offset(tap, 0, -tap.size["height"] // 3).click().perform()


def clip_state(window, canvas):
    """Returns how a clip is played: whether it can be seen, moves, is muted and in a loop."""
    return window.run("""
        const clip = document.querySelector(`[data-canvas='${arguments[0]}'] .clip`);
        return { isSeen: clip.checkVisibility(), isPaused: clip.paused, time: clip.currentTime, muted: clip.muted,
                 loop: clip.loop };""", canvas)


def plays(window, canvas):
    state = clip_state(window, canvas)
    return state["isSeen"] and not state["isPaused"] and state["time"] > 0 and state["muted"] and state["loop"]


def cameras(window):
    """Returns how many pictures of cameras the page has."""
    return window.run("return Array.from(document.querySelectorAll('video')).filter((video) => video.srcObject).length")


def steps(program, folder):
    """A recording and what follows are one step each, and every step is reported with its way back."""
    server = Server(program, folder / "board.json", "2x2")
    first = Window(server, folder / "profile-1")
    second = Window(server, folder / "profile-2", width=1000, height=700)
    try:
        first.enter()
        second.enter()
        first.picture(folder / "first-visit.png")
        start_recording(first, "c1", 1.2)
        first.picture(folder / "record.png")
        first.press("stop")
        first.until_shows("c1", "cover")
        action = offer(first, "Saved c1, take 1 (0:0")
        check("after Stop the page shows what was saved, and offers to undo it", action == "Undo", first.message)
        check("with the cover", has_picture(first))
        check("the clip has a name that people can read, and its length",
              first.part("c1", ".clip-name").text.startswith("c1, take 1 (0:0"), first.part("c1", ".clip-name").text)
        first.picture(folder / "stop.png")
        first.find("#message-action").click()
        check("from the first tap to the clip is one step", first.until_shows("c1", "plus")
              and second.until_shows("c1", "plus") and not first.state()["can"]["undo"])
        check("undo opens no camera", first.state()["session"] == "idle" and cameras(first) == cameras(second) == 0)
        check("and shows what was undone", offer(first, "Undone: the recording on c1.") == "Redo", first.message)
        first.picture(folder / "undo.png")
        first.find("#message-action").click()
        check("the way back brings the clip back", first.until_shows("c1", "cover")
              and offer(first, "Redone: the recording on c1.") == "Undo", first.message)
        watch(first, second, folder)
        again(first, second, folder)
        removal(first, second, folder)
        check_policy(first, second)
    finally:
        first.browser.quit()
        second.browser.quit()
        server.end()


def watch(first, second, folder):
    first.tap("c1")
    check("a tap on a canvas with a clip plays it, muted and in a loop", first.until_shows("c1", "preview")
          and first.wait(lambda: plays(first, "c1")), clip_state(first, "c1"))
    check("and opens no camera", cameras(first) == 0)
    check("another window shows the clip, too, but does not start it", second.until_shows("c1", "preview")
          and not clip_state(second, "c1")["isSeen"] and second.part("c1", ".toggle").is_displayed())
    first.picture(folder / "play.png")
    first.part("c1", ".toggle").click()
    check("the large button pauses it", first.wait(lambda: clip_state(first, "c1")["isPaused"]))
    first.part("c1", ".toggle").click()
    check("and plays it", first.wait(lambda: plays(first, "c1")))
    second.part("c1", ".toggle").click()
    check("so it does in the other window", second.wait(lambda: plays(second, "c1")))
    tap_beside(first, "c1")
    check("another tap ends it", first.until_shows("c1", "cover") and not clip_state(first, "c1")["isSeen"])
    first.tap("c1")
    first.until_shows("c1", "preview")
    first.tap("c2")
    check("a tap on an empty canvas opens the camera there, not on the clip",
          first.wait(lambda: first.camera_width("c2")) and first.until_shows("c1", "cover") and cameras(first) == 1)
    first.tap("c2")
    first.until_shows("c2", "plus")


def again(first, second, folder):
    generation = lambda: first.state()["canvases"][0]["clip"]["generation"]
    before = generation()
    first.tap("c1")
    first.until_shows("c1", "preview")
    check("Record again is a button on the canvas", first.wait(lambda: first.part("c1", ".note-main").text)
          == "Record again" and first.find("#record").text == "Record again")
    first.part("c1", ".note-main").click()
    check("it opens the camera", first.wait(lambda: first.camera_width("c1")))
    first.wait(lambda: first.find("#record").text == "Record")
    first.press("record")
    first.until_shows("c1", "live")
    time.sleep(1)
    first.press("stop")
    first.until_shows("c1", "cover")
    check("the second take is called that", offer(first, "Saved c1, take 2") == "Undo", first.message)
    first.press("undo")
    check("undo brings the first one back, and opens no camera", first.wait(lambda: generation() == before)
          and first.until_shows("c1", "cover") and first.state()["session"] == "idle" and cameras(first) == 0)
    first.tap("c1")
    first.until_shows("c1", "preview")
    first.press("record")
    check("the button below opens the camera, too", first.wait(lambda: first.camera_width("c1")))
    first.press("record")
    first.until_shows("c1", "live")
    first.discard()
    check("a take that is discarded leaves the camera open", first.until_shows("c1", "preview")
          and first.wait(lambda: first.camera_width("c1")))
    first.press("close-camera")
    first.until_shows("c1", "cover")


def removal(window, second, folder):
    window.part("c1", ".more").click()
    window.find("#menu [data-action=removeClip]").click()
    action = offer(window, "Removed c1, take 1 (0:0")
    check("the page shows what was removed, with its cover", action == "Undo" and has_picture(window), window.message)
    window.picture(folder / "removed.png")
    window.find("#message-action").click()
    check("and brings it back", window.until_shows("c1", "cover")
          and offer(window, "Undone: removing the clip of c1.") == "Redo", window.message)
    window.part("c1", ".more").click()
    window.find("#menu [data-action=removeClip]").click()
    offer(window, "Removed c1, take 1 (0:0")
    second.press("add-canvas")
    check("the offer goes when another window does something that would be undone instead", window.wait(
        lambda: window.run("return document.getElementById('message-action').hidden")), window.message)
    for _ in range(2):
        second.press("undo")
        second.wait(lambda: second.message.startswith("Undone: "))
        second.run("document.getElementById('message').textContent = ''")
    window.until_shows("c1", "cover")
    window.tap("c2")
    window.wait(lambda: window.camera_width("c2"))
    check("the message goes with the next action", window.run(
        "return document.getElementById('message-action').hidden"), window.message)
    window.tap("c2")
    window.until_shows("c2", "plus")


def leaving(program, folder):
    """A page that is reloaded or closed while it records: other windows learn of it at once."""
    server = Server(program, folder / "board.json", "2x1")
    first = Window(server, folder / "profile-1")
    second = Window(server, folder / "profile-2", width=1000, height=700)
    note = lambda window: window.part("c1", ".note-text").text
    try:
        first.enter()
        second.enter()
        start_recording(first, "c1", 2)
        start = time.monotonic()
        first.browser.refresh()
        reason = second.wait(lambda: "closed or reloaded" in (now := note(second)) and now)
        took = time.monotonic() - start
        check("a reload interrupts the recording at once", reason and took < NOTICED, (reason, took))
        print(f"       the other window knew after {took:.2f} s")
        first.wait(lambda: first.revision is not None)
        check("the page itself shows the same, and no other window", first.wait(lambda: note(first) == reason), note(first))
        second.picture(folder / "reload-second.png")
        first.picture(folder / "reload.png")
        check("it offers to continue", first.find("#resume").text == "Continue")
        first.press("resume")
        check("Continue records on", first.until_shows("c1", "live") and first.wait(lambda: first.camera_width("c1")))
        time.sleep(1.5)
        first.press("stop")
        check("and the clip has both parts", first.until_shows("c1", "cover")
              and first.clip("c1", folder / "clip") > 2, first.message)
        start_recording(first, "c2", 1.5)
        start = time.monotonic()
        first.browser.get("about:blank")
        second.wait(lambda: second.part("c2", ".note-text").text.startswith("Recording interrupted"))
        took = time.monotonic() - start
        check("so does a page that goes elsewhere", took < NOTICED, took)
        second.press("stop")
        check("what was recorded can be kept", second.until_shows("c2", "cover"))
    finally:
        first.browser.quit()
        second.browser.quit()
        server.end()


# Widths and heights of the page in its own pixels. 640×400 is a window of 1280×800 at 200 %.
SIZES = {"phone": (390, 844, 2), "window": (1280, 800, 1), "zoomed": (640, 400, 2), "large": (3840, 2160, 1)}


def sizes(program, folder):
    """Texts fit, and pictures are large, in small and large windows, without a camera."""
    for colour, size in (("red", "320x180"), ("lime", "180x320")):
        draw(folder / f"{colour}.webm", (colour, size, 10, 1))
    server = Server(program, folder / "board.json", "2x2")
    page = Window(server, folder / "profile", more=NO_CAMERA)
    try:
        page.enter()
        for name, (width, height, scale) in SIZES.items():
            page.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                         mobile=name == "phone")
            page.reload()
            # The longest of the texts about a missing camera.
            page.run("navigator.mediaDevices.getUserMedia = "
                     "() => Promise.reject(new DOMException('', 'NotAllowedError'))")
            shape = cell_shape(page)
            check(f"{name}: empty canvases have the shape of a camera", 1.6 < shape < 1.95, shape)
            page.picture(folder / f"{name}-empty.png")
            page.tap("c1")
            reason = page.wait(lambda: "allow" in (now := page.part("c1", ".note-text").text) and now)
            hidden = cut(page)
            check(f"{name}: the reason for the missing camera is shown in full", reason and not hidden, (reason, hidden))
            check(f"{name}: and not repeated", page.message != reason and "camera" in page.message, page.message)
            page.picture(folder / f"{name}-no-camera.png")
            page.press("close-camera")
            page.until_shows("c1", "plus")
            page.press("sources")
            note = page.wait(lambda: page.find("#sources-note").text)
            check(f"{name}: why the screen cannot be recorded is shown", "select a canvas" in note
                  and not page.find("#share-screen").is_enabled(), note)
            page.picture(folder / f"{name}-sources.png")
            page.press("sources")
        page.command("Emulation.clearDeviceMetricsOverride")
        clips(page, server, folder)
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def clips(page, server, folder):
    """The board has the shape of its clips."""
    board = lambda *words, lines="": subprocess.run(
        [server.program, "board", *words, "--board", str(server.board)], check=True, input=lines, text=True,
        stdout=subprocess.DEVNULL)
    for names, least, most in ((["lime.webm"] * 4, 0.5, 0.65), (["red.webm"] * 4, 1.6, 1.95)):
        board("apply", lines="".join(json.dumps({
            "event": "importClip", "canvas": f"c{number}", "clip": {"path": name}, "replace": True}) + "\n"
            for number, name in enumerate(names, 1)))
        board("cover")
        page.wait(lambda: page.run("return document.querySelectorAll('[data-shows=cover]').length") == 4)
        found = page.wait(lambda: least < (now := cell_shape(page)) < most and now)
        check(f"canvases with clips like {names[0]} have their shape", found, cell_shape(page))
        page.picture(folder / f"clips-{names[0]}.png")
    for name in ("phone", "zoomed"):
        width, height, scale = SIZES[name]
        page.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                     mobile=name == "phone")
        page.reload()
        page.tap("c1")
        page.wait(lambda: plays(page, "c1"))
        hidden = cut(page)
        check(f"{name}: a clip that is played has room for its buttons",
              not hidden and page.part("c1", ".note-main").is_displayed(), hidden)
        page.picture(folder / f"{name}-play.png")
        page.press("close-camera")
        page.until_shows("c1", "cover")
        page.part("c1", ".more").click()
        page.find("#menu [data-action=removeClip]").click()
        action = offer(page, "Removed red.webm")
        hidden = cut(page)
        check(f"{name}: what was removed has room for its cover and the way back",
              action == "Undo" and has_picture(page) and not hidden, hidden)
        page.picture(folder / f"{name}-removed.png")
        page.find("#message-action").click()
        page.until_shows("c1", "cover")


def cell_shape(page):
    """Returns the width of a canvas divided by its height."""
    return page.run("const { width, height } = document.querySelector('.canvas').getBoundingClientRect();"
                    "return width / height")


def cut(page):
    """Returns the texts and buttons that are cut off, lie over each other or reach beyond their canvas or the page."""
    return page.run("""
        const shown = (selector) => Array.from(document.querySelectorAll(selector)).filter((part) => part.checkVisibility());
        const found = [];
        const box = (part) => part.getBoundingClientRect();
        const name = (part) => `${part.className || part.id}: ${part.textContent}`;
        const isOver = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
          && one.top < other.bottom - 1 && other.top < one.bottom - 1;
        for (const part of shown(".note-text, .note-actions button, #controls button, #message, #sources-note")) {
          if (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1) found.push(name(part));
          const { left, top, right, bottom } = box(part), around = part.closest(".canvas") ?? document.body;
          const { left: west, top: north, right: east, bottom: south } = box(around);
          if (left < west || top < north || right > east || bottom > south) found.push(`outside: ${name(part)}`);
        }
        const parts = shown(".canvas[data-selected=true] :is(.note-text, .note-actions button, .name, .more)");
        for (const [index, one] of parts.entries()) {
          for (const other of parts.slice(index + 1)) {
            if (isOver(box(one), box(other))) found.push(`over: ${name(one)} and ${name(other)}`);
          }
        }
        return found;""")


STORIES = {"steps": steps, "leaving": leaving, "sizes": sizes}
