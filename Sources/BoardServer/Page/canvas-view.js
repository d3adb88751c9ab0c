// The element of one canvas, made once and changed from then on.

import { face } from "./canvas-face.js";
import { clipText } from "./format.js";
import { Part } from "./part.js";
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
    this.part = new Part(this.#parts.clip);
    const act = (name, action) => {
      const part = this.#parts[name];
      part.addEventListener("click", () => onAction(action(), id, part));
    };
    act("tap", () => "tap");
    act("more", () => "menu");
    act("toggle", () => "togglePlay");
    act("note-main", () => this.#look.main?.[1]);
    act("note-other", () => this.#look.other?.[1]);
    this.#parts.cover.addEventListener("error", () => show(this.#parts.cover, false));
    this.#parts.clip.addEventListener("error", () => this.element.dispatchEvent(new CustomEvent("unplayable")));
  }

  get tap() { return this.#parts.tap; }
  get more() { return this.#parts.more; }
  get clip() { return this.#parts.clip; }

  /** A copy of the cover as it is shown, or was last; null if it has not been loaded. */
  get coverCopy() {
    const { cover } = this.#parts;
    return cover.complete && cover.naturalWidth > 0 ? cover.cloneNode() : null;
  }

  /** Calls a function with a copy of the cover as soon as that has been loaded; never if it cannot be. */
  whenCovered(use) {
    const { cover } = this.#parts;
    const copy = () => this.coverCopy && use(this.coverCopy);
    if (cover.complete) copy();
    else cover.addEventListener("load", copy, { once: true });
  }

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
    this.part.set(this.#canvas.clip, false);
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

  /** Moves the canvas to a place on the board, in pixels, or into the grid that is scrolled. */
  place(place) {
    const { style } = this.element;
    for (const name of ["left", "top", "width", "height"]) {
      const text = place ? `${place[name]}px` : "";
      if (style.getPropertyValue(`--place-${name}`) !== text) style.setProperty(`--place-${name}`, text);
    }
  }

  #drawPictures(canvas, page) {
    const { cover, backdrop, clip } = this.#parts;
    const look = this.#look;
    const isPlayed = page.playback.has(canvas.id);
    const hasCover = (look.cover || isPlayed) && canvas.cover === "ready";
    const address = hasCover ? `${coverAddress(canvas)}?${this.#version}` : null;
    if (hasCover && cover.getAttribute("src") !== address) cover.src = backdrop.src = address;
    show(cover, hasCover);
    show(backdrop, hasCover);
    show(clip, Boolean(look.clip) || isPlayed);
    if (isPlayed) return this.#drawCamera(page);
    if (look.clip) this.#loop(page);
    else this.unloadClip();
    this.#drawCamera(page);
  }

  #drawCamera(page) {
    const { camera } = this.#parts;
    const look = this.#look;
    const stream = look.camera ? page.camera.stream : null;
    if (camera.srcObject !== stream) camera.srcObject = stream;
    show(camera, stream !== null);
    set(camera.dataset, "mirrored", String(page.camera.isMirrored));
    // A paused or ended recording shows where it stopped.
    if (look.isDimmed) camera.pause();
    else if (stream && camera.paused) camera.play().catch(() => {});
  }

  /** Plays the clip in a loop, without sound, from where the recording beside it is; or keeps it paused. */
  #loop(page) {
    const isNew = !this.#parts.clip.hasAttribute("src");
    const clip = this.loadClip();
    [clip.muted, clip.playbackRate] = [true, 1];
    this.part.set(this.#canvas.clip, true);
    if (isNew) {
      clip.addEventListener("loadedmetadata", () => {
        if (Number.isFinite(this.part.duration)) this.part.time = page.takeSeconds % this.part.duration;
      }, { once: true });
    }
    if (this.#look.isClipPaused) clip.pause();
    else if (clip.paused) clip.play().catch(() => {});
  }

  #drawNote(progress) {
    const parts = this.#parts;
    const look = progress === null ? this.#look : { text: progress.text };
    if (look.sign) {
      const use = parts.sign.firstElementChild;
      if (use.getAttribute("href") !== `#sign-${look.sign}`) use.setAttribute("href", `#sign-${look.sign}`);
    }
    set(parts.note.dataset, "kind", look.kind ?? "");
    set(parts.sign.dataset, "sign", look.sign ?? "");
    this.#drawToggle(look.toggle);
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

  #drawToggle(sign) {
    const { toggle } = this.#parts;
    const hadFocus = toggle === document.activeElement;
    show(toggle, sign);
    if (hadFocus && !sign) this.#parts.tap.focus();
    if (!sign || toggle.dataset.sign === sign) return;
    toggle.dataset.sign = sign;
    toggle.querySelector("use").setAttribute("href", `#sign-${sign}`);
    toggle.setAttribute("aria-label", `${sign === "play" ? "Play" : "Pause"} the clip of ${this.id}`);
  }

  #drawLabels() {
    const { badge, count } = this.#parts;
    const look = this.#look;
    const clipName = this.#parts["clip-name"];
    show(clipName, this.#canvas.clip && !look.camera);
    set(clipName, "textContent", this.#canvas.clip ? clipText(this.#canvas) : "");
    set(clipName.dataset, "file", this.#canvas.clip?.name ?? "");
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
