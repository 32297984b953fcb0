"""Exact odds of a leg of Camel Up: every order of the dice and every number they may show, with equal positions merged.

Positions are kept by the set of dice that are out. All of a set come from the sets with one die less, so sets in the
order of their numbers are made before they are needed, and two ways can only meet within a set. The last die of a leg
ends it: what it brings is counted and not kept.
"""

from typing import Annotated, NamedTuple

import numpy as np

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dtype import record
from sarai.games.camelup.odds.race_runs import AHEAD, ORDERS, RACE, RaceRecord, add_tile, order_of, set_race
from sarai.games.camelup.odds.race_table import ALL_DICE, new_table, shape_of
from sarai.games.camelup.scoring import ticket_pay
from sarai.games.camelup.state import (
    BLACK,
    DICE_PER_LEG,
    GREY,
    LAST_SPACE,
    LOSER,
    MOST_PLAYERS,
    NUM_DICE,
    RACING,
    WHITE,
    WINNER,
    PublicRecord,
)
from sarai.games.camelup.track import (
    crazy_mover,
    last_camel,
    leaders,
    let_grey_die_out,
    let_racing_die_out,
    moment,
    restore,
)
from sarai.games.camelup.turn_actions import tickets_left, top_ticket

FACES = 6  # of every die; a racing die shows each of its numbers on two of them (C1-02, C2-02)
DICE_SETS = 1 << 6
MOST_POSITIONS = 1 + 21 + 360 + 4_860 + 48_600  # with none to four dice out, if no two ways ever met
HASH_SLOTS = 8_192  # more than twice as many as a set has positions: 24 orders of four dice, 6 × 3 × 3 × 3 faces
HASH_PRIME = 1_000_003


class SweepRecord:
    """A leg in the making and what comes of it; ways are counted out of the number that `sweep_leg` returns."""

    packed: Annotated[Array, "i8", MOST_POSITIONS]  # positions, as `moment` packs them …
    ways: Annotated[Array, "i8", MOST_POSITIONS]  # … and in how many ways the dice lead there
    begins: Annotated[Array, "i8", DICE_SETS]  # where the positions of a set of dice begin …
    ends: Annotated[Array, "i8", DICE_SETS]  # … and end
    slots: Annotated[Array, "i4", HASH_SLOTS]  # a hash table: 1 + the place of a position of the current set, 0: none
    orders: Annotated[Array, "i8", ORDERS]  # [order]: ways in which the leg ends so
    places: Annotated[Array, "i8", RACING, RACING]  # [camel, how many are ahead of it]: ways in which the leg ends so
    landings: Annotated[Array, "i8", LAST_SPACE + 1]  # [space]: how often a unit ends its move there, over all ways
    tile_pays: Annotated[Array, "i8", MOST_PLAYERS]  # [tile]: pounds for its owner, over all ways


SWEEP = record("camelup_sweep", SweepRecord)


class Workspace(NamedTuple):
    """Arrays for the odds of any leg, made once and used again and again."""

    cells: Array  # of RACE: the position, and one to move camels in
    sweep: Array  # of SWEEP
    chances: Array  # [winner or loser, camel]: of ending the race so; worked out where there is a table
    table: Array  # of races of the first edition, known up to the position's shape; empty where not asked for


def new_workspace() -> Workspace:
    """Make arrays for the odds of any leg; `workspace._replace(table=…)` adds those of the race."""
    return Workspace(np.zeros(2, RACE), np.zeros(1, SWEEP), np.zeros((2, RACING), np.float64), new_table(0))


@kernel
def ways_from(dice: int, out: int) -> int:
    """Return in how many ways a leg goes on when `out` of the dice are out: any die of those left, any face of it."""
    ways = 1
    while out < DICE_PER_LEG:
        ways *= (dice - out) * FACES
        out += 1
    return ways


@kernel
def numbers_of(race: RaceRecord, die: int) -> tuple[int, int]:
    """Return how many different things a die may bring, and on how many of its faces each of them stands."""
    if die != GREY or crazy_mover(race, WHITE, None) == crazy_mover(race, BLACK, None):  # the number alone counts
        return 3, 2
    return 6, 1


@kernel
def slots_for(sweep: SweepRecord, drawn: int, dice: int) -> int:
    """Empty as many slots as the positions of a set need, at most one in two taken; return how many, a power of two."""
    most = 0
    for die in range(dice):
        if (drawn >> die) & 1:
            before = drawn ^ 1 << die
            most += (sweep.ends[before] - sweep.begins[before]) * (6 if die == GREY else 3)
    slots = 16
    while slots < 2 * most:
        slots *= 2
    for slot in range(slots):
        sweep.slots[slot] = 0
    return slots


@kernel
def merge(sweep: SweepRecord, packed: int, ways: int, used: int, slots: int) -> int:
    """Add ways to a position of the current set; return how many positions there are then."""
    slot = packed % HASH_PRIME & (slots - 1)
    while sweep.slots[slot]:
        found = sweep.slots[slot] - 1
        if sweep.packed[found] == packed:
            sweep.ways[found] += ways
            return used
        slot = slot + 1 & (slots - 1)
    sweep.slots[slot] = used + 1
    sweep.packed[used] = packed
    sweep.ways[used] = ways
    return used + 1


