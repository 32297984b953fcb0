// What people should not miss while they look elsewhere: talk that is out of view, a move that was taken back, the result of a game,
// and on screens where the log is below the board, what happened last.

const STAYS = 7000; // milliseconds
const main = document.querySelector("main[data-table]");
const numberOf = (line) => Number(line?.id.split("-")[1] ?? 0);
const lastOf = (lines) => Math.max(0, ...Array.from(lines, numberOf));

const news = document.createElement("a");
news.id = "news";
news.hidden = true;
const [count, text] = [document.createElement("b"), document.createElement("span")];
news.append(count, text);
main.append(news);
let unread = 0; // lines of talk
let leaving = 0; // a timer

// Show a line over the page; what is left after some seconds is how many lines of talk are unread.
function tell(line, place) {
  const copy = line.cloneNode(true);
  for (const role of copy.querySelectorAll(".role, br")) role.replaceWith(" ");
  text.replaceChildren(...copy.childNodes);
  news.href = place;
  settle();
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    text.replaceChildren();
    news.href = "#chat";
    settle();
  }, STAYS);
}

function settle() {
  count.textContent = unread ? new Intl.NumberFormat(document.documentElement.lang).format(unread) : "";
  news.hidden = !unread && !text.childNodes.length;
}

// ---- Talk ----

let isInView = false;
let heard = lastOf(document.querySelectorAll("#chat-lines > li"));

function hear() {
  const list = document.getElementById("chat-lines");
  const fresh = [...(list?.children ?? [])].filter((line) => numberOf(line) > heard);
  if (!fresh.length) return;
  heard = lastOf(fresh);
  list.scrollTop = list.scrollHeight;
  const others = fresh.filter((line) => !line.classList.contains("own"));
  if (isInView || !others.length) return;
  unread += others.length;
  tell(others.at(-1), "#chat");
}

function read() {
  if (!unread) return;
  unread = 0;
  if (news.getAttribute("href") === "#chat") text.replaceChildren();
  settle();
}

const chat = document.getElementById("chat");
if (chat) {
  const list = document.getElementById("chat-lines");
  list.scrollTop = list.scrollHeight;
  new IntersectionObserver((entries) => {
    isInView = entries.at(-1).isIntersecting;
    if (isInView) read();
  }).observe(chat);
  new MutationObserver(hear).observe(chat, { childList: true, subtree: true });
}

// ---- Moves that were taken back ----

let logged = lastOf(document.querySelectorAll("#log > li"));
const log = document.getElementById("log");

function follow() {
  showLatest();
  const fresh = [...log.children].filter((line) => numberOf(line) > logged);
  if (fresh.length) logged = lastOf(fresh);
  const back = fresh.find((line) => line.classList.contains("taken-back")); // the newest line is the first
  if (back) tell(back, "#log-title");
}

// ---- What happened last, in one line below the status; it opens over the board, with what others did since one's own turn marked ----

const LINES = 8;
const latest = document.createElement("details");
latest.id = "latest";
const [summary, newest, lines] = ["summary", "span", "ol"].map((kind) => document.createElement(kind));
summary.append(newest);
latest.append(summary, lines);
let since = logged; // the last line of one's own turn
let isOwnTurn = false;

function copyOf(line) {
  const copy = line.cloneNode(true);
  copy.removeAttribute("id");
  copy.className = numberOf(line) > since ? "since" : "";
  return copy;
}

function showLatest() {
  const shown = [...log.children].slice(0, LINES);
  newest.replaceChildren(...(shown[0]?.cloneNode(true).childNodes ?? []));
  for (const end of newest.querySelectorAll("br")) end.replaceWith(" ");
  lines.replaceChildren(...shown.map(copyOf));
  latest.hidden = !shown.length;
}

document.addEventListener("shown", () => {
  const wasOwnTurn = isOwnTurn;
  isOwnTurn = Boolean(document.querySelector("#status.yours"));
  if (!wasOwnTurn || isOwnTurn) return;
  since = lastOf(log.children);
  showLatest();
});
document.addEventListener("click", ({ target }) => !summary.contains(target) && (latest.open = false));

if (log) {
  new MutationObserver(follow).observe(log, { childList: true });
  document.getElementById("status").after(latest);
  showLatest();
}

// ---- The result: from its headline on, below the status line, wherever one had scrolled to ----

let isSeen = false;
document.addEventListener("shown", () => {
  if (isSeen || !main.classList.contains("just-ended")) return;
  isSeen = true;
  const [result, status] = ["result", "status"].map((id) => document.getElementById(id));
  if (document.activeElement?.matches("input, textarea")) return; // somebody is writing
  scrollTo({ top: result.offsetTop - status.offsetHeight - 8 });
});
