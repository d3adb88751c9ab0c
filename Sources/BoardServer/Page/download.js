// Downloads: clips, and the board as a video or a picture.

import { size } from "./format.js";
import { clipAddress, request } from "./server.js";

const find = (id) => document.getElementById(id);
/** What a person waits for a picture or a clip to share, in milliseconds. */
const patience = 120_000;

/** Stores what is at an address, or a blob, as a file. */
function save(source, name) {
  const link = document.createElement("a");
  const address = source instanceof Blob ? URL.createObjectURL(source) : source;
  [link.href, link.download] = [address, name];
  link.click();
  // The browser has begun to read it by then.
  if (source instanceof Blob) setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Stores the clip of a canvas, the whole take. */
export function saveClip(canvas) {
  save(clipAddress(canvas), canvas.clip.name);
}

/** Whether this browser can pass files on to other apps. */
export const canShare = navigator.canShare?.({ files: [new File(["x"], "clip.mp4", { type: "video/mp4" })] }) ?? false;

/** The clip that was loaded last to be shared. */
let loaded = null;

/** Passes the clip of a canvas on to another app that the user chooses. */
export async function shareClip(canvas) {
  const [address, name] = [clipAddress(canvas), canvas.clip.name];
  const isLoaded = loaded?.address === address;
  if (!isLoaded) {
    const blob = await (await request("GET", address, { patience })).blob();
    loaded = { address, file: new File([blob], name, { type: blob.type }) };
  }
  try {
    await navigator.share({ files: [loaded.file], title: name });
  } catch (error) {
    if (error.name === "AbortError") return;
    // A page may share within some seconds of a press, and a long clip takes longer to load.
    if (error.name === "NotAllowedError" && !isLoaded) throw new Error(`${name} is loaded now: share it again`);
    throw new Error(`${name} cannot be shared: ${error.message}`);
  }
}

/** The dialog for the board as a video or a picture. */
export class Downloads {
  #dialog = find("download-dialog");
  #button = find("download");
  #name = "board";

  constructor() {
    this.#button.addEventListener("click", () => {
      find("download-problem").textContent = "";
      this.#dialog.showModal();
    });
    find("video-make").addEventListener("click", () => this.#try(() => request("POST", "/export")));
    find("video-cancel").addEventListener("click", () => this.#try(() => request("DELETE", "/export")));
    find("video-save").addEventListener("click", () => save("/export/video", `${this.#name}.mp4`));
    find("picture-save").addEventListener("click", () => this.#try(async () => {
      const picture = await (await request("GET", "/picture", { patience })).blob();
      save(picture, `${this.#name}.png`);
    }));
  }

  /** Shows how far the video is; `canDownload` is whether this page's user may ask for one. */
  follow({ name, canvases, export: video }, canDownload) {
    this.#button.hidden = !canDownload;
    this.#name = name.replace(/\.json$/, "");
    const isRunning = video?.state === "running";
    find("video-make").hidden = isRunning;
    find("video-make").disabled = !canvases.some(({ clip }) => clip);
    find("video-make").textContent = video?.state === "done" ? "Make again" : "Make video";
    find("video-cancel").hidden = find("video-progress").hidden = !isRunning;
    find("video-save").hidden = video?.state !== "done";
    const progress = find("video-progress");
    if (video?.total) progress.value = video.frames / video.total;
    else progress.removeAttribute("value");
    find("video-note").textContent = note(video);
  }

  async #try(action) {
    find("download-problem").textContent = "";
    try {
      await action();
    } catch (error) {
      find("download-problem").textContent = error.message;
    }
  }
}

function note(video) {
  switch (video?.state) {
    case "running": return video.total ? `${Math.floor((100 * video.frames) / video.total)} %` : "Reading the clips…";
    case "done": return size(video.bytes) + (video.problem ? `. ${video.problem}` : "");
    case "failed": return `The video could not be made: ${video.reason}`;
    default: return "All clips, playing together, as MP4.";
  }
}
