// Sending bytes by tus 1.0: in order, resumed after a lost connection, and never twice.

import { pause } from "./pause.js";
import { NoAnswer, Refusal, metadata, request } from "./server.js";

const noAnswer = "The server is not responding";
const version = { "Tus-Resumable": "1.0.0" };
const largestPiece = 8 << 20;
const leaseInterval = 2000;

/** Creates an upload; returns its address and the rest of the answer. */
export async function create(address, members, length) {
  const size = length === undefined ? { "Upload-Defer-Length": "1" } : { "Upload-Length": String(length) };
  const response = await request("POST", address, {
    headers: { ...version, ...size, "Upload-Metadata": metadata(members) },
  });
  return { address: response.headers.get("Location"), answer: await response.json().catch(() => ({})) };
}

/** An upload under way. */
export class Upload {
  #address;
  #onChange;
  #queue = [];
  #isUnsure = false;
  #isOver = false;
  #wake = () => {};
  #patience;
  #lastAnswer = performance.now();
  #drained = [];
  /** The bytes that the server has. */
  offset = 0;
  /** What keeps the server from taking more at present, as the beginning of a sentence. */
  obstacle = noAnswer;
  /** Why the upload cannot continue; null if it can. */
  failure = null;

  /** `keepsLease`: whether to send an empty piece now and then, as a recorder must. `onChange` follows the progress. */
  constructor(address, { keepsLease = false, onChange = () => {} } = {}) {
    [this.#address, this.#onChange, this.#patience] = [address, onChange, keepsLease ? 5000 : 30_000];
    this.#run(keepsLease);
  }

  /** The number of pieces that wait to be sent. */
  get waiting() {
    return this.#queue.length;
  }

  /** How long something has waited for an answer of the server, in milliseconds. */
  get silence() {
    const waits = !this.failure && (this.#queue.length > 0 || this.#isUnsure);
    return waits ? performance.now() - this.#lastAnswer : 0;
  }

  push(blob) {
    if (blob.size === 0 || this.#isOver) return;
    this.#queue.push(blob);
    this.#wake();
  }

  /** Waits until everything was sent, and ends the upload; returns the server's answer. */
  async finish() {
    await this.drained();
    const length = this.offset;
    this.#isOver = true;
    this.#wake();
    for (;;) {
      try {
        // Joining and checking a long recording takes a while.
        const headers = { ...version, "Upload-Length": String(length) };
        const response = await request("POST", `${this.#address}/finish`, { headers, patience: 600_000 });
        this.#answered();
        return await response.json();
      } catch (error) {
        // The server keeps the data until the board can be changed.
        const isLocked = error.reason === "locked";
        const isBusy = error.status === 503;
        if (!(error instanceof NoAnswer) && !isBusy && !isLocked) throw error;
        this.obstacle = isLocked ? "A recording is in progress" : isBusy ? error.message.replace(/\.$/, "") : noAnswer;
        this.#unanswered();
        await pause(1000);
      }
    }
  }

  /** Stops sending; what waits is dropped. */
  abandon() {
    this.#isOver = true;
    this.#queue = [];
    this.#wake();
  }

  /** Stops sending, and frees what the server has of the upload. */
  giveUp() {
    this.abandon();
    request("DELETE", this.#address, { headers: version }).catch(() => {});
  }

  /** Reports that nothing more comes; the request outlives the page. */
  leave() {
    this.abandon();
    request("POST", `${this.#address}/leave`, { headers: version, outlivesPage: true }).catch(() => {});
  }

  /** Waits until everything was sent. */
  async drained() {
    if (this.failure) throw this.failure;
    if (this.#queue.length === 0) return;
    await new Promise((resolve, reject) => this.#drained.push({ resolve, reject }));
  }

  async #run(keepsLease) {
    let backoff = 250;
    while (!this.#isOver) {
      const isLeaseDue = keepsLease && performance.now() - this.#lastAnswer >= leaseInterval - 50;
      if (this.#queue.length === 0 && !isLeaseDue && !this.#isUnsure) {
        await this.#nextPiece(keepsLease);
        continue;
      }
      try {
        if (this.#isUnsure) await this.#askOffset();
        await this.#sendPiece();
        this.#answered();
        backoff = 250;
      } catch (error) {
        if (this.#isOver) return;
        if (!(error instanceof NoAnswer)) return this.#fail(error);
        if (!await this.#canRead()) return this.#fail(new Error("The file was changed or removed; choose it again."));
        this.#unanswered();
        await pause(backoff);
        backoff = Math.min(2000, backoff * 2);
      }
    }
  }

  #nextPiece(keepsLease) {
    return new Promise((resolve) => {
      const timer = keepsLease ? setTimeout(resolve, leaseInterval - (performance.now() - this.#lastAnswer)) : null;
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #sendPiece() {
    let [count, size] = [0, 0];
    while (count < this.#queue.length && (count === 0 || size + this.#queue[count].size <= largestPiece)) {
      size += this.#queue[count++].size;
    }
    const headers = {
      ...version, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(this.offset),
    };
    const body = new Blob(this.#queue.slice(0, count));
    try {
      await request("PATCH", this.#address, { headers, body, patience: this.#patience + size / 50 });
    } catch (error) {
      if (error instanceof Refusal && [409, 507].includes(error.status)) {
        this.#isUnsure = true;
        // The waiting parts can be sent when there is room again.
        this.obstacle = error.status === 507 ? "The disk is full: free some space" : noAnswer;
        throw new NoAnswer("The server did not accept the data.", { cause: error });
      }
      throw error;
    }
    this.obstacle = noAnswer;
    this.#drop(size);
  }

  /** Whether what waits can still be read: the file may be gone, or another one. */
  async #canRead() {
    try {
      await this.#queue[0]?.slice(0, 1).arrayBuffer();
      return true;
    } catch {
      return false;
    }
  }

  /** Learns how much of what was sent arrived, and drops that from the queue. */
  async #askOffset() {
    const response = await request("HEAD", this.#address, { headers: version, patience: this.#patience });
    const arrived = Number(response.headers.get("Upload-Offset")) - this.offset;
    if (!(arrived >= 0)) throw new Error("The server lost part of the recording.");
    this.#drop(arrived);
    this.#isUnsure = false;
  }

  #drop(size) {
    this.offset += size;
    while (size > 0) {
      const first = this.#queue.shift();
      if (!first) throw new Error("The server has more data than was sent.");
      if (first.size > size) this.#queue.unshift(first.slice(size));
      size -= Math.min(size, first.size);
    }
    if (this.#queue.length === 0) this.#drained.splice(0).forEach(({ resolve }) => resolve());
  }

  #answered() {
    this.#lastAnswer = performance.now();
    this.#onChange();
  }

  #unanswered() {
    this.#isUnsure = true;
    this.#onChange();
  }

  #fail(error) {
    [this.failure, this.#isOver] = [error, true];
    this.#drained.splice(0).forEach(({ reject }) => reject(error));
    this.#onChange();
  }
}
