"""The table for people who hear it: games are played by names and roles, each event is told once, keys do all."""

import asyncio
import re
from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

import sarai
from in_memory_table import PEOPLE, Sitting
from sarai.core.language import ENGLISH, find_language
from sarai.games.camelup.state import PYRAMID
from sarai.table import commands
from sarai.table.table import FINISHED
from sarai.web.create_table import usual_players
from sarai.web.live import event_log
from sarai.web.live.event_log import EventLog
from still_house import ServedStillHouse

pytestmark = pytest.mark.program

LISTEN = """globalThis.told = []
document.addEventListener("DOMContentLoaded", () => {
    const region = document.getElementById("announcement")
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) told.push(node.textContent)
    }).observe(region, { childList: true, subtree: true, characterData: true })
})"""
BUTTON = re.compile(r"""- (')?button "((?:[^"\\]|\\.)*)"(?! \[disabled\])""")
SETTLED = "(number) => document.querySelector('main').dataset.number === number"


@pytest.fixture(scope="module")
def house():
    with ServedStillHouse() as served:
        served.house.obeys = True
        yield served


class Heard:
    """A person of a table who only hears its page."""

    def __init__(self, house, browser, sitting, id, seat=0, **more):
        self.house, self.sitting, self.id, self.seat = house, sitting, id, seat
        path = house.add(sitting, id)
        before = set(house.house.watches)
        self.page: Page = house.visit(browser, seat, **{"clock": False, "reduced_motion": "reduce", **more})
        self.page.add_init_script(LISTEN)
        self.page.goto(path)
        while not (new := house.house.watches - before) or any(news.is_set() for news in new):
            self.page.wait_for_timeout(10)
        self.first = sitting.table.number

    @property
    def board(self):
        return self.page.get_by_role("group", name="On the table")

    def can_choose(self):
        """Return the names of the buttons on the board that can be used."""
        found = BUTTON.findall(self.board.aria_snapshot())
        return [(name.replace("''", "'") if quote else name).replace('\\"', '"') for quote, name in found]

    def choose(self, name):
        self.board.get_by_role("button", name=name, exact=True).first.press("Enter")

    def settle(self):
        self.page.wait_for_function(SETTLED, arg=str(self.sitting.table.number))

    def told(self):
        return self.page.evaluate("() => told")

    def lines(self):
        """Return what the log says of what happened since the page was opened."""
        log = EventLog(self.sitting.table, self.seat, find_language(ENGLISH))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(event_log, "KEPT", 100_000)
            log.update(self.sitting.table)
        numbered = [(int(re.match(r'<li id="log-(\d+)"', line)[1]), line.striptags()) for line in log.lines]
        return [words(line) for number, line in numbered if number > self.first]


def words(text):
    return " ".join(text.replace("\u2068", "").replace("\u2069", "").split())


def quick_move(table, seat, rng):
    """Return a move by which games end soon: camels run, and one pile of the desert is used up."""
    moves = table.state.legal(seat)
    if table.game.folder.name == "camelup" and PYRAMID in moves:
        return PYRAMID
    return moves[0] if table.game.id == "desert" else rng.choice(moves)


def others_play(heard, rng):
    """Let all others play until it is the listener's turn, or the game is over; sometimes the page sees it at once."""
    table, sitting, wakes = heard.sitting.table, heard.sitting, rng.random() < 0.3

    async def go():
        while table.phase != FINISHED and heard.seat not in table.to_act:
            seat = rng.choice(table.to_act)
            sitting.move(quick_move(table, seat, rng), seat)
            if wakes:
                heard.house.house.wake()
                await asyncio.sleep(0)
        heard.house.house.wake()

    asyncio.run_coroutine_threadsafe(go(), heard.house.loop).result(60)


PLAYERS = {  # many: the own moves are few; of other games the usual number
    "sixnimmt": 3,
    "camelup-2014": 8,
    "camelup-2018": 8,
    "desert": 5,
    "anubixx": 5,
}
STOPPING = ("Mark nothing", "Stop")  # whoever may go on does: games come to their end sooner


def make_a_move(heard, rng):
    """Choose something, and what can be chosen after it, until a move is made."""
    table, number, before = heard.sitting.table, heard.sitting.table.number, set()
    for _ in range(4):
        names = heard.can_choose()
        new = [name for name in names if name not in before and name not in STOPPING] or names
        assert new, heard.board.aria_snapshot()
        heard.choose(rng.choice(new))
        before.update(names)
        heard.page.wait_for_function("() => !document.querySelector('#stage .board.sending')")
        if table.number != number:
            return
    raise AssertionError(f"no move was made by {sorted(before)}")


