// Everything on a board explains itself when it is pointed at, focused or held: one tooltip, whose texts stand in the list below the board.

const list = document.getElementById("explanations");
const tip = document.getElementById("explanation");
const stage = () => document.getElementById("stage");
const REST = 450; // milliseconds that a mouse rests, or the focus stays
const HOLD = 500; // milliseconds that a finger stays
const STRAY = 10; // pixels that a finger may stray meanwhile
const AWAY = 48; // pixels between the mouse and what is explained, from which on nobody reads it
const MARGIN = 8; // pixels between the tooltip and the window's edge, or what it is about

const explanations = [...(list?.querySelectorAll("dd") ?? [])].map((text) => ({ selector: text.dataset.for, name: text.parentElement.firstElementChild.textContent, text: text.textContent }));
const besides = document.getElementById("beside"); // what is beside a place of the board: a description of another element counts more than its own
let shown = null; // what the tooltip is about: an element of the board
let dismissed = null; // what it was about when Escape closed it
let timer = 0;
let held = null; // where a finger is
let isSwallowing = false; // the click that ends a long press

// The explanation of an element, or of the nearest one around it that has one.
function explained(element) {
  for (let thing = element; thing && !thing.classList.contains("board"); thing = thing.parentElement) {
    const found = explanations.find(({ selector }) => thing.matches(`.board :is(${selector})`));
    if (found) return { thing, ...found };
  }
  return null;
}

// What is seen at a point: pieces that let clicks through count too.
function seenAt(x, y) {
  stage().classList.add("looking");
  const element = document.elementFromPoint(x, y);
  stage().classList.remove("looking");
  return element?.closest("#stage") ? explained(element) : null;
}

function fill({ thing, name, text }) {
  const labelled = thing.closest("[role=button]") ?? thing; // a sign on what can be chosen: that says what it costs
  const title = labelled.getAttribute("aria-label") || name;
  tip.firstElementChild.textContent = title.slice(0, 1).toUpperCase() + title.slice(1);
  tip.lastElementChild.textContent = text;
}

// Above what it is about, or below where there is no room; wholly in the window.
function place(box) {
  tip.style.setProperty("translate", "0 0");
  const own = tip.getBoundingClientRect();
  const x = Math.max(MARGIN, Math.min((box.left + box.right - own.width) / 2, document.documentElement.clientWidth - own.width - MARGIN));
  const above = box.top - own.height - MARGIN;
  const y = above >= MARGIN ? above : Math.min(box.bottom + MARGIN, innerHeight - own.height - MARGIN);
  tip.style.setProperty("translate", `${Math.round(x - own.left)}px ${Math.round(y - own.top)}px`);
}

function show(found, box) {
  fill(found);
  shown = found.thing;
  tip.hidden = false;
  place(box);
}

function hide() {
  clearTimeout(timer);
  tip.hidden = true;
  shown = null;
}

const near = (box, x, y, far) => x > box.left - far && x < box.right + far && y > box.top - far && y < box.bottom + far;

// A large thing is explained where it is pointed at, a small one beside it.
function around(thing, x, y, size) {
  const box = thing.getBoundingClientRect();
  return box.width < 160 && box.height < 120 ? box : { left: x, right: x, top: y - size, bottom: y + size };
}

// ---- Mouse: the tooltip stays while the thing, or the tooltip itself, is pointed at ----

function rest(x, y) {
  const found = seenAt(x, y);
  if (found?.thing !== dismissed) dismissed = null;
  if (!found) hide();
  else if (found.thing !== shown && found.thing !== dismissed) show(found, around(found.thing, x, y, 12));
}

document.addEventListener("pointermove", (event) => {
  const { clientX: x, clientY: y, pointerType } = event;
  if (held && Math.hypot(x - held.x, y - held.y) > STRAY) release();
  if (pointerType !== "mouse" || event.buttons) return;
  clearTimeout(timer);
  if (tip.contains(event.target)) return;
  if (shown && !near(tip.getBoundingClientRect(), x, y, AWAY) && !near(shown.getBoundingClientRect(), x, y, AWAY)) hide();
  if (shown || event.target.closest?.("#stage")) timer = setTimeout(rest, REST, x, y);
});
document.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && hide());

// ---- Fingers: hold ----

function release() {
  clearTimeout(timer);
  held = null;
}

function hold() {
  const found = seenAt(held.x, held.y) ?? explained(held.target); // fingers are broad: browsers take what is nearest
  if (!found) return;
  isSwallowing = true;
  show(found, around(found.thing, held.x, held.y, 32)); // not under the finger
}

document.addEventListener(
  "pointerdown",
  (event) => {
    isSwallowing = false;
    if (tip.contains(event.target)) return; // it closes by the click, which must not hit what is beneath it
    hide();
    if (event.pointerType === "mouse" || !event.isPrimary || !event.target.closest?.("#stage")) return release();
    held = { x: event.clientX, y: event.clientY, target: event.target };
    timer = setTimeout(hold, HOLD);
  },
  true,
);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => held && release());
document.addEventListener(
  "click",
  (event) => {
    if (!isSwallowing) return;
    isSwallowing = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
tip.addEventListener("click", hide);
document.addEventListener("contextmenu", (event) => {
  if ((held || isSwallowing) && event.target.closest?.("#stage")) event.preventDefault(); // a browser's menu for a long press
});

// ---- Keyboard: the description is there at once for a screen reader, the tooltip a moment later ----

let described = null; // the element that has the focus

function describe(element) {
  described?.removeAttribute("aria-describedby");
  const found = element && explained(element);
  described = found ? element : null;
  if (!found) return;
  if (!shown) fill(found);
  besides.textContent = element.getAttribute("aria-description") ?? "";
  element.setAttribute("aria-describedby", besides.textContent ? "beside explanation-text" : "explanation-text");
}

document.addEventListener("focusin", ({ target }) => {
  const isHere = target.closest("#stage") && target.matches(":focus-visible");
  if (!isHere && !described) return;
  hide();
  describe(isHere ? target : null);
  if (described) timer = setTimeout(() => described?.isConnected && show(explained(described), described.getBoundingClientRect()), REST);
});
document.addEventListener("focusout", () => {
  if (!described) return;
  hide();
  describe(null);
});
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !shown) return;
    event.stopPropagation(); // only the tooltip closes
    dismissed = shown;
    hide();
  },
  true,
);

// ---- When the board changes, or moves ----

document.addEventListener("shown", () => {
  if (shown && !shown.isConnected) hide();
  if (described?.isConnected && document.activeElement === described) describe(described);
});
document.addEventListener("scroll", ({ target }) => shown && target.contains(shown) && hide(), true);
