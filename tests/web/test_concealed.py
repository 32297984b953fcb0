"""What an option hides on the page, JSON for people leaves out until the end; bots get all of a view."""

import random

import pytest

from sarai.core.registry import game as find
from sarai.core.result import CHANCE, OVER
from sarai.table.visible_events import Seen, events_for_people, read_step, view_for_people

OPTIONS = {
    "camelup-2014": ({"money": "hidden"}, ("pounds",), {"tile_paid", "leg_paid", "card_shown"}),
    "camelup-2018": ({"money": "hidden"}, ("pounds",), {"tile_paid", "leg_paid", "card_shown"}),
    "desert": ({"scores": "hidden"}, ("points", "tokens"), {"water_taken", "oasis_linked", "area_enclosed"}),
}
FIGURES = {"total", "change", "bets", "pyramid", "shared", "value", "hexes"}


@pytest.mark.parametrize("game", OPTIONS)
def test_a_table_and_its_record_hide_what_the_page_hides(web, game):
    options, fields, _ = OPTIONS[game]

    async def go(house):
        ann, bo, cem = [await house.visitor().named(name) for name in ("Ann", "Bo", "Cem")]
        table = await house.playing(ann, bo, cem, game=game, options=options)
        for visitor, seat in ((ann, 0), (bo, 1), (house.visitor(), None)):
            for view in (
                (await visitor.sees(table))["view"],
                (await visitor.get(f"/api/tables/{table}/record")).json()["view"],
            ):
                for field in fields:
                    assert [entry is None for entry in view[field]] == [other != seat for other in range(3)]
        full = (await house.house.table(table)).state.view(0).to_json()
        assert all(None not in full[field] for field in fields), "bots get all of it"
        open_table = await house.playing(ann, bo, cem, game=game)
        view = (await ann.sees(open_table))["view"]
        assert all(None not in view[field] for field in fields)

    web(go)


@pytest.mark.parametrize("game", OPTIONS)
def test_to_the_end_others_figures_are_left_out_of_events_and_then_told(game):
    options, _, keys = OPTIONS[game]
    found, told = find(game), set()
    definition = found.definition
    for seed in range(2):
        rng, state, seen = random.Random(seed), found.start(3, options), []
        while state.actor != OVER:
            seat = state.actor if state.actor == CHANCE else state.to_act[0]
            moves = [move for move, _ in state.chance()] if seat == CHANCE else state.legal(seat)
            state, trace = state.play_traced(rng.choice(moves), None if seat == CHANCE else seat)
            seen += [Seen(1, event) for event in read_step(trace, definition).public]
        for one, shown in zip(seen, events_for_people(seen, definition, options, 1), strict=True):
            assert one.event.key == shown.event.key
            if one.event.key in keys and one.event.args["seat"] != 1:
                told.add(one.event.key)
                assert not FIGURES & set(shown.event.args) and "seat" in shown.event.args
            else:
                assert one == shown
        view = state.view(None)
        assert view_for_people(view) == view.to_json(), "at the end all is told"
    assert told
