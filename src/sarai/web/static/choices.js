// What can be chosen on a board: the spots of legal moves are lit, depending on what was picked first. The status line says
// the next step with a way back, and why something that was tapped cannot be chosen: the server is asked, which knows the rules.

import { keepFocus } from "./morph.js";

const root = document.documentElement;
const main = document.querySelector("main[data-why]");

// `picks` says what the status line asks for once something is picked, by the pick's id.
export const game = { number: 0, choices: {}, picks: {}, pick: "", armed: null, sending: false };

const stage = () => document.getElementById("stage");
const litSpots = () => ({ ...game.choices[""], ...(game.pick ? game.choices[game.pick] : {}) });
const isAutomatic = () => Object.keys(game.picks).length === 1 && !Object.keys(game.choices[""] ?? {}).length; // the only choice is picked already

export function showChoices() {
  if (!stage()) return;
  const refocus = keepFocus(); // payments, for example, are hidden when nothing is picked
  if (!Object.hasOwn(game.picks, game.pick)) game.pick = isAutomatic() ? Object.keys(game.picks)[0] : "";
  const lit = litSpots();
  if (!Object.hasOwn(lit, game.armed)) game.armed = null;
  const leading = new Set(Object.values(game.choices).flatMap(Object.keys)); // spots of any move, whatever is picked first
  for (const pick of stage().querySelectorAll("[data-pick]")) {
    const can = Object.hasOwn(game.picks, pick.dataset.pick);
    pick.classList.toggle("open", can);
    pick.classList.toggle("picked", can && pick.dataset.pick === game.pick);
    setEnabled(pick, can);
    if (can) pick.setAttribute("aria-pressed", String(pick.dataset.pick === game.pick));
    else pick.removeAttribute("aria-pressed");
    setButton(pick, "pick", can);
  }
  for (const spot of stage().querySelectorAll("[data-spot]")) {
    const can = Object.hasOwn(lit, spot.dataset.spot);
    spot.classList.toggle("lit", can);
    spot.classList.toggle("armed", can && spot.dataset.spot === game.armed);
    if (!spot.dataset.pick) setEnabled(spot, can);
    setButton(spot, "spot", leading.has(spot.dataset.spot));
  }
  showStep();
  refocus();
}

function setEnabled(element, can) {
  if (can) {
    element.setAttribute("tabindex", "0");
    element.removeAttribute("aria-disabled");
  } else {
    if (element === document.activeElement) element.setAttribute("tabindex", "-1");
    else element.removeAttribute("tabindex");
    element.setAttribute("aria-disabled", "true");
  }
}

// What has `data-do` is a button with that label only while a move leads to it; else it is what the server sent.
const pictures = new WeakMap();

function setButton(element, kind, can) {
  if (element.dataset.do === undefined) return;
  const [role, label] = [element.getAttribute("role"), element.getAttribute("aria-label")];
  if (can && role !== "button") pictures.set(element, { role, "aria-label": label });
  const wanted = can ? { role: "button", "aria-label": element.dataset.do || label } : role === "button" ? pictures.get(element) : {};
  for (const [name, value] of Object.entries(wanted)) value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
  element.classList.toggle(kind, can);
  if (!can) element.removeAttribute("aria-disabled");
}

function choose(target, play) {
  const found = chosen(target, play);
  if (found) sayWhy("");
  return found;
}

function chosen(target, play) {
  const lit = litSpots();
  const spot = target.closest("[data-spot]");
  if (spot && Object.hasOwn(lit, spot.dataset.spot)) {
    const name = spot.dataset.spot;
    if (root.dataset.confirm === "on" && game.armed !== name) {
      game.armed = name;
      showChoices();
    } else {
      game.armed = null;
      play(lit[name]);
    }
    return true;
  }
  const pick = target.closest("[data-pick]");
  if (pick && pick.classList.contains("open")) {
    game.pick = game.pick === pick.dataset.pick && !isAutomatic() ? "" : pick.dataset.pick;
    game.armed = null;
    showChoices();
    document.dispatchEvent(new Event("picked"));
    return true;
  }
  return false;
}

// ---- The step in the status line, and the way back ----

const line = {}; // the script's own elements of the status line: `morph` leaves them alone

function make(name, kind) {
  const made = document.createElement(kind);
  made.className = `by-script ${name}`;
  document.getElementById("status").append(made);
  return (line[name] = made);
}

function showStep() {
  if (!document.getElementById("status")) return;
  if (!line.step) {
    for (const name of ["step", "why"]) make(name, "span").setAttribute("aria-atomic", "true"); // what is new is read out, not the whole line
    Object.assign(make("cancel", "button"), { type: "button" }).addEventListener("click", cancel);
  }
  const armed = game.armed && stage().querySelector(`[data-spot="${CSS.escape(game.armed)}"]`);
  const words = armed ? main.dataset.again.replace("{what}", () => armed.getAttribute("aria-label")) : (game.picks[game.pick] ?? "");
  if (line.step.textContent !== words) line.step.textContent = words; // else it would be read out again
  line.cancel.hidden = !canCancel();
  line.cancel.textContent = line.cancel.hidden ? "" : main.dataset.cancel;
}

