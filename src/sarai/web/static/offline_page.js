// The script of the offline page: loads the page that was asked for as soon as the house answers again.

const PAUSE = 4000; // milliseconds between two tries
let asking = false;

async function ask() {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(PAUSE) });
    if (answer.ok) return location.reload();
  } catch {
    // not yet
  }
  asking = false;
}

addEventListener("online", ask);
document.addEventListener("visibilitychange", () => document.hidden || ask());
setInterval(() => document.hidden || ask(), PAUSE);
