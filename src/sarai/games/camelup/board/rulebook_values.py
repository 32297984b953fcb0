"""The numbers that fill the rules for people, and which section of them fits the present position."""

from collections.abc import Mapping
from typing import Any

from sarai.core.messages import Argument, Series
from sarai.games.camelup.state import (
    DICE_PER_LEG,
    FIRST,
    LAST_SPACE,
    MAX_MOVES,
    NUM_DICE,
    PARTNERSHIPS_FROM,
    PRIZES,
    RACING,
    SECOND,
    STARTING_POUNDS,
    TICKET_WORTH,
    TICKETS_PER_CAMEL,
)

PICKED = {"side": "tile", "card": "race-bet"}  # what was picked on the board, up to its first dash
SECTIONS = {"turn": "turn", "roll": "moving", "over": "end"}


def numbers(game_id: str) -> dict[str, Argument]:
    """Return the numbers of an edition's rules."""
    edition = SECOND if game_id.endswith("2018") else FIRST
    tickets = int(TICKETS_PER_CAMEL[edition])
    return {
        "camels": RACING,
        "spaces": LAST_SPACE,
        "first": 1,
        "low": 1,
        "high": 3,
        "tickets": tickets,
        "worth": Series(TICKET_WORTH[edition, :tickets].tolist()),
        "pyramid": DICE_PER_LEG,
        "dice": int(NUM_DICE[edition]),
        "pounds": STARTING_POUNDS,
        "prizes": Series(PRIZES[:-1].tolist()),
        "last_prize": int(PRIZES[-1]),
        "partners_from": PARTNERSHIPS_FROM,
        "box_fewest": 3,
        "limit": MAX_MOVES,
    }


def facts(view: Mapping[str, Any]) -> dict[str, Argument]:
    """Return what examples say of a position: the worth of the betting tickets that the first player has."""
    return {
        f"{camel}_worth": [ticket["worth"] for ticket in tickets if ticket["owner"] == 0]
        for camel, tickets in view["tickets"].items()
    }


def section(view: Mapping[str, Any], pick: str) -> str:
    """Return the part of the rules that matters now: of what was picked, or of the moment."""
    return PICKED.get(pick.partition("-")[0]) or SECTIONS.get(view["phase"], "setup")
