// The menu of a canvas.

export class Menu {
  #menu = document.getElementById("menu");
  #opener = null;
  #id = null;

  /** `onAction` is called with the name of an action and the ID of the canvas. */
  constructor(onAction) {
    for (const item of this.#items) {
      item.addEventListener("click", () => {
        this.#menu.hidePopover();
        onAction(item.dataset.action, this.#id);
      });
    }
    this.#menu.addEventListener("keydown", (event) => this.#move(event));
    this.#menu.addEventListener("toggle", (event) => {
      this.#opener?.setAttribute("aria-expanded", String(event.newState === "open"));
      if (event.newState === "closed" && this.#menu.contains(document.activeElement)) this.#opener?.focus();
    });
  }

  get #items() {
    return [...this.#menu.querySelectorAll("button:not([hidden])")];
  }

  /** Opens the menu beside a button, with what can be done with the canvas. */
  open(canvas, opener, enabled) {
    [this.#id, this.#opener] = [canvas.id, opener];
    for (const item of this.#items) item.disabled = !enabled[item.dataset.action];
    this.#menu.setAttribute("aria-label", `Canvas ${canvas.id}`);
    this.#menu.showPopover();
    const button = opener.getBoundingClientRect();
    const { width, height } = this.#menu.getBoundingClientRect();
    const place = (wanted, size, room) => `${Math.max(8, Math.min(wanted, room - size - 8))}px`;
    this.#menu.style.left = place(button.right - width, width, innerWidth);
    this.#menu.style.top = place(button.bottom + 4, height, innerHeight);
    this.#items.find((item) => !item.disabled)?.focus();
  }

  #move(event) {
    const items = this.#items.filter((item) => !item.disabled);
    const index = items.indexOf(document.activeElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Tab") return this.#menu.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    items.at(next % items.length)?.focus();
  }
}
