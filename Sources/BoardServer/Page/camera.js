// The camera and the microphone, or the screen: one picture for the canvas in preview.

const choiceKey = "clipcanvas-choice";

/** The picture to record, as a media stream. */
export class Camera {
  #onChange;
  #attempt = 0;
  /** "off", "starting", "on" or "failed". */
  state = "off";
  stream = null;
  /** The reason for a missing picture, or what else is missing, as a sentence. */
  problem = null;
  isScreen = false;
  /** The devices chosen: IDs, "" for the browser's choice, and "none" for no microphone. */
  choice = { camera: "", microphone: "", ...JSON.parse(localStorage.getItem(choiceKey) ?? "{}") };

  constructor(onChange) {
    this.#onChange = onChange;
    navigator.mediaDevices?.addEventListener?.("devicechange", () => onChange());
  }

  /** Opens the camera; `isPortrait` asks for a picture taller than wide. */
  async start(isPortrait) {
    if (this.state === "starting" || this.state === "on") return;
    await this.#open(false, () => this.#openDevices(isPortrait));
  }

  /** Shows the browser's question for a screen or window; the microphone stays as chosen. */
  async startScreen() {
    await this.#open(true, () => this.#openScreen());
  }

  /** Ends the picture, so that the camera's light goes out. */
  stop() {
    this.#attempt += 1;
    this.#end();
    if (this.state === "off") return;
    [this.state, this.problem, this.isScreen] = ["off", null, false];
    this.#onChange();
  }

  choose(kind, id) {
    this.choice[kind] = id;
    localStorage.setItem(choiceKey, JSON.stringify(this.choice));
  }

  /** Returns the devices of a kind ("videoinput", "audioinput"); they have names once the user gave access. */
  async devices(kind) {
    const all = await navigator.mediaDevices?.enumerateDevices?.() ?? [];
    return all.filter((device) => device.kind === kind && device.deviceId);
  }

  /** Whether the picture is of the person in front of it, who expects a mirror. */
  get isMirrored() {
    return !this.isScreen && this.stream?.getVideoTracks()[0]?.getSettings().facingMode === "user";
  }

  async #open(isScreen, openStream) {
    const attempt = ++this.#attempt;
    const before = isScreen && this.state === "on" ? this.stream : null;
    if (!before) this.#end();
    [this.state, this.problem] = before ? ["on", null] : ["starting", null];
    this.#onChange();
    try {
      const stream = await openStream();
      if (attempt !== this.#attempt) return stream.getTracks().forEach((track) => track.stop());
      this.#end();
      [this.stream, this.state, this.isScreen] = [stream, "on", isScreen];
      this.#watch(stream);
    } catch (error) {
      if (attempt !== this.#attempt) return;
      // If the user chooses no screen, the camera stays on.
      if (!before) [this.state, this.problem] = ["failed", explain(error, isScreen)];
    }
    this.#onChange();
  }

  async #openDevices(isPortrait) {
    if (!navigator.mediaDevices?.getUserMedia) throw new DOMException("", "SecurityError");
    const video = picture(isPortrait, this.choice.camera);
    const audio = sound(this.choice.microphone);
    try {
      return await navigator.mediaDevices.getUserMedia({ video, audio });
    } catch (error) {
      if (error.name === "OverconstrainedError") return this.#openAnyDevice(isPortrait);
      const isRefused = error.name === "NotAllowedError" && await isDenied("microphone") && !await isDenied("camera");
      if (!audio || !(isRefused || ["NotFoundError", "NotReadableError"].includes(error.name))) throw error;
      const stream = await navigator.mediaDevices.getUserMedia({ video });
      const reason = isRefused ? "The browser does not allow the microphone" : "No working microphone was found";
      this.problem = `${reason}; the clip will have no sound.`;
      return stream;
    }
  }

  /** Opens other devices where the chosen ones are gone. */
  async #openAnyDevice(isPortrait) {
    this.choice.camera = "";
    if (this.choice.microphone !== "none") this.choice.microphone = "";
    const [video, audio] = [picture(isPortrait, ""), sound(this.choice.microphone)];
    return navigator.mediaDevices.getUserMedia({ video, audio });
  }

  async #openScreen() {
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { ideal: 30 } }, audio: true });
    const audio = sound(this.choice.microphone);
    if (audio && stream.getAudioTracks().length === 0) {
      const voice = await navigator.mediaDevices.getUserMedia({ audio }).catch(() => null);
      voice?.getTracks().forEach((track) => stream.addTrack(track));
    }
    return stream;
  }

  #watch(stream) {
    const [track] = stream.getVideoTracks();
    track.addEventListener("ended", () => {
      if (this.stream !== stream) return;
      const problem = this.isScreen ? "Screen sharing has ended." : "The camera was unplugged or switched off.";
      this.#end();
      [this.state, this.problem] = ["failed", problem];
      this.#onChange();
    });
  }

  #end() {
    const stream = this.stream;
    this.stream = null;
    stream?.getTracks().forEach((track) => track.stop());
  }
}

function picture(isPortrait, id) {
  const [width, height] = isPortrait ? [720, 1280] : [1280, 720];
  const device = id ? { deviceId: { exact: id } } : { facingMode: "user" };
  return {
    ...device, width: { ideal: width }, height: { ideal: height }, aspectRatio: { ideal: width / height },
    frameRate: { ideal: 30 },
  };
}

function sound(id) {
  if (id === "none") return false;
  return id ? { deviceId: { exact: id } } : true;
}

/** Whether the user has forbidden a kind of device; not every browser reports it. */
async function isDenied(name) {
  try {
    return (await navigator.permissions.query({ name })).state === "denied";
  } catch {
    return false;
  }
}

/** Returns a sentence with the way out. */
function explain(error, isScreen) {
  if (isScreen) return "No screen was chosen.";
  switch (error.name) {
    case "NotAllowedError":
      return "The browser does not allow the camera. Allow it beside the address of this page, then try again.";
    case "NotFoundError": return "There is no camera. Connect one, or choose a video file.";
    case "NotReadableError": case "AbortError":
      return "The camera is in use by another program. Close that program, then try again.";
    case "SecurityError": case "TypeError":
      return "Browsers allow the camera only on this computer or over https. Choose a video file instead.";
    default: return `The camera cannot be started (${error.name}). Choose another camera, or a video file.`;
  }
}
