// A map that is larger than its place: it follows the last move, and its buttons show all of it or a part from near.

const root = document.documentElement;
const KEPT = "sarai-map"; // what was chosen last, in this browser
const reducesMotion = () => root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
let followed = ""; // the ids of what the map last moved to

function pointedOut(map) {
  return [...map.querySelectorAll(map.dataset.follow)];
}

// The rectangle around some elements, in the window.
function around(elements) {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  return { left, top, right: Math.max(...boxes.map((box) => box.right)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
}

// Bring elements to the middle of the map unless they are in view: what a person just chose there stays where it is.
function bring(map, elements, always, behavior) {
  const here = map.getBoundingClientRect();
  const wanted = around(elements);
  const isInView = wanted.left >= here.left && wanted.right <= here.right && wanted.top >= here.top && wanted.bottom <= here.bottom;
  if (isInView && !always) return;
  map.scrollBy({ left: (wanted.left + wanted.right - here.left - here.right) / 2, top: (wanted.top + wanted.bottom - here.top - here.bottom) / 2, behavior });
}

function follow(behavior) {
  const map = document.querySelector("#stage [data-follow]");
  if (!map) return;
  const fresh = pointedOut(map);
  const ids = fresh.map((piece) => piece.id).join(" ");
  if (ids && ids !== followed) bring(map, fresh, false, behavior);
  followed = ids;
}

function showPressed() {
  for (const button of document.querySelectorAll("#stage [data-map]")) button.setAttribute("aria-pressed", String(button.dataset.map === root.dataset.map));
}

function stored() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // where nothing may be stored, the choice lasts as long as the page
  }
}

function store(choice) {
  try {
    localStorage.setItem(KEPT, choice);
  } catch {}
}

root.classList.add("can-zoom");
root.dataset.map = stored() === "fit" ? "fit" : "near";
showPressed();
follow("instant");

document.addEventListener("shown", () => {
  showPressed();
  follow(reducesMotion() ? "instant" : "smooth");
});
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return; // a browser's bars came or went
  width = innerWidth;
  const map = document.querySelector("#stage [data-follow]");
  const fresh = map ? pointedOut(map) : [];
  if (fresh.length) bring(map, fresh, false, "instant");
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("#stage [data-map]");
  if (!button) return;
  root.dataset.map = button.dataset.map;
  store(button.dataset.map);
  showPressed();
  const map = document.querySelector("#stage [data-follow]");
  const fresh = pointedOut(map);
  if (fresh.length) bring(map, fresh, true, "instant");
});
