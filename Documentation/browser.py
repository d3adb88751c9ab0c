#!/usr/bin/env python3
"""Takes the picture of a board in a browser for the README: browser.py CLIPCANVAS FOLDER

FOLDER has the board, board.json, and what the camera sees, camera.y4m.
"""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Tests/Browser"))

from board_site import CAMERA, Server, Window


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    server = Server(program, folder / "board.json")
    camera = (*CAMERA, f"--use-file-for-fake-video-capture={folder / 'camera.y4m'}")
    window = Window(server, folder / "profile", 1280, 860, camera)
    window.enter()
    window.tap("c5")
    window.wait(lambda: window.camera_width("c5") > 0)
    window.press("record")
    window.until_shows("c5", "live")
    time.sleep(4.5)  # The picture shows how long the recording is.
    window.picture(folder / "browser.png")
    window.browser.quit()
    server.end()


main()
