// The controls beneath the board.

import { guest, otherRecorder } from "./guest.js";

const find = (id) => document.getElementById(id);
const armedTime = 4000;
/** The buttons that take the place of others. */
const successors = {
  record: ["stop"], stop: ["record"], pause: ["resume", "stop"], resume: ["pause"], undo: ["redo"], redo: ["undo"],
};

/** What a person can do next; which buttons work comes from the board. */
export class Controls {
  #buttons = Object.fromEntries(["record", "stop", "pause", "resume", "close-camera", "discard", "undo", "redo",
    "play-all", "add-canvas"].map((id) => [id, find(id)]));
  #armedTimer = null;
  /** The button that had the focus when it could not be used any more. */
  #lost = null;
  #actions;

  /** `actions` has a function for each button, named like it. */
  constructor(actions) {
    this.#actions = actions;
    for (const [id, button] of Object.entries(this.#buttons)) {
      button.addEventListener("click", () => this.press(id));
      const text = button.querySelector("span")?.textContent.trim();
      // The text is the button's name even where the page has no room to show it.
      if (text) [button.ariaLabel, button.title] = [text, text];
    }
  }

  /** Presses a button if it works now; returns whether it does. */
  press(id) {
    const button = this.#buttons[id];
    if (button.disabled || button.hidden) return false;
    if (id === "discard" && !this.#isArmed) {
      this.#arm();
      return true;
    }
    this.#disarm();
    this.#actions[id]();
    return true;
  }

  draw(page) {
    const held = Object.keys(this.#buttons).find((id) => this.#buttons[id] === document.activeElement);
    this.#drawButtons(page);
    this.#keepFocus(held, page);
  }

  /** Moves the focus from a button that cannot be used any more to its successor, or to the canvas. */
  #keepFocus(held, { recorder, state, session }) {
    const isUsable = (id) => !this.#buttons[id].disabled && !this.#buttons[id].hidden;
    if (held && isUsable(held)) this.#lost = null;
    else if (held) this.#lost = held;
    else if (document.activeElement !== document.body) this.#lost = null;
    if (!this.#lost) return;
    const next = successors[this.#lost]?.find(isUsable);
    const isChanging = recorder.isStarting || (state.session === "finalizing" && !session.isForeign);
    if (!next && isChanging) return;
    this.#lost = null;
    if (next) this.#buttons[next].focus();
    else this.#actions.unfocused();
  }

  #drawButtons(page) {
    const { state, session, recorder, isReadOnly } = page;
    const { can, take } = state;
    const isLost = session.isAbandoned;
    const isOver = state.session === "finalizing";
    const isSaving = isOver && !session.isForeign;
    const isCounting = session.countdown !== null;
    document.body.dataset.session = state.session;
    document.body.dataset.readOnly = String(isReadOnly);
    document.body.toggleAttribute("data-waits", Boolean(guest && otherRecorder(state) && !can.recordStop));

    // Stop takes the place of Record, and Resume that of Pause, so that nothing moves.
    this.#set("record", { isShown: !take, isEnabled: session.canRecord || session.canRecordAgain || isCounting,
      text: this.#recordText(page), busy: recorder.isStarting || isCounting });
    this.#set("stop", { isShown: Boolean(take), isEnabled: can.recordStop, busy: isSaving,
      text: isSaving ? "Saving…" : session.isSaveFailed ? "Try again" : isLost ? "Keep" : "Stop" });
    this.#set("pause", { isShown: can.recordPause || isOver, isEnabled: can.recordPause });
    this.#set("resume", { isShown: Boolean(take) && !can.recordPause && !isOver,
      isEnabled: can.recordResume && !recorder.isStarting, text: isLost ? "Continue" : "Resume" });
    this.#set("close-camera", { isShown: !take, isEnabled: can.deselect && can.stopPreview,
      text: session.canRecordAgain ? "Close" : "Close camera" });
    this.#set("discard", { isShown: true, isEnabled: can.recordDiscard });
    if (!can.recordDiscard) this.#disarm();
    this.#drawBoardButtons(page);
  }

  #recordText({ session }) {
    if (session.countdown !== null) return "Cancel";
    return session.canRecordAgain ? "Record again" : "Record";
  }

  #drawBoardButtons({ state, playback, canPlayAll }) {
    const { can, undoes, redoes } = state;
    this.#set("undo", { isEnabled: can.undo, title: undoes ? `Undo: ${undoes}` : "Nothing to undo" });
    this.#set("redo", { isEnabled: can.redo, title: redoes ? `Redo: ${redoes}` : "Nothing to redo" });
    const isPlaying = playback.state !== "off";
    this.#set("play-all", { isEnabled: isPlaying || canPlayAll, text: isPlaying ? "Stop playing" : "Play all",
      title: canPlayAll ? "" : "Available when every canvas has a clip" });
    const button = this.#buttons["play-all"];
    button.dataset.state = playback.state;
    button.classList.toggle("strong", canPlayAll && state.session === "idle");
    button.querySelector("use").setAttribute("href", isPlaying ? "#sign-stop" : "#sign-play");
    this.#set("add-canvas", { isEnabled: !state.take });
  }

  #set(id, { isShown = true, isEnabled, text, title, busy = false }) {
    const button = this.#buttons[id];
    button.hidden = !isShown;
    button.disabled = !isEnabled || document.body.dataset.readOnly === "true" && id !== "play-all";
    button.toggleAttribute("aria-busy", busy);
    if (title !== undefined) {
      button.title = title;
      button.setAttribute("aria-description", title);
    }
    if (text !== undefined) this.#label(button, text);
  }

  /** Sets the name of a button, which screen readers speak even if there is not enough room to show it. */
  #label(button, text) {
    const label = button.querySelector("span");
    if (label.textContent !== text) label.textContent = text;
    button.setAttribute("aria-label", text);
  }

  get #isArmed() {
    return this.#buttons.discard.dataset.armed === "true";
  }

  /** Asks once more before a recording is thrown away. */
  #arm() {
    this.#buttons.discard.dataset.armed = "true";
    this.#label(this.#buttons.discard, "Discard?");
    this.#actions.armed();
    this.#armedTimer = setTimeout(() => this.#disarm(), armedTime);
  }

  #disarm() {
    if (!this.#isArmed) return;
    clearTimeout(this.#armedTimer);
    this.#buttons.discard.dataset.armed = "false";
    this.#label(this.#buttons.discard, "Discard");
    this.#actions.disarmed();
  }
}
