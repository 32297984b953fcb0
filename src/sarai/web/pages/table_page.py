"""The table's page: the whole of it, its forms, its list of moves, its record."""

from __future__ import annotations

from html import escape
from itertools import groupby

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from sarai.core.records import SUFFIX
from sarai.table import commands
from sarai.table.table import PLAYING, Table
from sarai.web.cookies import read_name
from sarai.web.language import Language
from sarai.web.live import board, parts
from sarai.web.live.stream import Stream
from sarai.web.live.viewer import clocks_of, encode
from sarai.web.pages.site_pages import SEE_OTHER
from sarai.web.site import Site
from sarai.web.table_actions import around, command_from, kind_of, moves_of


def move_list(table: Table, seat: int | None, tongue: Language) -> str:
    """Return every move of a seat as a button, those with a common beginning together under it."""
    rows = sorted((beginning(words), move, words) for move, words in moves_of(table, seat, tongue.say))
    alone, groups = list[str](), list[str]()
    for group, moves in groupby(rows, key=lambda row: row[0]):
        buttons = [f'<button name="move" value="{move}">{escape(words)}</button>' for _, move, words in moves]
        if len(buttons) == 1:
            alone += buttons
        else:
            groups.append(f"<fieldset><legend>{escape(group)} …</legend>{''.join(buttons)}</fieldset>")
    if alone:
        groups.insert(0, f'<div class="alone">{"".join(alone)}</div>')
    if not groups:
        return f'<div id="move-list" class="move-list"><p class="soft">{tongue.say("There is nothing for you to do just now.")}</p></div>'
    form = parts.form(table.id, "Move", "".join(groups), {"number": table.number})
    return f'<div id="move-list" class="move-list">{form}</div>'


def beginning(words: str) -> str:
    """Return what a move's words have in common with those of moves like it: all up to the place, the number or the last word."""
    said = words.split(" ")
    stop = next(
        (index for index, word in enumerate(said) if index and any(letter.isdigit() for letter in word)),
        min(3, len(said)),
    )
    return " ".join(said[:stop])


class Tables:
    """The handlers of a table's page."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return where they are."""
        return [
            Route("/tables/{id}/stream", Stream(self.site), methods=["GET"]),
            Route("/tables/{id}", self.show),
            Route("/tables/{id}/act", self.act, methods=["POST"]),
            Route("/tables/{id}/sit", self.sit, methods=["POST"]),
            Route("/tables/{id}/moves", self.moves),
            Route("/tables/{id}/record", self.record),
        ]

    async def show(self, request: Request, refused: str | None = None, status: int = 200) -> Response:
        """Show the whole page."""
        visit = await self.site.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        kind = kind_of(visit, table, self.site.base(request))
        eye = self.site.gallery.eye(table, kind)
        sight = eye.look(table, await around(self.site, table))
        has_board = board.board_module(table.game.package) is not None
        told = {
            "number": sight.number,
            "choices": sight.choices,
            "picks": [pick._asdict() for pick in sight.picks],
            "clocks": clocks_of(table, self.site.house.now()),
        }
        return self.site.page(
            request,
            visit,
            "table.html",
            status,
            table=table,
            phase=table.phase,
            sight=sight,
            seat=kind.seat,
            folder=board.folder(table.game.id),
            style=self.site.assets.style_of(table.game.id),
            told=encode(told).decode(),
            chat=parts.chat(table, visit.id, visit.language),
            log="".join(reversed(eye.book.lines)) if eye.book else "",
            moves=parts.moves(
                kind, table.phase != PLAYING, visit.language, move_list(table, kind.seat, visit.language), not has_board
            ),
            refused=refused,
        )

    async def act(self, request: Request) -> Response:
        """Do what a form asks; a repeated form does nothing twice, since its key follows from what it asks and of which number."""
        visit = await self.site.changing(request)
        fields = await self.site.form(request)
        table_id, number = request.path_params["id"], fields.get("number", "")
        command = command_from(fields)
        shown = int(number) if number.isascii() and number.isdecimal() and len(number) < 12 else None
        key = f"form-{number}-{msgspec.json.encode(command).decode()}" if shown is not None else None
        await self.site.house.act(table_id, visit.somebody(), command, key=key, number=shown)
        return RedirectResponse(f"/tables/{table_id}", SEE_OTHER)

    async def sit(self, request: Request) -> Response:
        """Give a name and sit down."""
        visit = await self.site.changing(request)
        table_id = request.path_params["id"]
        name = read_name((await self.site.form(request)).get("name"))
        await self.site.house.table(table_id)
        person = visit.person or await self.site.house.new_person(name, visit.language.code)
        response = RedirectResponse(f"/tables/{table_id}", SEE_OTHER)
        self.site.remember(response, person)
        await self.site.house.act(table_id, person, commands.Sit())
        return response

    async def moves(self, request: Request) -> Response:
        """Return the list of moves alone."""
        visit = await self.site.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        return HTMLResponse(move_list(table, table.seat_of(visit.id), visit.language))

    async def record(self, request: Request) -> Response:
        """Return the record: of a finished game the whole, of a running one what the visitor saw."""
        visit = await self.site.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        body = encode(table.record(table.seat_of(visit.id)))
        name = f"{table.game.id}-{table.id}{SUFFIX}"
        return Response(
            body, media_type="application/json", headers={"content-disposition": f'attachment; filename="{name}"'}
        )
