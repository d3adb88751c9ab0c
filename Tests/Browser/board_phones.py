"""Stories of phones that record on a shared board, in a separate network, and of downloads from the page."""

import contextlib
import os
import re
import subprocess
import time

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import ActionChains

from board_site import CAMERA, TOLERANCE, Server, Window, check_policy, probe
from gallery_site import check, draw

# The owner's browser does not ask about the certificate; those of the phones do.
TRUSTING = ("--ignore-certificate-errors",)
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}


class Network:
    """A network for phones, connected to that of this machine, where the server has an address for them."""

    def __init__(self):
        number = os.getpid() % 250
        self.name, self.ours, self.theirs = f"clip{number}", f"clip{number}a", f"clip{number}b"
        self.address, self.phone = f"198.18.{number}.1", f"198.18.{number}.2"

    def __enter__(self):
        for command in (f"netns add {self.name}", f"link add {self.ours} type veth peer name {self.theirs} netns {self.name}",
                        f"addr add {self.address}/24 dev {self.ours}", f"link set {self.ours} up",
                        f"-n {self.name} addr add {self.phone}/24 dev {self.theirs}", f"-n {self.name} link set {self.theirs} up",
                        f"-n {self.name} link set lo up"):
            subprocess.run(["ip", *command.split()], check=True)
        return self

    def __exit__(self, *_):
        subprocess.run(["ip", "netns", "delete", self.name], check=False)

    def wrapper(self, folder):
        """Writes a program that runs Chromium in the network of the phones."""
        path = folder / "chromium-of-a-phone"
        path.write_text(f'#!/bin/sh\nexec ip netns exec {self.name} /usr/bin/chromium "$@"\n')
        path.chmod(0o755)
        return path


class NoNetwork:
    """The loopback interface, where this user cannot make a network."""

    address = "127.0.0.1"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def wrapper(self, folder):
        return None


def network():
    return Network() if os.geteuid() == 0 and os.access("/usr/sbin/ip", os.X_OK) else NoNetwork()


class Phone(Window):
    """A browser with the size of a phone, in the network of the phones."""

    def __init__(self, server, profile, net):
        wrapper = net.wrapper(profile.parent)
        # Through a pipe, because the driver is in another network.
        more = CAMERA + (("--remote-debugging-pipe",) if wrapper else ())
        super().__init__(server, profile, more=more, program=wrapper)
        self.command("Emulation.setDeviceMetricsOverride", **PHONE)
        self.command("Emulation.setTouchEmulationEnabled", enabled=True)

    def open(self, address, warning=None):
        """Opens an invitation and, after the browser's warning, continues; stores a picture of the warning."""
        try:
            self.browser.get(address)
        except WebDriverException as error:
            assert "ERR_CERT" in str(error), error
        if self.browser.title == "Privacy error":
            if warning:
                self.picture(warning)
            # What Chromium takes for the buttons of this page.
            ActionChains(self.browser).send_keys("thisisunsafe").perform()
        return self.wait(lambda: self.find("#name").is_displayed())

    def join(self, address, name):
        """Opens an invitation and accepts it under a name."""
        self.open(address)
        self.find("#name").send_keys(name)
        self.find("#join button").click()

    def is_in(self):
        return self.wait(lambda: self.revision is not None)

    @property
    def problem(self):
        return self.find("#problem").text


def read_code(picture):
    """Returns what zbarimg reads from the code in a picture; None without zbarimg."""
    if not os.access("/usr/bin/zbarimg", os.X_OK):
        return None
    return subprocess.run(["zbarimg", "--quiet", "--raw", str(picture)], stdout=subprocess.PIPE, text=True).stdout.strip()


def invite(owner, again=False):
    """Makes an invitation on the page; returns its address."""
    before = owner.find("#share-address").get_attribute("textContent")
    owner.find("#share-again" if again else "#share").click()
    owner.wait(lambda: owner.find("#share-address").is_displayed()
               and owner.find("#share-address").text not in ("", before))
    return owner.find("#share-address").text


def phones(program, folder):
    """Two phones record in turn, over TLS, from a separate network, and the owner removes one."""
    with network() as net, contextlib.ExitStack() as stack:
        options = ("--share", "--host", net.address)
        server = Server(program, folder / "board.json", "2x1", options, listen="0.0.0.0:0")
        stack.callback(server.end)
        owner = Window(server, folder / "owner", more=CAMERA + TRUSTING)
        stack.callback(owner.browser.quit)
        ann, ben = (Phone(server, folder / name, net) for name in ("ann", "ben"))
        stack.callback(ann.browser.quit)
        stack.callback(ben.browser.quit)
        owner.enter()
        check("the owner is on this machine", server.origin.startswith("https://127.0.0.1:"), server.origin)
        first = let_in(owner, ann, ben, net, folder)
        turns(owner, ann, ben, folder)
        limits(ann, folder)
        removed(owner, ann, ben, first, folder)
        check_policy(owner, ann, ben)


