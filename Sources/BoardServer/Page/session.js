// This page's part in the preview and its recording.

import { guest, otherRecorder } from "./guest.js";
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
  /** Whether the user wants the camera there, and not to watch the clip. */
  #wantsCamera = false;
  /** A canvas that was tapped here, what the user wants there, and the revision with that tap once it is known. */
  #tapped = null;
  #seenFocus = null;
  #seenGeneration = null;
  #ownRevision = -1;
  #countdownTimer = null;
  #isContinuing = false;
  #isEnding = false;
  #saving = null;
  /** The seconds until the recording starts; null without a countdown. */
  countdown = null;
  /** Whether the canvas in preview got there by another window. */
  isElsewhere = false;
  /** Whether the user has paused the clip of the canvas in preview. */
  isClipPaused = false;
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

  /** Whether a canvas in preview is to show this page's camera. Only the user opens it: no undo and no other window does. */
  usesCamera({ id }) {
    return this.#tapped?.id === id ? this.#tapped.wantsCamera : this.#mine === id && this.#wantsCamera;
  }

  /** Whether a canvas is in preview to be watched: with its clip, and without the camera of this page. */
  watches(canvas) {
    return canvas?.shows === "preview" && Boolean(canvas.clip) && !this.usesCamera(canvas);
  }

  get canRecord() {
    const { can, focus } = this.#connection.state;
    return (can.recordStart || can.recordStartReplacing) && this.owns(focus) && this.#camera.state === "on"
      && !this.#recorder.isStarting;
  }

  /** Whether the camera can be opened to replace the clip that is watched. */
  get canRecordAgain() {
    const { can } = this.#connection.state;
    return Boolean(can.recordStartReplacing) && this.watches(this.#focused);
  }

  get #focused() {
    const { canvases, focus } = this.#connection.state;
    return canvases.find((canvas) => canvas.id === focus);
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

  /** Opens the camera on an empty canvas, and plays the clip of another one. */
  async tap(id) {
    const isEmpty = this.#connection.state.canvases.some((canvas) => canvas.id === id && !canvas.clip);
    await this.#open("tap", id, isEmpty);
  }

  /** Opens the camera on a canvas, whether or not it has a clip. */
  async recordOn(id) {
    const canvas = this.#focused;
    if (canvas?.id === id && canvas.shows === "preview") return this.useCamera();
    await this.#open("preview", id, true);
  }

  /** Shows the camera in the canvas in preview in this page. */
  useCamera() {
    [this.#mine, this.#wantsCamera] = [this.#connection.state.focus, true];
    this.restartCamera();
  }

  /** Shows the screen in the canvas in preview in this page. */
  async useScreen() {
    [this.#mine, this.#wantsCamera] = [this.#connection.state.focus, true];
    await this.#camera.startScreen();
  }

  /** Pauses or plays the clip of the canvas in preview in this page. */
  togglePlay() {
    const { focus } = this.#connection.state;
    this.isClipPaused = this.owns(focus) && !this.isClipPaused;
    [this.#mine, this.#wantsCamera] = [focus, false];
    this.#onChange();
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

  /**
   * Undoes or redoes a step; returns the outcome, or null.
   *
   * A preview restored this way waits until the user wants the camera.
   */
  async sendUndo(event) {
    const outcome = await this.send(event);
    if (outcome?.outcome === "changed") this.#ownRevision = outcome.revision;
    this.isElsewhere &&= this.#connection.state.revision !== this.#ownRevision;
    this.#onChange();
    return outcome;
  }

  async #open(event, id, wantsCamera) {
    const tapped = { id, wantsCamera, revision: null };
    [this.#tapped, this.isClipPaused] = [tapped, false];
    const outcome = await this.send(event, { canvas: id });
    if (outcome?.outcome === "changed") {
      tapped.revision = outcome.revision;
    } else if (this.#tapped === tapped) {
      this.#tapped = null;
    }
    if (outcome?.reason === "locked") {
      const other = guest && otherRecorder(this.#connection.state);
      this.#messages.set("notice", other ? `${other}; you can record when that has ended.`
        : "Stop or discard the recording first.");
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
    [this.#mine, this.#wantsCamera] = [take.canvas, true];
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
    return this.send("recordStop");
  }

  discard() {
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
    const canvas = this.#focused;
    const isOpen = canvas !== undefined && canvas.status !== "noPreview";
    this.#recorder.follow(state);
    // While another window records, the camera of this one is off.
    if (isOpen && this.usesCamera(canvas) && (!state.take || this.isRecorder)) {
      if (canvas.shows === "preview") this.#openCamera(canvas);
      return;
    }
    const isWatched = isOpen && this.owns(canvas.id) && this.watches(canvas);
    if (!this.#tapped && !isWatched) this.#mine = null;
    if (this.countdown !== null) this.cancelCountdown();
    this.#camera.stop();
  }

  #settleTap(state) {
    const isFirst = this.#seenFocus === null;
    const focus = state.focus ?? "";
    if (focus !== this.#seenFocus) this.isElsewhere = !isFirst && state.revision !== this.#ownRevision;
    const generation = this.#focused?.clip?.generation ?? null;
    // A clip that arrives on the canvas is watched first.
    if (focus === this.#seenFocus && generation !== null && generation !== this.#seenGeneration) this.#wantsCamera = false;
    [this.#seenFocus, this.#seenGeneration] = [focus, generation];
    const tapped = this.#tapped;
    if (tapped?.revision == null || state.revision < tapped.revision) return;
    [this.#mine, this.#wantsCamera, this.#tapped] = [tapped.id, tapped.wantsCamera, null];
  }

  #followSave({ session, take }) {
    const isPaused = session === "paused" && take.interruption !== null;
    this.isSaveFailed = isPaused && (this.isSaveFailed || this.#saving === take.id);
    this.#saving = session === "finalizing" ? take.id : null;
  }

  #openCamera(canvas) {
    if (!this.#recorder.isBusy && this.#camera.state === "off") this.#camera.start(this.#isPortrait(canvas.id));
  }

  /** Ends the longest recording. If the clock jumped, because the computer slept, the server may have interrupted it. */
  async #endAtLimit(isFull, hasJumped) {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (hasJumped) await pause(5000);
    const { state, status } = this.#connection;
    if (state.session === "recording" && status === "connected") {
      this.#messages.set("notice", isFull ? "The recording reached its maximum size; the clip is kept."
        : "The recording reached its maximum length; the clip is kept.");
      await this.stop();
    }
    this.#isEnding = false;
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
