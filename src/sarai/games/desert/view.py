"""What a player of Through the Desert knows: everything (D-37)."""

from typing import Any

import numpy as np

from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.position_text import within
from sarai.core.result import OVER
from sarai.games.desert.hex_sets import hexes_of
from sarai.games.desert.position_check import Position, describe, restore
from sarai.games.desert.scoring import tally
from sarai.games.desert.setup import begin
from sarai.games.desert.state import (
    COLOURS,
    ENDINGS,
    MAX_MOVES,
    PHASES,
    STATE,
    TOKENS_EACH,
    VALUES,
    StateRecord,
    ViewRecord,
    copy_state,
)
from sarai.games.desert.terrain import BOARD, NUMBERS

POINTS = ("water", "oases", "areas", "largest")  # the largest caravans as they stand


@kernel
def look(state: StateRecord, seat: int, view: ViewRecord) -> None:
    """Write what a seat knows."""
    copy_state(state, view)
    view.seat = seat


@kernel
def sample(view: ViewRecord, rng: Array, state: StateRecord) -> None:
    """Write the only state that a view allows."""
    copy_state(view, state)


def named(hexes: list[int]) -> list[str]:
    """Return the names of hexes."""
    return [BOARD.names[hex] for hex in hexes]


def view_json(cell: Cell) -> dict[str, Any]:
    """Return a view's own part of its JSON."""
    v, position = cell[0], describe(cell)
    seats = range(int(v["players"]))
    points = np.zeros((len(seats), len(POINTS)), np.int64)
    tally(v, points)
    return {
        "phase": PHASES[position.phase],
        "ending": ENDINGS[position.ending],
        "moves_made": position.moves,
        "camels_left": position.left,
        "aside": [COLOURS[colour] for colour in position.aside],
        "oases": named(position.oases),
        "water": {BOARD.names[hex]: value for hex, value in sorted(position.water.items())},
        "caravans": [
            {COLOURS[colour]: named(camels) for colour, camels in caravans.items()} for caravans in position.caravans
        ],
        "tokens": position.tokens,
        "enclosed": [named(hexes) for hexes in hexes_of(v["enclosed"][: len(seats)])],
        "piles": dict(zip(COLOURS, v["piles"].tolist(), strict=True)),
        "points": [dict(zip(POINTS, row, strict=True)) for row in points.tolist()],
    }


def read_view(cell: Cell, data: dict[str, Any]) -> None:
    """Fill a view from its JSON: build the position, and refuse anything that does not follow from it."""
    players = int(cell["players"][0])
    position = Position(
        phase=PHASES.index(data["phase"]),
        ending=ENDINGS.index(data["ending"]),
        moves=within(data["moves_made"], 0, MAX_MOVES),
        aside=[COLOURS.index(colour) for colour in data["aside"]],
        oases=[NUMBERS[hex] for hex in data["oases"]],
        water={NUMBERS[hex]: within(value, 1, VALUES) for hex, value in data["water"].items()},
        caravans=[
            {COLOURS.index(colour): [NUMBERS[hex] for hex in camels] for colour, camels in caravans.items()}
            for caravans in data["caravans"]
        ],
        tokens=[[within(count, 0, TOKENS_EACH) for count in counts] for counts in data["tokens"]],
        turn=max(within(data["actor"], OVER, players - 1), 0),
        left=within(data["camels_left"], 0, 2),
    )
    if [len(position.caravans), len(position.tokens), *map(len, position.tokens)] != [players, players] + [
        VALUES
    ] * players:
        raise ValueError("it has not the right number of seats")
    if not all(camels for caravans in position.caravans for camels in caravans.values()):
        raise ValueError("a caravan has no camel")
    made = np.zeros(1, STATE)
    made["players"], made["rules_version"] = players, cell["rules_version"]
    begin(made, players, {})
    restore(made, position)
    seat, actor, acting = (int(cell[name][0]) for name in ("seat", "actor", "acting"))
    look(made[0], seat, cell[0])
    wanted = view_json(cell)
    if (actor, acting) != (cell["actor"][0], cell["acting"][0]) or any(
        data[name] != value for name, value in wanted.items()
    ):
        raise ValueError("its parts do not fit each other")
