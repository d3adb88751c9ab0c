#!/usr/bin/env python3
"""Uses a gallery as a person does, in Chromium: previews, keyboard, player, filters, phone, and without script.

The page is opened as a file. The clips have known colours, so what a preview shows is known.

    gallery_page.py CLIPCANVAS FOLDER

CLIPCANVAS is the program; FOLDER is where the clips and their galleries are made. Prints a line for each check, and
exits with status 1 if one fails.
"""

import pathlib
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from gallery_previews import previews, stillness, touch
from gallery_site import HOSTILE_NAMES, Page, check, failed, keys, make, multiply


def keyboard(page, folder):
    page.open(folder / "story.html")
    keys(page, "/")
    check("/ goes to the search", page.run("return document.activeElement.name") == "q")
    keys(page, "clip", Keys.ENTER)
    names = page.names()
    check("the search finds names", names == [f"clip {number}.webm" for number in range(10)], names)
    check("Enter goes to the first clip", page.focused() == names[0], page.focused())
    boxes = page.run("return Array.from(document.querySelectorAll('.card')).filter(card => card.checkVisibility())"
                     ".map(card => card.getBoundingClientRect().toJSON())")
    columns = sum(box["top"] == boxes[0]["top"] for box in boxes)
    path = [(Keys.ARROW_RIGHT, 1), (Keys.ARROW_DOWN, 1 + columns), (Keys.ARROW_LEFT, columns), (Keys.ARROW_UP, 0),
            (Keys.END, 9), (Keys.HOME, 0)]
    seen = []
    for key, _ in path:
        keys(page, key)
        seen.append(page.focused())
    check("arrow keys move in two dimensions", 1 < columns < 9 and seen == [names[place] for _, place in path],
          (columns, seen))
    keys(page, Keys.ENTER)
    title = lambda: page.find("#player-name").text
    check("Enter opens the player", page.wait(lambda: title() == names[0]), title())
    check("the player plays the clip itself", page.wait(
        lambda: page.run("const video = document.querySelector('video'); return video.videoWidth === 64"
                         " && decodeURIComponent(video.currentSrc).endsWith('films/two/clip 0.webm')")))
    facts = page.find("#player-facts").text
    check("the player shows facts", all(fact in facts for fact in ("0.5 s", "64×36", "vp8", "10 fps")), facts)
    keys(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT)
    check("arrow keys turn to other clips", page.wait(lambda: title() == names[1]), title())
    address = page.browser.current_url
    page.browser.refresh()
    check("the open clip is in the address", page.wait(lambda: title() == names[1]), address)
    keys(page, Keys.ESCAPE)
    check("Escape closes the player, and focus is on its clip",
          page.wait(lambda: not page.run("return document.getElementById('player')?.open")
                    and page.focused() == names[1]), page.focused())
    keys(page, Keys.ENTER)
    page.wait(lambda: page.run("return document.getElementById('player')?.open"))
    page.browser.back()
    check("going back closes the player", page.wait(
        lambda: not page.run("return document.getElementById('player')?.open")) and page.names() == names)
    keys(page, Keys.ENTER)
    page.browser.refresh()
    page.open(folder / "story.html")
    page.tile("gamma.mkv").find_element(By.TAG_NAME, "a").click()
    words = page.wait(lambda: page.find("#unplayable").text)
    check("a clip that cannot be played says so beside its cover and its link", "cannot play" in words and page.run(
        "const still = document.querySelector('#stage img'); return still.checkVisibility() && still.naturalWidth === 64"
        " && decodeURIComponent(document.getElementById('player-file').href).endsWith('films/one/gamma.mkv')"), words)


