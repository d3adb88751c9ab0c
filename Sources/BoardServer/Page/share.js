// Inviting phones to the board, and the list of those that accepted.

import { request } from "./server.js";

const find = (id) => document.getElementById(id);

export class Share {
  #dialog = find("share-dialog");
  #button = find("share");
  #guests = [];
  #end = null;
  #timer = null;

  constructor() {
    this.#button.addEventListener("click", () => this.open());
    find("share-again").addEventListener("click", () => this.#invite());
    this.#dialog.addEventListener("close", () => clearInterval(this.#timer));
  }

  open() {
    this.#dialog.showModal();
    this.#invite();
    this.#drawGuests();
  }

  /** Shows who has access; `canInvite` is whether this page's user may invite others. */
  follow({ guests, take }, canInvite) {
    this.#button.hidden = !guests || !canInvite;
    const listed = (guests ?? []).map((one) => ({ ...one, canvas: take?.guest?.id === one.id ? take.canvas : null }));
    const joined = listed.find(({ id }) => !this.#guests.some((old) => old.id === id));
    const isChanged = JSON.stringify(listed) !== JSON.stringify(this.#guests);
    this.#guests = listed;
    if (!this.#dialog.open || !isChanged) return;
    // Whichever invitation it was: a code that may have been used is not shown any longer.
    if (joined) this.#finish(`${joined.name} has joined.`);
    this.#drawGuests();
  }

  async #invite() {
    this.#finish("");
    try {
      const invitation = await (await request("POST", "/invitations")).json();
      this.#show(invitation);
    } catch (error) {
      this.#finish(error.message);
    }
  }

  #show({ address, fingerprint, seconds, size, path }) {
    const margin = 4;
    find("share-code").setAttribute("viewBox", `${-margin} ${-margin} ${size + 2 * margin} ${size + 2 * margin}`);
    find("share-code").querySelector("path").setAttribute("d", path);
    find("share-address").textContent = address;
    find("share-fingerprint").textContent = fingerprint.match(/.{1,48}/g).join("\n");
    this.#end = performance.now() + seconds * 1000;
    find("share-invitation").hidden = false;
    find("share-again").hidden = true;
    this.#timer = setInterval(() => this.#tick(), 1000);
    this.#tick();
  }

  #tick() {
    const left = Math.ceil((this.#end - performance.now()) / 1000);
    if (left <= 0) return this.#finish("The invitation has expired.");
    const time = left > 90 ? `${Math.ceil(left / 60)} minutes` : `${left} s`;
    find("share-time").textContent = `It works once, within ${time}.`;
  }

  /** Removes the code, and offers another one. */
  #finish(text) {
    clearInterval(this.#timer);
    find("share-note").textContent = text;
    find("share-invitation").hidden = true;
    find("share-again").hidden = false;
  }

  #drawGuests() {
    const items = this.#guests.map(({ id, name, canvas }) => {
      const item = document.createElement("li");
      const [text, button] = [document.createElement("span"), document.createElement("button")];
      text.textContent = canvas ? `${name}, recording on ${canvas}` : name;
      [button.type, button.textContent, button.className] = ["button", "Remove", "take-delete"];
      button.setAttribute("aria-label", `Remove ${name}`);
      button.addEventListener("click", () => this.#remove(id, name));
      item.append(text, button);
      return item;
    });
    find("share-guests").replaceChildren(...items);
    find("share-guests-title").hidden = items.length === 0;
  }

  async #remove(id, name) {
    try {
      await request("DELETE", `/guests/${id}`);
      find("share-note").textContent = `${name} has no access any more.`;
    } catch (error) {
      find("share-note").textContent = error.message;
    }
  }
}
