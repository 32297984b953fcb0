"""The rules at a table: a panel at the section that matters; without script a link to that place of the page."""

import pytest
from playwright.sync_api import expect

from in_memory_table import Sitting
from still_house import ServedStillHouse

SEEN = """(images) => Promise.all(images.map(async (image) => {
    image.loading = "eager"; await image.decode(); return image.naturalWidth }))"""
pytestmark = pytest.mark.program


@pytest.fixture(scope="module")
def house():
    with ServedStillHouse() as served:
        yield served


def open_table(house, chromium, game, **more):
    sitting = Sitting(game, 3).begin()
    path = house.add(sitting, f"rules{len(house.house.sittings)}")
    page = house.visit(chromium, sitting.table.to_act[0], clock=False, reduced_motion="reduce", **more)
    page.goto(path)
    return page


@pytest.mark.parametrize("width", [1280, 360])
def test_the_panel_opens_at_the_section_that_matters_and_gives_the_focus_back(house, chromium, width):
    page = open_table(house, chromium, "camelup-2014", viewport={"width": width, "height": 740})
    wrong, fetched = [], []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url) if request.url.endswith("/panel") else None)
    place, link, panel = page.url, page.locator("#rules-link"), page.locator("#rules-panel")
    link.focus()
    page.keyboard.press("Enter")
    expect(panel).to_be_visible()
    expect(page.locator("#rule-turn")).to_be_focused()
    expect(page.locator("#rule-turn")).to_be_in_viewport()
    box = panel.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["height"] <= 740
    assert page.evaluate(
        "document.getElementById('rules-text').scrollWidth <= document.getElementById('rules-text').clientWidth"
    )
    page.locator("#rules-text .contents a[href='#rule-end']").click()
    expect(page.locator("#rule-end")).to_be_in_viewport()
    expect(page.locator("#rule-end")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(link).to_be_focused()
    page.locator("[data-pick^='side-']").first.click()  # the tile
    link.click()
    expect(page.locator("#rule-tile")).to_be_focused()
    page.locator("#rules-close").click()
    expect(panel).to_be_hidden()
    assert page.url == place and len(fetched) == 1 and not wrong
    assert not house.house.commands, "nothing was chosen"
    page.context.close()


def test_without_script_the_link_leads_to_the_place_on_the_rules_page(house, chromium):
    page = open_table(house, chromium, "sixnimmt", java_script_enabled=False)
    page.locator("#rules-link").click()
    page.wait_for_url("**/rules/sixnimmt#rule-trick")
    expect(page.locator("#rule-trick")).to_be_in_viewport()
    page.context.close()


@pytest.mark.parametrize(("code", "width"), [("fa", 360), ("he", 1280), ("el", 360)])
def test_the_page_fits_in_every_language_and_shows_its_pictures(house, chromium, code, width):
    page = house.visit(chromium, None, clock=False, viewport={"width": width, "height": 740})
    page.goto(f"/rules/anubixx?lang={code}")
    widths = page.locator("#main img").evaluate_all(SEEN)
    assert len(widths) > 4 and min(widths) > 50
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()
