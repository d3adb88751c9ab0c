extension GalleryPage {
  /// The preview of one clip at a time: its animation, or a tile of its storyboard.
  ///
  /// Nothing of a preview is loaded before it is wanted. The tiles are found without the storyboard's WebVTT list,
  /// because a page that was opened as a file may show pictures, but not read other files.
  static let previewScript = #"""

    const stillness = matchMedia("(prefers-reduced-motion: reduce)");
    const loop = make("img", { alt: "" });
    const canvas = make("canvas");
    const moment = make("span", { className: "moment" });
    const hasPreview = (clip) => clip.card.dataset.animation || clip.card.dataset.storyboard;
    let preview = null;

    function startPreview(clip) {
      if (preview?.clip === clip) return;
      stopPreview();
      preview = { clip, shot: clip.card.querySelector(".shot"), sheets: new Map(), tile: -1 };
    }
    function stopPreview() {
      clearInterval(preview?.timer);
      preview = null;
      loop.removeAttribute("src");
      for (const element of [loop, canvas, moment]) element.remove();
    }

    // The cover remains until the animation has been loaded.
    function playAnimation(clip) {
      startPreview(clip);
      const { shot } = preview;
      loop.onload = () => { if (preview?.shot === shot) shot.append(loop); };
      loop.src = clip.card.dataset.animation;
    }

    // Shows the tile for a share of the clip, from 0 to 1.
    function showTile(clip, share) {
      startPreview(clip);
      preview.board ??= readStoryboard(clip.card.dataset.storyboard);
      const { board, sheets } = preview;
      const tile = Math.max(0, Math.min(board.tiles - 1, Math.floor(share * board.tiles)));
      if (tile === preview.tile) return;
      preview.tile = tile;
      const number = Math.floor(tile / board.capacity);
      if (!sheets.has(number)) {
        const started = preview;
        sheets.set(number, make("img", { src: `${board.folder}${number}.jpg` }));
        sheets.get(number).onload = () => { if (preview === started) drawTile(); };
      }
      drawTile();
    }
    function readStoryboard(text) {
      const [folder, ...numbers] = text.split(" ");
      const [columns, rows, tiles, width, height, interval] = numbers.map(Number);
      return { folder, columns, tiles, width, height, interval, capacity: columns * rows };
    }
    function drawTile() {
      const { board, tile, shot } = preview;
      const sheet = preview.sheets.get(Math.floor(tile / board.capacity));
      if (!sheet.naturalWidth) return;
      const { width, height } = board;
      const place = tile % board.capacity;
      const [x, y] = [(place % board.columns) * width, Math.floor(place / board.columns) * height];
      Object.assign(canvas, { width, height });
      canvas.getContext("2d").drawImage(sheet, x, y, width, height, 0, 0, width, height);
      moment.textContent = clock(tile * board.interval);
      if (canvas.parentNode !== shot) shot.append(canvas, moment);
    }
    function clock(seconds) {
      const two = (number) => String(Math.floor(number)).padStart(2, "0");
      const minutes = Math.floor(seconds / 60);
      const rest = two(seconds % 60);
      return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
    }

    // Plays the animation, or the tiles of the storyboard one after another.
    function play(clip) {
      if (clip.card.dataset.animation) return playAnimation(clip);
      if (!clip.card.dataset.storyboard) return;
      let step = 0;
      showTile(clip, 0);
      preview.timer = setInterval(() => showTile(clip, (++step % 12) / 12), 500);
    }
    const togglePreview = (clip) => (preview?.clip === clip ? stopPreview() : play(clip));

    // The pointer: a tile of the storyboard for its position, otherwise the animation.
    let hovered = null;
    let pause = 0;
    let isHolding = false;
    function shareAt(event, clip) {
      const box = clip.card.querySelector(".shot").getBoundingClientRect();
      return (event.clientX - box.left) / box.width;
    }
    function hover(event, clip, isExplicit) {
      if (clip.card.dataset.storyboard) {
        clearInterval(preview?.timer);
        showTile(clip, shareAt(event, clip));
      } else if (clip.card.dataset.animation && (isExplicit || !stillness.matches)) {
        playAnimation(clip);
      }
    }
    function leave() {
      clearTimeout(pause);
      if (hovered && preview?.clip === hovered) stopPreview();
      hovered = null;
    }
    main.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") {
        if (isHolding && preview?.board) hover(event, preview.clip, true);
        return;
      }
      const clip = clipAt(event.target);
      const isOverPicture = event.target.closest(".shot") !== null;
      if (clip !== hovered && isOverPicture) {
        leave();
        hovered = clip;
        // Not for each tile that the pointer crosses.
        pause = setTimeout(() => hover(event, clip, false), 100);
        offerPreview(clip);
      } else if (clip !== hovered) {
        leave();
      } else if (isOverPicture && preview?.board && preview.clip === clip) {
        hover(event, clip, false);
      }
    });
    main.addEventListener("pointerleave", leave);

    // A finger that is held on a tile.
    main.addEventListener("pointerdown", (event) => {
      const clip = event.target.closest(".shot") && clipAt(event.target);
      isHolding = false;
      if (event.pointerType !== "touch" || !clip || !hasPreview(clip)) return;
      pause = setTimeout(() => { isHolding = true; hover(event, clip, true); }, 350);
    });
    for (const type of ["pointerup", "pointercancel"]) {
      main.addEventListener(type, (event) => {
        if (event.pointerType !== "touch") return;
        clearTimeout(pause);
        if (!isHolding) return;
        stopPreview();
        // The click that may follow at once is not meant for the player.
        setTimeout(() => { isHolding = false; });
      });
    }
    main.addEventListener("contextmenu", (event) => { if (isHolding) event.preventDefault(); });

    // Keyboard focus, and a button for people who prefer reduced motion.
    const asked = make("button", { type: "button", className: "preview", textContent: "Preview" });
    asked.addEventListener("click", () => togglePreview(clipAt(asked)));
    function offerPreview(clip) {
      if (stillness.matches && clip && hasPreview(clip)) clip.card.append(asked);
    }
    main.addEventListener("focusin", ({ target }) => {
      const clip = clipAt(target);
      if (!clip || target !== clip.link || !target.matches(":focus-visible")) return;
      offerPreview(clip);
      clearTimeout(pause);
      if (!stillness.matches) pause = setTimeout(() => play(clip), 300);
    });
    main.addEventListener("focusout", ({ target, relatedTarget }) => {
      const clip = clipAt(target);
      if (!clip || clip.card.contains(relatedTarget)) return;
      clearTimeout(pause);
      if (preview?.clip === clip) stopPreview();
    });

    """#
}
