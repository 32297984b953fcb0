// The service worker shows messages of turns while no page is open, and the offline page; a table's page takes its messages away.

addEventListener("load", async () => {
  await navigator.serviceWorker?.register("/service-worker.js").catch(() => null);
  if (!document.querySelector("main[data-table]")) return;
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const message of (await registration?.getNotifications?.({ tag: location.pathname })) ?? []) message.close();
});
