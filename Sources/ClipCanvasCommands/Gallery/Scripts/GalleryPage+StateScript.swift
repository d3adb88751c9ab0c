extension GalleryPage {
  /// The controls, and the state in the fragment of the page's address.
  static let stateScript = #"""

    const named = Array.from(controls).filter((control) => control.name);
    const valueOf = (control) => (control.type === "checkbox" ? (control.checked ? "1" : "") : control.value);
    const usual = new Map(named.map((control) => [control.name, valueOf(control)]));
    // The clips that can be seen, in order; null if that has to be found out again.
    let visible = null;
    function visibleClips() {
      return (visible ??= ordered.filter((clip) => !clip.card.hidden && isOpen(clip)));
    }

    // Shows what the controls say, and writes it into the address.
    function update() {
      main.dataset.size = controls.size.value;
      arrange();
      filter();
      const active = ["show", "codec", "duration", "group"].filter((name) => controls[name].value !== "").length;
      byId("active").textContent = active;
      byId("active").hidden = active === 0;
      settle();
    }
    function settle() {
      visible = null;
      stopPreview();
      moveTabStop(document.activeElement?.closest?.(".card") ? clipAt(document.activeElement) : tabStop);
      writeAddress();
    }

    // Writes everything that differs from the usual state into the fragment, which works for files, too.
    function writeAddress(isNewStep = false) {
      const state = new URLSearchParams();
      for (const control of named) {
        if (valueOf(control) !== usual.get(control.name)) state.set(control.name, valueOf(control));
      }
      for (const group of groups.values()) if (!group.isOpen) state.append("fold", group.key);
      if (played) state.set("clip", played.link.getAttribute("href"));
      const fragment = String(state);
      if (fragment === location.hash.slice(1)) return;
      const address = location.pathname + location.search + (fragment && `#${fragment}`);
      if (isNewStep && !history.state?.isPlayer) history.pushState({ isPlayer: true }, "", address);
      else history.replaceState(history.state, "", address);
    }
    function readAddress() {
      const state = new URLSearchParams(location.hash.slice(1));
      for (const control of named) {
        const value = state.get(control.name) ?? usual.get(control.name);
        if (control.type === "checkbox") control.checked = value === "1";
        else control.value = value;
        if (control.selectedIndex === -1) control.value = usual.get(control.name);
      }
      arrange();
      const folded = new Set(state.getAll("fold"));
      for (const group of groups.values()) group.details.open = group.isOpen = !folded.has(group.key);
      const clip = tiles.find((clip) => clip.link.getAttribute("href") === state.get("clip"));
      if (clip) showPlayer(clip);
      else if (played) hidePlayer();
      update();
    }

    function addCounts() {
      const codecs = new Map();
      for (const { codec } of tiles) if (codec) codecs.set(codec, (codecs.get(codec) ?? 0) + 1);
      for (const [codec, number] of Array.from(codecs).sort((a, b) => b[1] - a[1])) {
        controls.codec.append(make("option", { value: codec, textContent: `${codec} (${number})` }));
      }
      const numbers = { "": tiles.length + rows.length, failed: rows.length };
      numbers.degraded = tiles.filter((clip) => clip.isDegraded).length;
      numbers.dark = tiles.filter((clip) => clip.isDark).length;
      numbers.alike = tiles.filter((clip) => clip.alike).length;
      for (const option of controls.show.options) {
        option.textContent += ` (${numbers[option.value]})`;
        option.disabled = numbers[option.value] === 0;
      }
      if (folders.size < 2) controls.group.options[0].textContent = "Nothing";
      controls.group.options[3].hidden = folders.size < 2;
    }

    byId("tools").addEventListener("input", update);
    byId("tools").addEventListener("submit", (event) => event.preventDefault());
    byId("clear").addEventListener("click", () => {
      for (const name of ["q", "show", "codec", "duration"]) controls[name].value = "";
      update();
      controls.q.focus();
    });
    document.addEventListener("click", (event) => {
      if (!byId("filters").contains(event.target)) byId("filters").open = false;
    });

    """#
}
