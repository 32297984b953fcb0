// The script of a person's pages: tells that a turn waits, by title, icon and header, and if wanted by sound and notification.
// Browsers open few connections to a site, so one tab of a browser keeps the stream of waiting turns and tells the others.

const root = document.documentElement;
const badge = document.getElementById("turns");
const icon = document.getElementById("icon");
const table = document.querySelector("main[data-table]")?.dataset.table;
const title = document.title;
const locks = navigator.locks; // only with HTTPS, or on the own machine
const channel = new BroadcastChannel("sarai-notices");
const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
const NAME = "sarai-notices";
const SEEN = "sarai-seen"; // held by every tab that is in view
const ANSWER = 500; // milliseconds in which the tab with the stream answers another one
const LOOK = 20_000; // milliseconds after which a tab without locks looks whether that tab is still there
const AGAIN = 10_000; // milliseconds until a stream that was refused is asked for again

// ---- What is shown ----

let latest = null; // the last message of the stream
let waiting = null; // tables; until the first message only their count is known, for pages name no tables

function mark() {
  const count = waiting?.size ?? Number(badge.dataset.count);
  const marked = count > 0 || document.querySelector("#status.yours");
  document.title = `${marked ? "● " : ""}${count > 1 ? `(${badge.firstElementChild.textContent}) ` : ""}${title}`;
  const picture = marked ? icon.dataset.turn : icon.dataset.plain;
  if (icon.getAttribute("href") !== picture) icon.setAttribute("href", picture);
}

// Show a message; return the turns that are new.
function show(message) {
  const fresh = waiting ? message.turns.filter((turn) => !waiting.has(turn.table)) : [];
  latest = message;
  waiting = new Set(message.turns.map((turn) => turn.table));
  badge.hidden = !waiting.size;
  badge.firstElementChild.textContent = message.count;
  badge.lastElementChild.textContent = message.label;
  // Read out when there are more; the table in view says it by itself.
  if (fresh.some((turn) => turn.table !== table)) document.getElementById("turn-news").textContent = message.label;
  mark();
  navigator.setAppBadge?.(waiting.size).catch(() => null);
  return fresh;
}

// ---- The stream, in one tab ----

let stream = null;
let asking = 0; // a timer
let queued = null; // ends the wait for the lock

function open() {
  clearTimeout(asking);
  stream?.close();
  stream = new EventSource("/notices");
  stream.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const fresh = show(message);
    channel.postMessage({ message, from: tab });
    if (fresh.length) tell(fresh);
    if (message.words) document.dispatchEvent(new CustomEvent("words", { detail: message.words })); // of the dice
  };
  stream.addEventListener("renew", open);
  stream.onerror = ({ target }) => target === stream && target.readyState === EventSource.CLOSED && (asking = setTimeout(open, AGAIN));
}

function close() {
  clearTimeout(asking);
  stream?.close();
  stream = null;
}

async function lead(steal) {
  const wait = new AbortController();
  queued?.abort();
  queued = wait;
  try {
    await locks.request(NAME, steal ? { steal } : { signal: wait.signal }, () => (open(), new Promise(() => null)));
  } catch {
    if (wait.signal.aborted) return;
    close(); // another tab took it
    lead(false);
  }
}

// Ask the tab with the stream what it shows. If none answers it sleeps, or is gone: take its place.
function ask(patience = ANSWER) {
  if (stream) return;
  clearTimeout(asking);
  channel.postMessage({ hello: true, sound: root.dataset.sound, notify: root.dataset.notify });
  asking = setTimeout(() => {
    if (locks) lead(true);
    else {
      open();
      channel.postMessage({ from: tab });
    }
  }, patience);
}

channel.onmessage = ({ data }) => {
  if (data.hello) {
    set("sound", data.sound);
    set("notify", data.notify);
    if (stream) channel.postMessage({ message: latest, from: tab });
  }
  if (data.from && !stream) clearTimeout(asking);
  if (data.from && stream && !locks) data.from < tab ? close() : channel.postMessage({ from: tab }); // two tabs took it
  if (data.message && data.from && !stream) show(data.message);
  if (data.bye && !locks) ask(300 * Math.random());
  if (data.ring) ring();
  if (data.rang) rang = true;
};

// The settings that were kept last count for all tabs.
function set(name, value) {
  if (value) root.dataset[name] = value;
  else delete root.dataset[name];
}

// ---- Sound and notifications ----

let rang = false;

async function tell(fresh) {
  if (root.dataset.sound) {
    channel.postMessage({ ring: true });
    ring();
  }
  if (!root.dataset.notify || !locks || !canNotify() || Notification.permission !== "granted") return;
  const { held } = await locks.query();
  if (!held.some((lock) => lock.name === SEEN)) for (const turn of fresh) notify(turn).catch(() => null);
}

// A tab may play sounds only after somebody clicked in it: all try in turn until one can.
async function ring() {
  rang = false;
  const attempt = async () => {
    if (rang || !(await play())) return;
    channel.postMessage({ rang: true });
    await new Promise((go) => setTimeout(go, 500)); // until the others have heard of it
  };
  if (locks) await locks.request("sarai-sound", attempt);
  else if (stream) await attempt();
}

async function play() {
  const audio = new AudioContext();
  if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((go) => setTimeout(go, 300))]);
  if (audio.state !== "running") return audio.close(), false;
  for (const [pitch, after] of [[587.33, 0], [880, 0.16]]) {
    const at = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.12, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.7);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.7);
  }
  setTimeout(() => audio.close(), 2000);
  return true;
}

const canNotify = () => isSecureContext && "Notification" in window;

async function notify(turn) {
  const path = `/tables/${turn.table}`;
  const options = { body: badge.dataset.turn, tag: path, data: { path } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(turn.title, options); // it leads to the table by itself
  const shown = new Notification(turn.title, options);
  shown.onclick = () => {
    focus();
    shown.close();
    if (turn.table !== table) window.open(path);
  };
}

// ---- The page of settings ----

function offerNotices(panel) {
  const state = () => (!canNotify() ? "impossible" : Notification.permission);
  const showState = () => {
    for (const line of panel.querySelectorAll("[data-state]")) line.hidden = line.dataset.state !== state();
  };
  document.getElementById("try-sound").onclick = play;
  document.getElementById("ask-notify").onclick = async () => {
    if ((await Notification.requestPermission()) === "granted") {
      panel.querySelector("[name=notify][value=on]").checked = true;
      panel.closest("form").requestSubmit();
    }
    showState();
  };
  document.getElementById("try-sound").hidden = false;
  showState();
}

// ---- Start ----

function look() {
  if (!document.hidden) ask();
  see();
}

let unsee = null;
function see() {
  unsee?.();
  unsee = null;
  if (document.hidden || !locks) return;
  const seen = (done) => {
    unsee?.();
    if (document.hidden) done();
    else unsee = done;
  };
  locks.request(SEEN, { mode: "shared" }, () => new Promise(seen));
}

if (badge) {
  mark();
  if (locks) lead(false);
  if (!locks) setInterval(ask, LOOK);
  look();
  document.addEventListener("visibilitychange", look);
  document.addEventListener("shown", mark);
  addEventListener("pagehide", () => {
    if (stream) channel.postMessage({ bye: true });
    close();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}
const panel = document.getElementById("notices");
if (panel) offerNotices(panel);
