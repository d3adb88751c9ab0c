// Video files that are dropped on a canvas or chosen.

import { ask } from "./dialogs.js";
import { size } from "./format.js";
import { guest } from "./guest.js";
import { canWrite, howToGetIn } from "./server.js";
import { create, Upload } from "./upload.js";

const pieceSize = 2 << 20;
const attempts = 5;

export class Files {
  #connection;
  #messages;
  #onChange;
  #input = document.getElementById("file");
  #target = null;
  #uploads = new Map();

  constructor({ connection, messages, onChange }) {
    [this.#connection, this.#messages, this.#onChange] = [connection, messages, onChange];
    this.#input.addEventListener("change", () => this.#chosen());
    this.#acceptDrops();
  }

  get isBusy() {
    return this.#uploads.size > 0;
  }

  /** Returns the progress of the upload to a canvas, from 0 to 1 with a text; null without an upload. */
  progress(id) {
    return this.#uploads.get(id) ?? null;
  }

  /** Asks the user for a file for a canvas. */
  choose(id) {
    this.#target = id;
    this.#input.value = "";
    this.#input.click();
  }

  #chosen() {
    const [file] = this.#input.files;
    const id = this.#target ?? this.#connection.state?.focus ?? this.#connection.state?.canvases[0]?.id;
    if (file && id) this.put(file, id);
  }

  /** Uploads a file to a canvas, after asking if that replaces a clip. */
  async put(file, id) {
    const canvas = this.#connection.state.canvases.find((canvas) => canvas.id === id);
    const can = canvas?.can ?? {};
    if (!canWrite()) return this.#messages.set("notice", howToGetIn);
    if (this.#uploads.has(id)) return this.#messages.set("notice", `Another file is being sent to ${id}.`);
    if (!can.importClip && !can.importClipReplacing) {
      return this.#messages.set("notice", guest ? "Only the owner of the board can add files."
        : "Stop or discard the recording first.");
    }
    const { fileBytes } = this.#connection.state.limits;
    if (file.size > fileBytes) {
      return this.#messages.fail(`${file.name} is too large: ${size(file.size)}; the limit is ${size(fileBytes)}.`);
    }
    const replace = !can.importClip;
    const question = `Replace ${canvas.clip?.name ?? "the clip"} on ${id} with ${file.name}?`;
    if (replace && !await ask(question, "Replace")) return;
    await this.#upload(file, id, replace);
  }

  async #upload(file, id, replace) {
    const show = (part, text) => {
      this.#uploads.set(id, { part, text });
      this.#onChange([id]);
    };
    show(0, `Sending ${file.name}…`);
    const members = { filename: file.name, filetype: file.type, ...(replace ? { replace: "true" } : {}) };
    try {
      for (let attempt = 1; !await this.#send(file, id, members, show); attempt += 1) {
        if (attempt === attempts) throw new Error("The server was restarted too often; try again.");
      }
      this.#messages.set("notice", `${file.name} was added to ${id}.`);
    } catch (error) {
      const { message } = error;
      this.#messages.fail(message.includes(file.name) ? message : `${file.name}: ${message}`);
    } finally {
      this.#uploads.delete(id);
      this.#onChange([id]);
    }
  }

  /** Sends a file from its beginning; returns false if the server was restarted meanwhile, and forgot what it had. */
  async #send(file, id, members, show) {
    const { address } = await create(`/canvases/${encodeURIComponent(id)}/clip`, members, file.size);
    const upload = new Upload(address, { onChange: () => {
      const part = file.size ? upload.offset / file.size : 1;
      const text = upload.silence > 5000 ? `${upload.obstacle}; trying again…`
        : part < 1 ? `Sending ${file.name}, ${Math.floor(100 * part)}%` : "Checking the file…";
      show(part, text);
    } });
    for (let start = 0; start < file.size; start += pieceSize) upload.push(file.slice(start, start + pieceSize));
    try {
      await upload.finish();
      return true;
    } catch (error) {
      if (error.status === 404) return false;
      upload.giveUp();
      throw error;
    }
  }

  #acceptDrops() {
    let over = null;
    const mark = (element) => {
      if (element === over) return;
      over?.removeAttribute("data-drop");
      over = element;
      over?.setAttribute("data-drop", "");
    };
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      // Everywhere, so that a file that misses a canvas does not replace the page.
      event.preventDefault();
      const element = event.target.closest?.(".canvas") ?? null;
      event.dataTransfer.dropEffect = element ? "copy" : "none";
      mark(element);
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && mark(null));
    addEventListener("drop", (event) => {
      event.preventDefault();
      const id = over?.dataset.canvas;
      mark(null);
      const [file, ...others] = event.dataTransfer.files;
      if (id && others.length > 0) return this.#messages.set("notice", "Drop one file at a time, on its canvas.");
      if (id && file) this.put(file, id);
    });
  }
}
