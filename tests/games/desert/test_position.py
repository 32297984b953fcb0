"""Position texts of Through the Desert: they read back, and what no game comes to is refused."""

from random import Random

import pytest

import sarai
from games.desert.positions import ASIDE, BASE, ENCLOSED, FIRST, FIVE, LEADERS, OVER, PALMS, POSITIONS, SHUT_IN, WATER
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly, random_move
from sarai.testing.contract import damaged

GAME = sarai.game("desert")


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_a_position_is_one_line_that_reads_back(text):
    state = GAME.parse(text)
    assert state.text() == text
    assert GAME.parse(state.text()) == state
    rng = Random(1)
    for _ in range(400 if COMPILED else 3):
        if state.actor != sarai.OVER:
            state = state.play(*random_move(state, rng))
    assert GAME.parse(state.text()) == state


def test_positions_of_whole_games_read_back():
    for players in GAME.players if COMPILED else (2,):
        for state in play_randomly(GAME, players, seed=players).replay():
            assert GAME.parse(state.text()) == state


def test_the_order_of_camels_does_not_matter_but_the_leader_is_first():
    assert GAME.parse(BASE.replace("li:e1g1f2", "li:e1f2g1")) == GAME.parse(BASE)
    assert GAME.parse(BASE.replace("li:e1g1f2,mi:b3c2", "mi:b3c2,li:e1g1f2")) == GAME.parse(BASE)
    assert GAME.parse(BASE.replace("li:e1g1f2", "li:g1e1f2")) != GAME.parse(BASE)


