"""Stories of a served board where something goes wrong, or is done without a mouse or a camera."""

import os
import signal
import subprocess
import time
import urllib.error
import urllib.request

from selenium.webdriver.common.keys import Keys

from board_site import CAMERA, NO_CAMERA, TOLERANCE, Server, Window, check_policy, probe
from gallery_site import check, draw, keys


def start_recording(window, canvas, seconds):
    window.tap(canvas)
    window.wait(lambda: window.camera_width(canvas))
    window.press("record")
    window.until_shows(canvas, "live")
    time.sleep(seconds)


def kill(window):
    """Kills a browser with all its processes, as a crash does."""
    for process in children_of(window.browser.service.process.pid):
        os.kill(process, signal.SIGKILL)
    window.browser.service.process.kill()


def children_of(process):
    listed = subprocess.run(["pgrep", "-P", str(process)], stdout=subprocess.PIPE, text=True).stdout.split()
    return [grandchild for child in listed for grandchild in [*children_of(child), int(child)]]


def killed(program, folder):
    """The browser dies while it records, twice: the recording is continued in another browser, then kept."""
    server = Server(program, folder / "board.json")
    second = Window(server, folder / "profile-killed-2")
    try:
        second.enter()
        for number, canvas in enumerate(("c1", "c2")):
            first = Window(server, folder / f"profile-killed-1-{number}")
            first.enter()
            start_recording(first, canvas, 3)
            kill(first)
            said = second.wait(lambda: (now := second.state()["take"]["interruption"]) and now)
            check("a browser that was killed interrupts its recording", second.until_shows(canvas, "take") and said,
                  said)
            note = lambda: second.part(canvas, ".note-text").text
            check("the page says so, with the reason", second.wait(lambda: said in note()), note())
            choices = [second.find(f"#{button}").text for button in ("resume", "stop", "discard")]
            check("it offers to continue, keep or discard", choices == ["Continue", "Keep", "Discard"], choices)
            second.picture(folder / f"killed-{number + 1}.png")
            if number == 1:
                # Twice, before the camera has started.
                second.wait(lambda: second.find("#resume").is_enabled())
                second.run("const button = document.getElementById('resume'); button.click(); button.click()")
                check("a second press while the camera starts changes nothing",
                      "cannot be started" not in second.message, second.message)
                check("Continue records in the other browser", second.until_shows(canvas, "live")
                      and second.wait(lambda: second.camera_width(canvas)))
                time.sleep(2)
                # What is recorded between a look at the clock and Stop would not be in its count.
                second.press("pause")
                second.until_shows(canvas, "take")
            length = second.state()["take"]["seconds"]
            second.press("stop")
            check("the clip has a cover", second.until_shows(canvas, "cover"), second.message)
            found = second.clip(canvas, folder / f"killed-{canvas}")
            least = 2 if number == 0 else 4
            check("the kept clip can be played", least <= found <= length + TOLERANCE, (found, length))
            print(f"       {found:.2f} s were kept; the board counted {length:.2f} s")
        check_policy(second)
    finally:
        second.browser.quit()
        server.end()


def discarded(program, folder):
    """A recording is thrown away, with a second press, and by another window."""
    server = Server(program, folder / "board.json")
    first, second = Window(server, folder / "profile-discarded-1"), Window(server, folder / "profile-discarded-2")
    try:
        first.enter()
        second.enter()
        start_recording(first, "c1", 1)
        first.tap("c2")
        check("a tap while a recording is open says why it does nothing",
              first.wait(lambda: "Stop or discard" in first.message) and first.shows("c2") == "plus", first.message)
        first.press("discard")
        is_asked = first.wait(lambda: "again" in first.message)
        time.sleep(0.5)
        check("one press of Discard discards nothing", is_asked and first.shows("c1") == "live", first.message)
        first.discard()
        check("the second press does", first.until_shows("c1", "preview")
              and first.wait(lambda: first.camera_width("c1")))
        first.press("record")
        first.until_shows("c1", "live")
        second.discard()
        check("another window can discard it", first.until_shows("c1", "preview"))
        first.tap("c2")
        check("the preview moves with its camera", first.until_shows("c2", "preview")
              and first.wait(lambda: first.camera_width("c2")) and first.camera_width("c1") == 0)
        second.wait(lambda: second.shows("c2") == "preview")
        second.part("c2", ".note-main").click()
        check("another window can use its own camera", second.wait(lambda: second.camera_width("c2")))
        second.tap("c1")
        check("when the preview moves away, the camera is off", first.until_shows("c2", "plus") and first.wait(
            lambda: first.run("return Array.from(document.querySelectorAll('video'), video => video.srcObject)"
                              ".every(stream => !stream)")))
        check_policy(first, second)
    finally:
        first.browser.quit()
        second.browser.quit()
        server.end()


