"""What bots of Camel Up foresee by running legs and races agrees with the exact odds."""

import numpy as np
import pytest
from sarai.games.camelup.chances import (
    COLUMNS,
    FIRST_IN_LEG,
    LANDINGS,
    LOSES,
    ROWS,
    SECOND_IN_LEG,
    WINS,
    glance_ahead,
    look_ahead,
    try_tile,
)
from sarai.games.camelup.table import MIRAGE, OASIS, RACING, TILE, WORTH

from bots.test_sixnimmt_camelup import walk, weights
from sarai.core.kernels.compile import COMPILED, kernel
from sarai.games.camelup import chances
from sarai.games.camelup.edition import EDITIONS
from sarai.games.camelup.odds import leg_odds, race_odds, tile_odds

pytestmark = pytest.mark.skipif(not COMPILED, reason="so many races are run only by compiled rules")
each_edition = pytest.mark.parametrize("name", ["camelup-2014", "camelup-2018"])


@kernel
def glance(cell, table):
    """Fill a table at a glance."""
    glance_ahead(cell[0], table)


@kernel
def look(cell, table):
    """Fill a table with care."""
    look_ahead(cell[0], table)


@kernel
def trial(cell, seat, space, side, table):
    """Fill a table with a tile laid."""
    try_tile(cell[0], seat, space, side, table)


def positions(name):
    """Yield a few positions of random games in which somebody has a turn."""
    for seed in range(3):
        yield from [state for state in walk(name, 3, {}, seed) if state.actor >= 0][4:60:8]


@each_edition
def test_who_looks_with_care_sees_nearly_the_exact_odds(name):
    table = np.zeros((ROWS, COLUMNS))
    assert chances.RACES >= 1_000
    for state in positions(name):
        look(state._cell, table)
        leg, race = leg_odds(state), race_odds(state, races=20_000)
        assert np.allclose(table[FIRST_IN_LEG, :RACING], [places[0] for places in leg.places], atol=0.08)
        assert np.allclose(table[SECOND_IN_LEG, :RACING], [places[1] for places in leg.places], atol=0.08)
        assert np.allclose(table[WINS, :RACING], race.win, atol=0.08)
        assert np.allclose(table[LOSES, :RACING], race.lose, atol=0.08)


@each_edition
def test_a_tile_that_lies_is_worth_what_it_pays(name):
    table, lying = np.zeros((ROWS, COLUMNS)), 0
    for state in positions(name):
        look(state._cell, table)
        for seat, pay in enumerate(leg_odds(state).tile_pays):
            if pay is not None:
                lying += 1
                landings = table[LANDINGS, abs(int(state._cell["tiles"][0, seat]))]
                assert landings >= float(pay) - 0.1  # a unit may also be sent there by another tile
    assert lying > 3


@each_edition
def test_a_tile_is_tried_as_the_odds_say(name):
    table = np.zeros((ROWS, COLUMNS))
    for state in list(positions(name))[::4]:
        for tried in tile_odds(state, state.actor):
            side = EDITIONS[int(state._cell["edition"][0])].sides.index(tried.side)
            trial(state._cell, state.actor, tried.space, side, table)
            assert np.allclose(table[FIRST_IN_LEG, :RACING], [places[0] for places in tried.leg.places], atol=0.13)
            assert table[LANDINGS, tried.space] == pytest.approx(float(tried.pay), abs=0.2)


def test_a_glance_and_a_careful_look_rank_first_bets_alike():
    quick, careful = np.zeros((ROWS, COLUMNS)), np.zeros((ROWS, COLUMNS))
    apart = []
    for state in positions("camelup-2014"):
        glance(state._cell, quick)
        look(state._cell, careful)
        apart.append(np.abs(quick[FIRST_IN_LEG, :RACING] - careful[FIRST_IN_LEG, :RACING]).mean())
    assert 0 < np.mean(apart) < 0.12


def lead(state, seat, leg):
    """Return how much more a seat's tickets pay than those of another, by exact odds."""
    cell, whole = state._cell[0], 0.0
    for camel, owners in enumerate(cell["tickets"].tolist()):
        first, second = leg.places[camel][:2]
        for place, owner in enumerate(owners):
            worth = first * int(WORTH[cell["edition"], place]) + second - (1 - first - second)
            whole += 0 if not owner else worth if owner - 1 == seat else -worth / (state.players - 1)
    return whole


@each_edition
def test_the_side_of_a_tile_is_chosen_by_what_it_does_to_tickets(name):
    compared = 0
    for state in positions(name):
        seat = state.actor
        looks = dict(zip(state.view(seat).legal(), weights(state, seat), strict=True))
        worth = {}
        for tried in tile_odds(state, seat):
            if tried.pay > 0.25:  # what hardly anybody lands on is not looked at closely
                worth.setdefault(tried.space, {})[tried.side] = float(tried.pay) + lead(state, seat, tried.leg)
        for space, (oasis, mirage) in [(space, both.values()) for space, both in worth.items() if len(both) == 2]:
            if abs(oasis - mirage) > 0.5:
                compared += 1
                move = TILE + 2 * (space - 2)
                assert (looks[move + OASIS] > looks[move + MIRAGE]) == (oasis > mirage)
    assert compared > 0
