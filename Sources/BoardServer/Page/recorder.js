// Recording a take: what the browser encodes goes to the server while it is recorded.

import { create, Upload } from "./upload.js";

const pieceMilliseconds = 500;
// Statuses of answers that leave the take paused, with the reason.
const unmade = [422, 500, 507];
// VP9 before H.264, since Chromium on Linux may lack the latter; VP8 last, since it drops frames on slow computers.
const types = ["video/webm;codecs=vp9,opus", "video/mp4;codecs=avc1.42E01E,opus", "video/webm;codecs=vp8,opus",
  "video/mp4"];

/** The recording that this page makes; it pauses, resumes and ends as the board does. */
export class Recorder {
  #onChange;
  #onProblem;
  #onLoss;
  #media = null;
  #upload = null;
  #isFinishing = false;
  /** Whether the board was seen with this take: a state from before the start does not end it. */
  #wasSeen = false;
  /** Whether the board has this take. */
  #isOpen = false;
  /** The ID of the take that this page records, or null. */
  take = null;
  /** Whether the start of a recording is under way. */
  isStarting = false;

  /** `onProblem` is called with a sentence for the user; `onLoss` when the picture ended while it was recorded. */
  constructor({ onChange, onProblem, onLoss }) {
    [this.#onChange, this.#onProblem, this.#onLoss] = [onChange, onProblem, onLoss];
  }

  /** Whether this page can continue its take. */
  get isAlive() {
    return this.take !== null && this.#media.state !== "inactive" && !this.#upload.failure;
  }

  /** Whether something would be lost if the page were closed now. */
  get isBusy() {
    return this.isStarting || this.take !== null;
  }

  /** The number of bytes that the server has received. */
  get bytes() {
    return this.#upload?.offset ?? 0;
  }

  /** What keeps the server from taking what waits, as the beginning of a sentence. */
  get obstacle() {
    return this.#upload?.obstacle;
  }

  /** The seconds of recording that wait for a server that has stopped receiving; 0 while it receives. */
  get unsentSeconds() {
    const upload = this.#upload;
    if (!upload || upload.silence < 2000) return 0;
    return Math.max(1, Math.round(upload.waiting * pieceMilliseconds / 1000));
  }

  /** Starts a take, or continues an interrupted one with a further segment. */
  async start(stream, { replace = false, take = null } = {}) {
    if (this.isStarting) return;
    if (this.take !== null) this.#drop();
    this.isStarting = true;
    this.#onChange();
    try {
      await this.#begin(stream, { replace, take });
    } finally {
      this.isStarting = false;
      this.#onChange();
    }
  }

  async #begin(stream, { replace, take }) {
    const early = [];
    const media = new MediaRecorder(stream, options(stream));
    let keep = (piece) => early.push(piece);
    media.ondataavailable = (event) => keep(event.data);
    media.onstop = () => this.#lostPicture(media);
    media.onerror = (event) => this.#onProblem(`The browser stopped recording (${event.error?.name ?? "error"}).`);
    media.start(pieceMilliseconds);
    const members = { filetype: media.mimeType };
    if (replace) members.replace = "true";
    if (take) members.take = take;
    try {
      const { address, answer } = await create("/takes", members);
      const upload = new Upload(address, { keepsLease: true, onChange: () => this.#followUpload(upload) });
      early.forEach((piece) => upload.push(piece));
      keep = (piece) => upload.push(piece);
      [this.take, this.#media, this.#upload] = [answer.take, media, upload];
      [this.#isFinishing, this.#wasSeen] = [false, false];
    } catch (error) {
      if (media.state !== "inactive") media.stop();
      throw error;
    }
  }

  /** Applies a state of the board to the recording, whatever changed it. */
  follow(state) {
    const isOpen = this.take !== null && state.take?.id === this.take;
    this.#isOpen = isOpen;
    if (this.take === null || this.#isFinishing) return;
    this.#wasSeen ||= isOpen;
    if (!isOpen) return this.#wasSeen && this.#drop();
    const media = this.#media;
    if (state.session === "finalizing") return this.#finish();
    if (state.session === "paused" && media.state === "recording") media.pause();
    if (state.session === "recording" && media.state === "paused") media.resume();
  }

  async #finish() {
    const [media, upload] = [this.#media, this.#upload];
    this.#isFinishing = true;
    try {
      if (media.state !== "inactive") {
        await new Promise((resolve) => {
          media.onstop = resolve;
          media.stop();
        });
      }
      await upload.finish();
    } catch (error) {
      // Nothing is shown if the take was discarded, or if the server finished it and only its answer was lost. The
      // board has the reason if no clip could be made.
      if (this.#isOpen && !unmade.includes(error.status)) this.#onProblem(error.message);
    }
    if (this.#upload === upload) this.#drop();
  }

  /** Sends what there is of a recording whose picture ended, and lets its lease lapse: it can be continued or kept. */
  async #lostPicture(media) {
    if (this.#media !== media || this.#isFinishing) return;
    const upload = this.#upload;
    this.#onLoss();
    await upload.drained().catch(() => {});
    if (!this.#isFinishing) upload.abandon();
    this.#onChange();
  }

  /** Ends the recording here because the page is closed or reloaded, and reports that, so that others can continue it. */
  leave() {
    const upload = this.#upload;
    if (this.take === null) return;
    this.#drop();
    upload.leave();
  }

  #followUpload(upload) {
    if (upload.failure && this.#upload === upload && !this.#isFinishing) {
      if (this.#media.state !== "inactive") this.#media.stop();
      if (![404, 410].includes(upload.failure.status)) this.#onProblem(upload.failure.message);
    }
    this.#onChange();
  }

  /** Ends the recording here without a clip. */
  #drop() {
    const [media, upload] = [this.#media, this.#upload];
    [this.take, this.#media, this.#upload, this.#isFinishing] = [null, null, null, false];
    if (media.state !== "inactive") media.stop();
    upload.abandon();
    this.#onChange();
  }
}

function options(stream) {
  const hasSound = stream.getAudioTracks().length > 0;
  const named = hasSound ? types : types.map((type) => type.replace(",opus", ""));
  const mimeType = named.find((type) => MediaRecorder.isTypeSupported(type));
  const { width = 1280, height = 720, frameRate = 30 } = stream.getVideoTracks()[0].getSettings();
  const videoBitsPerSecond = Math.round(Math.min(12e6, Math.max(1e6, width * height * frameRate * 0.12)));
  return { mimeType, videoBitsPerSecond, audioBitsPerSecond: 128_000 };
}
