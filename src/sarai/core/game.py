"""A game as its users meet it. Nothing here imports NumPy or Numba until a game is started or read."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sarai.core.contract import CHANCE, OVER
from sarai.core.errors import BadRecord, BadStart, BadText, Illegal
from sarai.core.options import Option, Value, settle
from sarai.core.reasons import learn
from sarai.core.scene import Say

if TYPE_CHECKING:
    from sarai.core.events import Event
    from sarai.core.kernels import Array
    from sarai.core.kit import Kit
    from sarai.core.state import Setting, State, View


def nothing_to_check(players: int, options: dict[str, Value]) -> dict[str, Value]:
    """Allow every combination of options."""
    return options


@dataclass(frozen=True, eq=False)
class Game:
    """One of the house's games: what is fixed before anybody sits down, and the way in to everything else."""

    id: str
    title: str
    players: range
    options: tuple[Option, ...]
    rules_version: int
    num_actions: int
    num_chance: int
    max_moves: int
    score_bounds: tuple[int, int]
    kit_path: str  # "module:name" of its Kit, imported on first use
    reasons: Mapping[str, str]
    settle: Callable[[int, dict[str, Value]], dict[str, Value]] = (
        nothing_to_check  # refuses or completes combinations of options
    )

    def __post_init__(self) -> None:
        learn(dict(self.reasons))

    @cached_property
    def num_ids(self) -> int:
        """One more than the largest move or chance id."""
        return max(self.num_actions, self.num_chance)

    @property
    def package(self) -> str:
        """The package that holds the game: its modules are found there by convention, `terminal` for one."""
        return self.kit_path.partition(":")[0].rpartition(".")[0]

    @cached_property
    def kit(self) -> Kit:
        """The game's records, texts and words; the first use imports and may compile."""
        module, name = self.kit_path.split(":")
        kit: Kit = getattr(importlib.import_module(module), name)
        return kit

    @cached_property
    def _starts(self) -> dict[object, tuple[Setting, Array]]:
        return {}

    def setting(self, players: int, options: Mapping[str, object] | None = None) -> dict[str, Value]:
        """Return every option's value for a game that may be started so; BadStart otherwise."""
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.players:
            raise BadStart(
                "wrong_player_count", title=self.title, fewest=self.players[0], most=self.players[-1], players=players
            )
        asked = settle(self.title, self.options, options or {})
        settled = self.settle(players, asked)
        for name in options or {}:
            if settled[name] != asked[name]:
                raise BadStart(
                    "conflicting_options",
                    first=f"{name}={asked[name]}",
                    second=self._setter(settled, asked),
                    why=f"it sets {name} to {settled[name]}",
                )
        return settled

    def _setter(self, settled: dict[str, Value], asked: dict[str, Value]) -> str:
        """Name the option that set others: the one that is as asked and not the default."""
        return next(
            (f"{o.name}={asked[o.name]}" for o in self.options if asked[o.name] == settled[o.name] != o.default),
            "the others",
        )

    def _start(self, players: int, options: Mapping[str, object] | None) -> tuple[Setting, Array]:
        settled = self.setting(players, options)
        key = (players, *settled.items())
        if key not in self._starts:
            import numpy as np

            from sarai.core.state import Setting

            cell = np.zeros(1, self.kit.state)
            cell["players"] = players
            self.kit.begin(cell, players, settled)
            self._starts[key] = Setting(self, self.kit, players, settled), cell
        return self._starts[key]

    def start(self, players: int, options: Mapping[str, object] | None = None) -> State:
        """Return the first state of a game; the first nodes may be chance."""
        from sarai.core.state import State

        setting, cell = self._start(players, options)
        return State(setting, cell, int(cell["actor"][0]))

    def write(self, setting: Setting, cell: Array) -> str:
        """Return a cell as one line: the game, the players, the options that are not the default, then the game's own fields."""
        settings = {"players": str(setting.players)}
        settings |= {o.name: str(setting.options[o.name]) for o in self.options if setting.options[o.name] != o.default}
        return " ".join([self.id, *(f"{name}={value}" for name, value in (settings | self.kit.write(cell)).items())])

    def parse(self, text: str) -> State:
        """Return the state that a position text describes; BadText if it describes none."""
        from sarai.core.state import State
        from sarai.core.text import Fields

        fields = Fields(text)
        if fields.game != self.id:
            raise BadText("text_other_game", found=fields.game, game=self.id)
        players = fields.number("players", 0, 99)
        given = {option.name: fields.left.pop(option.name) for option in self.options if option.name in fields.left}
        try:
            setting, start = self._start(players, given)
        except BadStart as error:
            raise BadText(error.key, **error.facts) from None
        cell = start.copy()
        self.kit.read(cell, fields)
        fields.close()
        return State(setting, cell, int(cell["actor"][0]))

    def move_text(self, state: State, move: int) -> str:
        """Return a move, or at a chance node an outcome, in the game's notation."""
        return self.kit.write_move(state._cell, self._known(move))

    def move_words(self, state: State, move: int, say: Say = str) -> str:
        """Return a move in words: plain English, or what `say` makes of it."""
        return self.kit.words_for_move(state._cell, self._known(move), say)

    def _known(self, move: int) -> int:
        """Return a move id that exists."""
        if not 0 <= move < self.num_ids:
            raise Illegal("unknown_move", move=move, title=self.title)
        return move

    def parse_move(self, state: State, text: str) -> int:
        """Return the move that a text in the game's notation means; BadText if it means none. It need not be legal."""
        return self.kit.read_move(state._cell, text.strip())

    def told(
        self, before: State, move: int, by: int | None = None
    ) -> tuple[State, Callable[[int | None], list[Event]]]:
        """Return the state after a move of the actor, or of the seat `by`, and what each seat (None: a spectator) sees of it; Illegal if it cannot be made."""
        from sarai.core.events import read_trace

        after, trace = before.play_traced(move, by)

        def seen(seat: int | None) -> list[Event]:
            return read_trace(trace, self.kit.tellings, self.kit.words, -1 if seat is None else before.chair(seat))

        return after, seen

    def events(self, before: State, move: int, seat: int | None, by: int | None = None) -> list[Event]:
        """Return what a seat (None: a spectator) sees when a move is made, by the actor or by the seat `by`; Illegal if it cannot be made."""
        return self.told(before, move, by)[1](seat)

    def read_view(self, data: Mapping[str, Any]) -> View:
        """Return the view that `View.to_json` wrote; BadText if it is none."""
        import numpy as np

        from sarai.core.state import View
        from sarai.core.text import within

        try:
            seat, players = data["seat"], within(data["players"], 0, 99)
            if data["game"] != self.id or data["rules_version"] != self.rules_version:
                raise ValueError("it belongs to another game or version")
            setting, _ = self._start(players, dict(data["options"]))
            if seat is not None:
                within(seat, 0, players - 1)
            cell = np.zeros(1, self.kit.view)
            cell["players"], cell["actor"] = players, within(data["actor"], OVER, players - 1)
            cell["acting"] = sum(1 << s for s in {within(s, 0, players - 1) for s in data["to_act"]})
            cell["seat"] = -1 if seat is None else seat
            self.kit.read_view(cell, dict(data))
            view = View(setting, cell, seat)
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

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def __reduce__(self) -> tuple[object, ...]:
        from sarai.core.registry import game

        return game, (self.id,)


__all__ = ["CHANCE", "OVER", "BadRecord", "Game"]
