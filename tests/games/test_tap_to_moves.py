"""What a tap on a board means where nothing can be chosen, and what the rules say against it."""

from itertools import islice
from random import Random

import pytest

import sarai
from sarai.core.board import Meaning, Scene, Tap
from sarai.core.errors import REASONS
from sarai.core.registry import game as find
from sarai.core.result import CHANCE
from sarai.games.anubixx.state import PAIRS_FROM, SINGLES, STONES, STOP
from sarai.games.camelup.board.track import CELL, CELLS
from sarai.games.camelup.state import BET, LOSE, PARTNER, PYRAMID, TILE, WIN
from sarai.games.desert.board.hex_map import HALF, RADIUS, middle
from sarai.games.desert.state import COLOURS, HEXES
from sarai.games.desert.terrain import BOARD
from sarai.games.sixnimmt.state import TAKE_ROW
from sarai.testing.boards import marked, plain, scenes, tree


def meaning(scene, *ids, pick="", point=None):
    return find(scene.view["game"]).module("board").meaning_of(Tap(ids, pick, point), scene)


def begun(game_id, players=3, moves=0, options=None, seed=1):
    """Return a state in which somebody is to act, and what that seat is shown."""
    rng, state = Random(seed), find(game_id).start(players, options or {})
    while moves or state.actor == CHANCE:
        if state.actor == CHANCE:
            state = state.play(rng.choice(state.chance())[0])
        else:
            state, moves = state.play(rng.choice(state.legal(state.actor))), moves - 1
    return state, shown(state)


def shown(state, say=plain):
    seat = state.actor
    return Scene(state.view(seat).to_json(), state.legal(seat), [f"P{n}" for n in range(state.players)], say)


def reasons(state, found: Meaning):
    """Return the keys of the rules' reasons."""
    refused = [state.why_not(move, state.actor) for move in found.moves]
    assert all(refused), "one of the moves is allowed"
    return {error.key for error in refused if not found.about or error.key in found.about}


@pytest.mark.parametrize("id", sarai.game_ids())
def test_whatever_is_tapped_its_moves_exist_and_its_words_are_translated(id):
    game, told = find(id), 0
    for scene in islice(scenes(game, game.players[-1], {}, 2, marked), 0, None, 37):
        board = game.module("board").render(scene)
        for name in [element.get("id") for element in tree(board).iter() if element.get("id")]:
            for pick in ("", *board.choices):
                found = meaning(scene, name, pick=pick, point=(300.0, 520.0))
                if found is not None:
                    assert all(0 <= move < game.num_actions for move in found.moves)
                    assert not found.words or found.words.startswith("⟦")
                    assert set(found.about) <= set(REASONS)
                    told += 1
    assert told
    assert meaning(scene, "no-such", "stage") is None and meaning(scene) is None


@pytest.mark.parametrize("id", sarai.game_ids())
def test_why_not_says_what_playing_would(id):
    state, _ = begun(id, moves=5)
    legal = state.legal(state.actor)
    for move in range(0, state.game.num_actions, 3):
        error = state.why_not(move, state.actor)
        assert (error is None) == (move in legal)
        if error is not None:
            with pytest.raises(sarai.Illegal) as raised:
                state.play(move, state.actor)
            assert (raised.value.key, raised.value.facts) == (error.key, error.facts)
    other = (state.actor + 1) % state.players
    if other not in state.to_act:
        assert state.why_not(legal[0], other).key == "not_your_turn"


def test_six_nimmt_rows_and_cards():
    state, scene = begun("sixnimmt")
    row = meaning(scene, "card-12", "row-2", "middle")
    assert row.moves == [TAKE_ROW + 1] and reasons(state, row) == {"no_row_to_take"}
    strange = next(card for card in range(1, 105) if card - 1 not in scene.moves)
    assert reasons(state, meaning(scene, f"hand-{strange}")) == {"card_not_in_hand"}
    assert meaning(scene, "row-5") is None and meaning(scene, "hand-105") is None and meaning(scene, "row-²") is None


