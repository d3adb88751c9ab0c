extension GalleryPage {
  /// The digest that allows the script in the page's policy: the SHA-256 of its bytes, in Base64.
  static let scriptDigest = "sha256-2EahRBgocivK8njX0Qbd3R95iQPJFc/eWXiB0rYLUoQ="

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
        text: card.textContent, codec: card.dataset.codec ?? "", day: card.dataset.day ?? "",
        seconds: number("seconds"), bytes: number("bytes"), time: number("time"),
        isDegraded: card.classList.contains("degraded"), isDark: card.classList.contains("dark"),
        alike: "",
      };
    }

    const byPath = (a, b) => collator.compare(a.path, b.path) || (a.path < b.path ? -1 : Number(a.path > b.path));
    // The clips with a cover, by path, and those without one.
    const cards = Array.from(list.children, read);
    // Clips that look alike have the name of the group: that of its first clip.
    for (const group of list.dataset.alike?.split(",") ?? []) {
      const clips = group.split(" ").map((number) => cards[number]).sort(byPath);
      for (const clip of clips) clip.alike = clips[0].path;
    }
    const tiles = cards.sort(byPath);
    const rows = Array.from(document.querySelectorAll(".row"), read);
    // The folder that all clips are in is not worth a search or a place in headings.
    const shared = [...tiles, ...rows].map((clip) => clip.folder).reduce((a, b) => {
      while (!b.startsWith(a)) a = a.slice(0, a.lastIndexOf("/", a.length - 2) + 1);
      return a;
    }, tiles[0]?.folder ?? "");
    for (const clip of [...tiles, ...rows]) clip.text = clip.text.replace(shared, "").toLowerCase();
    const clipsByCard = new Map(tiles.map((clip) => [clip.card, clip]));
    const clipAt = (element) => clipsByCard.get(element?.closest?.(".card"));

    // How clips can be grouped: the key of a clip's group, and the heading for a key.
    const dated = (options) => {
      const format = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...options });
      return (key) => (key ? format.format(new Date(key)) : "Unknown date");
    };
    const groupings = {
      "": { keyOf: (clip) => clip.folder, heading: (key) => key.slice(shared.length) || key || "./" },
      day: { keyOf: (clip) => clip.day, heading: dated({ dateStyle: "full" }), isDated: true },
      month: { keyOf: (clip) => clip.day.slice(0, 7), heading: dated({ year: "numeric", month: "long" }), isDated: true },
      alike: { keyOf: (clip) => clip.alike, heading: (key) => `Like ${key.slice(shared.length)}` },
    };
    // The groups of a grouping by key, each with the element that folds it: by path, or dates from the latest.
    function groupsOf(name) {
      const grouping = groupings[name];
      if (!grouping) return new Map();
      const { keyOf, heading, isDated } = grouping;
      const keys = Array.from(new Set(tiles.map(keyOf)));
      const ordered = isDated ? keys.sort().reverse() : keys;
      return (grouping.groups ??= new Map(ordered.map((key) => [key, makeGroup(key, name, heading(key))])));
    }
    function makeGroup(key, name, title) {
      const heading = make("h2");
      heading.append(make("bdi", { textContent: title }));
      const details = make("details", { className: `group by-${name || "folder"}`, open: true });
      const group = { key, details, isOpen: true, clips: [] };
      group.count = make("span", { className: "count" });
      group.list = make("ul", { className: "tiles", ariaLabel: title });
      const summary = make("summary");
      summary.append(heading, " ", group.count);
      group.details.append(summary, group.list);
      group.details.addEventListener("toggle", () => {
        if (group.isOpen === group.details.open) return;
        group.isOpen = group.details.open;
        settle();
      });
      return group;
    }
    const folders = groupsOf("");
    // The groups that the page shows; none if all clips are in one list.
    let groups = new Map();
    const isOpen = (clip) => !groups.size || clip.group.isOpen;

    // All clips with a cover in the order of the page.
    let ordered = tiles;
    let arrangement = "";

    // Puts the cards in order, in one list or in those of their groups.
    function arrange() {
      const [key, isReversed] = [controls.sort.value, controls.reverse.checked];
      const isAlike = controls.show.value === "alike";
      const grouping = isAlike ? "alike" : controls.group.value || (folders.size > 1 ? "" : "none");
      const wanted = [key, isReversed, grouping].join();
      if (wanted === arrangement) return;
      arrangement = wanted;
      for (const group of groups.values()) group.details.remove();
      groups = groupsOf(grouping);
      ordered = tiles.slice();
      if (key !== "name") ordered.sort((a, b) => b[key] - a[key]);
      else if (grouping) ordered.sort((a, b) => collator.compare(a.name, b.name));
      if (isReversed) ordered.reverse();
      list.hidden = groups.size > 0;
      if (list.hidden) {
        const shown = Array.from(groups.values());
        if (grouping && isReversed) shown.reverse();
        for (const group of shown) group.clips = [];
        for (const clip of ordered) {
          clip.group = groups.get(groupings[grouping].keyOf(clip));
          clip.group.clips.push(clip);
        }
        for (const group of shown) {
          fill(group.list, group.clips);
          list.before(group.details);
        }
        ordered = shown.flatMap((group) => group.clips);
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
        const isWanted = !show || (show === "degraded" && clip.isDegraded) || (show === "dark" && clip.isDark)
          || (show === "alike" && clip.alike);
        clip.card.hidden = !isWanted || !fits(clip);
      }
      for (const clip of rows) clip.card.hidden = (show !== "" && show !== "failed") || !fits(clip);
      for (const group of groups.values()) group.details.hidden = count(group.clips, group.count) === 0;
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
