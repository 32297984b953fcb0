"""Cards: how many bull heads each has (N-02), and sets of cards as bits."""

from collections.abc import Iterable

import numpy as np

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, kernel
from sarai.games.sixnimmt.state import CARDS, HAND, ROWS, PublicRecord, StateRecord

HALF = 52  # a set is two words of 52 cards each: lists of cards come out sorted, and no sign bit is ever used
LOW_CARDS = (1 << HALF) - 1


def _heads(card: int) -> int:
    """Return the bull heads of a card (N-02)."""
    if card == 55:
        return 7
    return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


HEADS = np.array([0] + [_heads(card) for card in range(1, CARDS + 1)], np.int64)


@kernel
def deck_size(state: PublicRecord) -> int:
    """Return the highest card in play: 104 (N-01), or 10 × players + 4 with a known deck (N-15)."""
    if state.known_deck:
        return int(HAND * state.players + ROWS)
    return CARDS


@kernel
def half_of(card: int) -> int:
    """Return which of the two words of a set a card is in."""
    return 1 if card > HALF else 0


@kernel
def bit_of(card: int) -> int:
    """Return a card's bit in its word."""
    return 1 << (card - 1 - HALF if card > HALF else card - 1)


@kernel
def has(cards: Array, i: int, card: int) -> bool:
    """Say whether a set of cards (row i of an array of them) holds a card."""
    return bool(cards[i, half_of(card)] & bit_of(card))


@kernel
def flip(cards: Array, i: int, card: int) -> None:
    """Put a card into a set of cards, or take it out."""
    cards[i, half_of(card)] ^= bit_of(card)


@kernel
def fill_stock(state: StateRecord) -> None:
    """Put every card in play into the stock."""
    last = deck_size(state)
    state.stock[0] = (1 << min(last, HALF)) - 1
    state.stock[1] = (1 << max(last - HALF, 0)) - 1


@kernel
def in_stock(state: StateRecord, card: int) -> bool:
    """Say whether a card is not dealt yet."""
    return bool(state.stock[half_of(card)] & bit_of(card))


@kernel
def leave_stock(state: StateRecord, card: int) -> None:
    """Take a card out of those not dealt yet."""
    state.stock[half_of(card)] &= ~bit_of(card)


@kernel
def list_cards(low: int, high: int, out: Array) -> int:
    """List the cards of a set as move ids, ascending.

    The loop compiles without branches: a processor cannot predict how a hand splits into halves.
    """
    count = count_bits(low) + count_bits(high)
    for i in range(count):
        word, first = (low, 0) if low else (high, HALF)
        out[i] = first + first_bit(word)
        if low:
            low &= low - 1
        else:
            high &= high - 1
    return count


def cards_of(card_set: Iterable[int]) -> list[int]:
    """Return a set of cards as a sorted list."""
    low, high = (int(word) for word in card_set)
    both, found = low | high << HALF, []
    while both:
        lowest = both & -both
        found.append(lowest.bit_length())
        both ^= lowest
    return found


def card_set_of(cards: Iterable[int]) -> tuple[int, int]:
    """Return cards as a set of cards."""
    both = sum(1 << (card - 1) for card in cards)
    return both & LOW_CARDS, both >> HALF
