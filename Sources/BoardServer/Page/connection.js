// The page's end of the stream of changes: the board's state, kept whole.

import { asGuest, guest } from "./guest.js";
import { Stream, merged } from "./stream.js";

/** Follows the board through the shared worker where there is one. */
export class Connection {
  #onState;
  #onStatus;
  #reopen = () => {};
  #hiddenAt = null;
  /** The newest state as it is for the owner of the board. */
  #whole = null;
  /** The newest state, or null before the first one. */
  state = null;
  /** When this state was received, on this computer's clock, in milliseconds. */
  receivedAt = 0;
  status = "connecting";

  /** `onState` is called with the IDs of the canvases that changed, or null for all; `onStatus` without arguments. */
  constructor(onState, onStatus) {
    [this.#onState, this.#onStatus] = [onState, onStatus];
  }

  start() {
    if (!this.#startWorker()) this.#startAlone();
    addEventListener("online", () => this.#reopen());
    document.addEventListener("visibilitychange", () => this.#returned());
  }

  #startWorker() {
    if (typeof SharedWorker === "undefined") return false;
    let port;
    try {
      const worker = new SharedWorker("/stream-worker.js", { type: "module", name: "clipcanvas-changes" });
      worker.onerror = () => {
        port.close();
        this.#startAlone();
      };
      port = worker.port;
    } catch {
      return false;
    }
    port.onmessage = ({ data }) => this.#take(data);
    port.postMessage("hello");
    this.#reopen = () => port.postMessage("reopen");
    addEventListener("pagehide", () => port.postMessage("bye"));
    addEventListener("pageshow", (event) => event.persisted && port.postMessage("hello"));
    return true;
  }

  #startAlone() {
    const stream = new Stream((report) => this.#take(report));
    this.#reopen = () => stream.reopen();
  }

  /** Connects again if the page was hidden for long: the connection of a computer that slept is often dead. */
  #returned() {
    if (document.hidden) {
      this.#hiddenAt = Date.now();
    } else if (this.#hiddenAt && Date.now() - this.#hiddenAt > 30_000) {
      this.#reopen();
    }
  }

  #take(report) {
    if (report.kind === "status") {
      this.status = report.status;
      return this.#onStatus();
    }
    if (report.kind === "change" && !this.state) return;
    const isFull = report.kind === "board";
    this.#whole = isFull ? report.state : merged(this.#whole, report.state);
    this.state = guest ? asGuest(this.#whole) : this.#whole;
    this.receivedAt = report.receivedAt;
    if (isFull || report.state.order) return this.#onState(null);
    const ids = report.state.canvases.map((canvas) => canvas.id);
    // The canvas of a take also shows whether its page is still there.
    if (this.state.take) ids.push(this.state.take.canvas);
    this.#onState(ids);
  }

  /** The recorded time of the open take at this moment, in seconds. */
  get takeSeconds() {
    const take = this.state?.take;
    if (!take) return 0;
    return take.seconds + (take.isRunning ? Math.max(0, Date.now() - this.receivedAt) / 1000 : 0);
  }
}
