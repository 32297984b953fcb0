"""Good play of 6 nimmt!: how likely a card takes a row, what that costs, and what heads mean for the whole game."""

from math import sqrt

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, kernel
from sarai.core.policy.dispatch import register_policy
from sarai.core.policy.levels import Budget, Plan
from sarai.core.policy.win_shares import share_likely
from sarai.core.result import OVER
from sarai.games.sixnimmt.cards import HALF, HEADS, LOW_CARDS, deck_size, flip
from sarai.games.sixnimmt.rules import row_for
from sarai.games.sixnimmt.state import CHOOSING, DRAFTING, HAND, ROW_LIMIT, ROWS, STATE, TAKE_ROW, StateRecord

ROUND_HEADS = 11.0  # that a player takes in a round, about
CARD_HEADS = 1.6  # of a card not seen yet, on average


@kernel
def row_heads(state: StateRecord, row: int) -> int:
    """Return the heads that lie in a row."""
    heads = 0
    for place in range(state.lengths[row]):
        heads += HEADS[state.rows[row, place]]
    return heads


@kernel
def cheapest_heads(state: StateRecord) -> int:
    """Return the heads of the row that costs least."""
    least = row_heads(state, 0)
    for row in range(1, ROWS):
        least = min(least, row_heads(state, row))
    return least


@kernel
def up_to(card: int) -> tuple[int, int]:
    """Return the set of all cards up to one, as two words."""
    if card <= HALF:
        return (1 << card) - 1, 0
    return LOW_CARDS, (1 << (card - HALF)) - 1


@kernel
def unseen_by(state: StateRecord, seat: int) -> tuple[int, int]:
    """Return the cards that a seat has not seen this round: those others hold or have chosen, and those set aside."""
    low, high = up_to(deck_size(state))
    low &= ~state.hands[seat, 0]
    high &= ~state.hands[seat, 1]
    for other in range(state.players):
        low &= ~state.piles[other, 0]
        high &= ~state.piles[other, 1]
    for row in range(ROWS):
        for place in range(state.lengths[row]):
            card_low, card_high = up_to(int(state.rows[row, place]))
            before_low, before_high = up_to(int(state.rows[row, place]) - 1)
            low &= ~(card_low ^ before_low)
            high &= ~(card_high ^ before_high)
    return low, high


@kernel
def at_least(need: int, tries: int, chance: float) -> float:
    """Return how likely something happens at least `need` times in independent tries."""
    if need > tries:
        return 0.0
    missing = (1.0 - chance) ** tries
    odds = chance / max(1.0 - chance, 1e-9)
    below = 0.0
    for times in range(need):
        below += missing
        missing *= odds * (tries - times) / (times + 1)
    return max(0.0, 1.0 - below)


@kernel
def card_cost(state: StateRecord, card: int, low: int, high: int) -> float:
    """Return the heads a card will bring, about, if others play any of the cards not seen."""
    others = int(state.players) - 1
    unseen = max(1, count_bits(low) + count_bits(high))
    card_low, card_high = up_to(card)
    row = row_for(state, card)
    if row < 0:  # a player with a lower card takes a row first, and then this one may fit
        lower = (count_bits(low & card_low) + count_bits(high & card_high)) / unseen
        return cheapest_heads(state) * (1.0 - 0.7 * at_least(1, others, lower)) + 0.3
    last_low, last_high = up_to(int(state.rows[row, state.lengths[row] - 1]))
    between = (count_bits(low & card_low & ~last_low) + count_bits(high & card_high & ~last_high)) / unseen
    room = ROW_LIMIT - int(state.lengths[row])
    heads = row_heads(state, row)
    if room == 0:  # safe only if another player takes the row first
        return heads * (1.0 - 0.9 * at_least(1, others, between))
    return at_least(room, others, between) * (heads + CARD_HEADS * room)


@kernel
def weigh(state: StateRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Weigh a row by its heads, a card by the heads it may bring, a card to draft by its distance from the middle.

    Cards from the middle of the deck are the hardest to play safely.
    """
    if state.phase == DRAFTING:
        last = deck_size(state)
        for i in range(count):
            out[i] = 2.0 * abs(2.0 * (moves[i] + 1) / last - 1.0)
        return
    if moves[0] >= TAKE_ROW:
        for i in range(count):
            out[i] = -row_heads(state, moves[i] - TAKE_ROW)
        return
    low, high = unseen_by(state, seat)
    for i in range(count):
        out[i] = -0.5 * card_cost(state, moves[i] + 1, low, high)


@kernel
def resample_hidden(state: StateRecord, seat: int, rng: Array) -> None:
    """Let the others choose their face-down cards again, by the policy."""
    if state.phase != CHOOSING:
        return
    for other in range(state.players):
        if other != seat and state.chosen[other]:
            flip(state.hands, other, int(state.chosen[other]))
            state.chosen[other] = 0
            state.acting |= 1 << other
    state.actor = first_bit(state.acting)


@kernel
def rounds_left(state: StateRecord, most: float) -> float:
    """Return how many rounds are still to come, about: to the last one, or until the most heads pass the target."""
    if state.round_limit:
        return float(state.round_limit - state.round_number + 1.0 - state.trick / HAND)
    return float(max(1.0, (state.target + 1.0 - most) / (1.3 * ROUND_HEADS) + 0.5))


@kernel
def estimate(state: StateRecord, out: Array) -> None:
    """Turn heads into shares of the win: a lead counts more near the end; after the end heads count directly."""
    most = 0.0
    for seat in range(state.players):
        out[seat] = state.heads[seat] + state.pile_heads[seat]
        most = max(most, out[seat])
    if state.actor == OVER:
        mean = 0.0
        for seat in range(state.players):
            mean += out[seat] / state.players
        for seat in range(state.players):
            out[seat] = 1.0 / state.players + (mean - out[seat]) / 40.0
        return
    for seat in range(state.players):
        out[seat] = -out[seat]
    share_likely(int(state.players), 6.5 * sqrt(rounds_left(state, most)), 0.0, out)


register_policy(STATE, weigh=weigh, estimate=estimate, resample_hidden=resample_hidden)

LADDER = {
    "novice": Plan("policy", temperature=2.0),
    "regular": Plan("policy", temperature=0.1),
    "expert": Plan(
        "halving",
        temperature=0.5,
        stop_at_chance=True,
        horizon=120,
        estimate_weight=0.5,
        budget=Budget(seconds=1.0, simulations=100),
    ),
    "master": Plan(
        "halving",
        temperature=0.5,
        stop_at_chance=True,
        horizon=120,
        estimate_weight=0.5,
        budget=Budget(seconds=1.0, simulations=10_000),
    ),
}
