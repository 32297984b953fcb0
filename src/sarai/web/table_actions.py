"""What pages and programs do in the same way: seat people and bots, make tables, ask something of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sarai.core.messages import Say
from sarai.core.registry import game as find
from sarai.table import commands
from sarai.table.clock import ClockRule
from sarai.table.decide import known_level
from sarai.table.people import Person
from sarai.table.service.house import House
from sarai.table.table import GATHERING, Table
from sarai.web.live.parts import Around, Kind
from sarai.web.refusals import Refused
from sarai.web.site import Site, Visit

USUAL = 4  # players, where nobody says how many
CLOCKS = {"none": ClockRule(), "live": ClockRule("live", minutes=10, increment=10), "days": ClockRule("days", days=3)}


def usual_players(game_id: str) -> int:
    """Return how many players make a good game: four, or as near as the game comes; a desert for three is quicker to learn."""
    players = find(game_id).players
    return max(players[0], min(USUAL if players[-1] > 5 else 3, players[-1]))


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
    """Lay a table, sit down first and let bots sit down."""
    if len(bots) >= players:
        raise Refused("too_many_bots", bots=len(bots), players=players)
    for level in bots:
        known_level(level)
    table_id = await house.create(person, game_id, players, options, public=public, clock=clock)
    await house.act(table_id, person, commands.Sit())
    for level in bots:
        await house.act(table_id, person, commands.AddBot(None, level))
    return table_id


async def play_now(house: House, person: Person, game_id: str) -> str:
    """Lay a table with bots on all other seats, and begin."""
    players = usual_players(game_id)
    table_id = await make_table(house, person, game_id, players, {}, False, ClockRule(), ["regular"] * (players - 1))
    await house.act(table_id, person, commands.Start())
    return table_id


def command_from(fields: Mapping[str, str]) -> commands.Command:
    """Read a command from a form, where everything is text."""
    given = {name: value for name, value in fields.items() if name not in ("number", "key")}
    try:
        command: commands.Command = msgspec.convert(given, commands.Command, strict=False)
    except msgspec.ValidationError as error:
        raise Refused("bad_form", why=str(error)) from None
    return command


def kind_of(visit: Visit, table: Table, base: str) -> Kind:
    """Return which kind of viewer somebody is at a table."""
    invites = table.phase == GATHERING  # later the address makes no difference
    return Kind(
        table.seat_of(visit.id),
        visit.id == table.host,
        visit.person is not None,
        visit.language.code,
        base if invites else "",
    )


async def around(site: Site, table: Table) -> Around:
    """Return what a page shows that is not in the table's log."""
    warmth = site.house.games.status(table.game.id)
    return Around(frozenset(await site.house.away(table.id)), None if warmth.ready else (warmth.done, warmth.of))


def moves_of(table: Table, seat: int | None, say: Say) -> list[tuple[int, str]]:
    """Return a seat's moves in words; they are read from what the seat knows, so they tell nothing else."""
    if seat is None or seat not in table.to_act or table.seats[seat].played_by or table.state is None:
        return []
    seen: Any = table.state.view(seat).sample(0)
    return [(move, table.game.move_words(seen, move, say)) for move in table.state.legal(seat)]
