"""A thing on a board explains itself to a mouse that rests, the focus, and a finger that holds it; no move is made."""

import re

import pytest
from playwright.sync_api import expect

import sarai
from in_memory_table import Sitting
from sarai.testing.boards import plain
from still_house import ServedStillHouse

THINGS = {  # a thing that lets clicks through where there are such, and a thing that can be chosen; see `things`
    "sixnimmt": (".row .cost", "#hand .lit"),
    "camelup-2014": ("#camels .camel", ".tent.lit"),
    "camelup-2018": ("#camels .crazy", ".tent.lit"),
    "desert": ("#d-water .token", "#d-piles .open"),
    "anubixx": (".x-face", ".stone:is(.lit, .open)"),
}
LONG = 700  # milliseconds that a finger holds
pytestmark = pytest.mark.program


def things(game):
    """Return selectors of a thing and of what can be chosen; of other games of whatever is explained and lit."""
    if game in THINGS:
        return THINGS[game]
    explained = ", ".join(one.selector for one in sarai.game(game).module("board").explanations(game, plain))
    return f":is({explained}):visible", ":is(.lit, .open):visible"


@pytest.fixture(scope="module")
def house():
    with ServedStillHouse() as served:
        yield served


@pytest.fixture
def table(house, chromium):
    """Open the page of a player who is to act at a new table, and look for what goes wrong."""
    pages, wrong = [], []

    def open_page(game, **more):
        sitting = Sitting(game, 3).begin()
        path = house.add(sitting, f"explain{len(house.house.sittings)}")
        page = house.visit(chromium, sitting.table.to_act[0], clock=False, reduced_motion="reduce", **more)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        pages.append(page)
        page.goto(path)
        page.wait_for_selector(f"#stage {things(game)[1]}")
        return page

    yield open_page
    for page in pages:
        page.context.close()
    assert not wrong
    assert not house.house.commands, "nothing was chosen"


def tip(page):
    return page.locator("#explanation")


def text_for(page, selector):
    """Return what the list below the board says of a thing."""
    return page.locator(f'#explanations dd[data-for="{selector}"]').text_content()


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_thing_explains_itself_to_mouse_and_keyboard(table, game):
    page, (thing, choice) = table(game), [f"#stage {selector}" for selector in things(game)]
    box = page.locator(thing).first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tip(page)).to_be_visible()
    inside = tip(page).bounding_box()
    page.mouse.move(inside["x"] + inside["width"] / 2, inside["y"] + inside["height"] / 2, steps=4)
    page.wait_for_timeout(500)  # it stays while it is pointed at
    expect(tip(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip(page)).to_be_hidden()
    page.mouse.move(1, 1)
    page.keyboard.press("Tab")  # from now on the focus is visible
    page.locator(choice).first.focus()
    described = page.locator(choice).first
    expect(described).to_have_attribute("aria-describedby", re.compile(r"\bexplanation-text$"))
    expect(tip(page)).to_be_visible()
    label, said = described.get_attribute("aria-label"), page.locator("#explanation-text").text_content()
    assert tip(page).locator("b").text_content() == label[0].upper() + label[1:]
    assert label not in said, "the label is not said twice"
    page.keyboard.press("Escape")
    expect(tip(page)).to_be_hidden()
    page.locator("#status").evaluate("() => document.activeElement.blur()")
    expect(page.locator("[aria-describedby$=explanation-text]")).to_have_count(0)


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_finger_that_holds_a_thing_is_told_what_it_is_and_chooses_nothing(table, game):
    page = table(game, viewport={"width": 360, "height": 740}, has_touch=True)
    choice = page.locator(f"#stage {things(game)[1]}").first
    choice.scroll_into_view_if_needed()
    before = choice.get_attribute("class")
    box = choice.bounding_box()
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    fingers = page.context.new_cdp_session(page)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
    page.wait_for_timeout(LONG)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(tip(page)).to_be_visible()
    inside = tip(page).bounding_box()
    assert inside["x"] >= 0 and inside["x"] + inside["width"] <= 360 and inside["y"] >= 0
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert choice.get_attribute("class") == before and page.evaluate("() => getSelection().isCollapsed")
    expect(tip(page)).to_be_visible()
    tip(page).tap()
    expect(tip(page)).to_be_hidden()


def test_the_browsers_menu_for_a_long_press_does_not_open(table):
    page = table("sixnimmt", has_touch=True)
    page.evaluate("() => addEventListener('contextmenu', (event) => (globalThis.menu = !event.defaultPrevented))")
    card = page.locator("#hand .card").first
    box = card.bounding_box()
    fingers = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 9, "y": box["y"] + 9}
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(LONG)
    card.dispatch_event("contextmenu")
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.evaluate("() => globalThis.menu") is False
    card.click(button="right")
    assert page.evaluate("() => globalThis.menu") is True, "a mouse has its menu"


def test_all_explanations_are_a_list_below_the_board_without_a_script_too(house, chromium):
    sitting = Sitting("desert", 2).begin()
    page = house.visit(chromium, 0, clock=False, java_script_enabled=False)
    page.goto(house.add(sitting, "scriptless1"))
    page.get_by_text("What is what").click()
    expect(page.locator("#explanations dd").first).to_be_visible()
    assert re.search(r"linked: 5 points", text_for(page, ".palm"))
    page.context.close()
