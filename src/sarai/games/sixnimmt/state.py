"""The records and numbers of 6 nimmt!: what is on the table, what is hidden, what a seat knows."""

from typing import Annotated

from sarai.core.kernels.compile import Array
from sarai.core.kernels.dtype import I1, I2, StandardRecord, copier, record

CARDS, HAND, ROWS, ROW_LIMIT, SEATS = 104, 10, 4, 5, 10
TAKE_ROW = CARDS  # moves 0 … 103 are cards 1 … 104; 104 … 107 take a row
MAX_MOVES = 30_000

DEALING, DRAFTING, CHOOSING, TAKING_ROW, FINISHED = range(5)
PHASES = ("deal", "draft", "choose", "row", "over")
GOING_ON, MOVE_LIMIT, TARGET_PASSED, ROUNDS_PLAYED = range(4)
ENDINGS = ("", "move_limit", "target_passed", "rounds_played")

ALLOWED, NO_CARD_NOW, NOT_IN_HAND, NOT_ON_TABLE, NO_ROW_NOW, ROW_NOW = range(6)
REFUSALS = ("", "no_card_to_choose", "card_not_in_hand", "card_not_on_table", "no_row_to_take", "row_must_be_taken")

# What rules write into a trace: the first number of a row, an index into EVENTS in words.py.
DEALT, LAID, DRAFTED, CHOSE, TURNED_UP, JOINED, TOOK_FULL, TOOK_CHOSEN, ROUND_OVER, ROUND_SCORE, GAME_OVER = range(11)


class PublicRecord(StandardRecord):
    """What all players see."""

    target: I2
    round_limit: I2
    known_deck: I1
    draft: I1
    phase: I1
    round_number: I2  # from 1
    trick: I1  # 0 … 9
    dealt: I1  # cards dealt or drafted this round
    rows: Annotated[Array, "i1", ROWS, ROW_LIMIT]
    lengths: Annotated[Array, "i1", ROWS]
    piles: Annotated[Array, "i8", SEATS, 2]  # the cards taken this round (N-11), as sets of cards
    pile_heads: Annotated[Array, "i2", SEATS]
    heads: Annotated[Array, "i4", SEATS]  # of the rounds before
    played: Annotated[Array, "i1", SEATS, HAND]  # by seat and trick, once turned up


class StateRecord(PublicRecord):
    """The whole table."""

    hands: Annotated[Array, "i8", SEATS, 2]
    stock: Annotated[Array, "i8", 2]  # not dealt: set aside, or still to come while dealing
    chosen: Annotated[Array, "i1", SEATS]  # 0, or a card chosen and not yet in a row


class ViewRecord(PublicRecord):
    """What a seat knows."""

    seat: I1
    hands: Annotated[Array, "i8", SEATS, 2]  # the own one; all of them when they were drafted (N-16)
    chosen: Annotated[Array, "i1", SEATS]  # the own card; all that are turned up and not yet in a row


STATE = record("sixnimmt", StateRecord)
VIEW = record("sixnimmt_view", ViewRecord)
copy_public = copier(PublicRecord)