def keyboard(program, folder):
    """Everything without a mouse."""
    server = Server(program, folder / "board.json", "2x2")
    page = Window(server, folder / "profile-keyboard")
    focused = lambda: page.run("return document.activeElement.closest('.canvas')?.dataset.canvas ?? null")
    try:
        page.enter()
        keys(page, Keys.ARROW_RIGHT)
        path = [focused()]
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP, Keys.ARROW_UP):
            keys(page, key)
            path.append(focused())
        check("arrow keys go to the canvas in their direction", path == ["c1", "c2", "c4", "c3", "c1", "c1"], path)
        stops = page.run("return document.querySelectorAll('.tap[tabindex=\"0\"]').length")
        check("the Tab key stops at one canvas", stops == 1, stops)
        keys(page, Keys.ENTER)
        check("Enter opens the camera", page.until_shows("c1", "preview")
              and page.wait(lambda: page.camera_width("c1")))
        page.wait(lambda: page.run("return !document.getElementById('record').disabled"))
        keys(page, "r")
        check("r records", page.until_shows("c1", "live"))
        time.sleep(1.2)
        label = page.run("document.activeElement.blur(); return null") or page.wait(
            lambda: "second" in (now := page.part("c1", ".tap").get_attribute("aria-label")) and now)
        check("a screen reader hears what the canvas does", label.startswith("Canvas c1, recording, "), label)
        keys(page, "p")
        check("p pauses", page.until_shows("c1", "take"))
        said = page.run("return document.getElementById('announcement').textContent")
        check("the change is announced", said == "Paused", said)
        keys(page, "p")
        page.until_shows("c1", "live")
        keys(page, "r")
        check("r stops and keeps", page.until_shows("c1", "cover"))
        keys(page, Keys.ARROW_DOWN, Keys.ARROW_UP, "m")
        item = page.run("return document.activeElement.dataset.action")
        check("m opens the menu", item == "play", item)
        keys(page, Keys.END, Keys.ARROW_UP)
        item = page.run("return document.activeElement.dataset.action")
        check("arrow keys move in the menu", item == "removeClip", item)
        page.picture(folder / "keyboard-1.png")
        keys(page, Keys.ENTER)
        check("Enter chooses", page.until_shows("c1", "plus"))
        keys(page, "u")
        check("u undoes", page.until_shows("c1", "cover"))
        keys(page, "U")
        check("Shift u repeats it", page.until_shows("c1", "plus"))
        keys(page, "?")
        is_open = lambda: page.run("return document.getElementById('help-dialog').open")
        check("? opens the help", is_open())
        keys(page, Keys.ESCAPE)
        check("Escape closes it", page.wait(lambda: not is_open()))
        keys(page, Keys.ENTER)
        page.until_shows("c1", "preview")
        page.run("document.querySelector('[name=countdown][value=\"3\"]').click()")
        page.wait(lambda: page.run("return !document.getElementById('record').disabled"))
        keys(page, "r")
        count = page.wait(lambda: page.part("c1", ".count").text)
        check("a countdown comes before the recording", count == "3" and page.shows("c1") == "preview", count)
        page.picture(folder / "keyboard-2.png")
        keys(page, Keys.ESCAPE)
        time.sleep(3.3)
        check("Escape cancels the countdown", page.shows("c1") == "preview")
        keys(page, "r")
        check("after the countdown it records", page.until_shows("c1", "live"))
        keys(page, "d", "d")
        check("d twice discards", page.until_shows("c1", "preview"))
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def records_elsewhere(server, page, folder):
    """Another program records while a file is sent, which therefore waits."""
    def throttle(rate):
        page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": rate})

    page.browser.execute_cdp_cmd("Network.enable", {})
    throttle(1000)
    page.choose("c2", folder / "red.webm")
    page.wait(lambda: "Sending" in page.part("c2", ".note-text").text)
    for command in (["preview", "c1"], ["record", "start", "--replace"]):
        subprocess.run([server.program, "board", *command, "--board", str(server.board)], check=True,
                       stdout=subprocess.DEVNULL)
    page.until_shows("c1", "live")
    check("a recording by another program is called that", "Another program is recording on c1." in page.message
          and page.part("c1", ".note-text").text == "Recorded by another program", page.message)
    check("and can be stopped or discarded", page.find("#stop").text == "Stop" and page.find("#discard").is_displayed(),
          page.find("#stop").text)
    throttle(-1)
    check("a file that arrives meanwhile waits",
          page.wait(lambda: "A recording is in progress" in page.part("c2", ".note-text").text))
    page.picture(folder / "files-4.png")
    record = [server.program, "board", "record"]
    subprocess.run([*record, "stop", "--board", str(server.board)], check=True, stdout=subprocess.DEVNULL)
    check("its clip is waited for, and nothing is being saved",
          page.wait(lambda: "still has to add the clip" in page.message)
          and page.part("c1", ".note-text").text == "Waiting for the clip"
          and page.find("#stop").get_attribute("aria-busy") is None, page.message)
    page.picture(folder / "files-5.png")
    subprocess.run([*record, "discard", "--board", str(server.board)], check=True, stdout=subprocess.DEVNULL)
    check("and becomes a clip afterwards", page.until_shows("c2", "cover"))


