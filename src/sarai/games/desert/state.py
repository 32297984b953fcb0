"""The records and numbers of Through the Desert; a view has all of the state, since nothing is hidden (D-37)."""

from typing import Annotated

from sarai.core.kernels.compile import Array
from sarai.core.kernels.dtype import I1, I4, StandardRecord, copier, record
from sarai.games.desert.terrain import BOARD

HEXES = len(BOARD.places)
WORD = 63  # bits of a word that a set of hexes uses: the sign bit never
WORDS = -(-HEXES // WORD)  # of a set of hexes

COLOURS = ("lilac", "mint", "lemon", "sky", "salmon")  # of camels, which belong to no player (D-04)
RIDERS = ("red", "blue", "green", "orange", "violet")  # of seats
SEATS, KINDS = 5, len(COLOURS)
WHOLE_BOARD = 4  # players, or more, who also use the area beyond the line (D-03)
CAMELS, VALUES, TOKENS_EACH = 34, 3, 15  # camels of a colour; water tokens of 1, 2 and 3, fifteen each
OASIS_POINTS, LARGEST_POINTS, TIED_POINTS = 5, 10, 5
MAX_MOVES = 200  # there are only 170 camels

SETTING_ASIDE, PLANTING, LAYING_WATER, LEADERS, FIRST_ROUND, CARAVANS, FINISHED = range(7)
PHASES = ("aside", "palms", "water", "leaders", "first", "camels", "over")
GOING_ON, MOVE_LIMIT, PILE_EMPTY, NOBODY_CAN = range(4)
ENDINGS = ("", "move_limit", "pile_empty", "nobody_can_place")

(
    ALLOWED,
    NO_OUTCOME,
    LEADER_PLACED,
    LEADER_SET_ASIDE,
    LEADER_COLOUR_USED,
    LEADER_COLOUR_NEEDED,
    LEADER_ON_WATER,
    LEADER_NEXT_TO_OASIS,
    LEADER_NEXT_TO_LEADER,
    HEX_NOT_IN_PLAY,
    HEX_IS_OASIS,
    HEX_HAS_CAMEL,
    HEX_ENCLOSED,
    CAMEL_PILE_EMPTY,
    CAMEL_WITHOUT_CARAVAN,
    CAMEL_NOT_TOUCHING,
    CAMEL_TOUCHES_OTHER,
) = range(17)
REFUSALS = (
    "",
    "impossible_outcome",
    "leader_already_placed",
    "leader_is_set_aside",
    "leader_colour_used",
    "leader_colour_needed",
    "leader_on_water",
    "leader_next_to_oasis",
    "leader_next_to_leader",
    "hex_not_in_play",
    "hex_is_oasis",
    "hex_has_camel",
    "hex_enclosed",
    "camel_pile_empty",
    "camel_without_caravan",
    "camel_not_touching",
    "camel_touches_other",
)

# What rules write into a trace: the first number of a row, an index into EVENTS in words.py.
(
    TOLD_ASIDE,
    TOLD_PALM,
    TOLD_WATER,
    TOLD_LEADER,
    TOLD_NO_ROOM,
    TOLD_CAMEL,
    TOLD_TOKEN,
    TOLD_OASIS,
    TOLD_AREA,
    TOLD_NONE,
    TOLD_PILE_EMPTY,
    TOLD_LARGEST,
    TOLD_SCORE,
    TOLD_OVER,
) = range(14)


class StateRecord(StandardRecord):
    """Everything on the table."""

    phase: I1
    camels_left: I1  # to place in this turn
    aside: Annotated[Array, "i1", SEATS]  # 0, or 1 + the colour of the leader a seat set aside (D-06)
    palms: I4  # a bit for every palm space that is an oasis (D-08)
    bare: Annotated[Array, "i8", WORDS]  # where a water token is still to be laid (D-09)
    water: Annotated[Array, "i8", VALUES, WORDS]  # where tokens of 1, 2 and 3 lie
    leaders: Annotated[Array, "i2", SEATS, KINDS]  # 0, or 1 + the hex of a leader
    caravans: Annotated[Array, "i8", SEATS, KINDS, WORDS]  # the camels, leaders included
    near: Annotated[Array, "i8", SEATS, KINDS, WORDS]  # every hex next to one of them
    camels: Annotated[Array, "i8", WORDS]  # of all caravans
    open_hexes: Annotated[Array, "i8", WORDS]  # for leaders (D-12, D-13), then for camels of any caravan (D-18, D-30)
    enclosed: Annotated[Array, "i8", SEATS, WORDS]  # by any caravan of a seat
    links: Annotated[Array, "i4", SEATS, KINDS]  # the oases a caravan is linked to, bits as in `palms`
    tokens: Annotated[Array, "i1", SEATS, VALUES]  # water tokens taken
    piles: Annotated[Array, "i1", KINDS]


class ViewRecord(StateRecord):
    """What a seat knows: everything on the table, and which seat it is."""

    seat: I1


STATE = record("desert", StateRecord)
VIEW = record("desert_view", ViewRecord)
copy_state = copier(StateRecord)
