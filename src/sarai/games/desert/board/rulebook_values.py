"""The numbers that fill the rules for people, and which section of them fits the present position."""

from collections.abc import Mapping
from typing import Any

from sarai.core.messages import Argument, Either
from sarai.core.registry import game
from sarai.games.desert.setup import pile_size
from sarai.games.desert.state import KINDS, LARGEST_POINTS, OASIS_POINTS, TIED_POINTS, VALUES, WHOLE_BOARD
from sarai.games.desert.terrain import PALMS

SECTIONS = {"leaders": "leaders", "first": "camels", "camels": "camels", "over": "end"}


def numbers(game_id: str) -> dict[str, Argument]:
    """Return the numbers of the rules."""
    players = game(game_id).players
    return {
        "values": Either(range(1, VALUES + 1)),
        "oasis": OASIS_POINTS,
        "largest": LARGEST_POINTS,
        "tied": TIED_POINTS,
        "colours": KINDS,
        "palms": PALMS,
        "whole_board": WHOLE_BOARD,
        "most": players[-1],
        "pile_of_two": pile_size(players[0]),
        "pile_between": pile_size(WHOLE_BOARD - 1),
        "pile_of_more": pile_size(WHOLE_BOARD),
    }


def section(view: Mapping[str, Any], pick: str) -> str:
    """Return the part of the rules that matters now."""
    return SECTIONS.get(view["phase"], "setup")
