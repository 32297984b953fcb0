"""What a player of Anubixx knows: the whole table, for nothing is hidden."""

from collections.abc import Mapping
from typing import Any

from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.kernels.dtype import copier, plain
from sarai.games.anubixx.position import check
from sarai.games.anubixx.rules import active_seat
from sarai.games.anubixx.scoring import (
    arch_points,
    bonus_points,
    joker_points,
    points_of,
    pyramid_points,
    quarry_points,
    relief_points,
)
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import (
    BONUSES,
    COLOURS,
    ENDINGS,
    PHASES,
    PLACES,
    SHEET_LETTERS,
    STONES,
    StateRecord,
    ViewRecord,
    bits_of,
    names_of,
)

STONE_COLOURS = {sheet.letter: tuple([COLOURS[colour] for colour in sheet.colours]) for sheet in SHEETS.sheets}
copy_table = copier(StateRecord)


@kernel
def look(state: StateRecord, seat: int, view: ViewRecord) -> None:
    """Write what a seat knows: the table."""
    copy_table(state, view)
    view.seat = seat


@kernel
def sample(view: ViewRecord, rng: Array, state: StateRecord) -> None:
    """Write the one state that a view allows."""
    copy_table(view, state)


def view_json(cell: Cell) -> dict[str, Any]:
    """Return a view's own part of its JSON: the table, and what is printed on the sheets in play."""
    v = plain(cell)
    return {
        "phase": PHASES[v["phase"]],
        "ending": ENDINGS[v["ending"]],
        "moves_made": v["moves_made"],
        "round": v["round_number"],
        "active": int(active_seat(cell[0])),
        "idle_rounds": v["idle"],
        "built_this_round": bool(v["built"]),
        "marked_this_turn": v["marked"],
        "dice": {
            name: [colour for colour, count in zip(COLOURS, v[name], strict=True) for _ in range(count)]
            for name in ("middle", "gone", "taken")
        },
        "closed": names_of(v["closed"], BONUSES),
        "seats": [seat_json(cell, v, seat) for seat in range(v["players"])],
        "print": print_json(v["sheets"]),
    }


def seat_json(cell: Cell, v: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Return what a seat has on its sheet, and what that is worth so far, from a record and its fields."""
    sheet, marks, crossed, jokers, bonuses = [
        v[name][seat] for name in ("sheets", "marks", "crossed", "jokers", "bonuses")
    ]
    return {
        "sheet": SHEET_LETTERS[sheet - 1] if sheet else None,
        "marked": names_of(marks, STONES),
        "crossed": names_of(crossed, PLACES),
        "jokers": jokers,
        "bonuses": names_of(bonuses, BONUSES),
        "points": {
            "pyramid": int(pyramid_points(marks)),
            "arch": int(arch_points(marks)),
            "relief": int(relief_points(marks)),
            "bonuses": int(bonus_points(bonuses)),
            "quarry": int(quarry_points(crossed)),
            "jokers": int(joker_points(jokers)),
            "total": int(points_of(cell[0], seat)),
        },
    }


def print_json(sheets: list[int]) -> dict[str, Any]:
    """Return what is printed: the colours of the sheets in play, symbols and points."""
    in_play = [SHEETS.sheets[sheet - 1] for sheet in sheets if sheet]
    return {
        "stones": {sheet.letter: dict(zip(STONES, STONE_COLOURS[sheet.letter], strict=True)) for sheet in in_play},
        "quarries": {sheet.letter: [COLOURS[colour] for colour in sheet.quarry] for sheet in in_play},
        "symbols": {symbol: [STONES[stone] for stone in stones] for symbol, stones in SHEETS.symbols.items()},
        "points": {
            "pyramid": list(SHEETS.pyramid_points),
            "arch": list(SHEETS.arch_points),
            "relief": list(SHEETS.relief_points),
        },
    }


def read_view(cell: Cell, data: dict[str, Any]) -> None:
    """Fill a view from its JSON, and refuse a table that no game comes to."""
    v = cell[0]
    v["phase"], v["ending"] = PHASES.index(data["phase"]), ENDINGS.index(data["ending"])
    v["moves_made"], v["round_number"] = data["moves_made"], data["round"]
    v["idle"], v["built"], v["marked"] = data["idle_rounds"], data["built_this_round"], data["marked_this_turn"]
    v["closed"] = bits_of(data["closed"], BONUSES)
    for name in ("middle", "gone", "taken"):
        v[name] = [data["dice"][name].count(colour) for colour in COLOURS]
    for seat, entry in zip(range(data["players"]), data["seats"], strict=True):
        v["sheets"][seat] = SHEET_LETTERS.index(entry["sheet"]) + 1 if entry["sheet"] else 0
        v["marks"][seat] = bits_of(entry["marked"], STONES)
        v["crossed"][seat] = bits_of(entry["crossed"], PLACES)
        v["jokers"][seat] = entry["jokers"]
        v["bonuses"][seat] = bits_of(entry["bonuses"], BONUSES)
    check(cell)
