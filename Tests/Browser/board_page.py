#!/usr/bin/env python3
"""Records on a served board as a person does, in Chromium with a camera that Chromium draws.

    board_page.py CLIPCANVAS FOLDER [STORY ...]

CLIPCANVAS is the program; FOLDER is where each story makes a folder with its board and screenshots. Prints a line for
each check, and exits with status 1 if one fails.
"""

import pathlib
import shutil
import sys
import time

from board_access import entrance, obstacles
from board_attacks import DISK_STORIES, STORIES as ATTACKS
from board_convergence import STORIES as CONVERGENCE
from board_looks import STORIES as LOOKS
from board_people import STORIES as PEOPLE
from board_phones import STORIES as PHONES
from board_site import TOLERANCE, Server, Window, check_policy
from board_stories import STORIES
from board_takes import STORIES as TAKES
from gallery_site import check, failed

# Longer than what a clip and the board's time may differ by, so that a recorded pause is noticed, in seconds.
PAUSE = 2 * TOLERANCE


def record(window, canvas, *segments):
    """Records segments with pauses between them; returns their duration according to the board."""
    window.tap(canvas)
    window.wait(lambda: window.camera_width(canvas))
    window.press("record")
    window.until_shows(canvas, "live")
    for number, seconds in enumerate(segments):
        if number > 0:
            window.press("pause")
            window.until_shows(canvas, "take")
            time.sleep(PAUSE)
            window.press("resume")
            window.until_shows(canvas, "live")
        time.sleep(seconds)
    window.press("pause")
    window.until_shows(canvas, "take")
    length = window.state()["take"]["seconds"]
    window.press("stop")
    return length


def story(program, folder):
    server = Server(program, folder / "board.json")
    first = Window(server, folder / "profile-1")
    second = Window(server, folder / "profile-2", width=1000, height=700)
    pictures = iter(range(1, 100))
    picture = lambda window=first: window.picture(folder.parent / f"story-{next(pictures)}.png")
    try:
        first.enter()
        second.enter()
        check("a new board shows plus signs", first.shows("c1") == first.shows("c2") == "plus")
        check("the write token is not in the address", "#" not in first.browser.current_url, first.browser.current_url)
        picture()
        first.tap("c1")
        width = first.wait(lambda: first.camera_width("c1"))
        check("a tap shows the camera in the canvas", width > 0 and first.shows("c1") == "preview", width)
        check("the other window opens no camera", second.until_shows("c1", "preview")
              and second.camera_width("c1") == 0 and "another window" in second.part("c1", ".note-text").text)
        picture()
        picture(second)
        # The page keeps what the badge shows: on a busy machine this program looks too late.
        first.run("""window.badges = [];
            new MutationObserver(() => badges.push(document.querySelector("[data-canvas=c1] .badge").innerText))
                .observe(document.querySelector("[data-canvas=c1]"), {childList: true, characterData: true, subtree: true})""")
        first.press("record")
        check("Record records", first.until_shows("c1", "live") and second.until_shows("c1", "live"))
        badges = first.wait(lambda: (now := first.run("return badges")) and max(now) >= "REC 0:01" and now)
        check("the canvas shows the time of the recording", badges and "REC 0:01" in badges, badges)
        picture()
        first.press("pause")
        check("Pause pauses", first.until_shows("c1", "take"))
        before = first.state()["take"]["seconds"]
        time.sleep(PAUSE)
        picture()
        check("a pause is not counted", first.state()["take"]["seconds"] == before)
        first.press("resume")
        first.until_shows("c1", "live")
        time.sleep(1.2)
        second.press("pause")
        check("another window can pause", first.until_shows("c1", "take"))
        length = first.state()["take"]["seconds"]
        first.press("stop")
        check("after Stop both windows show the cover", first.until_shows("c1", "cover")
              and second.until_shows("c1", "cover") and second.wait(lambda: second.run(
                  "return document.querySelector('[data-canvas=c1] .cover').naturalWidth > 0")))
        check("the camera is off after Stop", first.camera_width("c1") == 0)
        picture()
        picture(second)
        found = first.clip("c1", folder / "c1-clip")
        check("the clip is as long as its segments", abs(found - length) <= TOLERANCE, (found, length))
        print(f"       the clip has {found:.2f} s, its segments {length:.2f} s")

        check("Play all waits for all clips", first.run("return document.getElementById('play-all').disabled"))
        length = record(first, "c2", 1.5)
        check("the second canvas has a cover", first.until_shows("c2", "cover"))
        found = first.clip("c2", folder / "c2-clip")
        check("the second clip is as long as its recording", abs(found - length) <= TOLERANCE, (found, length))
        play_all(first, picture)
        undo(first, second, picture)
        check_policy(first, second)
    finally:
        first.browser.quit()
        second.browser.quit()
        server.end()


def play_all(window, picture):
    window.press("play-all")
    # On a busy machine one clip may start later; the page then brings them together by their speed.
    times = lambda: window.run("""
        const clips = Array.from(document.querySelectorAll('.clip'));
        return clips.some(clip => clip.ended) ? [] : clips.map(clip => clip.currentTime)""")
    gaps = []
    def are_together():
        if len(now := times()) == 2 and min(now) > 0.5:
            gaps.append(abs(now[0] - now[1]))
            return gaps[-1] <= 1 / 30
    check("Play all plays both clips within a frame of each other", window.wait(are_together), gaps)
    print(f"       the clips are {1000 * gaps[-1]:.1f} ms apart, {1000 * gaps[0]:.1f} ms at first" if gaps else "")
    picture()
    over = window.wait(lambda: window.run("return document.getElementById('play-all').dataset.state") == "off")
    check("it ends with the clips", over and window.shows("c1") == "cover")


def undo(first, second, picture):
    full = lambda: sum(canvas["clip"] is not None for canvas in first.state()["canvases"])
    said = first.find("#undo").get_attribute("title")
    check("Undo says what it undoes", said.startswith("Undo: ") and len(said) > 8, said)
    for _ in range(5):
        if full() < 2:
            break
        revision = first.revision
        first.press("undo")
        first.wait(lambda: first.revision != revision)
    check("Undo takes the last clip away", full() == 1)
    first.press("redo")
    check("Redo brings it back", first.wait(lambda: full() == 2))
    same = first.wait(lambda: first.revision == second.revision)
    check("both windows are at the same revision", same, (first.revision, second.revision))
    picture()


def main():
    program, folder = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
    stories = {"story": story, "entrance": entrance, "obstacles": obstacles, **STORIES, **LOOKS, **PEOPLE,
               **TAKES, **PHONES, **ATTACKS, **CONVERGENCE}
    for name in sys.argv[3:] or stories:
        print(f"       {name}", flush=True)
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir(parents=True)
        (stories | DISK_STORIES)[name](program, folder / name)
    print(f"{len(failed)} checks failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