def let_in(owner, ann, ben, net, folder):
    address = invite(owner)
    owner.picture(folder / "invitation.png")
    check("the invitation names the address on the network of the phones",
          address.startswith(f"https://{net.address}:"), address)
    code = read_code(folder / "invitation.png")
    check("another program reads the address from the code on the page", code in (address, None), code)
    shown = owner.find("#share-fingerprint").text.replace("\n", "")
    port = address.split(":")[2].split("/")[0]
    found = subprocess.run(f"openssl s_client -connect {net.address}:{port} </dev/null 2>/dev/null"
                           " | openssl x509 -noout -fingerprint -sha256", shell=True, stdout=subprocess.PIPE, text=True).stdout
    check("the page shows the fingerprint of the certificate", found.strip().endswith("=" + shown), (found, shown))
    check("the phone's browser warns of the certificate, and can continue",
          ann.open(address, folder / "warning.png") and (folder / "warning.png").exists(), ann.browser.title)
    check("the token is in no address that stays", "#" not in ann.browser.current_url, ann.browser.current_url)
    ann.picture(folder / "join.png")
    ann.find("#name").send_keys("Ann <b>")
    ann.find("#join button").click()
    check("a phone gets in", ann.is_in() and ann.find("#guest-name").text == "Ann <b>", ann.browser.page_source[:300])
    check("the page shows who has joined, and shows the code no longer", owner.wait(
        lambda: owner.find("#share-note").text == "Ann <b> has joined.") and not owner.find("#share-code").is_displayed())
    ben.join(address, "Ben")
    problem = ben.wait(lambda: ben.problem)
    check("a code works once", problem and "was used already" in problem, problem)
    ben.picture(folder / "used.png")
    ben.join(invite(owner, again=True), "Ben")
    check("another phone gets in with another code", ben.is_in(), ben.browser.page_source[:300])
    owner.wait(lambda: owner.find("#share-note").text == "Ben has joined.")
    owner.picture(folder / "guests.png")
    owner.find("#share-dialog .strong").click()
    return address


def turns(owner, ann, ben, folder):
    ann.tap("c1")
    check("a phone has a camera over TLS", ann.wait(lambda: ann.camera_width("c1")), ann.message)
    ann.picture(folder / "camera.png")
    ann.press("record")
    ann.until_shows("c1", "live")
    text = lambda window: window.part("c1", ".note-text").text
    check("the owner sees who records where", owner.until_shows("c1", "live")
          and owner.wait(lambda: text(owner) == "Ann <b> is recording on c1"), text(owner))
    check("and so does the other phone", ben.wait(lambda: ben.message.startswith("Ann <b> is recording on c1. You can")),
          ben.message)
    ben.tap("c2")
    check("which learns when it can record", ben.wait(
        lambda: ben.message == "Ann <b> is recording on c1; you can record when that has ended."), ben.message)
    check("and has no buttons for the other's recording", not any(
        ben.find(f"#{button}").is_displayed() for button in ("stop", "pause", "resume", "discard")))
    ben.picture(folder / "turn.png")
    owner.picture(folder / "recording.png")
    time.sleep(1)
    ann.press("pause")
    ann.until_shows("c1", "take")
    length = owner.state()["take"]["seconds"]
    ann.press("stop")
    check("the recording becomes a clip", ann.until_shows("c1", "cover") and owner.until_shows("c1", "cover"), ann.message)
    clip = next((folder / "board.clips").iterdir())
    seconds = float(probe(clip, "format=duration").strip() or "nan")
    check("which is whole", abs(seconds - length) <= TOLERANCE, (seconds, length))
    ben.tap("c2")
    check("then the other phone records", ben.wait(lambda: ben.camera_width("c2")), ben.message)
    ben.press("record")
    ben.until_shows("c2", "live")
    time.sleep(1)
    ben.press("stop")
    check("on its canvas", ben.until_shows("c2", "cover") and owner.until_shows("c2", "cover"), ben.message)


def limits(ann, folder):
    """What a guest is not offered."""
    ann.tap("c2")
    ann.until_shows("c2", "preview")
    check("the clip of another is played, but cannot be replaced", ann.wait(
        lambda: not ann.part("c2", ".note-main").is_displayed()) and ann.find("#record").get_attribute("disabled"))
    ann.press("close-camera")
    ann.until_shows("c2", "cover")
    ann.part("c2", ".more").click()
    shown = ann.run("""return Array.from(document.querySelectorAll('#menu button'))
                       .filter((item) => item.checkVisibility()).map((item) => [item.dataset.action, item.disabled])""")
    check("the menu has only what looks at a clip, and recording, which is disabled", dict(shown) == {
        "play": False, "record": True, "takes": False, "download": False}, shown)
    ann.picture(folder / "menu.png")
    ann.run("document.getElementById('menu').hidePopover()")
    hidden = [name for name in ("share", "download", "undo", "redo", "add-canvas")
              if ann.run("return document.getElementById(arguments[0]).checkVisibility()", name)]
    check("the buttons of the owner are not there", not hidden, hidden)
    ann.tap("c1")
    ann.until_shows("c1", "preview")
    check("its own clip can be recorded again", ann.wait(lambda: ann.part("c1", ".note-main").text == "Record again"))
    ann.press("close-camera")
    ann.until_shows("c1", "cover")


