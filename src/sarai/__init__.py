"""Sarai: a house for table games. See the README; `sarai.game_ids()` and `sarai.game(id)` are the way in."""

from typing import TYPE_CHECKING, Any

from sarai.core.errors import BadRecord, BadStart, BadText, Error, Illegal, UnknownGame
from sarai.core.game import Game
from sarai.core.registry import game, game_ids
from sarai.core.result import CHANCE, OVER, Result

if TYPE_CHECKING:
    from sarai.core.records import Record
    from sarai.core.state_and_view import State, View

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "OVER",
    "BadRecord",
    "BadStart",
    "BadText",
    "Error",
    "Game",
    "Illegal",
    "Record",
    "Result",
    "State",
    "UnknownGame",
    "View",
    "game",
    "game_ids",
]

_LATE = {"State": "sarai.core.state_and_view", "View": "sarai.core.state_and_view", "Record": "sarai.core.records"}


def __getattr__(name: str) -> Any:
    """Import what needs NumPy and Numba only when it is asked for."""
    if name in _LATE:
        import importlib

        return getattr(importlib.import_module(_LATE[name]), name)
    raise AttributeError(f"module 'sarai' has no attribute {name!r}")
