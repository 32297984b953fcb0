"""The numbers that fill the rules for people, and which section of them fits the present position."""

from collections.abc import Mapping
from typing import Any

from sarai.core.messages import Argument, Series, Term
from sarai.games.anubixx.scoring import BONUS_POINTS, JOKER_POINTS
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import ARCH, COLUMN, IDLE_LIMITS, KINDS, PYRAMID, QUARRY, RELIEF, SYMBOLS

DICE, DICE_OF_TWO = 4, 3
SECTIONS = {"roll": "round", "build": "building", "over": "score"}


def numbers(game_id: str) -> dict[str, Argument]:
    """Return the numbers of the rules."""
    relief = {2 * pairs: points for pairs, points in enumerate(SHEETS.relief_points) if points}
    return {
        "dice": DICE,
        "few_dice": DICE_OF_TWO,
        "colours": KINDS,
        "quarry": QUARRY,
        "pyramid_stones": len(PYRAMID),
        "arch_stones": len(ARCH),
        "relief_stones": len(RELIEF),
        "single": [Term(name, "bonus") for name, (_, stones) in SYMBOLS.items() if stones == "one"],
        "eyes": len(SHEETS.symbols["eye"]),
        "cats": len(SHEETS.symbols["cat"]),
        "column": COLUMN,
        "bonus": BONUS_POINTS,
        "joker": JOKER_POINTS,
        "idle": IDLE_LIMITS[-1],
        "pyramid_points": Series(SHEETS.pyramid_points[1:]),
        "second_row": SHEETS.pyramid_points[2],
        "arch_points": Series(SHEETS.arch_points[1:-1]),
        "keystone": SHEETS.arch_points[-1],
        "relief_counts": Series(relief),
        "relief_points": Series(relief.values()),
    }


def facts(view: Mapping[str, Any]) -> dict[str, Argument]:
    """Return what examples say of a position: the points of the viewer's sheet."""
    points = dict(view["seats"][view["seat"] or 0]["points"])
    return {"quarry_left": points.pop("quarry"), **points}


def section(view: Mapping[str, Any], pick: str) -> str:
    """Return the part of the rules that matters now; who has picked a stone chooses how to pay for it."""
    return "paying" if pick else SECTIONS.get(view["phase"], "setup")
