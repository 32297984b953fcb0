"""How stones can be paid (A-11 … A-17), as sets of colours, stones and relief pairs."""

from sarai.core.kernels.compile import kernel
from sarai.games.anubixx.sheet_arrays import ALIKE_OF, FIRST_OF, SECOND_OF, SINGLES_OF
from sarai.games.anubixx.state import BY_JOKER, BY_QUARRY, DIE, KINDS

ALL_COLOURS = (1 << KINDS) - 1


@kernel
def colours_by(payment: int, dice: int, quarry: int, jokers: int) -> int:
    """Return the colours in which a stone can be paid so: by a die if one fits, else otherwise (A-11, A-16)."""
    if payment == DIE:
        return dice
    if payment == BY_QUARRY:
        return quarry & ~dice
    return ALL_COLOURS & ~dice if jokers > 0 else 0


@kernel
def colours_twice_by(
    first: int, second: int, dice: int, two_dice: int, quarry: int, two_quarry: int, jokers: int
) -> int:
    """Return the colours in which two stones can be paid so (A-11, A-12), named in the order die, quarry, joker."""
    if first > second:
        return 0
    if first == DIE:
        if second == DIE:
            return two_dice
        return colours_by(second, 0, quarry, jokers) & dice & ~two_dice
    if first == BY_JOKER:
        return ALL_COLOURS & ~dice if jokers > 1 else 0
    return colours_by(second, dice, quarry, jokers) & (two_quarry if second == BY_QUARRY else quarry)


@kernel
def singles_by(payment: int, sheet: int, dice: int, quarry: int, jokers: int) -> int:
    """Return the pyramid and arch stones of a sheet that can be paid so (A-17)."""
    return int(SINGLES_OF[sheet, colours_by(payment, dice, quarry, jokers)])


@kernel
def pairs_by(
    first: int, second: int, sheet: int, dice: int, two_dice: int, quarry: int, two_quarry: int, jokers: int
) -> int:
    """Return the relief pairs of a sheet of which both stones can be paid so (A-17)."""
    pairs = int(ALIKE_OF[sheet, colours_twice_by(first, second, dice, two_dice, quarry, two_quarry, jokers)])
    if first == BY_JOKER and second == BY_JOKER and jokers < 2:
        return pairs
    return pairs | int(
        FIRST_OF[sheet, colours_by(first, dice, quarry, jokers)]
        & SECOND_OF[sheet, colours_by(second, dice, quarry, jokers)]
    )
