"""What a standing is worth: shares of the win, and of the ranks behind the winner."""

from math import exp

import numpy as np

from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dispatch import standing
from sarai.core.kernels.dtype import StandardRecord

SMALLEST_CHANCE = 1e-300


@kernel
def share_out(state: StandardRecord, rank_weight: float, standings: Array, out: Array) -> None:
    """Write every seat's share at the end: the best standings share the win.

    The part that counts for ranks is shared by how many seats each finishes ahead of.
    """
    players = int(state.players)
    standing(state, standings)
    best, winners = standings[0], 0
    for seat in range(1, players):
        best = max(best, standings[seat])
    for seat in range(players):
        if standings[seat] == best:
            winners += 1
    for seat in range(players):
        won = 1.0 / winners if standings[seat] == best else 0.0
        out[seat] = won
        if rank_weight > 0.0:
            behind = 0.0
            for other in range(players):
                if standings[other] < standings[seat]:
                    behind += 1.0
                elif standings[other] == standings[seat] and other != seat:
                    behind += 0.5
            out[seat] += rank_weight * (2.0 * behind / (players * (players - 1)) - won)


@kernel
def share_likely(players: int, spread: float, rank_weight: float, out: Array) -> None:
    """Turn the worth of every seat into expected shares, in place.

    A seat that is ahead of another by the spread is e times as likely to finish ahead of it.
    """
    best = out[0]
    for seat in range(1, players):
        best = max(best, out[seat])
    chances = np.empty(players, np.float64)
    whole = 0.0
    for seat in range(players):
        chances[seat] = max(exp((out[seat] - best) / spread), SMALLEST_CHANCE)
        whole += chances[seat]
    for seat in range(players):
        won = chances[seat] / whole
        out[seat] = won
        if rank_weight > 0.0:
            behind = -0.5
            for other in range(players):
                behind += chances[seat] / (chances[seat] + chances[other])
            out[seat] += rank_weight * (2.0 * behind / (players * (players - 1)) - won)