@kernel
def count_race(race: RaceRecord, crossed: bool, ways: int, table: Array, chances: Array) -> None:
    """Count how the race ends after a leg: decided if the line was crossed, else as the table says of a new leg."""
    if crossed:
        first, _ = leaders(race)
        chances[WINNER, first] += ways
        chances[LOSER, last_camel(race)] += ways
        return
    order = order_of(race)
    shape = shape_of(race, order)
    for end in range(2):
        for camel in range(RACING):
            chances[end, camel] += ways * table[shape, ALL_DICE, end, AHEAD[order, camel]]


@kernel
def collect(race: RaceRecord, ways: int, sweep: SweepRecord) -> None:
    """Take the pounds that tiles brought in the last move."""
    for tile in range(race.players):
        if race.pounds[tile]:
            sweep.tile_pays[tile] += race.pounds[tile] * ways
            race.pounds[tile] = 0


@kernel
def let_one_out(workspace: Workspace, drawn: int, die: int, used: int, slots: int) -> int:
    """Let a die come out as the last one of a set, from every position without it; return the number of positions."""
    race: RaceRecord = workspace.cells[1]
    sweep: SweepRecord = workspace.sweep[0]
    before, out = drawn ^ 1 << die, count_bits(drawn)
    rest = ways_from(int(NUM_DICE[race.edition]), out)
    for position in range(sweep.begins[before], sweep.ends[before]):
        packed = sweep.packed[position]
        if die == GREY:
            restore(race, packed)
        numbers, faces = numbers_of(race, die)
        ways = sweep.ways[position] * faces
        for face in range(numbers):
            restore(race, packed)
            if die == GREY:
                camel, crossed = let_grey_die_out(race, face, None)
            else:
                camel, crossed = die, let_racing_die_out(race, die, face + 1, None)
            collect(race, ways * rest, sweep)
            if not crossed:
                sweep.landings[race.space[camel]] += ways * rest
            if crossed or out == DICE_PER_LEG:  # a race that is over ends the leg too (C1-28, C2-27)
                sweep.orders[order_of(race)] += ways * rest
                if len(workspace.table):
                    count_race(race, crossed, ways * rest, workspace.table, workspace.chances)
            else:
                used = merge(sweep, moment(race), ways, used, slots)
    return used


@kernel
def sweep_leg(workspace: Workspace) -> int:
    """Work out the odds of the leg in the first cell, and of the race where there is a table; return all ways."""
    workspace.cells[1] = workspace.cells[0]
    race: RaceRecord = workspace.cells[1]
    sweep: SweepRecord = workspace.sweep[0]
    dice, out = int(NUM_DICE[race.edition]), int(race.dice_out)
    whole = ways_from(dice, count_bits(out))
    sweep.orders[:] = 0
    sweep.places[:] = 0
    sweep.landings[:] = 0
    sweep.tile_pays[:] = 0
    sweep.begins[:] = 0
    sweep.ends[:] = 0
    workspace.chances[:] = 0.0
    sweep.packed[0] = moment(race)
    sweep.ways[0] = 1
    sweep.ends[out] = 1
    used = 1
    for drawn in range(out + 1, 1 << dice):
        if drawn & out == out and count_bits(drawn) <= DICE_PER_LEG:
            slots = slots_for(sweep, drawn, dice) if count_bits(drawn) < DICE_PER_LEG else 0
            sweep.begins[drawn] = used
            for die in range(dice):
                if ((drawn & ~out) >> die) & 1:
                    used = let_one_out(workspace, drawn, die, used, slots)
            sweep.ends[drawn] = used
    for order in range(ORDERS):
        if sweep.orders[order]:
            for camel in range(RACING):
                sweep.places[camel, AHEAD[order, camel]] += sweep.orders[order]
    for end in range(2):
        for camel in range(RACING):
            workspace.chances[end, camel] /= whole
    return whole


@kernel
def sweep_leg_with_tile(state: PublicRecord, seat: int, space: int, side: int, workspace: Workspace) -> int:
    """Work out the odds of the leg with a seat's tile laid on, or moved to, a space; its pay is the last one."""
    set_race(state, seat, workspace.cells[0])
    add_tile(workspace.cells[0], space, side)
    return int(sweep_leg(workspace))


@kernel
def bet_pays(state: PublicRecord, whole: int, sweep: SweepRecord, pays: Array) -> None:
    """Write what each camel's top betting ticket pays over all ways of a leg that was swept; 0 where none is left."""
    for camel in range(RACING):
        pays[camel] = 0
        if tickets_left(state, camel):
            ticket = top_ticket(state, camel)
            first, second = sweep.places[camel, 0], sweep.places[camel, 1]
            pays[camel] += first * ticket_pay(state, camel, ticket, camel, -1)
            pays[camel] += second * ticket_pay(state, camel, ticket, -1, camel)
            pays[camel] += (whole - first - second) * ticket_pay(state, camel, ticket, -1, -1)
