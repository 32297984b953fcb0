"""The race track of Camel Up: stacks of camels, units that move, and who is ahead (C1-14 … C1-18, C2-13 … C2-19)."""

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Rec, kernel
from sarai.core.kernels.trace import Trace, tell
from sarai.games.camelup.table import (
    BLACK,
    CAMELS,
    CROSSED,
    CROSSED_BACKWARDS,
    DIE_OUT,
    GREY,
    GREY_FACE,
    GREY_OUT,
    LINE,
    ONLY_ONE_CARRIES,
    PLACE,
    RACING,
    SENT_BACK,
    SENT_ON,
    TILE_PAID,
    UNIT_MOVED,
    UPPER_MOVES,
    WHITE,
)


@kernel
def unit_of(state: Rec, camel: int) -> int:
    """Return the camel unit, as bits, that a camel moves: itself and every camel above it (C1-14)."""
    unit = 0
    for other in range(CAMELS):
        if state.space[other] == state.space[camel] and state.height[other] >= state.height[camel]:
            unit |= 1 << other
    return unit


@kernel
def land(state: Rec, unit: int, bottom: int, space: int, on_top: bool) -> None:
    """Put a unit, whose lowest camel had a height, on a space: on top of the camels there (C1-15), or underneath (C1-16)."""
    there = 0
    for camel in range(CAMELS):
        if not (unit >> camel) & 1 and state.space[camel] == space:
            there += 1
            if not on_top:
                state.height[camel] += count_bits(unit)
    lift = (there if on_top else 0) - bottom
    for camel in range(CAMELS):
        if (unit >> camel) & 1:
            state.space[camel] = space
            state.height[camel] += lift


@kernel
def tile_owner(state: Rec, space: int) -> int:
    """Return the seat whose tile lies on a space, -1 if none does."""
    for seat in range(state.players):
        if abs(state.tiles[seat]) == space:
            return seat
    return -1


@kernel
def run(state: Rec, camel: int, step: int, number: int, trace: Trace) -> bool:
    """Move a camel's unit forward (step 1) or counter-clockwise (step -1); say whether it crossed the finish line."""
    unit, bottom, origin = unit_of(state, camel), int(state.height[camel]), int(state.space[camel])
    space, on_top = origin + step * number, True
    if 1 <= space <= LINE:  # what lies beyond the line plays no part (C1-27)
        tell(trace, UNIT_MOVED, camel, unit, origin, space)
        owner = tile_owner(state, space)
        if owner >= 0:  # C1-16; for a crazy camel mirrored (C2-18)
            state.pounds[owner] += 1
            tell(trace, TILE_PAID, owner, space, state.pounds[owner])
            on_top = state.tiles[owner] > 0
            origin = space
            space += step if on_top else -step
            if space <= LINE:
                tell(trace, SENT_ON if on_top else SENT_BACK, camel, unit, space)
    land(state, unit, bottom, space, on_top)
    if 1 <= space <= LINE:
        return False
    tell(trace, CROSSED if step > 0 else CROSSED_BACKWARDS, camel, unit, origin)  # C1-27, C2-25
    return True


@kernel
def carries(state: Rec, crazy: int) -> bool:
    """Say whether a crazy camel has a racing camel anywhere above it."""
    return bool(unit_of(state, crazy) & ((1 << RACING) - 1))


@kernel
def crazy_mover(state: Rec, shown: int, trace: Trace) -> int:
    """Return which crazy camel moves when the grey die shows one: that one (C2-15), with two exceptions."""
    mover = shown
    if carries(state, WHITE) != carries(state, BLACK):  # C2-16
        mover = WHITE if carries(state, WHITE) else BLACK
        if mover != shown:
            tell(trace, ONLY_ONE_CARRIES, mover)
    elif state.space[WHITE] == state.space[BLACK] and abs(state.height[WHITE] - state.height[BLACK]) == 1:  # C2-17
        mover = WHITE if state.height[WHITE] > state.height[BLACK] else BLACK
        if mover != shown:
            tell(trace, UPPER_MOVES, mover)
    return mover


@kernel
def let_racing_die_out(state: Rec, die: int, number: int, trace: Trace) -> bool:
    """Let a racing die come out and its camel move (C1-13, C2-13); say whether it crossed the finish line."""
    state.dice_out |= 1 << die
    state.shown[die] = number
    tell(trace, DIE_OUT, die, number)
    return bool(run(state, die, 1, number, trace))


@kernel
def let_grey_die_out(state: Rec, face: int, trace: Trace) -> tuple[int, bool]:
    """Let the grey die come out and a crazy camel move (C2-14); return which one, and whether it crossed the finish line."""
    shown, number = WHITE + face // 3, face % 3 + 1
    state.dice_out |= 1 << GREY
    state.shown[GREY] = face + 1
    tell(trace, GREY_OUT, shown, number)
    camel = crazy_mover(state, shown, trace)
    return camel, run(state, camel, -1, number, trace)


@kernel
def let_out(state: Rec, outcome: int, trace: Trace) -> bool:
    """Let the die of an outcome come out (C2-12); say whether the finish line was crossed."""
    if outcome < PLACE:
        return bool(let_racing_die_out(state, outcome // 3, outcome % 3 + 1, trace))
    _, crossed = let_grey_die_out(state, outcome - GREY_FACE, trace)
    return bool(crossed)


@kernel
def clear_track(state: Rec) -> None:
    """Give the tiles back to their owners and the dice to the pyramid when a leg is over (C1-26, C2-24)."""
    for seat in range(state.players):
        state.tiles[seat] = 0
    state.dice_out = 0
    for die in range(GREY + 1):
        state.shown[die] = 0


@kernel
def lead(state: Rec, camel: int) -> int:
    """Return a number that orders racing camels: further is ahead, and in a stack the higher (C1-17); who was carried back over the line is last (C2-26)."""
    return int(8 * state.space[camel] + state.height[camel])


@kernel
def leaders(state: Rec) -> tuple[int, int]:
    """Return the first and the second racing camel; crazy ones do not count (C2-22)."""
    first, second = 0, 1
    if lead(state, second) > lead(state, first):
        first, second = second, first
    for camel in range(2, RACING):
        if lead(state, camel) > lead(state, first):
            first, second = camel, first
        elif lead(state, camel) > lead(state, second):
            second = camel
    return first, second


@kernel
def last_camel(state: Rec) -> int:
    """Return the last racing camel (C1-28)."""
    last = 0
    for camel in range(1, RACING):
        if lead(state, camel) < lead(state, last):
            last = camel
    return last


@kernel
def camels_on(state: Rec) -> int:
    """Return a bit for every space that holds a camel; all of them are on the track."""
    spaces = 0
    for camel in range(CAMELS):
        spaces |= 1 << state.space[camel]
    return spaces


@kernel
def moment(state: Rec) -> int:
    """Pack where all camels stand (eight bits each, space before height) and which dice are out into one number."""
    packed = int(state.dice_out)
    for camel in range(CAMELS):
        packed = packed << 8 | state.space[camel] << 3 | state.height[camel]
    return packed


@kernel
def restore(state: Rec, packed: int) -> None:
    """Put all camels back to where they stood when `moment` packed them, and the dice that were out then."""
    state.dice_out = packed >> 8 * CAMELS
    for camel in range(CAMELS):
        place = packed >> 8 * (CAMELS - 1 - camel)
        state.space[camel] = (place >> 3) & 31
        state.height[camel] = place & 7
