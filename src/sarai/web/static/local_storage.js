// A choice that is kept in this browser.

export function stored(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // where nothing may be stored, the choice lasts as long as the page
  }
}

export function store(name, choice) {
  try {
    localStorage.setItem(name, choice);
  } catch {}
}
