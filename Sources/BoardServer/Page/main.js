// The page: its parts and their connections.

import { BoardView } from "./board-view.js";
import { Camera } from "./camera.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { explainCover, showHelp } from "./dialogs.js";
import { canShare, Downloads, saveClip, shareClip } from "./download.js";
import { Files } from "./files.js";
import { clipText, clipTitle } from "./format.js";
import { addClip, guest, isOwn } from "./guest.js";
import { hint, keptCover, news, savedCanvas } from "./hints.js";
import { followKeys } from "./keyboard.js";
import { Level } from "./level.js";
import { Menu } from "./menu.js";
import { Messages } from "./messages.js";
import { Playback } from "./playback.js";
import { Recorder } from "./recorder.js";
import { canWrite, howToGetIn, sentence } from "./server.js";
import { Session } from "./session.js";
import { Share } from "./share.js";
import { Sources } from "./sources.js";
import { Takes } from "./takes.js";
import { Trim } from "./trim.js";

const find = (id) => document.getElementById(id);

const isReadOnly = !canWrite();
const messages = new Messages({
  line: find("message"), more: find("message-more"), picture: find("message-picture"), action: find("message-action"),
  spoken: find("announcement"),
});
const connection = new Connection(followBoard, drawConnection);
const board = new BoardView(find("board"), act);
const camera = new Camera(drawTake);
const recorder = new Recorder({
  onChange: drawTake, onProblem: (text) => messages.fail(text), onLoss: () => session.send("recordPause"),
});
const session = new Session({
  connection, camera, recorder, messages, onChange: drawTake, isPortrait: (id) => board.isPortrait(id),
});
const files = new Files({ connection, messages, onChange: drawCanvases });
const playback = new Playback({ board, onChange: drawCanvases, onProblem: (text) => messages.set("notice", text) });
const level = new Level(find("level"));
const menu = new Menu(act);
const takes = new Takes((error) => messages.fail(error));
const trim = new Trim();
const share = new Share();
const downloads = new Downloads();
const sources = new Sources({
  camera, session, onRestart: () => session.restartCamera(), onScreen: () => session.useScreen(),
});
const controls = new Controls({
  record: () => (session.countdown !== null ? session.cancelCountdown() : session.canRecordAgain ? session.useCamera()
    : session.record()),
  stop: () => session.stop(),
  pause: () => session.send("recordPause"),
  resume: () => (session.isAbandoned ? session.continue() : session.send("recordResume")),
  discard: () => session.discard(),
  "close-camera": () => session.send("deselect"),
  undo: () => undo("undo"),
  redo: () => undo("redo"),
  "play-all": () => (playback.state === "off" ? play(connection.state.canvases) : playback.stop()),
  "add-canvas": () => session.send("addCanvas", { canvas: freeName() }),
  armed: () => messages.set("confirm", "Press Discard again to discard the recording."),
  disarmed: () => messages.set("confirm", null),
  unfocused: () => board.view(connection.state.focus ?? connection.state.canvases[0]?.id)?.tap.focus(),
});
let shown = null;
let ticker = null;
/** What the page offers to undo or redo: since which revision, which steps these are, and whose cover is still missing. */
let offer = null;

/** What the parts draw from; made new for each drawing. */
function page() {
  const { state, takeSeconds } = connection;
  return {
    state, takeSeconds, session, camera, recorder, playback, files, isReadOnly,
    canPlayAll: state.canvases.length > 0 && state.canvases.every((canvas) => canvas.clip) && !state.take
      && (state.session !== "previewing" || session.watches(state.canvases.find(({ id }) => id === state.focus))),
  };
}

/** Draws a new state of the board: the canvases that changed, or all. */
function followBoard(ids) {
  const { state } = connection;
  if (state.session !== "idle" && state.session !== "selected") playback.stop();
  playback.follow(state.canvases);
  takes.follow(state.canvases);
  share.follow(state, !isReadOnly && !guest);
  downloads.follow(state, !isReadOnly && !guest);
  session.follow();
  draw(ids);
  const text = news(shown, state);
  if (text) messages.say(text);
  const saved = savedCanvas(shown, state);
  if (saved && guest && isOwn(shown.take)) addClip(saved);
  if (saved) show(`Saved ${clipText(saved)}.`, state.revision, "undo", { coverOf: saved.id });
  followOffer();
  const kept = keptCover(shown, state);
  if (kept) messages.set("notice", kept);
  shown = state;
  document.documentElement.dataset.revision = String(state.revision);
}

