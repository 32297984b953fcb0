"""Growing the caravans, turn by turn (D-16 … D-23)."""

from sarai.core.kernels.compile import kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.games.desert.hex_sets import IN_PLAY, NEAR, PALM_SPACES, PALMS_NEAR, SPACES_IN_PLAY, bit, is_wide
from sarai.games.desert.placement_scoring import enclose, link, take_water
from sarai.games.desert.state import (
    CARAVANS,
    FIRST_ROUND,
    GOING_ON,
    KINDS,
    NOBODY_CAN,
    PILE_EMPTY,
    TOLD_CAMEL,
    TOLD_NONE,
    TOLD_PILE_EMPTY,
    WORD,
    WORDS,
    StateRecord,
)


@kernel
def open_to_camels(state: StateRecord) -> None:
    """Find where a camel may stand: in play, empty, no oasis (D-18) and not enclosed (D-30)."""
    for word in range(WORDS):
        state.open_hexes[word] = IN_PLAY[is_wide(state), word] & ~state.camels[word]
        for seat in range(state.players):
            state.open_hexes[word] &= ~state.enclosed[seat, word]
    for space in range(SPACES_IN_PLAY[is_wide(state)]):
        if (state.palms >> space) & 1:
            state.open_hexes[PALM_SPACES[space] // WORD] &= ~bit(PALM_SPACES[space])


@kernel
def camels_to_place(state: StateRecord, seat: int) -> int:
    """Return how many camels a turn is: two (D-16), in the first round one for the first players (D-17)."""
    alone = 1 if state.players == 2 else 2
    return 1 if state.phase == FIRST_ROUND and seat < alone else 2


@kernel
def room(state: StateRecord, seat: int, colour: int, word: int) -> int:
    """Return, of the hexes of a word, those that a camel may grow a caravan on.

    They are open (D-18, D-30), touch the caravan (D-19) and no other of the colour (D-20), whatever else (D-21).
    """
    if state.piles[colour] == 0:  # D-22
        return 0
    others = 0
    for other in range(state.players):
        if other != seat:
            others |= state.near[other, colour, word]
    return int(state.near[seat, colour, word] & state.open_hexes[word] & ~others)


@kernel
def can_place(state: StateRecord, seat: int) -> bool:
    """Say whether a player has a legal placement (D-23)."""
    for colour in range(KINDS):
        for word in range(WORDS):
            if room(state, seat, colour, word):
                return True
    return False


@kernel
def is_pile_empty(state: StateRecord) -> bool:
    """Say whether the last camel of a pile was placed (D-32)."""
    smallest = int(state.piles[0])
    for colour in range(1, KINDS):
        smallest = min(smallest, int(state.piles[colour]))
    return smallest == 0


@kernel
def stand(state: StateRecord, seat: int, colour: int, hex: int) -> None:
    """Put a camel on a hex."""
    state.caravans[seat, colour, hex // WORD] |= bit(hex)
    state.camels[hex // WORD] |= bit(hex)
    for word in range(WORDS):
        state.near[seat, colour, word] |= NEAR[is_wide(state), hex, word]


@kernel
def place_camel(state: StateRecord, seat: int, colour: int, hex: int, trace: Trace) -> None:
    """Grow a caravan by a camel from the pile (D-16)."""
    state.piles[colour] -= 1
    state.camels_left -= 1
    stand(state, seat, colour, hex)
    state.open_hexes[hex // WORD] &= ~bit(hex)
    tell(trace, TOLD_CAMEL, seat, colour, hex)
    take_water(state, seat, hex, trace)
    link(state, seat, colour, PALMS_NEAR[hex], trace)
    enclose(state, seat, colour, hex, trace)
    if state.piles[colour] == 0:
        tell(trace, TOLD_PILE_EMPTY, colour)


@kernel
def next_camel(state: StateRecord, seat: int, trace: Trace) -> int:
    """Let a player go on, or pass the turn to the next who can place a camel (D-23); return why the game ends, if so.

    It ends with a turn after which a pile is empty (D-32), and when every player in a row could place none (D-23).
    """
    left = int(state.camels_left)
    for _ in range(state.players + 1):
        if left and can_place(state, seat):
            state.actor = seat
            state.acting = 1 << seat
            state.camels_left = left
            return GOING_ON
        if left:
            tell(trace, TOLD_NONE, seat)
        if is_pile_empty(state):
            return PILE_EMPTY
        seat += 1
        if seat == state.players:
            seat = 0
            state.phase = CARAVANS
        left = camels_to_place(state, seat)
    return NOBODY_CAN
