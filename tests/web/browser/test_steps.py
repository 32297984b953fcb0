"""The status line leads through a move that takes several picks, and says why something cannot be chosen."""

import re
from functools import cache
from random import Random

import pytest
from playwright.sync_api import expect

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.board import Tap
from sarai.games.camelup.board.track import CELL, CELLS
from sarai.games.desert.board.hex_map import middle
from sarai.games.desert.terrain import BOARD
from sarai.table.commands import AskEnd
from sarai.table.table import FINISHED
from sarai.web.language import find_language
from sarai.web.live.board import render, scene_of
from sarai.web.live.tap_refusals import answer_tap, impossible_meaning
from still_house import ServedStillHouse

pytestmark = pytest.mark.program

ENGLISH = find_language("en")
FIRST = 0  # the seat whose page is opened
IN_STEPS = ["desert", "camelup-2014", "camelup-2018", "anubixx"]  # games in which something is picked first
AT_ONCE = ["sixnimmt"]  # … and in which nothing is; other games are looked at
MOVES = {"desert": 30, "camelup-2014": 7, "camelup-2018": 7, "anubixx": 2, "sixnimmt": 3}
MOST = 100  # moves of another game, among which the best moment is looked for
COUNT_STEPS = """() => {
    globalThis.said = []
    const step = document.querySelector("#status .step")
    const changes = {childList: true, subtree: true, characterData: true}
    new MutationObserver(() => said.push(step.textContent)).observe(step, changes)
}"""
IS_TAPPED = """(id) => {
    const thing = document.getElementById(id)
    thing.scrollIntoView({block: "center", behavior: "instant"})
    const box = thing.getBoundingClientRect()
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("[id]") === thing
}"""
FOCUS = "() => document.activeElement.id || document.activeElement.className || document.activeElement.nodeName"


@pytest.fixture(scope="module")
def house():
    with ServedStillHouse() as served:
        yield served


@cache
def moves_before(game):
    """Moves of a game until it is the turn of the seat whose page is opened and something can be picked."""
    rng, sitting, made = Random(1), Sitting(game, 3).begin(), []
    if game not in MOVES:
        return moves_before_any(sitting, rng)
    while len(made) < MOVES[game] or not is_at_choice(sitting, game):
        made.append(move_randomly(sitting, rng))
    return made


def move_randomly(sitting, rng):
    seat = rng.choice(sitting.table.to_act)
    move = rng.choice(sitting.table.state.legal(seat))
    sitting.move(move, seat)
    return seat, move


def is_at_choice(sitting, game):
    return FIRST in sitting.table.to_act and (game not in IN_STEPS or len(board_of(sitting).picks) > 1)


def moves_before_any(sitting, rng):
    """Moves of a game that is not known here until something can be picked and something is forbidden, if ever."""
    made, before, best = [], [], None
    while sitting.table.phase != FINISHED and len(made) < MOST:
        if FIRST in sitting.table.to_act:
            found = len(board_of(sitting).picks) > 1, bool(forbidden(sitting))
            if best is None or found > best:
                before, best = list(made), found
        made.append(move_randomly(sitting, rng))
    return before


def forbidden(sitting):
    """Return what can be tapped by its id and is forbidden, and what the rules say against it."""
    table, found = sitting.table, {}
    for id in re.findall(r'\bid="([^"]+)"', board_of(sitting).whole()):
        tap = Tap([id], "")
        meaning = impossible_meaning(table.game, tap, scene_of(table, FIRST, table.to_act, ENGLISH))
        if meaning is not None and any(table.state.why_not(move, FIRST) for move in meaning.moves):
            found[id] = answer_tap(table, FIRST, tap, ENGLISH)
    return {id: said.striptags() for id, said in found.items() if said}


def board_of(sitting):
    table = sitting.table
    return render(table.game, scene_of(table, FIRST, table.to_act, ENGLISH))


