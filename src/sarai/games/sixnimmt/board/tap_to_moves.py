"""What a tap on the table of 6 nimmt! means where nothing can be chosen."""

from sarai.core.board import Meaning, Scene, Tap
from sarai.games.sixnimmt.state import CARDS, ROWS, TAKE_ROW


def meaning_of(tap: Tap, scene: Scene) -> Meaning | None:
    """Return the card of a hand or of a draft, or the row, that was tapped."""
    moves = {"hand": range(CARDS), "open": range(CARDS), "row": range(TAKE_ROW, TAKE_ROW + ROWS)}
    for id in tap.ids:
        kind, _, number = id.partition("-")
        if kind in moves and number.isascii() and number.isdecimal() and 1 <= int(number) <= len(moves[kind]):
            return Meaning([moves[kind][int(number) - 1]])
    return None
