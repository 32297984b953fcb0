// The rules as a panel over the table: fetched when they are first wanted, opened at the section that matters now.
// Without this script, or when something cannot be fetched, the link leads to the same place of the rules' page.

import { game } from "./choices.js";

const link = document.getElementById("rules-link");
const panel = document.getElementById("rules-panel");
const text = document.getElementById("rules-text");
const close = document.getElementById("rules-close");
let isFetched = false;

async function fetched(address, type) {
  const answer = await fetch(address, { headers: { accept: type } });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer;
}

async function fill() {
  if (isFetched) return;
  text.innerHTML = await (await fetched(link.dataset.panel, "text/html")).text(); // our own markup, as on the rules' page
  isFetched = true;
}

async function sectionNow() {
  const query = new URLSearchParams({ pick: game.pick });
  return (await (await fetched(`${link.href}?${query}`, "application/json")).json()).section;
}

// To a section: its heading gets the focus, so that a screen reader goes on from there.
function show(id) {
  const heading = text.querySelector(`#${CSS.escape(id)}`);
  if (!heading) return;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

async function open(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // they want a tab of its own
  event.preventDefault();
  try {
    const [section] = await Promise.all([sectionNow(), fill()]);
    if (!panel.open) panel.showModal();
    show(section);
  } catch {
    location.assign(link.href);
  }
}

if (panel.showModal) link.addEventListener("click", open);
close.addEventListener("click", () => panel.close());
panel.addEventListener("click", (event) => {
  if (event.target === panel) panel.close(); // beside the panel
  const inside = event.target.closest?.("a[href^='#']");
  if (!inside) return;
  event.preventDefault(); // a place in the panel is no place of the page
  show(inside.hash.slice(1));
});
panel.addEventListener("keydown", (event) => event.stopPropagation()); // keys of the board do not work here
panel.addEventListener("close", () => link.focus());
