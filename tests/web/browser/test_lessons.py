"""Lessons in the browser: each is played through in every language, by mouse and by keyboard, and with errors."""

import json
import os
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import sarai
from browsing import CLICKS
from sarai.core.language import LANGUAGES, find_language
from sarai.core.lessons import LEARNER, accepted, lesson_of, position_of, try_answer
from sarai.web.live.lesson_view import LessonView
from seen_texts import keep_picture

pytestmark = pytest.mark.program
SIX = sarai.game("sixnimmt")
SIZES = ((1280, 900), (360, 740), (740, 360))  # the first one is played in
MOST_TABS = 200
TAPS = {("sixnimmt", 6): "#row-1", ("desert", 1): "#d-pile-mint"}  # errors where every move that can be made is right
TABS = """(selector) => {
    const wanted = document.querySelector(selector), here = document.activeElement
    const reached = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter(
        (one) => one === wanted || one === here || one.checkVisibility({visibilityProperty: true}))
    const isBefore = (one) => one === here || one.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING
    return reached.indexOf(wanted) - reached.filter(isBefore).length
}"""
BESIDE = re.compile("^Beside it: ")
FOCUSED = "(selector) => document.activeElement.matches(selector)"


def click(page: Page, selector: str) -> None:
    page.locator(selector).first.click()


def press(page: Page, selector: str) -> None:
    """Tab to something, and press Enter."""
    page.locator(selector).first.wait_for()
    for _ in range(max(0, page.evaluate(TABS, selector))):
        page.keyboard.press("Tab")
    for _ in range(MOST_TABS):
        if page.evaluate(FOCUSED, selector):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def make_move(page: Page, move: int, act) -> None:
    """Make a move on the board, whatever has to be picked first."""
    choices = json.loads(page.get_attribute("main", "data-initial"))["choices"]
    pick, spot = next((pick, spot) for pick, spots in choices.items() for spot, to in spots.items() if to == move)
    if pick and not page.locator(f'#stage [data-pick="{pick}"].picked').count():
        act(page, f'#stage [data-pick="{pick}"]')
    act(page, f'#stage [data-spot="{spot}"]')


def do_wrong(page: Page, view: LessonView, act) -> None:
    """Make an error, and see why it is one."""
    game, step = view.game, view.step
    if tapped := TAPS.get((game.id, view.number)):
        click(page, tapped)
        expect(page.locator("#status .why")).not_to_be_empty()
        return
    if step.answers:
        wrong = next(at for at, answer in enumerate(step.answers) if not try_answer(game, step, answer).is_right)
        view.give_answer(wrong)
        act(page, f'#answers [value="{wrong}"]')
    else:
        right, legal = accepted(game, step), position_of(game, step.position).legal(LEARNER)
        if len(legal) == 1:
            return
        wrong = next((move for move in legal if move not in right), None)
        assert wrong is not None, f"{game.title}, step {view.number}: every legal move is right"
        view.make_move(wrong)
        make_move(page, wrong, act)
    expect(page.locator("#outcome.wrong > p")).to_have_text(view.reply)
    act(page, "#next")
    expect(page.locator("#outcome > p")).to_have_count(0)


def do_right(page: Page, view: LessonView, act) -> None:
    """Do what the step wants, and see that it was right."""
    game, step = view.game, view.step
    expect(page.locator("#lesson .told p")).to_have_text(view.told)
    if step.answers:
        right = next(at for at, answer in enumerate(step.answers) if try_answer(game, step, answer).is_right)
        view.give_answer(right)
        act(page, f'#answers [value="{right}"]')
    else:
        right = accepted(game, step)[0]
        view.make_move(right)
        make_move(page, right, act)
    expect(page.locator("#outcome.right > p")).to_have_text(view.reply)
    assert page.evaluate(FOCUSED, "#next"), "the way on has the focus"


