// The panel with camera, microphone and countdown.

const find = (id) => document.getElementById(id);

export class Sources {
  #camera;
  #onRestart;
  #panel = find("sources-panel");
  #note = find("sources-note");
  #share = find("share-screen");
  #pickers = { videoinput: find("camera-picker"), audioinput: find("microphone-picker") };

  /** `onRestart` is called when the picture must be opened again; `onScreen` when the user wants the screen. */
  constructor({ camera, session, onRestart, onScreen }) {
    [this.#camera, this.#onRestart] = [camera, onRestart];
    this.#panel.addEventListener("toggle", (event) => event.newState === "open" && this.draw());
    this.#pickers.videoinput.addEventListener("change", (event) => this.#choose("camera", event.target.value));
    this.#pickers.audioinput.addEventListener("change", (event) => this.#choose("microphone", event.target.value));
    this.#share.addEventListener("click", () => {
      this.#panel.hidePopover();
      onScreen();
    });
    this.#share.hidden = !navigator.mediaDevices?.getDisplayMedia;
    this.#followCountdown(session);
  }

  /** Allows only what can be changed now: a recording keeps its camera and microphone, and the screen needs a canvas. */
  allow({ canChange, canShare }) {
    for (const picker of Object.values(this.#pickers)) picker.disabled = !canChange;
    this.#share.disabled = !canShare;
    this.#note.textContent = !canChange ? "These cannot be changed during a recording."
      : canShare || this.#share.hidden ? "" : "To record the screen, select a canvas first.";
  }

  /** Lists the devices. */
  async draw() {
    const { camera, microphone } = this.#camera.choice;
    const automatic = ["", "Automatic"];
    await this.#list("videoinput", camera, [automatic], "Camera");
    await this.#list("audioinput", microphone, [automatic, ["none", "No microphone"]], "Microphone");
  }

  async #list(kind, chosen, first, name) {
    const picker = this.#pickers[kind];
    const devices = await this.#camera.devices(kind);
    const named = devices.filter((device) => device.deviceId !== "default" && device.deviceId !== "communications")
      .map((device, index) => [device.deviceId, device.label || `${name} ${index + 1}`]);
    picker.replaceChildren(...[...first, ...named].map(([value, text]) => new Option(text, value)));
    picker.value = chosen;
    if (picker.selectedIndex < 0) picker.value = "";
  }

  #choose(kind, id) {
    this.#camera.choose(kind, id);
    this.#onRestart();
  }

  #followCountdown(session) {
    const key = "clipcanvas-countdown";
    const stored = localStorage.getItem(key) ?? "0";
    for (const button of document.getElementsByName("countdown")) {
      button.checked = button.value === stored;
      button.addEventListener("change", () => {
        session.countdownSeconds = Number(button.value);
        localStorage.setItem(key, button.value);
      });
    }
    session.countdownSeconds = Number(stored);
  }
}
