"""The course of Anubixx, clause by clause: see docs/rules/anubixx.md for the numbers."""

from collections.abc import Mapping

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.kernels.rng import below
from sarai.core.kernels.trace import Trace, tell
from sarai.core.options import Value
from sarai.core.result import CHANCE, OVER
from sarai.games.anubixx.building import BY_QUARRY, DIE, PAYMENTS
from sarai.games.anubixx.printed import COLOUR_OF, FIRST_STONE, SECOND_STONE, SYMBOL_STONES, WITH_SYMBOL
from sarai.games.anubixx.scoring import (
    ARCH_STONES,
    PYRAMID_STONES,
    RELIEF_STONES,
    arch_points,
    bonus_points,
    buildings_done,
    joker_points,
    places_behind,
    pyramid_points,
    quarry_points,
    relief_points,
)
from sarai.games.anubixx.stones import ARCH_FROM, PAIRS, SINGLES
from sarai.games.anubixx.table import (
    BUILDING,
    CLOSED,
    COMPLETED,
    CROSSED_OFF,
    DEALING,
    DEALT,
    DIE_BACK,
    END,
    END_BONUS,
    FINISHED,
    GAME_OVER,
    IDLE_LIMIT,
    KINDS,
    MARKED,
    MAX_MOVES,
    MOVE_LIMIT,
    NOTHING_MARKED,
    PAIRS_FROM,
    ROLLED,
    ROLLING,
    ROUND_OVER,
    SCORED_BUILDINGS,
    SCORED_REST,
    STOP,
    STOPPED,
    TOOK_DIE,
    TWO_BUILDINGS,
    USED_JOKER,
    WON_BONUS,
    active_seat,
    dice_in_play,
    is_possible,
    quarry_place,
)


def begin(cell: Array, players: int, options: Mapping[str, Value]) -> None:
    """Set up a game: as many jokers each as there are players (A-06), sheets to be dealt (A-02)."""
    cell["round_number"] = 1
    cell["actor"] = CHANCE
    cell["jokers"][0, :players] = players


# --- chance ----------------------------------------------------------------------------------------------------------------------


@kernel
def deal(state: Rec, sheet: int, trace: Trace) -> None:
    """Give the next seat its sheet (A-02)."""
    seat = 0
    while state.sheets[seat]:
        seat += 1
    state.sheets[seat] = sheet
    tell(trace, DEALT, seat, sheet - 1)
    if seat == state.players - 1:
        state.phase = ROLLING


@kernel
def roll(state: Rec, colour: int, trace: Trace) -> None:
    """Roll the next die; after the last the active player may build (A-09, A-10)."""
    seat = active_seat(state)
    state.middle[colour] += 1
    tell(trace, ROLLED, seat, colour)
    rolled = 0
    for kind in range(KINDS):
        rolled += state.middle[kind]
    if rolled == dice_in_play(state):
        state.phase = BUILDING
        state.actor = seat
        state.acting = 1 << seat


# --- paying and marking --------------------------------------------------------------------------------------------------------


@kernel
def pay(state: Rec, seat: int, colour: int, payment: int, trace: Trace) -> None:
    """Pay a stone: take a die (A-12, A-13), cross off a quarry stone (A-14) or use a joker (A-16)."""
    if payment == DIE:
        state.middle[colour] -= 1
        if seat == active_seat(state):
            state.gone[colour] += 1
        else:
            state.taken[colour] += 1
        tell(trace, TOOK_DIE, seat, colour)
    elif payment == BY_QUARRY:
        behind, place = places_behind(int(state.crossed[seat])), quarry_place(state, seat, colour)
        state.crossed[seat] |= 1 << place
        tell(trace, CROSSED_OFF, seat, colour, place + 1, place - behind)
    else:
        state.jokers[seat] -= 1
        tell(trace, USED_JOKER, seat, state.jokers[seat])


@kernel
def mark(state: Rec, seat: int, stones: int, trace: Trace) -> None:
    """Mark stones and hear what they complete: bonuses that are still open (A-23 … A-26), buildings (A-27)."""
    before = int(state.marks[seat])
    after = before | stones
    state.marks[seat] = after
    state.built = 1
    if stones & WITH_SYMBOL:
        for symbol in range(len(SYMBOL_STONES)):
            needed = SYMBOL_STONES[symbol]
            if stones & needed and after & needed == needed and not (state.closed >> symbol) & 1:
                state.bonuses[seat] |= 1 << symbol
                tell(trace, WON_BONUS, seat, symbol)
    if trace is not None:
        for building, whole in enumerate((PYRAMID_STONES, ARCH_STONES, RELIEF_STONES)):
            if stones & whole and after & whole == whole:
                tell(trace, COMPLETED, seat, building)


@kernel
def mark_single(state: Rec, seat: int, stone: int, payment: int, trace: Trace) -> None:
    """Mark a stone of pyramid or arch; the second ends the turn (A-10)."""
    colour = int(COLOUR_OF[state.sheets[seat], stone])
    tell(trace, MARKED, seat, stone, colour)
    pay(state, seat, colour, payment, trace)
    mark(state, seat, 1 << stone, trace)
    if state.marked == 1:
        end_turn(state, seat, trace)
    else:
        state.marked = 1


@kernel
def mark_pair(state: Rec, seat: int, pair: int, first: int, second: int, trace: Trace) -> None:
    """Mark two relief stones at once, which is the whole turn (A-20, A-21)."""
    sheet = int(state.sheets[seat])
    stone, other = int(FIRST_STONE[pair]), int(SECOND_STONE[pair])
    colour, other_colour = int(COLOUR_OF[sheet, stone]), int(COLOUR_OF[sheet, other])
    tell(trace, MARKED, seat, stone, colour)
    tell(trace, MARKED, seat, other, other_colour)
    if (
        first == BY_QUARRY
        and second == BY_QUARRY
        and quarry_place(state, seat, other_colour) < quarry_place(state, seat, colour)
    ):
        colour, other_colour = other_colour, colour  # the order that skips less
    pay(state, seat, colour, first, trace)
    pay(state, seat, other_colour, second, trace)
    mark(state, seat, 1 << stone | 1 << other, trace)
    end_turn(state, seat, trace)


