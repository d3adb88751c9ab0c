// A phone that was invited, and what its user may do.

const key = "clipcanvas-guest";
const clipsKey = "clipcanvas-guest-clips";

/** Remembers who uses this tab. */
export function storeGuest({ id, name }) {
  sessionStorage.setItem(key, JSON.stringify({ id, name }));
}

/** The guest that uses this tab, with the ID and the name that the server knows; null for the owner of the board. */
export const guest = JSON.parse(sessionStorage.getItem(key) ?? "null");

const clips = new Set(JSON.parse(sessionStorage.getItem(clipsKey) ?? "[]"));
const clipKey = ({ id, clip }) => `${id}/${clip.generation}`;

/** Whether this page's user may change a take: the owner of the board any, a guest its own. */
export const isOwn = (take) => !guest || take?.guest?.id === guest.id;

/** Notes that this guest recorded the clip of a canvas, and may replace it. */
export function addClip(canvas) {
  clips.add(clipKey(canvas));
  sessionStorage.setItem(clipsKey, JSON.stringify([...clips]));
}

/** Returns a sentence about another person's recording; null without one. */
export function otherRecorder({ take }) {
  if (!take || (guest ? isOwn(take) : !take.guest)) return null;
  return `${take.guest?.name ?? "Another person"} is recording on ${take.canvas}`;
}

/** Returns a state of the board with only what this guest may do. */
export function asGuest(state) {
  const { take, focus } = state;
  const isForeign = (canvas) => Boolean(canvas?.clip) && !clips.has(clipKey(canvas));
  const can = { ...state.can, undo: false, redo: false };
  can.recordStartReplacing &&= !isForeign(state.canvases.find(({ id }) => id === focus));
  if (take && !isOwn(take)) {
    // What no page records any more may be kept, so that the board is free again.
    can.recordStop &&= take.isRecordedHere && !take.isRecorderPresent;
    for (const event of ["recordPause", "recordResume", "recordDiscard"]) can[event] = false;
  }
  const canvases = state.canvases.map((canvas) => {
    const { tap, select } = canvas.can;
    return { ...canvas, isForeign: isForeign(canvas), can: { tap, select } };
  });
  return { ...state, can, canvases };
}
