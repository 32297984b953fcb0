// The script of a table: shows what its stream sends, moves pieces, runs clocks, and sends what people do. The page works without it.

import { game, sayWhy, showChoices, startChoosing } from "./choices.js";
import { describePlaces, startTelling, tell } from "./screen_reader.js";
import { keepFocus, morph, parse } from "./morph.js";

const root = document.documentElement;
const main = document.querySelector("main[data-table]");
const reducesMotion = () => root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
const STEP = 250; // milliseconds for one step of a piece
const LONGEST_WAIT = 1500; // milliseconds that the next message waits for pieces to arrive, at most

function replacePart(id, html) {
  const old = document.getElementById(id);
  if (!old) return;
  const typed = old.querySelector("input[type=text]:focus")?.value;
  morph(old, parse(html, old));
  const field = old.querySelector("input[type=text]:focus");
  if (field && typed !== undefined) field.value = typed;
}

// ---- Pieces move from where they were ----

function piecePositions() {
  const found = new Map();
  const stage = document.getElementById("stage").getBoundingClientRect(); // positions are relative to the board, which moves when a result appears above it
  for (const piece of document.querySelectorAll(".board .piece[id]")) {
    const { x, y, width, height } = piece.getBoundingClientRect();
    found.set(piece.id, { x: x + width / 2 - stage.x, y: y + height / 2 - stage.y, at: piece.getAttribute("transform"), parent: piece.parentNode });
  }
  return found;
}

function animatePiece(piece, from) {
  const stage = document.getElementById("stage").getBoundingClientRect();
  const box = piece.getBoundingClientRect();
  let dx = from.x - (box.x - stage.x + box.width / 2);
  let dy = from.y - (box.y - stage.y + box.height / 2);
  if (piece.getAttribute("transform") === from.at && piece.parentNode === from.parent && !(piece instanceof HTMLElement)) return 0;
  if (Math.hypot(dx, dy) < 2) return 0;
  if (piece instanceof HTMLElement) {
    piece.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }], { duration: 2 * STEP, easing: "ease-in-out" });
    return 2 * STEP;
  }
  const there = /translate\(\s*([-\d.]+)[\s,]+([-\d.]+)/.exec(piece.getAttribute("transform") ?? "") ?? [0, 0, 0];
  const grid = piece.parentNode.getScreenCTM();
  if (!grid) return 0;
  dx /= grid.a || 1;
  dy /= grid.d || 1;
  const [x, y] = [Number(there[1]), Number(there[2])];
  const stops = (piece.dataset.path ?? "").split(" ").filter(Boolean).map((stop) => stop.split(",").map(Number));
  const steps = [[x + dx, y + dy], ...stops, [x, y]];
  // The piece keeps its own transform; the animation adds a translation.
  const frames = steps.map(([a, b]) => ({ translate: `${a - x}px ${b - y}px` }));
  const duration = Math.max(2, steps.length - 1) * STEP;
  piece.animate(frames, { duration, easing: stops.length ? "linear" : "ease-in-out" });
  return duration;
}

// ---- Sending ----

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function showRefusal(sentence) {
  const line = document.getElementById("refusal");
  if (line) line.textContent = sentence;
}

const SENT_LENGTH = 240; // bytes of a command at least: who watches the network must not learn a hidden move from its length

async function send(command, number) {
  use();
  const body = JSON.stringify({ command, key: newKey(), number }).padEnd(SENT_LENGTH);
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await fetch(`/api/tables/${main.dataset.table}/act`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const said = await answer.json();
      if (!answer.ok && answer.status >= 500 && answer.status !== 503 && attempt < 4) throw new Error(said.reason);
      showRefusal(answer.ok ? "" : said.sentence);
      if (answer.status === 409) connect(); // the page is out of date: get all of it again
      return answer.ok ? said : null;
    } catch {
      // The same key again: if the first request arrived, nothing is done twice.
      if (attempt >= 4) return showRefusal(main.dataset.lost), null;
      await new Promise((go) => setTimeout(go, 400 * 2 ** attempt));
    }
  }
}

async function play(move) {
  if (game.sending) return;
  game.sending = true;
  document.querySelector("#stage .board")?.classList.add("sending");
  try {
    if (await send({ type: "Move", move }, game.number)) game.pick = ""; // the next move begins anew
  } finally {
    game.sending = false;
    document.querySelector("#stage .board")?.classList.remove("sending");
    showChoices();
  }
}

async function submit(form, button) {
  const fields = new FormData(form, button);
  const command = { type: form.dataset.live };
  for (const [name, value] of fields) {
    if (name === "number" || name === "type") continue;
    command[name] = name === "text" || name === "level" || name === "talk" || name === "reaction" ? value : value === "true" || value === "false" ? value === "true" : Number(value);
  }
  if (form.dataset.ask && !confirm(form.dataset.ask)) return;
  const done = await send(command, command.type === "Move" ? game.number : undefined);
  if (done && form.querySelector("input[name=text]")?.value === command.text) form.reset(); // not what was typed meanwhile
  if (done && command.type === "Rematch") goToRematch(form.classList.contains("alone"));
}

