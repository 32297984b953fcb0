"""axe finds nothing wrong with any page: in every language by day, in one by night, targets of 24 pixels included."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import sarai
from browsing import make_table
from in_memory_table import Sitting
from sarai.core.language import offered_languages
from still_house import ServedStillHouse

pytestmark = pytest.mark.program

SCHEMES = [*((code, "light") for code in offered_languages()), ("en", "dark")]
OPTIONS = {"rules": {"target-size": {"enabled": True}}, "resultTypes": ["violations"]}
PAGES = (
    "/",
    "/tables/new?game=sixnimmt",
    "/mine",
    "/rules",
    *(f"/rules/{id}" for id in sarai.game_ids()),
    "/about",
    "/me",
    "/settings",
    "/offline",
    "/no-such-page",
)


def problems(page: Page) -> list[object]:
    """Return what axe finds wrong with a page."""
    return [
        (page.url, found["id"], [node["html"][:160] for node in found["nodes"][:3]])
        for found in Axe().run(page, options=OPTIONS).response["violations"]
    ]


@pytest.fixture(scope="module")
def house():
    with ServedStillHouse() as served:
        yield served


@pytest.mark.parametrize(("code", "scheme"), SCHEMES)
def test_axe_finds_nothing_wrong_around_the_tables(visitor, code, scheme):
    page, found = visitor(color_scheme=scheme, viewport={"width": 1000, "height": 800}), []
    if scheme == "dark":
        make_table(page, "sixnimmt", 2, 1, rounds="1")
        found += problems(page)
    page.goto(f"/?lang={code}")
    for path in PAGES if code == "en" else (*PAGES[:4], f"/rules/{sarai.game_ids()[-1]}", *PAGES[-5:-1]):
        page.goto(path)
        assert page.get_attribute("html", "lang") == code
        found += problems(page)
    assert found == []


@pytest.mark.parametrize("game", sarai.game_ids())
def test_axe_finds_nothing_wrong_at_a_table(house, chromium, game):
    found = []
    sitting = Sitting(game, 3).begin().play(6)
    path = house.add(sitting, f"axe-{game}")
    for at, (code, scheme) in enumerate(SCHEMES):
        wide = {"width": 360, "height": 740} if at % 2 else {"width": 1280, "height": 800}
        page = house.visit(
            chromium, sitting.table.to_act[0], clock=False, reduced_motion="reduce", color_scheme=scheme, viewport=wide
        )
        page.goto(f"{path}?lang={code}")
        expect(page.locator("#status.yours")).to_be_visible()
        if page.locator("#stage .pick.open").count():
            page.locator("#stage .pick.open").first.dispatch_event("click")
        if at == 0:
            page.get_by_role("button", name="keys").click()
            found += problems(page)
            page.keyboard.press("Escape")
        found += problems(page)
        page.context.close()
    assert found == []


def test_axe_finds_nothing_wrong_after_a_game(house, chromium):
    path = house.add(Sitting("sixnimmt", 3, {"rounds": 1}).begin().play(), "axe-over")
    page = house.visit(chromium, 0, clock=False, reduced_motion="reduce")
    page.goto(path)
    expect(page.locator("#result")).to_be_visible()
    assert problems(page) == []
    page.context.close()
