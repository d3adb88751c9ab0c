#!/usr/bin/env python3
"""Takes a picture of each step of a recording in a browser: recording.py CLIPCANVAS FOLDER

FOLDER has a board whose last canvas, c6, is empty, board.json, and what the camera sees, camera.y4m. The pictures are
recording-1.png and so on.
"""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Tests/Browser"))

from board_site import CAMERA, Server, Window

CANVAS = "c6"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    server = Server(program, folder / "board.json")
    camera = (*CAMERA, f"--use-file-for-fake-video-capture={folder / 'camera.y4m'}")
    window = Window(server, folder / "profile-recording", 1280, 860, camera)
    phone = Window(server, folder / "profile-phone", 390, 844)
    steps = iter(range(1, 10))
    try:
        window.enter()
        phone.enter()
        # The covers appear one after another.
        time.sleep(1.5)

        def picture(of=window):
            of.picture(folder / f"recording-{next(steps)}.png")

        picture()
        window.tap(CANVAS)
        window.wait(lambda: window.camera_width(CANVAS) > 0)
        time.sleep(0.5)
        picture()
        window.press("record")
        window.until_shows(CANVAS, "live")
        time.sleep(3.5)
        picture()
        picture(phone)
        window.press("pause")
        window.until_shows(CANVAS, "take")
        time.sleep(0.5)
        picture()
        window.press("stop")
        window.until_shows(CANVAS, "cover")
        time.sleep(1)
        picture()
        window.press("play-all")
        time.sleep(1.5)
        picture()
    finally:
        phone.browser.quit()
        window.browser.quit()
        server.end()


main()