class Played:
    """A table in the middle of a game, and a page of its first seat."""

    def __init__(self, house, chromium, game, seat=FIRST, **more):
        self.house, self.id = house, f"{game[:4].upper()}{len(house.house.sittings):06}"
        self.sitting = Sitting(game, 3).begin()
        for by, move in moves_before(game):
            self.sitting.move(move, by)
        self.page = house.visit(chromium, seat, reduced_motion="reduce", **more)
        self.wrong, self.path = [], house.add(self.sitting, self.id)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.goto(self.path)
        self.page.wait_for_function("document.readyState === 'complete'")
        self.board = board_of(self.sitting)
        self.status, self.why = self.page.locator("#status"), self.page.locator("#status .why")
        self.cancel, self.picked = self.page.get_by_role("button", name="Cancel"), self.page.locator("#stage .picked")

    @property
    def has_picks(self):
        return len(self.board.picks) > 1

    def pick(self):
        """Return the last thing that can be picked, and the step that follows it."""
        pick = self.board.picks[-1]
        return self.page.locator(f'#stage [data-pick="{pick.id}"]'), pick.step

    def click_at(self, picture, x, y):
        """Click a point of a picture, in its own units."""
        box = self.page.evaluate(
            """([id, x, y]) => {
                const picture = document.getElementById(id), map = picture.closest("[data-follow]")
                const at = () => new DOMPoint(x, y).matrixTransform(picture.getScreenCTM())
                map?.scrollBy({left: at().x - innerWidth / 2, top: at().y - innerHeight / 2, behavior: "instant"})
                return [at().x, at().y]
            }""",
            [picture, x, y],
        )
        self.page.mouse.click(*box)

    def close(self):
        assert self.wrong == []
        self.page.context.close()


@pytest.mark.parametrize("game", [game for game in sarai.game_ids() if game not in AT_ONCE])
def test_a_pick_says_the_next_step_and_can_be_cancelled_by_mouse_touch_and_keyboard(house, chromium, game):
    table = Played(house, chromium, game, has_touch=True)
    if not table.has_picks and game not in IN_STEPS:
        table.close()
        pytest.skip("nothing is picked first")
    page, prompt = table.page, table.board.prompt.own
    pick, step = table.pick()
    page.evaluate(COUNT_STEPS)
    expect(table.cancel).to_be_hidden()
    assert table.status.inner_text() == prompt
    for choose, back in (
        (pick.click, table.cancel.click),
        (pick.tap, table.cancel.tap),
        (lambda: pick.press("Enter"), lambda: page.keyboard.press("Escape")),
        (lambda: pick.press(" "), lambda: table.cancel.press("Enter")),
    ):
        choose()
        expect(table.picked).to_have_count(1)
        expect(pick).to_have_attribute("aria-pressed", "true")
        assert table.status.inner_text().split("\n") == [step, "Cancel"]
        assert page.locator("#stage .lit").count()
        back()
        expect(table.picked).to_have_count(0)
        expect(table.cancel).to_be_hidden()
        assert table.status.inner_text() == prompt
        assert page.evaluate(FOCUS) == pick.get_attribute("id"), "the focus goes back to where the step began"
    assert page.evaluate("() => said") == [step, ""] * 4, "each step is read out once"
    table.close()


def test_a_step_is_over_when_its_move_is_made(house, chromium):
    table = Played(house, chromium, "desert")
    pick, _ = table.pick()
    spots = table.board.choices[table.board.picks[-1].id]
    pick.click()
    table.page.locator(f'#stage [data-spot="{next(iter(spots))}"]').press("Enter")
    expect(table.page.locator("#stage .board.sending")).to_have_count(0)
    expect(table.picked).to_have_count(0)
    house.play(table.id, [(FIRST, next(iter(spots.values())))])
    table.page.wait_for_selector(f'main[data-number="{table.sitting.table.number}"]')
    expect(table.status).to_have_text(board_of(table.sitting).prompt.own)
    assert table.page.evaluate(FOCUS) != "BODY"
    table.close()


def test_a_question_from_others_leaves_a_step_as_it_is_and_does_not_read_it_out_again(house, chromium):
    table = Played(house, chromium, "desert")
    pick, step = table.pick()
    pick.click()
    table.page.evaluate(COUNT_STEPS)
    table.sitting.do(PEOPLE[1], AskEnd())
    house.play(table.id, [])
    expect(table.status.locator(".question")).to_be_visible()
    expect(table.picked).to_have_count(1)
    expect(table.status.locator(".step")).to_have_text(step)
    expect(table.cancel).to_be_visible()
    assert table.page.evaluate("() => said") == []
    table.close()


def test_a_move_to_be_confirmed_is_a_step_of_its_own_and_escape_goes_back_one(house, chromium):
    table = Played(house, chromium, "camelup-2014")
    table.page.context.add_cookies([{"name": "confirm", "value": "on", "url": house.address}])
    table.page.reload()
    pick, step = table.pick()
    pick.click()
    spot = table.page.locator("#stage .pile.lit").first
    spot.press("Enter")
    expect(table.page.locator("#stage .armed")).to_have_count(1)
    label = spot.get_attribute("aria-label")
    again = f"{label}: choose it once more to make this move."
    assert table.status.inner_text().split("\n") == [again, "Cancel"]
    table.page.keyboard.press("Escape")
    expect(table.page.locator("#stage .armed")).to_have_count(0)
    assert table.status.inner_text().split("\n") == [step, "Cancel"]
    assert table.page.evaluate(FOCUS) == spot.get_attribute("id")
    table.page.keyboard.press("Escape")
    assert table.status.inner_text() == table.board.prompt.own
    assert house.house.commands == [] or house.house.commands[-1][0] != table.id, "nothing was sent"
    table.close()


