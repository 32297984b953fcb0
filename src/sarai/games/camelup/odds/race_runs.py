"""A race of Camel Up for odds: camels, dice and tiles in a record that is quick to copy, and races run to their end."""

import numpy as np

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dtype import record
from sarai.games.camelup.rules import draw
from sarai.games.camelup.state import (
    CAMELS,
    DICE_PER_LEG,
    LOSER,
    MIRAGE,
    MOST_PLAYERS,
    RACING,
    ROLLING,
    WINNER,
    PublicRecord,
    TrackRecord,
)
from sarai.games.camelup.track import clear_track, last_camel, lead, leaders, let_out


class RaceRecord(TrackRecord):
    """The part of a state that odds need; its `players` are the owners of the tiles on the track."""


RACE = record("camelup_race", RaceRecord)

ORDERS = 1 << RACING * (RACING - 1) // 2
PAIRS = [(other, camel) for camel in range(RACING) for other in range(camel)]  # a bit of an order for each
# [order, camel]: how many racing camels are ahead of it.
AHEAD = np.array(
    [
        [
            sum((order >> bit & 1) != (camel == pair[1]) for bit, pair in enumerate(PAIRS) if camel in pair)
            for camel in range(RACING)
        ]
        for order in range(ORDERS)
    ],
    np.int8,
)


@kernel
def set_race(state: PublicRecord, lifted: int, race: RaceRecord) -> None:
    """Copy what odds need of a state or a view, without the tile of the seat that lifts it (-1: none does)."""
    race.edition = state.edition
    race.phase = ROLLING
    race.dice_out = state.dice_out
    for camel in range(CAMELS):
        race.space[camel] = state.space[camel]
        race.height[camel] = state.height[camel]
    for seat in range(MOST_PLAYERS):
        race.tiles[seat] = 0
        race.pounds[seat] = 0
    race.players = 0
    for seat in range(state.players):
        if seat != lifted and state.tiles[seat]:
            race.tiles[race.players] = state.tiles[seat]
            race.players += 1


@kernel
def add_tile(race: RaceRecord, space: int, side: int) -> None:
    """Lay one more tile; it is the last of the race's."""
    race.tiles[race.players] = -space if side == MIRAGE else space
    race.players += 1


@kernel
def order_of(race: RaceRecord) -> int:
    """Return the order of the racing camels, a bit for every pair of which the later colour is ahead (C1-17, C2-22)."""
    order = pair = 0
    for camel in range(RACING):
        for other in range(camel):
            order |= (lead(race, camel) > lead(race, other)) << pair
            pair += 1
    return order


@kernel
def begin_leg_without_tiles(race: RaceRecord) -> None:
    """Begin a leg in which no tile is laid."""
    clear_track(race)
    race.players = 0  # owners of tiles


@kernel
def finish_race(race: RaceRecord, rng: Array) -> None:
    """Let dice come out until a camel crosses the line; no tile is laid any more."""
    while not let_out(race, draw(race, rng), None):
        if count_bits(race.dice_out) == DICE_PER_LEG:
            begin_leg_without_tiles(race)


@kernel
def run_races(cells: Array, races: int, rng: Array, ends: Array) -> None:
    """Run races from the first cell in the second, and count winners and losers: [winner or loser, camel]."""
    for _ in range(races):
        cells[1] = cells[0]
        race: RaceRecord = cells[1]
        finish_race(race, rng)
        first, _ = leaders(race)
        ends[WINNER, first] += 1
        ends[LOSER, last_camel(race)] += 1