EDITS = [
    (BASE, "turn=0", "turn=1", None),  # what is fine shows that these edits can be read
    (BASE, "left=2", "left=1", None),
    (BASE, "li:e1g1f2", "li:e1g1f2f1", None),
    (BASE, "tokens=1.0.0", "tokens=0.1.0", None),
    (BASE, "turn=0", "turn=2", "text_bad_value"),
    (BASE, "left=2", "left=0", "text_bad_value"),
    (BASE, "left=2", "left=3", "text_bad_value"),
    (BASE, "moves=100", "moves=200", "text_inconsistent"),
    (BASE, "moves=100", "moves=201", "text_bad_value"),
    (BASE, "phase=camels", "phase=first", "text_inconsistent"),
    (BASE, "phase=camels", "phase=leaders", "text_bad_value"),
    (BASE, "phase=camels", "phase=aside", "text_bad_value"),
    (BASE, "phase=camels", "phase=over", "text_missing_field"),
    (BASE, "phase=camels", "phase=camel", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1g1", "text_inconsistent"),  # not connected
    (BASE, "li:e1g1f2", "li:e1g1f2g1", "text_inconsistent"),  # twice on one hex
    (BASE, "li:e1g1f2", "li:e1g1f2d1", "text_inconsistent"),  # on water
    (BASE, "li:e1g1f2", "li:f2g1", None),
    (BASE, "mi:b3c2", "mi:c2b3", "text_inconsistent"),  # a leader next to an oasis
    (BASE, "mi:b3c2", "mi:b3c2d3", "text_inconsistent"),  # on an oasis
    (BASE, "sa:e8", "sa:d11", "text_inconsistent"),  # next to a leader
    (BASE, "sa:e8", "sa:s4", "text_inconsistent"),  # beyond the line
    (BASE, "li:m8n8", "li:g2", "text_inconsistent"),  # next to a caravan of its colour
    (BASE, "sk:l10l9", "sk:l9l10", "text_inconsistent"),  # a leader on a water hole
    (BASE, ",sa:e8", "", "text_inconsistent"),
    (BASE.replace(",sa:p1", ""), ",sa:e8", "", "text_inconsistent"),  # there is room for them
    (BASE, "li:e1g1f2", "xx:e1g1f2", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1g1f99", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1g1f02", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1 g1f2", "text_bad_field"),
    (BASE, "li:e1g1f2", "li:e1,li:g1", "text_bad_value"),
    (BASE, "/li:m8n8", "/li:m8n8/-", "text_bad_value"),
    (BASE, "tokens=1.0.0", "tokens=2.0.0", "text_inconsistent"),
    (BASE, "tokens=1.0.0/0.0.0", "tokens=0.0.0/1.0.0", "text_inconsistent"),
    (BASE, "tokens=1.0.0", "tokens=1.0", "text_bad_value"),
    (BASE, "tokens=1.0.0", "tokens=16.0.0", "text_bad_value"),
    (BASE, "water=123", "water=023", "text_inconsistent"),  # a token is missing
    (BASE, "23023", "23123", "text_inconsistent"),  # a token under a camel
    (BASE, "water=123", "water=423", "text_bad_value"),
    (BASE, "water=123", "water=23", "text_bad_value"),
    (BASE, "water=123", "water=1123", "text_bad_value"),
    (BASE, "water=123123123123123123", "water=111111111111111123", "text_inconsistent"),  # sixteen of one value
    (BASE, "oases=d3,", "oases=", "text_bad_value"),
    (BASE, "oases=d3,", "oases=j3,", "text_bad_value"),
    (BASE, "oases=d3,", "oases=e3,", "text_bad_value"),
    (BASE, "oases=d3,", "oases=d,", "text_bad_value"),
    (ENCLOSED, "water=120", "water=123", "text_inconsistent"),  # water in an enclosed area
    (ENCLOSED, "scores=hidden", "scores=shut", "bad_option_value"),
    (SHUT_IN, "turn=1", "turn=0", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=pile_empty", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=nobody_can_place", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=because", "text_bad_value"),
    (OVER, "moves=200", "moves=199", "text_inconsistent"),
    (OVER, "tokens=", "turn=0 left=2 tokens=", "text_unknown_field"),
    (FIRST, "left=1", "left=2", "text_inconsistent"),
    (FIRST, "turn=0", "turn=1", None),
    (FIRST, "turn=0", "turn=2", "text_inconsistent"),
    (FIRST, "turn=0 left=1", "turn=2 left=2", None),
    (FIRST, "li:a3", "li:a3a4", "text_inconsistent"),  # before its turn
    (FIRST, "phase=first", "phase=leaders", "text_inconsistent"),  # all stand
    (LEADERS, "li:n6/mi:l10", "li:n6/li:l10", "text_inconsistent"),
    (LEADERS, "li:n6/mi:l10/-", "-/mi:l10/-", "text_inconsistent"),
    (LEADERS, "li:n6/mi:l10/-", "li:n6/mi:l10/sk:g3", None),
    (LEADERS, "li:n6", "li:n6n7", "text_inconsistent"),
    (LEADERS, "tokens=0.0.0", "tokens=1.0.0", "text_inconsistent"),
    (FIVE, "sk:d10/-/-", "sk:d10/sa:g3/-", None),
    (FIVE, "sk:d10/-/-", "sk:d10/le:g3/-", "text_inconsistent"),  # seat 4 would have no colour
    (FIVE, "mi:n6/li:l10", "li:n6/mi:l10", "text_inconsistent"),  # set aside
    (FIVE, "aside=lilac,", "aside=", "text_inconsistent"),
    (FIVE, "aside=lilac,mint", "aside=mint,mint", "text_inconsistent"),
    (FIVE, "players=5", "players=4", "text_bad_value"),
    (ASIDE, "lilac,lemon", "lilac,pink", "text_bad_value"),
    (ASIDE, "lilac,lemon", "lilac,lilac", "text_inconsistent"),
    (ASIDE, "lilac,lemon", "lilac,mint,lemon,sky,salmon", "text_inconsistent"),
    (ASIDE, "oases=-", "oases=d3", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,d3", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,s8", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,e4", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,j3,q3,m7,b8", "text_inconsistent"),
    (PALMS, "water=-", "water=1", "text_inconsistent"),
    (PALMS, "caravans=-/-", "caravans=li:n6/-", "text_inconsistent"),
    (PALMS, "phase=palms", "phase=aside", "text_inconsistent"),
    (PALMS, "tokens=0.0.0", "tokens=1.0.0", "text_inconsistent"),
    (WATER, "water=32", "water=30", "text_bad_value"),
    (LEADERS, "water=223", "water=023", "text_bad_value"),
    (WATER, "water=32", "water=" + "123" * 11, "text_inconsistent"),
    (WATER, "water=32", "water=" + "1" * 16, "text_inconsistent"),
]


@pytest.mark.parametrize(("text", "old", "new", "key"), EDITS)
def test_what_no_game_comes_to_is_refused(text, old, new, key):
    assert old in text
    edited = text.replace(old, new, 1)
    if key is None:
        assert GAME.parse(GAME.parse(edited).text()) == GAME.parse(edited)
    else:
        with pytest.raises(sarai.BadText) as refused:
            GAME.parse(edited)
        assert refused.value.key == key, str(refused.value)
        assert str(refused.value)


def last_lemon() -> sarai.State:
    """Return a state with one lemon camel left, at the beginning of a turn."""
    state, rng = GAME.start(2), Random(3)
    while state.actor >= -1:
        view = state.view(None).to_json()
        if view["piles"]["lemon"] == 1 and view["camels_left"] == 2:
            return state
        lemons = [
            move
            for move in state.legal()
            if GAME.move_text(state, move).startswith("lemon") == (view["piles"]["lemon"] > 1)
        ]
        state = state.play(rng.choice(lemons)) if lemons else state.play(*random_move(state, rng))
    raise AssertionError("the lemons ran out")


def test_piles_that_are_empty_or_more_than_empty():
    state = last_lemon()
    lemons = [move for move in state.legal() if GAME.move_text(state, move).startswith("lemon")]
    spots = [GAME.move_text(state, move).split()[1] for move in lemons]
    after = state.play(lemons[0])
    assert GAME.parse(after.text()) == after and after.text().endswith("left=1")
    with pytest.raises(sarai.BadText, match="would be over"):
        GAME.parse(after.text().replace("left=1", "left=2"))
    mine = ",".join(state.view(None).to_json()["caravans"][state.actor]["lemon"]).replace(",", "")
    dry = [spot for spot in spots if spot not in state.view(None).to_json()["water"]]
    with pytest.raises(sarai.BadText, match="more camels"):
        GAME.parse(state.text().replace(f"le:{mine}", f"le:{mine}{dry[0]}{dry[1]}"))


def test_a_finished_game_reads_back_only_with_its_reason():
    over = last_lemon()
    while over.actor >= 0:
        lemons = [move for move in over.legal() if GAME.move_text(over, move).startswith("lemon")]
        over = over.play((lemons or over.legal())[0])
    assert "ending=pile_empty" in over.text() and GAME.parse(over.text()) == over
    with pytest.raises(sarai.BadText):
        GAME.parse(over.text().replace("pile_empty", "nobody_can_place"))


def test_damaged_texts_are_refused_or_can_be_played_on():
    rng, reasons = Random(9), []
    for text in POSITIONS.values():
        for _ in range(120 if COMPILED else 4):
            try:
                state = GAME.parse(damaged(text, rng))
            except sarai.BadText as refused:
                reasons.append(str(refused))
                continue
            assert GAME.parse(state.text()) == state
            for _ in range(60 if COMPILED else 2):
                if state.actor != sarai.OVER:
                    state = state.play(*random_move(state, rng))
    assert reasons and all(reasons)


def test_the_move_limit_ends_a_game_of_leaders_too():
    state = GAME.parse(LEADERS.replace("moves=2", "moves=199"))
    after = state.play(state.legal()[0])
    assert after.result is not None and after.result.reason == "move_limit"
    assert GAME.parse(after.text()) == after
