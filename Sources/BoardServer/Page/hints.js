// The next step that the page suggests, and its messages when the session changes.

import { clipTitle } from "./format.js";
import { guest, isOwn, otherRecorder } from "./guest.js";
import { howToGetIn, sentence } from "./server.js";

const hasTouch = matchMedia("(pointer: coarse)");

/** Returns the one next step, as a sentence. */
export function hint({ state, session, camera, playback, isReadOnly, canPlayAll }) {
  const focus = state.focus;
  const canvas = state.canvases.find((canvas) => canvas.id === focus);
  if (playback.state !== "off") return playingHint(playback);
  if (isReadOnly) return readOnlyHint(state);
  switch (state.session) {
    case "selected": return `${tap()} ${focus} to ${canvas?.clip ? "play its clip" : "open the camera in it"}.`;
    case "previewing": return previewHint(canvas, session, camera);
    case "recording": return otherRecorder(state) ? otherHint(state) : session.isForeign ? `Another program is recording on ${focus}.` : `Recording on ${focus}.`;
    case "paused": return pausedHint(state.take, session);
    case "finalizing":
      return session.isForeign ? "Another program recorded this and still has to add the clip." : "Saving the recording…";
    default: return idleHint(state, canPlayAll);
  }
}

/** Says who records, and what this page's user can do about it. */
function otherHint(state) {
  return `${otherRecorder(state)}.${guest ? " You can record when that has ended." : ""}`;
}

function idleHint({ canvases }, canPlayAll) {
  if (canvases.length === 0) return "The board has no canvases. Add one to start.";
  if (canPlayAll) return `Every canvas has a clip: play them all, or ${tap().toLowerCase()} one to see it alone.`;
  if (guest) return `${tap()} an empty canvas to open the camera in it.`;
  return hasTouch.matches ? "Tap a canvas to open the camera in it, or choose a video file from its menu."
    : "Click a canvas to open the camera in it, or drop a video file on it.";
}

const tap = () => (hasTouch.matches ? "Tap" : "Click");

function playingHint({ state, ids }) {
  const what = ids.length === 1 ? `the clip of ${ids[0]}` : "the clips";
  return state === "loading" ? `Loading ${what}…` : `Playing ${what}.`;
}

function previewHint(canvas, session, camera) {
  const { id } = canvas;
  if (session.watches(canvas)) return `${clipTitle(canvas)} plays without sound. Record again replaces it.`;
  if (!session.usesCamera(canvas)) {
    return session.isElsewhere ? `Another window has its camera open on ${id}.` : `${id} is in preview, but no camera is open on it.`;
  }
  if (session.countdown !== null) return "Get ready…";
  if (camera.state === "failed") return `Recording on ${id} needs a camera.`;
  if (camera.state !== "on") return "Starting the camera…";
  return canvas.clip ? `Ready. The recording replaces the clip of ${id}.` : `Ready to record on ${id}.`;
}

function pausedHint(take, session) {
  if (session.isSaveFailed) return "Try to save it again, continue the recording, or discard it.";
  if (session.isForeign) return "Another program made this recording. Continue it there, or discard it to record here.";
  if (session.isAbandoned && !isOwn(take)) return "This recording was interrupted. Keep it, so that the board is free again.";
  if (session.isAbandoned) return "Continue the recording, keep what was recorded, or discard it.";
  return `${pauseNews(take)}. Resume, or stop to keep the clip.`;
}

function readOnlyHint({ session, focus }) {
  const lead = { recording: `Recording on ${focus}. `, paused: `Paused on ${focus}. ` }[session] ?? "";
  return `${lead}${howToGetIn}`;
}

/** Returns what changed between two states, in words for a screen reader; null for nothing worth saying. */
export function news(before, after) {
  // The notice about a clip that was saved is spoken.
  if (!before || savedCanvas(before, after)) return null;
  if (before.session !== after.session || before.focus !== after.focus) return sessionNews(before, after);
  if (!before.take?.interruption && after.take?.interruption) return pauseNews(after.take);
  const count = after.canvases.length - before.canvases.length;
  if (count !== 0) return `The board has ${after.canvases.length} canvases now`;
  for (const canvas of after.canvases) {
    const old = before.canvases.find((other) => other.id === canvas.id);
    const wasPending = old?.cover === "pending";
    if (wasPending && canvas.cover === "ready") return `${canvas.id} has a cover`;
    if (wasPending && canvas.cover === "failed") return `${canvas.id} has no cover: ${canvas.coverReason}`;
    if (!old?.clip && canvas.clip) return `${canvas.id} has a clip`;
    if (old?.clip && !canvas.clip) return `The clip of ${canvas.id} was removed`;
  }
  return null;
}

/** Returns the canvas whose recording has just become a clip; null if none has. */
export function savedCanvas(before, after) {
  if (before?.session !== "finalizing" || after.take) return null;
  const [old, now] = [before, after].map(({ canvases }) => canvases.find((canvas) => canvas.id === before.take.canvas));
  return now?.clip && now.clip.generation !== old?.clip?.generation ? now : null;
}

/** Returns why a cover could not be made again, if that is new; the older one is kept. */
export function keptCover(before, after) {
  if (!before) return null;
  for (const { id, coverKept } of after.canvases) {
    const old = before.canvases.find((other) => other.id === id);
    if (coverKept && coverKept !== old?.coverKept) return sentence(`${id} keeps its old cover: ${coverKept}`);
  }
  return null;
}

function pauseNews(take) {
  return take.interruption ? `Interrupted: ${take.interruption}` : "Paused";
}

function sessionNews(before, { session, focus, take }) {
  switch (session) {
    case "idle": return before.take ? "The recording ended" : "No canvas is selected";
    case "selected": return `${focus} is selected`;
    case "previewing": return `${focus} is in preview`;
    case "recording": return `Recording on ${focus}`;
    case "paused": return before.session === "finalizing" ? `Not saved: ${take.interruption}` : pauseNews(take);
    default: return take.isRecordedHere ? "Saving the recording" : "The recording has stopped";
  }
}
