"""Setting up: what each player gets, and what chance brings (D-04 … D-10)."""

from collections.abc import Mapping

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, Cell, kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.core.kernels.rng import below
from sarai.core.options import Value
from sarai.core.result import CHANCE
from sarai.games.desert.hex_sets import DOTS, PALM_SPACES, SPACES_IN_PLAY, bit, is_wide
from sarai.games.desert.leaders import open_to_leaders
from sarai.games.desert.state import (
    CAMELS,
    KINDS,
    LAYING_WATER,
    LEADERS,
    PLANTING,
    SEATS,
    SETTING_ASIDE,
    TOKENS_EACH,
    TOLD_ASIDE,
    TOLD_PALM,
    TOLD_WATER,
    VALUES,
    WORD,
    WORDS,
    StateRecord,
)
from sarai.games.desert.terrain import PALMS


def pile_size(players: int) -> int:
    """Return how many camels of each colour are left over: one per player is a leader, some stay in the box (D-07)."""
    return CAMELS - players - {2: 10, 3: 5}.get(players, 0)


def begin(cell: Cell, players: int, options: Mapping[str, Value]) -> None:
    """Set up a game; what is left to chance comes first."""
    cell["piles"] = pile_size(players)
    cell["phase"] = SETTING_ASIDE if players == SEATS else PLANTING
    cell["actor"] = CHANCE


@kernel
def weight(state: StateRecord, outcome: int) -> int:
    """Return how likely chance brings an outcome: a colour to set aside, a palm space, a token's value less one."""
    if state.phase == SETTING_ASIDE:
        for seat in range(SEATS):
            if state.aside[seat] == outcome + 1:
                return 0
        return 1 if outcome < KINDS else 0
    if state.phase == PLANTING:
        return 1 if outcome < SPACES_IN_PLAY[is_wide(state)] and not (state.palms >> outcome) & 1 else 0
    if outcome >= VALUES:
        return 0
    left = TOKENS_EACH
    for word in range(WORDS):
        left -= count_bits(state.water[outcome, word])
    return left


@kernel
def outcomes_now(state: StateRecord) -> int:
    """Return one more than the highest outcome that chance may bring."""
    if state.phase == SETTING_ASIDE:
        return KINDS
    if state.phase == PLANTING:
        return int(SPACES_IN_PLAY[is_wide(state)])
    return VALUES


@kernel
def chance(state: StateRecord, outcomes: Array, weights: Array) -> int:
    """List what chance may bring."""
    count = 0
    for outcome in range(outcomes_now(state)):
        likely = weight(state, outcome)
        if likely:
            outcomes[count] = outcome
            weights[count] = likely
            count += 1
    return count


@kernel
def draw(state: StateRecord, rng: Array) -> int:
    """Draw what chance brings."""
    total = 0
    for outcome in range(outcomes_now(state)):
        total += weight(state, outcome)
    pick = below(rng, total)
    outcome = 0
    while pick >= weight(state, outcome):
        pick -= weight(state, outcome)
        outcome += 1
    return outcome


@kernel
def set_aside(state: StateRecord, colour: int, trace: Trace) -> None:
    """Let the next of five players set a leader aside (D-06)."""
    seat = 0
    while state.aside[seat]:
        seat += 1
    state.aside[seat] = colour + 1
    return_camel(state, colour)
    tell(trace, TOLD_ASIDE, seat, colour)
    if seat == SEATS - 1:
        state.phase = PLANTING


@kernel
def return_camel(state: StateRecord, colour: int) -> None:
    """Put the camel of a leader set aside back on its pile (D-07); in rules version 1 it was out of the game."""
    if state.rules_version > 1:
        state.piles[colour] += 1


@kernel
def plant(state: StateRecord, space: int, trace: Trace) -> None:
    """Put a palm on a palm space (D-08); after the last one the other spaces and the dots wait for water."""
    state.palms |= 1 << space
    tell(trace, TOLD_PALM, PALM_SPACES[space])
    if count_bits(state.palms) < PALMS:
        return
    state.phase = LAYING_WATER
    wait_for_water(state)


@kernel
def wait_for_water(state: StateRecord) -> None:
    """Mark the dots and the palm spaces without a palm (D-09)."""
    wide = is_wide(state)
    for word in range(WORDS):
        state.bare[word] = DOTS[wide, word]
    for space in range(SPACES_IN_PLAY[wide]):
        if not (state.palms >> space) & 1:
            state.bare[PALM_SPACES[space] // WORD] |= bit(PALM_SPACES[space])


@kernel
def lay_water(state: StateRecord, value: int, trace: Trace) -> None:
    """Lay a token on the next water hole (D-09)."""
    word = 0
    while state.bare[word] == 0:
        word += 1
    place = first_bit(state.bare[word])
    state.bare[word] ^= 1 << place
    state.water[value, word] |= 1 << place
    tell(trace, TOLD_WATER, word * WORD + place, value + 1)


@kernel
def is_set_up(state: StateRecord) -> bool:
    """Say whether every water hole has its token."""
    for word in range(WORDS):
        if state.bare[word]:
            return False
    return bool(state.phase == LAYING_WATER)


@kernel
def set_up(state: StateRecord, outcome: int, trace: Trace) -> None:
    """Do what chance brings; then the leaders come."""
    if state.phase == SETTING_ASIDE:
        set_aside(state, outcome, trace)
    elif state.phase == PLANTING:
        plant(state, outcome, trace)
    else:
        lay_water(state, outcome, trace)
    if is_set_up(state):
        state.phase = LEADERS
        open_to_leaders(state)
