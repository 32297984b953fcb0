"""What a search is told about a game that knows nothing about good play: all moves look alike, and so do all seats."""

from sarai.core.kernels.compile import Array, Rec, kernel


@kernel
def weigh(state: Rec, seat: int, moves: Array, count: int, out: Array) -> None:
    """Prefer no move."""
    for i in range(count):
        out[i] = 0.0


@kernel
def estimate(state: Rec, out: Array) -> None:
    """Prefer no seat."""
    for seat in range(state.players):
        out[seat] = 1.0 / state.players
