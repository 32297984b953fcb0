// Words for the dice: this browser makes a random one, commits to it, keeps it, and opens it when the game begins. docs/fair-dice.md says why.

const STORE = "sarai-words"; // by digest; all tabs share them, so that any of them can open a word
const MOST = 100; // words that are kept
const OPENED = "sarai-opened "; // and a table: what was opened there, kept apart from words, so that making many words drops none of it
const MOST_OPENED = 2000; // tables of which that is known
const LONG_AGO = 90 * 24 * 3600 * 1000; // milliseconds after which one may be forgotten to make room
const LONGEST = 40; // letters of a word
const main = document.querySelector("main[data-table]");

// ---- SHA-256; browsers have one of their own only for pages that come by HTTPS, and a house at home has none ----

const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
const turn = (x, n) => (x >>> n) | (x << (32 - n));

export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6));
  bytes.forEach((byte, at) => padded.setUint8(at, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const hash = [...START];
  const w = new Int32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = padded.getInt32(block + 4 * i);
      else {
        const [early, late] = [w[i - 15], w[i - 2]];
        w[i] = w[i - 16] + w[i - 7] + (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((part, at) => (hash[at] = (hash[at] + part) | 0));
  }
  return hash.map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}

// ---- Words, and where they are kept ----

const hex = (count) => Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function randomWord() {
  const [hard, soft] = ["bdfgklmnprstvz", "aeiou"];
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte, at) => (at % 2 ? soft : hard)[byte % (at % 2 ? soft : hard).length]).join("");
}

// A word as people typed it, without what would break a line; letters are counted as the house counts them.
const clean = (text) => [...text.normalize("NFC").replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, " ").trim()].slice(0, LONGEST).join("").trim();

function keptWords() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

// Keep a word, the newest ones of all; false if this browser keeps nothing.
function keep(digest, word) {
  const newest = Object.entries({ ...keptWords(), [digest]: word }).sort(([, one], [, two]) => two.at - one.at).slice(0, MOST);
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    return false;
  }
  return digest in keptWords();
}

// What this browser has opened at a table: how many words, by which seat, and the digest of what it was promised for the last one.
function openedAt(table) {
  try {
    return JSON.parse(localStorage.getItem(OPENED + table));
  } catch {
    return null;
  }
}

const openings = (table) => openedAt(table)?.count ?? 0;

// Note that a word is being opened; false if that cannot be kept: then it must not be opened.
function noteOpened(table, seat, promise) {
  const note = JSON.stringify({ count: openings(table) + 1, seat, promise: sha256(promise), at: Date.now() });
  try {
    if (!openedAt(table)) makeRoom();
    localStorage.setItem(OPENED + table, note);
  } catch {
    return false;
  }
  return localStorage.getItem(OPENED + table) === note;
}

// Forget tables of long ago if there are many; an error if there is no room then: nothing newer is forgotten, however many tables the house invents.
function makeRoom() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(OPENED));
  if (keys.length < MOST_OPENED) return;
  const old = keys.filter((key) => Date.now() - (openedAt(key.slice(OPENED.length))?.at ?? 0) > LONG_AGO);
  if (!old.length) throw new Error("no room");
  for (const key of old) localStorage.removeItem(key);
}

// Make a word for a seat and keep it; null if it could not be opened later.
function make(seat, table, text = "") {
  const made = { seat, table, nonce: hex(32), word: clean(text) || randomWord(), at: Date.now() };
  const digest = sha256(["Sarai fair dice 2: a word", seat, made.nonce, made.word].join("\n"));
  return keep(digest, made) ? digest : null;
}

// ---- Committing and opening ----

const underWay = new Map(); // by table: what is being sent
const known = new Map(); // by table: the number that the last answer gave; pages that are older do not show what was sent

function send(table, command) {
  const work = post(table, command).finally(() => underWay.delete(table));
  underWay.set(table, work);
  return work;
}

