"""The rules of 6 nimmt!, clause by clause: see docs/rules/sixnimmt.md for the numbers."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.kernels.dtype import I1, I2, StandardRecord, copier, record
from sarai.core.kernels.rng import below
from sarai.core.kernels.trace import Trace, tell
from sarai.core.options import Value
from sarai.core.result import CHANCE, OVER

CARDS, HAND, ROWS, ROW_LIMIT, SEATS = 104, 10, 4, 5, 10
HALF = 52  # cards are kept as bits, 52 in each of two words: a hand is sorted by nature, and no word's sign is ever touched
TAKE_ROW = CARDS  # moves 0 … 103 are cards 1 … 104; 104 … 107 take a row
MAX_MOVES = 30_000

DEALING, DRAFTING, CHOOSING, TAKING_ROW, FINISHED = range(5)
PHASES = ("deal", "draft", "choose", "row", "over")
GOING_ON, MOVE_LIMIT, TARGET, ROUNDS = range(4)
ENDINGS = ("", "move_limit", "target_passed", "rounds_played")

ALLOWED, NO_CARD_NOW, NOT_IN_HAND, NOT_ON_TABLE, NO_ROW_NOW, ROW_NOW = range(6)
REFUSALS = ("", "no_card_to_choose", "card_not_in_hand", "card_not_on_table", "no_row_to_take", "row_must_be_taken")

# What the rules tell (the rows of a trace); events.py of the core reads them by EVENTS in text.py.
DEALT, LAID, DRAFTED, CHOSE, TURNED_UP, JOINED, TOOK_FULL, TOOK_CHOSEN, ROUND_OVER, ROUND_SCORE, GAME_OVER = range(11)


class PublicRecord(StandardRecord):
    """What everybody sees."""

    target: I2
    round_limit: I2
    known_deck: I1
    draft: I1
    phase: I1
    round_number: I2  # from 1
    trick: I1  # 0 … 9
    dealt: I1  # cards dealt or drafted this round
    rows: Annotated[Array, "i1", ROWS, ROW_LIMIT]
    lengths: Annotated[Array, "i1", ROWS]
    piles: Annotated[Array, "i8", SEATS, 2]  # the bulls taken this round (N-11)
    pile_heads: Annotated[Array, "i2", SEATS]
    heads: Annotated[Array, "i4", SEATS]  # of the rounds before
    played: Annotated[Array, "i1", SEATS, HAND]  # by seat and trick, once turned up


class StateRecord(PublicRecord):
    """The whole table."""

    hands: Annotated[Array, "i8", SEATS, 2]
    stock: Annotated[Array, "i8", 2]  # not dealt: set aside, or still to come while dealing
    chosen: Annotated[Array, "i1", SEATS]  # 0, or a card chosen and not yet in a row


STATE = record("sixnimmt", StateRecord)
copy_public = copier(PublicRecord)


def _heads(card: int) -> int:
    """Return the bull heads of a card (N-02)."""
    if card == 55:
        return 7
    return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


HEADS = np.array([0] + [_heads(card) for card in range(1, CARDS + 1)], np.int64)
ALL_LOW = (1 << HALF) - 1


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
def in_stock(state: Rec, card: int) -> bool:
    """Say whether a card is not dealt yet."""
    return bool(state.stock[half_of(card)] & bit_of(card))


@kernel
def leave_stock(state: Rec, card: int) -> None:
    """Take a card out of those not dealt yet."""
    state.stock[half_of(card)] &= ~bit_of(card)


@kernel
def deck_size(state: Rec) -> int:
    """Return the highest card in play: 104 (N-01), or 10 × players + 4 with a known deck (N-15)."""
    if state.known_deck:
        return int(HAND * state.players + ROWS)
    return CARDS


@kernel
def begin_round(state: Rec) -> None:
    """Shuffle everything and deal anew (N-03, N-12), or lay all cards open for the draft (N-16, N-17)."""
    state.round_number += 1
    state.trick = 0
    state.dealt = 0
    for row in range(ROWS):
        state.lengths[row] = 0
        for place in range(ROW_LIMIT):
            state.rows[row, place] = 0
    for seat in range(state.players):
        for trick in range(HAND):
            state.played[seat, trick] = 0
    last = deck_size(state)
    state.stock[0] = (1 << min(last, HALF)) - 1
    state.stock[1] = (1 << max(last - HALF, 0)) - 1
    if state.draft:
        state.phase = DRAFTING
        state.actor = (state.round_number - 1) % state.players
        state.acting = 1 << state.actor
    else:
        state.phase = DEALING
        state.actor = CHANCE
        state.acting = 0


def begin(cell: Array, players: int, options: Mapping[str, Value]) -> None:
    """Set up a game."""
    rounds = int(options["rounds"])
    cell["target"], cell["round_limit"] = (0, rounds) if rounds else (options["target"], 0)
    cell["known_deck"] = options["deck"] == "known"
    cell["draft"] = options["deal"] == "draft"
    begin_round(cell[0])


@kernel
def begin_tricks(state: Rec) -> None:
    """Let everybody choose a card at the same time (N-05)."""
    state.phase = CHOOSING
    state.actor = 0
    state.acting = (1 << state.players) - 1


@kernel
def deal(state: Rec, card: int, trace: Trace) -> None:
    """Give the next card of the shuffled pack: ten to each seat in turn, then four rows (N-03)."""
    leave_stock(state, card)
    place = int(state.dealt)
    state.dealt += 1
    hands = HAND * state.players
    if place < hands:
        flip(state.hands, place // HAND, card)
        tell(trace, DEALT, place // HAND, card)
        return
    row = place - hands
    state.rows[row, 0] = card
    state.lengths[row] = 1
    tell(trace, LAID, row + 1, card)
    if row == ROWS - 1:
        begin_tricks(state)


@kernel
def draft(state: Rec, seat: int, card: int, trace: Trace) -> None:
    """Take an open card (N-16); the last four become the rows, in ascending order."""
    leave_stock(state, card)
    flip(state.hands, seat, card)
    state.dealt += 1
    tell(trace, DRAFTED, seat, card)
    if state.dealt < HAND * state.players:
        state.actor = (seat + 1) % state.players
        state.acting = 1 << state.actor
        return
    row = 0
    for left in range(1, deck_size(state) + 1):
        if in_stock(state, left):
            state.rows[row, 0] = left
            state.lengths[row] = 1
            row += 1
            tell(trace, LAID, row, left)
    state.stock[0] = 0
    state.stock[1] = 0
    state.dealt += ROWS
    begin_tricks(state)


@kernel
def choose(state: Rec, seat: int, card: int, trace: Trace) -> None:
    """Put a card face down; when all have chosen, turn them up (N-05)."""
    flip(state.hands, seat, card)
    state.chosen[seat] = card
    state.acting &= ~(1 << seat)
    tell(trace, CHOSE, seat, card)
    if state.acting:
        if state.actor == seat:
            while not (state.acting >> state.actor) & 1:
                state.actor += 1
        return
    for chooser in range(state.players):
        state.played[chooser, state.trick] = state.chosen[chooser]
        tell(trace, TURNED_UP, chooser, state.chosen[chooser])
    join_rows(state, trace)


@kernel
def row_for(state: Rec, card: int) -> int:
    """Return the row with the closest lower last card (N-07, N-08), -1 if there is none."""
    best, best_last = -1, 0
    for row in range(ROWS):
        last = state.rows[row, state.lengths[row] - 1]
        if best_last < last < card:
            best, best_last = row, last
    return best


@kernel
def take_row(state: Rec, seat: int, row: int, card: int) -> int:
    """Take a row's cards to a pile (N-09, N-10, N-11) and begin it anew with a card; return the heads taken."""
    heads = 0
    for place in range(state.lengths[row]):
        taken = state.rows[row, place]
        heads += HEADS[taken]
        flip(state.piles, seat, taken)
        state.rows[row, place] = 0
    state.pile_heads[seat] += heads
    state.rows[row, 0] = card
    state.lengths[row] = 1
    return heads


