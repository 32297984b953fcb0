"""A match: all that the results of its deals depend on."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import sarai
from sarai.arena.errors import ArenaError
from sarai.bots import Bot, Budget, bot
from sarai.bots.named_bots import plans
from sarai.core.game import Game
from sarai.core.kernels.cache import source_hash
from sarai.core.messages import Notation
from sarai.core.options import Value
from sarai.core.registry import game as find

FORMAT = 1  # changes when the same match would have other results


@dataclass(frozen=True)
class Match:
    """Which bots play which game from which seed; deals are numbered from 0 without end."""

    game: Game
    seats: tuple[str, ...]  # the bot of every seat in the first line-up
    options: dict[str, Value]
    budget: Budget | None  # None: that of each bot's level
    seed: int
    code: str  # a hash of the code of the rules and the bots

    @classmethod
    def make(
        cls,
        game: str,
        bots: Sequence[str],
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        budget: Budget | None = None,
        seed: int = 1,
    ) -> Match:
        """Return a match that can be played; the bots take seats in their order, again and again until none is free."""
        found = find(game)
        count = players if players is not None else len(bots)
        resolved = found.resolve_options(count, options)
        if not 0 < len(bots) <= count:
            raise ArenaError(
                "too_many_bots" if bots else "bad_count",
                bots=len(bots),
                players=count,
                what="bots",
                found=0,
                allowed="it is at least 1",
            )
        check_budget(budget)
        for name in bots:
            bot_factory(found, name)
        seats = tuple(bots[seat % len(bots)] for seat in range(count))
        return cls(found, seats, resolved, budget, seed, code_hash(tuple(dict.fromkeys(bots))))

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.seats)

    @property
    def bots(self) -> list[str]:
        """Every bot once, in the order named."""
        return list(dict.fromkeys(self.seats))

    @cached_property
    def lineups(self) -> list[tuple[str, ...]]:
        """The bot of every seat in each game of a deal: all move up a seat until the first line-up comes again."""
        moved = [self.seats[-turn:] + self.seats[:-turn] for turn in range(self.players)]
        return moved[: moved.index(self.seats, 1)] if self.seats in moved[1:] else moved

    def deals_for(self, games: int) -> int:
        """Return how many deals have at least this number of games, one in every line-up."""
        return -(-games // len(self.lineups))

    def seat(self, name: str, seed: int) -> Bot:
        """Return a bot with a seed of its own."""
        chosen: Bot = bot_factory(self.game, name)(self.game, seed)
        return chosen

    def to_json(self) -> dict[str, Any]:
        """Return the match as plain data."""
        return {
            "game": self.game.id,
            "rules_version": self.game.rules_version,
            "players": self.players,
            "options": self.options,
            "seats": list(self.seats),
            "seconds": self.budget.seconds if self.budget else None,
            "simulations": self.budget.simulations if self.budget else None,
            "seed": self.seed,
        }

    def identity(self) -> dict[str, Any]:
        """Return what two matches must have in common to have the same deals."""
        return {"format": FORMAT, **self.to_json(), "code": self.code}

    @property
    def digest(self) -> str:
        """A short name for this match and no other."""
        return hashlib.sha256(json.dumps(self.identity(), sort_keys=True).encode()).hexdigest()[:12]


def check_budget(budget: Budget | None) -> None:
    """Refuse a budget of no time, or of both kinds."""
    if budget is None:
        return
    if budget.seconds is not None and budget.simulations is not None:
        raise ArenaError("two_budgets")
    if budget.seconds is not None and not 0 < budget.seconds < 1e6:
        raise ArenaError(
            "bad_count",
            what="seconds",
            found=Notation(budget.seconds),
            allowed="it is more than 0 and less than a million",
        )
    if budget.simulations is not None and not 0 < budget.simulations < 1 << 40:
        raise ArenaError(
            "bad_count",
            what="simulations",
            found=Notation(budget.simulations),
            allowed="it is at least 1 and less than a million million",
        )


def bot_factory(game: Game, name: str) -> Any:
    """Return what makes a bot from a game and a seed: a level, or `module:name` of a class or function elsewhere."""
    module, colon, attribute = name.partition(":")
    if not colon:
        if name not in (known := plans(game)):
            raise ArenaError("unknown_level", level=name, levels=", ".join(known))
        return lambda game, seed: bot(game, name, seed)
    try:
        factory = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # a foreign module may raise anything
        raise ArenaError("bad_bot", bot=name, why=f"{type(error).__name__}, {error}") from None
    if not callable(factory):
        raise ArenaError("bad_bot", bot=name, why="it cannot be called with a game and a seed")
    return factory


@cache
def code_hash(bots: tuple[str, ...]) -> str:
    """Hash all code that decides how bots play: rules and searches of this package, and the modules of other bots."""
    digest = hashlib.sha256(source_hash(Path(sarai.__file__).parent).encode())
    for name in bots:
        if ":" in name:
            file = importlib.import_module(name.partition(":")[0]).__file__
            digest.update(Path(file).read_bytes() if file else b"")
    return digest.hexdigest()[:20]
