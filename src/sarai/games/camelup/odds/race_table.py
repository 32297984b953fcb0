"""Race odds of the first edition, exactly: one sweep over all shapes of a race, from its end to its beginning.

Camels only differ by their place in the order, so a position is a shape (where the first, the second … the last of
them stands; a stack is a run of equal spaces) and the places whose dice are still in the pyramid. Without tiles every
move brings the camels further, so what a position may become is known before the position is looked at. A table holds,
for every shape and every set of dice, the chance of each place to win and to lose the race.
"""

from math import comb

import numpy as np

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, kernel
from sarai.games.camelup.odds.race_runs import AHEAD, RaceRecord, order_of
from sarai.games.camelup.state import LAST_SPACE, LOSER, RACING, WINNER
from sarai.games.camelup.track import last_camel, leaders, run

SHAPES = comb(LAST_SPACE + RACING - 1, RACING)
SETS = 1 << RACING
ALL_DICE = SETS - 1
# A shape's number is a sum over its camels, by how many are ahead and the space. It counts from all camels before the
# line back to all on space 1, the last camel first, and becomes smaller whenever camels move.
PART = np.array(
    [[comb(LAST_SPACE - space + ahead, ahead + 1) for space in range(LAST_SPACE + 1)] for ahead in range(RACING)],
    np.int64,
)


def new_table(shapes: int = SHAPES) -> Array:
    """Make an empty table: [shape, places whose dice are in the pyramid, winner or loser, place]."""
    return np.zeros((shapes, SETS, 2, RACING), np.float64)


@kernel
def shape_of(race: RaceRecord, order: int) -> int:
    """Return the number of a race's shape."""
    shape = 0
    for camel in range(RACING):
        shape += int(PART[AHEAD[order, camel], race.space[camel]])
    return shape


@kernel
def dice_of(race: RaceRecord, order: int) -> int:
    """Return the places whose dice are in the pyramid, as bits; a leg that is over begins anew with all of them."""
    dice = 0
    for camel in range(RACING):
        if not (race.dice_out >> camel) & 1:
            dice |= 1 << int(AHEAD[order, camel])
    return dice if dice else ALL_DICE


@kernel
def set_shape(race: RaceRecord, shape: int) -> None:
    """Put the camels on the spaces of a shape, each with its place as its number."""
    for camel in range(RACING - 1, -1, -1):
        space = 1
        while PART[camel, space] > shape:
            space += 1
        shape -= PART[camel, space]
        race.space[camel] = space
        race.height[camel] = 0
        if camel < RACING - 1 and race.space[camel + 1] == space:
            race.height[camel] = race.height[camel + 1] + 1


@kernel
def add_move(race: RaceRecord, camel: int, number: int, shape: int, table: Array) -> None:
    """Add what a camel's move brings to every set of dice that has its die.

    The camels stand in the shape, which must be set anew afterwards.
    """
    crossed = run(race, camel, 1, number, None)
    first, _ = leaders(race)
    last, order = last_camel(race), order_of(race)
    after = 0 if crossed else shape_of(race, order)
    for dice in range(1, SETS):
        if not (dice >> camel) & 1:
            continue
        if crossed:
            table[shape, dice, WINNER, first] += 1.0
            table[shape, dice, LOSER, last] += 1.0
            continue
        race.dice_out = ALL_DICE & ~dice | 1 << camel
        left = dice_of(race, order)
        for end in range(2):
            for place in range(RACING):
                table[shape, dice, end, place] += table[after, left, end, AHEAD[order, place]]


@kernel
def sweep_races(cells: Array, table: Array, known: int, wanted: int) -> None:
    """Fill a table in which the first `known` shapes are known until `wanted` of them are."""
    race: RaceRecord = cells[0]
    for shape in range(known, wanted):
        for camel in range(RACING):
            for number in range(1, 4):
                set_shape(race, shape)
                add_move(race, camel, number, shape, table)
        for dice in range(1, SETS):
            moves = 3 * count_bits(dice)
            for end in range(2):
                for place in range(RACING):
                    table[shape, dice, end, place] /= moves
