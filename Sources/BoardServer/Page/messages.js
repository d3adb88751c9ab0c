// The messages of the page: one line under the board, and words for screen readers.

// The most urgent first; the line shows one at a time.
const order = ["access", "connection", "problem", "confirm", "unsent", "limit", "error", "done", "camera", "notice", "hint"];
const kinds = { hint: "hint", notice: "notice", done: "notice" };
const lifetimes = { error: 10_000, done: 10_000, notice: 6_000 };
// These count seconds, and a screen reader should not read out each one.
const counting = new Set(["limit", "unsent"]);

/** The line under the board. A text that is too long for it is cut, and a button shows the rest over the board. */
export class Messages {
  #line;
  #more;
  #picture;
  #action;
  #spoken;
  #texts = new Map();
  #timers = new Map();
  /** What was done last, and how to take it back. */
  #done = null;

  constructor({ line, more, picture, action, spoken }) {
    [this.#line, this.#more, this.#picture, this.#action] = [line, more, picture, action];
    this.#spoken = spoken;
    action.addEventListener("click", () => {
      const { run } = this.#done;
      this.set("done", null);
      run();
    });
    more.addEventListener("click", () => this.#expand(more.getAttribute("aria-expanded") !== "true"));
    new ResizeObserver(() => this.#fit()).observe(line.parentElement);
  }

  /** Sets or, without a text, clears the message for a subject. */
  set(subject, text) {
    if ((this.#texts.get(subject) ?? null) === (text || null)) return;
    clearTimeout(this.#timers.get(subject));
    const isNew = !this.#texts.has(subject);
    if (text) {
      this.#texts.set(subject, text);
      if (lifetimes[subject]) this.#timers.set(subject, setTimeout(() => this.set(subject, null), lifetimes[subject]));
      if (subject !== "hint" && (isNew || !counting.has(subject))) this.say(text);
    } else {
      this.#texts.delete(subject);
    }
    this.#draw();
  }

  /** Shows what was done, a picture of it or none yet, and a button with a text that runs something. */
  setDone(text, { picture = null, action, run }) {
    this.set("done", null);
    this.#done = { picture, action, run };
    this.set("done", text);
  }

  /** Adds a picture to the message about what was done. */
  setPicture(picture) {
    if (!this.#texts.has("done") || this.#done.picture) return;
    this.#done.picture = picture;
    this.#drawDone(this.#line.dataset.subject);
  }

  /** Shows why something failed. */
  fail(error) {
    this.set("error", null);
    this.set("error", error.message ?? String(error));
  }

  /** Clears the messages about the last step. */
  forget() {
    for (const subject of Object.keys(lifetimes)) this.set(subject, null);
  }

  /** Speaks through a screen reader, when it is quiet. */
  say(text) {
    this.#spoken.textContent = text;
  }

  #draw() {
    const subject = order.find((subject) => this.#texts.has(subject));
    const text = this.#texts.get(subject) ?? "";
    if (this.#line.textContent === text && this.#line.dataset.subject === subject) return;
    // What counts seconds stays as the user wants to see it.
    if (this.#line.dataset.subject !== subject) this.#expand(false);
    this.#line.textContent = text;
    this.#line.dataset.kind = kinds[subject] ?? "warning";
    this.#line.dataset.subject = subject ?? "";
    this.#drawDone(subject);
    this.#fit();
  }

  #drawDone(subject) {
    const { picture, action } = subject === "done" ? this.#done : {};
    this.#picture.hidden = !picture;
    this.#picture.replaceChildren(...(picture ? [picture] : []));
    this.#action.hidden = !action;
    this.#action.textContent = action ?? "";
  }

  /** Offers the rest of a text that is cut. */
  #fit() {
    if (this.#more.getAttribute("aria-expanded") === "true") return;
    this.#more.hidden = this.#line.scrollHeight <= this.#line.clientHeight + 1;
  }

  #expand(isExpanded) {
    this.#more.setAttribute("aria-expanded", String(isExpanded));
    this.#more.textContent = isExpanded ? "Less" : "More";
    this.#line.parentElement.toggleAttribute("data-expanded", isExpanded);
    this.#fit();
  }
}
