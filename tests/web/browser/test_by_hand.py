"""Games played as people do: with a mouse, by touch on a small phone upright and on its side, and by keyboard."""

from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

import sarai
from browsing import CLICKS, lay_table, phase

pytestmark = pytest.mark.program

WAYS = {  # how a game is played, on a screen of which size
    "mouse": (1280, 720),
    "touch": (360, 740),
    "touch on its side": (740, 360),
    "keyboard": (1280, 720),
}
MOVES = 4  # in each way before the next one takes over; 6 nimmt! is played for a round in each
WHOLE = CLICKS > 1000  # `make soak`: a game in each way, to its end
PICKS, LIT = "#stage [data-pick].open:not(.picked)", "#stage .lit:not([data-spot=stop])"

TO_WAIT = """() => {
    const now = performance.now(), left = (window.tapped ?? -1000) + 600 - now
    window.tapped = now + Math.max(0, left)
    return Math.max(0, left)
}"""
READY = """() => document.querySelector('main[data-phase="over"]') ||
    (document.querySelector("#status.yours") && document.querySelector("#stage :is(.lit, .pick.open)"))"""


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_game_is_played_by_mouse_touch_and_keyboard(visitor, server, game):
    server.wait_for(game)
    page, rng, place = visitor(has_touch=True), Random(5), ""
    for way, (width, height) in WAYS.items():
        if way == "keyboard" and game == "sixnimmt" and not WHOLE:
            continue  # `test_table.py` plays such a round
        page.set_viewport_size({"width": width, "height": height})
        is_whole = WHOLE or game == "sixnimmt"
        if is_whole or not place:
            options = {"rounds": 1} if game == "sixnimmt" else {}
            place = lay_table([page], ["Ann"], game, ["random", "random"], **options)
            page.goto(place)
        page.evaluate("() => scrollTo(0, 0)")
        made = 0
        while phase(page) == "playing" and (is_whole or made < MOVES):
            made += play(page, way, rng)
        assert made >= MOVES or phase(page) == "over"
        if is_whole:
            page.locator("#result-title").scroll_into_view_if_needed()
            expect(page.locator("#result-title")).to_be_in_viewport()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def play(page: Page, way: str, rng: Random) -> bool:
    """Make a move if it is the visitor's turn; say whether."""
    page.wait_for_function(READY)
    if phase(page) == "over":
        return False
    number = page.get_attribute("main", "data-number")
    picks = page.locator(PICKS)
    if picks.count() and (not page.locator(LIT).count() or rng.random() < 0.5):
        choose(page, way, PICKS, rng)
        expect(page.locator("#stage .picked")).to_have_count(1)
    choose(page, way, LIT if page.locator(LIT).count() else "#stage .lit", rng)
    page.wait_for_selector(f'main:not([data-number="{number}"]) #stage .board:not(.sending)')
    if way == "touch on its side" and phase(page) == "playing":
        assert page.evaluate("() => scrollY") == 0, "all that is needed is in view"
    return True


def choose(page: Page, way: str, kind: str, rng: Random) -> None:
    """Choose something of a kind with the hand's own means: the browser decides what is hit."""
    if way == "keyboard":
        walk_to(page, kind, rng)
        page.keyboard.press("Enter")
        return
    found: Locator = page.locator(kind)
    one = found.nth(int(rng.random() * found.count()))
    if way == "mouse":
        one.click()
    else:
        page.wait_for_timeout(page.evaluate(TO_WAIT))  # for a browser faster taps at one place are a double tap
        one.tap()


def walk_to(page: Page, kind: str, rng: Random) -> None:
    """Bring the focus to something of a kind: by Tab, and then by an arrow key if that leads on."""
    is_there = "(kind) => document.activeElement.matches(kind)"
    for _ in range(200):
        if page.evaluate(is_there, kind):
            break
        page.keyboard.press("Tab")
    page.keyboard.press(rng.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
    while not page.evaluate(is_there, kind):
        page.keyboard.press("Tab")