const canCancel = () => Boolean(game.armed || (game.pick && !isAutomatic()));

// Go back one step: from a spot that waits to be confirmed to what was picked, from there to the beginning.
function cancel() {
  const left = game.armed ? `[data-spot="${CSS.escape(game.armed)}"]` : `[data-pick="${CSS.escape(game.pick)}"]`;
  const hadFocus = document.activeElement === line.cancel || stage().contains(document.activeElement);
  if (game.armed) game.armed = null;
  else game.pick = "";
  sayWhy("");
  showChoices();
  if (hadFocus) (stage().querySelector(left) ?? stage()).focus({ preventScroll: true });
}

// ---- Why something cannot be chosen ----

let asking = null; // the question under way: a newer one takes its place

export function sayWhy(html) {
  asking?.abort();
  asking = null;
  if (line.why && line.why.innerHTML !== html) line.why.innerHTML = html;
}

// Ask about an element of the board, tapped at a point of the window: its ids from the inside outwards, and the point in its picture.
async function askWhy(target, x, y) {
  if (main.dataset.phase !== "playing" || game.sending || !target.closest("#stage .board")) return;
  const query = new URLSearchParams({ pick: game.pick });
  let picture = null;
  for (let element = target; element.id !== "stage"; element = element.parentElement) {
    if (element.id) query.append("at", element.id);
    if (element.nodeName === "svg") picture = element;
  }
  const grid = picture?.getScreenCTM();
  if (grid) {
    const point = new DOMPoint(x, y).matrixTransform(grid.inverse());
    query.set("x", point.x.toFixed(1));
    query.set("y", point.y.toFixed(1));
  }
  sayWhy("");
  const question = (asking = new AbortController());
  try {
    const answer = await fetch(`${main.dataset.why}?${query}`, { signal: question.signal });
    const html = answer.ok ? await answer.text() : "";
    if (question === asking) sayWhy(html);
  } catch {} // no answer, or no longer wanted
}

function askWhyAt(element) {
  const box = element.getBoundingClientRect();
  askWhy(element, box.x + box.width / 2, box.y + box.height / 2);
}

// ---- Mouse, touch, keyboard ----

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CHOOSABLE = "#stage .lit, #stage .open";
const NAMED = "#stage [id]:is([role=img], [role=button]):not([aria-hidden])"; // with Shift: what cannot be chosen now, too
const THINGS = "[data-spot], [data-pick], [role=img], [tabindex='-1']:not(#stage)";
const CONTROLS = "a, button, input, select, textarea, summary";

function moveFocus(from, [towardsX, towardsY], among) {
  const here = from.getBoundingClientRect();
  let best = null;
  let least = Infinity;
  for (const other of document.querySelectorAll(among)) {
    if (other === from || !other.checkVisibility({ visibilityProperty: true })) continue;
    const box = other.getBoundingClientRect();
    const dx = box.x + box.width / 2 - here.x - here.width / 2;
    const dy = box.y + box.height / 2 - here.y - here.height / 2;
    const ahead = dx * towardsX + dy * towardsY;
    const aside = Math.abs(dx * towardsY) + Math.abs(dy * towardsX);
    if (ahead > 1 && aside < 2.5 * ahead && ahead + 2.5 * aside < least) [best, least] = [other, ahead + 2.5 * aside];
  }
  if (!best && !from.matches(".lit, .open")) best = document.querySelector(CHOOSABLE); // from where the last move left the focus
  if (!best) return;
  if (!best.hasAttribute("tabindex")) best.setAttribute("tabindex", "-1");
  best.focus();
}

// Let people choose from now on; `play` makes a move.
export function startChoosing(play) {
  let last = ""; // what was clicked last
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || !event.composedPath().includes(stage())) return;
    const target = event.target.isConnected ? event.target : event.target.id && document.getElementById(event.target.id);
    if (!target) return sayWhy(main.dataset.gone); // the click ended a show, and the newest picture has something else there
    const thing = target.closest("[data-spot], [data-pick]")?.id ?? "";
    const isDouble = event.detail > 1 && thing !== last; // the second click on something that the first one brought there
    last = thing;
    if (isDouble) return;
    if (choose(target, play)) event.preventDefault();
    else if (!target.closest(CONTROLS)) askWhy(target, event.clientX, event.clientY);
  });
  document.addEventListener("keydown", (event) => {
    const here = event.target;
    if (!(here instanceof Element) || event.defaultPrevented) return;
    if (event.key === "Escape" && canCancel() && !here.matches("input, select, textarea")) {
      event.preventDefault();
      return cancel();
    }
    if (!here.closest("#stage") || here.closest(CONTROLS)) return;
    if ((event.key === "Enter" || event.key === " ") && here.matches(THINGS)) {
      event.preventDefault();
      if (!choose(here, play)) askWhyAt(here);
    } else if (DIRECTIONS[event.key] && here.matches("[data-spot], [data-pick], [tabindex='-1']")) {
      event.preventDefault();
      moveFocus(here, DIRECTIONS[event.key], event.shiftKey ? NAMED : CHOOSABLE);
    }
  });
}
