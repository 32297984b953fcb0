"""What a visitor does at a table in a real browser."""

import contextlib
import time
from random import Random

from playwright.sync_api import Error, Page, expect

WHILE_PREPARING = 240_000  # milliseconds in which a cold cache is warm


def make_table(page: Page, game: str, players: int, bots: int, **options: str) -> str:
    """Make a table with the form; return its path."""
    page.goto(f"/tables/new?game={game}")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Players", exact=True).select_option(str(players))
    page.get_by_label("How many").select_option(str(bots))
    page.get_by_label("Level").select_option("random")
    for name, value in options.items():
        page.locator(f"#option-{name}").fill(value)
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator("main")).to_have_attribute("data-phase", "gathering")
    return page.url


def sit_down(page: Page, place: str, name: str) -> None:
    """Open the link of a table and sit down."""
    page.goto(place)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()


def begin(page: Page) -> None:
    page.get_by_role("button", name="Begin the game").click()
    expect(page.locator("main")).to_have_attribute("data-phase", "playing", timeout=WHILE_PREPARING)


def phase(page: Page) -> str | None:
    return page.get_attribute("main", "data-phase")


def click_something(page: Page, rng: Random) -> bool:
    """Click something that is lit, with a pick first if that is needed; say whether there was anything."""
    if phase(page) != "playing" or not page.locator("#status.yours").count():
        return False
    number = page.get_attribute("main", "data-number")
    with contextlib.suppress(Error):  # it may have gone dark meanwhile
        picks = page.locator("#stage [data-pick].open")
        if picks.count() and (rng.random() < 0.5 or not page.locator("#stage .lit").count()):
            picks.nth(rng.randrange(picks.count())).dispatch_event("click", timeout=2000)
        spots = page.locator("#stage .lit")
        if not spots.count():
            return False
        spots.nth(rng.randrange(spots.count())).dispatch_event("click", timeout=2000)
        page.wait_for_selector(f'main:not([data-number="{number}"])', timeout=5000)
    return True


def play_out(pages: list[Page], seconds: float = 300) -> None:
    """Click until the game is over on all pages."""
    until, rng = time.monotonic() + seconds, Random(1)
    while not all(phase(page) == "over" for page in pages):
        assert time.monotonic() < until, [page.inner_text("#status") for page in pages]
        clicked = [click_something(page, rng) for page in pages]
        if not any(clicked):
            time.sleep(0.05)
