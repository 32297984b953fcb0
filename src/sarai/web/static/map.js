// A map that is larger than its place: it follows the last move, shows where what was picked can go, and its buttons show all of it
// or a part from near.
// Where all of it is shown small, the first tap goes near, so that no finger chooses the hex beside the one it meant.

import { store, stored } from "./local_storage.js";

const root = document.documentElement;
const KEPT = "sarai-map"; // what was chosen last, in this browser
const reducesMotion = () => root.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
let followed = ""; // the ids of what the map last moved to

// The last move, or else what the step of a lesson is about.
function pointedOut(map) {
  const fresh = [...map.querySelectorAll(map.dataset.follow)];
  const near = document.getElementById(document.querySelector("main")?.dataset.near ?? "");
  return fresh.length || !near ? fresh : [near];
}

// The rectangle around some elements, in the window.
function around(elements) {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  return { left, top, right: Math.max(...boxes.map((box) => box.right)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
}

const isWithin = (box, here) => box.left >= here.left && box.right <= here.right && box.top >= here.top && box.bottom <= here.bottom;

// Bring elements to the middle of the map unless they are in view: what a person just chose there stays where it is.
function bring(map, elements, always, behavior) {
  const here = map.getBoundingClientRect();
  const wanted = around(elements);
  if (isWithin(wanted, here) && !always) return;
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

root.classList.add("can-zoom");
root.dataset.map = stored(KEPT) === "fit" ? "fit" : "near";
showPressed();
follow("instant");

document.addEventListener("shown", () => {
  showPressed();
  follow(reducesMotion() ? "instant" : "smooth");
});

// Bring the nearest place that can be chosen into view, when something was picked and no such place can be tapped yet.
function showPlaces() {
  const map = document.querySelector("#stage [data-follow]");
  if (!map) return;
  const here = map.getBoundingClientRect();
  const middle = (box) => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const canBeTapped = (place, box) => isWithin(box, here) && place.contains(document.elementFromPoint(...middle(box)));
  const [x, y] = middle(here);
  const places = [...map.querySelectorAll(".lit")].map((place) => [place, place.getBoundingClientRect()]);
  if (!places.length || places.some(([place, box]) => canBeTapped(place, box))) return;
  const distance = ([, box]) => Math.hypot(middle(box)[0] - x, middle(box)[1] - y);
  const [place, box] = places.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  const behavior = reducesMotion() ? "instant" : "smooth";
  bring(map, [place], true, behavior);
  if (map.scrollHeight <= map.clientHeight) scrollBy({ top: bringDown(box), behavior }); // else the map itself moves up and down
}

// How far the page has to go so that a place of a high map is in view, below what stays at the top.
function bringDown(box) {
  const [top, bottom] = [innerHeight / 3, innerHeight - 8];
  return box.bottom > bottom || box.top < top ? (box.top + box.bottom) / 2 - (top + bottom) / 2 : 0;
}

document.addEventListener("picked", showPlaces);
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return; // a browser's bars came or went
  width = innerWidth;
  const map = document.querySelector("#stage [data-follow]");
  const fresh = map ? pointedOut(map) : [];
  if (fresh.length) bring(map, fresh, false, "instant");
});
function choose(size) {
  root.dataset.map = size;
  showPressed();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("#stage [data-map]");
  if (!button) return;
  choose(button.dataset.map);
  store(KEPT, button.dataset.map);
  const map = document.querySelector("#stage [data-follow]");
  const fresh = pointedOut(map);
  if (fresh.length) bring(map, fresh, true, "instant");
});

document.addEventListener(
  "click",
  (event) => {
    const picture = event.target.closest?.("#stage [data-follow] svg");
    const isSmall = root.dataset.map === "fit" && document.querySelector("#stage [data-map]")?.checkVisibility();
    const isHeld = document.getElementById("explanation")?.hidden === false; // a long press, which explains
    if (!picture || !isSmall || isHeld || event.pointerType !== "touch") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const before = picture.getBoundingClientRect();
    const [across, down] = [(event.clientX - before.x) / before.width, (event.clientY - before.y) / before.height];
    choose("near");
    const [map, after] = [picture.closest("[data-follow]"), picture.getBoundingClientRect()];
    const here = map.getBoundingClientRect();
    map.scrollBy({ left: after.x + across * after.width - here.x - here.width / 2, top: after.y + down * after.height - here.y - here.height / 2, behavior: "instant" });
  },
  true,
);
