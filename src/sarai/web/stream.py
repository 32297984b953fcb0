"""The stream of a table: whenever its number grows, every connection gets what changed for it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from sarai.table.room import Watch
from sarai.table.table import GATHERING, Table
from sarai.web.doing import around, kind_of
from sarai.web.sight import Reader, clocks_of, encode
from sarai.web.site import Site, Visit

log = logging.getLogger("sarai.web")
HEARTBEAT = 20.0  # seconds after which a silent stream says that it is there
PREPARING = 1.0  # … and looks again how far the rules are prepared, or who is away
AWAY_CHECK = 15.0
HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store"), (b"x-accel-buffering", b"no")]


async def left(receive: Receive) -> None:
    """Wait until the other side is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Stream:
    """An ASGI app: one answer that goes on as long as somebody looks."""

    def __init__(self, site: Site) -> None:
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send news until the other side leaves."""
        request = Request(scope, receive)
        visit = await self.site.visit(request)
        table = await self.site.house.table(scope["path_params"]["id"])
        await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        sending = asyncio.create_task(self._send(request, visit, table, send))
        leaving = asyncio.create_task(left(receive))
        self.site.streams.add(sending)
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.site.streams.discard(sending)
            for task in (sending, leaving):
                task.cancel()
            ended, _ = await asyncio.gather(sending, leaving, return_exceptions=True)
            if isinstance(ended, Exception) and not isinstance(ended, OSError):
                log.error("the stream of table %s", table.id, exc_info=ended)
        await send({"type": "http.response.body", "body": b""})

    async def _send(self, request: Request, visit: Visit, table: Table, send: Send) -> None:
        async with contextlib.AsyncExitStack() as stack:
            if visit.person is not None:
                await self.site.house.arrive(table.id, visit.person)
                stack.push_async_callback(self.site.house.leave, table.id, visit.person)
            numbers = await stack.enter_async_context(self.site.house.watch(table.id))
            async for message in self.messages(request, visit, table.id, numbers):
                await send({"type": "http.response.body", "body": message, "more_body": True})

    async def messages(self, request: Request, visit: Visit, id: str, numbers: Watch) -> AsyncIterator[bytes]:
        """Yield what to send: everything first, unless the page is as fresh as the table, then what changed."""
        base, reader = self.site.base(request), None
        at = request.query_params.get("at") if "last-event-id" not in request.headers else None
        watched = aiter(numbers)
        silent_since = time.monotonic()
        while True:
            table = await self.site.house.table(id)
            eye = self.site.gallery.eye(table, kind_of(visit, table, base))
            sight = eye.look(table, await around(self.site, table))
            if reader is None:
                reader = Reader(eye, self.site.assets.version, visit.id)
                if at == str(table.number) and table.phase != GATHERING:  # before the game pages show how far the rules are prepared, too
                    reader.hold(sight, reader.chat_of(table))
                    yield b": as shown\n\n"
            reader.move_to(eye)
            news = reader.news(table, sight, clocks_of(table, self.site.house.now()))
            if news is not None:
                silent_since = time.monotonic()
                yield b"id: %d\ndata: %b\n\n" % (sight.number, encode(news))
            elif time.monotonic() - silent_since > HEARTBEAT:
                silent_since = time.monotonic()
                yield b": still here\n\n"
            try:
                async with asyncio.timeout(AWAY_CHECK if self.site.house.games.status(table.game.id).ready else PREPARING):
                    await anext(watched)
            except TimeoutError:
                watched = aiter(numbers)
