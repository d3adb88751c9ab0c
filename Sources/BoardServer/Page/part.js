// Playing a part of a clip.

/** A part may start a thousandth of a second early in the decoder's clock; its first frame must not be the one before. */
const margin = 0.001;

/** The part of its clip that a player plays; without one, it plays all. */
export class Part {
  #player;
  #last = null;
  /** The start, in seconds. */
  from = 0;
  /** The end, in seconds; null for that of the clip. */
  to = null;
  /** Whether the part is played again and again. */
  loops = false;
  /** Whether the last frame of the part is shown, and the player paused because of that. */
  isOver = false;

  constructor(player) {
    this.#player = player;
    player.addEventListener("loadedmetadata", () => this.rewind());
    player.addEventListener("ended", () => this.#end());
    player.addEventListener("play", () => { this.isOver = false; });
    this.#watch();
  }

  /** Chooses the part of a clip on the board. */
  set({ from, to }, loops) {
    [this.from, this.to, this.loops] = [from ?? 0, to ?? null, loops];
    // The player itself repeats whole clips without a gap.
    this.#player.loop = loops && this.from === 0 && this.to === null;
  }

  /** The time since the start of the part. */
  get time() {
    return this.#player.currentTime - this.from;
  }

  set time(seconds) {
    this.#player.currentTime = this.from + seconds + (this.from > 0 ? margin : 0);
  }

  /** The duration of the part, if it is known. */
  get duration() {
    return Math.min(this.to ?? Infinity, this.#player.duration) - this.from;
  }

  /** Whether the player has more of the part to play. */
  get isPlaying() {
    return !this.#player.ended && !this.isOver;
  }

  rewind() {
    this.isOver = false;
    if (this.#player.readyState > 0) this.time = 0;
  }

  /** Watches for the last frame of the part; a browser without this callback stops up to a quarter of a second late. */
  #watch() {
    const { requestVideoFrameCallback } = this.#player;
    if (requestVideoFrameCallback) {
      const look = (_, { mediaTime }) => {
        this.#look(mediaTime);
        this.#player.requestVideoFrameCallback(look);
      };
      this.#player.requestVideoFrameCallback(look);
    } else {
      this.#player.addEventListener("timeupdate", () => this.#look(this.#player.currentTime));
    }
  }

  #look(time) {
    const step = time - (this.#last ?? time);
    this.#last = time;
    // The next frame would be shown after about as long as this one.
    const next = time + (step > 0 && step < 0.25 ? step : 0);
    if (this.to !== null && !this.#player.paused && next >= this.to - margin) this.#end();
  }

  #end() {
    if (this.loops && !this.#player.loop) {
      this.time = 0;
      this.#player.play().catch(() => {});
    } else if (!this.#player.ended && !this.loops) {
      this.isOver = true;
      this.#player.pause();
      // The player may show the frame after the part, because it skipped the last one or has prepared the next.
      if (this.to !== null) this.#player.currentTime = Math.max(this.from, this.to - 2 * margin);
    }
  }
}
