"""States and views for Python: thin, immutable wrappers around one record each."""

from __future__ import annotations

import json
import operator
import random
import zlib
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from sarai.core.errors import Illegal
from sarai.core.kernels import python_entry_points
from sarai.core.kernels.compile import Array
from sarai.core.kernels.dtype import compact_dtype, to_compact
from sarai.core.kernels.move_trace import new_trace
from sarai.core.options import Value
from sarai.core.result import CHANCE, OVER, Result

if TYPE_CHECKING:
    from sarai.core.definition import Definition
    from sarai.core.game import Game

Seed = int | random.Random | np.random.Generator


class Setup:
    """What all states of one game share: the game, its player count and options, and the layout of its record."""

    __slots__ = ("definition", "dtype", "game", "options", "players", "rules_version")

    def __init__(
        self, game: Game, definition: Definition, players: int, options: dict[str, Value], rules_version: int
    ) -> None:
        self.game = game
        self.definition = definition
        self.players = players
        self.options = options
        self.rules_version = rules_version
        self.dtype = definition.state


def empty_cell(dtype: np.dtype[Any]) -> Array:
    """Return an array of one record, all zero; `np.zeros` goes through the fields and takes three times as long."""
    return np.ndarray(1, dtype, bytearray(dtype.itemsize))


@cache
def seats_of(acting: int) -> tuple[int, ...]:
    """Return the seats whose bits are set."""
    return tuple(seat for seat in range(acting.bit_length()) if acting >> seat & 1)


@cache
def layout_of(dtype: np.dtype[Any]) -> int:
    """Return a checksum of a record's fields, types and sizes."""
    return zlib.crc32(repr((dtype, dtype.itemsize)).encode())


def generator(seed: Seed) -> Array:
    """Make a kernel's random generator from a seed, or from a generator of Python's or NumPy's."""
    if isinstance(seed, np.random.Generator):
        seed = int(seed.integers(1 << 63))
    bits = seed.getrandbits(64) if isinstance(seed, random.Random) else seed & (1 << 64) - 1
    return np.array([bits], np.uint64)


@cache
def fraction(weight: int, whole: int) -> Fraction:
    """Return a probability, the same object for equal arguments."""
    return Fraction(weight, whole)


@cache
def even_outcomes(count: int, num_chance: int) -> Array:
    """Return every chance id paired with 1/count, from which a node with even chances picks its list quickly."""
    outcomes = np.empty(num_chance, object)
    for outcome in range(num_chance):
        outcomes[outcome] = outcome, fraction(1, count)
    return outcomes


class Position:
    """What a state and a view have in common: a record, and the game, players and options it belongs to."""

    __slots__ = ("_cell", "_setup", "_to_act")

    _cell: Array
    _setup: Setup
    _to_act: tuple[int, ...]  # set when it is asked for: a search never does, a page does several times

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._setup.game

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self._setup.players

    @property
    def options(self) -> dict[str, Value]:
        """The value of every option of the game."""
        return dict(self._setup.options)

    @property
    def rules_version(self) -> int:
        """The version of the rules it is played by."""
        return self._setup.rules_version

    @property
    def to_act(self) -> tuple[int, ...]:
        """Every seat that may act now; more than one while a choice is simultaneous."""
        try:
            return self._to_act
        except AttributeError:
            self._to_act = seats_of(int(self._cell["acting"][0]))
            return self._to_act


