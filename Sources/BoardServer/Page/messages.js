// What the page says: one line under the board, and words for screen readers.

// The most urgent first; the line shows one at a time.
const order = ["access", "connection", "problem", "confirm", "unsent", "limit", "error", "camera", "notice", "hint"];
const kinds = { hint: "hint", notice: "notice" };
const lifetimes = { error: 10_000, notice: 6_000 };

/** The line under the board. */
export class Messages {
  #line;
  #spoken;
  #texts = new Map();
  #timers = new Map();

  constructor(line, spoken) {
    [this.#line, this.#spoken] = [line, spoken];
  }

  /** Sets or, without a text, clears the message for a subject. */
  set(subject, text) {
    if ((this.#texts.get(subject) ?? null) === (text || null)) return;
    clearTimeout(this.#timers.get(subject));
    if (text) {
      this.#texts.set(subject, text);
      if (lifetimes[subject]) this.#timers.set(subject, setTimeout(() => this.set(subject, null), lifetimes[subject]));
      if (subject !== "hint") this.say(text);
    } else {
      this.#texts.delete(subject);
    }
    this.#draw();
  }

  /** Shows why something failed. */
  fail(error) {
    this.set("error", null);
    this.set("error", error.message ?? String(error));
  }

  /** Clears what was said about the last step. */
  forget() {
    for (const subject of Object.keys(lifetimes)) this.set(subject, null);
  }

  /** Speaks through a screen reader, when it is quiet. */
  say(text) {
    this.#spoken.textContent = text;
  }

  #draw() {
    const subject = order.find((subject) => this.#texts.has(subject));
    this.#line.textContent = subject ? this.#texts.get(subject) : "";
    this.#line.dataset.kind = kinds[subject] ?? "warning";
    this.#line.dataset.subject = subject ?? "";
  }
}
