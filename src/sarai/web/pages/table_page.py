"""The table's page: the whole of it, its forms, its list of moves, its record."""

from __future__ import annotations

import asyncio

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from sarai.core.css_cascade import DARK, LIGHT
from sarai.core.markup import EMPTY, join
from sarai.core.picture import has_picture, render_picture
from sarai.core.records import SUFFIX
from sarai.table import commands
from sarai.table.decide import decide, is_replaced
from sarai.table.person import Person
from sarai.table.refusals import Refused
from sarai.table.table import PLAYING
from sarai.web.client_addresses import address_of
from sarai.web.compression import PAGE_LEVEL, BlockResponse, blocks, level_of
from sarai.web.cookies import HINTS_COOKIE
from sarai.web.form_fields import command_from, read_name
from sarai.web.live import board, status_players_actions
from sarai.web.live.chat import chat
from sarai.web.live.legal_move_buttons import move_list
from sarai.web.live.stream import TableStream
from sarai.web.live.tap_refusals import answer_tap, read_tap
from sarai.web.live.viewer import live_info, page_clocks, viewer_of
from sarai.web.live.viewer_page import HOST, encode
from sarai.web.pages.lessons import hints
from sarai.web.pages.site_pages import SEE_OTHER
from sarai.web.qr import qr_picture
from sarai.web.site import Site

HTML, JSON, SVG = "text/html", "application/json", "image/svg+xml"
NO_CONTENT = 204
CHAT_SLOT, HOST_SLOT = Markup("<!--chat-->"), Markup("<!--host-->")


class TablePage:
    """The handlers of a table's page."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/tables/{id}/stream", TableStream(self.site), methods=["GET"]),
            Route("/tables/{id}", self.show),
            Route("/tables/{id}/act", self.act, methods=["POST"]),
            Route("/tables/{id}/sit", self.sit, methods=["POST"]),
            Route("/tables/{id}/moves", self.moves),
            Route("/tables/{id}/why", self.why),
            Route("/tables/{id}/qr.svg", self.qr_code),
            Route("/tables/{id}/record", self.record),
            Route("/tables/{id}/picture.svg", self.picture),
        ]

    async def show(self, request: Request) -> Response:
        """Show the whole page."""
        visit = await self.site.visit(request)
        language = visit.language
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        if visit.person is not None and is_replaced(table, visit.person):
            await self.site.house.come_back(table.id, visit.person)
        viewer = viewer_of(visit, table, "" if self.site.public_url else self.site.base_url(request))
        page = self.site.viewer_pages.page(table, viewer)
        snapshot = page.snapshot(table, await live_info(self.site.house, table))
        is_listed = board.board_module(table.game) is None  # without a board, moves are made from the list
        moves = move_list(table, viewer.seat, language)
        initial = {
            "number": snapshot.number,
            "choices": snapshot.board.choices,
            "picks": snapshot.picks(),
            "clocks": page_clocks(table, self.site.house.now()),
        }
        html = self.site.html(
            visit,
            "table.html",
            table=table,
            phase=table.phase,
            snapshot=snapshot,
            seat=viewer.seat,
            css_class=board.css_class(table.game),
            explanations=board.explanations(table.game, language),
            hints=hints(table.game, language) if visit.cookies.get(HINTS_COOKIE) == table.id else EMPTY,
            style=self.site.assets.style_of(table.game),
            initial=encode(initial).decode(),
            chat=CHAT_SLOT,
            host=HOST_SLOT,
            log=join(reversed(page.log.lines)) if page.log else EMPTY,
            has_picture=table.state is not None and has_picture(table.game),
            moves=status_players_actions.moves(viewer, table.phase != PLAYING, language, moves, is_listed),
        )
        before, rest = html.split(CHAT_SLOT)
        between, after = rest.split(HOST_SLOT)
        muted = await self.site.house.mutes.of(visit.person_id, table)
        # in blocks of their own: others choose what stands there, and the rest has a hand
        guests, talk = snapshot.parts[HOST], chat(table, visit.person_id, muted, language)
        content = blocks(before, talk, between, guests, after, level=level_of(table, PAGE_LEVEL))
        return self.site.with_cookies(visit, BlockResponse(content, HTML))

    async def act(self, request: Request) -> Response:
        """Do what a form asks; the key follows from the form, so that the same form again does nothing twice."""
        visit = await self.site.visit(request)
        fields = await self.site.form(request)
        table_id, number = request.path_params["id"], fields.get("number", "")
        command = command_from(fields)
        shown = int(number) if number.isascii() and number.isdecimal() and len(number) < 12 else None
        key = f"form-{number}-{msgspec.json.encode(command).decode()}" if shown is not None else None
        person = visit.require_person()
        self.site.limits.command(request.scope, person.id, await self.site.house.table(table_id), command)
        await self.site.house.act(table_id, person, command, key=key, number=shown)
        return RedirectResponse(f"/tables/{table_id}", SEE_OTHER)

    async def sit(self, request: Request) -> Response:
        """Give a name and sit down."""
        visit = await self.site.visit(request)
        table_id = request.path_params["id"]
        name = read_name((await self.site.form(request)).get("name"))
        table, sit = await self.site.house.look(table_id, visit.person_id), commands.Sit()
        if visit.person is None:  # nobody is made who could not sit down
            decide(table, sit, Person("", name, visit.preferred_language), self.site.house.now())
        self.site.limits.command(request.scope, visit.person_id, table, sit)
        person = visit.person or await self.site.new_person(visit, name)
        response = RedirectResponse(f"/tables/{table_id}", SEE_OTHER)
        await self.site.remember(response, visit, person)
        await self.site.house.act(table_id, person, sit)
        return response

    async def moves(self, request: Request) -> Response:
        """Return the list of moves alone."""
        visit = await self.site.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        return BlockResponse(blocks(move_list(table, table.seat_of(visit.person_id), visit.language)), HTML)

    async def why(self, request: Request) -> Response:
        """Say why what was tapped on the board cannot be chosen; nothing if it is nothing that people choose."""
        visit = await self.site.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        said = answer_tap(table, table.seat_of(visit.person_id), read_tap(request.query_params), visit.language)
        return Response(status_code=NO_CONTENT) if said is None else HTMLResponse(said)

    async def qr_code(self, request: Request) -> Response:
        """Return the table's address as a QR code: not in the page, where every name of the house would draw one."""
        visit = await self.site.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        address = self.site.invitation(self.site.base_url(request), table)
        return Response(await asyncio.to_thread(qr_picture, address), media_type=SVG)

    async def record(self, request: Request) -> Response:
        """Return the record: of a finished game the whole, of a running one what the visitor saw."""
        visit = await self.site.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        name = f"{table.game.id}-{table.id}{SUFFIX}"
        address, seat = address_of(request.scope), table.seat_of(visit.person_id)
        record = await self.site.long_work.record(address, table, seat)
        return BlockResponse(record, JSON, {"content-disposition": f'attachment; filename="{name}"'})

    async def picture(self, request: Request) -> Response:
        """Return a picture of the table as the visitor sees it, in light colours or (`?scheme=dark`) in dark ones."""
        visit = await self.site.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        if table.state is None:
            raise Refused("not_playing")
        scene = board.scene_of(table, table.seat_of(visit.person_id), (), visit.language)
        scheme = DARK if request.query_params.get("scheme") == DARK else LIGHT
        level = level_of(table, PAGE_LEVEL)
        content = await self.site.long_work.in_thread(
            address_of(request.scope), lambda: blocks(render_picture(table.game, scene, scheme=scheme), level=level)
        )
        return BlockResponse(content, SVG)
