"""Chances at a glance: a few legs run to their end tell about how tickets, tiles and race cards stand, in microseconds where exact odds take milliseconds."""

from math import exp

import numpy as np

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.games.camelup.race import RACE, add_tile, set_race
from sarai.games.camelup.race_sample import begin_bare_leg, finish_race
from sarai.games.camelup.rules import draw
from sarai.games.camelup.table import CAMELS, GREY_FACE, LEG, LINE, PLACE, RACING
from sarai.games.camelup.track import last_camel, leaders, let_grey_die_out, let_racing_die_out, moment

LEGS = 16  # run for every glance
RACES = 1_000  # run to look with care …
TRIAL_LEGS = 300  # … and legs to see what a tile would do
# Rows of the table that `glance_ahead` fills; the first four by camel, the last by space.
FIRST_IN_LEG, SECOND_IN_LEG, WINS, LOSES, LANDINGS = range(5)
ROWS, COLUMNS = 5, LINE + 4
PILE_ROWS = np.array([WINS, LOSES], np.int64)  # of the winner and the loser pile
CARRIED = 1.2  # how many spaces a place higher in a stack is worth in the long run; this and the spreads are fitted to races run to their end


@kernel
def add_race_chances(space: Array, height: Array, share: float, table: Array) -> None:
    """Add the chances of every racing camel to win and to lose the race at last: the further the way, the further behind may still win."""
    furthest, hindmost, leading = -9.0, 99.0, 0
    for camel in range(RACING):
        place = space[camel] + CARRIED * height[camel]
        furthest, hindmost = max(furthest, place), min(hindmost, place)
        leading = max(leading, int(space[camel]))
    way = LINE + 1 - leading
    win_spread, lose_spread = 1.0 + 0.5 * way, 0.5 + 0.3 * way
    all_win = all_lose = 0.0
    for camel in range(RACING):
        place = space[camel] + CARRIED * height[camel]
        all_win += exp((place - furthest) / win_spread)
        all_lose += exp((hindmost - place) / lose_spread)
    for camel in range(RACING):
        place = space[camel] + CARRIED * height[camel]
        table[WINS, camel] += share * exp((place - furthest) / win_spread) / all_win
        table[LOSES, camel] += share * exp((hindmost - place) / lose_spread) / all_lose


@kernel
def run_leg(race: Rec, luck: Array, share: float, table: Array) -> bool:
    """Run a leg to its end and add how it went to the table; say whether it ended the race."""
    crossed = False
    while not crossed and count_bits(race.dice_out) < LEG:
        outcome = draw(race, luck)
        if outcome < PLACE:
            camel = outcome // 3
            crossed = let_racing_die_out(race, camel, outcome % 3 + 1, None)
        else:
            camel, crossed = let_grey_die_out(race, outcome - GREY_FACE, None)
        if not crossed:
            table[LANDINGS, race.space[camel]] += share
    for tile in range(race.players):  # who lands on a tile is sent on from there: what it paid counts for its space
        table[LANDINGS, abs(race.tiles[tile])] += share * race.pounds[tile]
    first, second = leaders(race)
    table[FIRST_IN_LEG, first] += share
    table[SECOND_IN_LEG, second] += share
    return bool(crossed)


@kernel
def add_race_end(race: Rec, share: float, table: Array) -> None:
    """Add who won and who lost a race that is over."""
    first, _ = leaders(race)
    table[WINS, first] += share
    table[LOSES, last_camel(race)] += share


@kernel
def line_up(state: Rec, lifted: int, cells: Array, luck: Array, table: Array) -> None:
    """Put the race into the first cell, without the tile of a seat (-1: of none), and begin: luck is the same for the same camels, dice and tiles."""
    luck[0] = moment(state)
    set_race(state, lifted, cells[0])
    table[:] = 0.0


@kernel
def glance_ahead(state: Rec, table: Array) -> None:
    """Fill a table with chances of the leg and of the race, and how often a unit will land on each space."""
    cells, luck = np.zeros(2, RACE), np.zeros(1, np.uint64)
    line_up(state, -1, cells, luck, table)
    for _ in range(LEGS):
        cells[1] = cells[0]
        race = cells[1]
        if run_leg(race, luck, 1.0 / LEGS, table):
            add_race_end(race, 1.0 / LEGS, table)
        else:
            add_race_chances(race.space, race.height, 1.0 / LEGS, table)


@kernel
def look_ahead(state: Rec, table: Array) -> None:
    """Fill the same table with care: by many races run to their end."""
    cells, luck = np.zeros(2, RACE), np.zeros(1, np.uint64)
    line_up(state, -1, cells, luck, table)
    for _ in range(RACES):
        cells[1] = cells[0]
        race = cells[1]
        if not run_leg(race, luck, 1.0 / RACES, table):
            begin_bare_leg(race)
            finish_race(race, luck)
        add_race_end(race, 1.0 / RACES, table)


@kernel
def try_tile(state: Rec, seat: int, space: int, side: int, table: Array) -> None:
    """Fill the rows of the leg of a table as if a seat's tile lay on a space."""
    cells, luck = np.zeros(2, RACE), np.zeros(1, np.uint64)
    line_up(state, seat, cells, luck, table)
    add_tile(cells[0], space, side)
    for _ in range(TRIAL_LEGS):
        cells[1] = cells[0]
        run_leg(cells[1], luck, 1.0 / TRIAL_LEGS, table)


@kernel
def card_guess(packed: int, pile: int, hand: int, out: Array) -> None:
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
        out[camel] = 0.02 + chance * chance if (hand >> camel) & 1 else 0.0  # the likelier, the more likely laid
        whole += out[camel]
    for camel in range(RACING):
        out[camel] /= whole
