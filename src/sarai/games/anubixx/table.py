"""The table of Anubixx as one record, and the numbers that stand for moves, phases, endings, reasons and events."""

from typing import Annotated

from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.kernels.dtype import I1, I2, StandardRecord, copier, record
from sarai.games.anubixx import ANUBIXX
from sarai.games.anubixx.building import PAYMENTS
from sarai.games.anubixx.printed import NEXT_PLACE
from sarai.games.anubixx.scoring import places_behind
from sarai.games.anubixx.stones import BONUSES, COLOURS, PAIRS, SINGLES

SEATS, KINDS = 5, len(COLOURS)
MAX_MOVES = ANUBIXX.max_moves
IDLE_LIMIT = 3

# Moves 0 … 77 mark a pyramid or arch stone: payment × 26 + stone. 78 … 230 mark a relief pair:
# 78 + (payment of its first stone × 3 + payment of its second) × 17 + pair. 231 stops.
PAIRS_FROM = PAYMENTS * SINGLES
STOP = PAIRS_FROM + PAYMENTS * PAYMENTS * len(PAIRS)

DEALING, ROLLING, BUILDING, FINISHED = range(4)
PHASES = ("deal", "roll", "build", "over")
GOING_ON, MOVE_LIMIT, TWO_BUILDINGS, NOTHING_MARKED = range(4)
ENDINGS = ("", "move_limit", "two_buildings", "nothing_marked")
END = BONUSES.index("end")
END_BONUS = 1 << END

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

# What the rules tell (the rows of a trace); events.py of the core reads them by EVENTS in text.py.
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


class PublicRecord(StandardRecord):
    """Everything on the table: nothing is hidden."""

    phase: I1
    round_number: I2  # from 1
    idle: I1  # rounds running in which nobody marked a stone
    built: I1  # 1: somebody marked a stone in this round
    marked: I1  # stones that the actor has marked in this turn
    closed: I2  # bonuses that nobody can win any more
    middle: Annotated[Array, "i1", KINDS]  # dice by colour
    gone: Annotated[Array, "i1", KINDS]  # dice that the active player used
    taken: Annotated[Array, "i1", KINDS]  # dice that another player has used in this turn
    sheets: Annotated[Array, "i1", SEATS]  # 1 … 6, 0 before it is dealt
    marks: Annotated[Array, "i8", SEATS]
    crossed: Annotated[Array, "i2", SEATS]  # places of the quarry
    jokers: Annotated[Array, "i1", SEATS]  # not used yet
    bonuses: Annotated[Array, "i2", SEATS]


STATE = record("anubixx", PublicRecord)
copy_public = copier(PublicRecord)


@kernel
def dice_in_play(state: Rec) -> int:
    """Return how many dice are rolled: three with two players, else four (A-01)."""
    return 3 if state.players == 2 else 4


@kernel
def active_seat(state: Rec) -> int:
    """Return the active player: seat 0 first, then clockwise (A-09)."""
    return int((state.round_number - 1) % state.players)


@kernel
def quarry_place(state: Rec, seat: int, colour: int) -> int:
    """Return the place of the quarry stone of a colour that comes next, -1 if there is none (A-14)."""
    return int(NEXT_PLACE[state.sheets[seat], places_behind(int(state.crossed[seat])), colour])


@kernel
def is_possible(state: Rec, outcome: int) -> bool:
    """Say whether chance may bring an outcome: a colour of the dice (A-01), or a sheet that nobody has (A-02)."""
    if state.phase == DEALING:
        for seat in range(state.players):
            if state.sheets[seat] == outcome + 1:
                return False
    return outcome < KINDS