// Send a command until it is carried out or refused for good; the key makes it happen once.
async function post(table, command) {
  const body = JSON.stringify({ command, key: hex(12) });
  for (const pause of [500, 1000, 2000, 4000]) {
    try {
      const answer = await fetch(`/api/tables/${table}/act`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const said = await answer.json();
      if (answer.ok) return known.set(table, said.number);
      if (answer.status < 429 && said.reason !== "no_opening") return; // that may be a process which has not heard of the question yet
    } catch {
      // The connection is lost: there is still time.
    }
    await new Promise((go) => setTimeout(go, pause));
  }
}

async function commit(table, seat, text) {
  const digest = make(seat, table, text);
  if (digest) await send(table, { type: "CommitWord", digest });
}

// Do what a table waits for: commit before the game, open when it begins, commit anew if somebody did not open.
async function answer(table, seat, dice) {
  if (dice.version < 2 || seat === null) return;
  const digest = dice.digests[seat];
  const own = digest && keptWords()[digest];
  if (dice.asking === "open" && own && dice.waiting.includes(seat)) {
    const promise = JSON.stringify([dice.commitment, dice.digests]);
    // Once opened, a word is known: it may not go into other dice. A round needs another seat that failed in the one before, and so does every further word.
    const opened = openings(table) - (own.promise ? 1 : 0);
    const failed = new Set(dice.lost.filter((lost) => lost !== seat)).size;
    if ((own.promise ?? promise) !== promise || dice.round > 1 + failed || opened > failed) return;
    if (!own.promise && !noteOpened(table, seat, promise)) return;
    keep(digest, { ...own, table, promise });
    await send(table, { type: "OpenWord", nonce: own.nonce, word: own.word });
  } else if (dice.asking === "commit" && dice.waiting.includes(seat)) {
    const isHere = Object.values(keptWords()).some((word) => word.table === table && word.seat === seat); // not on another device
    if (isHere) await commit(table, seat);
  } else if (dice.asking === "seats" && !digest) await commit(table, seat);
}

// ---- On the page of a table ----

function look() {
  const panel = document.getElementById("dice");
  const proof = document.getElementById("proof");
  if (panel && main) {
    const { table, number } = main.dataset;
    const { seat, ...dice } = JSON.parse(panel.dataset.dice);
    if (underWay.has(table)) underWay.get(table).then(look);
    else if (Number(number) >= (known.get(table) ?? 0)) answer(table, seat, dice);
    const field = panel.querySelector("input[name=word]");
    if (field && field !== document.activeElement) field.value = keptWords()[dice.digests[seat]]?.word ?? "";
  }
  if (proof?.dataset.dice && main) compare(proof, JSON.parse(proof.dataset.dice));
}

// What this browser was shown when it opened its word must be what the proof is about, and it knows of every word that was opened.
function compare(proof, dice) {
  const last = openedAt(main.dataset.table);
  if (!last || !(last.seat in dice.digests)) return; // without a word, or it is named as lost
  const isSame = last.promise === sha256(JSON.stringify([dice.commitment, dice.digests])) && last.count <= dice.round;
  for (const line of proof.querySelectorAll("[data-kept]")) line.hidden = (line.dataset.kept === "same") !== isSame;
}

document.documentElement.classList.add("can-commit");
document.addEventListener("shown", look);
look();

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("form.word")) {
    event.preventDefault();
    const { seat } = JSON.parse(document.getElementById("dice").dataset.dice);
    const field = form.elements.namedItem("word");
    field.blur();
    commit(main.dataset.table, seat, field.value);
  } else if (form.dataset.seat !== undefined) {
    // A game that begins at once: the seat is known before the table is.
    form.elements.namedItem("digest").value = make(Number(form.dataset.seat), null) ?? "";
  }
});

// ---- For tables that are not in view: the tab with the stream of notices is told, and any tab has the words ----

document.addEventListener("words", async ({ detail: tables }) => {
  for (const table of tables) {
    await underWay.get(table);
    try {
      const said = await (await fetch(`/api/tables/${table}`)).json();
      if (underWay.has(table) || said.number < (known.get(table) ?? 0)) continue; // the page has answered meanwhile
      await answer(table, said.seat, { ...said.dice, commitment: said.commitment });
    } catch {
      // The house is away: its time stands still too.
    }
  }
});

// A rematch against bots alone begins at once, with a word.
document.addEventListener("beginning", ({ detail }) => (detail.committed = commit(detail.table, detail.seat)));