class State(Position):
    """A position of a game, immutable: `play` makes a new one."""

    __slots__ = ("actor",)

    actor: int

    def __init__(self, setup: Setup, cell: Array, actor: int) -> None:
        self._setup = setup
        self._cell = cell
        self.actor = actor

    def legal(self, seat: int | None = None) -> list[int]:
        """Return the legal move ids of a seat, the actor's by default; none for who may not act."""
        seat = self.actor if seat is None else self.checked_seat(seat)
        out = np.empty(self._setup.game.num_actions, np.int64)
        moves: list[int] = out[: python_entry_points.list_legal(self._cell, seat, out)].tolist()
        return moves

    def chance(self) -> list[tuple[int, Fraction]]:
        """Return the outcomes of a chance node with their exact probabilities; nothing elsewhere."""
        if self.actor != CHANCE:
            return []
        num_chance = self._setup.game.num_chance
        out = np.empty((2, num_chance), np.int64)
        count, whole = python_entry_points.list_chance(self._cell, out)
        if count == whole:
            outcomes: list[tuple[int, Fraction]] = even_outcomes(count, num_chance)[out[0, :count]].tolist()
            return outcomes
        ids, weights = out[:, :count].tolist()
        return [(outcome, fraction(weight, whole)) for outcome, weight in zip(ids, weights, strict=True)]

    def play(self, move: SupportsIndex, seat: int | None = None) -> State:
        """Return the state after a move of a seat, by default the actor; Illegal if it is not allowed."""
        setup = self._setup
        if seat is None:
            seat = self.actor
        if (
            type(move) is int
            and -1 < move < setup.game.num_ids
            and type(seat) is int
            and CHANCE <= seat < setup.players
        ):
            after = empty_cell(setup.dtype)
            actor = python_entry_points.step(self._cell, after, seat, move)
            if actor != python_entry_points.REFUSED:
                return State(setup, after, actor)
            raise self._refused(move, seat)
        return self.play(*self._checked(move, seat))

    def play_traced(self, move: SupportsIndex, seat: int | None = None) -> tuple[State, Array]:
        """Do what `play` does, and return what the rules told on the way too."""
        number, chair = self._checked(move, self.actor if seat is None else seat)
        after, trace = empty_cell(self._setup.dtype), new_trace()
        actor = python_entry_points.step_traced(self._cell, after, chair, number, trace)
        if actor == python_entry_points.REFUSED:
            raise self._refused(number, chair)
        return State(self._setup, after, actor), trace

    def _checked(self, move: object, seat: object) -> tuple[int, int]:
        """Return a move and a seat as plain integers in range, whatever type they came in; Illegal otherwise."""
        if self.actor == OVER:
            raise Illegal("game_over")
        try:
            number = operator.index(move)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if isinstance(move, bool) or not 0 <= number < self.game.num_ids:
            raise Illegal("unknown_move", move=move, title=self.game.title)
        return number, self.checked_seat(seat, CHANCE)

    def checked_seat(self, seat: object, lowest: int = 0) -> int:
        """Return a seat that there is as a plain number; Illegal if there is none of that name."""
        try:
            number = operator.index(seat)  # type: ignore[arg-type]
        except TypeError:
            number = self.players
        if isinstance(seat, bool) or not lowest <= number < self.players:
            raise Illegal("no_such_seat", seat=seat, last=self.players - 1)
        return number

    def why_not(self, move: int, seat: int) -> Illegal | None:
        """Return why a seat may not make a move, None if it may."""
        number, chair = self._checked(move, seat)
        if chair in self.to_act and python_entry_points.why_not(self._cell, chair, number) == 0:
            return None
        return self._refused(number, chair)

    def _refused(self, move: int, seat: int) -> Illegal:
        """Return why a move was refused."""
        if self.actor == OVER:
            return Illegal("game_over")
        if seat == CHANCE:
            return Illegal("impossible_outcome", move=move) if self.actor == CHANCE else Illegal("no_chance_here")
        if seat not in self.to_act:
            return Illegal("not_your_turn", seat=seat)
        definition = self._setup.definition
        code = python_entry_points.why_not(self._cell, seat, move)
        return Illegal(
            definition.refusals[code], move=move, title=self.game.title, **definition.facts(self._cell, move, seat)
        )

    def view(self, seat: int | None) -> View:
        """Return all that a seat (None: a spectator) knows, and nothing else."""
        seat = None if seat is None else self.checked_seat(seat)
        cell = empty_cell(self._setup.definition.view)
        python_entry_points.look_at(self._cell, -1 if seat is None else seat, cell)
        return View(self._setup, cell, seat)

    @property
    def scores(self) -> list[int]:
        """Every seat's points as they stand."""
        return self._points()[0]

    def _points(self) -> tuple[list[int], list[int]]:
        out = np.zeros((2, self.players), np.int64)
        python_entry_points.points(self._cell, out[0], out[1])
        scores, standings = out.tolist()
        return scores, standings

    @property
    def result(self) -> Result | None:
        """How the game ended, None while it goes on."""
        if self.actor != OVER:
            return None
        scores, standings = self._points()
        ranks = [1 + sum(other > mine for other in standings) for mine in standings]
        winners = ranks.count(1)
        return Result(
            scores,
            ranks,
            [1 / winners if rank == 1 else 0.0 for rank in ranks],
            self._setup.definition.endings[int(self._cell["ending"][0])],
        )

    def text(self) -> str:
        """Return the position as one line that `game.parse` reads."""
        return self.game.write(self._setup, self._cell)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, its = self._setup, other._setup
        return (
            mine.game is its.game
            and mine.options == its.options
            and bool(self._cell.tobytes() == other._cell.tobytes())
        )

    def __hash__(self) -> int:
        return hash((self.game.id, self._cell.tobytes()))

    def __repr__(self) -> str:
        return f"<State {self.text()}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _from_text, (self.game.id, self.text())


