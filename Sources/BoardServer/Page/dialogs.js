// Questions and help.

import { sentence } from "./server.js";

const find = (id) => document.getElementById(id);

/** Asks a question; returns whether the user agreed. */
export async function ask(question, yes) {
  const dialog = find("question");
  find("question-text").textContent = question;
  find("question-yes").textContent = yes;
  return await answer(dialog) === "yes";
}

/** Explains why a canvas has no cover; returns the name of the action that the user chose, or null. */
export function explainCover({ clip, coverReason, can }, isReadOnly) {
  const dialog = find("cover-dialog");
  find("cover-title").textContent = `No cover for ${clip.name}`;
  find("cover-reason").textContent = sentence(coverReason ?? "unknown reason");
  for (const button of dialog.querySelectorAll("[data-needs]")) {
    button.hidden = isReadOnly || !button.dataset.needs.split(" ").some((event) => can[event]);
  }
  return answer(dialog);
}

async function answer(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue || null;
}

export function showHelp() {
  find("help-dialog").showModal();
}

/** Whether a dialog or a panel takes the keys. */
export function isOpen() {
  return document.querySelector("dialog[open], [popover]:popover-open") !== null;
}

// A click beside a dialog closes it.
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}