def take_pictures(page: Page, folder: Path, name: str) -> None:
    """Take a step's picture, wide and on a phone: nothing sticks out sideways."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, f"{name} sticks out of {width} px"
        keep_picture(page, folder / f"{name}-{width}.png", full_page=width < SIZES[0][0])
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


WAYS = ((click, press), (press, click)) if CLICKS > 40 else ((click, press),)  # `make soak`: also the other way


@pytest.mark.parametrize(("err", "act"), WAYS)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", sarai.game_ids())
def test_every_lesson_is_played_through(visitor, server, game, code, err, act):
    """Every step has an error first, by mouse, with its reason; then what is right is done by keyboard."""
    language = find_language(code)
    page = visitor(locale=code, viewport={"width": SIZES[0][0], "height": SIZES[0][1]})
    server.wait_for(game)
    lesson = lesson_of(sarai.game(game))
    page.goto(f"/learn/{game}#lesson")
    for number in range(1, len(lesson.steps) + 1):
        expect(page.locator("main")).to_have_attribute("data-number", str(number))
        if screens := os.environ.get("SARAI_SCREENS"):
            take_pictures(page, Path(screens), f"lesson-{game}-{number}-{code}")
        do_wrong(page, LessonView(sarai.game(game), lesson, number, language), err)
        do_right(page, LessonView(sarai.game(game), lesson, number, language), act)
        if number < len(lesson.steps):
            act(page, "#next")
    expect(page.locator("button#next")).to_be_visible()


LOOK = """() => {
    const wrong = [], here = document.querySelector(".middle").getBoundingClientRect()
    for (const element of document.querySelectorAll("#stage *:not(svg *, .map *, .sr, .visually-hidden)")) {
        const box = element.getBoundingClientRect()
        const sticksOut = box.left < here.left - 1 || box.right > here.right + 1
        if (box.width && sticksOut) wrong.push(element.outerHTML.slice(0, 80))
    }
    for (const target of document.querySelectorAll("#stage :is(.lit, .open[data-pick]), #lesson :is(a, button)")) {
        const box = target.getBoundingClientRect()
        const isSmall = Math.min(box.width, box.height) < 24
        if (box.width && isSmall) wrong.push(`${box.width} x ${box.height}: ${target.outerHTML.slice(0, 80)}`)
    }
    return wrong
}"""
IN_VIEW = """(piece) => {
    const here = piece.closest(".map").getBoundingClientRect(), box = piece.getBoundingClientRect()
    return box.left >= here.left && box.right <= here.right && box.top >= here.top && box.bottom <= here.bottom
}"""


@pytest.mark.parametrize("code", ["en", "fa"])
@pytest.mark.parametrize("game", sarai.game_ids())
def test_on_a_phone_on_its_side_nothing_of_a_lesson_sticks_out_or_is_too_small_to_tap(visitor, server, game, code):
    page = visitor(locale=code, viewport={"width": 740, "height": 360})
    server.wait_for(game)
    page.goto(f"/learn/{game}/3")
    assert page.evaluate(LOOK) == []


def test_the_map_of_a_lesson_stands_at_its_place_also_when_the_phone_is_turned(visitor, server):
    server.wait_for("desert")
    page = visitor()
    for number, step in enumerate(lesson_of(sarai.game("desert")).steps, 1):
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(f"/learn/desert/{number}")
        for width, height in ((740, 360), (360, 740)):
            if step.near:
                assert page.locator(f"#{step.near}").evaluate(IN_VIEW), (number, width)
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_after_a_pick_the_map_shows_a_place_that_can_be_chosen(visitor, server, size):
    server.wait_for("desert")
    page = visitor(viewport={"width": size[0], "height": size[1]})
    page.goto("/learn/desert/2")
    page.locator("#stage .map").evaluate("(map) => map.scrollTo({left: 0, top: 0, behavior: 'instant'})")
    click(page, "#d-pile-lemon")
    shown = page.locator("#stage .hex.lit").evaluate_all(
        """(all) => all.filter((hex) => {
            const box = hex.getBoundingClientRect()
            return document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2) === hex
        }).length"""
    )
    assert shown, "one is in the window, and nothing lies over it"


def test_axe_finds_nothing_wrong_with_lessons(visitor, server):
    light, dark = visitor(), visitor(color_scheme="dark", locale="he")
    for game in map(sarai.game, sarai.game_ids()):
        server.wait_for(game.id)
        light.goto(f"/learn/{game.id}/1")
        assert problems(light) == []
        if game.id == "desert":
            expect(light.locator("#d-spot-c1")).to_have_attribute("aria-description", BESIDE)
    for path in ("/learn/sixnimmt/3?move=45", "/learn/sixnimmt/3?move=9999", "/learn/sixnimmt/2"):
        dark.goto(path)
        assert problems(dark) == []


def problems(page: Page) -> list[object]:
    """Return what axe finds wrong with a page."""
    found = Axe().run(page).response["violations"]
    return [(page.url, one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found]


def come_to_a_card(page: Page) -> None:
    """Take rows that have to be taken, until a card can be chosen."""
    while True:
        expect(page.locator("#status.yours")).to_be_visible(timeout=60_000)
        expect(page.locator("#stage .lit").first).to_be_visible()
        if page.locator("#hand .lit").count():
            return
        page.locator("#stage .row.lit").first.dispatch_event("click")
        expect(page.locator("#stage .row.lit")).to_have_count(0)


def test_a_hint_of_a_first_game_is_shown_for_three_decisions_and_then_no_more(visitor, server):
    server.wait_for("sixnimmt")
    page = visitor()
    page.goto(f"/learn/sixnimmt/6?move={accepted(SIX, lesson_of(SIX).steps[-1])[0]}")
    click(page, "#next")
    shown = page.locator("#hints li:visible")
    for cards in (10, 9, 8):
        come_to_a_card(page)
        expect(shown).to_have_text([lesson_of(SIX).hints[-1].text])
        page.locator("#hand .lit").last.dispatch_event("click")
        expect(page.locator("#hand .card:not(.chosen)")).to_have_count(cards - 1)
    come_to_a_card(page)
    expect(shown).to_have_count(0)
    page.reload()
    expect(page.locator("#hand .lit").first).to_be_visible()
    expect(shown).to_have_count(0)
