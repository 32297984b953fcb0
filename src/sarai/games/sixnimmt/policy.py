"""What 6 nimmt! knows about good play: cards that will fit, and what heads cost."""

from math import exp, sqrt

from sarai.core.kernels import Array, Rec, kernel, register_policy
from sarai.core.plan import Budget, Plan
from sarai.games.sixnimmt.rules import HEADS, ROW_LIMIT, ROWS, STATE, TAKE_ROW, row_for


@kernel
def row_heads(state: Rec, row: int) -> int:
    """Return the heads that lie in a row."""
    heads = 0
    for place in range(state.lengths[row]):
        heads += HEADS[state.rows[row, place]]
    return heads


@kernel
def weigh(state: Rec, seat: int, moves: Array, count: int, out: Array) -> None:
    """Judge a row by its heads; a card by how likely it takes a row, and which, if nobody else played."""
    cheapest = 1000
    for row in range(ROWS):
        cheapest = min(cheapest, row_heads(state, row))
    for i in range(count):
        move = moves[i]
        if move >= TAKE_ROW:
            out[i] = -2.0 * row_heads(state, move - TAKE_ROW)
            continue
        card = move + 1
        row = row_for(state, card)
        if row < 0:
            out[i] = -0.5 * cheapest - 0.3
            continue
        length = int(state.lengths[row])
        if length == ROW_LIMIT:
            out[i] = -0.6 * row_heads(state, row)
            continue
        gap = card - int(state.rows[row, length - 1]) - 1  # cards that may come in between
        room = ROW_LIMIT - length
        crowd = gap * (state.players - 1) * 0.1 / room
        risk = crowd / (1.0 + crowd)
        out[i] = -0.35 * risk * (row_heads(state, row) + 2.0)


@kernel
def estimate(state: Rec, out: Array) -> None:
    """Turn heads into shares of the win: a lead counts the more the nearer the end is."""
    most = 0
    for seat in range(state.players):
        most = max(most, int(state.heads[seat] + state.pile_heads[seat]))
    left = state.round_limit - state.round_number if state.round_limit else max(0.0, (state.target + 1 - most) / 12.0)
    spread = 3.0 + 6.0 * sqrt(left)
    whole = 0.0
    for seat in range(state.players):
        out[seat] = exp(-(state.heads[seat] + state.pile_heads[seat]) / spread)
        whole += out[seat]
    for seat in range(state.players):
        out[seat] /= whole


register_policy(STATE, weigh=weigh, estimate=estimate)

LADDER = {
    "novice": Plan("glance", warmth=1.0),
    "regular": Plan("glance", warmth=0.1),
    "expert": Plan("compare", warmth=0.3, horizon=40, budget=Budget(simulations=400)),
    "master": Plan("compare", warmth=0.3, horizon=40, budget=Budget(seconds=1.0)),
}
