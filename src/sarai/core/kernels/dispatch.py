"""Dispatch by record type: generic algorithms call `legal`, `apply`, … and get the kernels of the record's game.

A game gives its kernels to `register`. They are found while a caller is compiled, or at run time without a compiler.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import from_dtype, int64
from numba.extending import overload

from sarai.core.kernels.compile import COMPILED, Array, F
from sarai.core.kernels.move_trace import Trace

KERNELS = ("legal", "refusal", "apply", "chance", "draw", "look", "sample", "score", "standing")
RULES: dict[object, dict[str, Callable[..., Any]]] = {}  # Numba's record type, and the NumPy dtype, to a game's kernels


def register(state: np.dtype[Any], view: np.dtype[Any], **kernels: Callable[..., Any]) -> None:
    """Register a game's kernels; raises for a second record of the same layout, which Numba could not tell apart."""
    if set(kernels) != set(KERNELS):
        raise ValueError(f"a game registers exactly {', '.join(KERNELS)}")
    for dtype in (state, view):
        keys: list[object] = [dtype]
        if COMPILED:
            keys.append(from_dtype(dtype))
        for key in keys:
            if key in RULES:
                raise ValueError("another record has the same layout and name")
            RULES[key] = kernels


def legal(state: Any, seat: int, out: Array) -> int:
    """List a seat's legal moves into `out`, ascending; return how many."""
    return int(RULES[state.dtype]["legal"](state, int(seat), out))


def refusal(state: Any, seat: int, move: int) -> int:
    """Say why a seat that may act now may not make a move: an index into the game's refusals, 0 if it may."""
    return int(RULES[state.dtype]["refusal"](state, int(seat), int(move)))


def apply(state: Any, seat: int, move: int, trace: Trace) -> None:
    """Play a legal move, or a chance outcome (seat CHANCE), in place."""
    RULES[state.dtype]["apply"](state, int(seat), int(move), trace)


def chance(state: Any, outcomes: Array, weights: Array) -> int:
    """List the outcomes of a chance node, ascending, with whole-number weights; return how many."""
    return int(RULES[state.dtype]["chance"](state, outcomes, weights))


def draw(state: Any, rng: Array) -> int:
    """Sample an outcome of a chance node without listing them."""
    return int(RULES[state.dtype]["draw"](state, rng))


def look(state: Any, seat: int, view: Any) -> None:
    """Write what a seat (-1: a spectator) knows into an empty view."""
    RULES[state.dtype]["look"](state, int(seat), view)


def sample(view: Any, rng: Array, state: Any) -> None:
    """Write a state that the view allows into an empty state, drawn as if hidden choices had been uniform."""
    RULES[view.dtype]["sample"](view, rng, state)


def score(state: Any, out: Array) -> None:
    """Write every seat's points as they stand."""
    RULES[state.dtype]["score"](state, out)


def standing(state: Any, out: Array) -> None:
    """Write a number per seat that orders them, higher is better, tie-breaks included."""
    RULES[state.dtype]["standing"](state, out)


def compiled_as(stub: Callable[..., Any]) -> Callable[[F], F]:
    """Say how calls of a stub are compiled; Numba wants both signatures equal, so annotations go."""

    def decorate(choose: F) -> F:
        choose.__annotations__.clear()
        chosen: F = overload(stub)(choose)
        return chosen

    return decorate


if COMPILED:

    @compiled_as(legal)
    def _legal(state: Any, seat: Any, out: Any) -> Any:
        rule = RULES[state]["legal"]
        return lambda state, seat, out: rule(state, int64(seat), out)

    @compiled_as(refusal)
    def _refusal(state: Any, seat: Any, move: Any) -> Any:
        rule = RULES[state]["refusal"]
        return lambda state, seat, move: rule(state, int64(seat), int64(move))

    @compiled_as(apply)
    def _apply(state: Any, seat: Any, move: Any, trace: Any) -> Any:
        rule = RULES[state]["apply"]
        return lambda state, seat, move, trace: rule(state, int64(seat), int64(move), trace)

    @compiled_as(chance)
    def _chance(state: Any, outcomes: Any, weights: Any) -> Any:
        rule = RULES[state]["chance"]
        return lambda state, outcomes, weights: rule(state, outcomes, weights)

    @compiled_as(draw)
    def _draw(state: Any, rng: Any) -> Any:
        rule = RULES[state]["draw"]
        return lambda state, rng: rule(state, rng)

    @compiled_as(look)
    def _look(state: Any, seat: Any, view: Any) -> Any:
        rule = RULES[state]["look"]
        return lambda state, seat, view: rule(state, int64(seat), view)

    @compiled_as(sample)
    def _sample(view: Any, rng: Any, state: Any) -> Any:
        rule = RULES[view]["sample"]
        return lambda view, rng, state: rule(view, rng, state)

    @compiled_as(score)
    def _score(state: Any, out: Any) -> Any:
        rule = RULES[state]["score"]
        return lambda state, out: rule(state, out)

    @compiled_as(standing)
    def _standing(state: Any, out: Any) -> Any:
        rule = RULES[state]["standing"]
        return lambda state, out: rule(state, out)