@pytest.mark.parametrize("game", sarai.game_ids())
def test_a_whole_game_by_names_and_roles_in_which_each_event_is_told_once(house, chromium, game):
    rng, options = Random(7), {"rounds": 1} if game == "sixnimmt" else {}
    players = PLAYERS.get(game) or usual_players(game)
    heard = Heard(house, chromium, Sitting(game, players, options).begin(), f"heard-{game}")
    table, moves = heard.sitting.table, 0
    others_play(heard, rng)
    while table.phase != FINISHED:
        heard.settle()
        make_a_move(heard, rng)
        others_play(heard, rng)
        moves += 1
    heard.settle()
    expect(heard.page.locator("#status")).to_contain_text("The game is over.")
    assert moves > 2 and [words(text) for text in heard.told()] == heard.lines()
    heard.page.context.close()


def test_what_happens_is_told_at_once_while_a_show_goes_on(house, chromium):
    rng = Random(2)
    heard = Heard(
        house, chromium, Sitting("sixnimmt", 2).begin(), "heard-show", clock=True, reduced_motion="no-preference"
    )
    table = heard.sitting.table
    for seat in (0, 1):
        house.play(heard.id, [(seat, rng.choice(table.state.legal(seat)))])
    heard.page.wait_for_selector("#show")  # the clock of the page stands still: so does the show
    house.play(heard.id, [(1, table.state.legal(1)[0])] if 1 in table.to_act and 0 not in table.to_act[:1] else [])
    heard.page.wait_for_function("(count) => told.length >= count", arg=len(heard.lines()))
    assert heard.page.locator("#show").count() == 1 and [words(text) for text in heard.told()] == heard.lines()
    heard.page.context.close()


def test_lines_that_are_sent_again_are_not_told_again(house, chromium):
    heard = Heard(house, chromium, Sitting("camelup-2014", 3).begin(), "heard-again")
    table = heard.sitting.table
    first = table.to_act[0]
    house.play(heard.id, [(first, PYRAMID)])
    heard.settle()
    count = len(heard.told())

    def rename():
        heard.sitting.do(replace(PEOPLE[first], name="Beatrice"), commands.UseName())
        house.house.wake()

    house.loop.call_soon_threadsafe(rename)
    expect(heard.page.locator("#players")).to_contain_text("Beatrice")  # all lines were sent anew
    house.play(heard.id, [(table.to_act[0], PYRAMID)])
    heard.settle()
    assert count and [words(text) for text in heard.told()][count:] == heard.lines()[count:]
    heard.page.context.close()


# --- places ----------------------------------------------------------------------------------------------------------


