// What happened, step by step, over the picture of before: the show of all games. The server says what to show and for how long.
// A step is { ms, say, do: [action, …] }; what the actions are, `core/animation.py` says.

const clock = globalThis.saraiClock ?? { now: () => performance.now(), next: (tick) => requestAnimationFrame(tick) }; // the only one: tests step it
const EDGE = 20; // pixels from the edge of a map at which something is not in view
let show = null;

// Play steps, then call `done`; `finish` comes to the end at once.
function play(steps, done) {
  finish();
  const stage = document.getElementById("stage");
  const board = stage?.querySelector(".board");
  if (!board) return done();
  const layer = make("div", `show ${board.className}`);
  layer.id = "show";
  layer.setAttribute("aria-hidden", "true");
  const caption = make("p", "by-script show-caption"); // over the status line, which speaks of the picture before
  caption.setAttribute("aria-hidden", "true");
  (document.getElementById("status") ?? layer).append(caption);
  stage.append(layer);
  reveal(board, steps);
  const length = steps.reduce((sum, { ms }) => sum + ms, 0);
  show = { steps, done, layer, caption, length, board, items: new Map(), animations: [], began: clock.now(), next: 0, at: 0 };
  tick();
}

// A map that is larger than its place shows where something happens, before it does.
function reveal(board, steps) {
  const places = steps.flatMap(({ do: actions }) => actions.flatMap(({ at, to }) => [at, to?.at(-1)])).filter(Array.isArray);
  for (const [name, x, y, width = 0, height = 0] of places) {
    const picture = board.querySelector(`#${name}`);
    const [map, grid] = [picture?.closest("[data-follow]"), picture?.getScreenCTM?.()];
    if (!map || !grid) continue;
    const here = map.getBoundingClientRect();
    const [left, top] = [grid.a * (x + width / 2) + grid.e, grid.d * (y + height / 2) + grid.f];
    if (left < here.left + EDGE || left > here.right - EDGE || top < here.top + EDGE || top > here.bottom - EDGE) map.scrollBy({ left: left - (here.left + here.right) / 2, top: top - (here.top + here.bottom) / 2, behavior: "instant" });
    return;
  }
}

function tick() {
  if (!show) return;
  const passed = clock.now() - show.began;
  while (show.next < show.steps.length && show.at <= passed) {
    const step = show.steps[show.next++];
    begin(step);
    show.at += step.ms;
  }
  for (const [animation, at] of show.animations) animation.currentTime = Math.max(0, passed - at);
  if (passed >= show.length) finish();
  else clock.next(tick);
}

function finish() {
  if (!show) return false;
  const { layer, caption, animations, done } = show;
  show = null;
  for (const [animation] of animations) animation.cancel();
  layer.remove();
  caption.remove();
  done();
  return true;
}

function begin({ ms, say, do: actions }) {
  if (say) show.caption.innerHTML = say;
  for (const last of show.layer.querySelectorAll(say ? ".show-ring, .show-panel" : ".show-ring")) last.remove();
  for (const action of actions) {
    if ("put" in action) putDown(action, ms);
    else if ("move" in action) action.move.forEach((name, index) => send(name, action, index, ms));
    else if ("hide" in action) for (const name of action.hide) hide(find(name));
    else if ("pop" in action) rise(action, ms);
    else if ("point" in action) for (const place of action.point) surround(place);
    else if ("panel" in action) showPanel(action.panel, ms);
  }
}

function make(kind, css, html) {
  const element = document.createElement(kind);
  element.className = css;
  if (html) element.innerHTML = html;
  return element;
}

// Animations stand still by themselves: their time is set by the clock.
function animate(element, frames, duration, easing = "ease-in-out") {
  const animation = element.animate(frames, { duration: Math.max(1, duration), easing, fill: "both" });
  animation.pause();
  show.animations.push([animation, show.at]);
}

// ---- Places: boxes on the layer ----

function relative({ x, y, width, height }) {
  const stage = show.layer.getBoundingClientRect();
  return { x: x - stage.x, y: y - stage.y, width, height };
}

function find(name) {
  return show.board.querySelector(`#${name}`);
}

function boxOf(place) {
  const [name, x, y, width = 0, height = 0] = [place].flat();
  const item = show.items.get(name);
  if (item) return item.box;
  const element = find(name);
  if (!element) return null;
  if (x === undefined) {
    const box = relative(element.getBoundingClientRect());
    return box.width ? box : null;
  }
  const grid = element.getScreenCTM?.();
  if (!grid) return null;
  return { ...relative({ x: grid.a * x + grid.e, y: grid.d * y + grid.f, width: grid.a * width, height: grid.d * height }), fits: width > 0 };
}

const middleOf = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

// ---- Things on the layer: put there by a step, or lifted from the board ----

