"""The rules of Through the Desert: what may be done and what it does. The clauses are in the modules imported here."""

from sarai.core.kernels.bits import first_bit
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.move_trace import Trace
from sarai.core.result import CHANCE
from sarai.games.desert.camel_placement import next_camel, place_camel, room
from sarai.games.desert.hex_sets import IN_PLAY, PALM_SPACES, PALMS_NEAR, SAND_HEXES, has, is_wide
from sarai.games.desert.leaders import leader_refusal, next_leader, place_leader
from sarai.games.desert.scoring import finish
from sarai.games.desert.setup import set_up, weight
from sarai.games.desert.state import (
    ALLOWED,
    CAMEL_NOT_TOUCHING,
    CAMEL_PILE_EMPTY,
    CAMEL_TOUCHES_OTHER,
    CAMEL_WITHOUT_CARAVAN,
    GOING_ON,
    HEX_ENCLOSED,
    HEX_HAS_CAMEL,
    HEX_IS_OASIS,
    HEX_NOT_IN_PLAY,
    HEXES,
    KINDS,
    LEADER_NEXT_TO_LEADER,
    LEADER_NEXT_TO_OASIS,
    LEADER_ON_WATER,
    LEADERS,
    MAX_MOVES,
    MOVE_LIMIT,
    NO_OUTCOME,
    WORD,
    WORDS,
    StateRecord,
)


@kernel
def apply(state: StateRecord, seat: int, move: int, trace: Trace) -> None:
    """Play a move or a chance outcome, and find out who is next."""
    if seat == CHANCE:
        set_up(state, move, trace)
    else:
        state.moves_made += 1
        if state.phase == LEADERS:
            place_leader(state, seat, move // HEXES, move % HEXES, trace)
            seat = -1
        else:
            place_camel(state, seat, move // HEXES, move % HEXES, trace)
    if state.phase == LEADERS:
        next_leader(state, trace)
    ending = GOING_ON
    if state.phase > LEADERS:
        ending = next_camel(state, seat, trace)
    if ending == GOING_ON and state.moves_made >= MAX_MOVES:
        ending = MOVE_LIMIT
    if ending != GOING_ON:
        finish(state, ending, trace)


@kernel
def refusal(state: StateRecord, seat: int, move: int) -> int:
    """Say why a seat that is to act may not make a move; 0 if it may."""
    if seat == CHANCE:
        return ALLOWED if weight(state, move) else NO_OUTCOME
    colour, hex = move // HEXES, move % HEXES
    if state.phase == LEADERS:
        why = leader_refusal(state, seat, colour)
        if why or has(state.open_hexes, hex):
            return why
    elif (room(state, seat, colour, hex // WORD) >> (hex % WORD)) & 1:
        return ALLOWED
    return explain(state, seat, colour, hex)


@kernel
def explain(state: StateRecord, seat: int, colour: int, hex: int) -> int:
    """Say why a hex is not open, or not to this caravan."""
    if not has(IN_PLAY[is_wide(state)], hex):
        return HEX_NOT_IN_PLAY
    for space in range(PALM_SPACES.size):
        if (state.palms >> space) & 1 and PALM_SPACES[space] == hex:
            return HEX_IS_OASIS
    if has(state.camels, hex):
        return HEX_HAS_CAMEL
    if state.phase == LEADERS:
        if not has(SAND_HEXES[is_wide(state)], hex):
            return LEADER_ON_WATER
        return LEADER_NEXT_TO_OASIS if PALMS_NEAR[hex] & state.palms else LEADER_NEXT_TO_LEADER
    if not has(state.open_hexes, hex):
        return HEX_ENCLOSED
    if state.leaders[seat, colour] == 0:
        return CAMEL_WITHOUT_CARAVAN
    if state.piles[colour] == 0:
        return CAMEL_PILE_EMPTY
    return CAMEL_TOUCHES_OTHER if has(state.near[seat, colour], hex) else CAMEL_NOT_TOUCHING


@kernel
def legal(state: StateRecord, seat: int, out: Array) -> int:
    """List a seat's legal moves."""
    count = 0
    leading = state.phase == LEADERS
    for colour in range(KINDS):
        if leading and leader_refusal(state, seat, colour):
            continue
        for word in range(WORDS):
            left = state.open_hexes[word] if leading else room(state, seat, colour, word)
            first = colour * HEXES + word * WORD
            while left:
                out[count] = first + first_bit(left)
                count += 1
                left &= left - 1
    return count
