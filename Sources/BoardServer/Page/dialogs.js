// Questions and help.

const find = (id) => document.getElementById(id);

/** Asks a question; returns whether the user agreed. */
export function ask(question, yes) {
  const dialog = find("question");
  find("question-text").textContent = question;
  find("question-yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
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
