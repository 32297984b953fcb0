// The steps of a lesson: what people do on the board or answer is asked of the server, whose page says what becomes of it; that is
// shown as at a table, without loading the page again. Without this script links and forms do the same.

import { game, sayWhy, showChoices, startChoosing } from "./choices.js";
import { describePlaces } from "./screen_reader.js";
import { morph } from "./morph.js";

const root = document.documentElement;
const main = document.querySelector("main[data-lesson]");
const reducesMotion = () => root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
const PARTS = ["lesson", "status", "stage", "summary", "moves"];

// Get a page of the lesson and do something with it; a page that cannot be shown so is loaded, and says what is wrong.
async function get(address, use) {
  if (game.sending) return;
  game.sending = true;
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    use(page.querySelector("main[data-lesson]"));
  } catch {
    location.assign(address);
  } finally {
    game.sending = false;
  }
}

function attempt(query) {
  const address = `${location.pathname}?${query}`;
  get(address, (fresh) => {
    const steps = JSON.parse(fresh.dataset.show);
    Object.assign(game, { choices: {}, picks: {}, pick: "" });
    showChoices();
    history.replaceState(null, "", address);
    const finish = (isTold) => {
      show(fresh, isTold);
      document.getElementById("next")?.focus();
      document.getElementById("outcome").scrollIntoView({ block: "nearest" });
    };
    if (steps.length && !reducesMotion() && globalThis.moments) globalThis.moments.play(steps, () => finish(true));
    else finish(false);
  });
}

function go(address) {
  get(address, (fresh) => {
    history.pushState(null, "", address);
    show(fresh, false);
    bringNear();
    const lesson = document.getElementById("lesson");
    lesson.focus({ preventScroll: true });
    lesson.scrollIntoView({ block: "nearest" });
  });
}

function show(fresh, isTold) {
  Object.assign(main.dataset, fresh.dataset);
  for (const id of PARTS) morph(document.getElementById(id), fresh.querySelector(`#${id}`));
  document.getElementById("stage").classList.toggle("told", isTold); // what is new was shown as it came
  takeChoices();
  document.dispatchEvent(new Event("shown"));
}

function takeChoices() {
  Object.assign(game, JSON.parse(main.dataset.initial), { pick: "", armed: null });
  sayWhy("");
  showChoices();
  describePlaces();
}

// A map that is larger than its place shows the part that a step is about.
function bringNear() {
  const map = document.querySelector("#stage [data-follow]");
  const wanted = main.dataset.near && document.getElementById(main.dataset.near);
  if (!map || !wanted) return;
  const [here, there] = [map.getBoundingClientRect(), wanted.getBoundingClientRect()];
  map.scrollBy({ left: (there.left + there.right - here.left - here.right) / 2, top: (there.top + there.bottom - here.top - here.bottom) / 2, behavior: "instant" });
}

bringNear();
takeChoices();
startChoosing((move) => attempt(new URLSearchParams({ move })));
document.addEventListener("submit", (event) => {
  if (event.target.method !== "get") return;
  event.preventDefault();
  attempt(new URLSearchParams(new FormData(event.target, event.submitter)));
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", () => location.reload());
