"""The table of Camel Up, both editions: its pieces as constants, and the records of a state and of a view."""

from typing import Annotated

import numpy as np

from sarai.core.kernels.compile import Array
from sarai.core.kernels.dtype import I1, I2, StandardRecord, copier, record

FIRST, SECOND = range(2)  # editions
RACING = 5  # camels 0 … 4 race (C1-02, C2-02) …
WHITE, BLACK = 5, 6  # … and these two are crazy (C2-03)
CAMELS = 7
GREY = 5  # the sixth die; dice 0 … 4 belong to the racing camels
NUM_DICE = np.array([5, 6], np.int64)  # by edition
LAST_SPACE = 16  # before the finish line (C1-01)
MOST_PLAYERS = 8
TICKETS_PER_CAMEL = np.array([3, 4], np.int64)  # betting tickets, by edition
MOST_TICKETS = 4  # the larger of these two
TICKET_WORTH = np.array([[5, 3, 2, 0], [5, 3, 2, 2]], np.int64)  # by edition, from the top (C1-03, C2-04)
DICE_PER_LEG = 5  # as many as there are pyramid tickets
STARTING_POUNDS = 3
ALL_CARDS = (1 << RACING) - 1
MOST_CARDS = MOST_PLAYERS * RACING
PRIZES = np.array([8, 5, 3, 2, 1], np.int64)  # C1-29; the last for every further card
PARTNERSHIPS_FROM = 6  # players (C2-28)
MAX_MOVES = 10_000

OASIS, MIRAGE = range(2)  # sides of a tile; cheering and booing in the second edition
WINNER, LOSER = range(2)  # piles of race cards

# First move ids: a bet on each camel, tiles from space 2 on (oasis, mirage), the pyramid, a card for the winner or
# for the loser, a partner.
BET, TILE, PYRAMID, WIN, LOSE, PARTNER = 0, 5, 35, 36, 41, 46
# First chance ids: racing dice as die × 3 + number − 1, places in a stack from the bottom, the grey die's white and
# black faces.
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

# What a rule tells in a row of a trace, in the order of EVENTS in words.py.
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


class TrackRecord:
    """What stands and lies on the track: all that camels need to move, in a game or in races run for odds."""

    players: I1  # owners of tiles
    edition: I1
    phase: I1
    space: Annotated[Array, "i1", CAMELS]  # 1 … 16; 0 before the set-up; over the line 17 … 19, backwards 0 … −2
    height: Annotated[Array, "i1", CAMELS]  # in its stack, 0 for the lowest
    dice_out: I1  # a bit for every die that came out in this leg (C1-18)
    shown: Annotated[Array, "i1", 6]  # what it shows; the grey one 1 … 3 white, 4 … 6 black
    tiles: Annotated[Array, "i1", MOST_PLAYERS]  # by seat: a space, negative with the mirage up; 0: not on the track
    pounds: Annotated[Array, "i4", MOST_PLAYERS]


class PublicRecord(TrackRecord, StandardRecord):
    """What all players see."""

    partnerships: I1  # whether there are any (C2-32, C2-34)
    turn: I1  # the seat whose turn it is, also while its die comes out
    starter: I1  # who has the start marker (C1-23)
    leg: I2  # from 1
    tickets: Annotated[Array, "i1", RACING, MOST_TICKETS]  # from the top of each stack: 0, or 1 + the seat that took it
    pyramid: Annotated[Array, "i1", MOST_PLAYERS]  # pyramid tickets
    partners: Annotated[Array, "i1", MOST_PLAYERS]  # 0, or 1 + the partner's seat (C2-29)
    laid: I1  # race cards laid; then, in the order of laying over both piles:
    card_seat: Annotated[Array, "i1", MOST_CARDS]
    card_pile: Annotated[Array, "i1", MOST_CARDS]
    card_moment: Annotated[Array, "i8", MOST_CARDS]  # the camels and the dice when it was laid, as `moment` packs them


class StateRecord(PublicRecord):
    """The whole table."""

    card_camel: Annotated[Array, "i1", MOST_CARDS]  # 1 + the camel
    hands: Annotated[Array, "i1", MOST_PLAYERS]  # a bit for every race card not laid


class ViewRecord(PublicRecord):
    """What a seat knows."""

    seat: I1
    card_camel: Annotated[Array, "i1", MOST_CARDS]  # of the seat's own cards; of all cards when the game is over
    hands: Annotated[Array, "i1", MOST_PLAYERS]  # likewise


STATE = record("camelup", StateRecord)
VIEW = record("camelup_view", ViewRecord)
copy_public = copier(PublicRecord)