/** Shows what was done in a revision, and offers to undo or redo that. */
function show(text, revision, event, { picture = null, coverOf = null } = {}) {
  const way = isReadOnly || guest ? {} : { action: event === "undo" ? "Undo" : "Redo", run: () => undo(event) };
  messages.setDone(text, { picture, ...way });
  offer = { revision, steps: null, coverOf };
  followOffer();
}

/** Adds the cover to what is shown as soon as there is one, and removes all once another step would be undone or redone. */
function followOffer() {
  const { state } = connection;
  if (!offer || state.revision < offer.revision) return;
  const steps = JSON.stringify([state.undoes, state.redoes]);
  offer.steps ??= steps;
  if (offer.steps !== steps) {
    messages.set("done", null);
    offer = null;
    return;
  }
  const canvas = state.canvases.find(({ id }) => id === offer.coverOf);
  if (canvas?.cover !== "ready") return;
  board.view(canvas.id).whenCovered((picture) => messages.setPicture(picture));
  offer.coverOf = null;
}

/** Undoes or redoes a step, and shows which. */
async function undo(event) {
  const { undoes, redoes } = connection.state;
  const [text, other] = event === "undo" ? [`Undone: ${undoes}.`, "redo"] : [`Redone: ${redoes}.`, "undo"];
  const outcome = await session.sendUndo(event);
  if (outcome?.outcome === "changed") show(text, outcome.revision, other);
}

/** Removes a clip or a canvas, and offers to undo that. */
async function remove(event, canvas) {
  const { coverCopy } = board.view(canvas.id);
  const picture = canvas.cover === "ready" ? coverCopy : null;
  const what = event === "removeCanvas" ? `canvas ${canvas.id}` : clipText(canvas);
  const outcome = await session.send(event, { canvas: canvas.id });
  if (outcome?.outcome !== "changed") return;
  show(`Removed ${what}.`, outcome.revision, "undo", { picture });
}

function draw(ids) {
  if (!connection.state) return;
  const now = page();
  board.draw(ids, now);
  controls.draw(now);
  const { name, problem, take, session: name_ } = now.state;
  find("board-name").textContent = name;
  document.title = `${{ recording: "● ", paused: "❚❚ " }[name_] ?? ""}${name} · ClipCanvas`;
  messages.set("problem", problem && sentence(problem));
  messages.set("hint", hint(now));
  // A canvas without a picture shows the problem itself.
  messages.set("camera", camera.state === "on" ? camera.problem : null);
  level.follow(camera.stream);
  const isOwn = session.owns(now.state.focus);
  sources.allow({ canChange: !take, canShare: !take && isOwn && camera.state !== "starting" });
  keepTicking(Boolean(take));
}

/** Draws what depends on this page's camera and recording. */
function drawTake() {
  const focus = connection.state?.focus;
  draw(focus ? [focus] : []);
}

function drawCanvases(ids) {
  draw(ids);
}

/** Draws the time of a recording, and what waits to be sent, four times a second. */
function keepTicking(isNeeded) {
  if (isNeeded === (ticker !== null)) return;
  clearInterval(ticker);
  ticker = isNeeded ? setInterval(tick, 250) : null;
  if (!isNeeded) messages.set("unsent", null);
}

function tick() {
  const now = page();
  board.tick(now);
  session.watchLimit();
  const { obstacle, unsentSeconds } = recorder;
  const unsent = `${obstacle}; ${unsentSeconds} s of recording wait to be sent.`;
  messages.set("unsent", unsentSeconds ? unsent : null);
}

function drawConnection() {
  const { status } = connection;
  document.documentElement.dataset.connection = status;
  messages.set("access", status === "noAccess" ? howToGetIn : null);
  messages.set("connection", status === "lost" ? "Connection lost. Trying again…" : null);
}

