// Playing clips together, in step.

const startPatience = 10_000;
const frame = 1 / 60;

export class Playback {
  #board;
  #onChange;
  #onProblem;
  #players = new Map();
  #generations = new Map();
  #timer = null;
  #startedAt = 0;
  /** "off", "loading" or "playing". */
  state = "off";

  constructor({ board, onChange, onProblem }) {
    [this.#board, this.#onChange, this.#onProblem] = [board, onChange, onProblem];
  }

  has(id) {
    return this.#players.has(id);
  }

  /** The IDs of the canvases whose clips are played. */
  get ids() {
    return [...this.#players.keys()];
  }

  /** Loads the clips of canvases, then starts all of them at once. */
  async start(canvases) {
    this.stop();
    this.state = "loading";
    const players = this.#players = new Map(canvases.map(({ id }) => [id, this.#board.view(id).loadClip()]));
    this.#generations = generations(canvases);
    this.#onChange(this.ids);
    await Promise.all([...players].map(([id, player]) => this.#load(id, player)));
    if (this.#players !== players || players.size === 0) return this.#players === players && this.stop();
    this.state = "playing";
    this.#startedAt = performance.now();
    const starts = [...players.values()].map((player) => play(player));
    this.#onChange(this.ids);
    await Promise.all(starts);
    if (this.#players !== players) return;
    // The clock starts when the slowest player does.
    this.#startedAt = performance.now() - 1000 * Math.min(...[...players.values()].map((player) => player.currentTime));
    this.#keepInStep(players);
  }

  stop() {
    if (this.state === "off") return;
    const { ids } = this;
    for (const player of this.#players.values()) player.pause();
    clearTimeout(this.#timer);
    [this.#players, this.state] = [new Map(), "off"];
    this.#onChange(ids);
  }

  /** Leaves out the clips that were removed or replaced; the others play on. */
  follow(canvases) {
    const now = generations(canvases);
    for (const [id, player] of this.#players) {
      if (now.get(id) === this.#generations.get(id)) continue;
      player.pause();
      this.#players.delete(id);
      player.dispatchEvent(new CustomEvent("leftout"));
    }
    if (this.#players.size === 0) this.stop();
  }

  /** Waits until a clip can be played from its start; drops it if the browser cannot play it. */
  async #load(id, player) {
    [player.muted, player.loop, player.playbackRate] = [false, false, 1];
    const isReady = await new Promise((resolve) => {
      // With something to show, a slow clip starts with the others, and catches up.
      setTimeout(() => resolve(player.readyState >= 2), startPatience);
      for (const end of ["error", "leftout"]) player.addEventListener(end, () => resolve(false), { once: true });
      player.addEventListener("canplaythrough", () => resolve(true), { once: true });
      if (player.error) resolve(false);
      if (player.readyState >= 4) resolve(true);
      player.currentTime = 0;
    });
    if (isReady || this.#players.get(id) !== player) return;
    this.#players.delete(id);
    this.#onProblem(player.error ? `This browser cannot play the clip of ${id}.`
      : `The clip of ${id} takes too long to load; the others play without it.`);
    this.#onChange([id]);
  }

  /** Corrects players that are ahead or behind: a little by their speed, much by a jump. */
  #keepInStep(players) {
    if (this.#players !== players) return;
    const now = (performance.now() - this.#startedAt) / 1000;
    let isOver = true;
    for (const player of players.values()) {
      if (player.ended) continue;
      isOver = false;
      const ahead = player.currentTime - now;
      if (Math.abs(ahead) > 0.3 && now < player.duration) player.currentTime = now;
      const rate = Math.abs(ahead) > frame / 2 ? 1 - Math.max(-0.1, Math.min(0.1, ahead * 1.5)) : 1;
      if (player.playbackRate !== rate) player.playbackRate = rate;
    }
    if (isOver) return this.stop();
    this.#timer = setTimeout(() => this.#keepInStep(players), 100);
  }
}

/** Returns the generations of the clips of canvases, by the IDs of the canvases. */
function generations(canvases) {
  return new Map(canvases.map(({ id, clip }) => [id, clip?.generation]));
}

/** Starts a player; without sound where the browser does not allow it. */
async function play(player) {
  try {
    await player.play();
  } catch {
    player.muted = true;
    await player.play().catch(() => {});
  }
}