@kernel
def join_rows(state: Rec, trace: Trace) -> None:
    """Let the cards that are turned up join the rows, lowest first (N-06), until a player must take a row or the trick is over."""
    while True:
        seat, card = -1, CARDS + 1
        for chooser in range(state.players):
            if 0 < state.chosen[chooser] < card:
                seat, card = chooser, int(state.chosen[chooser])
        if seat < 0:
            break
        row = row_for(state, card)
        if row < 0:  # N-10
            state.phase = TAKING_ROW
            state.actor = seat
            state.acting = 1 << seat
            return
        state.chosen[seat] = 0
        length = int(state.lengths[row])
        if length == ROW_LIMIT:  # N-09
            tell(trace, TOOK_FULL, seat, card, row + 1, take_row(state, seat, row, card))
        else:
            state.rows[row, length] = card
            state.lengths[row] = length + 1
            tell(trace, JOINED, seat, card, row + 1)
    state.trick += 1
    if state.trick == HAND:
        end_round(state, trace)
    else:
        begin_tricks(state)


@kernel
def count_heads(state: Rec) -> None:
    """Add the heads of every pile to its player's score, and put the piles away (N-12)."""
    for seat in range(state.players):
        state.heads[seat] += state.pile_heads[seat]
        state.pile_heads[seat] = 0
        state.piles[seat, 0] = 0
        state.piles[seat, 1] = 0


