// Playing clips together, in step.

import { pause } from "./pause.js";

const loadPatience = 10_000;
const startPatience = 1000;
/** The slowest rate that browsers take. It makes no sound, and the picture hardly moves. */
const crawl = 1 / 16;
/** How far players may be from the others, in seconds; a change of the rate disturbs sound, but not pictures alone. */
const [soundTolerance, silentTolerance] = [1 / 120, 1 / 500];

export class Playback {
  #board;
  #onChange;
  #onProblem;
  #players = new Map();
  #generations = new Map();
  #timer = null;
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
    // A single clip has nothing to be in step with.
    const isWarm = players.size === 1 || this.#warmUp(players);
    this.#onChange(this.ids);
    if (!await isWarm) return;
    players.forEach(play);
    if (await this.#until(players, (player, part) => part.time > 0)) this.#keepInStep(players);
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
    [player.muted, player.playbackRate] = [false, 1];
    const isReady = await new Promise((resolve) => {
      // With something to show, a slow clip starts with the others, and catches up.
      setTimeout(() => resolve(player.readyState >= 2), loadPatience);
      for (const end of ["error", "leftout"]) player.addEventListener(end, () => resolve(false), { once: true });
      player.addEventListener("canplaythrough", () => resolve(true), { once: true });
      if (player.error) resolve(false);
      if (player.readyState >= 4) resolve(true);
      this.#part(id).rewind();
    });
    if (isReady || this.#players.get(id) !== player) return;
    this.#players.delete(id);
    this.#onProblem(player.error ? `The clip of ${id} is missing, or this browser cannot play it.`
      : `The clip of ${id} takes too long to load; the others play without it.`);
    this.#onChange([id]);
  }

  /**
   * Plays the beginnings of clips, hardly moving and without sound, and goes back to their start.
   *
   * A player whose decoders and sound are set up starts within milliseconds; otherwise some take a fifth of a second
   * longer than others. Returns whether these players are still wanted.
   */
  async #warmUp(players) {
    for (const player of players.values()) player.playbackRate = crawl;
    players.forEach(play);
    if (!await this.#until(players, (player, part) => part.time > 0)) return false;
    for (const [id, player] of players) {
      player.pause();
      player.playbackRate = 1;
      this.#part(id).rewind();
    }
    return this.#until(players, (player) => player.readyState >= 4 && !player.seeking);
  }

  /** Waits until a condition holds for all players, but not for slow ones; returns whether they are still wanted. */
  async #until(players, holds) {
    const end = performance.now() + startPatience;
    const all = () => [...players].every(([id, player]) => holds(player, this.#part(id)));
    while (this.#players === players && !all() && performance.now() < end) {
      await pause(10);
    }
    return this.#players === players;
  }

  /** The part of its clip that a canvas plays. */
  #part(id) {
    return this.#board.view(id).part;
  }

  /** Corrects players that are ahead or late: small differences by their speed, large ones by a jump. */
  #keepInStep(players) {
    if (this.#players !== players) return;
    const playing = [...players].map(([id, player]) => [player, this.#part(id)]).filter(([, part]) => part.isPlaying);
    if (playing.length === 0) return this.stop();
    const now = commonTime(playing);
    for (const [player, part] of playing) {
      const ahead = part.time - now;
      if (Math.abs(ahead) > 0.3 && now < part.duration) part.time = now;
      const isOff = Math.abs(ahead) > (hasSound(player) ? soundTolerance : silentTolerance);
      const rate = isOff ? 1 - Math.max(-0.1, Math.min(0.1, ahead * 4)) : 1;
      if (player.playbackRate !== rate) player.playbackRate = rate;
    }
    this.#timer = setTimeout(() => this.#keepInStep(players), 100);
  }
}

/**
 * Returns the time that most players are at.
 *
 * The clock of sound, which players follow, is not the system's, so players are compared with each other.
 */
function commonTime(players) {
  const running = players.filter(([player]) => player.readyState >= 3);
  const times = (running.length > 0 ? running : players).map(([, part]) => part.time).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)];
}

/** Returns whether a clip that has been played for a moment has sound, which browsers report in different ways. */
function hasSound(player) {
  return player.mozHasAudio ?? (player.webkitAudioDecodedByteCount ?? 1) > 0;
}

/** Returns the generations of the clips of canvases, by the IDs of the canvases. */
function generations(canvases) {
  return new Map(canvases.map(({ id, clip }) => [id, clip?.generation]));
}

/** Starts a player; without sound where the browser does not allow it. */
async function play(player) {
  try {
    await player.play();
  } catch (error) {
    // A pause interrupts a player that has not started yet.
    if (error.name !== "NotAllowedError") return;
    player.muted = true;
    await player.play().catch(() => {});
  }
}
