"""The seats of a game at the terminal: people on the first ones, bots on the others."""

from dataclasses import dataclass

from sarai.cli.errors import CommandError
from sarai.cli.terminal_io import printable_name
from sarai.core.game import Game
from sarai.core.messages import Say
from sarai.core.policy.levels import LEVELS

DEFAULT_PLAYERS = 4  # where a game allows it


@dataclass(frozen=True)
class Seats:
    """The players of a game: how many people, and the levels of the bots after them."""

    people: int
    bots: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many players there are."""
        return self.people + len(self.bots)

    def names(self, given: list[str], say: Say) -> list[str]:
        """Return a name for every seat, the people's own as far as they are given."""
        if len(given) > self.people:
            raise CommandError("too_many_names", names=len(given), people=self.people)
        own = (printable_name(name, seat, say) for seat, name in enumerate(given))
        unnamed = (say("Player {n}", n=seat + 1) for seat in range(len(given), self.people))
        return [*own, *unnamed, *(say("Bot {n}", n=seat + 1) for seat in range(self.people, self.count))]


def default_count(game: Game, least: int = 0) -> int:
    """Return how many players a game has where no number is given, but not fewer than some."""
    return max(min(DEFAULT_PLAYERS, game.players[-1]), least, game.players[0])


def resolve_seats(game: Game, players: int | None, people: int | None, bots: str | None) -> Seats:
    """Fill in what is not given: one person, the default number of players, random bots."""
    levels = [level.strip() for level in bots.split(",")] if bots is not None else []
    for level in levels:
        if level not in LEVELS:
            raise CommandError("unknown_bot", bot=level, bots=", ".join(LEVELS))
    if players is None:
        known = (1 if people is None else people) + len(levels)
        players = max(known, game.players[0]) if levels else default_count(game, known)
    game.resolve_options(players)
    if people is None:
        people = players - len(levels) if levels else 1
    free = players - people
    if len(levels) < 2 and free > 0:
        levels = (levels or ["random"]) * free
    if people < 0 or len(levels) != free:
        raise CommandError("wrong_seats", players=players, people=max(people, 0), bots=len(levels))
    return Seats(people, tuple(levels))
