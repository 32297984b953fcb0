// Hints for a first game: of the list that the server sent, the one about what can be chosen now is shown, each for a few decisions.

const MOST = 3; // decisions for which a hint is shown
const place = document.getElementById("hints");
const main = document.querySelector("main[data-table]");
const stop = place.querySelector("button");
const KEPT = "sarai-hints"; // the table, and for how many decisions each hint was shown
const hints = [...place.querySelectorAll("li")];
const seen = stored() ?? hints.map(() => 0);
const now = new Set(); // those that were shown for the decision that is being made
let at = ""; // the table's number at this decision
let isSent = false; // a move was sent that the page may not show yet

function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    return kept?.table === main.dataset.table && kept.seen.length === hints.length ? kept.seen : null;
  } catch {
    return null; // where nothing may be stored, hints are counted as long as the page is open
  }
}

function store() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ table: main.dataset.table, seen }));
  } catch {}
}

function look() {
  const isMine = document.querySelector("#status.yours");
  const isSending = document.querySelector("#stage .sending");
  if (isSending) isSent = true;
  if (!isMine || (isSent && !isSending && main.dataset.number !== at)) {
    now.clear(); // a move was made: the next decision; the answer to it may come before the page shows it, or after
    isSent = false;
  }
  const isDeciding = isMine && !isSending;
  if (isDeciding && !isSent) at = main.dataset.number;
  const found = isDeciding ? hints.findIndex((hint, index) => (seen[index] < MOST || now.has(index)) && document.querySelector(hint.dataset.for)) : -1;
  if (found !== -1 && !now.has(found)) {
    seen[found] += 1;
    now.add(found);
    store();
  }
  for (const [index, hint] of hints.entries()) if (hint.hidden !== (index !== found)) hint.hidden = index !== found;
  if (place.classList.contains("gone") !== (found === -1)) place.classList.toggle("gone"); // else this would be a change again
}

stop.hidden = false;
stop.addEventListener("click", () => {
  seen.fill(MOST);
  now.clear();
  store();
  look();
});

let isWaiting = false; // for all changes of a moment
new MutationObserver(() => {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    look();
  });
}).observe(document.querySelector(".middle"), { subtree: true, childList: true, attributeFilter: ["class"] });
look();
