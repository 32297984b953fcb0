"""The JSON interface: everything the pages do, for programs. What it takes and gives is written down in `openapi.py`, and checked against it."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sarai.core.policy.plan import LEVELS
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table import commands
from sarai.table.clock import ClockRule
from sarai.table.people import Person
from sarai.table.table import Table
from sarai.web.cookies import read_name
from sarai.web.language import TONGUES
from sarai.web.live.stream import Flow, Messages
from sarai.web.live.viewer import clocks_of, encode
from sarai.web.pages.site_pages import GUESTS
from sarai.web.refusals import Refused
from sarai.web.security import read_body
from sarai.web.site import Site, Visit
from sarai.web.table_actions import make_table, moves_of, play_now

T = TypeVar("T", bound=Struct)


class Introduction(Struct, forbid_unknown_fields=True):
    """Who somebody wants to be here."""

    name: str
    language: str | None = None


class Token(Struct, forbid_unknown_fields=True):
    """What a link to another device ends with."""

    token: str


class Wish(Struct, forbid_unknown_fields=True):
    """A game to begin at once against bots."""

    game: str


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to be laid; who asks sits down first, and the bots named take the next seats."""

    game: str
    players: int
    options: dict[str, str | int] = {}
    public: bool = False
    clock: ClockRule = ClockRule()
    bots: list[str] = []


class Act(Struct, forbid_unknown_fields=True):
    """Something asked of a table; the same key again does nothing again, a number says which moment it is meant for."""

    command: commands.Command
    key: str | None = None
    number: int | None = None


def answer(data: object, status: int = 200) -> Response:
    """Return data as JSON."""
    return Response(encode(data), status, media_type="application/json")


class Api:
    """The handlers of the JSON interface."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are; the one that is asked most comes first."""
        return [
            Route("/api/tables/{id}/act", self.act, methods=["POST"]),
            Route("/api/tables/{id}", self.table, methods=["GET"]),
            Route("/api/tables/{id}/moves", self.moves, methods=["GET"]),
            Route("/api/tables/{id}/record", self.record, methods=["GET"]),
            Route("/api/tables/{id}/numbers", Flow(self.site, self.numbers), methods=["GET"]),
            Route("/api/tables", self.tables, methods=["GET"]),
            Route("/api/tables", self.make, methods=["POST"]),
            Route("/api/play", self.play, methods=["POST"]),
            Route("/api/games", self.games, methods=["GET"]),
            Route("/api/me", self.me, methods=["GET"]),
            Route("/api/me", self.introduce, methods=["POST"]),
            Route("/api/me/tables", self.mine, methods=["GET"]),
            Route("/api/me/link", self.link, methods=["POST"]),
            Route("/api/me/redeem", self.redeem, methods=["POST"]),
        ]

    async def read(self, request: Request, kind: type[T]) -> T:
        """Read a body of JSON."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refused("wrong_type", wanted="application/json")
        try:
            return msgspec.json.decode(await read_body(request), type=kind)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise Refused("bad_json", why=str(error)) from None

    async def visit(self, request: Request) -> Visit:
        """Return who asks; a forged mark is refused."""
        visit = await self.site.visit(request)
        if visit.is_forged:
            raise Refused("bad_identity")
        return visit

    def welcome(self, person: Person, status: int, data: object) -> Response:
        """Answer somebody who is new in this browser."""
        response = answer(data, status)
        self.site.remember(response, person)
        return response

    # --- people ---------------------------------------------------------------------------------------------------------------------

    async def me(self, request: Request) -> Response:
        """Say who asks."""
        return answer(told((await self.visit(request)).somebody()))

    async def introduce(self, request: Request) -> Response:
        """Give a name: a new person's, or another one."""
        visit = await self.site.changing(request)
        wanted = await self.read(request, Introduction)
        name, code = (
            read_name(wanted.name),
            wanted.language or (visit.person.language if visit.person else visit.language.code),
        )
        if code not in TONGUES:
            raise Refused("bad_language", language=code)
        if visit.person is None:
            person = await self.site.house.new_person(name, code)
            return self.welcome(person, 201, told(person))
        return answer(told(await self.site.house.rename(visit.person, name, code)))

    async def link(self, request: Request) -> Response:
        """Make a link that takes somebody to another device."""
        token = await self.site.house.move_token((await self.site.changing(request)).somebody())
        return answer({"token": token, "url": f"{self.site.base(request)}/come/{token}"}, 201)

    async def redeem(self, request: Request) -> Response:
        """Be who made a link."""
        await self.site.changing(request)
        person = await self.site.house.redeem((await self.read(request, Token)).token)
        return self.welcome(person, 200, told(person))

    # --- tables ---------------------------------------------------------------------------------------------------------------------

    async def games(self, _: Request) -> Response:
        """Tell the games, their options and whether they are ready."""
        return answer([described(self.site, game_id) for game_id in game_ids()])

    async def tables(self, _: Request) -> Response:
        """List public tables with a free seat."""
        return answer([msgspec.to_builtins(table) for table in await self.site.house.tables(open=True, public=True)])

    async def mine(self, request: Request) -> Response:
        """List the tables of who asks."""
        person = (await self.visit(request)).somebody()
        return answer([msgspec.to_builtins(table) for table in await self.site.house.tables(of=person)])

    async def make(self, request: Request) -> Response:
        """Lay a table."""
        person = (await self.site.changing(request)).somebody()
        wish = await self.read(request, NewTable)
        made = await make_table(
            self.site.house, person, wish.game, wish.players, wish.options, wish.public, wish.clock, wish.bots
        )
        return answer({"id": made}, 201)

    async def play(self, request: Request) -> Response:
        """Begin a game against bots; somebody unknown is welcomed as a guest."""
        visit = await self.site.changing(request)
        wish = await self.read(request, Wish)
        find(wish.game)
        person = visit.person or await self.site.house.new_person(visit.language.say(GUESTS), visit.language.code)
        return self.welcome(person, 201, {"id": await play_now(self.site.house, person, wish.game)})

    async def table(self, request: Request) -> Response:
        """Tell what somebody may know of a table."""
        visit = await self.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        return answer(seen_by(self.site, table, visit))

    async def moves(self, request: Request) -> Response:
        """Tell the moves of who asks, in notation and in words."""
        visit = await self.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        moves = [
            {"move": move, "words": words}
            for move, words in moves_of(table, table.seat_of(visit.id), visit.language.say)
        ]
        return answer({"number": table.number, "moves": moves})

    async def act(self, request: Request) -> Response:
        """Ask something of a table."""
        person = (await self.site.changing(request)).somebody()
        asked = await self.read(request, Act)
        if asked.key is not None and not 0 < len(asked.key) <= 200:
            raise Refused("bad_json", why="a key has 1 to 200 characters")
        number = await self.site.house.act(
            request.path_params["id"], person, asked.command, key=asked.key, number=asked.number
        )
        return answer({"number": number})

    async def record(self, request: Request) -> Response:
        """Return the record: of a running game what somebody saw."""
        visit = await self.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        return answer(table.record(table.seat_of(visit.id)))

    async def numbers(self, request: Request) -> Messages:
        """Tell the numbers of a table as they grow, as server-sent events."""
        return self.growing((await self.site.house.table(request.path_params["id"])).id)

    async def growing(self, id: str) -> Messages:
        """Yield the numbers of a table."""
        async with self.site.house.watch(id) as numbers:
            last = -1
            async for number in numbers:
                if number != last:
                    last = number
                    yield b'id: %d\ndata: {"number":%d}\n\n' % (number, number)


