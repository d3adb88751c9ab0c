// The choice of the part of a clip that is played.

import { clipTitle } from "./format.js";
import { Part } from "./part.js";
import { clipAddress } from "./server.js";

const find = (id) => document.getElementById(id);
const frames = 10;
const step = 0.01;

export class Trim {
  #dialog = find("trim-dialog");
  #player = find("trim-player");
  #strip = find("trim-strip");
  #from = find("trim-from");
  #to = find("trim-to");
  #part = new Part(this.#player);
  /** What the last drawing of the strip was for. */
  #drawing = null;

  constructor() {
    for (const [handle, other, limit] of [[this.#from, this.#to, -1], [this.#to, this.#from, 1]]) {
      handle.addEventListener("input", () => this.#move(handle, Number(other.value) + limit * step, limit));
    }
    find("trim-play").addEventListener("click", () => this.#play());
    for (const type of ["play", "pause"]) this.#player.addEventListener(type, () => this.#drawPlay());
    this.#dialog.addEventListener("close", () => {
      this.#drawing = null;
      this.#player.pause();
      this.#player.removeAttribute("src");
      this.#player.load();
    });
  }

  /** Lets the user choose; returns the members of the event that sets the part, or null. */
  async choose(canvas) {
    const { clip } = canvas;
    find("trim-title").textContent = `Trim ${clipTitle(canvas)}`;
    find("trim-problem").textContent = "";
    this.#setEnabled(false);
    this.#part.set({ from: 0, to: null }, false);
    this.#player.src = clipAddress(canvas);
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
    const closed = new Promise((resolve) => this.#dialog.addEventListener("close", resolve, { once: true }));
    this.#load(clip);
    await closed;
    switch (this.#dialog.returnValue) {
      case "whole": return clip.from === null && clip.to === null ? null : {};
      case "trim": return this.#chosen;
      default: return null;
    }
  }

  async #load(clip) {
    const drawing = this.#drawing = {};
    const player = this.#player;
    if (!await isReady(player, "loadedmetadata", 1)) {
      find("trim-problem").textContent = "The clip is missing, or this browser cannot play it.";
      return;
    }
    const duration = await durationOf(player);
    if (this.#drawing !== drawing) return;
    for (const handle of [this.#from, this.#to]) [handle.max, handle.step] = [String(duration), String(step)];
    this.#from.value = String(clip.from ?? 0);
    this.#to.value = String(clip.to ?? duration);
    this.#setEnabled(true);
    this.#draw();
    player.currentTime = Number(this.#from.value);
    this.#from.focus();
    await this.#drawStrip(player.src, duration, drawing);
  }

  /** Draws frames of the clip side by side, one after another, with a separate player. */
  async #drawStrip(address, duration, drawing) {
    const context = this.#strip.getContext("2d");
    context.clearRect(0, 0, this.#strip.width, this.#strip.height);
    const player = document.createElement("video");
    [player.muted, player.preload, player.src] = [true, "auto", address];
    const width = this.#strip.width / frames;
    for (let index = 0; index < frames && this.#drawing === drawing; index += 1) {
      if (!await isReady(player, "loadeddata", 2)) break;
      player.currentTime = (duration * (index + 0.5)) / frames;
      await new Promise((resolve) => player.addEventListener("seeked", resolve, { once: true }));
      if (this.#drawing === drawing) fill(context, player, index * width, width, this.#strip.height);
    }
    player.removeAttribute("src");
    player.load();
    if (this.#drawing === drawing) this.#strip.dataset.drawn = "true";
  }

  get #isToEnd() {
    return Number(this.#to.value) + step > Number(this.#to.max);
  }

  /** The members of the event for the present handles. */
  get #chosen() {
    const from = Number(this.#from.value);
    return { ...(from > 0 ? { from } : {}), ...(this.#isToEnd ? {} : { to: Number(this.#to.value) }) };
  }

  /** Keeps a handle on its side of the other one, and shows the frame there. */
  #move(handle, limit, sign) {
    const value = Number(handle.value);
    if (sign * (value - limit) < 0) handle.value = String(limit);
    this.#player.pause();
    const isEnd = handle === this.#to;
    // The end of a part is the time of the first frame that is not shown.
    this.#player.currentTime = Math.max(0, Number(handle.value) - (isEnd ? 0.04 : 0));
    this.#draw();
  }

  #draw() {
    const [from, to, duration] = [this.#from, this.#to, this.#to].map((each, index) => Number(index < 2 ? each.value : each.max));
    const { style } = find("trim-range");
    style.setProperty("--from", String(from / duration));
    style.setProperty("--to", String(to / duration));
    const text = (seconds) => seconds.toFixed(2);
    find("trim-times").textContent = `${text(from)} s to ${text(to)} s: ${text(to - from)} s of ${text(duration)} s`;
    this.#from.setAttribute("aria-valuetext", `${text(from)} seconds`);
    this.#to.setAttribute("aria-valuetext", `${text(to)} seconds`);
  }

  #play() {
    if (!this.#player.paused) return this.#player.pause();
    this.#part.set({ from: Number(this.#from.value), to: this.#isToEnd ? null : Number(this.#to.value) }, false);
    this.#part.rewind();
    this.#player.play().catch(() => {});
  }

  #drawPlay() {
    find("trim-play").textContent = this.#player.paused ? "Play" : "Pause";
  }

  #setEnabled(isEnabled) {
    for (const id of ["trim-from", "trim-to", "trim-play", "trim-confirm", "trim-whole"]) find(id).disabled = !isEnabled;
    this.#strip.dataset.drawn = "false";
  }
}

/** Waits until a player has something; returns whether it has. */
function isReady(player, type, state) {
  if (player.readyState >= state) return true;
  return new Promise((resolve) => {
    player.addEventListener(type, () => resolve(true), { once: true });
    player.addEventListener("error", () => resolve(false), { once: true });
  });
}

/** The duration of a clip; browsers find out that of a recording without one by going to its end. */
async function durationOf(player) {
  if (Number.isFinite(player.duration)) return player.duration;
  player.currentTime = 1e7;
  await new Promise((resolve) => player.addEventListener("seeked", resolve, { once: true }));
  return player.currentTime;
}

/** Draws a frame so that it fills a place. */
function fill(context, player, left, width, height) {
  const scale = Math.max(width / player.videoWidth, height / player.videoHeight);
  const [partWidth, partHeight] = [width / scale, height / scale];
  context.drawImage(
    player, (player.videoWidth - partWidth) / 2, (player.videoHeight - partHeight) / 2, partWidth, partHeight,
    left, 0, width, height,
  );
}
