// The element of one canvas, made once and changed from then on.

import { face } from "./canvas-face.js";
import { clipAddress, coverAddress } from "./server.js";

const template = document.getElementById("canvas-template");
const show = (element, isShown) => { element.hidden = !isShown; };

/** Sets a property only where it differs, so that nothing is laid out again needlessly. */
function set(element, name, value) {
  if (element[name] !== value) element[name] = value;
}

export class CanvasView {
  #parts = {};
  #canvas = null;
  #look = {};
  #version = 0;

  /** `onAction` is called with the name of an action, the ID of the canvas, and the element that was used. */
  constructor(id, onAction) {
    this.id = id;
    this.element = template.content.firstElementChild.cloneNode(true);
    this.element.dataset.canvas = id;
    for (const part of this.element.querySelectorAll("[class]")) this.#parts[part.classList.item(0)] = part;
    for (const name of ["name", "clip-name", "badge"]) this.#parts[name] = this.element.querySelector(`.${name}`);
    this.#parts.name.textContent = id;
    this.#parts.more.setAttribute("aria-label", `Menu of canvas ${id}`);
    const act = (name, action) => {
      const part = this.#parts[name];
      part.addEventListener("click", () => onAction(action(), id, part));
    };
    act("tap", () => "tap");
    act("more", () => "menu");
    act("note-main", () => this.#look.main?.[1]);
    act("note-other", () => this.#look.other?.[1]);
    this.#parts.cover.addEventListener("error", () => show(this.#parts.cover, false));
    this.#parts.clip.addEventListener("error", () => this.element.dispatchEvent(new CustomEvent("unplayable")));
  }

  get tap() { return this.#parts.tap; }
  get more() { return this.#parts.more; }
  get clip() { return this.#parts.clip; }

  /** Draws the canvas as it is now. */
  draw(canvas, page) {
    // Another board, and a cover that is made again, have the same address, but not the same pictures.
    if (canvas.cover !== "ready" || canvas.clip.name !== this.#canvas?.clip?.name) this.#version += 1;
    this.#canvas = canvas;
    const look = this.#look = face(canvas, page);
    const { dataset } = this.element;
    set(dataset, "shows", canvas.shows);
    set(dataset, "status", canvas.status);
    set(dataset, "cover", canvas.cover);
    set(dataset, "selected", String(canvas.isSelected));
    set(dataset, "dimmed", String(look.isDimmed ?? false));
    set(dataset, "busy", String(page.files.progress(canvas.id) !== null));
    this.#drawRegion(canvas.region);
    this.#drawPictures(canvas, page);
    this.#drawNote(page.files.progress(canvas.id));
    this.#drawLabels();
  }

  /** Draws what changes by the second. */
  tick(page) {
    if (!this.#canvas) return;
    const look = face(this.#canvas, page);
    if (look.badge) set(this.#parts.badge, "textContent", look.badge.text);
    if (look.label !== this.#look.label && document.activeElement !== this.#parts.tap) this.#label(look.label);
    this.#look = look;
  }

  /** Loads the clip for playing; returns its player. */
  loadClip() {
    const { clip } = this.#parts;
    const address = `${clipAddress(this.#canvas)}?${this.#version}`;
    if (clip.getAttribute("src") !== address) clip.src = address;
    return clip;
  }

  /** Gives back the memory and the connection of the player. */
  unloadClip() {
    const { clip } = this.#parts;
    if (!clip.hasAttribute("src")) return;
    clip.pause();
    clip.removeAttribute("src");
    clip.load();
  }

  #drawRegion({ x, y, width, height }) {
    for (const [name, value] of Object.entries({ x, y, width, height })) {
      const text = String(value);
      const { style } = this.element;
      if (style.getPropertyValue(`--${name}`) !== text) style.setProperty(`--${name}`, text);
    }
  }

  #drawPictures(canvas, page) {
    const { cover, backdrop, clip, camera } = this.#parts;
    const look = this.#look;
    const isPlayed = page.playback.has(canvas.id);
    const hasCover = (look.cover || isPlayed) && canvas.cover === "ready";
    const address = hasCover ? `${coverAddress(canvas)}?${this.#version}` : null;
    if (hasCover && cover.getAttribute("src") !== address) cover.src = backdrop.src = address;
    show(cover, hasCover);
    show(backdrop, hasCover);
    show(clip, Boolean(look.clip) || isPlayed);
    if (look.clip) this.#playBeside(page);
    else if (!isPlayed) this.unloadClip();

    const stream = look.camera ? page.camera.stream : null;
    if (camera.srcObject !== stream) camera.srcObject = stream;
    show(camera, stream !== null);
    set(camera.dataset, "mirrored", String(page.camera.isMirrored));
    // A paused or ended recording shows where it stopped.
    if (look.isDimmed) camera.pause();
    else if (stream && camera.paused) camera.play().catch(() => {});
  }

  /** Plays the clip, without sound, from where the recording beside it is. */
  #playBeside(page) {
    const isNew = !this.#parts.clip.hasAttribute("src");
    const clip = this.loadClip();
    if (!isNew) return;
    [clip.muted, clip.loop, clip.playbackRate] = [true, true, 1];
    clip.addEventListener("loadedmetadata", () => {
      if (Number.isFinite(clip.duration)) clip.currentTime = page.takeSeconds % clip.duration;
    }, { once: true });
    clip.play().catch(() => {});
  }

  #drawNote(progress) {
    const parts = this.#parts;
    const look = progress === null ? this.#look : { text: progress.text };
    if (look.sign) {
      const use = parts.sign.firstElementChild;
      if (use.getAttribute("href") !== `#sign-${look.sign}`) use.setAttribute("href", `#sign-${look.sign}`);
    }
    set(parts.sign.dataset, "sign", look.sign ?? "");
    parts.sign.toggleAttribute("hidden", !look.sign);
    show(parts.spinner, look.isBusy);
    show(parts["note-text"], look.text);
    set(parts["note-text"], "textContent", look.text ?? "");
    set(parts["note-text"], "title", look.text ?? "");
    const hadFocus = parts["note-actions"].contains(document.activeElement);
    show(parts["note-actions"], look.main || look.other);
    for (const [part, button] of [["note-main", look.main], ["note-other", look.other]]) {
      show(parts[part], button);
      set(parts[part], "textContent", button?.[0] ?? "");
    }
    if (hadFocus && (document.activeElement.hidden || !(look.main || look.other))) parts.tap.focus();
    const bar = this.element.querySelector("progress");
    show(bar, progress !== null);
    if (progress) set(bar, "value", progress.part);
  }

  #drawLabels() {
    const { badge, count } = this.#parts;
    const look = this.#look;
    const clipName = this.#parts["clip-name"];
    show(clipName, this.#canvas.clip && !look.camera);
    set(clipName, "textContent", this.#canvas.clip?.name ?? "");
    show(badge, look.badge);
    set(badge, "textContent", look.badge?.text ?? "");
    set(badge.dataset, "kind", look.badge?.kind ?? "");
    show(count, look.count);
    set(count, "textContent", String(look.count ?? ""));
    this.#label(look.label);
  }

  #label(text) {
    if (this.#parts.tap.getAttribute("aria-label") !== text) this.#parts.tap.setAttribute("aria-label", text);
  }
}
