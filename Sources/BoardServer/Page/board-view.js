// All canvases at their places, and the way from one to the next.

import { CanvasView } from "./canvas-view.js";
import { gridShape, gridsFor, placed } from "./layout.js";

const narrowest = 110;
const lowest = 90;
// A canvas that is narrower or lower is too small to see what is recorded, and for the texts about a missing camera.
const smallestStage = { width: 240, height: 200 };
// The board's own grid is kept unless another one shows so much more.
const gain = 1.2;

export class BoardView {
  #element;
  #onAction;
  #views = new Map();
  #canvases = [];
  #current = null;
  #page = null;
  /** The place of each canvas in pixels; null in a grid that is scrolled. */
  #places = null;

  constructor(element, onAction) {
    [this.#element, this.#onAction] = [element, onAction];
    new ResizeObserver(() => {
      this.#chooseLayout();
      if (this.#page) this.#stage(this.#page);
    }).observe(element);
    element.addEventListener("focusin", (event) => {
      const id = event.target.closest(".canvas")?.dataset.canvas;
      if (id) this.#makeCurrent(id);
    });
  }

  /** Returns the view of a canvas. */
  view(id) {
    return this.#views.get(id);
  }

  /** The ID of the canvas with the focus of the keyboard, or that had it last. */
  get current() {
    return this.#current;
  }

  /** Whether the keyboard is on a canvas. */
  get hasFocus() {
    return this.#element.contains(document.activeElement);
  }

  /** Draws the canvases named, or all. */
  draw(ids, page) {
    if (ids === null) this.#match(page.state.canvases);
    [this.#canvases, this.#page] = [page.state.canvases, page];
    const named = ids === null ? null : new Set(ids);
    for (const canvas of this.#canvases) {
      if (named === null || named.has(canvas.id)) this.#views.get(canvas.id)?.draw(canvas, page);
    }
    this.#chooseLayout();
    this.#stage(page);
  }

  /** Shows the canvas that this page's user works on over the whole board where its place is too small. */
  #stage({ state, session, isReadOnly }) {
    const index = state.canvases.findIndex((canvas) => canvas.id === state.focus);
    const canvas = state.canvases[index];
    const isInUse = ["preview", "live", "take"].includes(canvas?.shows) && !isReadOnly
      && (session.owns(canvas.id) || session.isAbandoned);
    const place = this.#places?.[index];
    const isSmall = isInUse && !(place?.width >= smallestStage.width && place.height >= smallestStage.height);
    const staged = isSmall ? canvas.id : null;
    if (staged === (this.#element.dataset.staged ?? null)) return;
    if (staged) this.#element.dataset.staged = staged;
    else delete this.#element.dataset.staged;
    this.#element.style.setProperty("--staged-index", String(index));
    this.#element.style.setProperty("--scrolled", `${this.#element.scrollTop}px`);
    for (const [id, { element }] of this.#views) {
      element.toggleAttribute("data-stage", id === staged);
      element.inert = staged !== null && id !== staged;
    }
  }

  tick(page) {
    const id = page.state.take?.canvas;
    if (id) this.#views.get(id)?.tick(page);
  }

  /** Adds, removes and orders elements; those that stay keep what they show. */
  #match(canvases) {
    const wanted = new Set(canvases.map((canvas) => canvas.id));
    let isFocusLost = false;
    for (const [id, view] of this.#views) {
      if (wanted.has(id)) continue;
      isFocusLost ||= view.element.contains(document.activeElement);
      view.unloadClip();
      view.element.remove();
      this.#views.delete(id);
    }
    for (const [index, { id }] of canvases.entries()) {
      if (!this.#views.has(id)) this.#views.set(id, new CanvasView(id, this.#onAction));
      const { element } = this.#views.get(id);
      element.style.order = String(index);
      const present = this.#element.children[index] ?? null;
      if (present !== element) this.#element.insertBefore(element, present);
    }
    if (!this.#views.has(this.#current)) this.#makeCurrent(canvases[0]?.id ?? null);
    if (isFocusLost) this.focus();
    this.#element.setAttribute("aria-busy", "false");
  }

  /**
   * Places the canvases so that their pictures are largest: in the board's regions, or in another grid if they form one.
   *
   * Where that would make them too small to use, they are in a grid that is scrolled.
   */
  #chooseLayout() {
    const { clientWidth: width, clientHeight: height } = this.#element;
    const shapes = this.#canvases.map((canvas) => this.#shape(canvas));
    const regions = this.#canvases.map(({ region }) => region);
    const gap = Number.parseFloat(getComputedStyle(this.#element).columnGap);
    const [own, ...others] = [regions, ...gridsFor(regions)]
      .map((regions) => placed(regions, shapes, { width, height }, gap))
      .map((way) => ({ ...way, area: isUsable(way) ? way.area : 0 }));
    const most = others.reduce((best, way) => (way.area > best.area ? way : best), own);
    const best = own.area * gain >= most.area ? own : most;
    this.#places = best.area > 0 ? best.places : null;
    this.#element.dataset.layout = this.#places ? "regions" : "grid";
    this.#element.style.setProperty("--cell-shape", String(gridShape(shapes)));
    for (const [index, { id }] of this.#canvases.entries()) this.#views.get(id)?.place(this.#places?.[index]);
  }

  /** The width of a canvas's picture divided by its height: that of its clip, or as the camera would record it. */
  #shape({ id, coverShape }) {
    return coverShape ?? (this.isPortrait(id) ? 9 / 16 : 16 / 9);
  }

  /** Whether the region of a canvas would be taller than wide on a screen. */
  isPortrait(id) {
    const { region } = this.#canvases.find((canvas) => canvas.id === id);
    return (region.width * 16) / (region.height * 9) < 0.8;
  }

  /** Moves the focus of the keyboard to a canvas. */
  focus(id = this.#current) {
    const view = this.#views.get(id);
    if (!view) return;
    this.#makeCurrent(id);
    view.tap.focus();
  }

  /** Moves the focus to the nearest canvas in a direction. */
  focusNext(dx, dy) {
    const from = middle(this.#views.get(this.#current)?.element);
    if (!from) return;
    let [best, least] = [null, Infinity];
    for (const [id, { element }] of this.#views) {
      const to = middle(element);
      const [x, y] = [to.x - from.x, to.y - from.y];
      const [along, across] = [x * dx + y * dy, Math.abs(dx ? y : x)];
      const distance = along + 2.5 * across;
      if (along > 1 && distance < least) [best, least] = [id, distance];
    }
    if (best !== null) this.focus(best);
  }

  /** Only one canvas is in the order of the Tab key. */
  #makeCurrent(id) {
    this.#current = id;
    for (const [other, view] of this.#views) {
      view.tap.tabIndex = view.more.tabIndex = other === id ? 0 : -1;
    }
  }
}

function isUsable({ places }) {
  return places.every(({ width, height }) => width >= narrowest && height >= lowest);
}

function middle(element) {
  if (!element) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
