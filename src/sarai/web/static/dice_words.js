// Words for the dice: this browser makes a random one, commits to it, keeps it, and opens it when the game begins. docs/fair-dice.md says why.

const STORE = "sarai-words"; // by digest; all tabs share them, so that any of them can open a word
const MOST = 100; // words that are kept
const OPENED = "sarai-opened "; // and a table: what was opened there, kept apart from words, so that making many words drops none of it
const MOST_OPENED = 2000; // tables of which that is known
const LONG_AGO = 90 * 24 * 3600 * 1000; // milliseconds after which one may be forgotten to make room
const SETTLING = 100; // milliseconds in which tabs see what another one stored
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

// What this browser has opened at a table: how many words, the last one's digest, seat and round, what it was promised for it, and the seats that had words.
function openedAt(table) {
  try {
    return JSON.parse(localStorage.getItem(OPENED + table));
  } catch {
    return null;
  }
}

// Note what is opened at a table; false if that cannot be kept: then it must not be opened.
function note(table, opened) {
  const text = JSON.stringify(opened);
  try {
    if (!openedAt(table)) makeRoom();
    localStorage.setItem(OPENED + table, text);
  } catch {
    return false;
  }
  return localStorage.getItem(OPENED + table) === text;
}

// Note that a word is being opened and return the digest of what was promised; null if it may not be. Once opened, a word is known: it may not go into other dice.
// A further one needs another seat that failed since then, one that had a word: the house could name seats that do not exist.
function noteOpening(table, seat, dice) {
  const last = openedAt(table);
  const digest = dice.digests[seat];
  const promise = sha256(JSON.stringify([dice.commitment, dice.digests]));
  if (last?.digest === digest) return last.promise === promise ? promise : null;
  const failed = [...new Set(dice.lost)].filter((lost) => lost !== seat);
  const renewals = failed.filter((lost) => last?.seats?.includes(lost)).length;
  if (dice.round > 1 + failed.length || (last && last.count > renewals)) return null;
  const seats = [...new Set([...(last?.seats ?? []), ...Object.keys(dice.digests).map(Number)])];
  const { commitment, round } = dice;
  const opened = { count: (last?.count ?? 0) + 1, digest, seat, round, promise, commitment, seats, at: Date.now() };
  return note(table, opened) ? promise : null;
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

function during(table, work) {
  const whole = work.finally(() => underWay.delete(table));
  underWay.set(table, whole);
  return whole;
}

// Send a command until it is carried out or refused for good, and say whether it was carried out; the key makes it happen once.
async function post(table, command) {
  const body = JSON.stringify({ command, key: hex(12) });
  for (const pause of [500, 1000, 2000, 4000]) {
    try {
      const answer = await fetch(`/api/tables/${table}/act`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const said = await answer.json();
      if (answer.ok) {
        known.set(table, said.number);
        return true;
      }
      if (answer.status < 429 && said.reason !== "no_opening") return false; // that may be a process which has not heard of the question yet
    } catch {
      // The connection is lost: there is still time.
    }
    await new Promise((go) => setTimeout(go, pause));
  }
  return false;
}

// Open a word, if after a moment it is still the one to open: another tab may have noted another at the same time, and only one of them counts.
async function openWord(table, promise, { nonce, word }) {
  await new Promise((go) => setTimeout(go, SETTLING));
  if (openedAt(table)?.promise !== promise || !(await post(table, { type: "OpenWord", nonce, word }))) return;
  const last = openedAt(table);
  if (last.promise === promise) note(table, { ...last, taken: true }); // now nobody can say that it came late
}

async function commit(table, seat, text) {
  const digest = make(seat, table, text);
  if (digest) await during(table, post(table, { type: "CommitWord", digest }));
}

// Do what a table waits for: commit before the game, open when it begins, commit anew if somebody did not open.
async function answer(table, seat, dice) {
  if (dice.version < 2 || seat === null) return;
  const digest = dice.digests[seat];
  const own = digest && keptWords()[digest];
  if (dice.asking === "open" && own && dice.waiting.includes(seat)) {
    const promise = noteOpening(table, seat, dice);
    if (!promise) return;
    keep(digest, { ...own, table }); // of a game that began at once it was not known yet
    await during(table, openWord(table, promise, own));
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

// Say whether the proof is about what this browser was shown when it opened its word, and about every word that it opened; nothing if it opened none, or too late.
function compare(proof, dice) {
  const last = openedAt(main.dataset.table);
  const kept = last ? found(last, dice) : "";
  for (const line of proof.querySelectorAll("[data-kept]")) line.hidden = line.dataset.kept !== kept;
}

function found(last, dice) {
  if (last.commitment !== undefined && last.commitment !== dice.commitment) return "other";
  if (last.seat in dice.digests) {
    const renewals = new Set(dice.lost.filter((seat) => seat !== last.seat)).size;
    const isWhole = last.count <= dice.round && last.count <= 1 + renewals;
    return isWhole && last.promise === sha256(JSON.stringify([dice.commitment, dice.digests])) ? "same" : "other";
  }
  if (![...dice.lost, ...dice.missing].includes(last.seat)) return "other"; // the word was opened, seen, and left out
  const failed = dice.failed.filter(([, round]) => round === last.round).map(([seat]) => seat);
  const isRight = failed.length > 0 && !failed.includes(last.seat); // others failed in that round, and no further word of this seat came
  return last.taken && !isRight ? "late" : ""; // without an answer it may have come late
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
