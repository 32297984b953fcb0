"""What a game knows about good play: kernels that searches call, found by the type of the game's record."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import from_dtype, int64

from sarai.core.kernels.compile import COMPILED, Array, kernel
from sarai.core.kernels.dispatch import compiled_as
from sarai.core.kernels.dtype import StandardRecord

POLICIES: dict[object, dict[str, Callable[..., Any]]] = {}  # like RULES: what a game knows about good play


@kernel
def take_as_drawn(state: StandardRecord, seat: int, rng: Array) -> None:
    """Leave hidden things as they were drawn: what a game imagines that says nothing of its own."""


def register_policy(
    state: np.dtype[Any],
    *,
    weigh: Callable[..., Any],
    estimate: Callable[..., Any],
    imagine: Callable[..., Any] = take_as_drawn,
    study: Callable[..., Any] | None = None,
) -> None:
    """Give what a game knows about good play to every search; a game that studies no better than at a glance gives no `study`."""
    kernels = {"weigh": weigh, "estimate": estimate, "imagine": imagine, "study": study or weigh}
    for key in [state, from_dtype(state)] if COMPILED else [state]:
        POLICIES[key] = kernels


def weigh(state: Any, seat: int, moves: Array, count: int, out: Array) -> None:
    """Write how good each of a seat's legal moves looks at a glance: one more is e times as likely to be played."""
    POLICIES[state.dtype]["weigh"](state, int(seat), moves, int(count), out)


def study(state: Any, seat: int, moves: Array, count: int, out: Array) -> None:
    """Write the same with more care: for the move that is really to be made."""
    POLICIES[state.dtype]["study"](state, int(seat), moves, int(count), out)


def estimate(state: Any, out: Array) -> None:
    """Write every seat's expected share of the win, judged without looking ahead."""
    POLICIES[state.dtype]["estimate"](state, out)


def imagine(state: Any, seat: int, rng: Array) -> None:
    """Draw hidden choices of others again, as somebody who plays well would have made them; what a seat knows stays as it is."""
    POLICIES[state.dtype]["imagine"](state, int(seat), rng)


if COMPILED:

    @compiled_as(weigh)
    def _weigh(state: Any, seat: Any, moves: Any, count: Any, out: Any) -> Any:
        rule = POLICIES[state]["weigh"]
        return lambda state, seat, moves, count, out: rule(state, int64(seat), moves, int64(count), out)

    @compiled_as(study)
    def _study(state: Any, seat: Any, moves: Any, count: Any, out: Any) -> Any:
        rule = POLICIES[state]["study"]
        return lambda state, seat, moves, count, out: rule(state, int64(seat), moves, int64(count), out)

    @compiled_as(estimate)
    def _estimate(state: Any, out: Any) -> Any:
        rule = POLICIES[state]["estimate"]
        return lambda state, out: rule(state, out)

    @compiled_as(imagine)
    def _imagine(state: Any, seat: Any, rng: Any) -> Any:
        rule = POLICIES[state]["imagine"]
        return lambda state, seat, rng: rule(state, int64(seat), rng)


@kernel
def weigh_moves(cell: Array, seat: int, moves: Array, out: Array) -> None:
    """Write how good moves of a seat look to somebody who has to make one of them."""
    study(cell[0], seat, moves, len(moves), out)
