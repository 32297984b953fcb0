"""The proof of fair dice in a record: what is needed to check it, and the check by the rules themselves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sarai.core import fair_dice
from sarai.core.errors import BadRecord, Error
from sarai.core.messages import Message, mark
from sarai.core.records import Record, Step
from sarai.core.result import CHANCE
from sarai.table.dice_word_commitments import read_words
from sarai.table.history_types import Entry, Undone, undone_from_json
from sarai.table.kept_states import KeptStates

DRAW_ELSEWHERE = mark("draw {number} stands, or was taken back, elsewhere")

if TYPE_CHECKING:
    from sarai.core.state_and_view import State


class Draw(NamedTuple):
    """A draw of a table: what could come, what came, whether it was taken back later."""

    outcomes: list[int]
    weights: list[int]
    drawn: int
    voided: bool

    def to_json(self) -> dict[str, Any]:
        """Return the draw as plain data; equal weights are left out."""
        uneven = {} if max(self.weights) == min(self.weights) else {"weights": self.weights}
        return {"outcomes": self.outcomes, **uneven, "drawn": self.drawn, **({"voided": True} if self.voided else {})}


class Placed(NamedTuple):
    """A step, and its place in the history."""

    place: int
    seat: int
    move: int


def retrace(start: State, history: Sequence[Entry]) -> tuple[list[Step], list[Draw], State]:
    """Replay a history; return the moves that were not taken back, every draw, and the last state.

    Illegal or ValueError if it cannot have happened.
    """
    state, line, kept = start, list[Placed](), KeptStates(start)
    draws, drawn_at = list[Draw](), dict[int, int]()
    for place, entry in enumerate(history):
        if isinstance(entry, Undone):
            first = bisect_left(line, min(entry.places), key=attrgetter("place"))
            rest = [step for step in line[first:] if step.place not in entry.places]
            if len(line) - first - len(rest) != len(entry.places):
                raise ValueError("what is taken back was not there")
            for old in entry.places & drawn_at.keys():
                draws[drawn_at[old]] = draws[drawn_at[old]]._replace(voided=True)
            state = kept.before(first, line)
            kept.cut(first)
            del line[first:]
        else:
            rest = [Placed(place, *entry)]
            if entry[0] == CHANCE:
                chances = state.chance()
                drawn_at[place] = len(draws)
                outcomes, weights = [outcome for outcome, _ in chances], fair_dice.whole_weights(chances)
                draws.append(Draw(outcomes, weights, entry[1], False))
        for step in rest:
            kept.keep(len(line), state)
            state, _ = state.play_traced(step.move, step.seat)
            line.append(step)
    return [(step.seat, step.move) for step in line], draws, state


def proof(
    commitment: str, secret: str, words: dict[str, Any], draws: list[Draw], history: Sequence[Entry]
) -> dict[str, Any]:
    """Return the field `fairness` of a record; the whole history is part of it only if something was taken back."""
    fairness: dict[str, Any] = {
        "commitment": commitment,
        "secret": secret,
        **words,
        "draws": [draw.to_json() for draw in draws],
    }
    if any(isinstance(entry, Undone) for entry in history):
        fairness["history"] = [
            entry.to_json(history) if isinstance(entry, Undone) else list(entry) for entry in history
        ]
        fairness["taken_back"] = [place for place, entry in enumerate(history) if isinstance(entry, Undone)]
    return fairness


def check(record: Record) -> int:
    """Check a record: its moves and result by the rules, its dice by the commitment; return the number of draws."""
    fairness = record.fairness
    if fairness is None:
        raise BadRecord("fairness_missing")
    try:
        secret, promise = fairness["secret"], fairness["commitment"]
        lines = read_words(fairness, record.players).lines
        draws, history = list(_draws(fairness["draws"])), history_of(record)
        commitment = fair_dice.commitment(secret)
        "\n".join(lines).encode()  # JSON can hold halves of characters, of which nothing is drawn
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise BadRecord("fairness_form", why=str(error) or type(error).__name__) from None
    if promise != commitment:
        raise BadRecord("fairness_commitment")
    try:
        moves, real, last = retrace(record.start(), history)
    except (Error, ValueError) as error:
        raise BadRecord("fairness_moves", why=error) from None
    if moves != record.moves or len(real) != len(draws):
        raise BadRecord("fairness_moves", why="some are missing or too many")
    for number, (claimed, true) in enumerate(zip(draws, real, strict=True)):
        if (claimed.outcomes, claimed.weights) != (true.outcomes, true.weights):
            raise BadRecord("fairness_outcomes", number=number)
        outcome = fair_dice.draw(secret, lines, number, true.outcomes, true.weights)
        if claimed.drawn != outcome:
            raise BadRecord("fairness_draw", number=number, real=outcome, found=claimed.drawn)
        if claimed != true:
            raise BadRecord("fairness_moves", why=Message(DRAW_ELSEWHERE, {"number": number}))
    record.check_result(last)
    return len(draws)


def _draws(raw: list[dict[str, Any]]) -> Iterator[Draw]:
    for entry in raw:
        outcomes = [int(outcome) for outcome in entry["outcomes"]]
        weights = [int(weight) for weight in entry.get("weights", [1] * len(outcomes))]
        if not outcomes or len(weights) != len(outcomes):
            raise ValueError("a draw has outcomes, and a weight for each")
        yield Draw(outcomes, weights, int(entry["drawn"]), bool(entry.get("voided", False)))


def history_of(record: Record) -> list[Entry]:
    """Return what happened in a game by its record, what was taken back too; ValueError if it cannot have happened."""
    fairness = record.fairness or {}
    if "history" not in fairness:
        return list(record.moves)
    backs, history = set(fairness["taken_back"]), list[Entry]()
    for place, entry in enumerate(fairness["history"]):
        if place in backs:
            history.append(undone_from_json([int(old) for old in entry], history))
        else:
            history.append((int(entry[0]), int(entry[1])))
    return history
