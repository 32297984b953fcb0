"""The course of Anubixx, clause by clause: RULES.md has the clauses by their numbers."""

from collections.abc import Mapping

from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.core.kernels.rng import below
from sarai.core.options import Value
from sarai.core.result import CHANCE, OVER
from sarai.games.anubixx.quarry import places_behind, quarry_place
from sarai.games.anubixx.scoring import (
    arch_points,
    bonus_points,
    buildings_done,
    joker_points,
    points_of,
    pyramid_points,
    quarry_points,
    relief_points,
)
from sarai.games.anubixx.sheet_arrays import COLOUR_OF, FIRST_STONE, SECOND_STONE, SYMBOL_STONES, WITH_SYMBOL
from sarai.games.anubixx.state import (
    ARCH_STONES,
    BUILDING,
    BY_QUARRY,
    CLOSED,
    COMPLETED,
    CROSSED_OFF,
    DEALING,
    DEALT,
    DIE,
    DIE_BACK,
    END,
    END_BONUS,
    FINISHED,
    GAME_OVER,
    IDLE_LIMITS,
    KINDS,
    MARKED,
    MAX_MOVES,
    MOVE_LIMIT,
    NOTHING_MARKED,
    PAIRS,
    PAIRS_FROM,
    PAYMENTS,
    PYRAMID_STONES,
    RELIEF_STONES,
    ROLLED,
    ROLLING,
    ROUND_OVER,
    SCORED_BUILDINGS,
    SCORED_REST,
    SINGLES,
    STOP,
    STOPPED,
    TOOK_DIE,
    TWO_BUILDINGS,
    USED_JOKER,
    WON_BONUS,
    StateRecord,
)


def begin(cell: Cell, players: int, options: Mapping[str, Value]) -> None:
    """Set up a game: as many jokers each as there are players (A-06), sheets to be dealt (A-02)."""
    cell["round_number"] = 1
    cell["actor"] = CHANCE
    cell["jokers"][0, :players] = players


@kernel
def dice_in_play(state: StateRecord) -> int:
    """Return how many dice are rolled: three with two players, else four (A-01)."""
    return 3 if state.players == 2 else 4


@kernel
def active_seat(state: StateRecord) -> int:
    """Return the active player: seat 0 first, then clockwise (A-09)."""
    return int((state.round_number - 1) % state.players)


@kernel
def idle_limit(state: StateRecord) -> int:
    """Return how many rounds running without a marked stone end the game, by the game's rules version (A-27)."""
    return IDLE_LIMITS[state.rules_version]


# --- chance -----------------------------------------------------------------------------------------------------------


@kernel
def is_possible(state: StateRecord, outcome: int) -> bool:
    """Say whether chance may bring an outcome: a colour of the dice (A-01), or a sheet that no seat has (A-02)."""
    if state.phase == DEALING:
        for seat in range(state.players):
            if state.sheets[seat] == outcome + 1:
                return False
    return outcome < KINDS


@kernel
def deal(state: StateRecord, sheet: int, trace: Trace) -> None:
    """Give the next seat its sheet (A-02)."""
    seat = 0
    while state.sheets[seat]:
        seat += 1
    state.sheets[seat] = sheet
    tell(trace, DEALT, seat, sheet - 1)
    if seat == state.players - 1:
        state.phase = ROLLING


@kernel
def roll(state: StateRecord, colour: int, trace: Trace) -> None:
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


@kernel
def chance(state: StateRecord, outcomes: Array, weights: Array) -> int:
    """List what chance may bring, all equally likely."""
    count = 0
    for outcome in range(KINDS):
        if is_possible(state, outcome):
            outcomes[count] = outcome
            weights[count] = 1
            count += 1
    return count


@kernel
def draw(state: StateRecord, rng: Array) -> int:
    """Draw a colour, or sheets until one comes that no seat has (A-02)."""
    while True:
        outcome = below(rng, KINDS)
        if is_possible(state, outcome):
            return int(outcome)


# --- paying and marking -----------------------------------------------------------------------------------------------


@kernel
def pay(state: StateRecord, seat: int, colour: int, payment: int, trace: Trace) -> None:
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
def mark(state: StateRecord, seat: int, stones: int, trace: Trace) -> None:
    """Mark stones and tell what they complete: bonuses that are still open (A-23 … A-26), buildings (A-27)."""
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
def mark_single(state: StateRecord, seat: int, stone: int, payment: int, trace: Trace) -> None:
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
def mark_pair(state: StateRecord, seat: int, pair: int, first: int, second: int, trace: Trace) -> None:
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


# --- turns and rounds -------------------------------------------------------------------------------------------------


@kernel
def end_turn(state: StateRecord, seat: int, trace: Trace) -> None:
    """Put dice back that the active player had left (A-13); let the next seat build (A-10) or end the round."""
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
def end_round(state: StateRecord, trace: Trace) -> None:
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
    elif state.idle == idle_limit(state):
        finish(state, NOTHING_MARKED, trace)
    else:
        clear_dice(state)
        state.built = 0
        state.round_number += 1
        state.phase = ROLLING
        state.actor = CHANCE
        state.acting = 0


@kernel
def clear_dice(state: StateRecord) -> None:
    """Take up all dice."""
    for colour in range(KINDS):
        state.middle[colour] = 0
        state.gone[colour] = 0
        state.taken[colour] = 0


@kernel
def finish(state: StateRecord, ending: int, trace: Trace) -> None:
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
def apply(state: StateRecord, seat: int, move: int, trace: Trace) -> None:
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
