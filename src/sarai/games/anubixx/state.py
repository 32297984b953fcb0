"""What a game of Anubixx consists of: stones, moves, phases and events as numbers, and the records."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from sarai.core.kernels.compile import Array
from sarai.core.kernels.dtype import I1, I2, StandardRecord, record

SEATS = 5
MAX_MOVES = 5_000
MOST_POINTS = 150  # at most 100 by our points; other sheets may have others, and are held to this
IDLE_LIMITS = (0, 3, 30)  # by rules version: rounds running without a marked stone that end the game

# --- stones: a set of them is a number of 38 bits ---------------------------------------------------------------------

COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
LETTERS = "roygbv"
KINDS = len(COLOURS)
SHEET_LETTERS = "ABCDEF"

PYRAMID_ROWS = (5, 4, 3, 2, 1)  # A-03, from the bottom
COLUMN = 5
RELIEF_ROWS, RELIEF_COLUMNS = 3, 4
QUARRY = 12
PLACES = tuple(range(1, QUARRY + 1))

PYRAMID = tuple(f"p{row}.{place}" for row, width in enumerate(PYRAMID_ROWS, 1) for place in range(1, width + 1))
ARCH = (*(f"a{side}{level}" for side in "lr" for level in range(1, COLUMN + 1)), "key")
RELIEF = tuple(f"f{row}.{place}" for row in range(1, RELIEF_ROWS + 1) for place in range(1, RELIEF_COLUMNS + 1))
BUILDINGS = {"pyramid": PYRAMID, "arch": ARCH, "relief": RELIEF}
STONES = (*PYRAMID, *ARCH, *RELIEF)  # a stone's number is its place here: pyramid 0 … 14, arch 15 … 25, relief 26 … 37
ARCH_FROM, RELIEF_FROM = len(PYRAMID), len(PYRAMID) + len(ARCH)
SINGLES = RELIEF_FROM  # stones that are marked one at a time
LEFT_FROM, RIGHT_FROM, KEYSTONE = ARCH_FROM, ARCH_FROM + COLUMN, ARCH_FROM + 2 * COLUMN

PYRAMID_STONES = (1 << ARCH_FROM) - 1
ARCH_STONES = (1 << RELIEF_FROM) - 1 ^ PYRAMID_STONES
RELIEF_STONES = (1 << len(STONES)) - 1 ^ PYRAMID_STONES ^ ARCH_STONES
COLUMN_STONES = (1 << COLUMN) - 1  # of a column that was moved down to bit 0

# A-20, by numbers of relief stones: side by side, row by row, then one above the other.
SIDE_BY_SIDE = tuple((stone, stone + 1) for stone in range(len(RELIEF)) if stone % RELIEF_COLUMNS < RELIEF_COLUMNS - 1)
ONE_ABOVE_THE_OTHER = tuple((stone, stone + RELIEF_COLUMNS) for stone in range(len(RELIEF) - RELIEF_COLUMNS))
PAIRS = SIDE_BY_SIDE + ONE_ABOVE_THE_OTHER

# a symbol's building, and whether it stands on one stone or on several; the end-of-game bonus is the eighth.
SYMBOLS = {
    "scarab": ("pyramid", "one"),
    "snake": ("pyramid", "one"),
    "eye": ("pyramid", "several"),
    "ankh": ("arch", "one"),
    "falcon": ("arch", "one"),
    "lotus": ("relief", "one"),
    "cat": ("relief", "several"),
}
BONUSES = (*SYMBOLS, "end")
END = BONUSES.index("end")
END_BONUS = 1 << END


def names_of(members: int, names: Sequence[Any]) -> list[Any]:
    """Return a set of bits as the names of its members."""
    return [name for number, name in enumerate(names) if members >> number & 1]


def bits_of(members: Iterable[Any], names: Sequence[Any]) -> int:
    """Return names as a set of bits; ValueError if one is not among them."""
    return sum(1 << names.index(name) for name in set(members))


# --- moves, phases, endings, refusals, events -------------------------------------------------------------------------

DIE, BY_QUARRY, BY_JOKER = range(3)  # how a stone is paid
PAYMENTS = 3

# Moves 0 … 77 mark a pyramid or arch stone: payment × 26 + stone. 78 … 230 mark a relief pair:
# 78 + (payment of its first stone × 3 + payment of its second) × 17 + pair. 231 stops.
PAIRS_FROM = PAYMENTS * SINGLES
STOP = PAIRS_FROM + PAYMENTS * PAYMENTS * len(PAIRS)

DEALING, ROLLING, BUILDING, FINISHED = range(4)
PHASES = ("deal", "roll", "build", "over")
GOING_ON, MOVE_LIMIT, TWO_BUILDINGS, NOTHING_MARKED = range(4)
ENDINGS = ("", "move_limit", "two_buildings", "nothing_marked")

(
    ALLOWED,
    MARKED_ALREADY,
    NO_SUPPORT,
    NOT_FROM_BOTTOM,
    NO_COLUMNS,
    WHOLE_TURN,
    DIE_FITS,
    NO_DIE,
    NO_QUARRY_STONE,
    NO_JOKER,
    OTHER_WAY_ROUND,
) = range(11)
REFUSALS = (
    "",
    "stone_already_marked",
    "pyramid_needs_support",
    "column_from_the_bottom",
    "keystone_needs_columns",
    "relief_takes_a_whole_turn",
    "die_must_be_used",
    "no_such_die",
    "no_such_quarry_stone",
    "no_joker_left",
    "alike_stones_other_way_round",
)

# The first number of a trace's row: an index into EVENTS in words.py.
(
    DEALT,
    ROLLED,
    MARKED,
    TOOK_DIE,
    CROSSED_OFF,
    USED_JOKER,
    COMPLETED,
    WON_BONUS,
    STOPPED,
    DIE_BACK,
    ROUND_OVER,
    CLOSED,
    SCORED_BUILDINGS,
    SCORED_REST,
    GAME_OVER,
) = range(15)

# --- records ----------------------------------------------------------------------------------------------------------


class StateRecord(StandardRecord):
    """Everything on the table: nothing is hidden."""

    phase: I1
    round_number: I2  # from 1
    idle: I1  # rounds running in which no stone was marked
    built: I1  # 1: a stone was marked in this round
    marked: I1  # stones that the actor has marked in this turn
    closed: I2  # bonuses that can no longer be won
    middle: Annotated[Array, "i1", KINDS]  # dice by colour
    gone: Annotated[Array, "i1", KINDS]  # dice that the active player used
    taken: Annotated[Array, "i1", KINDS]  # dice that another player has used in this turn
    sheets: Annotated[Array, "i1", SEATS]  # 1 … 6, 0 before it is dealt
    marks: Annotated[Array, "i8", SEATS]
    crossed: Annotated[Array, "i2", SEATS]  # places of the quarry
    jokers: Annotated[Array, "i1", SEATS]  # not used yet
    bonuses: Annotated[Array, "i2", SEATS]


class ViewRecord(StateRecord):
    """What a seat knows: everything on the table, and which seat it is."""

    seat: I1


STATE = record("anubixx", StateRecord)
VIEW = record("anubixx_view", ViewRecord)