function addItem(name, content, box) {
  content.classList.add("show-item");
  content.style.setProperty("width", `${box.width}px`);
  content.style.setProperty("height", `${box.height}px`);
  show.layer.append(content);
  const item = { element: content, wide: box.width, box };
  show.items.set(name, item);
  animate(content, [{ transform: shape(item, box) }, { transform: shape(item, box) }], 1);
  return item;
}

const shape = (item, { x, y, width }) => `translate(${x}px, ${y}px) scale(${width / item.wide})`;

function putDown({ put, html, at, turned }, ms) {
  const box = boxOf(at);
  if (!box) return;
  show.items.get(put)?.element.remove(); // it takes the place of what had its name
  const { element } = addItem(put, make("div", "", html), box);
  if (!turned) return animate(element, [{ opacity: 0 }, { opacity: 1 }], ms * 0.6, "ease-out");
  for (const part of element.children) animate(part, [{ rotate: "y 90deg" }, { rotate: "y 0deg" }], ms * 0.6, "ease-out"); // about its own middle
}

// Make a copy of an element of the board, which is hidden until the end.
function lift(name) {
  const original = find(name);
  const box = original && relative(original.getBoundingClientRect());
  if (!box?.width) return null;
  let copy = original.cloneNode(true);
  for (const inside of [copy, ...copy.querySelectorAll("[id], .new")]) {
    inside.removeAttribute("id");
    inside.classList.remove("new");
  }
  if (original instanceof SVGElement) {
    const { x, y, width, height } = original.getBBox();
    copy.removeAttribute("transform");
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    picture.append(copy);
    copy = make("div", "");
    copy.append(picture);
  }
  hide(original);
  return addItem(name, copy, box);
}

function hide(element) {
  if (element) animate(element, [{ opacity: 0 }, { opacity: 0 }], 1);
}

function send(name, { to, gone }, index, ms) {
  const item = show.items.get(name) ?? lift(name);
  if (!item) return;
  const frames = [{ transform: shape(item, item.box) }];
  for (const place of to) {
    let box = boxOf(place);
    if (!box) continue;
    if (!box.fits) {
      const [x, y] = middleOf(box);
      const scale = gone ? 0.45 : 1;
      const [width, height] = [item.box.width * scale, item.box.height * scale];
      box = { x: x - width / 2, y: y - height / 2, width, height };
    }
    item.box = box;
    frames.push({ transform: shape(item, box) });
  }
  animate(item.element, frames, ms * 0.9, to.length > 1 ? "linear" : "ease-in-out");
  if (gone) animate(item.element, [{ opacity: 1, offset: 0 }, { opacity: 1, offset: 0.75 }, { opacity: 0, offset: 1 }], ms * 0.95);
}

function rise({ pop, at }, ms) {
  const box = boxOf(at);
  if (!box) return;
  for (const other of show.layer.querySelectorAll(".show-pop")) if (other.dataset.at === String(at)) other.remove();
  const bubble = make("b", "show-pop");
  bubble.dataset.at = at;
  bubble.textContent = pop;
  show.layer.append(bubble);
  const [x, y] = middleOf(box);
  const place = (up) => `translate(${x}px, ${y - up}px) translate(-50%, -50%)`;
  animate(bubble, [{ transform: `${place(0)} scale(0.5)`, opacity: 0 }, { transform: place(0), opacity: 1, offset: 0.4 }, { transform: place(10), opacity: 1 }], ms);
}

function surround(place) {
  const box = boxOf(place);
  if (!box) return;
  const ring = make("div", "show-ring");
  show.layer.append(ring);
  ring.style.setProperty("width", `${box.width + 8}px`);
  ring.style.setProperty("height", `${box.height + 8}px`);
  ring.style.setProperty("transform", `translate(${box.x - 4}px, ${box.y - 4}px)`);
}

function showPanel(html, ms) {
  show.layer.querySelector(".show-panel")?.remove();
  const panel = make("div", "show-panel", html);
  show.layer.append(panel);
  animate(panel, [{ opacity: 0 }, { opacity: 1 }], Math.min(ms * 0.3, 250));
}

// The same without motion: a list of what happened.
function list(steps) {
  const place = document.getElementById("moments");
  if (!place) return;
  if (matchMedia("(min-width: 62rem)").matches) document.querySelector(".side > .log-panel")?.before(place); // in view; below the board it is not
  place.replaceChildren(...steps.filter(({ say }) => say).map(({ say }) => make("li", "", say)));
  place.hidden = !place.children.length;
}

// ---- A click or a key comes to the end, and is then a click on the newest picture; writing and moving about do not ----

const isWriting = (target) => target instanceof Element && target.matches("input, textarea, select");
addEventListener("click", finish, true);
addEventListener("keydown", (event) => !isWriting(event.target) && !["Shift", "Control", "Alt", "Meta"].includes(event.key) && finish(), true);
let wide = innerWidth;
addEventListener("resize", () => innerWidth !== wide && ((wide = innerWidth), finish())); // a phone's address bar changes the height only
document.addEventListener("visibilitychange", () => document.hidden && finish());

globalThis.moments = { play, finish, list };