def files(program, folder):
    """Files without a camera: chosen, replaced after a question, and refused."""
    draw(folder / "red.webm", ("red", "320x180", 25, 1))
    draw(folder / "lime.webm", ("lime", "320x180", 25, 1))
    (folder / "page.webm").write_text("<!doctype html><title>not a video</title><script>alert(1)</script>\n" * 50)
    server = Server(program, folder / "board.json")
    page = Window(server, folder / "profile-files", more=NO_CAMERA)
    colour = page.cover_colour
    try:
        page.enter()
        page.tap("c1")
        page.until_shows("c1", "preview")
        note = page.wait(lambda: (now := page.part("c1", ".note-text").text).endswith(".") and now)
        check("without a camera the page says what to do", "camera" in note
              and page.part("c1", ".note-main").text == "Try again", note)
        page.picture(folder / "files-1.png")
        page.press("close-camera")
        page.until_shows("c1", "plus")
        page.choose("c1", folder / "red.webm")
        check("a chosen file becomes the clip", page.until_shows("c1", "cover")
              and page.wait(lambda: colour("c1") == "red"))
        page.choose("c1", folder / "lime.webm")
        asked = page.wait(lambda: page.find("#question-text").text)
        page.picture(folder / "files-2.png")
        page.find("#question-no").click()
        time.sleep(0.5)
        check("a clip is not replaced without consent", "red.webm" in asked and colour("c1") == "red", asked)
        page.choose("c1", folder / "lime.webm")
        page.wait(lambda: page.find("#question-yes").is_displayed())
        page.find("#question-yes").click()
        check("with consent it is", page.wait(lambda: colour("c1") == "lime"))
        page.choose("c2", folder / "page.webm")
        said = page.wait(lambda: "page.webm" in (now := page.message) and "Sending" not in now and now)
        check("a file without video is refused with a sentence", said and page.shows("c2") == "plus", page.message)
        page.picture(folder / "files-3.png")
        dropped = page.run("""
            const data = new DataTransfer();
            data.items.add(new File(['<p>'], 'dropped.webm', {type: 'video/webm'}));
            const target = document.querySelector('[data-canvas=c2] .tap');
            for (const type of ['dragenter', 'dragover', 'drop']) {
              target.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data}));
            }
            return true;""")
        check("a dropped file is sent", dropped and page.wait(lambda: "dropped.webm" in page.message), page.message)
        records_elsewhere(server, page, folder)
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def read_only(program, folder):
    """A tab without the write token, and a browser without the cookie."""
    server = Server(program, folder / "board.json")
    page = Window(server, folder / "profile-read-only")
    stranger = None
    try:
        page.enter()
        page.browser.switch_to.new_window("tab")
        page.enter(server.origin + "/")
        check("a tab that was opened by hand shows the board", page.shows("c1") == "plus")
        check("and says how to change it", "open the address that clipcanvas printed" in page.message, page.message)
        revision = page.revision
        page.tap("c1")
        time.sleep(0.5)
        check("a tap there changes nothing", page.revision == revision and page.shows("c1") == "plus")
        shown = [page.find(f"#{button}").is_displayed() for button in ("record", "undo", "add-canvas")]
        check("it shows no button that cannot work", not any(shown), shown)
        page.picture(folder / "read-only-1.png")
        status = None
        try:
            urllib.request.urlopen(server.origin + "/board")
        except urllib.error.HTTPError as error:
            status = error.code
        check("without the cookie the board is closed", status == 401, status)
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def sources(program, folder):
    """No microphone; the screen instead of the camera; a camera that is unplugged while it records."""
    server = Server(program, folder / "board.json", "3x1")
    options = (*CAMERA, "--auto-select-desktop-capture-source=Entire screen")
    page = Window(server, folder / "profile-sources", more=options)
    try:
        page.enter()
        page.tap("c1")
        page.wait(lambda: page.camera_width("c1"))
        page.find("#sources").click()
        offered = page.wait(lambda: (now := page.find("#camera-picker").text.split("\n")) and len(now) > 1 and now)
        check("the cameras are listed by name", offered[0] == "Automatic" and "fake" in offered[1], offered)
        page.find("#microphone-picker option[value=none]").click()
        page.picture(folder / "sources-1.png")
        page.find("#sources").click()
        page.wait(lambda: page.camera_width("c1") and page.find("#level").get_attribute("data-state") == "silent")
        page.press("record")
        page.until_shows("c1", "live")
        time.sleep(1)
        check("a recording keeps its devices", not page.find("#camera-picker").is_enabled())
        page.press("stop")
        page.until_shows("c1", "cover")
        page.clip("c1", folder / "sources-c1")
        streams = probe(folder / "sources-c1", "stream=codec_type").split()
        check("without a microphone the clip has no sound", streams == ["video"], streams)
        page.run("localStorage.clear()")
        page.reload()
        screen(page, folder)
        unplugged(page, folder)
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def screen(page, folder):
    page.tap("c2")
    page.wait(lambda: page.camera_width("c2"))
    camera = "return document.querySelector('[data-canvas=c2] .camera').srcObject?.getVideoTracks()[0]?.label ?? ''"
    before = page.run(camera)
    page.find("#sources").click()
    page.wait(lambda: page.find("#share-screen").is_enabled())
    page.find("#share-screen").click()
    shared = page.wait(lambda: (now := page.run(camera)) != before and now)
    check("the screen takes the place of the camera", shared and page.wait(lambda: page.camera_width("c2")),
          (before, shared))
    page.press("record")
    page.until_shows("c2", "live")
    time.sleep(1.5)
    page.press("stop")
    check("a recording of the screen becomes a clip", page.until_shows("c2", "cover"), page.message)


