"""What odds need of a table of Camel Up: the camels, the dice that are out and the tiles on the track, in a record small enough to be copied for every die."""

from typing import Annotated

import numpy as np

from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.kernels.dtype import I1, record
from sarai.games.camelup.table import CAMELS, MIRAGE, RACING, ROLLING, SEATS
from sarai.games.camelup.track import lead


# The fields have the names that the rules know, so that the rules move these camels too; a race's players are the owners of the tiles that lie on the track.
class RaceRecord:
    """The part of a state that odds need."""

    players: I1
    edition: I1
    phase: I1
    dice_out: I1
    space: Annotated[Array, "i1", CAMELS]
    height: Annotated[Array, "i1", CAMELS]
    shown: Annotated[Array, "i1", 6]
    tiles: Annotated[Array, "i1", SEATS]
    pounds: Annotated[Array, "i4", SEATS]


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
def set_race(state: Rec, lifted: int, race: Rec) -> None:
    """Copy what odds need of a state or a view, without the tile of a seat that lifts it (-1: nobody does)."""
    race.edition = state.edition
    race.phase = ROLLING
    race.dice_out = state.dice_out
    for camel in range(CAMELS):
        race.space[camel] = state.space[camel]
        race.height[camel] = state.height[camel]
    for seat in range(SEATS):
        race.tiles[seat] = 0
        race.pounds[seat] = 0
    race.players = 0
    for seat in range(state.players):
        if seat != lifted and state.tiles[seat]:
            race.tiles[race.players] = state.tiles[seat]
            race.players += 1


@kernel
def add_tile(race: Rec, space: int, side: int) -> None:
    """Lay one more tile; it is the last of the race's."""
    race.tiles[race.players] = -space if side == MIRAGE else space
    race.players += 1


@kernel
def order_of(race: Rec) -> int:
    """Return how the racing camels stand to each other, a bit for every pair of which the later colour is ahead (C1-17, C2-22)."""
    order = pair = 0
    for camel in range(RACING):
        for other in range(camel):
            order |= (lead(race, camel) > lead(race, other)) << pair
            pair += 1
    return order
