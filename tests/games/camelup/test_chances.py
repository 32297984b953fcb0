"""Chances that bots of Camel Up estimate by running legs and races agree with the exact odds."""

from collections.abc import Iterator

import numpy as np
import pytest

import sarai
from sarai.core.kernels.compile import COMPILED, kernel
from sarai.core.policy.dispatch import weigh_moves
from sarai.core.random_play import play_randomly
from sarai.games.camelup.edition import edition_of
from sarai.games.camelup.odds import leg_odds, quick_chances, race_odds, tile_odds
from sarai.games.camelup.odds.quick_chances import (
    COLUMNS,
    FIRST_IN_LEG,
    LANDINGS,
    LOSES,
    ROWS,
    SECOND_IN_LEG,
    WINS,
    estimate_chances,
    sample_chances,
    sample_leg_with_tile,
)
from sarai.games.camelup.state import MIRAGE, OASIS, RACING, TICKET_WORTH, TILE

pytestmark = pytest.mark.skipif(not COMPILED, reason="only compiled rules run so many races in time")
each_edition = pytest.mark.parametrize("name", ["camelup-2014", "camelup-2018"])


@kernel
def estimate(cell, table):
    """Fill a table quickly."""
    estimate_chances(cell[0], table)


@kernel
def sample(cell, table):
    """Fill a table carefully."""
    sample_chances(cell[0], table)


@kernel
def sample_with_tile(cell, seat, space, side, table):
    """Fill a table with a tile laid."""
    sample_leg_with_tile(cell[0], seat, space, side, table)


def positions(name: str) -> Iterator[sarai.State]:
    """Yield a few positions of random games in which a seat has the turn."""
    for seed in range(3):
        states = play_randomly(sarai.game(name), 3, seed=seed).replay()
        yield from [state for state in states if state.actor >= 0][4:60:8]


def weights(state: sarai.State, seat: int) -> dict[int, float]:
    """Return the policy's careful weight of each legal move of a seat."""
    assert state.game.module("policy")  # registers its kernels
    moves = state.legal(seat)
    out = np.full(len(moves), np.nan)
    weigh_moves(state._cell, seat, np.array(moves, np.int64), out)
    return dict(zip(moves, out.tolist(), strict=True))


@each_edition
def test_careful_chances_are_nearly_the_exact_odds(name):
    table = np.zeros((ROWS, COLUMNS))
    assert quick_chances.FULL_RACES >= 1_000
    for state in positions(name):
        sample(state._cell, table)
        leg, race = leg_odds(state), race_odds(state, races=20_000)
        assert np.allclose(table[FIRST_IN_LEG, :RACING], [places[0] for places in leg.places], atol=0.08)
        assert np.allclose(table[SECOND_IN_LEG, :RACING], [places[1] for places in leg.places], atol=0.08)
        assert np.allclose(table[WINS, :RACING], race.win, atol=0.08)
        assert np.allclose(table[LOSES, :RACING], race.lose, atol=0.08)


@each_edition
def test_a_tile_on_the_track_counts_what_it_pays(name):
    table, lying = np.zeros((ROWS, COLUMNS)), 0
    for state in positions(name):
        sample(state._cell, table)
        for seat, pay in enumerate(leg_odds(state).tile_pays):
            if pay is not None:
                lying += 1
                landings = table[LANDINGS, abs(int(state._cell["tiles"][0, seat]))]
                assert landings >= float(pay) - 0.1  # a unit may also be sent there by another tile
    assert lying > 3


@each_edition
def test_chances_with_a_tile_agree_with_its_odds(name):
    table = np.zeros((ROWS, COLUMNS))
    for state in list(positions(name))[::4]:
        for tried in tile_odds(state, state.actor):
            side = edition_of(state._cell).sides.index(tried.side)
            sample_with_tile(state._cell, state.actor, tried.space, side, table)
            assert np.allclose(table[FIRST_IN_LEG, :RACING], [places[0] for places in tried.leg.places], atol=0.13)
            assert table[LANDINGS, tried.space] == pytest.approx(float(tried.pay), abs=0.2)


def test_quick_and_careful_chances_to_lead_are_close():
    quick, careful = np.zeros((ROWS, COLUMNS)), np.zeros((ROWS, COLUMNS))
    apart = []
    for state in positions("camelup-2014"):
        estimate(state._cell, quick)
        sample(state._cell, careful)
        apart.append(np.abs(quick[FIRST_IN_LEG, :RACING] - careful[FIRST_IN_LEG, :RACING]).mean())
    assert 0 < np.mean(apart) < 0.12


def lead(state, seat, leg):
    """Return how much more a seat's tickets pay than those of another, by exact odds."""
    cell, whole = state._cell[0], 0.0
    for camel, owners in enumerate(cell["tickets"].tolist()):
        first, second = leg.places[camel][:2]
        for place, owner in enumerate(owners):
            worth = first * int(TICKET_WORTH[cell["edition"], place]) + second - (1 - first - second)
            whole += 0 if not owner else worth if owner - 1 == seat else -worth / (state.players - 1)
    return whole


@each_edition
def test_the_side_of_a_tile_is_chosen_by_what_it_does_to_tickets(name):
    compared = 0
    for state in positions(name):
        seat = state.actor
        weighed = weights(state, seat)
        worth = {}
        for tried in tile_odds(state, seat):
            if tried.pay > 0.25:  # spaces with few landings are not weighed carefully
                worth.setdefault(tried.space, {})[tried.side] = float(tried.pay) + lead(state, seat, tried.leg)
        for space, (oasis, mirage) in [(space, both.values()) for space, both in worth.items() if len(both) == 2]:
            if abs(oasis - mirage) > 0.5:
                compared += 1
                move = TILE + 2 * (space - 2)
                assert (weighed[move + OASIS] > weighed[move + MIRAGE]) == (oasis > mirage)
    assert compared > 0
