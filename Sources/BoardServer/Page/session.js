// This page's part in the preview and its recording.

import { pause } from "./pause.js";
import { sendEvent } from "./server.js";

const maximumWait = 8000;
const lastWarning = 60;

/** Opens the camera on the canvas that this page's user tapped, and records on request. */
export class Session {
  #connection;
  #camera;
  #recorder;
  #messages;
  #onChange;
  #isPortrait;
  /** The canvas whose camera picture belongs in this page. */
  #mine = null;
  /** A canvas that was tapped here, and the revision of the board with that tap once it is known. */
  #tapped = null;
  #stopping = null;
  #seenFocus = null;
  #ownRevision = -1;
  #countdownTimer = null;
  #isContinuing = false;
  #isEnding = false;
  #saving = null;
  /** The seconds until the recording starts; null without a countdown. */
  countdown = null;
  /** Whether the canvas in preview got there by another window. */
  isElsewhere = false;
  countdownSeconds = 0;
  /** Whether this window has seen that the clip of the open take could not be made. */
  isSaveFailed = false;

  constructor({ connection, camera, recorder, messages, onChange, isPortrait }) {
    [this.#connection, this.#camera, this.#recorder] = [connection, camera, recorder];
    [this.#messages, this.#onChange, this.#isPortrait] = [messages, onChange, isPortrait];
  }

  /** Whether the camera picture of a canvas belongs in this page. */
  owns(id) {
    return id !== null && (this.#mine === id || this.#tapped?.id === id);
  }

  get canRecord() {
    const { can, focus } = this.#connection.state;
    return (can.recordStart || can.recordStartReplacing) && this.owns(focus) && this.#camera.state === "on"
      && !this.#recorder.isStarting;
  }

  /** Whether this page records the open take, or is about to. */
  get isRecorder() {
    const { take } = this.#connection.state;
    return Boolean(take) && (this.#recorder.take === take.id || this.#recorder.isStarting || this.#isContinuing);
  }

  /** Whether no page records the open take. */
  get isAbandoned() {
    const { take, session } = this.#connection.state;
    if (!take || session === "finalizing") return false;
    if (this.isSaveFailed) return true;
    if (this.#recorder.take === take.id) return !this.#recorder.isAlive;
    return take.isRecordedHere && !take.isRecorderPresent;
  }

  /** Whether another program records the open take, such as a script. */
  get isForeign() {
    const { take } = this.#connection.state;
    return Boolean(take) && !take.isRecordedHere;
  }

  async tap(id) {
    await this.#open("tap", id);
  }

  async preview(id) {
    await this.#open("preview", id);
  }

  /** Shows the picture of the canvas in preview in this page. */
  useCamera() {
    this.#mine = this.#connection.state.focus;
    this.restartCamera();
  }

  /** Opens the camera again, such as after a choice of another one. */
  restartCamera() {
    if (!this.owns(this.#connection.state.focus) || this.#recorder.isBusy) return;
    this.#camera.stop();
    this.follow();
    this.#onChange();
  }

  /** Sends an event; returns the outcome, or null after showing the user why the event failed. */
  async send(event, members) {
    try {
      return await sendEvent(event, members);
    } catch (error) {
      this.#messages.fail(error);
      return null;
    }
  }

  /** Undoes or redoes a step. A preview restored this way waits until the user wants the camera. */
  async sendUndo(event) {
    const outcome = await this.send(event);
    if (outcome?.outcome === "changed") this.#ownRevision = outcome.revision;
    this.isElsewhere &&= this.#connection.state.revision !== this.#ownRevision;
    this.#onChange();
  }

  async #open(event, id) {
    const tapped = { id, revision: null };
    this.#tapped = tapped;
    const outcome = await this.send(event, { canvas: id });
    if (outcome?.outcome === "changed") {
      tapped.revision = outcome.revision;
    } else if (this.#tapped === tapped) {
      this.#tapped = null;
    }
    if (outcome?.reason === "locked") {
      this.#messages.set("notice", "Stop or discard the recording first.");
    }
    this.follow();
    this.#onChange();
  }

  /** Starts recording, after the countdown if the user wants one. */
  async record() {
    if (!this.canRecord || this.countdown !== null) return;
    const { focus } = this.#connection.state;
    if (this.countdownSeconds > 0 && !await this.#count(this.countdownSeconds)) return;
    const { state } = this.#connection;
    if (!this.canRecord || state.focus !== focus) return;
    await this.#start({ replace: !state.can.recordStart });
  }

  /** Continues a take that no page records any more. */
  async continue() {
    if (this.#isContinuing) return;
    this.#isContinuing = true;
    try {
      await this.#continue();
    } finally {
      this.#isContinuing = false;
    }
  }

  async #continue() {
    const { take } = this.#connection.state;
    this.#mine = take.canvas;
    if (this.#camera.state !== "on") await this.#camera.start(this.#isPortrait(take.canvas));
    if (this.#camera.state !== "on") return this.#messages.fail(this.#camera.problem ?? "The camera cannot be started.");
    const end = performance.now() + maximumWait;
    // The lease of the recorder that was lost lapses after some seconds; the server refuses another one before.
    while (!await this.#start({ take: take.id }, performance.now() < end)) {
      if (performance.now() >= end || this.#connection.state.take?.id !== take.id) return;
      await pause(500);
    }
  }

  async #start(options, isPatient = false) {
    try {
      await this.#recorder.start(this.#camera.stream, options);
      this.#recorder.follow(this.#connection.state);
      return true;
    } catch (error) {
      if (!(isPatient && error.status === 409)) this.#messages.fail(error);
      return false;
    }
  }

  stop() {
    this.#stopping = this.#connection.state.focus;
    return this.send("recordStop");
  }

  discard() {
    this.#stopping = null;
    return this.send("recordDiscard");
  }

  cancelCountdown() {
    clearTimeout(this.#countdownTimer?.timer);
    this.#countdownTimer?.resolve(false);
    [this.#countdownTimer, this.countdown] = [null, null];
    this.#onChange();
  }

  /** Counts down; returns false if that was cancelled. */
  async #count(seconds) {
    for (let left = seconds; left > 0; left -= 1) {
      this.countdown = left;
      this.#messages.say(String(left));
      this.#onChange();
      const isOver = await new Promise((resolve) => {
        this.#countdownTimer = { resolve, timer: setTimeout(() => resolve(true), 1000) };
      });
      if (!isOver) return false;
    }
    this.countdown = null;
    return true;
  }

  /** Starts and stops camera and recorder to match the board. */
  follow() {
    const { state } = this.#connection;
    if (!state) return;
    this.#settleTap(state);
    this.#followSave(state);
    const canvas = state.canvases.find((canvas) => canvas.id === state.focus);
    const isOpen = canvas !== undefined && canvas.status !== "noPreview";
    this.#recorder.follow(state);
    // While another window records, the camera of this one is off.
    if (isOpen && this.owns(canvas.id) && (!state.take || this.isRecorder)) {
      if (canvas.shows === "preview") this.#openCamera(canvas);
    } else {
      if (!this.#tapped) this.#mine = null;
      if (this.countdown !== null) this.cancelCountdown();
      this.#camera.stop();
    }
    this.#leaveAfterStop(state, canvas);
  }

  #settleTap(state) {
    const isFirst = this.#seenFocus === null;
    const focus = state.focus ?? "";
    if (focus !== this.#seenFocus) this.isElsewhere = !isFirst && state.revision !== this.#ownRevision;
    this.#seenFocus = focus;
    const tapped = this.#tapped;
    if (tapped?.revision == null || state.revision < tapped.revision) return;
    [this.#mine, this.#tapped] = [tapped.id, null];
  }

  #followSave({ session, take }) {
    const isPaused = session === "paused" && take.interruption !== null;
    this.isSaveFailed = isPaused && (this.isSaveFailed || this.#saving === take.id);
    this.#saving = session === "finalizing" ? take.id : null;
  }

  #openCamera(canvas) {
    if (!this.#recorder.isBusy && this.#camera.state === "off") this.#camera.start(this.#isPortrait(canvas.id));
  }

  /** After a recording that ended here, closes the camera, so that the cover of the new clip is seen. */
  #leaveAfterStop(state, canvas) {
    if (state.session === "finalizing" && this.#recorder.take === state.take?.id) this.#stopping = state.focus;
    if (state.session !== "previewing" && state.focus === this.#stopping) return;
    const hasClip = state.focus === this.#stopping && canvas?.clip;
    this.#stopping = null;
    if (hasClip && state.can.deselect) this.send("deselect");
  }

  /** Ends the longest recording. If the clock jumped, because the computer slept, the server may have interrupted it. */
  async #endAtLimit(isFull, hasJumped) {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (hasJumped) await pause(5000);
    this.#isEnding = false;
    const { state, status } = this.#connection;
    if (state.session !== "recording" || status !== "connected" || this.#stopping !== null) return;
    this.#messages.set("notice", isFull ? "The recording reached its maximum size; the clip is kept."
      : "The recording reached its maximum length; the clip is kept.");
    this.stop();
  }

  /** Warns before the longest recording ends, and ends it. */
  watchLimit() {
    const { state, takeSeconds } = this.#connection;
    const isHere = state?.take && state.session === "recording" && this.#recorder.take === state.take.id;
    if (!isHere) return this.#messages.set("limit", null);
    const left = state.limits.takeSeconds - takeSeconds;
    const isFull = this.#recorder.bytes > state.limits.takeBytes * 0.97;
    if (left <= 0.3 || isFull) this.#endAtLimit(isFull, left < -2);
    const warning = `The recording stops in ${Math.max(1, Math.ceil(left))} s, at its maximum length.`;
    this.#messages.set("limit", left <= lastWarning ? warning : null);
  }
}