def choices(page, folder):
    page.open(folder / "story.html")
    everything = page.names()
    ones = lambda: [name for name in page.names() if name in ("alpha.webm", "beta.webm", "gamma.mkv", "delta.webm")]
    page.choose("group", "none")
    for order, wanted in (("name", "alpha beta delta gamma"), ("time", "beta alpha delta gamma"),
                          ("seconds", "delta beta alpha gamma")):
        page.choose("sort", order)
        page.choose("reverse", False)
        check(f"sorted by {order}", [name.split(".")[0] for name in ones()] == wanted.split(), ones())
        page.choose("reverse", True)
        check(f"sorted by {order}, reversed", [name.split(".")[0] for name in ones()] == wanted.split()[::-1], ones())
    page.choose("sort", "bytes")
    page.choose("reverse", False)
    sizes = page.run("return Array.from(document.querySelectorAll('.card'), card => Number(card.dataset.bytes))")
    check("sorted by size", sizes == sorted(sizes, reverse=True) and len(set(sizes)) > 3, sizes)
    for control, value, wanted in (
            ("duration", "0-10", set(everything) - {"beta.webm", "delta.webm"}), ("duration", "10-60", {"beta.webm"}),
            ("duration", "60-600", {"delta.webm"}), ("duration", "600-", set()), ("codec", "ffv1", {"gamma.mkv"}),
            ("show", "degraded", {"no-keyframe.mkv"}), ("show", "dark", {"delta.webm"}), ("show", "failed", set())):
        page.choose(control, value)
        names = page.names()
        check(f"only {control} {value}", set(names) == wanted and len(names) == len(set(names)), names)
        page.choose(control, "")
    widths = []
    for size in range(1, 6):
        page.choose("size", str(size))
        widths.append(page.run("return document.querySelector('.card').getBoundingClientRect().width"))
    check("tiles have five sizes", widths == sorted(set(widths)) and len(widths) == 5, widths)

    page.choose("group", "")
    page.choose("q", "webm")
    page.find("details.group:nth-of-type(2) > summary").click()
    folded = page.wait(lambda: "fold=" in page.browser.current_url)
    state = lambda: (page.names(), page.run("return Array.from(document.querySelectorAll('#tools [name]'),"
                                            " control => control.type === 'checkbox' ? control.checked : control.value)"))
    before, address = state(), page.browser.current_url
    page.browser.refresh()
    check("the state survives a reload", folded and state() == before and "gamma.mkv" not in before[0], address)
    page.browser.get("about:blank")
    page.browser.back()
    check("the state survives going back", page.wait(lambda: state() == before), page.browser.current_url)
    page.open(folder / "story.html", "#sort=nonsense&size=9&fold=no&clip=javascript:alert(1)&unknown=1")
    check("an address of nonsense shows all clips", page.names() == everything)


def dates(page, folder):
    """The clip gamma.mkv states when it was recorded; the dates of three other clips are those of their files."""
    page.open(folder / "story.html")
    headings = lambda: page.run("return Array.from(document.querySelectorAll('details.group h2'), title => title.textContent)")
    page.choose("group", "month")
    months = headings()
    check("clips are grouped by month, the latest first",
          len(months) == 3 and months[1:] == ["November 2023", "February 2019"], months)
    members = page.run("return Array.from(document.querySelectorAll('details.group')).at(-1).querySelector('.name').textContent")
    check("a clip is in the month of its recording", members == "gamma.mkv", members)
    page.choose("group", "day")
    days = headings()
    check("clips are grouped by day", len(days) == 5 and days[-1] == "Sunday, February 3, 2019"
          and days[-2] == "Tuesday, November 14, 2023", days)
    page.choose("reverse", True)
    check("days are reversed, too", headings() == days[::-1], headings())
    page.find("details.group > summary").click()
    page.wait(lambda: "fold=2019-02-03" in page.browser.current_url)
    before = page.names()
    page.browser.refresh()
    check("a folded day survives a reload", page.names() == before and "gamma.mkv" not in before, before)


def alike(page, folder):
    """Of six clips in two folders, two pairs look alike; the gray ones are too plain to compare."""
    page.open(folder / "pairs.html")
    headings = lambda: page.run("return Array.from(document.querySelectorAll('details.group'))"
                                ".filter(group => group.checkVisibility())"
                                ".map(group => group.querySelector('h2').textContent)")
    before = (page.names(), headings())
    page.choose("show", "alike")
    names, groups = page.names(), headings()
    check("clips that look alike are beside each other", names == ["alpha.mp4", "omega.mp4", "beta.mp4", "gamma.mp4"], names)
    check("their groups have headings", groups == ["Like one/alpha.mp4", "Like one/beta.mp4"], groups)
    page.browser.save_screenshot(str(folder / "alike.png"))
    page.choose("reverse", True)
    check("look-alikes can be reversed", page.names() == ["gamma.mp4", "beta.mp4", "omega.mp4", "alpha.mp4"], page.names())
    page.choose("reverse", False)
    page.browser.refresh()
    check("the filter survives a reload", page.names() == names and headings() == groups, page.names())
    page.choose("show", "")
    check("without the filter, folders are back", (page.names(), headings()) == before, page.names())
    page.open(folder / "story.html")
    off = page.run("return document.querySelector('#tools option[value=alike]').disabled")
    check("a page without look-alikes does not offer them", off)


