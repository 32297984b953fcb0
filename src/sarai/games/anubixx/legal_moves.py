"""What a seat may do: the legal moves, and why others are not (A-11 … A-22)."""

from sarai.core.kernels.bits import first_bit
from sarai.core.kernels.compile import Array, kernel
from sarai.core.result import CHANCE
from sarai.games.anubixx.markable_stones import open_pairs, open_singles
from sarai.games.anubixx.payment import pairs_by, singles_by
from sarai.games.anubixx.quarry import quarry_left, quarry_place
from sarai.games.anubixx.rules import is_possible
from sarai.games.anubixx.sheet_arrays import COLOUR_OF, FIRST_STONE, NEXT_PLACE, SECOND_STONE
from sarai.games.anubixx.state import (
    ALLOWED,
    ARCH_FROM,
    BY_JOKER,
    BY_QUARRY,
    DIE,
    DIE_FITS,
    KEYSTONE,
    KINDS,
    MARKED_ALREADY,
    NO_COLUMNS,
    NO_DIE,
    NO_JOKER,
    NO_QUARRY_STONE,
    NO_SUPPORT,
    NOT_FROM_BOTTOM,
    OTHER_WAY_ROUND,
    PAIRS,
    PAIRS_FROM,
    PAYMENTS,
    SINGLES,
    STOP,
    WHOLE_TURN,
    StateRecord,
)


@kernel
def dice_colours(state: StateRecord, least: int) -> int:
    """Return the colours of which at least a number of dice lie in the middle."""
    colours = 0
    for colour in range(KINDS):
        if state.middle[colour] >= least:
            colours |= 1 << colour
    return colours


@kernel
def list_bits(bits: int, base: int, count: int, out: Array) -> int:
    """List the bits of a set, counted from a base, after what is listed already."""
    while bits:
        out[count] = base + first_bit(bits)
        bits &= bits - 1
        count += 1
    return count


@kernel
def legal(state: StateRecord, seat: int, out: Array) -> int:
    """List the legal moves of a seat that is to act; it may always stop (A-22)."""
    marks, sheet, jokers = int(state.marks[seat]), int(state.sheets[seat]), int(state.jokers[seat])
    dice, two_dice = dice_colours(state, 1), dice_colours(state, 2)
    quarry, two_quarry = quarry_left(state, seat)
    singles = open_singles(marks)
    count = 0
    for payment in range(PAYMENTS):
        count = list_bits(singles & singles_by(payment, sheet, dice, quarry, jokers), payment * SINGLES, count, out)
    if state.marked == 0:
        pairs = open_pairs(marks)
        for first in range(PAYMENTS):
            for second in range(PAYMENTS):
                payable = pairs & pairs_by(first, second, sheet, dice, two_dice, quarry, two_quarry, jokers)
                count = list_bits(payable, PAIRS_FROM + (first * PAYMENTS + second) * len(PAIRS), count, out)
    out[count] = STOP
    return count + 1


@kernel
def refusal(state: StateRecord, seat: int, move: int) -> int:
    """Say why the seat that is to act may not make a move; 0 if it may."""
    if seat == CHANCE:
        return ALLOWED if is_possible(state, move) else MARKED_ALREADY
    if move == STOP:
        return ALLOWED
    marks, sheet, jokers = int(state.marks[seat]), int(state.sheets[seat]), int(state.jokers[seat])
    dice, two_dice = dice_colours(state, 1), dice_colours(state, 2)
    quarry, two_quarry = quarry_left(state, seat)
    if move < PAIRS_FROM:
        payment, stone = move // SINGLES, move % SINGLES
        if (open_singles(marks) & singles_by(payment, sheet, dice, quarry, jokers)) >> stone & 1:
            return ALLOWED
        return why_not_single(state, seat, stone, payment)
    payments, pair = (move - PAIRS_FROM) // len(PAIRS), (move - PAIRS_FROM) % len(PAIRS)
    first, second = payments // PAYMENTS, payments % PAYMENTS
    if (
        state.marked == 0
        and (open_pairs(marks) & pairs_by(first, second, sheet, dice, two_dice, quarry, two_quarry, jokers)) >> pair & 1
    ):
        return ALLOWED
    return why_not_pair(state, seat, pair, first, second)


@kernel
def why_not_single(state: StateRecord, seat: int, stone: int, payment: int) -> int:
    """Return the reason why a pyramid or arch stone may not be marked so."""
    marks = int(state.marks[seat])
    if (marks >> stone) & 1:
        return MARKED_ALREADY
    if not (open_singles(marks) >> stone) & 1:
        return NO_SUPPORT if stone < ARCH_FROM else NO_COLUMNS if stone == KEYSTONE else NOT_FROM_BOTTOM
    return why_not_paid(state, seat, int(COLOUR_OF[state.sheets[seat], stone]), payment, -1, -1)


@kernel
def why_not_pair(state: StateRecord, seat: int, pair: int, first: int, second: int) -> int:
    """Return the reason why a relief pair may not be marked so."""
    sheet, stone, other = state.sheets[seat], FIRST_STONE[pair], SECOND_STONE[pair]
    if state.marked:
        return WHOLE_TURN
    if state.marks[seat] & (1 << stone | 1 << other):
        return MARKED_ALREADY
    colour, other_colour = int(COLOUR_OF[sheet, stone]), int(COLOUR_OF[sheet, other])
    if colour == other_colour and first > second:
        return OTHER_WAY_ROUND
    reason = why_not_paid(state, seat, colour, first, -1, -1)
    return reason if reason else why_not_paid(state, seat, other_colour, second, colour, first)


@kernel
def why_not_paid(state: StateRecord, seat: int, colour: int, payment: int, paid_colour: int, paid_so: int) -> int:
    """Return the reason why a stone cannot be paid so after another was, 0 if it can (A-11)."""
    dice = int(state.middle[colour])
    quarry = 0
    place = quarry_place(state, seat, colour)
    while place >= 0:
        quarry += 1
        place = int(NEXT_PLACE[state.sheets[seat], place + 1, colour])
    jokers = int(state.jokers[seat])
    if paid_so == BY_JOKER:
        jokers -= 1
    elif colour == paid_colour and paid_so == DIE:
        dice -= 1
    elif colour == paid_colour and paid_so == BY_QUARRY:
        quarry -= 1
    if payment == DIE:
        return ALLOWED if dice else NO_DIE
    if dice:
        return DIE_FITS
    if payment == BY_QUARRY:
        return ALLOWED if quarry else NO_QUARRY_STONE
    return ALLOWED if jokers else NO_JOKER
