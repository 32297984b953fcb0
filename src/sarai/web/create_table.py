"""Make tables as pages and programs ask for them: with bots, and for a game at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sarai.core.messages import mark
from sarai.core.registry import game as find
from sarai.table import commands
from sarai.table.clock import ClockRule
from sarai.table.command_checks import known_level
from sarai.table.person import Person
from sarai.table.refusals import Refused
from sarai.table.service.house import House

GUEST_NAME = mark("Guest")  # of a person who plays without giving a name
CLOCKS = {"none": ClockRule(), "live": ClockRule("live", minutes=10, increment=10), "days": ClockRule("days", days=3)}


def usual_players(game_id: str) -> int:
    """Return how many players make a good first game: four, or three where at most five can play."""
    players = find(game_id).players
    return max(players[0], min(4 if players[-1] > 5 else 3, players[-1]))


def check_table(
    game_id: str, players: int, options: Mapping[str, object], clock: ClockRule, bots: Sequence[str]
) -> None:
    """Refuse a table that cannot be made, before anything is: a person, or a table without its bots."""
    if len(bots) >= players:
        raise Refused("too_many_bots", bots=len(bots), players=players)
    for level in bots:
        known_level(level)
    find(game_id).resolve_options(players, options)
    clock.check()


async def make_table(
    house: House,
    person: Person,
    game_id: str,
    players: int,
    options: Mapping[str, object],
    public: bool,
    clock: ClockRule,
    bots: list[str],
) -> str:
    """Make a table, give its maker the first seat and bots the next ones; return the table's id."""
    check_table(game_id, players, options, clock, bots)
    table_id = await house.create(person, game_id, players, options, public=public, clock=clock)
    await house.act(table_id, person, commands.Sit())
    for level in bots:
        await house.act(table_id, person, commands.AddBot(None, level))
    return table_id


async def play_now(
    house: House, person: Person, game_id: str, digest: str | None = None, level: str = "regular"
) -> str:
    """Make a table with bots of a level on all other seats, and begin; return the table's id.

    The person sits on seat 0 and may have committed to a word for the dice already.
    """
    house.require_bots(person)
    players = usual_players(game_id)
    table_id = await make_table(house, person, game_id, players, {}, False, ClockRule(), [level] * (players - 1))
    if digest is not None:
        await house.act(table_id, person, commands.CommitWord(digest))
    await house.act(table_id, person, commands.Start())
    return table_id