// The player who asks for a rematch is sent there; with bots alone it begins at once.
let rematch = null;
async function goToRematch(alone) {
  rematch ??= { alone };
  const link = document.getElementById("rematch");
  if (!link || rematch.gone) return;
  rematch.gone = true;
  if (rematch.alone) {
    const beginning = { table: link.dataset.table, seat: Number(link.dataset.seat) };
    document.dispatchEvent(new CustomEvent("beginning", { detail: beginning }));
    await beginning.committed; // to a word for the dice
    const body = JSON.stringify({ command: { type: "Start" }, key: newKey() });
    await fetch(`/api/tables/${link.dataset.table}/act`, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  }
  location.assign(link.href);
}

// ---- Messages of the stream ----

let stream = null;
const queue = [];
let isBusy = false; // pieces move, or a show is played
const moments = globalThis.moments ?? { play: (steps, done) => done(), finish() {}, list() {} }; // on pages without tables, and if it could not be loaded

// Show what has arrived. What happened is shown first (`animation.js`), then the picture; what has no show moves its pieces there.
function showQueued() {
  while (queue.length && !isBusy) {
    const message = queue.shift();
    const animated = queue.length < 2 && !document.hidden && !reducesMotion();
    if (message.steps) {
      if (reducesMotion()) moments.list(message.steps);
      if (animated && !queue.some(({ steps }) => steps)) playSteps(message);
      else show(message, false);
      continue;
    }
    const rest = show(message, animated);
    if (rest) {
      isBusy = true;
      setTimeout(goOn, Math.min(rest, LONGEST_WAIT));
    }
  }
}

function goOn() {
  isBusy = false;
  showQueued();
}

function takeChoices({ choices, picks, parts }) {
  if (choices || parts?.status) sayWhy(""); // that was another step
  if (!choices) return;
  [game.choices, game.picks] = [choices, picks];
  if (game.sending) game.pick = ""; // the move that was sent has been made
  game.armed = null;
}

// People may move while they are shown what happened: what they may choose is lit already. The status line waits: the show speaks there.
function playSteps(message) {
  isBusy = true;
  takeChoices(message);
  showChoices();
  moments.play(message.steps, () => {
    show(message, false);
    goOn();
  });
}

function show(message, animated) {
  if (message.version && message.version !== root.dataset.version) return location.reload(), 0;
  const before = animated ? piecePositions() : null;
  if (message.steps || message.parts?.stage) document.getElementById("stage").classList.toggle("told", Boolean(message.steps)); // what is new was shown as it came
  const refocus = keepFocus();
  for (const [id, html] of Object.entries(message.parts ?? {})) replacePart(id, html);
  if (message.log) addLines(message.log);
  takeChoices(message);
  game.number = main.dataset.number = message.number;
  if (message.phase === "over" && main.dataset.phase === "playing") main.classList.add("just-ended"); // a celebration is not for those who come later
  if ("phase" in message) main.dataset.phase = message.phase;
  showChoices();
  describePlaces();
  showClocks();
  document.dispatchEvent(new Event("shown"));
  if (rematch) goToRematch();
  if (message.parts?.stage || message.choices) listMoves();
  refocus();
  let longest = 0;
  if (before) {
    for (const piece of document.querySelectorAll(".board .piece[id]")) {
      const from = before.get(piece.id);
      if (from) longest = Math.max(longest, animatePiece(piece, from));
    }
  }
  return longest;
}

function addLines({ from, lines }) {
  const log = document.getElementById("log");
  if (!log) return;
  const here = log.scrollTop;
  const height = log.scrollHeight;
  if (from === 0) log.replaceChildren();
  for (const line of lines) log.insertAdjacentHTML("afterbegin", line); // the newest line first
  while (log.children.length > 400) log.lastChild.remove();
  if (here > 20) log.scrollTop = here + log.scrollHeight - height; // a reader further down stays at the same lines
}

async function listMoves() {
  const list = document.getElementById("moves");
  if (!list || list.hidden) return;
  list.dataset.number = game.number;
  if (!list.open) return document.getElementById("move-list")?.replaceChildren();
  const number = String(game.number);
  const answer = await fetch(`/tables/${main.dataset.table}/moves`);
  const text = await answer.text();
  const refocus = keepFocus();
  if (answer.ok && list.dataset.number === number) replacePart("move-list", text);
  refocus();
}

// A connection is called lost after some seconds: a server that is replaced by a newer one is back sooner.
const LOST = 4000;
let losing = 0; // a timer
function showLost(isLost) {
  const line = document.getElementById("connection");
  if (!isLost) {
    clearTimeout(losing);
    losing = 0;
    line.hidden = true;
  } else if (!losing) losing = setTimeout(() => (line.hidden = false), LOST);
}

function connect() {
  stream?.close();
  stream = new EventSource(`${main.dataset.stream}${connect.fresh ? `?at=${game.number}` : ""}`);
  connect.fresh = false;
  stream.onopen = () => showLost(false);
  stream.onmessage = (message) => {
    showLost(false);
    const news = JSON.parse(message.data);
    if (news.clocks !== undefined) setClocks(news.clocks);
    if (news.log) tell(news.log);
    queue.push(news);
    if (news.steps) moments.finish(); // never more than one show behind
    if (isBusy && news.parts?.chat) replacePart("chat", news.parts.chat); // talk goes on meanwhile
    showQueued();
  };
  stream.addEventListener("gone", () => location.reload()); // the host decided who may look: the page says so
  stream.onerror = () => {
    showLost(true);
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  };
}
connect.fresh = true;

// ---- Which tabs have a stream: those in view, of these the last used ones, for a browser opens six connections to a site ----

const MOST_STREAMS = 3;
const GLANCE = 5000; // milliseconds between two looks of a tab without a stream
const tabs = new BroadcastChannel("sarai-streams");
const tab = newKey();
const newer = new Set(); // tabs that were used after this one
let glancing = 0; // a timer

function follow() {
  clearTimeout(glancing);
  if (!document.hidden && newer.size < MOST_STREAMS) {
    if (!stream || stream.readyState === EventSource.CLOSED) connect();
  } else {
    stream?.close();
    stream = null;
    if (!document.hidden) glancing = setTimeout(glance, GLANCE);
  }
}

// Get what is new, and give the connection back soon.
function glance() {
  connect.fresh = true;
  connect();
  const finish = () => {
    clearTimeout(glancing);
    glancing = setTimeout(follow, 250);
  };
  for (const kind of ["open", "message", "error"]) stream.addEventListener(kind, finish);
}

// This tab is used now: it comes first.
function use() {
  if (newer.size || !stream) {
    newer.clear();
    tabs.postMessage({ used: tab });
    follow();
  }
}

// Another tab was used, or is no longer in view.
function heed({ data: { used, left } }) {
  if (used) newer.add(used);
  newer.delete(left);
  follow();
}

function leave() {
  tabs.postMessage({ left: tab });
  follow();
}

// ---- Clocks run here between two messages ----

const digits = new Intl.NumberFormat(document.documentElement.lang);
const twoDigits = new Intl.NumberFormat(document.documentElement.lang, { minimumIntegerDigits: 2 });
let clocks = null;
function setClocks(sent) {
  clocks = sent && { sent, since: performance.now() };
  showClocks();
}

function showClocks() {
  if (!clocks) return;
  const passed = (performance.now() - clocks.since) / 1000;
  clocks.sent.forEach(([left, runs, wait = 0], seat) => {
    const clock = document.getElementById(`clock-${seat}`);
    if (!clock) return;
    const seconds = Math.max(0, Math.ceil(left - (runs ? Math.max(0, passed - wait) : 0)));
    const days = Math.floor(seconds / 86400);
    const hours = days || seconds >= 3600 ? `${digits.format(Math.floor((seconds % 86400) / 3600))}:` : "";
    const rest = `${hours}${twoDigits.format(Math.floor((seconds % 3600) / 60))}:${twoDigits.format(seconds % 60)}`;
    clock.textContent = days ? `${digits.format(days)} + ${rest}` : rest;
    clock.classList.toggle("low", Boolean(runs) && seconds < 20);
  });
}

// ---- Start ----

if (main) {
  const initial = JSON.parse(main.dataset.initial);
  Object.assign(game, { number: initial.number, choices: initial.choices, picks: initial.picks });
  startTelling(initial.number);
  showChoices();
  describePlaces();
  setClocks(initial.clocks);
  setInterval(showClocks, 500);
  startChoosing(play);
  document.addEventListener("submit", (event) => {
    if (!event.target.dataset.live) return;
    event.preventDefault();
    submit(event.target, event.submitter);
  });
  document.addEventListener("toggle", (event) => event.target.id === "moves" && event.target.open && listMoves(), true);
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : use()));
  addEventListener("focus", use);
  tabs.onmessage = heed;
  addEventListener("pagehide", () => tabs.postMessage({ left: tab }));
  use();
}

// A stream does not know the address by which the page came: the link to give away is completed here.
document.addEventListener("shown", () => {
  for (const link of document.querySelectorAll("a[data-address]")) link.textContent = link.href;
});

if (navigator.clipboard) root.classList.add("can-copy");
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(new URL(button.dataset.copy, location).href);
  button.textContent = button.dataset.done;
});