@kernel
def end_round(state: Rec, trace: Trace) -> None:
    """Count the heads (N-12); end the game (N-13, N-14) or begin a new round."""
    tell(trace, ROUND_OVER, state.round_number)
    for seat in range(state.players):
        tell(trace, ROUND_SCORE, seat, state.pile_heads[seat], state.heads[seat] + state.pile_heads[seat])
    count_heads(state)
    most = 0
    for seat in range(state.players):
        most = max(most, int(state.heads[seat]))
    if state.round_limit:
        if state.round_number == state.round_limit:
            finish(state, ROUNDS, trace)
            return
    elif most > state.target:
        finish(state, TARGET, trace)
        return
    begin_round(state)


@kernel
def finish(state: Rec, ending: int, trace: Trace) -> None:
    """End the game and put the cards away; heads taken in a round that was not finished count too."""
    count_heads(state)
    for seat in range(state.players):
        state.chosen[seat] = 0
        state.hands[seat, 0] = 0
        state.hands[seat, 1] = 0
    state.stock[0] = 0
    state.stock[1] = 0
    state.dealt = 0
    state.phase = FINISHED
    state.actor = OVER
    state.acting = 0
    state.ending = ending
    tell(trace, GAME_OVER, ending)


@kernel
def apply(state: Rec, seat: int, move: int, trace: Trace) -> None:
    """Play a move or a chance outcome."""
    if seat == CHANCE:
        deal(state, move + 1, trace)
        return
    state.moves_made += 1
    if move >= TAKE_ROW:
        row = move - TAKE_ROW
        card = int(state.chosen[seat])
        state.chosen[seat] = 0
        tell(trace, TOOK_CHOSEN, seat, card, row + 1, take_row(state, seat, row, card))
        join_rows(state, trace)
    elif state.phase == DRAFTING:
        draft(state, seat, move + 1, trace)
    else:
        choose(state, seat, move + 1, trace)
    if state.moves_made >= MAX_MOVES and state.actor != OVER:
        finish(state, MOVE_LIMIT, trace)


@kernel
def refusal(state: Rec, seat: int, move: int) -> int:
    """Say why a move may not be made by who is to act; 0 if it may."""
    if seat == CHANCE:
        return ALLOWED if move < CARDS and in_stock(state, move + 1) else NOT_ON_TABLE
    if move >= TAKE_ROW:
        return ALLOWED if state.phase == TAKING_ROW else NO_ROW_NOW
    if state.phase == DRAFTING:
        return ALLOWED if in_stock(state, move + 1) else NOT_ON_TABLE
    if state.phase == TAKING_ROW:
        return ROW_NOW
    if state.phase != CHOOSING:
        return NO_CARD_NOW
    return ALLOWED if has(state.hands, seat, move + 1) else NOT_IN_HAND


@kernel
def list_cards(low: int, high: int, out: Array) -> int:
    """List the cards of a set as ids, ascending."""
    count = count_bits(low) + count_bits(high)
    for i in range(
        count
    ):  # written so that it compiles without branches: how a hand splits into halves is nothing a processor can foresee
        word, first = (low, 0) if low else (high, HALF)
        out[i] = first + first_bit(word)
        if low:
            low &= low - 1
        else:
            high &= high - 1
    return count


@kernel
def legal(state: Rec, seat: int, out: Array) -> int:
    """List the legal moves of a seat that is to act."""
    if state.phase == TAKING_ROW:
        for row in range(ROWS):
            out[row] = TAKE_ROW + row
        return ROWS
    if state.phase == DRAFTING:
        return list_cards(int(state.stock[0]), int(state.stock[1]), out)
    return list_cards(int(state.hands[seat, 0]), int(state.hands[seat, 1]), out)


@kernel
def chance(state: Rec, outcomes: Array, weights: Array) -> int:
    """List the cards that may come next from the shuffled pack."""
    count = list_cards(int(state.stock[0]), int(state.stock[1]), outcomes)
    for i in range(count):
        weights[i] = 1
    return count


@kernel
def draw(state: Rec, rng: Array) -> int:
    """Draw the next card: any card until one is still in the pack."""
    last = deck_size(state)
    while True:
        card = 1 + int(below(rng, last))
        if in_stock(state, card):
            return card - 1


@kernel
def score(state: Rec, out: Array) -> None:
    """Write the heads of every seat, this round's pile counted."""
    for seat in range(state.players):
        out[seat] = state.heads[seat] + state.pile_heads[seat]


@kernel
def standing(state: Rec, out: Array) -> None:
    """Fewest heads are best (N-13)."""
    for seat in range(state.players):
        out[seat] = -(state.heads[seat] + state.pile_heads[seat])