def tap_forbidden(table, game):
    """Tap something that the rules forbid; return what they say against it."""
    view = table.sitting.table.state.view(FIRST).to_json()
    if game == "desert":
        table.pick()[0].click()
        hex = next(hexes for caravans in view["caravans"] for hexes in caravans.values() if hexes)[0]
        table.click_at("d-map", *middle(BOARD.places[BOARD.names.index(hex)]))
        return f"A camel already stands on {hex}."
    if game.startswith("camelup"):
        table.page.locator("#side-0").click()
        space = next(stack["space"] for stack in view["camels"] if stack["space"] > 1)
        column, row = CELLS[space - 1]
        table.click_at("track", CELL * (column + 0.5), CELL * (row + 0.8))
        return f"Space {space} is not empty: a camel stands there."
    if game == "anubixx":
        table.page.locator("#x-s-p5-1").click()
        return "Pyramid, row 5 from below, stone 1 needs both stones under it."
    if game == "sixnimmt":
        table.page.locator("#row-1").click()
        return "Now is not the time to take a row."
    for id, said in forbidden(table.sitting).items():
        if table.page.evaluate(IS_TAPPED, id):
            table.page.locator(f"#{id}").click()
            return said
    table.close()
    pytest.skip("nothing that is forbidden is known by its id alone")


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_tap_on_what_is_forbidden_says_the_reason_of_the_rules_until_the_next_step(house, chromium, game):
    table = Played(house, chromium, game)
    said = tap_forbidden(table, game)
    expect(table.why).to_have_text(said)
    assert table.status.inner_text().startswith(said), "it stands in the place of what is asked for"
    if table.has_picks or game in IN_STEPS:
        table.pick()[0].click()
        expect(table.why).to_be_empty()
    house.play(table.id, [(FIRST, table.sitting.table.state.legal(FIRST)[0])])
    table.page.wait_for_selector(f'main[data-number="{table.sitting.table.number}"]')
    expect(table.why).to_be_empty()
    assert all(command[0] != table.id for command in house.house.commands), "nothing was sent"
    table.close()


FORBIDDEN = {  # where the keyboard begins, where it goes, and what the rules say there
    "sixnimmt": (".card.lit", "ArrowUp", "row-", "Now is not the time to take a row."),
    "anubixx": ("[id^=x-s-p1]:is(.lit, .open)", "ArrowUp", "x-s-p2-", "needs both stones under it."),
}


@pytest.mark.parametrize("game", FORBIDDEN)
def test_the_keyboard_reaches_what_is_forbidden_with_shift_and_asks_with_enter(house, chromium, game):
    table = Played(house, chromium, game)
    start, key, where, said = FORBIDDEN[game]
    table.page.locator(f"#stage {start}").first.focus()
    for _ in range(6):
        table.page.keyboard.press(f"Shift+{key}")
        if table.page.evaluate(FOCUS).startswith(where):
            break
    assert table.page.evaluate(FOCUS).startswith(where)
    table.page.keyboard.press("Enter")
    expect(table.why).to_contain_text(said)
    assert table.page.evaluate(FOCUS).startswith(where)
    table.page.keyboard.press("ArrowDown")
    assert table.page.evaluate("() => document.activeElement.matches('.lit, .open')"), "without it, what can be chosen"
    table.close()


def test_whoever_is_not_to_act_is_told_for_whom_the_table_waits(house, chromium):
    table = Played(house, chromium, "desert", seat=1)
    table.click_at("d-map", *middle(BOARD.places[40]))
    expect(table.why).to_have_text("It is not your turn: waiting for Ada.")
    table.close()


def test_watchers_and_finished_games_are_told_nothing(house, chromium):
    asked = []
    table = Played(house, chromium, "sixnimmt", seat=None)
    table.page.on("response", lambda answer: asked.append(answer.status) if "/why" in answer.url else None)
    with table.page.expect_response("**/why?*"):
        table.page.locator("#row-1").click()
    assert asked == [204]
    table.close()
    over = Played(house, chromium, "sixnimmt")
    over.page.on("request", lambda request: asked.append(request.url) if "/why" in request.url else None)
    over.sitting.play()
    assert over.sitting.table.phase == FINISHED
    over.page.reload()
    over.page.locator("#row-1").click()
    over.page.locator("#row-2").press("Enter")
    assert asked == [204] and over.status.inner_text().startswith("The game is over.")
    over.close()
