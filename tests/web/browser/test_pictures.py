"""Pictures of all tables, wide and narrow: nothing sticks out sideways. `make pictures` keeps them and takes more."""

import os
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

import sarai
from browsing import click_something, early_moves, phase
from sarai.core.language import LANGUAGES
from sarai.web.create_table import usual_players

MOVES = {"sixnimmt": 4, "desert": 16, "camelup-2014": 5, "camelup-2018": 5, "anubixx": 8}  # of ours before the picture
SIZES = {"wide": (1280, 800), "narrow": (360, 740)}  # in the documents
SCREENS = {
    "1280x720": (1280, 720),
    "1366x657": (1366, 657),
    "1440x700": (1440, 700),
    "1024x768": (1024, 768),
    "740x360": (740, 360),
    "360x740": (360, 740),
    "200-percent": (640, 360),
}
LOOKS = {"light": ("light", "none"), "dark": ("dark", "none"), "forced": ("light", "active")}  # colours
pytestmark = pytest.mark.program


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_table_fits_wide_and_narrow(visitor, server, game, tmp_path):
    server.wait_for(game)
    page = visitor(viewport=dict(zip(("width", "height"), SIZES["wide"], strict=True)))
    page.goto("/")
    page.locator(f"#game-{game}").get_by_role("button", name="Play now against bots").click()
    expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
    rng, made, wanted = Random(3), 0, MOVES.get(game) or early_moves(game, usual_players(game), 8)
    while made < wanted and phase(page) == "playing":
        expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
        made += click_something(page, rng)
    expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
    folder = Path(os.environ.get("SARAI_PICTURES") or tmp_path)
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, f"{game} sticks out of {width} px"
        taken = page.screenshot(path=folder / f"{game}-{name}.png", full_page=name == "narrow")
        assert len(taken) > 20_000, "a table is no blank page"
        board = page.locator("#stage .board").bounding_box()
        assert board and board["x"] >= 0 and board["x"] + board["width"] <= width
        assert name != "wide" or board["y"] + board["height"] <= height, f"{game} ends below the screen"
        assert page.inner_text("#status") != "Your turn.", f"{game} does not say what is expected"
    if screens := os.environ.get("SARAI_SCREENS"):
        take_all(page, game, Path(screens))


@pytest.mark.skipif("SARAI_SCREENS" not in os.environ, reason="for people who look at them: make pictures")
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", sarai.game_ids())
def test_the_rules_fit_wide_and_narrow_in_every_language(visitor, server, game, code):
    server.wait_for(game)
    page = visitor()
    page.goto(f"/rules/{game}?lang={code}")
    page.evaluate("document.querySelectorAll('img').forEach((image) => { image.loading = 'eager' })")
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#main img").evaluate_all("(images) => Promise.all(images.map((image) => image.decode()))")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, f"{game} sticks out of {width} px"
        page.screenshot(path=Path(os.environ["SARAI_SCREENS"]) / f"rules-{game}-{code}-{width}.png", full_page=True)


def take_all(page: Page, game: str, folder: Path) -> None:
    """Take a table's picture on every screen in all colours, with something picked."""
    if page.locator("#stage .pick.open").count() and not page.locator("#stage .picked").count():
        page.locator("#stage .pick.open").first.dispatch_event("click")
    for look, (scheme, forced) in LOOKS.items():
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        for name, (width, height) in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => scrollTo(0, 0)")
            page.screenshot(path=folder / f"{game}-{name}-{look}.png")
