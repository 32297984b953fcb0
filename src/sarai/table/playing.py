"""Playing a move: whether it is allowed, what follows and who sees what are asked one after the other, and the rules answer once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sarai.core.state import State

KEPT = 256  # moves that are being decided at the same time, and a few more


@lru_cache(KEPT, typed=True)
def played(state: State, move: int, seat: int) -> tuple[State, Any]:
    """Return the state after a move of a seat, or an outcome of chance, and what the rules told on the way; Illegal if it may not be made."""
    return state.play_traced(move, seat)
