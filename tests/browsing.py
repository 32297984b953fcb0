"""What a visitor does at the tables of the house, in a real browser."""

import contextlib
import os
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from playwright.sync_api import Error, Page, expect

import sarai
from sarai.core.random_play import play_randomly

CLICKS = int(os.environ.get("SARAI_CLICKS", "40"))  # in a game, before bots play it to its end
WHILE_PREPARING = 240_000  # milliseconds in which a cold cache is warm


def make_table(page: Page, game: str, players: int, bots: int, level: str = "random", **options: str) -> str:
    """Lay a table with the form; return its path."""
    page.goto(f"/tables/new?game={game}")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Players", exact=True).select_option(str(players))
    page.get_by_label("How many").select_option(str(bots))
    page.get_by_label("Level").select_option(level)
    for name, value in options.items():
        page.locator(f"#option-{name}").fill(value)
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator("main")).to_have_attribute("data-phase", "gathering")
    return page.url


def lay_table(
    pages: list[Page], names: Sequence[str], game: str, bots: Sequence[str] = (), **options: str | int
) -> str:
    """Lay a table by the API for visitors, with bots on the other seats, and begin; return its path."""
    place = ""
    for page, name in zip(pages, names, strict=True):
        ask(page, "/api/me", {"name": name})
        if place:
            act(page, place, "Sit")
        else:
            players = len(pages) + len(bots)
            wanted = {"game": game, "players": players, "bots": list(bots), "options": options}
            place = f"/tables/{ask(page, '/api/tables', wanted)['id']}"
    act(pages[0], place, "Start")
    return place


def act(page: Page, place: str, command: str, **fields: object) -> None:
    """Send a command to a table by the API."""
    ask(page, f"/api{place}/act", {"command": {"type": command, **fields}})


def ask(page: Page, path: str, body: object) -> Any:
    """Post something by the API with a visitor's cookie, also before a page is open."""
    answer = page.request.post(path, data=body)
    assert answer.ok, answer.text()
    return answer.json()


def sit_down(page: Page, place: str, name: str) -> None:
    """Come by the link and sit."""
    page.goto(place)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


def begin(page: Page) -> None:
    page.get_by_role("button", name="Begin the game").click()
    expect(page.locator("main")).to_have_attribute("data-phase", "playing", timeout=WHILE_PREPARING)


def phase(page: Page) -> str | None:
    return page.get_attribute("main", "data-phase")


CLICK = """([which, first]) => new Promise((done) => {
    const all = (found) => [...document.querySelectorAll(found)], number = () => all("main")[0].dataset.number
    const click = (some) => some[Math.floor(which * some.length)].dispatchEvent(
        new MouseEvent("click", {bubbles: true, cancelable: true, composed: true}))
    if (!all('main[data-phase="playing"] #status.yours').length) return done(false)
    const before = number(), picks = all("#stage [data-pick].open")
    if (picks.length && (first || !all("#stage .lit").length)) click(picks)
    const lit = all("#stage .lit:not([data-spot=stop])")
    if (!lit.length) lit.push(...all("#stage .lit"))
    if (!lit.length) return done(false)
    new MutationObserver((_, observer) => {
        if (number() !== before) { observer.disconnect(); done(true) }
    }).observe(document, {subtree: true, attributeFilter: ["data-number"]})
    setTimeout(done, 5000, true)
    click(lit)
})"""


def click_something(page: Page, rng: Random) -> bool:
    """Click something that is lit, choosing what to begin with if that is needed; say whether there was anything.

    Whoever may go on does not stop: games come to their end sooner.
    """
    with contextlib.suppress(Error):  # the page may be another one meanwhile
        return bool(page.evaluate(CLICK, [rng.random(), rng.random() < 0.5]))
    return True


def early_moves(game: str, players: int, most: int) -> int:
    """Return how many moves of one's own a game is sure to last: half of those of a short one, at most so many."""
    records = [play_randomly(sarai.game(game), players, seed=seed) for seed in range(5)]
    return min(most, *(sum(seat == 0 for seat, _ in record.moves) // 2 for record in records))


def play_out(pages: list[Page], seconds: float = 300) -> None:
    """Click until the game is over for everybody; after a number of clicks bots play on, and people come back then."""
    until, rng, clicks = time.monotonic() + seconds, Random(1), 0
    while not all(phase(page) == "over" for page in pages) and clicks < CLICKS:
        assert time.monotonic() < until, [page.inner_text("#status") for page in pages]
        clicked = sum(click_something(page, rng) for page in pages)
        clicks += clicked
        if not clicked:
            time.sleep(0.05)
    if clicks >= CLICKS:
        leave_to_bots(pages, until)


def leave_to_bots(pages: list[Page], until: float) -> None:
    """Let bots play for everybody; look at the table again when the game is over."""
    place = pages[0].url
    for page in pages:
        to_bot = page.get_by_role("button", name="Bot for me")
        to_bot.evaluate_all("(found) => found[0]?.click()")  # none if the game has just ended
        over = page.locator('main[data-phase="over"]')  # with bots at all seats it may be that at once
        expect(page.get_by_role("button", name="Play myself").or_(over).first).to_be_visible()
        page.goto("about:blank")
    while pages[0].request.get(place.replace("/tables/", "/api/tables/")).json()["phase"] != "over":
        assert time.monotonic() < until
        time.sleep(0.2)
    for page in pages:
        page.goto(place)
