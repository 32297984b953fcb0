"""Pictures of a table of each game, wide and narrow: nothing sticks out. `make pictures` keeps them in docs/."""

import os
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

import sarai
from browsing import click_something, phase

MOVES = {"sixnimmt": 4, "desert": 16}  # of ours before the picture is taken
SIZES = {"wide": (1280, 800), "narrow": (360, 740)}
pytestmark = pytest.mark.program


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_table_fits_wide_and_narrow(visitor, server, game, tmp_path):
    server.wait_for(game)
    page = visitor(viewport=dict(zip(("width", "height"), SIZES["wide"], strict=True)))
    page.goto("/")
    page.locator(f"#game-{game}").get_by_role("button", name="Play now against bots").click()
    expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
    rng, made = Random(3), 0
    while made < MOVES.get(game, 8) and phase(page) == "playing":
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