def unplugged(page, folder):
    start_recording(page, "c3", 2)
    page.run("const [track] = document.querySelector('[data-canvas=c3] .camera').srcObject.getVideoTracks();"
             "track.dispatchEvent(new Event('ended'))")
    check("a camera that is unplugged pauses the recording", page.until_shows("c3", "take"))
    check("the page offers to continue", page.wait(lambda: page.find("#resume").text == "Continue"))
    page.picture(folder / "sources-2.png")
    page.press("resume")
    check("Continue opens the camera again and records", page.until_shows("c3", "live")
          and page.wait(lambda: page.camera_width("c3")), page.message)
    time.sleep(2)
    page.press("pause")
    page.until_shows("c3", "take")
    length = page.state()["take"]["seconds"]
    page.press("stop")
    page.until_shows("c3", "cover")
    found = page.clip("c3", folder / "sources-c3")
    check("the clip has both parts", abs(found - length) <= TOLERANCE, (found, length))


def outage(program, folder):
    """The server stops for a while, and is restarted."""
    server = Server(program, folder / "board.json")
    page = Window(server, folder / "profile-outage")
    try:
        page.enter()
        start_recording(page, "c1", 1.5)
        server.process.send_signal(signal.SIGSTOP)
        said = page.wait(lambda: "wait to be sent" in (now := page.message) and now)
        check("the page says what waits to be sent", said, page.message)
        page.picture(folder / "outage-1.png")
        server.process.send_signal(signal.SIGCONT)
        check("and goes on when the server does", page.wait(lambda: "wait to be sent" not in page.message)
              and page.until_shows("c1", "live"))
        time.sleep(1)
        page.press("pause")
        page.until_shows("c1", "take")
        length = page.state()["take"]["seconds"]
        page.press("stop")
        check("nothing of the recording is lost", page.until_shows("c1", "cover"))
        found = page.clip("c1", folder / "outage-clip")
        check("the clip has its whole length", abs(found - length) <= TOLERANCE, (found, length))
        long_outage(server, page, folder)
        server.process.kill()
        server.process.wait()
        check("a lost connection is said", page.wait(lambda: "Connection lost" in page.message), page.message)
        page.picture(folder / "outage-2.png")
        server.restart()
        check("the page goes on by itself", page.wait(lambda: "Connection lost" not in page.message))
        page.tap("c2")
        check("the old tokens still work", page.until_shows("c2", "preview"), page.message)
    finally:
        page.browser.quit()
        server.end()


