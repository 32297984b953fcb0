"""A match: everything that decides how its deals come out, and nothing else."""

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
from sarai.bots import Bot, Budget, bot
from sarai.bots.ladder import plans
from sarai.core.errors import Error
from sarai.core.game import Game
from sarai.core.kernels.cache import source_hash
from sarai.core.options import Value
from sarai.core.registry import game as find

FORMAT = 1  # changes when the same match would come out otherwise


@dataclass(frozen=True)
class Match:
    """Who plays what from which seed; deals are numbered from 0 and there is no last one."""

    game: Game
    seats: tuple[str, ...]  # the bot of every seat before anybody changes places
    options: dict[str, Value]
    budget: Budget | None  # None: every bot thinks as long as its level does
    seed: int
    code: str  # a hash of all code that the bots and the rules are made of

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
        """Return a match that can be played; the bots sit down in the order named, again and again until every seat is taken."""
        found = find(game)
        count = players if players is not None else len(bots)
        settled = found.resolve_options(count, options)
        if not 0 < len(bots) <= count:
            raise Error(
                "too_many_bots" if bots else "bad_count",
                bots=len(bots),
                players=count,
                what="bots",
                found=0,
                allowed="it is at least 1",
            )
        check_budget(budget)
        for name in bots:
            factory_of(found, name)
        seats = tuple(bots[seat % len(bots)] for seat in range(count))
        return cls(found, seats, settled, budget, seed, code_of(tuple(dict.fromkeys(bots))))

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
        """Who sits where in each game of a deal: everybody moves up a seat until the first line-up comes again."""
        moved = [self.seats[-turn:] + self.seats[:-turn] for turn in range(self.players)]
        return moved[: moved.index(self.seats, 1)] if self.seats in moved[1:] else moved

    def deals_for(self, games: int) -> int:
        """Return how many deals it takes to play so many games, a deal always being played in every line-up."""
        return -(-games // len(self.lineups))

    def seat(self, name: str, seed: int) -> Bot:
        """Return a bot that sits down with luck of its own."""
        chosen: Bot = factory_of(self.game, name)(self.game, seed)
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
        """Return what two matches must have in common to have the same deals in the same code."""
        return {"format": FORMAT, **self.to_json(), "code": self.code}

    @property
    def digest(self) -> str:
        """A short name for this match and no other."""
        return hashlib.sha256(json.dumps(self.identity(), sort_keys=True).encode()).hexdigest()[:12]


def check_budget(budget: Budget | None) -> None:
    """Refuse a budget that is no time to think."""
    if budget is None:
        return
    if budget.seconds is not None and budget.simulations is not None:
        raise Error("two_budgets")
    if budget.seconds is not None and not 0 < budget.seconds < 1e6:
        raise Error(
            "bad_count", what="seconds", found=budget.seconds, allowed="it is more than 0 and less than a million"
        )
    if budget.simulations is not None and not 0 < budget.simulations < 1 << 40:
        raise Error(
            "bad_count",
            what="simulations",
            found=budget.simulations,
            allowed="it is at least 1 and less than a million million",
        )


def factory_of(game: Game, name: str) -> Any:
    """Return what makes a bot from a game and a seed: a level of the ladder, or `module:name`, a class or function of somebody's own."""
    module, colon, attribute = name.partition(":")
    if not colon:
        if name not in (known := plans(game)):
            raise Error("unknown_level", level=name, levels=", ".join(known))
        return lambda game, seed: bot(game, name, seed)
    try:
        factory = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # whatever the module of somebody else does when it is imported
        raise Error("bad_bot", bot=name, why=f"{type(error).__name__}, {error}") from None
    if not callable(factory):
        raise Error("bad_bot", bot=name, why="it cannot be called with a game and a seed")
    return factory


@cache
def code_of(bots: tuple[str, ...]) -> str:
    """Hash all code that decides how bots play: the rules and searches of this package, and the modules of bots that come from outside."""
    digest = hashlib.sha256(source_hash(Path(sarai.__file__).parent).encode())
    for name in bots:
        if ":" in name:
            file = importlib.import_module(name.partition(":")[0]).__file__
            digest.update(Path(file).read_bytes() if file else b"")
    return digest.hexdigest()[:20]