def names(page, folder):
    page.open(folder / "story.html")
    links = page.run("return Array.from(document.querySelectorAll('.card a'), link => link.href)"
                     ".filter(address => address.includes('/odd/'))")
    check("all hostile names are shown, as text", len(links) == len(HOSTILE_NAMES) and page.run(
        "return document.title === 'films' && !document.querySelector('main script, main a[href^=javascript]')"), links)
    broken = page.run("return Array.from(document.images).filter(image => image.complete && image.src"
                      " && !image.naturalWidth).map(image => image.src)")
    check("all covers are shown", not broken, broken)
    right = []
    for name in page.names():
        if name in page.names()[:4]:
            page.tile(name).find_element(By.TAG_NAME, "a").click()
            right.append(page.wait(lambda: page.run("return document.querySelector('video').videoWidth === 64")))
            keys(page, Keys.ESCAPE)
    check("clips with hostile names are played", right and all(right), right)
    failures = page.find("#failures")
    check("clips without a cover are folded, with counts", failures.get_attribute("open") is None
          and page.find("#failures > summary").text == "Without a cover 3", page.find("#failures > summary").text)
    page.run("for (const part of document.querySelectorAll('#failures, .cause')) part.open = true")
    causes = [cause.text for cause in page.browser.find_elements(By.CSS_SELECTOR, ".cause > summary")]
    check("the most frequent cause is first", causes == ["Empty file 2", "No video stream 1"], causes)


def phone(page, folder):
    page.resize(390, 844)
    page.open(folder / "story.html")
    page.run("for (const part of document.querySelectorAll('#failures, .cause, #filters')) part.open = true")
    widths = []
    for size in range(1, 6):
        page.choose("size", str(size))
        widths.append(page.run("const {scrollWidth, clientWidth} = document.documentElement;"
                               "return [scrollWidth, clientWidth]"))
    outside = page.run("const box = document.querySelector('#filters > div').getBoundingClientRect();"
                       "return box.left < 0 || box.right > 390")
    check("nothing is wider than a phone", all(width == room <= 390 for width, room in widths) and not outside, (widths, outside))
    page.resize(1280)


def without_script(page, folder):
    page.command("Emulation.setScriptExecutionDisabled", value=True)
    page.open(folder / "story.html")
    links = [link.get_attribute("href") for link in page.browser.find_elements(By.CSS_SELECTOR, ".card a")]
    shown = [element.is_displayed() for element in page.browser.find_elements(By.CSS_SELECTOR, ".card .facts")]
    controls = [page.find(selector).is_displayed() for selector in ("#tools", "#keys", "#nothing", "#player")]
    check("without script, all clips are listed", len(links) == len(shown) == 21 and all(shown), (len(links), shown))
    check("without script, no control is shown", not any(controls), controls)
    is_shown = lambda: page.run("return document.querySelector('.row').checkVisibility()")
    before = is_shown()
    page.find("#failures > summary").click()
    page.find(".cause > summary").click()
    check("without script, failures can be unfolded", not before and is_shown())
    page.command("Emulation.setScriptExecutionDisabled", value=False)


def contrast(page, folder):
    def luminance(text):
        parts = [int(text[place:place + 2], 16) / 255 for place in (1, 3, 5)]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    for scheme in ("light", "dark"):
        page.media(color_scheme=scheme)
        page.open(folder / "story.html")
        value = lambda name: luminance(page.run(
            "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0])", f"--{name}").strip())
        ratios = {}
        for text, ground in (("text", "page"), ("quiet", "page"), ("accent", "page"), ("odd", "page"),
                             ("text", "raised"), ("quiet", "raised"), ("odd", "odd-box")):
            high, low = sorted((value(text), value(ground)), reverse=True)
            ratios[f"{text} on {ground}"] = round((high + 0.05) / (low + 0.05), 2)
        check(f"text can be read in {scheme} mode", all(ratio >= 4.5 for ratio in ratios.values()), ratios)
    page.media()


def many(page, folder):
    page.open(multiply(folder / "story.html", 5000))
    paint = page.wait(lambda: page.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"))
    check("5000 clips are painted soon", paint < 5000, paint)
    check("5000 clips are shown", page.find("#totals").text and len(page.names()) == 5000)
    loaded = page.run("return Array.from(document.images).filter(image => image.complete && image.naturalWidth).length")
    check("only the covers in view are loaded", 0 < loaded < 250, loaded)
    print(f"       first contentful paint of 5000 clips after {paint:.0f} ms")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    make(program, folder)
    page = Page(folder / "profile")
    violations = []
    try:
        for part in (previews, stillness, touch, keyboard, choices, dates, alike, names, phone, contrast, many, without_script):
            part(page, folder)
            violations += page.run("return window.violations") or []
        check("the page violates no policy", not violations, violations)
        strange = [address for address in page.requests() if not address.startswith(("file:", "about:", "data:", "chrome:"))]
        check("the page needs no network", not strange, strange)
    finally:
        page.browser.quit()
    print(f"{len(failed)} checks failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
