"""What the house answers to a tap on something that cannot be chosen."""

import pytest
from starlette.datastructures import QueryParams

from in_memory_table import PEOPLE, Sitting
from sarai.core.board import Tap
from sarai.table import commands
from sarai.web.language import find_language
from sarai.web.live.tap_refusals import MOST_IDS, answer_tap, read_tap

ENGLISH = find_language("en")


def answer(table, seat, *ids, pick=""):
    return answer_tap(table, seat, Tap(ids, pick), ENGLISH)


@pytest.mark.parametrize(
    ("query", "tap"),
    [
        ("at=a&at=b&pick=c&x=1.5&y=-2", Tap(["a", "b"], "c", (1.5, -2.0))),
        ("", Tap([], "")),
        ("x=1", Tap([], "")),
        ("x=one&y=2", Tap([], "")),
        ("x=nan&y=2", Tap([], "")),
        ("x=1&y=inf", Tap([], "")),
        (f"at={'z' * 41}&at=a", Tap(["a"], "")),
        ("&".join(["at=a"] * 50), Tap(["a"] * MOST_IDS, "")),
    ],
)
def test_whatever_is_sent_is_read_as_a_tap(query, tap):
    assert read_tap(QueryParams(query)) == tap


def test_a_tap_is_answered_by_who_asks_and_whose_turn_it_is():
    sitting = Sitting("sixnimmt", 3)
    assert answer(sitting.table, 0, "row-1") is None, "before the game"
    sitting.begin()
    table = sitting.table
    assert answer(table, None, "row-1") is None, "a watcher"
    assert answer(table, 0, "seat-1") is None, "nothing to be chosen"
    assert answer(table, 0, "row-1") == "Now is not the time to take a row."
    card = table.state.legal(0)[0]
    assert answer(table, 0, f"hand-{card + 1}") is None, "it can be chosen"
    sitting.move(card, 0)
    waiting = "It is not your turn: waiting for <bdi>Bat</bdi> and <bdi>Cem</bdi>."
    assert answer(table, 0, "row-1") == waiting
    sitting.do(PEOPLE[1], commands.Lend(1, "random"))
    assert answer(table, 1, "row-1") == "A bot is playing for you."
    sitting.play()
    assert answer(table, 0, "row-1") is None, "after the game"


def test_one_tap_tells_few_reasons():
    table = Sitting("camelup-2014", 3).begin().table
    assert answer(table, table.to_act[0], "side-0") is None, "a side can be picked"
    sitting = Sitting("desert", 3).begin()
    for _ in range(30):
        seat = sitting.table.to_act[0]
        sitting.move(sitting.table.state.legal(seat)[-1], seat)
    seat, told = sitting.table.to_act[0], set()
    for x in range(0, 600, 15):
        for y in range(0, 500, 15):
            said = answer_tap(sitting.table, seat, Tap(["d-map"], "", (float(x), float(y))), ENGLISH)
            told.add("" if said is None else " ".join(said.split()[1:]))
    assert {"Mountains are not in play.".partition(" ")[2], "of your caravans can grow there now."} <= told
    assert max(said.count(".") for said in told) <= 3


@pytest.mark.parametrize(("game", "thing", "move"), [("sixnimmt", "row-1", 104), ("anubixx", "x-s-key", 26 + 25)])
def test_a_tap_is_answered_with_the_sentence_with_which_its_move_is_refused(game, thing, move, web):
    async def go(house):
        ann, bo = await house.visitor().named("Ann"), await house.visitor().named("Bo")
        table = await house.playing(ann, bo, game=game)
        acting = ann if (await ann.http.get(f"/api/tables/{table}")).json()["moves"] else bo
        refused = (await acting.act(table, {"type": "Move", "move": move})).json()
        said = await acting.http.get(f"/tables/{table}/why", params={"at": thing})
        assert said.status_code == 200 and said.text == refused["sentence"]

    web(go)
