"""What lies on the table of Camel Up: the pieces of both editions, and the one record that holds them."""

from typing import Annotated

import numpy as np

from sarai.core.kernels.compile import Array
from sarai.core.kernels.dtype import I1, I2, StandardRecord, copier, record

FIRST, SECOND = range(2)  # editions
RACING = 5  # camels 0 … 4 race (C1-02, C2-02) …
WHITE, BLACK = 5, 6  # … and these two are crazy (C2-03)
CAMELS = 7
GREY = 5  # the sixth die; dice 0 … 4 belong to the racing camels
DICE = np.array([5, 6], np.int64)  # by edition
LINE = 16  # the last space before the finish line (C1-01)
SEATS = 8
STACK = 4  # betting tickets of a camel, at most
STACKS = np.array([3, 4], np.int64)
WORTH = np.array([[5, 3, 2, 0], [5, 3, 2, 2]], np.int64)  # from the top (C1-03, C2-04)
LEG = 5  # pyramid tickets in a leg
POUNDS = 3
ALL_CARDS = (1 << RACING) - 1
CARDS = SEATS * RACING
PRIZES = np.array([8, 5, 3, 2, 1], np.int64)  # C1-29; the last for every further one
SIX = 6  # players from which on there are partnerships (C2-28)
MAX_MOVES = 10_000

OASIS, MIRAGE = range(2)  # sides of a tile; cheering and booing in the second edition
WINNER, LOSER = range(2)  # piles of race cards

# Move ids: a bet on each camel, tiles from space 2 on (oasis, mirage), the pyramid, a card for the winner or the loser, a partner.
BET, TILE, PYRAMID, WIN, LOSE, PARTNER = 0, 5, 35, 36, 41, 46
# Chance ids: racing dice as die × 3 + number − 1, places in a stack from the bottom, the grey die's white and black faces.
DIE, PLACE, GREY_FACE = 0, 15, 20

SETTING_UP, STACKING, SETTING_CRAZY, TURN, ROLLING, FINISHED = range(6)
PHASES = ("set_up", "stack", "crazy", "turn", "roll", "over")
GOING_ON, MOVE_LIMIT, LINE_CROSSED = range(3)
ENDINGS = ("", "move_limit", "line_crossed")

(
    ALLOWED,
    STACK_EMPTY,
    ON_CAMEL,
    ON_TILE,
    NEXT_TO_TILE,
    IN_PLACE,
    NO_CARD_LEFT,
    CARD_LAID,
    NO_PARTNERSHIPS,
    NO_SUCH_PARTNER,
    OWN_PARTNER,
    BOUND,
    NOT_AVAILABLE,
    NOT_POSSIBLE,
) = range(14)
REFUSALS = (
    "",
    "betting_stack_empty",
    "tile_on_camel",
    "tile_on_tile",
    "tile_next_to_tile",
    "tile_stays_in_place",
    "no_race_card_left",
    "race_card_laid",
    "no_partnerships",
    "no_such_partner",
    "partner_is_self",
    "partner_bound",
    "partner_not_available",
    "impossible_outcome",
)

# What the rules tell (the rows of a trace), in the order of EVENTS in edition.py.
(
    SET_UP,
    STACKED,
    CRAZY_SET_UP,
    TOOK_TICKET,
    LAID_TILE,
    MOVED_TILE,
    TOOK_PYRAMID,
    LAID_CARD,
    PARTNERED,
    DIE_OUT,
    GREY_OUT,
    ONLY_ONE_CARRIES,
    UPPER_MOVES,
    UNIT_MOVED,
    TILE_PAID,
    SENT_ON,
    SENT_BACK,
    CROSSED,
    CROSSED_BACKWARDS,
    LEG_OVER,
    LEG_PAID,
    LEG_BEGINS,
    RACE_OVER,
    CARD_SHOWN,
    GAME_OVER,
) = range(25)


class PublicRecord(StandardRecord):
    """What everybody sees."""

    edition: I1
    partnerships: I1  # whether there are any (C2-32, C2-34)
    phase: I1
    turn: I1  # the seat whose turn it is, also while its die comes out
    starter: I1  # who has the start marker (C1-23)
    leg: I2  # from 1
    space: Annotated[
        Array, "i1", CAMELS
    ]  # 1 … 16; 0 before the set-up; beyond the line 17 … 19 forward, 0 … −2 backward
    height: Annotated[Array, "i1", CAMELS]  # in its stack, 0 for the lowest
    dice_out: I1  # a bit for every die that came out in this leg (C1-18)
    shown: Annotated[Array, "i1", 6]  # what it shows; the grey one 1 … 3 white, 4 … 6 black
    tiles: Annotated[
        Array, "i1", SEATS
    ]  # the space of a seat's tile, negative with its mirage side up; 0 while its owner has it
    tickets: Annotated[Array, "i1", RACING, STACK]  # from the top of each stack: 0, or 1 + the seat that took it
    pyramid: Annotated[Array, "i1", SEATS]  # pyramid tickets
    pounds: Annotated[Array, "i4", SEATS]
    partners: Annotated[Array, "i1", SEATS]  # 0, or 1 + the partner's seat (C2-29)
    laid: I1  # race cards laid; then, in the order of laying over both piles:
    card_seat: Annotated[Array, "i1", CARDS]
    card_pile: Annotated[Array, "i1", CARDS]
    card_moment: Annotated[
        Array, "i8", CARDS
    ]  # where all camels stood and which dice were out when it was laid, as `moment` packs it


class StateRecord(PublicRecord):
    """The whole table."""

    card_camel: Annotated[Array, "i1", CARDS]  # 1 + the camel
    hands: Annotated[Array, "i1", SEATS]  # a bit for every race card not laid


STATE = record("camelup", StateRecord)
copy_public = copier(PublicRecord)
