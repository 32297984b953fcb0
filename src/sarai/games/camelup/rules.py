"""The rules of Camel Up as searches and servers ask for them; RULES.md and RULES-2018.md have the clauses' numbers.

The clauses themselves are in `setup`, `turn_actions`, `track` and `scoring`.
"""

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.move_trace import Trace
from sarai.core.kernels.rng import below
from sarai.core.result import CHANCE
from sarai.games.camelup.scoring import end_race
from sarai.games.camelup.setup import camels_below, camels_set_up, set_up, set_up_crazy, stack
from sarai.games.camelup.state import (
    ALLOWED,
    BET,
    BLACK,
    DIE,
    GREY,
    GREY_FACE,
    MAX_MOVES,
    MIRAGE,
    MOVE_LIMIT,
    NOT_POSSIBLE,
    NUM_DICE,
    OASIS,
    PARTNER,
    PLACE,
    PYRAMID,
    RACING,
    ROLLING,
    SECOND,
    SETTING_CRAZY,
    SETTING_UP,
    STACK_EMPTY,
    STACKING,
    TILE,
    WHITE,
    WIN,
    PublicRecord,
    StateRecord,
    TrackRecord,
)
from sarai.games.camelup.turn_actions import (
    become_partners,
    begin_turn,
    bet,
    card_refusal,
    lay_card,
    open_spaces,
    partner_refusal,
    put_tile,
    roll,
    take_pyramid_ticket,
    tickets_left,
    tile_refusal,
)


@kernel
def apply(state: StateRecord, seat: int, move: int, trace: Trace) -> None:
    """Play a move or a chance outcome."""
    if seat == CHANCE:
        if state.phase == ROLLING:
            roll(state, move, trace)
        elif state.phase == SETTING_UP:
            set_up(state, move // 3, move % 3 + 1, trace)
        elif state.phase == STACKING:
            stack(state, move - PLACE, trace)
        else:
            set_up_crazy(state, move - GREY_FACE, trace)
        return
    state.moves_made += 1
    if move == PYRAMID:
        take_pyramid_ticket(state, seat, trace)
    else:
        if move < TILE:
            bet(state, seat, move - BET, trace)
        elif move < PYRAMID:
            put_tile(state, seat, (move - TILE) // 2 + 2, (move - TILE) % 2, trace)
        elif move < PARTNER:
            lay_card(state, seat, (move - WIN) % RACING, (move - WIN) // RACING, trace)
        else:
            become_partners(state, seat, move - PARTNER, trace)
        begin_turn(state, (seat + 1) % int(state.players))
    if state.moves_made >= MAX_MOVES:
        state.turn = seat
        state.ending = MOVE_LIMIT
        end_race(state, trace)


@kernel
def outcome_refusal(state: TrackRecord, outcome: int) -> int:
    """Say whether chance cannot bring an outcome: the dice left, the places of a stack, the faces of the grey die."""
    possible = False
    if outcome < PLACE:
        die = outcome // 3
        possible = (
            not (state.dice_out >> die) & 1
            if state.phase == ROLLING
            else state.phase == SETTING_UP and die == camels_set_up(state)
        )
    elif outcome < GREY_FACE:
        possible = state.phase == STACKING and outcome - PLACE <= camels_below(state, camels_set_up(state) - 1)
    elif outcome < GREY_FACE + 6 and state.edition == SECOND:
        crazy = WHITE + (outcome - GREY_FACE) // 3
        possible = (
            not (state.dice_out >> GREY) & 1
            if state.phase == ROLLING
            else state.phase == SETTING_CRAZY and not state.space[crazy]
        )
    return ALLOWED if possible else NOT_POSSIBLE


@kernel
def refusal(state: StateRecord, seat: int, move: int) -> int:
    """Say why a move of the actor may not be made; 0 if it may."""
    if seat == CHANCE:
        return outcome_refusal(state, move)
    if move < TILE:
        return ALLOWED if tickets_left(state, move - BET) else STACK_EMPTY
    if move < PYRAMID:
        return tile_refusal(state, seat, (move - TILE) // 2 + 2)
    if move == PYRAMID:
        return ALLOWED
    if move < PARTNER:
        return card_refusal(state, seat, (move - WIN) % RACING)
    return partner_refusal(state, seat, move - PARTNER)


@kernel
def legal(state: StateRecord, seat: int, out: Array) -> int:
    """List the legal moves of a seat that is to act."""
    count = 0
    for camel in range(RACING):
        if tickets_left(state, camel):
            out[count] = BET + camel
            count += 1
    spaces = open_spaces(state, seat)
    while spaces:
        move = TILE + 2 * (first_bit(spaces) - 2)
        out[count] = move + OASIS
        out[count + 1] = move + MIRAGE
        count += 2
        spaces &= spaces - 1
    out[count] = PYRAMID
    count += 1
    for move in range(WIN, PARTNER):
        if card_refusal(state, seat, (move - WIN) % RACING) == ALLOWED:
            out[count] = move
            count += 1
    if state.partnerships:
        for other in range(state.players):
            if partner_refusal(state, seat, other) == ALLOWED:
                out[count] = PARTNER + other
                count += 1
    return count


@kernel
def chance(state: TrackRecord, outcomes: Array, weights: Array) -> int:
    """List what chance may bring.

    A racing die shows each number twice as often as the grey one shows each of its faces (C1-02, C2-03).
    """
    grey_left = state.phase == ROLLING and state.edition == SECOND and not (state.dice_out >> GREY) & 1
    count = 0
    for outcome in range(DIE, GREY_FACE + 6):
        if outcome_refusal(state, outcome) == ALLOWED:
            outcomes[count] = outcome
            weights[count] = 2 if grey_left and outcome < PLACE else 1
            count += 1
    return count


@kernel
def draw(state: TrackRecord, rng: Array) -> int:
    """Draw an outcome: a die and its face, a number, or a place."""
    if state.phase == ROLLING:
        left = ((1 << NUM_DICE[state.edition]) - 1) & ~int(state.dice_out)
        pick = below(rng, 6 * count_bits(left))
        for _ in range(pick // 6):
            left &= left - 1
        die = first_bit(left)
        return int(GREY_FACE + pick % 6 if die == GREY else 3 * die + pick % 3)
    if state.phase == SETTING_UP:
        return int(3 * camels_set_up(state) + below(rng, 3))
    if state.phase == STACKING:
        return int(PLACE + below(rng, camels_below(state, camels_set_up(state) - 1) + 1))
    if state.space[WHITE]:
        return int(GREY_FACE + 3 + below(rng, 3))
    return int(GREY_FACE + below(rng, 3 if state.space[BLACK] else 6))


@kernel
def score(state: PublicRecord, out: Array) -> None:
    """Write every seat's pounds."""
    for seat in range(state.players):
        out[seat] = state.pounds[seat]


@kernel
def standing(state: PublicRecord, out: Array) -> None:
    """Most money wins; a tie is shared (C1-30)."""
    score(state, out)
