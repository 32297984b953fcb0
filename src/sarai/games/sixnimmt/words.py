"""6 nimmt! in words: events, moves and what fills the sentence of a refusal."""

from sarai.core.events import EventSpec
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Say, Series, mark
from sarai.core.result import CHANCE
from sarai.games.sixnimmt.cards import HEADS
from sarai.games.sixnimmt.state import DRAFTING, TAKE_ROW

EVENTS = (
    EventSpec("dealt", ("seat", "card"), secret=("card",), reveals=True),
    EventSpec("row_laid", ("row", "card"), reveals=True),
    EventSpec("drafted", ("seat", "card")),
    EventSpec("chose", ("seat", "card"), secret=("card",)),
    EventSpec("turned_up", ("seat", "card"), reveals=True),
    EventSpec("joined_row", ("seat", "card", "row")),
    EventSpec("took_full_row", ("seat", "card", "row", "heads")),
    EventSpec("took_row", ("seat", "card", "row", "heads")),
    EventSpec("round_over", ("round",)),
    EventSpec("round_score", ("seat", "heads", "total")),
    EventSpec("game_over", ("ending",)),
)
SENTENCES = {
    "dealt": "{seat} is dealt {card}.",
    "dealt_hidden": "{seat} is dealt a card.",
    "row_laid": "Row {row} begins with {card}.",
    "drafted": "{seat} takes {card} into hand.",
    "chose": "{seat} chooses {card}.",
    "chose_hidden": "{seat} has chosen.",
    "turned_up": "{seat} turns up {card}.",
    "joined_row": "{card} joins row {row}.",
    "took_full_row": "{card} is the sixth card of row {row}: "
    "{seat} takes five cards with {heads, plural, one {# bull head} other {# bull heads}}.",
    "took_row": "{card} is too low: "
    "{seat} takes row {row} with {heads, plural, one {# bull head} other {# bull heads}}.",
    "round_over": "Round {round} is over.",
    "round_score": "{seat} has {heads, plural, one {# bull head} other {# bull heads}} from this round, "
    "{total} in all.",
    "game_over": "The game is over: {ending}.",
    # … and what the seat itself is told
    "dealt_you": "You are dealt {card}.",
    "drafted_you": "You take {card} into your hand.",
    "chose_you": "You choose {card}.",
    "turned_up_you": "You turn up {card}.",
    "took_full_row_you": "{card} is the sixth card of row {row}: "
    "you take five cards with {heads, plural, one {# bull head} other {# bull heads}}.",
    "took_row_you": "{card} is too low: "
    "you take row {row} with {heads, plural, one {# bull head} other {# bull heads}}.",
    "round_score_you": "You have {heads, plural, one {# bull head} other {# bull heads}} from this round, "
    "{total} in all.",
}
GROUPED = dict.fromkeys(("dealt", "dealt_hidden", "row_laid"), "The cards are dealt.")  # the board shows them
GROUPED |= {"chose_hidden": "Cards are being chosen."}  # … and who has chosen


def words_for_move(cell: Cell, move: int, say: Say) -> str:
    """Say a move in words."""
    state = cell[0]
    if move >= TAKE_ROW:
        row = move - TAKE_ROW
        cards = state["rows"][row, : state["lengths"][row]]
        return say(
            "{heads, plural, one {take row {row} ({cards}: # head)} other {take row {row} ({cards}: # heads)}}",
            row=row + 1,
            cards=Series(cards.tolist()),
            heads=int(HEADS[cards].sum()),
        )
    if state["phase"] == DRAFTING:
        message = mark("{heads, plural, one {take {card} (# head)} other {take {card} (# heads)}}")
    elif state["actor"] == CHANCE:
        message = mark("{heads, plural, one {deal {card} (# head)} other {deal {card} (# heads)}}")
    else:
        message = mark("{heads, plural, one {play {card} (# head)} other {play {card} (# heads)}}")
    return say(message, card=move + 1, heads=int(HEADS[move + 1]))


def facts(cell: Cell, move: int, seat: int) -> dict[str, object]:
    """Name the card of a refused move."""
    return {"card": move + 1}