def told_places(page):
    """Return the descriptions of all things on the board by their names, as a screen reader gets them."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return {
        node["name"]["value"]: node.get("description", {}).get("value", "")
        for node in nodes
        if node["role"]["value"] in ("image", "button") and not node["ignored"]
    }


def test_each_hex_says_what_is_on_it_and_beside_it(house, chromium):
    heard = Heard(house, chromium, Sitting("desert", 3).begin(), "heard-hexes")
    table, rng = heard.sitting.table, Random(1)
    while table.state.view(0).to_json()["phase"] == "leaders":
        house.play(heard.id, [(table.to_act[0], rng.choice(table.state.legal(table.to_act[0])))])
    heard.settle()
    view, places = table.state.view(0).to_json(), told_places(heard.page)
    leaders = {hexes[0]: (colour, seat) for seat, own in enumerate(view["caravans"]) for colour, hexes in own.items()}
    named = {re.match(r"[a-v]\d+\b", name)[0]: name for name in places if re.match(r"[a-v]\d+\b", name)}
    for hex, value in view["water"].items():
        assert named[hex] == f"{hex}, water {value}"
    for hex in view["oases"]:
        assert named[hex] == f"{hex}, oasis"
    for hex, (colour, seat) in leaders.items():
        assert words(named[hex]) == f"{hex}: {colour} leader of {PEOPLE[seat].name}"
        beside = words(places[named[hex]])
        assert beside == "Nothing is beside it." or beside.startswith("Beside it: ")
        for other in re.findall(r"\b([a-v]\d+)[,:]", beside):
            assert hex in places[named[other]], "each is beside the other, and both say so"
    assert any("the edge" in beside for beside in places.values())
    heard.page.context.close()


def test_each_space_of_the_track_says_what_is_on_it_and_beside_it(house, chromium):
    heard = Heard(house, chromium, Sitting("camelup-2014", 3).begin(), "heard-spaces")
    places = {words(name): words(beside) for name, beside in told_places(heard.page).items()}
    taken = {stack["space"]: stack["camels"] for stack in heard.sitting.table.state.view(0).to_json()["camels"]}
    for space in range(1, 17):
        name = next(name for name in places if re.match(rf"space {space}\b", name))
        assert all(f"{camel} camel" in name for camel in taken.get(space, ())) and ("empty" in name) == (
            space not in taken
        )
        for other in (space - 1, space + 1):
            if other in taken:
                assert f"space {other}, from the bottom: {taken[other][0]} camel" in places[name]
    assert places["space 16, empty"] == "Beside it: finish line."
    heard.page.context.close()


def test_stones_say_what_they_rest_on(house, chromium):
    heard = Heard(house, chromium, Sitting("anubixx", 2).begin(), "heard-stones")
    places = told_places(heard.page)
    above = next(name for name in places if name.startswith("pyramid, row 2 from below, stone 1"))
    assert all(f"pyramid, row 1 from below, stone {stone}" in places[above] for stone in (1, 2))
    heard.page.context.close()


def test_each_row_says_what_is_on_it_and_beside_it_and_which_cards_come_there(house, chromium):
    heard = Heard(house, chromium, Sitting("sixnimmt", 2).begin(), "heard-rows")
    places = {words(name): words(beside) for name, beside in told_places(heard.page).items()}
    rows = heard.sitting.table.state.view(0).to_json()["rows"]
    for number, (card,) in enumerate(rows, 1):
        name = next(name for name in places if name.startswith(f"Row {number}: {card};"))
        assert "4 places free" in name and "here" in name
        assert places[name].startswith("Beside it: ")
        for other in {number - 1, number + 1} & {1, 2, 3, 4}:
            assert f"row {other}, which ends in {rows[other - 1][0]}" in places[name]
    heard.page.context.close()


# --- keys ------------------------------------------------------------------------------------------------------------


def test_keys_go_everywhere_and_are_listed(house, chromium):
    heard = Heard(house, chromium, Sitting("sixnimmt", 2).begin(), "heard-keys")
    page = heard.page
    page.keyboard.press("b")
    expect(heard.board.get_by_role("button").first).to_be_focused()
    page.keyboard.press("s")
    assert heard.told()[-1] == "Choose a card to play."
    page.keyboard.press("p")
    assert heard.told()[-1].startswith("Round 1. Row 1:")
    page.keyboard.press("l")
    expect(page.get_by_role("list", name="What happened")).to_be_focused()
    page.keyboard.press("m")
    expect(page.get_by_text("Your moves as a list", exact=True)).to_be_focused()
    page.keyboard.press("t")
    expect(page.get_by_label("Say something")).to_be_focused()
    page.keyboard.press("b")  # is written
    expect(page.get_by_label("Say something")).to_have_value("b")
    page.get_by_role("heading", name="Talk").click()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    shown = keys.locator("kbd").all_inner_texts()
    assert {"Enter", "Esc", "B", "S", "P", "L", "M", "T", "U", "H", "?"} <= set(shown)
    size = page.viewport_size
    for width, height in ((360, 740), (740, 360)):  # the list scrolls, the button stays in view
        page.set_viewport_size({"width": width, "height": height})
        expect(keys.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
        assert keys.evaluate(
            "(all) => [...all.querySelectorAll('dt')].every((one) => one.scrollWidth <= one.clientWidth)"
        )
    page.set_viewport_size(size)
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.get_by_role("button", name="keys").click()
    keys.get_by_label("Letters and ? are keys in this browser").uncheck()
    keys.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="keys")).to_be_focused()
    count = len(heard.told())
    for key in "sp?":
        page.keyboard.press(key)
    expect(keys).to_be_hidden()
    assert len(heard.told()) == count
    page.reload()
    page.keyboard.press("?")
    expect(keys).to_be_hidden()
    heard.page.context.close()


def test_a_move_is_taken_back_by_a_key(house, chromium):
    heard = Heard(house, chromium, Sitting("sixnimmt", 2).begin(), "heard-back")
    heard.choose(heard.can_choose()[0])
    expect(heard.page.get_by_role("button", name="Take back")).to_be_visible()
    heard.page.keyboard.press("u")
    expect(heard.page.locator("#log")).to_contain_text("You take back a move.")
    heard.page.context.close()
