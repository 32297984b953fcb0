"""A game as its users meet it. NumPy and Numba are imported only when a game is started or read."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sarai.core.errors import BadStart, BadText, Illegal, register_reasons
from sarai.core.messages import Message, Notation, Say, mark
from sarai.core.options import Option, Value, resolve_options
from sarai.core.result import OVER

OVERRIDDEN = mark("it sets {option} to {value}")

if TYPE_CHECKING:
    from sarai.core.definition import Definition
    from sarai.core.events import Event
    from sarai.core.kernels.compile import Array
    from sarai.core.state_and_view import Setup, State, View


def any_combination(players: int, options: dict[str, Value]) -> dict[str, Value]:
    """Allow every combination of options."""
    return options


@dataclass(frozen=True, eq=False)
class Game:
    """What is fixed of a game before it starts, and the way in to everything else.

    A game is one package. Its `definition`, `policy`, `terminal`, `board`, `odds` and `RULES.md` are found there by
    their names; two games in one package name their own `Definition` and rules text.
    """

    id: str
    title: str
    pitch: str  # one sentence for the front page
    players: range
    options: tuple[Option, ...]
    rules_version: int  # of new games
    num_actions: int
    num_chance: int
    max_moves: int
    score_bounds: tuple[int, int]
    package: str
    reasons: Mapping[str, str]  # an English sentence for every reason key of its own
    complete_options: Callable[[int, dict[str, Value]], dict[str, Value]] = any_combination  # or BadStart
    definition_name: str = "DEFINITION"
    rules_file: str = "RULES.md"
    oldest_rules_version: int = 1  # whose records and tables can still be played

    def __post_init__(self) -> None:
        register_reasons(self.reasons)

    @cached_property
    def num_ids(self) -> int:
        """One more than the largest move or chance id."""
        return max(self.num_actions, self.num_chance)

    @cached_property
    def definition(self) -> Definition:
        """The game's records, texts and sentences; the first use imports Numba and may compile."""
        definition: Definition = getattr(self.module("definition"), self.definition_name)
        return definition

    def module(self, name: str) -> ModuleType | None:
        """Return a module of the game's package by its name there, None if the game has none."""
        folder, full_name = name.rpartition(".")[0], f"{self.package}.{name}"
        if folder and self.module(folder) is None:
            return None
        return importlib.import_module(full_name) if importlib.util.find_spec(full_name) else None

    @cached_property
    def folder(self) -> Path:
        """The folder of the game's package."""
        found = importlib.util.find_spec(self.package)
        assert found is not None and found.origin is not None
        return Path(found.origin).parent

    @property
    def has_own_data(self) -> bool:
        """Whether a variable `SARAI_DATA_…` replaces its data: then its lesson and its rules' examples do not hold."""
        from sarai.core.kernels.cache import OWN_DATA

        beginning = f"{OWN_DATA}{self.folder.name.upper()}_"
        return any(value and name.startswith(beginning) for name, value in os.environ.items())

    def rules_text(self) -> str | None:
        """Return the rules as Markdown, None if the game has no rules text."""
        path = self.folder / self.rules_file
        return path.read_text(encoding="utf-8") if path.exists() else None

    @cached_property
    def _starts(self) -> dict[object, tuple[Setup, Array]]:
        return {}

    def resolve_options(self, players: int, options: Mapping[str, object] | None = None) -> dict[str, Value]:
        """Return every option's value for a game that may be started so; BadStart otherwise."""
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.players:
            fewest, most = self.players[0], self.players[-1]
            raise BadStart("wrong_player_count", title=self.title, fewest=fewest, most=most, players=players)
        asked = resolve_options(self.title, self.options, options or {})
        complete = self.complete_options(players, asked)
        for name in options or {}:
            if complete[name] != asked[name]:
                raise BadStart(
                    "conflicting_options",
                    first=f"{name}={asked[name]}",
                    second=self._overriding_option(complete, asked),
                    why=Message(OVERRIDDEN, {"option": Notation(name), "value": Notation(complete[name])}),
                )
        return complete

    def _overriding_option(self, complete: dict[str, Value], asked: dict[str, Value]) -> str:
        """Name the option that set others: the one that is as asked and not the default."""
        return next(
            (f"{o.name}={asked[o.name]}" for o in self.options if asked[o.name] == complete[o.name] != o.default),
            "the others",
        )

    def known_rules(self, version: int | None) -> int:
        """Return a version of the rules that can be played, the current one for None; BadStart otherwise."""
        if version is None:
            return self.rules_version
        if type(version) is not int or not self.oldest_rules_version <= version <= self.rules_version:
            raise BadStart("unknown_rules_version", title=self.title, found=version, known=self.rules_version)
        return version

    def _start(
        self, players: int, options: Mapping[str, object] | None, rules_version: int | None
    ) -> tuple[Setup, Array]:
        complete, version = self.resolve_options(players, options), self.known_rules(rules_version)
        key = (players, version, *complete.items())
        if key not in self._starts:
            import numpy as np

            from sarai.core.state_and_view import Setup

            cell = np.zeros(1, self.definition.state)
            cell["players"], cell["rules_version"] = players, version
            self.definition.begin(cell, players, complete)
            self._starts[key] = Setup(self, self.definition, players, complete, version), cell
        return self._starts[key]

    def start(
        self, players: int, options: Mapping[str, object] | None = None, rules_version: int | None = None
    ) -> State:
        """Return the first state of a game, by the current rules or an older version; the first nodes may be chance."""
        from sarai.core.state_and_view import State

        setup, cell = self._start(players, options, rules_version)
        return State(setup, cell, int(cell["actor"][0]))

    def write(self, setup: Setup, cell: Array) -> str:
        """Return a cell as one line: game, players, what is not the default or the current rules, the game's fields."""
        start = {"players": str(setup.players)}
        if setup.rules_version != self.rules_version:
            start["rules_version"] = str(setup.rules_version)
        start |= {o.name: str(setup.options[o.name]) for o in self.options if setup.options[o.name] != o.default}
        return " ".join(
            [self.id, *(f"{name}={value}" for name, value in (start | self.definition.write(cell)).items())]
        )

    def parse(self, text: str) -> State:
        """Return the state that a position text describes; BadText if it describes none."""
        from sarai.core.position_text import Fields
        from sarai.core.state_and_view import State

        fields = Fields(text)
        if fields.game != self.id:
            raise BadText("text_other_game", found=fields.game, game=self.id)
        players = fields.number("players", 0, 99)
        version = fields.number("rules_version", 0, 99) if "rules_version" in fields.left else None
        given = {option.name: fields.left.pop(option.name) for option in self.options if option.name in fields.left}
        try:
            setup, start = self._start(players, given, version)
        except BadStart as error:
            raise BadText(error.key, **error.facts) from None
        cell = start.copy()
        self.definition.read(cell, fields)
        fields.close()
        return State(setup, cell, int(cell["actor"][0]))

    def move_text(self, state: State, move: int) -> str:
        """Return a move, or at a chance node an outcome, in the game's notation."""
        return self.definition.write_move(state._cell, self._checked_move(move))

    def move_words(self, state: State, move: int, say: Say | None = None) -> str:
        """Return a move in words: plain English, or what `say` makes of it."""
        if say is None:
            from sarai.core.language import ENGLISH, find_language  # most programs never say anything

            say = find_language(ENGLISH).say
        return self.definition.words_for_move(state._cell, self._checked_move(move), say)

    def _checked_move(self, move: int) -> int:
        """Return a move id that exists."""
        if not 0 <= move < self.num_ids:
            raise Illegal("unknown_move", move=move, title=self.title)
        return move

    def parse_move(self, state: State, text: str) -> int:
        """Return the move that a text in the game's notation means; BadText if it means none. It need not be legal."""
        return self.definition.read_move(state._cell, text.strip())

    def play_with_events(
        self, before: State, move: int, by: int | None = None
    ) -> tuple[State, Callable[[int | None], list[Event]]]:
        """Return the state after a move of the actor, or of the seat `by`, and a function from a viewer to its events.

        A viewer is a seat, or None for a spectator. Illegal if the move cannot be made.
        """
        from sarai.core.events import read_trace

        after, trace = before.play_traced(move, by)

        def seen(seat: int | None) -> list[Event]:
            observer = -1 if seat is None else before.checked_seat(seat)
            return read_trace(trace, self.definition.events, self.definition.trace_names, observer)

        return after, seen

    def events(self, before: State, move: int, seat: int | None, by: int | None = None) -> list[Event]:
        """Return what a seat (None: a spectator) sees when the actor, or the seat `by`, makes a move; or Illegal."""
        return self.play_with_events(before, move, by)[1](seat)

    def read_view(self, data: Mapping[str, Any]) -> View:
        """Return the view that `View.to_json` wrote; BadText if it is none."""
        import numpy as np

        from sarai.core.position_text import within
        from sarai.core.state_and_view import View

        try:
            seat, players = data["seat"], within(data["players"], 0, 99)
            if data["game"] != self.id:
                raise ValueError("it belongs to another game")
            setup, _ = self._start(players, dict(data["options"]), within(data["rules_version"], 1, self.rules_version))
            if seat is not None:
                within(seat, 0, players - 1)
            cell = np.zeros(1, self.definition.view)
            cell["players"], cell["rules_version"] = players, setup.rules_version
            cell["actor"] = within(data["actor"], OVER, players - 1)
            cell["acting"] = sum(1 << s for s in {within(s, 0, players - 1) for s in data["to_act"]})
            cell["seat"] = -1 if seat is None else seat
            self.definition.read_view(cell, dict(data))
            view = View(setup, cell, seat)
            drawn = view.sample(0)
            if self.parse(drawn.text()) != drawn or drawn.view(seat) != view:
                raise ValueError("no game comes to it")
            if json.dumps(view.to_json(), sort_keys=True) != json.dumps(data, sort_keys=True):
                raise ValueError("a part of it does not fit the rest")
        except (
            KeyError,
            TypeError,
            ValueError,
            IndexError,
            AttributeError,
            OverflowError,
            RecursionError,
            BadStart,
            BadText,
        ) as error:
            raise BadText("view_unreadable", title=self.title, why=str(error) or type(error).__name__) from None
        return view

    def view_from_bytes(self, data: bytes) -> View:
        """Return the view that `View.to_bytes` wrote in another process of this program.

        Only that it belongs to this game is checked: what comes from outside the program goes through `read_view`.
        """
        from sarai.core.kernels.dtype import compact_dtype, from_compact
        from sarai.core.state_and_view import View, layout_of

        start, _, content = data.partition(b"\n")
        dtype = self.definition.view
        compact = compact_dtype(dtype)
        try:
            players, options, rules_version, seat, layout = json.loads(start)
            if layout != layout_of(compact) or len(content) != compact.itemsize:
                raise ValueError("it is a record of another layout")
            setup, _ = self._start(players, options, rules_version)
        except (ValueError, TypeError, BadStart) as error:
            raise BadText("view_unreadable", title=self.title, why=str(error)) from None
        return View(setup, from_compact(content, dtype), seat)

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def __reduce__(self) -> tuple[object, ...]:
        from sarai.core.registry import game

        return game, (self.id,)
