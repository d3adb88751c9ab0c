// The stream of changes of the board. Runs in the page, or in the worker that all tabs share.

/** Returns the state after a change, which names only the canvases that changed. */
export function merged(state, change) {
  const canvases = new Map(state.canvases.map((canvas) => [canvas.id, canvas]));
  for (const canvas of change.canvases) canvases.set(canvas.id, canvas);
  const order = change.order ?? state.canvases.map((canvas) => canvas.id);
  return { ...change, order: undefined, canvases: order.map((id) => canvases.get(id)).filter(Boolean) };
}

/** Follows the board, and reports its states and whether the server answers. */
export class Stream {
  #report;
  #source = null;
  #retry = null;
  /** The last states, for a tab that is opened later. */
  last = { status: { kind: "status", status: "connecting" }, board: null };

  /** `report` is called with `{kind: "board"|"change", state, receivedAt}` and `{kind: "status", status}`. */
  constructor(report) {
    this.#report = report;
    this.#open();
  }

  /** Connects again at once, for a computer that was asleep or offline. */
  reopen() {
    this.#open();
  }

  #open() {
    clearTimeout(this.#retry);
    this.#source?.close();
    const source = new EventSource("/changes");
    this.#source = source;
    source.onopen = () => this.#say("connected");
    source.addEventListener("board", (event) => this.#take("board", event));
    source.addEventListener("change", (event) => this.#take("change", event));
    source.onerror = () => this.#failed(source);
  }

  #take(kind, event) {
    const state = JSON.parse(event.data);
    const receivedAt = Date.now();
    const isFull = kind === "board";
    if (!isFull && !this.last.board) return;
    this.last.board = { kind: "board", state: isFull ? state : merged(this.last.board.state, state), receivedAt };
    this.#say("connected");
    this.#report({ kind, state, receivedAt });
  }

  /** An event source reconnects automatically after a lost connection, but not after an answer that is not a stream. */
  async #failed(source) {
    if (source.readyState !== EventSource.CLOSED) return this.#say("lost");
    let status = "lost";
    try {
      const response = await fetch("/board", { cache: "no-store" });
      if (response.status === 401 || response.status === 403) status = "noAccess";
    } catch {
      // The server does not answer at all.
    }
    if (this.#source !== source) return;
    this.#say(status);
    this.#retry = setTimeout(() => this.#open(), 1500);
  }

  #say(status) {
    if (this.last.status.status === status) return;
    this.last.status = { kind: "status", status };
    this.#report(this.last.status);
  }
}
