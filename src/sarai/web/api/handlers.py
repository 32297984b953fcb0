"""The JSON interface: everything the pages do, for programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sarai.core.messages import Message, mark
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.decide_dice_words import check_digest
from sarai.table.look_sit_talk_permissions import why_not_look
from sarai.table.person import Person
from sarai.table.record import prepare_seen
from sarai.table.refusals import Refused
from sarai.table.visible_events import Seen
from sarai.web.api import answers
from sarai.web.api.openapi import document
from sarai.web.api.requests import Action, LinkToken, NewName, NewTable, QuickGame
from sarai.web.client_addresses import address_of
from sarai.web.compression import PAGE_LEVEL, Block, BlockResponse, Blocks, PublicResponse, blocks, level_of
from sarai.web.create_table import GUEST_NAME, make_table, play_now
from sarai.web.form_fields import read_name
from sarai.web.language import LANGUAGES
from sarai.web.live.legal_move_buttons import moves_of
from sarai.web.live.stream import Events, EventStream
from sarai.web.long_work import MANY, size_of
from sarai.web.request_body import read_body
from sarai.web.site import Site, Visit

JSON = "application/json"
LONGEST_KEY = 200

encode = msgspec.json.Encoder().encode
decode_action = msgspec.json.Decoder(Action).decode
decode_link_token = msgspec.json.Decoder(LinkToken).decode
decode_new_name = msgspec.json.Decoder(NewName).decode
decode_new_table = msgspec.json.Decoder(NewTable).decode
decode_quick_game = msgspec.json.Decoder(QuickGame).decode


def answer(data: object, status: int = 200) -> Response:
    """Return data as JSON, never compressed."""
    return Response(encode(data), status, media_type=JSON)


def public_answer(data: object) -> Response:
    """Return data that holds no secret as JSON."""
    return PublicResponse(encode(data), JSON)


def table_blocks(table: answers.Table, shown: Callable[[], list[Seen]], level: int = PAGE_LEVEL) -> Blocks:
    """Return a table as JSON; talk and words, which others chose, in blocks of their own: the rest has a hand."""
    table.seen = [answers.SeenEvent(number, event.key, event.args) for number, event in shown()]
    chat, table.chat = encode(table.chat), []
    before, rest = encode(table).split(b'"chat":[]')
    dice = b'"dice":' + encode(table.dice)
    between, after = rest.split(dice)
    return blocks(before + b'"chat":', chat, between, dice, after, level=level)


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
            Route("/api/tables/{id}/numbers", EventStream(self.site, self.numbers), methods=["GET"]),
            Route("/api/tables", self.tables, methods=["GET"]),
            Route("/api/tables", self.make, methods=["POST"]),
            Route("/api/play", self.play, methods=["POST"]),
            Route("/api/games", self.games, methods=["GET"]),
            Route("/api/me", self.me, methods=["GET"]),
            Route("/api/me", self.rename, methods=["POST"]),
            Route("/api/me/tables", self.mine, methods=["GET"]),
            Route("/api/me/link", self.link, methods=["POST"]),
            Route("/api/me/redeem", self.redeem, methods=["POST"]),
            Route("/api/openapi.json", self.openapi, methods=["GET"]),
        ]

    async def visit(self, request: Request) -> Visit:
        """Return who asks; a forged cookie is refused."""
        visit = await self.site.visit(request)
        if visit.reason is not None:
            raise Refused(visit.reason)
        return visit

    async def answer_with_cookie(
        self, visit: Visit, person: Person, status: int, data: object, begun: str | None = None
    ) -> Response:
        """Answer a person who is new in this browser."""
        response = answer(data, status)
        await self.site.remember(response, visit, person, begun)
        return response

    # --- tables ---------------------------------------------------------------------------------------------------

    async def act(self, request: Request) -> Response:
        """Ask something of a table."""
        person = (await self.site.visit(request)).require_person()
        action = await read_body(request, JSON, decode_action, "bad_json")
        if action.key is not None and not 0 < len(action.key) <= LONGEST_KEY:
            raise Refused(
                "bad_json",
                why=Message(
                    mark("{most, plural, one {a key has # character} other {a key has 1 to # characters}}"),
                    {"most": LONGEST_KEY},
                ),
            )
        id, command = request.path_params["id"], action.command
        self.site.limits.command(request.scope, person.id, await self.site.house.table(id), command)
        number = await self.site.house.act(id, person, command, key=action.key, number=action.number)
        return answer(answers.Number(number))

    async def table(self, request: Request) -> Response:
        """Return what a visitor may know of a table."""
        visit = await self.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        seat, muted = table.seat_of(visit.person_id), await self.site.house.mutes.of(visit.person_id, table)
        size = size_of(table, seat)
        if size > MANY:
            self.site.limits.make("record", request.scope, visit.person_id)
        described = answers.describe_table(table, visit.person_id, self.site.house.now(), muted)
        work = partial(table_blocks, described, prepare_seen(table, seat), level_of(table, PAGE_LEVEL))
        made = await self.site.long_work.run(address_of(request.scope), size, work)
        return BlockResponse(made, JSON)

    async def moves(self, request: Request) -> Response:
        """Return the moves of a player, as ids and in words."""
        visit = await self.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        moves = moves_of(table, table.seat_of(visit.person_id), visit.language.say)
        found = answers.Moves(table.number, [answers.MoveWords(move, words) for move, words in moves])
        return BlockResponse(blocks(encode(found)), JSON)

    async def record(self, request: Request) -> Response:
        """Return the record: of a running game what the visitor saw."""
        visit = await self.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        address, seat = address_of(request.scope), table.seat_of(visit.person_id)
        return BlockResponse(await self.site.long_work.record(address, table, seat), JSON)

    async def numbers(self, request: Request) -> Events:
        """Send the numbers of a table as they grow, as server-sent events."""
        visit = await self.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        return self.number_events(table.id, visit.person_id)

    async def number_events(self, id: str, person: str | None) -> Events:
        """Yield the numbers of a table, as long as the person may look at it."""
        async with self.site.house.watch(id, person) as numbers:
            last = -1
            async for number in numbers:
                if why_not_look(await self.site.house.table(id), person) is not None:
                    return
                if number != last:
                    last = number
                    yield (Block(b'id: %d\ndata: {"number":%d}\n\n' % (number, number)),)

    async def tables(self, _: Request) -> Response:
        """List public tables with a free seat."""
        return public_answer(await self.site.house.public_tables())

    async def mine(self, request: Request) -> Response:
        """List the tables of a person."""
        person = (await self.visit(request)).require_person()
        return answer(await self.site.house.tables(of=person))

    async def make(self, request: Request) -> Response:
        """Make a table."""
        person = (await self.site.visit(request)).require_person()
        new = await read_body(request, JSON, decode_new_table, "bad_json")
        table_id = await make_table(
            self.site.house, person, new.game, new.players, new.options, new.public, new.clock, new.bots
        )
        return answer(answers.Id(table_id), 201)

    async def play(self, request: Request) -> Response:
        """Begin a game against bots; a visitor who is not known becomes a guest."""
        visit = await self.site.visit(request)
        wanted = await read_body(request, JSON, decode_quick_game, "bad_json")
        game = find(wanted.game)
        if wanted.digest is not None:
            check_digest(wanted.digest)
        person = visit.person or await self.site.new_person(visit, visit.language.say(GUEST_NAME))
        table_id = await play_now(self.site.house, person, game.id, wanted.digest)
        return await self.answer_with_cookie(visit, person, 201, answers.Id(table_id))

    async def games(self, _: Request) -> Response:
        """List the games, their options and whether they are ready."""
        games, readiness = [], self.site.house.games
        for game_id in game_ids():
            progress, is_ready = readiness.status(game_id), readiness.is_ready(game_id)
            games.append(answers.describe_game(find(game_id), is_ready, (progress.done, progress.of)))
        return public_answer(games)

    # --- people ---------------------------------------------------------------------------------------------------

    async def me(self, request: Request) -> Response:
        """Return the name and the language of a person."""
        return answer(answers.describe_person((await self.visit(request)).require_person()))

    async def rename(self, request: Request) -> Response:
        """Give a name: to a new person, or another one."""
        visit = await self.site.visit(request)
        wanted = await read_body(request, JSON, decode_new_name, "bad_json")
        name = read_name(wanted.name)
        code = wanted.language or (visit.person.language if visit.person else visit.preferred_language)
        if code not in LANGUAGES:
            raise Refused("bad_language", language=code)
        if visit.person is None:
            person = await self.site.new_person(visit, name, code)
            return await self.answer_with_cookie(visit, person, 201, answers.describe_person(person))
        return answer(answers.describe_person(await self.site.house.rename(visit.person, name, code)))

    async def link(self, request: Request) -> Response:
        """Make a link that takes a person to another device."""
        visit = await self.site.visit(request)
        token = await self.site.house.people.move_token(visit.require_person(), visit.session and visit.session.id)
        return answer(answers.Link(token, f"{self.site.base_url(request)}/come/{token}"), 201)

    async def redeem(self, request: Request) -> Response:
        """Make the visitor the person who made a link."""
        visit = await self.site.visit(request)
        token = (await read_body(request, JSON, decode_link_token, "bad_json")).token
        person, begun = await self.site.redeem(visit, token)
        return await self.answer_with_cookie(visit, person, 200, answers.describe_person(person), begun)

    async def openapi(self, request: Request) -> Response:
        """Describe this interface."""
        return public_answer(document(self.site.base_url(request)))
