extension GalleryPage {
  /// The player, a dialog with the clip itself.
  static let playerScript = #"""

    const player = byId("player");
    const video = player.querySelector("video");
    const still = player.querySelector("#stage img");
    let played = null;

    // Shows a clip in the player; it is played only if the user has just asked for it.
    function showPlayer(clip, plays = false) {
      stopPreview();
      played = clip;
      const cover = clip.card.querySelector("img").src;
      byId("player-name").replaceChildren(make("bdi", { textContent: clip.name }));
      byId("player-facts").textContent = [clip.folder, ...factsOf(clip)].filter(Boolean).join(" · ");
      byId("player-file").href = still.dataset.clip = clip.link.href;
      still.src = video.poster = cover;
      setPlayable(true);
      video.src = clip.link.href;
      if (!player.open) player.showModal();
      byId("player-close").focus();
      if (plays && !stillness.matches) video.play().catch(() => {});
    }
    function factsOf(clip) {
      const facts = Array.from(clip.card.querySelectorAll(".length, .facts span"), (fact) => fact.textContent);
      return clip.isDegraded ? [...facts, "degraded cover"] : facts;
    }
    function setPlayable(isPlayable) {
      video.hidden = !isPlayable;
      still.hidden = isPlayable;
      byId("unplayable").textContent =
        isPlayable ? "" : "This browser cannot play this clip. Open the file in another program.";
    }
    function giveUp() {
      if (!played) return;
      video.removeAttribute("src");
      video.load();
      setPlayable(false);
    }
    video.addEventListener("error", () => { if (video.error && video.getAttribute("src")) giveUp(); });
    // A clip whose video has an unknown codec would be only heard.
    video.addEventListener("loadedmetadata", () => { if (video.videoWidth === 0) giveUp(); });

    // Opens the player as a step in the history, so that going back closes it. A step whose player was closed otherwise
    // is used again; it is not taken back, because that would end later, perhaps when another clip is open.
    function openPlayer(clip) {
      showPlayer(clip, true);
      writeAddress(true);
    }
    function turn(step) {
      const clips = visibleClips();
      const next = clips[clips.indexOf(played) + step];
      if (!next) return;
      showPlayer(next, true);
      writeAddress();
    }
    function hidePlayer() {
      const clip = played;
      played = null;
      video.removeAttribute("src");
      video.load();
      player.close();
      focusOn(clip);
    }
    function closePlayer() {
      hidePlayer();
      writeAddress();
    }
    player.addEventListener("cancel", (event) => { event.preventDefault(); closePlayer(); });
    // Browsers close a dialog without asking when Escape is pressed again and again.
    player.addEventListener("close", () => { if (played) closePlayer(); });
    player.addEventListener("click", (event) => { if (event.target === byId("stage")) closePlayer(); });
    byId("player-close").addEventListener("click", closePlayer);
    byId("player-previous").addEventListener("click", () => turn(-1));
    byId("player-next").addEventListener("click", () => turn(1));

    main.addEventListener("click", (event) => {
      const clip = clipAt(event.target.closest("a"));
      if (!clip || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!isHolding) openPlayer(clip);
    });

    """#
}