def removed(owner, ann, ben, first, folder):
    owner.find("#share").click()
    owner.wait(lambda: len(owner.browser.find_elements("css selector", "#share-guests li")) == 2)
    owner.find("#share-guests li button").click()
    check("a phone that is removed is out", ann.wait(lambda: "no access any more" in ann.message), ann.message)
    ann.picture(folder / "removed.png")
    owner.wait(lambda: len(owner.browser.find_elements("css selector", "#share-guests li")) == 1)
    ben.tap("c2")
    check("the other is not", ben.until_shows("c2", "preview"), ben.message)
    ann.browser.get(first.split("#")[0])
    check("an address without its token is explained", ann.wait(lambda: "not complete" in ann.problem), ann.problem)


# Chromium on Linux shares nothing. Browsers refuse to when the press was too long ago.
SHARING = """
    window.shared = [];
    window.refusals = 1;
    navigator.canShare = () => true;
    navigator.share = async ({ files }) => {
      if (window.refusals-- > 0) throw new DOMException("the press was too long ago", "NotAllowedError");
      window.shared.push(...files.map((file) => `${file.name} ${file.size} ${file.type}`));
    };"""


def share(page, name):
    def press():
        page.part("c1", ".more").click()
        page.find("#menu [data-action=shareClip]").click()
    def loads():
        return page.run("return performance.getEntriesByType('resource').filter((one) => one.name.includes('/clips/c1')).length")
    press()
    check("a clip that took long to load is to be shared again", page.wait(lambda: "share it again" in page.message),
          page.message)
    before, size = loads(), len(page.fetch(f"/clips/c1/{page.state()['canvases'][0]['clip']['generation']}"))
    press()
    check("and is shared then", page.wait(lambda: page.run("return window.shared") == [f"{name} {size} video/webm"]),
          page.run("return window.shared"))
    check("without being loaded again", loads() == before, loads())


def downloads(program, folder):
    """A clip, the board as a video with its progress, and the board as a picture."""
    draw(folder / "red.webm", ("red", "320x180", 25, 8))
    server = Server(program, folder / "board.json", "2x1")
    page = Window(server, folder / "profile")
    stored = folder / "stored"
    stored.mkdir()
    try:
        page.command("Page.addScriptToEvaluateOnNewDocument", source=SHARING)
        page.enter()
        page.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(stored))
        page.find("#download").click()
        check("without clips no video can be made", page.find("#video-make").get_attribute("disabled"))
        page.find("#download-dialog .strong").click()
        page.choose("c1", folder / "red.webm")
        page.until_shows("c1", "cover")
        page.run("document.getElementById('file').value = ''")
        page.part("c1", ".more").click()
        page.find("#menu [data-action=download]").click()
        name = page.state()["canvases"][0]["clip"]["name"]
        clip = stored / name
        check("a clip is stored under its name", page.wait(lambda: is_whole(clip))
              and clip.read_bytes() == (folder / "board.clips" / name).read_bytes(), list(stored.iterdir()))
        share(page, name)
        video(page, folder, stored)
        page.find("#picture-save").click()
        picture = stored / "board.png"
        check("the picture of the board is stored", page.wait(lambda: is_whole(picture))
              and picture.read_bytes().startswith(b"\x89PNG"), list(stored.iterdir()))
        check_policy(page)
    finally:
        page.browser.quit()
        server.end()
    left = list((folder / "state/clipcanvas").glob("export-*"))
    check("the server leaves no video", not left, left)


def video(page, folder, stored):
    page.find("#download").click()
    page.find("#video-make").click()
    seen = set()
    def is_done():
        seen.add(page.find("#video-note").text)
        return page.find("#video-save").is_displayed()
    page.wait(lambda: page.find("#video-progress").is_displayed())
    page.picture(folder / "progress.png")
    check("a video of the board is made", page.wait(is_done), page.find("#video-note").text)
    check("with its progress", any(re.fullmatch(r"\d+ %", text) for text in seen), seen)
    page.picture(folder / "done.png")
    page.find("#video-save").click()
    file = stored / "board.mp4"
    seconds = lambda: float(probe(file, "format=duration").strip() or "nan")
    check("and stored", page.wait(lambda: is_whole(file)) and abs(seconds() - 8) < 0.5, list(stored.iterdir()))
    page.find("#video-make").click()
    page.wait(lambda: page.find("#video-cancel").is_displayed())
    page.find("#video-cancel").click()
    check("another can be cancelled", page.wait(lambda: page.find("#video-note").text.startswith("All clips")),
          page.find("#video-note").text)
    check("and leaves nothing", page.state()["export"] is None)


def is_whole(file):
    return file.exists() and file.stat().st_size > 0 and not file.with_name(file.name + ".crdownload").exists()


STORIES = {"phones": phones, "downloads": downloads}
