// The service worker: tells of turns while no page is open, and shows the offline page when the network is gone.
// It keeps the offline page and its files, nothing else: never a table, an answer of the interface, or a stream.

const { cache: CACHE, page: PAGE, files: FILES, icon: ICON, badge: BADGE } = {{ settings | tojson }};
const hrefs = new Set(FILES.map((path) => new URL(path, self.location.origin).href));

self.addEventListener("install", (event) => {
  // moves and streams do not wait for this worker to start
  event.addRoutes?.({ condition: { requestMode: "cors" }, source: "network" }).catch(() => null);
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...FILES]);
}

self.addEventListener("activate", (event) => event.waitUntil(tidy()));

async function tidy() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(fetchPage(event));
  else if (hrefs.has(request.url)) event.respondWith(fetchFile(request));
});

async function fetchPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

async function fetchFile(request) {
  return (await caches.match(request)) ?? fetch(request);
}

// ---- Push messages ----

const openPages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

self.addEventListener("push", (event) => event.waitUntil(tell(event.data.json())));

async function tell({ title, path, lang, dir }) {
  // who sees a page sees there whose turn it is
  if ((await openPages()).some((page) => page.visibilityState === "visible")) return;
  await self.registration.showNotification(title, { tag: path, renotify: true, lang, dir, icon: ICON, badge: BADGE, data: { path } });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showTable(event.notification.data.path));
});

async function showTable(path) {
  const { href } = new URL(path, self.location.origin);
  const page = (await openPages()).find((page) => page.url.split(/[?#]/)[0] === href);
  return page ? page.focus() : self.clients.openWindow(href);
}

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain()));

async function subscribeAgain() {
  const answer = await fetch("/api/push");
  if (!answer.ok) return;
  const options = { userVisibleOnly: true, applicationServerKey: (await answer.json()).key };
  const body = JSON.stringify(await self.registration.pushManager.subscribe(options));
  await fetch("/api/push/subscriptions", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}
