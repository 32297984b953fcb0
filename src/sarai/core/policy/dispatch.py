"""What a game knows about good play: kernels that searches call, found by the type of the game's record."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import from_dtype, int64

from sarai.core.kernels.compile import COMPILED, Array, kernel
from sarai.core.kernels.dispatch import compiled_as
from sarai.core.kernels.dtype import StandardRecord

POLICIES: dict[object, dict[str, Callable[..., Any]]] = {}  # Numba's record type, and the NumPy dtype, to the kernels


@kernel
def keep_sampled(state: StandardRecord, seat: int, rng: Array) -> None:
    """Leave hidden choices as they were sampled: the default of `resample_hidden`."""


def register_policy(
    state: np.dtype[Any],
    *,
    weigh: Callable[..., Any],
    estimate: Callable[..., Any],
    resample_hidden: Callable[..., Any] = keep_sampled,
    weigh_carefully: Callable[..., Any] | None = None,
) -> None:
    """Register a game's policy kernels for all searches; without `weigh_carefully`, `weigh` is used in its place."""
    kernels = {
        "weigh": weigh,
        "estimate": estimate,
        "resample_hidden": resample_hidden,
        "weigh_carefully": weigh_carefully or weigh,
    }
    for key in [state, from_dtype(state)] if COMPILED else [state]:
        POLICIES[key] = kernels


def weigh_quickly(state: np.dtype[Any]) -> None:
    """Let `weigh` judge the move that is to be made, too: without a compiler the careful weights take seconds."""
    POLICIES[state]["weigh_carefully"] = POLICIES[state]["weigh"]


def weigh(state: Any, seat: int, moves: Array, count: int, out: Array) -> None:
    """Write the weight of each of a seat's legal moves, fast enough for playouts: the logarithm of its odds."""
    POLICIES[state.dtype]["weigh"](state, int(seat), moves, int(count), out)


def weigh_carefully(state: Any, seat: int, moves: Array, count: int, out: Array) -> None:
    """Write the same weights with more computation, for the move that is to be made."""
    POLICIES[state.dtype]["weigh_carefully"](state, int(seat), moves, int(count), out)


def estimate(state: Any, out: Array) -> None:
    """Write every seat's expected share of the win, judged without search."""
    POLICIES[state.dtype]["estimate"](state, out)


def resample_hidden(state: Any, seat: int, rng: Array) -> None:
    """Draw hidden choices of other seats again, as good players would have made them; what a seat knows stays."""
    POLICIES[state.dtype]["resample_hidden"](state, int(seat), rng)


if COMPILED:

    @compiled_as(weigh)
    def _weigh(state: Any, seat: Any, moves: Any, count: Any, out: Any) -> Any:
        rule = POLICIES[state]["weigh"]
        return lambda state, seat, moves, count, out: rule(state, int64(seat), moves, int64(count), out)

    @compiled_as(weigh_carefully)
    def _weigh_carefully(state: Any, seat: Any, moves: Any, count: Any, out: Any) -> Any:
        rule = POLICIES[state]["weigh_carefully"]
        return lambda state, seat, moves, count, out: rule(state, int64(seat), moves, int64(count), out)

    @compiled_as(estimate)
    def _estimate(state: Any, out: Any) -> Any:
        rule = POLICIES[state]["estimate"]
        return lambda state, out: rule(state, out)

    @compiled_as(resample_hidden)
    def _resample_hidden(state: Any, seat: Any, rng: Any) -> Any:
        rule = POLICIES[state]["resample_hidden"]
        return lambda state, seat, rng: rule(state, int64(seat), rng)


@kernel
def weigh_moves(cell: Array, seat: int, moves: Array, out: Array) -> None:
    """Write the careful weights of some legal moves of a seat."""
    weigh_carefully(cell[0], seat, moves, len(moves), out)