/** Does what was chosen on a canvas. */
async function act(action, id, element) {
  const canvas = connection.state.canvases.find((canvas) => canvas.id === id);
  if (!canvas || !action) return;
  if (action === "play" || action === "tap" && isReadOnly && canvas.clip) return canvas.clip && play([canvas]);
  if (action === "explainCover") return act(await explainCover(canvas, isReadOnly), id, element);
  if (action === "menu") return menu.open(canvas, element, enabledActions(canvas));
  if (action === "takes") return takes.open(canvas, !isReadOnly && canvas.can.importClipReplacing);
  if (action === "download") return saveClip(canvas);
  if (action === "shareClip") return shareClip(canvas).catch((error) => messages.fail(error));
  if (isReadOnly) return messages.set("notice", howToGetIn);
  playback.stop();
  switch (action) {
    case "tap": return session.countdown === null ? session.tap(id) : session.cancelCountdown();
    case "record": return session.recordOn(id);
    case "togglePlay": return session.togglePlay();
    case "useCamera": return session.useCamera();
    case "choose": return files.choose(id);
    case "coverRetry": return session.send(action, { canvas: id });
    case "trim": return trimClip(canvas);
    case "removeClip": case "removeCanvas": return remove(action, canvas);
  }
}

/** Lets the user choose which part of a clip is played. */
async function trimClip(canvas) {
  const part = await trim.choose(canvas);
  if (!part) return;
  const outcome = await session.send("trimClip", { canvas: canvas.id, ...part });
  if (outcome?.outcome !== "changed") return;
  const isWhole = Object.keys(part).length === 0;
  show(`${isWhole ? "Restored the whole of" : "Trimmed"} ${clipTitle(canvas)}.`, outcome.revision, "undo", { coverOf: canvas.id });
}

function enabledActions(canvas) {
  const { can, clip, shows } = canvas;
  const isChangeable = !isReadOnly;
  return {
    play: Boolean(clip) && !connection.state.take && (shows !== "preview" || session.watches(canvas)),
    record: isChangeable && Boolean(clip) && !canvas.isForeign && (can.select || session.watches(canvas)),
    trim: isChangeable && Boolean(clip) && can.trimClip,
    download: Boolean(clip),
    shareClip: Boolean(clip),
    takes: canvas.takes > 0 || Boolean(clip),
    choose: isChangeable && (can.importClip || can.importClipReplacing),
    coverRetry: isChangeable && can.coverRetry,
    removeClip: isChangeable && can.removeClip,
    removeCanvas: isChangeable && can.removeCanvas,
  };
}

/** Plays clips to their ends, with sound, after closing a preview, which plays its clip in a loop without sound. */
async function play(canvases) {
  const { state } = connection;
  if (state.session === "previewing" && !isReadOnly) await session.send("deselect");
  playback.start(canvases);
}

/** Returns the first name of the form c1, c2, … that no canvas has. */
function freeName() {
  const taken = new Set(connection.state.canvases.map((canvas) => canvas.id));
  let number = 1;
  while (taken.has(`c${number}`)) number += 1;
  return `c${number}`;
}

followKeys({
  board,
  press: (id) => controls.press(id),
  openMenu: (id) => board.view(id).more.click(),
  escape: () => (session.countdown !== null ? session.cancelCountdown() : playback.stop()),
});
document.querySelector("[data-action=shareClip]").hidden = !canShare;
if (guest) {
  document.body.dataset.guest = guest.id;
  find("guest-name").textContent = guest.name;
  find("guest-name").hidden = false;
}
find("help").addEventListener("click", showHelp);
// Messages about the last step are cleared at the user's next action, but not while the keyboard moves to them.
const passing = ["Tab", "Shift", "Control", "Alt", "Meta"];
for (const type of ["pointerdown", "keydown"]) {
  addEventListener(type, (event) => {
    const isStaying = event.target.closest?.("#line") || passing.includes(event.key);
    if (!isStaying) messages.forget();
  }, { capture: true });
}
addEventListener("pagehide", () => recorder.leave());
addEventListener("beforeunload", (event) => {
  if (recorder.isBusy || files.isBusy) event.preventDefault();
});
connection.start();
