"""The numbers that fill the rules for people, and which section of them fits the present position."""

from collections.abc import Mapping
from typing import Any

from sarai.core.messages import Argument, Series
from sarai.core.registry import game
from sarai.games.sixnimmt.cards import HEADS
from sarai.games.sixnimmt.state import CARDS, HAND, ROW_LIMIT, ROWS

VARIANT_MOST = 6  # players (N-18)
WORST = int(HEADS.argmax())
UNTOLD = frozenset({"chose", "chose_hidden"})  # events that examples leave out
SECTIONS = {"draft": "variant", "choose": "trick", "row": "low", "over": "end"}


def cards_with(heads: int) -> list[int]:
    """Return the cards that carry so many heads."""
    return [card for card in range(1, CARDS + 1) if HEADS[card] == heads]


def numbers(game_id: str) -> dict[str, Argument]:
    """Return the numbers of the rules."""
    tens, fives, doubles = (int(HEADS[card]) for card in (10, 5, 11))
    return {
        "rows": ROWS,
        "limit": ROW_LIMIT,
        "cards": CARDS,
        "hand": HAND,
        "first": 1,
        "target": int(next(option.default for option in game(game_id).options if option.name == "target")),
        "fewest": game(game_id).players[0],
        "variant_most": VARIANT_MOST,
        "example_players": ROWS,
        "example_cards": HAND * ROWS + ROWS,
        "worst": WORST,
        "worst_heads": int(HEADS[WORST]),
        "doubles": Series(cards_with(doubles)[:3]),
        "double_heads": doubles,
        "tens": Series(cards_with(tens)[:3]),
        "ten_heads": tens,
        "fives": Series(cards_with(fives)[:3]),
        "five_heads": fives,
        "other_heads": int(HEADS[1]),
    }


def facts(view: Mapping[str, Any]) -> dict[str, Argument]:
    """Return what examples say of a position: the last cards of its rows."""
    return {"ends": [row[-1] for row in view["rows"] if row]}


def section(view: Mapping[str, Any], pick: str) -> str:
    """Return the part of the rules that matters now."""
    return SECTIONS.get(view["phase"], "setup")
