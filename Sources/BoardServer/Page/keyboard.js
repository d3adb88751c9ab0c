// Keys, for the page as a whole.

import { isOpen, showHelp } from "./dialogs.js";

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Follows the keys. `press` presses a button of the controls if it works, and returns whether it does. */
export function followKeys({ board, press, openMenu, escape }) {
  const firstOf = (...ids) => ids.some((id) => press(id));
  const commands = {
    r: () => firstOf("record", "stop"),
    p: () => firstOf("pause", "resume"),
    d: () => press("discard"),
    u: () => press("undo"),
    U: () => press("redo"),
    a: () => press("play-all"),
    m: () => board.current !== null && openMenu(board.current),
    "?": () => showHelp(),
    Escape: () => escape(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isOpen()) return;
    if (event.target.matches("input, select, textarea")) return;
    const direction = directions[event.key];
    if (direction) {
      event.preventDefault();
      return board.hasFocus ? board.focusNext(...direction) : board.focus();
    }
    // With Caps Lock on, the Shift key still distinguishes undo from redo.
    const isLetter = /^[a-z]$/i.test(event.key);
    const key = !isLetter ? event.key : event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
    if (event.repeat || !commands[key]) return;
    event.preventDefault();
    commands[key]();
  });
}
