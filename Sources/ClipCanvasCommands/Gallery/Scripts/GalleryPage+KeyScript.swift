extension GalleryPage {
  /// The keyboard, and the start of the script.
  static let keyScript = #"""

    // The tiles are one stop for the Tab key; arrow keys move between them.
    let tabStop = null;
    for (const clip of tiles) clip.link.tabIndex = -1;
    function moveTabStop(clip) {
      const next = clip && visibleClips().includes(clip) ? clip : visibleClips()[0];
      if (tabStop) tabStop.link.tabIndex = -1;
      if (next) next.link.tabIndex = 0;
      tabStop = next;
    }
    function focusOn(clip) {
      if (!clip) return;
      moveTabStop(clip);
      clip.link.focus({ focusVisible: true });
      clip.card.scrollIntoView({ block: "nearest" });
    }
    main.addEventListener("focusin", ({ target }) => {
      const clip = clipAt(target);
      if (clip && target === clip.link && clip !== tabStop) moveTabStop(clip);
    });

    // Returns the clip to which a key moves.
    function neighbour(clip, key) {
      const clips = visibleClips();
      const index = clips.indexOf(clip);
      switch (key) {
        case "ArrowLeft": return clips[index - 1];
        case "ArrowRight": return clips[index + 1];
        case "Home": return clips[0];
        case "End": return clips.at(-1);
        case "ArrowUp": return inNextRow(clips, index, -1);
        case "ArrowDown": return inNextRow(clips, index, 1);
        default: return undefined;
      }
    }
    // Returns the clip above or below: the one in the next row whose middle is nearest.
    function inNextRow(clips, index, step) {
      const middle = (box) => (box.left + box.right) / 2;
      const start = clips[index].card.getBoundingClientRect();
      let [row, nearest, distance] = [null, undefined, Infinity];
      for (let place = index + step; clips[place]; place += step) {
        const box = clips[place].card.getBoundingClientRect();
        if (Math.abs(box.top - start.top) < 1) continue;
        row ??= box.top;
        if (Math.abs(box.top - row) >= 1) break;
        const offset = Math.abs(middle(box) - middle(start));
        if (offset < distance) [nearest, distance] = [clips[place], offset];
      }
      return nearest;
    }

    function pressInPlayer(event) {
      // The video and its controls use arrow keys themselves.
      if (event.target === video) return;
      if (event.key === "ArrowLeft") turn(-1);
      else if (event.key === "ArrowRight") turn(1);
      else return;
      event.preventDefault();
    }
    function pressOnPage(event) {
      const clip = event.target === clipAt(event.target)?.link ? clipAt(event.target) : null;
      const isText = event.target === controls.q;
      if (event.key === "/" && !isText) controls.q.select();
      else if (event.key === "Escape" && byId("filters").open) {
        byId("filters").open = false;
        byId("filters").firstElementChild.focus();
      } else if (isText && event.key === "Escape") {
        controls.q.value = "";
        update();
        focusOn(tabStop);
      } else if (isText && (event.key === "ArrowDown" || event.key === "Enter")) focusOn(visibleClips()[0]);
      else if (clip && event.key.toLowerCase() === "p") togglePreview(clip);
      else if (clip && neighbour(clip, event.key)) focusOn(neighbour(clip, event.key));
      else return;
      event.preventDefault();
    }
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (player.open) pressInPlayer(event);
      else pressOnPage(event);
    });

    addCounts();
    readAddress();
    byId("tools").hidden = byId("keys").hidden = false;
    addEventListener("popstate", readAddress);

    """#
}
