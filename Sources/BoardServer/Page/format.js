// Texts made from numbers.

/** Returns a duration as a clock shows it: 0:03, 12:40, 1:02:03. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Returns the name of the clip of a canvas as people read it: recordings are numbered, as "c1, take 3". */
export function clipTitle({ clip }) {
  if (!clip) return "";
  const [, canvas, number] = /^(.+)-take-(\d+)\.\w+$/.exec(clip.name) ?? [];
  return canvas ? `${canvas}, take ${number}` : clip.name;
}

/** Returns the name of a clip with its length, if that is known: "c1, take 3 (0:12)". */
export function clipText(canvas) {
  const { seconds } = canvas.clip;
  return seconds === null ? clipTitle(canvas) : `${clipTitle(canvas)} (${clock(Math.max(1, Math.round(seconds)))})`;
}

/** Returns a duration as it is spoken: "3 seconds", "2 minutes 5 seconds". */
export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const count = (number, unit) => (number === 0 ? "" : `${number} ${unit}${number === 1 ? "" : "s"}`);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return [count(minutes, "minute"), count(rest, "second")].filter(Boolean).join(" ") || "0 seconds";
}

/** Returns a time as people read it, in the time zone of the browser: "28 Nov, 21:14". */
export function timeOfDay(seconds) {
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(undefined, options).format(new Date(seconds * 1000));
}

/** Returns a number of bytes as people read it: 940 kB, 12 MB. */
export function size(bytes) {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
