// Makes one element like another, keeping what stays the same, so that focus and animations survive.

// What an element is kept by: its id, or what its form asks for. Without it another button could take a focused one's place.
function keyOf(node) {
  if (node.id) return node.id;
  if (!node.dataset?.live) return "";
  const fields = [...node.querySelectorAll("input[type=hidden]")].map((field) => `${field.name}=${field.value}`);
  return `${node.dataset.live} ${fields.filter((field) => !field.startsWith("number=")).join(" ")}`;
}

// Chromium's `moveBefore` keeps focus and animations of what it moves; elsewhere `keepFocus` brings the focus back.
function move(parent, node, place) {
  if (parent.moveBefore) parent.moveBefore(node, place);
  else parent.insertBefore(node, place);
}

// What the page's script put there is not in what the server sends, and stays.
const isOurs = (node) => node.nodeType === Node.ELEMENT_NODE && node.classList.contains("by-script");

function skipOurs(node) {
  while (node && isOurs(node)) node = node.nextSibling;
  return node;
}

export function morph(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const wantedKeys = new Set([...fresh.children].map(keyOf));
  const kept = new Map();
  for (const child of [...old.children]) {
    const key = keyOf(child);
    if (!key) continue;
    if (wantedKeys.has(key)) kept.set(key, child);
    else child.remove(); // first, so that what comes after it need not be moved
  }
  let place = skipOurs(old.firstChild);
  for (const wanted of [...fresh.childNodes]) {
    const key = keyOf(wanted);
    const twin = key && kept.get(key);
    if (twin && twin.nodeName === wanted.nodeName) {
      kept.delete(key);
      if (twin === place) place = skipOurs(place.nextSibling);
      else move(old, twin, place);
      morph(twin, wanted);
    } else if (place && !key && !keyOf(place) && place.nodeType === wanted.nodeType && place.nodeName === wanted.nodeName) {
      if (place.nodeType === Node.ELEMENT_NODE) morph(place, wanted);
      else if (place.data !== wanted.data) place.data = wanted.data;
      place = skipOurs(place.nextSibling);
    } else {
      old.insertBefore(wanted, place);
    }
  }
  while (place) {
    const next = skipOurs(place.nextSibling);
    place.remove();
    place = next;
  }
}

export function parse(html, like) {
  const holder = document.createElement("template");
  const inSvg = like instanceof SVGElement && like.nodeName !== "svg";
  holder.innerHTML = inSvg ? `<svg>${html}</svg>` : html;
  return inSvg ? holder.content.firstElementChild.firstElementChild : holder.content.firstElementChild;
}

// ---- Focus: whoever uses the keyboard or a screen reader must not be sent back to the beginning of the page ----

const FOCUSABLE = "[tabindex], a[href], button, input, select, textarea, summary";
const isShown = (element) => element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.disabled;

// Who is offered the focus when an element is gone: one that took its place, then what is around it; within the board that is the board.
function* successors(id, form, around) {
  if (id) yield document.getElementById(id);
  if (form) for (const other of document.forms) if (keyOf(other) === form) yield other.querySelector("button, input:not([type=hidden])");
  for (const parent of around) {
    if (parent.nodeName === "DETAILS") yield parent.querySelector("summary");
    else if (parent.id) yield document.getElementById(parent.id);
  }
}

function giveFocus(element) {
  if (!element || !isShown(element)) return false;
  if (!element.matches(FOCUSABLE)) element.setAttribute("tabindex", "-1");
  if (document.activeElement !== element) element.focus({ preventScroll: true });
  return document.activeElement === element;
}

// Remember where the focus is; call what is returned after a change.
export function keepFocus() {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return () => {};
  const around = [];
  for (let parent = focused.parentElement; parent && parent !== document.body; parent = parent.parentElement) around.push(parent);
  const stage = around.findIndex((parent) => parent.id === "stage");
  if (stage > 0) around.splice(0, stage);
  const form = focused.form && keyOf(focused.form);
  return () => {
    if (giveFocus(focused)) return;
    for (const next of successors(focused.id, form, around)) if (giveFocus(next)) return;
  };
}
