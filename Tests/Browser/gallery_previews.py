"""Previews in a gallery: under the pointer, under keyboard focus, under a finger, and with reduced motion."""

import io
import time

from PIL import Image
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from gallery_site import COLOURS, check, keys
from storyboard_player import near


def colour(shot):
    picture = Image.open(io.BytesIO(shot.screenshot_as_png)).convert("RGB")
    pixel = picture.getpixel((picture.width // 2, picture.height // 3))
    return next((name for name in COLOURS if near(pixel, name)), str(pixel))


def point(page, shot, share):
    offset = round((share - 0.5) * shot.size["width"])
    ActionChains(page.browser).move_to_element_with_offset(shot, offset, 0).perform()


def shot_of(page, name):
    return page.tile(name).find_element(By.CSS_SELECTOR, ".shot")


def previews(page, folder):
    page.open(folder / "story.html")
    loaded = [address for address in page.requests() if "storyboard/" in address or "preview.webp" in address]
    check("no preview is loaded before it is wanted", not loaded, loaded)
    shot = shot_of(page, "alpha.webm")
    for share, wanted in ((0.1, "red"), (0.5, "lime"), (0.9, "blue")):
        point(page, shot, share)
        check(f"at {share:.0%} of the tile, the storyboard shows {wanted}", page.wait(lambda: colour(shot) == wanted),
              colour(shot))
    point(page, page.find("h1"), 0.5)
    check("the cover is back when the pointer has left", page.wait(lambda: colour(shot) == "red"), colour(shot))

    page.open(folder / "animated.html")
    shot = shot_of(page, "alpha.webm")
    point(page, shot, 0.5)
    seen = set()
    check("the animation plays under the pointer",
          page.wait(lambda: seen.add(colour(shot)) or {"lime", "blue"} <= seen), seen)
    point(page, page.find("h1"), 0.5)
    keys(page, "/", "alpha", Keys.ENTER)
    check("the animation plays under keyboard focus", page.wait(lambda: colour(shot) in ("lime", "blue")), colour(shot))


def stillness(page, folder):
    page.media(reduced_motion="reduce")
    page.open(folder / "animated.html")
    requests = len(page.requests())
    shot = shot_of(page, "alpha.webm")
    point(page, shot, 0.5)
    button = page.wait(lambda: page.browser.find_elements(By.CSS_SELECTOR, "button.preview"))
    time.sleep(0.5)
    keys(page, "/", "alpha", Keys.ENTER)
    time.sleep(0.8)
    loaded = [address for address in page.requests()[requests:] if "preview.webp" in address]
    check("with reduced motion, neither pointer nor focus plays an animation", not loaded, loaded)
    keys(page, "p")
    check("with reduced motion, P plays it", page.wait(lambda: colour(shot) in ("lime", "blue")), colour(shot))
    keys(page, "p")
    for element in button:
        element.click()
    check("with reduced motion, a button plays it",
          button and page.wait(lambda: colour(shot) in ("lime", "blue")), colour(shot))
    page.media()


def touch(page, folder):
    page.command("Emulation.setTouchEmulationEnabled", enabled=True)
    page.open(folder / "story.html")
    shot = shot_of(page, "alpha.webm")
    box = page.run("const box = arguments[0].getBoundingClientRect(); return [box.left, box.top, box.width]", shot)

    def finger(kind, share):
        points = [] if share is None else [{"x": box[0] + share * box[2], "y": box[1] + 20}]
        page.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    finger("touchStart", 0.5)
    held = page.wait(lambda: colour(shot) == "lime")
    finger("touchMove", 0.9)
    moved = page.wait(lambda: colour(shot) == "blue")
    finger("touchEnd", None)
    gone = page.wait(lambda: colour(shot) == "red")
    check("a finger that is held shows the storyboard, and follows it", held and moved and gone, (held, moved, gone))
    page.run("arguments[0].dispatchEvent(new PointerEvent('pointerdown', {pointerType: 'touch', bubbles: true}))", shot)
    page.wait(lambda: page.run("return arguments[0].querySelector('canvas') !== null", shot))
    is_open = page.run("arguments[0].dispatchEvent(new PointerEvent('pointerup', {pointerType: 'touch', bubbles: true}));"
                       "arguments[0].click(); return document.getElementById('player').open", shot)
    check("a finger that was held opens no player", not is_open)
    page.command("Emulation.setTouchEmulationEnabled", enabled=False)