def point_of(hex):
    return middle(BOARD.places[BOARD.names.index(hex)])


def test_desert_piles_tell_what_is_against_a_colour():
    state, scene = begun("desert", 3, 1)
    placed = next(error for error in (state.why_not(c * HEXES, state.actor) for c in range(len(COLOURS))) if error)
    found = meaning(scene, f"d-pile-{placed.facts['colour']}")
    assert reasons(state, found) == {placed.key}
    state, scene = begun("desert", 3, 40)
    for colour in COLOURS:
        found = meaning(scene, "pile", f"d-pile-{colour}")
        open_colour = any(COLOURS[move // HEXES] == colour for move in scene.moves)
        assert open_colour or reasons(state, found) <= {"camel_pile_empty", "camel_without_caravan"}
        assert found.words == "There is no hex for this colour now."


def test_desert_hexes_are_found_by_their_point_and_refused_for_what_stands_there():
    state, scene = begun("desert", 3, 40)
    for number, place in enumerate(BOARD.places):
        x, y = middle(place)
        for dx, dy in ((0, 0), (0.9 * RADIUS, 0), (-0.4 * RADIUS, 0.9 * HALF)):
            found = meaning(scene, "d-map", pick="lilac", point=(x + dx, y + dy))
            assert found.moves == [COLOURS.index("lilac") * HEXES + number]
    taken = next(hexes for caravans in scene.view["caravans"] for hexes in caravans.values() if hexes)[0]
    assert reasons(state, meaning(scene, "d-map", pick="sky", point=point_of(taken))) == {"hex_has_camel"}
    assert reasons(state, meaning(scene, "d-map", point=point_of(taken))) == {"hex_has_camel"}, "whatever the colour"
    assert meaning(scene, "d-map") is None and meaning(scene, "stage", point=point_of(taken)) is None


def test_desert_asks_for_a_colour_first_and_knows_mountains():
    _, scene = begun("desert", 3, 40)
    open_hex = BOARD.names[scene.moves[0] % HEXES]
    first = meaning(scene, "d-map", point=point_of(open_hex))
    assert not first.moves and first.words.startswith("First choose a colour: ")
    assert COLOURS[scene.moves[0] // HEXES] in first.words
    assert meaning(scene, "d-map", point=middle(next(iter(BOARD.mountains)))).words == "Mountains are not in play."
    assert meaning(scene, "d-map", point=(-500.0, -500.0)) is None, "beside the map"
    _, leaders = begun("desert", 3)
    water = next(iter(leaders.view["water"]))
    assert meaning(leaders, "d-map", point=point_of(water)).words == "None of your leaders can begin there now."


def test_camel_up_spaces_are_places_for_the_tile_that_was_picked():
    state, scene = begun("camelup-2014", 3, 6)

    def at(space):
        return CELL * (CELLS[space - 1][0] + 0.5), CELL * (CELLS[space - 1][1] + 0.5)

    camel = next(stack["space"] for stack in scene.view["camels"] if stack["space"] > 1)
    found = meaning(scene, "track", pick="side-1", point=at(camel))
    assert found.moves == [TILE + 2 * (camel - 2) + 1] and reasons(state, found) == {"tile_on_camel"}
    assert meaning(scene, "track", pick="side-0", point=at(1)).words == REASONS["no_tile_on_first_space"]
    assert meaning(scene, "track", point=at(camel)) == Meaning(), "without a side it is no place for a tile"
    empty = next(move for move in scene.moves if TILE <= move < PYRAMID)
    first = meaning(scene, "track", point=at((empty - TILE) // 2 + 2))
    assert first.words == "First choose a side of your tile."
    assert meaning(scene, "track", point=(290.0, 290.0)) is None, "the courtyard"
    assert meaning(scene, "track") is None
    assert meaning(scene, "side-1", "hand").moves == range(TILE + 1, PYRAMID, 2)


def test_camel_up_bets_cards_piles_and_partners():
    state, scene = begun("camelup-2014", 3)
    camel = next(iter(scene.view["tickets"]))
    bet = meaning(scene, f"tent-{camel}")
    while state.why_not(bet.moves[0], state.actor) is None:
        state = state.play(bet.moves[0])
    assert bet.moves == [BET] and reasons(state, bet) == {"betting_stack_empty"}
    assert meaning(scene, f"card-{camel}").moves == [WIN] and meaning(scene, "pyramid").moves == [PYRAMID]
    assert meaning(scene, "pile-winner").words == "First choose one of your race cards."
    empty_hand = scene._replace(view={**scene.view, "hand": []})
    assert meaning(empty_hand, "pile-loser").moves == [WIN, LOSE]
    assert meaning(scene, "seat-1") is None, "there are no partners"
    state, scene = begun("camelup-2018", 6)
    other = (state.actor + 1) % 6
    bound = state.play(PARTNER + other)
    while bound.actor != state.actor:
        bound = bound.play(PYRAMID) if bound.actor >= 0 else bound.play(bound.chance()[0][0])
    if bound.view(state.actor).to_json()["leg"] == scene.view["leg"]:
        assert reasons(bound, meaning(shown(bound), f"seat-{(other + 1) % 6}")) == {"partner_bound"}
    assert meaning(scene, f"seat-{other}").names == {other: str(other + 1)}
    assert meaning(scene, f"seat-{state.actor}") is None and meaning(scene, "seat-9") is None


def test_anubixx_stones():
    state, scene = begun("anubixx", 3)
    top = meaning(scene, "x-s-p5-1", "x-pyramid")
    assert (
        reasons(state, top) == {"pyramid_needs_support"} and top.names["p5.1"] == "pyramid, row 5 from below, stone 1"
    )
    assert reasons(state, meaning(scene, "x-s-key")) == {"keystone_needs_columns"}
    assert meaning(scene, "x-stop").moves == [STOP]
    assert meaning(scene, "x-die-red-1", "x-dice").words.startswith("Choose a stone")
    assert meaning(scene, "x-j-f1-1-1-2") is None


def test_anubixx_relief_stones_are_pairs():
    keys, hints = set(), set()
    for seed in range(12):
        for moves in (0, 1, 8, 25):
            state, scene = begun("anubixx", 2, moves, seed=seed)
            for stone in STONES[SINGLES:]:
                found = meaning(scene, f"x-s-{stone.replace('.', '-')}")
                if found.moves:
                    assert all(PAIRS_FROM <= move < STOP for move in found.moves)
                    keys |= reasons(state, found)
                hints.add(found.words)
    assert keys == {"relief_takes_a_whole_turn", "stone_already_marked"}
    assert hints == {
        "Relief stones are marked in pairs: choose the bar between two of them.",
        "No pair with this stone can be paid now.",
    }


def test_anubixx_says_how_many_quarry_stones_a_payment_skips_as_the_move_does():
    """The step of a pick is worded from the view, the list of moves from the rules: they must not differ."""
    compared = set()
    for seed in range(12):
        state, scene = begun("anubixx", 2, seed % 4, seed=seed)
        board = find("anubixx").module("board").render(scene)
        for pick in board.picks:
            if pick.id in STONES:
                spot, move = next(way for way in board.choices[pick.id].items() if way[0].startswith("pay-q-"))
                words = state.game.move_words(state, move, plain)
                count = words.rpartition("skipping ")[2].split()[0] if "skipping" in words else ""
                assert (f"skipping {count} stone" in pick.step) if count else ("skipping" not in pick.step)
                button = board.parts["x-do"].partition(f'data-spot="{spot}"')[2].partition("</div>")[0]
                if count:
                    assert f"{count} more {'is' if count == '1' else 'are'} lost<" in button
                assert (f"skipping {count} " in button) if count else ("lost" not in button)
                compared.add(count)
    assert len(compared) > 2
