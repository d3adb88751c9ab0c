// The takes of a canvas: the clips that it has and had.

import { clipTitle, clock, size, timeOfDay } from "./format.js";
import { Part } from "./part.js";
import { request, sendEvent, sendEvents } from "./server.js";

const find = (id) => document.getElementById(id);
const template = find("take-template");
// Browsers need seconds to lay out thousands of items with pictures.
const FIRST_COUNT = 100;

export class Takes {
  #dialog = find("takes-dialog");
  #list = find("takes-list");
  #more = find("takes-more");
  #note = find("takes-note");
  #undo = find("takes-undo");
  #canvas = null;
  #canChange = false;
  #takes = [];
  #count = FIRST_COUNT;
  #shown = null;
  #onProblem;

  /** `onProblem` is called with an error. */
  constructor(onProblem) {
    this.#onProblem = onProblem;
    this.#dialog.addEventListener("close", () => {
      this.#canvas = this.#shown = null;
      this.#list.replaceChildren();
    });
    this.#more.addEventListener("click", () => this.#showMore());
    this.#undo.addEventListener("click", () => this.#change(() => sendEvent("undo"), ""));
  }

  async open(canvas, canChange) {
    [this.#canvas, this.#canChange, this.#count] = [canvas, canChange, FIRST_COUNT];
    find("takes-title").textContent = `Takes of ${canvas.id}`;
    this.#say("");
    await this.#load();
    if (this.#canvas === canvas) this.#dialog.showModal();
  }

  /** Draws the list again if the takes of its canvas changed, and closes it if the canvas is gone. */
  follow(canvases) {
    if (!this.#canvas) return;
    const canvas = canvases.find(({ id }) => id === this.#canvas.id);
    if (!canvas) return this.#dialog.close();
    if (key(canvas) !== key(this.#canvas)) {
      this.#canvas = canvas;
      this.#load();
    }
  }

  async #load() {
    const { id } = this.#canvas;
    try {
      const response = await request("GET", `/canvases/${encodeURIComponent(id)}/takes`);
      const takes = await response.json();
      if (this.#canvas?.id === id) this.#draw(takes.reverse());
    } catch (error) {
      this.#onProblem(error);
    }
  }

  #draw(takes) {
    const text = JSON.stringify(takes);
    if (text === this.#shown) return;
    [this.#shown, this.#takes] = [text, takes];
    this.#render();
  }

  #render() {
    const takes = this.#takes;
    const hadFocus = this.#list.contains(document.activeElement);
    this.#list.replaceChildren(...takes.slice(0, this.#count).map((take) => this.#item(take)));
    const rest = takes.length - this.#count;
    this.#more.hidden = rest <= 0;
    this.#more.textContent = `Show older takes (${rest})`;
    if (takes.length === 0) this.#say("This canvas has no takes.");
    if (hadFocus) (this.#list.querySelector("button:not(:disabled)") ?? find("takes-close")).focus();
  }

  /** Shows twice as many takes. */
  #showMore() {
    const first = this.#count;
    this.#count *= 2;
    this.#render();
    this.#list.children[first]?.querySelector("button:not(:disabled)")?.focus();
  }

  #item(take) {
    const item = template.content.firstElementChild.cloneNode(true);
    const part = (name) => item.querySelector(`.take-${name}`);
    const title = clipTitle({ clip: take });
    item.dataset.take = String(take.generation);
    item.dataset.inUse = String(take.isInUse);
    part("name").textContent = title;
    part("facts").textContent = facts(take).join(" · ");
    if (take.cover === "ready") part("cover").src = address("covers", this.#canvas, take);
    const isThere = take.file !== "missing";
    const act = (name, isPossible, action) => {
      const button = part(name);
      button.disabled = !isPossible;
      button.setAttribute("aria-label", `${button.textContent.trim() || "Play"} ${title}`);
      button.addEventListener("click", action);
    };
    act("play", isThere, () => this.#play(item, take));
    act("use", this.#canChange && !take.isInUse && take.file === "unchanged", () => this.#use(take, title));
    act("delete", this.#canChange, () => this.#delete(take, title));
    return item;
  }

  #play(item, take) {
    for (const other of this.#list.querySelectorAll("video")) other.remove();
    const player = document.createElement("video");
    [player.controls, player.playsInline] = [true, true];
    player.src = address("clips", this.#canvas, take);
    new Part(player).set(take, false);
    item.append(player);
    player.play().catch(() => {});
    player.focus();
  }

  #use(take, title) {
    const members = { canvas: this.#canvas.id, generation: take.generation };
    return this.#change(() => sendEvent("useTake", members), `${title} is the clip of ${this.#canvas.id}.`);
  }

  #delete(take, title) {
    const canvas = this.#canvas.id;
    const remove = { event: "removeTake", canvas, generation: take.generation };
    // The clip becomes a take when it is removed, and then that is.
    const events = take.isInUse ? [{ event: "removeClip", canvas }, remove] : [remove];
    return this.#change(() => sendEvents(events), `Deleted ${title}.`);
  }

  async #change(send, text) {
    try {
      const { outcome } = await send();
      if (!this.#canvas) return;
      if (outcome === "changed") this.#say(text);
      await this.#load();
    } catch (error) {
      this.#say(error.message, false);
    }
  }

  /** Shows what was done, with a way back. */
  #say(text, canUndo = text !== "") {
    this.#note.textContent = text;
    this.#undo.hidden = !canUndo || !this.#canChange;
  }
}

function key({ clip, takes }) {
  return JSON.stringify([clip?.generation, takes]);
}

function address(kind, canvas, take) {
  return `/${kind}/${encodeURIComponent(canvas.id)}/${take.generation}`;
}

function facts({ seconds, from, to, bytes, time, isInUse, file }) {
  const isPart = from !== null || to !== null;
  return [
    isInUse ? "in use" : null, seconds === null ? null : clock(Math.max(1, Math.round(seconds))) + (isPart ? " of the clip" : ""),
    bytes === null ? null : size(bytes), time === null ? null : timeOfDay(time),
    file === "missing" ? "the file is missing" : file === "changed" ? "the file has changed" : null,
  ].filter(Boolean);
}
