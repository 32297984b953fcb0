"""What a lesson is: steps on a game's real board, played by its real rules; a game brings its own.

A game that teaches itself has a module `lessons` with `lesson(game_id)`, which returns its `Lesson`. Sentences are
marked messages without digits: a number is a constant of the game, or `shown` in the step's position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from sarai.core.errors import BadText, Illegal
from sarai.core.events import Event
from sarai.core.messages import Argument, Say

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.state_and_view import State

LEARNER = 0  # the learner's seat

View = Mapping[str, Any]  # what `View.to_json` returns
Fact = Callable[[View], Argument]


class Line(NamedTuple):
    """A sentence of a lesson, and what fills it: values, or functions of the learner's view of the step's position."""

    text: str  # marked
    facts: Mapping[str, Argument | Fact] = {}

    def said(self, view: View, say: Say) -> str:
        """Say the sentence of a position."""
        return say(self.text, **{name: fact(view) if callable(fact) else fact for name, fact in self.facts.items()})


def line(text: str, /, **facts: Argument | Fact) -> Line:
    """Return a sentence with its facts by name."""
    return Line(text, facts)


def shown(*path: str | int) -> Fact:
    """Return a number that the position shows, by where it stands in the view; `after` is the view after an attempt."""

    def found(view: View) -> Argument:
        value: Any = view
        for place in path:
            value = value[place]
        return value  # type: ignore[no-any-return]

    return found


class Answer(NamedTuple):
    """One answer to a question: it is right if, when the game goes on, the rules make this event happen."""

    words: Line
    key: str
    facts: Mapping[str, object]  # of the event, as far as they matter
    reply: Line


class Step(NamedTuple):
    """One idea: what is told, what there is to do, and what is said afterwards.

    A step wants a move, one of `moves` in notation, where `*` stands for anything; or it asks a question, and the game
    goes on by itself. What others and chance do afterwards is `then`, in notation, with the seat before it where
    several may act: `1: 45`. It is played after any other move too, as far as the rules allow it.
    """

    position: str
    told: Sequence[Line]
    done: Line | None = None  # said when the right move was made
    moves: Sequence[str] = ()
    then: Sequence[str] = ()
    wrong: Mapping[str, Line] = {}  # what is said of other legal moves, in notation
    otherwise: Line | None = None  # … of those that are not there
    answers: Sequence[Answer] = ()
    near: str = ""  # the id of an element that is brought into view on a board larger than the screen


class Hint(NamedTuple):
    """What is said in a first game as long as something that a CSS selector names can be chosen on the board."""

    selector: str
    text: str  # marked


class Lesson(NamedTuple):
    """The steps, and hints for the game afterwards, those that matter most first."""

    steps: Sequence[Step]
    hints: Sequence[Hint] = ()


class Attempt(NamedTuple):
    """What became of a move or an answer, as the learner saw it."""

    before: State
    after: State
    events: list[Event]
    is_right: bool


@cache
def has_lesson(game: Game) -> bool:
    """Say whether a game brings a lesson, for the data that it is played with, without importing it."""
    return find_spec(f"{game.package}.lessons") is not None and not game.has_own_data


@cache
def lesson_of(game: Game) -> Lesson | None:
    """Return a game's lesson, None if it brings none."""
    module = game.module("lessons") if has_lesson(game) else None
    found: Lesson | None = None if module is None else module.lesson(game.id)
    return found


@cache
def position_of(game: Game, position: str) -> State:
    """Return the state that a step begins with."""
    return game.parse(position)


def accepted(game: Game, step: Step) -> list[int]:
    """Return the moves that a step wants."""
    state = position_of(game, step.position)
    texts = {move: game.move_text(state, move) for move in state.legal(LEARNER)} if step.moves else {}
    return [move for move, text in texts.items() if any(fnmatchcase(text, wanted) for wanted in step.moves)]


def try_move(game: Game, step: Step, move: int) -> Attempt:
    """Make the learner's move, and what follows; Illegal if the rules do not allow it."""
    before = position_of(game, step.position)
    state, seen = game.play_with_events(before, move, LEARNER)
    after, events = play_on(game, state, step.then)
    return Attempt(before, after, [*seen(LEARNER), *events], move in accepted(game, step))


def try_answer(game: Game, step: Step, answer: Answer) -> Attempt:
    """Let the game go on, and see whether it goes on as an answer says."""
    before = position_of(game, step.position)
    after, events = play_on(game, before, step.then)
    is_right = any(event.key == answer.key and answer.facts.items() <= event.args.items() for event in events)
    return Attempt(before, after, events, is_right)


def play_on(game: Game, state: State, moves: Sequence[str]) -> tuple[State, list[Event]]:
    """Play moves of others and outcomes of chance as far as the rules allow them."""
    events = list[Event]()
    for text in moves:
        seat, _, move = text.rpartition(": ")
        try:
            state, seen = game.play_with_events(state, game.parse_move(state, move), int(seat) if seat else None)
        except (Illegal, BadText):
            break
        events += seen(LEARNER)
    return state, events
