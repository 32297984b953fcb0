// For people who hear the page: each line of the log is told once, in order, as soon as it arrives, whatever is shown meanwhile;
// and each place of a board says what is beside it.

const main = document.querySelector("main[data-beside]");
const KEPT = 12; // lines that can be read again where they were told
let told = 0; // the number of the last line

// Lines up to this number are on the page already.
export function startTelling(number) {
  told = number;
}

export function say(text) {
  const region = document.getElementById("announcement");
  if (!region || !text) return;
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line); // a screen reader reads what is added, one line after the other
  while (region.children.length > KEPT) region.firstElementChild.remove();
}

// Lines that are sent again, because a name changed, the game ended or the connection was lost, are known by their numbers.
export function tell({ lines }) {
  const holder = document.createElement("template");
  for (const html of lines) {
    holder.innerHTML = html;
    const line = holder.content.firstElementChild;
    const number = Number(line.id.split("-")[1]);
    if (number <= told) continue;
    told = number;
    say(line.textContent);
  }
}

// ---- What is beside a place ----

// A place names those beside it by their ids (`data-beside`), perhaps with the words for what is no place (`data-edge`); what stands on
// it names the place (`data-on`), and speaks for it. Places with nothing on them (`data-bare`) are not told.
export function describePlaces() {
  const stage = document.getElementById("stage");
  if (!main?.dataset.beside || !stage?.querySelector("[data-beside]")) return;
  const standing = new Map();
  for (const thing of stage.querySelectorAll("[data-on]")) standing.set(thing.dataset.on, [...(standing.get(thing.dataset.on) ?? []), thing]);
  const things = (id) => standing.get(id) ?? [document.getElementById(id)].filter((place) => place && !("bare" in place.dataset));
  for (const place of stage.querySelectorAll("[data-beside]")) {
    const on = standing.get(place.id);
    const beside = place.dataset.beside.split(" ").flatMap(things).map((thing) => thing.getAttribute("aria-label"));
    if (place.dataset.edge) beside.push(place.dataset.edge);
    const words = beside.length ? main.dataset.beside.replace("{places}", () => beside.reduce(series)) : main.dataset.alone;
    for (const thing of on ?? [place]) if (thing.getAttribute("aria-description") !== words) thing.setAttribute("aria-description", words);
    if (on) place.removeAttribute("aria-description");
    if (on && !place.classList.contains("spot")) place.setAttribute("aria-hidden", "true");
    else place.removeAttribute("aria-hidden");
  }
}

const series = (before, last) => main.dataset.series.replace(/\{(?:first|last)\}/g, (which) => (which === "{first}" ? before : last));
