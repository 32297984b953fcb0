"""Who sits where: people on the first seats, bots on the others."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from sarai.cli.screen import clean
from sarai.core.errors import BadStart
from sarai.core.game import Game
from sarai.core.policy.plan import LEVELS

if TYPE_CHECKING:
    from sarai.core.state import View

USUAL = 4  # players, where a game allows it and nobody said another number

Bot = Callable[["View"], int]


def make_bot(game: Game, level: str, seed: str) -> Bot:
    """Return a bot of a level; a random one needs no search, and nothing of it compiled."""
    rng = Random(seed)
    if level == "random":
        return lambda view: rng.choice(view.legal())
    from sarai.bots import bot

    return bot(game, level, rng.getrandbits(63)).choose


@dataclass(frozen=True)
class Seats:
    """The players of a game: how many people, and the kinds of the bots after them."""

    people: int
    bots: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many players there are."""
        return self.people + len(self.bots)

    def names(self, given: list[str]) -> list[str]:
        """Return a name for every seat, the people's own as far as they are given."""
        if len(given) > self.people:
            raise BadStart("too_many_names", names=len(given), people=self.people)
        own = [clean(name, seat) for seat, name in enumerate(given)]
        return own + [f"{'Player' if seat < self.people else 'Bot'} {seat + 1}" for seat in range(len(own), self.count)]


def usual_count(game: Game, least: int = 0) -> int:
    """Return how many players a game has when nobody says how many."""
    return max(min(USUAL, game.players[-1]), least, game.players[0])


def seats(game: Game, players: int | None, people: int | None, bots: str | None) -> Seats:
    """Fill in what was not said: one person, as many players as usual, random bots."""
    kinds = [kind.strip() for kind in bots.split(",")] if bots is not None else []
    for kind in kinds:
        if kind not in LEVELS:
            raise BadStart("unknown_bot", bot=kind, bots=", ".join(LEVELS))
    if players is None:
        known = (1 if people is None else people) + len(kinds)
        players = max(known, game.players[0]) if kinds else usual_count(game, known)
    game.resolve_options(players)
    if people is None:
        people = players - len(kinds) if kinds else 1
    places = players - people
    if len(kinds) < 2 and places > 0:
        kinds = (kinds or ["random"]) * places
    if people < 0 or len(kinds) != places:
        raise BadStart("wrong_seats", players=players, people=max(people, 0), bots=len(kinds))
    return Seats(people, tuple(kinds))
