// The meter of the microphone.

/** Shows how loud a stream is, several times a second. */
export class Level {
  #element;
  #context = null;
  #source = null;
  #stream = null;
  #analyser = null;
  #shown = 0;

  constructor(element) {
    this.#element = element;
  }

  /** Measures another stream, or none. */
  follow(stream) {
    if (stream === this.#stream) return;
    this.#stream = stream;
    this.#source?.disconnect();
    this.#source = null;
    const hasSound = (stream?.getAudioTracks().length ?? 0) > 0;
    this.#element.dataset.state = !stream ? "off" : hasSound ? "on" : "silent";
    if (!hasSound) return this.#draw(0);
    this.#context ??= new AudioContext();
    this.#context.resume();
    this.#analyser ??= new AnalyserNode(this.#context, { fftSize: 1024 });
    this.#source = new MediaStreamAudioSourceNode(this.#context, { mediaStream: stream });
    this.#source.connect(this.#analyser);
    this.#measure(this.#source, new Float32Array(this.#analyser.fftSize));
  }

  #measure(source, samples) {
    if (source !== this.#source) return;
    this.#analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // From -60 dB, which is silence, to 0 dB; a loud moment fades slowly, as on other meters.
    const level = Math.min(1, Math.max(0, 1 + Math.log10(power + 1e-12) / 6));
    this.#draw(Math.max(level, this.#shown - 0.04));
    setTimeout(() => requestAnimationFrame(() => this.#measure(source, samples)), 30);
  }

  #draw(level) {
    this.#shown = level;
    this.#element.firstElementChild.style.transform = `scaleX(${level.toFixed(3)})`;
  }
}
