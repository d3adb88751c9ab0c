extension GalleryPage {
  /// The digest that allows the script in the page's policy: the SHA-256 of its bytes, in Base64.
  static let scriptDigest = "sha256-0WLtEsJlCjmRye4TjHFmmJJgz+qimbWEu9tQ8oIbycI="

  /// The script; without it, the page is a plain list of covers and links.
  ///
  /// It reads the text of the cards and never inserts markup, so names remain plain text.
  static let script = [clipScript, stateScript, previewScript, playerScript, keyScript].joined()

  /// The clips: sorting, grouping and filtering.
  private static let clipScript = #"""

    "use strict";
    const byId = (id) => document.getElementById(id);
    const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
    const main = document.querySelector("main");
    const list = byId("clips");
    const failures = byId("failures");
    const controls = byId("tools").elements;
    const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

    // A clip as its card describes it; a number that is not known is -1.
    function read(card) {
      const link = card.firstElementChild;
      const path = link.querySelector(".path");
      const number = (key) => Number(card.dataset[key] ?? -1);
      return {
        card, link, path: path.textContent, name: path.lastElementChild.textContent,
        folder: path.childElementCount > 1 ? path.firstElementChild.textContent : "",
        text: card.textContent, codec: card.dataset.codec ?? "",
        seconds: number("seconds"), bytes: number("bytes"), time: number("time"),
        isDegraded: card.classList.contains("degraded"),
      };
    }

    const byPath = (a, b) => collator.compare(a.path, b.path) || (a.path < b.path ? -1 : Number(a.path > b.path));
    // The clips with a cover, by path, and those without one.
    const tiles = Array.from(list.children, read).sort(byPath);
    const rows = Array.from(document.querySelectorAll(".row"), read);
    // The folder that all clips are in is not worth a search or a place in headings.
    const shared = [...tiles, ...rows].map((clip) => clip.folder).reduce((a, b) => {
      while (!b.startsWith(a)) a = a.slice(0, a.lastIndexOf("/", a.length - 2) + 1);
      return a;
    }, tiles[0]?.folder ?? "");
    for (const clip of [...tiles, ...rows]) clip.text = clip.text.replace(shared, "").toLowerCase();
    const clipsByCard = new Map(tiles.map((clip) => [clip.card, clip]));
    const clipAt = (element) => clipsByCard.get(element?.closest?.(".card"));

    // The folders by name, each with the element that folds it.
    const folders = new Map();
    for (const clip of tiles) {
      if (!folders.has(clip.folder)) folders.set(clip.folder, makeFolder(clip.folder));
      clip.group = folders.get(clip.folder);
    }
    function makeFolder(name) {
      const heading = make("h2");
      heading.append(make("bdi", { textContent: name.slice(shared.length) || name || "./" }));
      const folder = { name, isOpen: true, clips: [], details: make("details", { className: "folder", open: true }) };
      folder.count = make("span", { className: "count" });
      folder.list = make("ul", { className: "tiles", ariaLabel: name });
      const summary = make("summary");
      summary.append(heading, " ", folder.count);
      folder.details.append(summary, folder.list);
      folder.details.addEventListener("toggle", () => {
        if (folder.isOpen === folder.details.open) return;
        folder.isOpen = folder.details.open;
        settle();
      });
      return folder;
    }
    const isGrouped = () => folders.size > 1 && controls.folders.value === "";

    // All clips with a cover in the order of the page.
    let ordered = tiles;
    let arrangement = "";

    // Puts the cards in order, in one list or in those of their folders.
    function arrange() {
      const key = controls.sort.value;
      const wanted = [key, controls.reverse.checked, isGrouped()].join();
      if (wanted === arrangement) return;
      arrangement = wanted;
      ordered = tiles.slice();
      if (key !== "name") ordered.sort((a, b) => b[key] - a[key]);
      else if (!isGrouped()) ordered.sort((a, b) => collator.compare(a.name, b.name));
      if (controls.reverse.checked) ordered.reverse();
      list.hidden = isGrouped();
      for (const folder of folders.values()) {
        folder.clips = [];
        folder.details.remove();
      }
      for (const clip of ordered) clip.group.clips.push(clip);
      if (isGrouped()) {
        for (const folder of folders.values()) {
          fill(folder.list, folder.clips);
          list.before(folder.details);
        }
        ordered = Array.from(folders.values()).flatMap((folder) => folder.clips);
      } else {
        fill(list, ordered);
      }
    }
    function fill(list, clips) {
      const fragment = document.createDocumentFragment();
      for (const clip of clips) fragment.append(clip.card);
      list.append(fragment);
    }

    // Hides the clips that do not match, and counts the others.
    function filter() {
      const words = controls.q.value.toLowerCase().split(/\s+/).filter(Boolean);
      const show = controls.show.value;
      const codec = controls.codec.value;
      const [from, to] = controls.duration.value.split("-").map(Number);
      const fits = (clip) => (!codec || clip.codec === codec)
        && (to === undefined || (clip.seconds >= from && clip.seconds < (to || Infinity)))
        && words.every((word) => clip.text.includes(word));
      for (const clip of tiles) {
        clip.card.hidden = show === "failed" || (show === "degraded" && !clip.isDegraded) || !fits(clip);
      }
      for (const clip of rows) clip.card.hidden = show === "degraded" || !fits(clip);
      for (const folder of folders.values()) folder.details.hidden = count(folder.clips, folder.count) === 0;
      for (const part of document.querySelectorAll("#failures, .cause")) {
        part.hidden = count(rows.filter((clip) => part.contains(clip.card)), part.querySelector(".count")) === 0;
      }
      const shown = count(tiles) + count(rows);
      byId("nothing").hidden = shown > 0;
      byId("shown").value = shown < tiles.length + rows.length ? `${shown} of ${tiles.length + rows.length}` : "";
      if (show === "failed" && failures) failures.open = true;
    }
    function count(clips, label) {
      const shown = clips.reduce((sum, clip) => sum + !clip.card.hidden, 0);
      if (label) label.textContent = shown < clips.length ? `${shown} of ${clips.length}` : shown;
      return shown;
    }

    """#
}
