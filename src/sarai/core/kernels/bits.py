"""Bits of whole numbers: the lowest one that is set, and how many are."""

from typing import Any

from llvmlite import ir
from numba import int64
from numba.extending import intrinsic

from sarai.core.kernels.compile import COMPILED, kernel

if COMPILED:

    @intrinsic
    def _trailing_zeros(context: Any, word: Any) -> Any:
        return int64(int64), lambda _context, builder, _signature, args: builder.cttz(
            args[0], ir.Constant(ir.IntType(1), 0)
        )

    @intrinsic
    def _population(context: Any, word: Any) -> Any:
        return int64(int64), lambda _context, builder, _signature, args: builder.ctpop(args[0])

    @kernel
    def first_bit(word: int) -> int:
        """Return the place of the lowest bit that is set; there must be one."""
        return int(_trailing_zeros(int64(word)))

    @kernel
    def count_bits(word: int) -> int:
        """Return how many bits are set."""
        return int(_population(int64(word)))
else:

    def first_bit(word: int) -> int:
        """Return the place of the lowest bit that is set; there must be one."""
        return (int(word) & -int(word)).bit_length() - 1

    def count_bits(word: int) -> int:
        """Return how many bits are set."""
        return int(word).bit_count()
