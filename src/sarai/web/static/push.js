// The part of the settings about messages while no page is open: says what is possible here, and turns them on and off.

import { keepFocus } from "./morph.js";

const section = document.getElementById("push");
const button = section.querySelector("button");
const SUBSCRIPTIONS = "/api/push/subscriptions";
let subscription = null;
let id = null; // by which the house knows the subscription

function show(state) {
  const refocus = keepFocus();
  for (const line of section.querySelectorAll("[data-state]")) line.hidden = line.dataset.state !== state;
  button.hidden = !["on", "off", "failed"].includes(state);
  button.textContent = state === "on" ? button.dataset.turnOff : button.dataset.turnOn;
  section.dataset.now = state;
  refocus();
}

async function keep() {
  const body = JSON.stringify(subscription);
  const answer = await fetch(SUBSCRIPTIONS, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!answer.ok) throw new Error((await answer.json()).reason);
  ({ id } = await answer.json());
}

async function look() {
  if (!isSecureContext) return show("insecure");
  if (!navigator.serviceWorker || !("PushManager" in window) || !("Notification" in window)) return show("unsupported");
  if (Notification.permission === "denied") return show("blocked");
  const { pushManager } = await navigator.serviceWorker.ready;
  subscription = await pushManager.getSubscription();
  if (!subscription || Notification.permission !== "granted") return show("off");
  await keep(); // the house may have dropped it, or known it as another person's
  show("on");
}

async function turnOn() {
  const { key } = await (await fetch("/api/push")).json();
  if ((await Notification.requestPermission()) !== "granted") return show(Notification.permission === "denied" ? "blocked" : "off");
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // one for another key would be in the way
  subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await keep();
  show("on");
}

async function turnOff() {
  await fetch(`${SUBSCRIPTIONS}/${id}`, { method: "DELETE" });
  await subscription.unsubscribe();
  subscription = null;
  show("off");
}

async function attempt(work) {
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch {
    show("failed");
  }
  button.removeAttribute("aria-busy");
}

button.addEventListener("click", () => button.hasAttribute("aria-busy") || attempt(section.dataset.now === "on" ? turnOff : turnOn));
attempt(look);
