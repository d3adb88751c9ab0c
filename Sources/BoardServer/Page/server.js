// Requests to the server, and what its refusals mean.

import { guest } from "./guest.js";

const tokenKey = "clipcanvas-write-token";

/** The server refused a request; `message` is a sentence for people. */
export class Refusal extends Error {
  constructor(status, answer, message) {
    super(message);
    [this.status, this.reason] = [status, answer.reason ?? null];
  }
}

/** The server did not answer, or something between the page and the server did. */
export class NoAnswer extends Error {}

/** Gives this tab the right to change the board. */
export function storeToken(token) {
  sessionStorage.setItem(tokenKey, token);
}

/** Whether this tab may change the board. */
export function canWrite() {
  return sessionStorage.getItem(tokenKey) !== null;
}

export const howToGetIn = guest ? "This phone has no access any more. Ask the owner of the board for an invitation."
  : "To change the board, open the address that clipcanvas printed.";

/**
 * Sends a request and returns its response if the server accepted it.
 *
 * Throws a `Refusal` if it did not, or `NoAnswer`; then repeating the request may help.
 */
export async function request(method, address, { headers = {}, body, patience = 15_000, outlivesPage = false } = {}) {
  let response;
  try {
    response = await fetch(address, {
      method, body, cache: "no-store", signal: AbortSignal.timeout(patience), keepalive: outlivesPage,
      headers: { "X-ClipCanvas-Token": sessionStorage.getItem(tokenKey) ?? "", ...headers },
    });
  } catch (error) {
    throw new NoAnswer("The server is not responding.", { cause: error });
  }
  if (response.ok) return response;
  // An answer without a sentence is one to HEAD, where the status is enough, or comes from a proxy.
  const answer = await response.json().catch(() => ({}));
  if ([502, 503, 504].includes(response.status) && !answer.error) throw new NoAnswer("The server is not responding.");
  throw new Refusal(response.status, ...explain(response, answer));
}

function explain(response, answer) {
  if (response.status === 401) return [answer, howToGetIn];
  return [answer, sentence(answer.message ?? answer.error ?? `The server answered with status ${response.status}.`)];
}

/** Returns a message of the server with a full stop, and with a capital letter unless it starts with a name. */
export function sentence(text) {
  const start = text.replace(/^[a-z]+(?![^\s,;])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}

/** Sends an event to the board and returns the outcome. */
export async function sendEvent(event, members = {}) {
  const response = await request("POST", "/events", {
    headers: { "Content-Type": "application/json" }, body: JSON.stringify({ event, ...members }),
  });
  return response.json();
}

/** Sends several events as one transaction and returns the outcome. */
export async function sendEvents(events) {
  const response = await request("POST", "/events", {
    headers: { "Content-Type": "application/x-ndjson" }, body: events.map((event) => JSON.stringify(event)).join("\n"),
  });
  return response.json();
}

/** Returns the value of `Upload-Metadata` for some members; each value is text. */
export function metadata(members) {
  const encode = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  return Object.entries(members).map(([name, value]) => `${name} ${encode(value)}`).join(",");
}

export const coverAddress = (canvas) => `/covers/${encodeURIComponent(canvas.id)}/${canvas.clip.generation}`;
export const clipAddress = (canvas) => `/clips/${encodeURIComponent(canvas.id)}/${canvas.clip.generation}`;
