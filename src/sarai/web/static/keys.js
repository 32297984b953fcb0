// Keys for what else is at a table, and the list of all keys: `?`. Letters can be switched off there, for those who speak to their
// computer, or whose screen reader needs them.

import { say } from "./screen_reader.js";
import { store, stored } from "./local_storage.js";

const KEPT = "sarai-keys"; // "off" in a browser where letters are no keys
const list = document.getElementById("keys");
const button = document.getElementById("show-keys");
const byLetters = document.getElementById("letters");
const WRITING = "input, textarea, select, [contenteditable]";

const text = (id) => [...(document.getElementById(id)?.children ?? [])].map((part) => part.textContent).filter(Boolean).join(" ");
const focus = (element) => element?.focus();
const press = (selector) => document.querySelector(selector)?.click();

function openMoves() {
  const moves = document.getElementById("moves");
  if (!moves || moves.hidden) return;
  moves.open = true;
  moves.querySelector("summary").focus();
}

// By the place of a key, which is the same on every keyboard, whatever script it writes.
const ACTIONS = {
  KeyB: () => focus(document.querySelector("#stage :is(.lit, .open)") ?? document.getElementById("stage")),
  KeyS: () => say(text("status")),
  KeyP: () => say(text("summary")),
  KeyL: () => focus(document.getElementById("log")),
  KeyM: openMoves,
  KeyT: () => focus(document.querySelector("#chat input[type=text]")),
  KeyU: () => press("form[data-live=AskBack] button"),
  KeyH: () => press("#rules-link"),
};

function open() {
  if (!list.open) list.showModal();
}

button.hidden = false;
button.addEventListener("click", open);
byLetters.checked = stored(KEPT) !== "off";
byLetters.addEventListener("change", () => store(KEPT, byLetters.checked ? "on" : "off"));
list.addEventListener("click", ({ target }) => target === list && list.close()); // beside it
list.addEventListener("keydown", (event) => event.stopPropagation()); // keys of the board do not work here
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (!byLetters.checked || event.target.closest?.(WRITING)) return;
  const act = event.key === "?" || event.key === "؟" ? open : !event.shiftKey && ACTIONS[event.code];
  if (!act) return;
  event.preventDefault();
  act();
});
