"""The rules of 6 nimmt!, clause by clause; the numbers are those of RULES.md."""

from collections.abc import Mapping

from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.core.kernels.rng import below
from sarai.core.options import Value
from sarai.core.result import CHANCE, OVER
from sarai.games.sixnimmt.cards import HEADS, deck_size, fill_stock, flip, has, in_stock, leave_stock, list_cards
from sarai.games.sixnimmt.state import (
    ALLOWED,
    CARDS,
    CHOOSING,
    CHOSE,
    DEALING,
    DEALT,
    DRAFTED,
    DRAFTING,
    FINISHED,
    GAME_OVER,
    HAND,
    JOINED,
    LAID,
    MAX_MOVES,
    MOVE_LIMIT,
    NO_CARD_NOW,
    NO_ROW_NOW,
    NOT_IN_HAND,
    NOT_ON_TABLE,
    ROUND_OVER,
    ROUND_SCORE,
    ROUNDS_PLAYED,
    ROW_LIMIT,
    ROW_NOW,
    ROWS,
    TAKE_ROW,
    TAKING_ROW,
    TARGET_PASSED,
    TOOK_CHOSEN,
    TOOK_FULL,
    TURNED_UP,
    StateRecord,
)


@kernel
def begin_round(state: StateRecord) -> None:
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
    fill_stock(state)
    if state.draft:
        state.phase = DRAFTING
        state.actor = (state.round_number - 1) % state.players
        state.acting = 1 << state.actor
    else:
        state.phase = DEALING
        state.actor = CHANCE
        state.acting = 0


def begin(cell: Cell, players: int, options: Mapping[str, Value]) -> None:
    """Set up a game."""
    rounds = int(options["rounds"])
    cell["target"], cell["round_limit"] = (0, rounds) if rounds else (options["target"], 0)
    cell["known_deck"] = options["deck"] == "known"
    cell["draft"] = options["deal"] == "draft"
    begin_round(cell[0])


@kernel
def begin_tricks(state: StateRecord) -> None:
    """Let all players choose a card at the same time (N-05)."""
    state.phase = CHOOSING
    state.actor = 0
    state.acting = (1 << state.players) - 1


@kernel
def deal(state: StateRecord, card: int, trace: Trace) -> None:
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
def draft(state: StateRecord, seat: int, card: int, trace: Trace) -> None:
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
def choose(state: StateRecord, seat: int, card: int, trace: Trace) -> None:
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
def row_for(state: StateRecord, card: int) -> int:
    """Return the row with the closest lower last card (N-07, N-08), -1 if there is none."""
    best, best_last = -1, 0
    for row in range(ROWS):
        last = state.rows[row, state.lengths[row] - 1]
        if best_last < last < card:
            best, best_last = row, last
    return best


@kernel
def take_row(state: StateRecord, seat: int, row: int, card: int) -> int:
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
def join_rows(state: StateRecord, trace: Trace) -> None:
    """Add the cards turned up to the rows, lowest first (N-06), until a player must take a row or the trick is over."""
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
def count_heads(state: StateRecord) -> None:
    """Add the heads of every pile to its player's score, and put the piles away (N-12)."""
    for seat in range(state.players):
        state.heads[seat] += state.pile_heads[seat]
        state.pile_heads[seat] = 0
        state.piles[seat, 0] = 0
        state.piles[seat, 1] = 0


@kernel
def end_round(state: StateRecord, trace: Trace) -> None:
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
            finish(state, ROUNDS_PLAYED, trace)
            return
    elif most > state.target:
        finish(state, TARGET_PASSED, trace)
        return
    begin_round(state)


@kernel
def finish(state: StateRecord, ending: int, trace: Trace) -> None:
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
def apply(state: StateRecord, seat: int, move: int, trace: Trace) -> None:
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
def refusal(state: StateRecord, seat: int, move: int) -> int:
    """Say why a seat that is to act may not make a move; 0 if it may."""
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
def legal(state: StateRecord, seat: int, out: Array) -> int:
    """List the legal moves of a seat that is to act."""
    if state.phase == TAKING_ROW:
        for row in range(ROWS):
            out[row] = TAKE_ROW + row
        return ROWS
    if state.phase == DRAFTING:
        return list_cards(int(state.stock[0]), int(state.stock[1]), out)
    return list_cards(int(state.hands[seat, 0]), int(state.hands[seat, 1]), out)


@kernel
def chance(state: StateRecord, outcomes: Array, weights: Array) -> int:
    """List the cards that may come next from the shuffled pack."""
    count = list_cards(int(state.stock[0]), int(state.stock[1]), outcomes)
    for i in range(count):
        weights[i] = 1
    return count


@kernel
def draw(state: StateRecord, rng: Array) -> int:
    """Draw the next card: any card until one is still in the pack."""
    last = deck_size(state)
    while True:
        card = 1 + int(below(rng, last))
        if in_stock(state, card):
            return card - 1


@kernel
def score(state: StateRecord, out: Array) -> None:
    """Write the heads of every seat, this round's pile counted."""
    for seat in range(state.players):
        out[seat] = state.heads[seat] + state.pile_heads[seat]


@kernel
def standing(state: StateRecord, out: Array) -> None:
    """Fewest heads are best (N-13)."""
    for seat in range(state.players):
        out[seat] = -(state.heads[seat] + state.pile_heads[seat])
