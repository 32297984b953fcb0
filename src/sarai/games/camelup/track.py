"""The race track of Camel Up: stacks of camels, units that move, and who is ahead (C1-14 … C1-18, C2-13 … C2-19)."""

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.games.camelup.state import (
    BLACK,
    CAMELS,
    CROSSED,
    CROSSED_BACKWARDS,
    DIE_OUT,
    GREY,
    GREY_FACE,
    GREY_OUT,
    LAST_SPACE,
    ONLY_ONE_CARRIES,
    PLACE,
    RACING,
    SENT_BACK,
    SENT_ON,
    TILE_PAID,
    UNIT_MOVED,
    UPPER_MOVES,
    WHITE,
    TrackRecord,
)


@kernel
def unit_of(track: TrackRecord, camel: int) -> int:
    """Return the camel unit, as bits, that a camel moves: itself and every camel above it (C1-14)."""
    unit = 0
    for other in range(CAMELS):
        if track.space[other] == track.space[camel] and track.height[other] >= track.height[camel]:
            unit |= 1 << other
    return unit


@kernel
def land(track: TrackRecord, unit: int, bottom: int, space: int, on_top: bool) -> None:
    """Put a unit on a space, on top of the camels there (C1-15) or underneath (C1-16); `bottom` is its old height."""
    there = 0
    for camel in range(CAMELS):
        if not (unit >> camel) & 1 and track.space[camel] == space:
            there += 1
            if not on_top:
                track.height[camel] += count_bits(unit)
    lift = (there if on_top else 0) - bottom
    for camel in range(CAMELS):
        if (unit >> camel) & 1:
            track.space[camel] = space
            track.height[camel] += lift


@kernel
def tile_owner(track: TrackRecord, space: int) -> int:
    """Return the seat whose tile lies on a space, -1 if none does."""
    for seat in range(track.players):
        if abs(track.tiles[seat]) == space:
            return seat
    return -1


@kernel
def run(track: TrackRecord, camel: int, step: int, number: int, trace: Trace) -> bool:
    """Move a camel's unit forward (step 1) or counter-clockwise (step -1); say whether it crossed the finish line."""
    unit, bottom, origin = unit_of(track, camel), int(track.height[camel]), int(track.space[camel])
    space, on_top = origin + step * number, True
    if 1 <= space <= LAST_SPACE:  # what lies beyond the line plays no part (C1-27)
        tell(trace, UNIT_MOVED, camel, unit, origin, space)
        owner = tile_owner(track, space)
        if owner >= 0:  # C1-16; for a crazy camel mirrored (C2-18)
            track.pounds[owner] += 1
            tell(trace, TILE_PAID, owner, space, track.pounds[owner])
            on_top = track.tiles[owner] > 0
            origin = space
            space += step if on_top else -step
            if space <= LAST_SPACE:
                tell(trace, SENT_ON if on_top else SENT_BACK, camel, unit, space)
    land(track, unit, bottom, space, on_top)
    if 1 <= space <= LAST_SPACE:
        return False
    tell(trace, CROSSED if step > 0 else CROSSED_BACKWARDS, camel, unit, origin)  # C1-27, C2-25
    return True


@kernel
def carries(track: TrackRecord, crazy: int) -> bool:
    """Say whether a crazy camel has a racing camel anywhere above it."""
    return bool(unit_of(track, crazy) & ((1 << RACING) - 1))


@kernel
def crazy_mover(track: TrackRecord, shown: int, trace: Trace) -> int:
    """Return which crazy camel moves when the grey die shows one: that one (C2-15), with two exceptions."""
    mover = shown
    if carries(track, WHITE) != carries(track, BLACK):  # C2-16
        mover = WHITE if carries(track, WHITE) else BLACK
        if mover != shown:
            tell(trace, ONLY_ONE_CARRIES, mover)
    elif track.space[WHITE] == track.space[BLACK] and abs(track.height[WHITE] - track.height[BLACK]) == 1:  # C2-17
        mover = WHITE if track.height[WHITE] > track.height[BLACK] else BLACK
        if mover != shown:
            tell(trace, UPPER_MOVES, mover)
    return mover


@kernel
def let_racing_die_out(track: TrackRecord, die: int, number: int, trace: Trace) -> bool:
    """Let a racing die come out and its camel move (C1-13, C2-13); say whether it crossed the finish line."""
    track.dice_out |= 1 << die
    track.shown[die] = number
    tell(trace, DIE_OUT, die, number)
    return bool(run(track, die, 1, number, trace))


@kernel
def let_grey_die_out(track: TrackRecord, face: int, trace: Trace) -> tuple[int, bool]:
    """Let the grey die come out and a crazy camel move (C2-14); return which, and whether it crossed the line."""
    shown, number = WHITE + face // 3, face % 3 + 1
    track.dice_out |= 1 << GREY
    track.shown[GREY] = face + 1
    tell(trace, GREY_OUT, shown, number)
    camel = crazy_mover(track, shown, trace)
    return camel, run(track, camel, -1, number, trace)


@kernel
def let_out(track: TrackRecord, outcome: int, trace: Trace) -> bool:
    """Let the die of an outcome come out (C2-12); say whether the finish line was crossed."""
    if outcome < PLACE:
        return bool(let_racing_die_out(track, outcome // 3, outcome % 3 + 1, trace))
    _, crossed = let_grey_die_out(track, outcome - GREY_FACE, trace)
    return bool(crossed)


@kernel
def clear_track(track: TrackRecord) -> None:
    """Give the tiles back to their owners and the dice to the pyramid when a leg is over (C1-26, C2-24)."""
    for seat in range(track.players):
        track.tiles[seat] = 0
    track.dice_out = 0
    for die in range(GREY + 1):
        track.shown[die] = 0


@kernel
def lead(track: TrackRecord, camel: int) -> int:
    """Return a number that orders racing camels: further is ahead, and in a stack the higher (C1-17).

    A camel that was carried back over the line is last (C2-26).
    """
    return int(8 * track.space[camel] + track.height[camel])


@kernel
def leaders(track: TrackRecord) -> tuple[int, int]:
    """Return the first and the second racing camel; crazy ones do not count (C2-22)."""
    first, second = 0, 1
    if lead(track, second) > lead(track, first):
        first, second = second, first
    for camel in range(2, RACING):
        if lead(track, camel) > lead(track, first):
            first, second = camel, first
        elif lead(track, camel) > lead(track, second):
            second = camel
    return first, second


@kernel
def last_camel(track: TrackRecord) -> int:
    """Return the last racing camel (C1-28)."""
    last = 0
    for camel in range(1, RACING):
        if lead(track, camel) < lead(track, last):
            last = camel
    return last


@kernel
def camels_on(track: TrackRecord) -> int:
    """Return a bit for every space that holds a camel; all of them are on the track."""
    spaces = 0
    for camel in range(CAMELS):
        spaces |= 1 << track.space[camel]
    return spaces


@kernel
def moment(track: TrackRecord) -> int:
    """Pack where all camels stand (eight bits each: space, height) and which dice are out into one number."""
    packed = int(track.dice_out)
    for camel in range(CAMELS):
        packed = packed << 8 | track.space[camel] << 3 | track.height[camel]
    return packed


@kernel
def restore(track: TrackRecord, packed: int) -> None:
    """Put the camels and the dice back to where they were when `moment` packed them."""
    track.dice_out = packed >> 8 * CAMELS
    for camel in range(CAMELS):
        place = packed >> 8 * (CAMELS - 1 - camel)
        track.space[camel] = (place >> 3) & 31
        track.height[camel] = place & 7