def long_outage(server, page, folder):
    """The server is away for longer than a recorder may be silent."""
    start_recording(page, "c2", 1)
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(10)
    server.process.send_signal(signal.SIGCONT)
    check("after a long silence the recording is paused", page.until_shows("c2", "take"), page.shows("c2"))
    page.wait(lambda: page.find("#resume").is_displayed() and page.find("#resume").text == "Resume"
              and "wait to be sent" not in page.message)
    page.press("resume")
    check("and can be resumed where it was", page.until_shows("c2", "live"), page.message)
    time.sleep(1)
    page.press("stop")
    check("it becomes a clip", page.until_shows("c2", "cover"), page.message)
    found = page.clip("c2", folder / "outage-long")
    check("with what was recorded meanwhile", found > 8, found)


def rivals(program, folder):
    """Two windows with their cameras on the same canvas; one records."""
    server = Server(program, folder / "board.json")
    first = Window(server, folder / "profile-1")
    second = Window(server, folder / "profile-2", width=1000, height=700)
    try:
        first.enter()
        second.enter()
        first.tap("c1")
        first.wait(lambda: first.camera_width("c1"))
        second.until_shows("c1", "preview")
        second.part("c1", ".note-main").click()
        check("both windows can have their camera on a canvas", second.wait(lambda: second.camera_width("c1")))
        second.press("record")
        first.until_shows("c1", "live")
        check("the window that does not record says so",
              first.wait(lambda: first.part("c1", ".note-text").text == "Recording in another window"))
        check("and its camera is off", not first.camera_width("c1"))
        first.picture(folder / "rivals-1.png")
        time.sleep(1)
        first.press("stop")
        check("it can stop the recording", second.until_shows("c1", "cover") and first.until_shows("c1", "cover"))
        check("the focus goes from a button that is gone to the canvas", first.wait(lambda: first.run(
            "return document.activeElement.matches('[data-canvas=c1] .tap')")))
        check_policy(first)
    finally:
        first.browser.quit()
        second.browser.quit()
        server.end()


STORIES = {"killed": killed, "discarded": discarded, "keyboard": keyboard, "files": files, "read-only": read_only,
           "sources": sources, "outage": outage, "rivals": rivals}