# --- turns and rounds ------------------------------------------------------------------------------------------------------------


@kernel
def end_turn(state: Rec, seat: int, trace: Trace) -> None:
    """Put dice that the active player left back into the middle (A-13), and let the next seat build (A-10) or end the round."""
    state.marked = 0
    for colour in range(KINDS):
        for _ in range(state.taken[colour]):
            tell(trace, DIE_BACK, seat, colour)
        state.middle[colour] += state.taken[colour]
        state.taken[colour] = 0
    following = (seat + 1) % state.players
    if following == active_seat(state):
        end_round(state, trace)
    else:
        state.actor = following
        state.acting = 1 << following


@kernel
def end_round(state: Rec, trace: Trace) -> None:
    """Close the bonuses that were won (A-25); end the game (A-27) or begin a new round (A-09)."""
    tell(trace, ROUND_OVER, state.round_number)
    won = 0
    done = False
    for seat in range(state.players):
        won |= int(state.bonuses[seat])
        done = done or buildings_done(int(state.marks[seat])) > 1
    for symbol in range(len(SYMBOL_STONES)):
        if ((won & ~state.closed) >> symbol) & 1:
            tell(trace, CLOSED, symbol)
    state.closed = won
    state.idle = 0 if state.built else state.idle + 1
    if done:
        for seat in range(state.players):
            if buildings_done(int(state.marks[seat])) > 1:
                state.bonuses[seat] |= END_BONUS
                tell(trace, WON_BONUS, seat, END)
        finish(state, TWO_BUILDINGS, trace)
    elif state.idle == IDLE_LIMIT:
        finish(state, NOTHING_MARKED, trace)
    else:
        clear_dice(state)
        state.built = 0
        state.round_number += 1
        state.phase = ROLLING
        state.actor = CHANCE
        state.acting = 0


@kernel
def clear_dice(state: Rec) -> None:
    """Take up all dice."""
    for colour in range(KINDS):
        state.middle[colour] = 0
        state.gone[colour] = 0
        state.taken[colour] = 0


@kernel
def finish(state: Rec, ending: int, trace: Trace) -> None:
    """End the game and tell the scores (A-28 … A-30)."""
    clear_dice(state)
    state.built = 0
    state.marked = 0
    state.phase = FINISHED
    state.actor = OVER
    state.acting = 0
    state.ending = ending
    for seat in range(state.players):
        marks = int(state.marks[seat])
        tell(trace, SCORED_BUILDINGS, seat, pyramid_points(marks), arch_points(marks), relief_points(marks))
        bonuses, quarry, jokers = (
            bonus_points(int(state.bonuses[seat])),
            quarry_points(int(state.crossed[seat])),
            joker_points(int(state.jokers[seat])),
        )
        tell(trace, SCORED_REST, seat, bonuses, quarry, jokers, points_of(state, seat))
    tell(trace, GAME_OVER, ending)


@kernel
def apply(state: Rec, seat: int, move: int, trace: Trace) -> None:
    """Play a move or a chance outcome."""
    if seat == CHANCE:
        if state.phase == DEALING:
            deal(state, move + 1, trace)
        else:
            roll(state, move, trace)
        return
    state.moves_made += 1
    if move == STOP:
        tell(trace, STOPPED, seat, state.marked)
        end_turn(state, seat, trace)
    elif move < PAIRS_FROM:
        mark_single(state, seat, move % SINGLES, move // SINGLES, trace)
    else:
        payments, pair = (move - PAIRS_FROM) // len(PAIRS), (move - PAIRS_FROM) % len(PAIRS)
        mark_pair(state, seat, pair, payments // PAYMENTS, payments % PAYMENTS, trace)
    if state.moves_made >= MAX_MOVES and state.actor != OVER:
        finish(state, MOVE_LIMIT, trace)


@kernel
def chance(state: Rec, outcomes: Array, weights: Array) -> int:
    """List what chance may bring, all equally likely."""
    count = 0
    for outcome in range(KINDS):
        if is_possible(state, outcome):
            outcomes[count] = outcome
            weights[count] = 1
            count += 1
    return count


@kernel
def draw(state: Rec, rng: Array) -> int:
    """Draw a colour, or sheets until one comes that nobody has (A-02)."""
    while True:
        outcome = below(rng, KINDS)
        if is_possible(state, outcome):
            return int(outcome)


# --- scores ----------------------------------------------------------------------------------------------------------------------


@kernel
def points_of(state: Rec, seat: int) -> int:
    """Return a seat's points as they stand (A-28 … A-30)."""
    marks = int(state.marks[seat])
    buildings = pyramid_points(marks) + arch_points(marks) + relief_points(marks)
    rest = (
        bonus_points(int(state.bonuses[seat]))
        + quarry_points(int(state.crossed[seat]))
        + joker_points(int(state.jokers[seat]))
    )
    return buildings + rest


@kernel
def score(state: Rec, out: Array) -> None:
    """Write every seat's points."""
    for seat in range(state.players):
        out[seat] = points_of(state, seat)


@kernel
def standing(state: Rec, out: Array) -> None:
    """Most points are best, then most pyramid stones (A-31)."""
    for seat in range(state.players):
        out[seat] = points_of(state, seat) * (ARCH_FROM + 1) + count_bits(int(state.marks[seat]) & PYRAMID_STONES)