def _from_text(game: str, text: str) -> State:
    from sarai.core.registry import game as find

    return find(game).parse(text)


class View(Position):
    """All that a seat knows of a game, by perfect memory of what it saw; it holds no state."""

    __slots__ = ("seat",)

    def __init__(self, setup: Setup, cell: Array, seat: int | None) -> None:
        self._setup = setup
        self._cell = cell
        self.seat = seat

    @property
    def actor(self) -> int:
        """The seat to act, CHANCE or OVER."""
        return int(self._cell["actor"][0])

    def legal(self) -> list[int]:
        """Return the seat's legal moves: those of any state that the view allows, which are the same in all of them."""
        return [] if self.seat is None else self.sample(0).legal(self.seat)

    def sample(self, rng: Seed) -> State:
        """Draw a state that this view allows, as likely as if every hidden choice had been uniformly random."""
        cell = empty_cell(self._setup.dtype)
        return State(self._setup, cell, python_entry_points.sample_from(self._cell, generator(rng), cell))

    def to_json(self) -> dict[str, Any]:
        """Return the view as plain data that `game.read_view` reads."""
        return {
            "game": self.game.id,
            "rules_version": self.rules_version,
            "players": self.players,
            "options": self.options,
            "seat": self.seat,
            "actor": self.actor,
            "to_act": list(self.to_act),
            **self._setup.definition.view_json(self._cell),
        }

    def to_bytes(self) -> bytes:
        """Return the view as bytes that `game.view_from_bytes` reads, in a process of the same program."""
        start = [self.players, self.options, self.rules_version, self.seat, layout_of(compact_dtype(self._cell.dtype))]
        return json.dumps(start).encode() + b"\n" + to_compact(self._cell)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        mine, its = self._setup, other._setup
        return (
            mine.game is its.game
            and self.seat == other.seat
            and mine.options == its.options
            and bool(self._cell.tobytes() == other._cell.tobytes())
        )

    def __hash__(self) -> int:
        return hash((self.game.id, self.seat, self._cell.tobytes()))

    def __repr__(self) -> str:
        return f"<View of {'a spectator' if self.seat is None else f'seat {self.seat}'}: {self.to_json()}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _from_json, (self.game.id, self.to_json())


def _from_json(game: str, data: dict[str, Any]) -> View:
    from sarai.core.registry import game as find

    return find(game).read_view(data)
