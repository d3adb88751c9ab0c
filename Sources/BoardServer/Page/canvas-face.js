// The look of a canvas: words, signs and buttons for what it shows according to the board.

import { clipTitle, clock, spoken } from "./format.js";
import { otherRecorder } from "./guest.js";
import { sentence } from "./server.js";

/**
 * Returns the look of a canvas.
 *
 * `look.camera`, `look.cover` and `look.clip` select the pictures; the rest is drawn over them. The texts of
 * buttons come with the names of their actions. `look.toggle` is the sign of the button that plays or pauses the clip.
 */
export function face(canvas, page) {
  const look = { state: "", badge: null, ...faces[canvas.shows]?.(canvas, page) };
  look.label = `Canvas ${canvas.id}, ${look.state}`;
  if (canvas.isSelected && canvas.shows !== "preview") look.label += ", selected";
  return look;
}

const faces = {
  plus: () => ({ sign: "plus", state: "empty" }),
  preview: (canvas, page) => {
    if (page.session.usesCamera(canvas)) return ownPreview(canvas, page);
    return canvas.clip ? clipPreview(canvas, page) : otherPreview(page);
  },
  live: (canvas, page) => live(canvas, page),
  take: (canvas, page) => (page.state.session === "finalizing" ? finalizing(canvas, page) : paused(canvas, page)),
  playing: (canvas) => ({ cover: canvas.cover === "ready", clip: true, state: `playing ${clipTitle(canvas)}` }),
  cover: (canvas) => ({ cover: true, state: `clip ${clipTitle(canvas)}` }),
  coverPending: (canvas) => ({
    isBusy: true, text: "Making the cover…", state: `clip ${clipTitle(canvas)}, the cover is being made`,
  }),
  coverMissing: (canvas) => ({
    sign: "warning", text: sentence(`No cover${canvas.coverReason ? `: ${canvas.coverReason}` : ""}`),
    main: canvas.can.coverRetry ? ["Try again", "coverRetry"] : null, other: ["Details…", "explainCover"],
    kind: "noCover", state: `clip ${clipTitle(canvas)}, no cover: ${canvas.coverReason ?? "unknown reason"}`,
  }),
};

function ownPreview(canvas, { camera, session }) {
  if (session.countdown !== null) return { camera: true, count: session.countdown, state: "countdown" };
  switch (camera.state) {
    case "on": return { camera: true, state: "camera on" };
    case "failed":
      return {
        kind: "noCamera", sign: "camera", text: camera.problem, state: `no camera: ${camera.problem}`,
        main: ["Try again", "useCamera"], other: canvas.can.importClip || canvas.can.importClipReplacing
          ? ["Choose a file…", "choose"] : null,
      };
    default: return { isBusy: true, text: "Starting the camera…", state: "starting the camera" };
  }
}

/** A clip in preview is played in a loop in the window where it was tapped. */
function clipPreview(canvas, { session, isReadOnly }) {
  const isOwn = session.owns(canvas.id);
  const isPaused = !isOwn || session.isClipPaused;
  return {
    kind: "clip", cover: canvas.cover === "ready", clip: isOwn, isClipPaused: isPaused, toggle: isPaused ? "play" : "pause",
    main: isReadOnly || canvas.isForeign || !canvas.can.tap ? null : ["Record again", "record"],
    state: `${isPaused ? "clip" : "playing"} ${clipTitle(canvas)}`,
  };
}

function otherPreview({ session, isReadOnly }) {
  const text = session.isElsewhere ? "The camera is in another window" : "The camera is off in this window";
  return { sign: "camera", text, state: text, main: isReadOnly ? null : ["Use this camera", "useCamera"] };
}

/** Whether this page records on the canvas, and has the picture. */
function isRecordedHere(canvas, { camera, session }) {
  return session.isRecorder && session.owns(canvas.id) && camera.state === "on";
}

function live(canvas, page) {
  const { session, state, takeSeconds } = page;
  const isHere = isRecordedHere(canvas, page);
  const other = session.isForeign ? "Recorded by another program" : otherRecorder(state) ?? "Recording in another window";
  return {
    camera: isHere, sign: isHere ? null : "record", text: isHere ? null : other,
    badge: { kind: "live", text: `REC ${clock(takeSeconds)}` }, state: `recording, ${spoken(takeSeconds)}`,
    isQuietSign: state.take?.isRecordedHere && !state.take.isRecorderPresent,
  };
}

function paused(canvas, page) {
  const { session, state, takeSeconds } = page;
  const badge = { kind: "paused", text: clock(takeSeconds) };
  const interruption = state.take?.interruption;
  if (session.isAbandoned) {
    const news = session.isSaveFailed ? "the clip could not be saved" : "recording interrupted";
    const text = interruption ? `${news}: ${interruption}` : news;
    return { sign: "warning", text: sentence(text), badge, state: `${text}, ${spoken(takeSeconds)}` };
  }
  const label = `paused, ${spoken(takeSeconds)}`;
  return { camera: isRecordedHere(canvas, page), isDimmed: true, sign: "pause", text: "Paused", badge, state: label };
}

function finalizing(canvas, page) {
  const { session, takeSeconds } = page;
  const badge = { kind: "paused", text: clock(takeSeconds) };
  if (session.isForeign) return { sign: "pause", text: "Waiting for the clip", badge, state: "waiting for the clip" };
  return {
    camera: isRecordedHere(canvas, page), isDimmed: true, isBusy: true, text: "Saving…", badge,
    state: "saving the recording",
  };
}
