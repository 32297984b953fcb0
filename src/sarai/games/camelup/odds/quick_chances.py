"""Estimated chances for bots: a few legs run to their end, in microseconds where exact odds take milliseconds."""

from math import exp

import numpy as np

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, kernel
from sarai.games.camelup.odds.race_runs import (
    RACE,
    RaceRecord,
    add_tile,
    begin_leg_without_tiles,
    finish_race,
    set_race,
)
from sarai.games.camelup.rules import draw
from sarai.games.camelup.state import CAMELS, DICE_PER_LEG, GREY_FACE, LAST_SPACE, PLACE, RACING, PublicRecord
from sarai.games.camelup.track import last_camel, leaders, let_grey_die_out, let_racing_die_out, moment

QUICK_LEGS = 16  # run for a quick estimate …
FULL_RACES = 1_000  # … races for a careful one …
TILE_LEGS = 300  # … and legs to see what a tile would do
# Rows of a table of chances; the first four by camel, the last by space.
FIRST_IN_LEG, SECOND_IN_LEG, WINS, LOSES, LANDINGS = range(5)
ROWS, COLUMNS = 5, LAST_SPACE + 4
PILE_ROWS = np.array([WINS, LOSES], np.int64)  # of the winner and the loser pile
SPACES_PER_HEIGHT = 1.2  # what a place higher in a stack is worth in the long run; fitted, like the spreads, to races
LEAST_CARD_CHANCE = 0.02  # that a race card shows a camel which cannot win, or lose, any more


@kernel
def add_race_chances(space: Array, height: Array, share: float, table: Array) -> None:
    """Add the chances of every racing camel to win and to lose the race, judged by where the camels stand.

    The longer the way that is left, the further behind a camel may be and still win.
    """
    furthest, hindmost, leading = -9.0, 99.0, 0
    for camel in range(RACING):
        place = space[camel] + SPACES_PER_HEIGHT * height[camel]
        furthest, hindmost = max(furthest, place), min(hindmost, place)
        leading = max(leading, int(space[camel]))
    way = LAST_SPACE + 1 - leading
    win_spread, lose_spread = 1.0 + 0.5 * way, 0.5 + 0.3 * way
    all_win = all_lose = 0.0
    for camel in range(RACING):
        place = space[camel] + SPACES_PER_HEIGHT * height[camel]
        all_win += exp((place - furthest) / win_spread)
        all_lose += exp((hindmost - place) / lose_spread)
    for camel in range(RACING):
        place = space[camel] + SPACES_PER_HEIGHT * height[camel]
        table[WINS, camel] += share * exp((place - furthest) / win_spread) / all_win
        table[LOSES, camel] += share * exp((hindmost - place) / lose_spread) / all_lose


@kernel
def run_leg(race: RaceRecord, rng: Array, share: float, table: Array) -> bool:
    """Run a leg to its end and add how it went to the table; say whether it ended the race."""
    crossed = False
    while not crossed and count_bits(race.dice_out) < DICE_PER_LEG:
        outcome = draw(race, rng)
        if outcome < PLACE:
            camel = outcome // 3
            crossed = let_racing_die_out(race, camel, outcome % 3 + 1, None)
        else:
            camel, crossed = let_grey_die_out(race, outcome - GREY_FACE, None)
        if not crossed:
            table[LANDINGS, race.space[camel]] += share
    for tile in range(race.players):  # a unit on a tile is sent on from there: what the tile paid counts for its space
        table[LANDINGS, abs(race.tiles[tile])] += share * race.pounds[tile]
    first, second = leaders(race)
    table[FIRST_IN_LEG, first] += share
    table[SECOND_IN_LEG, second] += share
    return bool(crossed)


@kernel
def add_race_end(race: RaceRecord, share: float, table: Array) -> None:
    """Add who won and who lost a race that is over."""
    first, _ = leaders(race)
    table[WINS, first] += share
    table[LOSES, last_camel(race)] += share


@kernel
def begin_races(state: PublicRecord, lifted: int, cells: Array, rng: Array, table: Array) -> None:
    """Copy the race to the first cell without the tile of a seat (-1: of none), empty the table and seed the generator.

    The seed is the position, so that equal camels, dice and tiles get equal chances.
    """
    rng[0] = moment(state)
    set_race(state, lifted, cells[0])
    table[:] = 0.0


@kernel
def estimate_chances(state: PublicRecord, table: Array) -> None:
    """Fill a table quickly: by a few legs, and by where the camels stand after them."""
    cells, rng = np.zeros(2, RACE), np.zeros(1, np.uint64)
    begin_races(state, -1, cells, rng, table)
    for _ in range(QUICK_LEGS):
        cells[1] = cells[0]
        race: RaceRecord = cells[1]
        if run_leg(race, rng, 1.0 / QUICK_LEGS, table):
            add_race_end(race, 1.0 / QUICK_LEGS, table)
        else:
            add_race_chances(race.space, race.height, 1.0 / QUICK_LEGS, table)


@kernel
def sample_chances(state: PublicRecord, table: Array) -> None:
    """Fill a table carefully: by many races run to their end."""
    cells, rng = np.zeros(2, RACE), np.zeros(1, np.uint64)
    begin_races(state, -1, cells, rng, table)
    for _ in range(FULL_RACES):
        cells[1] = cells[0]
        race: RaceRecord = cells[1]
        if not run_leg(race, rng, 1.0 / FULL_RACES, table):
            begin_leg_without_tiles(race)
            finish_race(race, rng)
        add_race_end(race, 1.0 / FULL_RACES, table)


@kernel
def sample_leg_with_tile(state: PublicRecord, seat: int, space: int, side: int, table: Array) -> None:
    """Fill the rows of the leg of a table as if a seat's tile lay on a space."""
    cells, rng = np.zeros(2, RACE), np.zeros(1, np.uint64)
    begin_races(state, seat, cells, rng, table)
    add_tile(cells[0], space, side)
    for _ in range(TILE_LEGS):
        cells[1] = cells[0]
        run_leg(cells[1], rng, 1.0 / TILE_LEGS, table)


@kernel
def card_chances(packed: int, pile: int, hand: int, out: Array) -> None:
    """Write how likely each camel of a hand was laid on a pile when the camels stood as `moment` packed them."""
    space, height = np.zeros(CAMELS, np.int64), np.zeros(CAMELS, np.int64)
    table = np.zeros((ROWS, RACING), np.float64)
    for camel in range(CAMELS):
        place = packed >> 8 * (CAMELS - 1 - camel)
        space[camel], height[camel] = (place >> 3) & 31, place & 7
    add_race_chances(space, height, 1.0, table)
    whole = 0.0
    for camel in range(RACING):
        chance = table[PILE_ROWS[pile], camel]
        out[camel] = LEAST_CARD_CHANCE + chance * chance if (hand >> camel) & 1 else 0.0  # likelier: laid more often
        whole += out[camel]
    for camel in range(RACING):
        out[camel] /= whole
