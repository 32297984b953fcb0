"""Streams: when a table's number grows, each client is sent what changed for it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from sarai.table.service.room import Watch
from sarai.table.table import GATHERING
from sarai.web.live.viewer import clocks_of, live_info, viewer_of
from sarai.web.live.viewer_page import PageUpdates, encode
from sarai.web.site import Site, Visit

log = logging.getLogger("sarai.web")
HEARTBEAT = 20.0  # seconds after which a silent stream sends a comment
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
Messages = AsyncGenerator[bytes, None]


async def disconnected(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def send_all(messages: Messages, send: Send) -> None:
    """Send messages as they come."""
    async with contextlib.aclosing(messages):
        async for message in messages:
            await send({"type": "http.response.body", "body": message, "more_body": True})


class EventStream:
    """An ASGI app: one answer that goes on until the client leaves or the site closes."""

    def __init__(self, site: Site, begin: Callable[[Request], Awaitable[Messages]]) -> None:
        self.site, self.begin = site, begin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is to send."""
        messages = await self.begin(Request(scope, receive))
        await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        sending = asyncio.create_task(send_all(messages, send))
        leaving = asyncio.create_task(disconnected(receive))
        self.site.streams.add(sending)
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.site.streams.discard(sending)
            for task in (sending, leaving):
                task.cancel()
            ended, _ = await asyncio.gather(sending, leaving, return_exceptions=True)
            if isinstance(ended, Exception) and not isinstance(ended, OSError):
                log.error("the stream of %s", scope["path"], exc_info=ended)
        await send({"type": "http.response.body", "body": b""})


class TableStream(EventStream):
    """The stream of a table's page; a person who reads it is present at the table."""

    def __init__(self, site: Site) -> None:
        super().__init__(site, self.open)

    async def open(self, request: Request) -> Messages:
        """Return the messages for a visitor of a table."""
        visit = await self.site.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        return self.messages_while_present(request, visit, table.id)

    async def messages_while_present(self, request: Request, visit: Visit, id: str) -> Messages:
        """Yield messages; the visitor is present until they end."""
        async with contextlib.AsyncExitStack() as stack:
            if visit.person is not None:
                await self.site.house.arrive(id, visit.person)
                stack.push_async_callback(self.site.house.leave, id, visit.person)
            numbers = await stack.enter_async_context(self.site.house.watch(id))
            messages = await stack.enter_async_context(contextlib.aclosing(self.messages(request, visit, id, numbers)))
            async for message in messages:
                yield message

    async def messages(self, request: Request, visit: Visit, id: str, numbers: Watch) -> Messages:
        """Yield what to send: everything first, unless the page is as new as the table, then what changed."""
        base_url, updates = self.site.base_url(request), None
        shown = request.query_params.get("at") if "last-event-id" not in request.headers else None
        last_sent = time.monotonic()
        async for _ in numbers:
            table = await self.site.house.table(id)
            page = self.site.viewer_pages.page(table, viewer_of(visit, table, base_url))
            snapshot = page.snapshot(table, await live_info(self.site.house, table))
            if updates is None:
                updates = PageUpdates(page, self.site.assets.version, visit.person_id)
                # Before the game everything is sent: pages show how far the rules are prepared, too.
                if shown == str(table.number) and table.phase != GATHERING:
                    updates.mark_sent(snapshot, updates.chat(table))
                    yield b": as shown\n\n"
            updates.switch_to(page)
            message = updates.message(table, snapshot, clocks_of(table, self.site.house.now()))
            if message is not None:
                last_sent = time.monotonic()
                yield b"id: %d\ndata: %b\n\n" % (snapshot.number, encode(message))
            elif time.monotonic() - last_sent > HEARTBEAT:
                last_sent = time.monotonic()
                yield b": still here\n\n"
