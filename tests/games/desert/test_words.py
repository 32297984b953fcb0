"""Through the Desert in words: moves, views and events."""

import pytest

import sarai
from games.desert.positions import ASIDE, BASE, LEADERS, PALMS, POSITIONS, WATER
from sarai.core.event_sentences import sentence
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly

GAME = sarai.game("desert")
NAMES = ["Ann", "Bartholomew", "Çelik", "Dora", "Eve"]


# --- moves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["lilac d2", "LILAC D2", "li d2", "lid2", "lilacd2", "lilac-d2", "lil d2", "lilac   d2"]
)
def test_a_move_is_a_colour_and_a_hex(text):
    state = GAME.parse(BASE)
    move = GAME.parse_move(state, text)
    assert GAME.move_text(state, move) == "lilac d2"
    assert move in state.legal()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "move_unreadable"),
        ("d2", "move_unreadable"),
        ("lilac", "move_unreadable"),
        ("pink d2", "move_unreadable"),
        ("lilac z9", "move_unreadable"),
        ("lilac d99", "move_unreadable"),
        ("lilac d02", "move_unreadable"),
        ("lilac f7", "move_unreadable"),  # a mountain
        ("lilac d٢", "move_unreadable"),
        ("l d2", "move_ambiguous"),
        ("s d2", "move_ambiguous"),
    ],
)
def test_moves_that_cannot_be_read(text, key):
    with pytest.raises(sarai.BadText) as refused:
        GAME.parse_move(GAME.parse(BASE), text)
    assert refused.value.key == key and str(refused.value)


def test_every_move_has_a_notation_of_its_own():
    state = GAME.parse(BASE)
    texts = [GAME.move_text(state, move) for move in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions
    assert [GAME.parse_move(state, text) for text in texts] == list(range(GAME.num_actions))


def test_outcomes_are_colours_hexes_and_values():
    for text, outcomes in (
        (ASIDE, ["mint", "sky", "salmon"]),
        (PALMS, ["j3", "m7", "b8", "h11"]),
        (WATER, ["1", "2", "3"]),
    ):
        state = GAME.parse(text)
        assert [GAME.move_text(state, outcome) for outcome, _ in state.chance()] == outcomes
        assert [GAME.parse_move(state, word) for word in outcomes] == [outcome for outcome, _ in state.chance()]
        for nonsense in ("", "4", "a3", "pink", "0"):
            with pytest.raises(sarai.BadText):
                GAME.parse_move(state, nonsense)


def test_moves_in_words():
    assert GAME.move_words(GAME.parse(ASIDE), 1) == "the green rider's mint leader is set aside"
    assert GAME.move_words(GAME.parse(PALMS), 1) == "a palm on j3"
    assert GAME.move_words(GAME.parse(WATER), 0) == "a water token of 1 on h2"
    state = GAME.parse(LEADERS)
    assert GAME.move_words(state, GAME.parse_move(state, "sky g3")) == "place the sky leader on g3"
    state = GAME.parse(BASE)
    assert GAME.move_words(state, GAME.parse_move(state, "lilac e2")) == "place a lilac camel on e2 (oasis d3)"
    assert GAME.move_words(state, GAME.parse_move(state, "lilac h2")) == "place a lilac camel on h2 (water 3)"
    assert GAME.move_words(state, GAME.parse_move(state, "mint c3")) == "place a mint camel on c3"


# --- views and events -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_views_survive_json(text):
    state = GAME.parse(text)
    for seat in (None, 0, 1):
        view = state.view(seat)
        assert GAME.read_view(view.to_json()) == view
        assert view.sample(1) == state


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "sand"},
        {"moves_made": 201},
        {"camels_left": 3},
        {"camels_left": 0},
        {"actor": 1},
        {"to_act": [1]},
        {"actor": -1, "to_act": []},
        {"aside": ["lilac"]},
        {"oases": ["d3"]},
        {"water": {}},
        {"water": {"d1": 4}},
        {"caravans": [{}, {}]},
        {"caravans": [{"lilac": []}, {}]},
        {"caravans": []},
        {"tokens": [[0, 0, 0]]},
        {"tokens": [[0, 0], [0, 0]]},
        {"enclosed": [[], []]},
        {"piles": {"lilac": 1}},
        {"points": []},
    ],
)
def test_views_whose_parts_do_not_fit_are_refused(change):
    data = GAME.parse(BASE).view(0).to_json()
    with pytest.raises(sarai.BadText) as refused:
        GAME.read_view(data | change)
    assert refused.value.key == "view_unreadable"


def test_every_event_has_a_sentence_and_every_sentence_can_be_said():
    keys = {spec.key for spec in GAME.definition.events}
    assert keys == {key.removesuffix("_you") for key in GAME.definition.sentences}
    said = set()
    for players in (2, 5) if COMPILED else (2,):
        record = play_randomly(GAME, players, seed=2)
        for state, (seat, move) in zip(record.replay(), record.moves, strict=False):
            for event in GAME.events(state, move, None, by=seat):
                assert "{" not in sentence(event, GAME.definition.sentences, NAMES)
                assert event.reveals == (seat == sarai.CHANCE)
                said.add(event.key)
    assert said >= {
        "palm_planted",
        "water_laid",
        "leader_placed",
        "camel_placed",
        "water_taken",
        "oasis_linked",
        "final_score",
        "game_over",
    }