def told(person: Person) -> dict[str, str]:
    """Return what somebody is told of themselves; the id stays in the cookie."""
    return {"name": person.name, "language": person.language}


def described(site: Site, game_id: str) -> dict[str, Any]:
    """Describe a game."""
    game, warmth = find(game_id), site.house.games.status(game_id)
    return {
        "id": game.id,
        "title": game.title,
        "players": [game.players[0], game.players[-1]],
        "rules_version": game.rules_version,
        "levels": list(LEVELS),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "help": option.help,
                "choices": list(option.choices),
                "numbers": [option.numbers[0], option.numbers[-1]] if option.numbers else [],
                "display": option.display,
            }
            for option in game.options
        ],
        "ready": warmth.ready,
        "prepared": [warmth.done, warmth.of],
    }


def seen_by(site: Site, table: Table, visit: Visit) -> dict[str, Any]:
    """Return a table as somebody sees it."""
    seat = table.seat_of(visit.id)
    playing = (
        table.state is not None and seat is not None and seat in table.to_act and table.seats[seat].played_by is None
    )
    return {
        "id": table.id,
        "game": table.game.id,
        "players": table.players,
        "options": table.options,
        "public": table.public,
        "clock": msgspec.to_builtins(table.clock),
        "phase": table.phase,
        "starting": table.starting,
        "number": table.number,
        "seat": seat,
        "host": visit.id == table.host,
        "seats": [
            {"name": chair.name, "bot": chair.bot, "lent": chair.lent, "resigned": chair.resigned}
            for chair in table.seats
        ],
        "to_act": list(table.to_act),
        "moves": table.state.legal(seat) if playing and table.state is not None else [],
        "view": None if table.state is None else table.state.view(seat).to_json(),
        "seen": [{"number": number, "key": event.key, "args": event.args} for number, event in table.seen(seat)],
        "chat": [
            {"number": line.number, "guest": line.guest, "seat": line.seat, "name": line.name, "text": line.text}
            for line in table.chat_for(visit.id)
        ],
        "take_back": None
        if table.take_back is None
        else {"seat": table.take_back.seat, "answers": {str(s): yes for s, yes in table.take_back.answers.items()}},
        "clocks": clocks_of(table, site.house.now()),
        "commitment": table.commitment,
        "secret": table.secret,
        "result": None if table.result is None else table.result._asdict(),
        "rematch": table.rematch,
    }
