"""The trace of a move: rows that a rule writes about what happens inside it, from which events are read."""

from typing import Any

import numpy as np
from numba import int64, types
from numba.extending import intrinsic

from sarai.core.kernels.compile import COMPILED, Array

Trace = Array | None  # None in a search, where `tell` compiles to nothing
TRACE_ROWS, TRACE_COLUMNS = 512, 8


def new_trace() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Make an empty buffer for `tell`; its first cell counts the rows used, and only those are set."""
    trace = np.empty((TRACE_ROWS, TRACE_COLUMNS), np.int64)
    trace[0, 0] = 0
    return trace


def _write_down(
    trace: Trace, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0
) -> None:
    """Write a row about what happened inside a rule; compiles to nothing when `trace` is None."""
    if trace is not None:
        trace[0, 0] += 1
        row = trace[0, 0]
        trace[row, 0] = kind
        trace[row, 1] = a
        trace[row, 2] = b
        trace[row, 3] = c
        trace[row, 4] = d
        trace[row, 5] = e
        trace[row, 6] = f


if COMPILED:

    @intrinsic
    def tell(
        context: Any, trace: Any, kind: Any, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0, f: Any = 0
    ) -> Any:
        """Write a row about what happened; an intrinsic, since kernels are compiled anew for each constant argument."""
        return (
            types.void(trace, *[int64] * 7),
            lambda context, builder, signature, args: (
                context.get_dummy_value()
                if isinstance(trace, types.NoneType)
                else context.compile_internal(builder, _write_down, signature, args)
            ),
        )
else:
    tell = _write_down
