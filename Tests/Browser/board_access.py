"""Stories of how people get to a served board, and of the page's messages when something is in the way."""

import fcntl
import os

from board_site import NO_CAMERA, Server, Window, check_policy
from gallery_site import check, draw


def entrance(program, folder):
    """From the file that --open writes, from a link, and by the typed address; and without what lets somebody in."""
    (folder / "bin").mkdir()
    opener, opened = folder / "bin/xdg-open", folder / "opened.html"
    opener.write_text(f'#!/bin/sh\ncp "$1" {opened}.part && mv {opened}.part {opened}\n')
    opener.chmod(0o755)
    server = Server(program, folder / "board.json", options=("--open",),
                    environment={"PATH": f"{opener.parent}:{os.environ['PATH']}"})
    (folder / "link.html").write_text(f'<!doctype html><a href="{server.address}">board</a>')
    try:
        for way in ("--open", "link", "typed"):
            page = Window(server, folder / f"profile-{way}")
            try:
                enter(page, way, folder, opened)
            finally:
                page.browser.quit()
        refused(server, folder)
    finally:
        server.end()


def enter(page, way, folder, opened):
    page.wait(opened.exists)
    page.browser.get({"--open": opened.as_uri(), "link": (folder / "link.html").as_uri(),
                      "typed": page.server.address}[way])
    if way == "link":
        page.find("a").click()
    page.wait(lambda: page.revision is not None)
    check(f"{way}: the board is shown", page.browser.current_url == page.server.origin + "/", page.browser.current_url)
    page.tap("c1")
    check(f"{way}: the page can change the board", page.until_shows("c1", "preview"), page.message)
    page.press("close-camera")
    page.until_shows("c1", "plus")
    page.reload()
    check(f"{way}: and still can after it is loaded again", page.find("#undo").is_displayed())
    addresses = [entry["url"] for entry in page.command("Page.getNavigationHistory")["entries"]]
    check(f"{way}: no token is in the history", not any("token" in one or "#" in one for one in addresses), addresses)
    check_policy(page)


def refused(server, folder):
    page = Window(server, folder / "profile-stranger")
    text = lambda: page.run("return document.querySelector('main')?.innerText ?? ''")
    try:
        page.browser.get(server.origin)
        check("without the cookie a page says how to get in", "open the address that" in text(), page.browser.page_source)
        check("it looks as it should", page.run("return getComputedStyle(document.body).display") == "grid")
        page.picture(folder / "entrance-1.png")
        page.browser.get(server.origin + "/?token=old")
        check("an old address is explained", "This address is not valid" in text(), text())
        page.command("Emulation.setScriptExecutionDisabled", value=True)
        page.browser.get(server.address)
        check("without scripts a page says so", "needs JavaScript" in page.find("main").text, page.find("main").text)
        page.picture(folder / "entrance-2.png")
        page.command("Emulation.setScriptExecutionDisabled", value=False)
        (folder / "board.html").write_text(f'<!doctype html><a href="{server.origin}/">board</a>')
        page.open(folder / "board.html")
        page.find("a").click()
        check("a link on another site is explained", page.wait(lambda: "came from another page" in text()), text())
        page.find("main a").click()
        page.wait(lambda: page.revision is not None)
        check("and the board is one click away", page.shows("c1") == "plus")
    finally:
        page.browser.quit()


def obstacles(program, folder):
    """Another program changes the board, damages it, and another board takes its place."""
    draw(folder / "red.webm", ("red", "320x180", 25, 1))
    draw(folder / "lime.webm", ("lime", "320x180", 25, 1))
    server = Server(program, folder / "board.json")
    page = Window(server, folder / "profile-obstacles", width=390, height=844, more=NO_CAMERA)
    try:
        page.enter()
        page.choose("c1", folder / "red.webm")
        check("a cover is shown", page.until_shows("c1", "cover") and page.wait(lambda: page.cover_colour("c1") == "red"))
        busy(page, folder)
        busy_file(page, folder)
        damaged(page, folder)
        same_address(page, folder)
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()


def busy(page, folder):
    with open(folder / ".board.json.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        page.tap("c2")
        said = page.wait(lambda: "board.json" in (now := page.message) and now)
        check("a board that is locked is not a server that does not answer",
              said == "board.json is being changed by another program; try again in a moment.", page.message)


def busy_file(page, folder):
    """A file arrives while another program changes the board."""
    with open(folder / ".board.json.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        page.choose("c2", folder / "lime.webm")
        said = page.wait(lambda: "changed by another program" in (now := page.part("c2", ".note-text").text) and now)
        check("a file waits until the board can be changed, and says so", said, page.message)
    check("then it is added", page.until_shows("c2", "cover"), page.message)
    page.part("c2", ".more").click()
    page.find("#menu [data-action=removeClip]").click()
    page.until_shows("c2", "plus")


def damaged(page, folder):
    whole = (folder / "board.json").read_bytes()
    bottom = lambda: page.run("return document.getElementById('board').getBoundingClientRect().bottom")
    page.wait(lambda: page.message.startswith(("Click", "Tap")))
    before = bottom()
    (folder / "new").write_text("{")
    (folder / "new").rename(folder / "board.json")
    said = page.wait(lambda: "damaged" in (now := page.message) and now)
    check("a damaged board is explained in a sentence", said.startswith("board.json is damaged") and said.endswith("."),
          said)
    check("the board stays where it is", bottom() == before, (before, bottom()))
    more = page.find("#message-more")
    check("a text that is cut can be read", page.wait(more.is_displayed) and more.accessible_name == "More")
    page.picture(folder / "obstacles-1.png")
    more.click()
    line = "const line = document.getElementById('message'); return line.scrollHeight <= line.clientHeight + 1"
    check("in full, over the board", page.run(line) and bottom() == before)
    page.picture(folder / "obstacles-2.png")
    more.click()
    check("and is cut again", not page.run(line))
    (folder / "new").write_bytes(whole)
    (folder / "new").rename(folder / "board.json")
    page.wait(lambda: "damaged" not in page.message)


def same_address(page, folder):
    """The same canvas and generation on another board, while the page is open and after it was loaded again."""
    generation = page.state()["canvases"][0]["clip"]["generation"]
    server = page.server
    server.end()
    for name in ("board.json", "board.clips"):
        (folder / name).rename(folder / f"old-{name}")
    server.new_board()
    server.restart()
    page.wait(lambda: page.shows("c1") == "plus")
    while int(page.revision) < generation - 1:
        revision = page.revision
        page.tap("c2")
        page.wait(lambda: page.revision != revision)
    page.choose("c1", folder / "lime.webm")
    page.until_shows("c1", "cover")
    check("the new clip has the old generation", page.state()["canvases"][0]["clip"]["generation"] == generation)
    check("another board shows its own cover", page.wait(lambda: page.cover_colour("c1") == "lime"), page.cover_colour("c1"))
    page.browser.refresh()
    page.wait(lambda: page.shows("c1") == "cover")
    check("also after the page is loaded again", page.wait(lambda: page.cover_colour("c1")) == "lime",
          page.cover_colour("c1"))
