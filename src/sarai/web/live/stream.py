"""Answers that go on as long as somebody looks: whenever a table's number grows, every connection gets what changed for it."""

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
from sarai.web.live.viewer import Reader, clocks_of, encode
from sarai.web.site import Site, Visit
from sarai.web.table_actions import around, kind_of

log = logging.getLogger("sarai.web")
HEARTBEAT = 20.0  # seconds after which a silent stream says that it is there
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
Messages = AsyncGenerator[bytes, None]


async def left(receive: Receive) -> None:
    """Wait until the other side is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def send_all(messages: Messages, send: Send) -> None:
    """Send messages as they come."""
    async with contextlib.aclosing(messages):
        async for message in messages:
            await send({"type": "http.response.body", "body": message, "more_body": True})


class Flow:
    """An ASGI app: one answer that goes on until the other side leaves or the house closes."""

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
                log.error("the stream of %s", scope["path"], exc_info=ended)
        await send({"type": "http.response.body", "body": b""})


class Stream(Flow):
    """The stream of a table's page; whoever reads it is present."""

    def __init__(self, site: Site) -> None:
        super().__init__(site, self.come)

    async def come(self, request: Request) -> Messages:
        """Return the messages for somebody who comes to a table."""
        visit = await self.site.visit(request)
        table = await self.site.house.table(request.path_params["id"])
        return self.present(request, visit, table.id)

    async def present(self, request: Request, visit: Visit, id: str) -> Messages:
        """Yield messages while somebody is there."""
        async with contextlib.AsyncExitStack() as stack:
            if visit.person is not None:
                await self.site.house.arrive(id, visit.person)
                stack.push_async_callback(self.site.house.leave, id, visit.person)
            numbers = await stack.enter_async_context(self.site.house.watch(id))
            messages = await stack.enter_async_context(contextlib.aclosing(self.messages(request, visit, id, numbers)))
            async for message in messages:
                yield message

    async def messages(self, request: Request, visit: Visit, id: str, numbers: Watch) -> Messages:
        """Yield what to send: everything first, unless the page is as fresh as the table, then what changed."""
        base, reader = self.site.base(request), None
        at = request.query_params.get("at") if "last-event-id" not in request.headers else None
        silent_since = time.monotonic()
        async for _ in numbers:
            table = await self.site.house.table(id)
            eye = self.site.gallery.eye(table, kind_of(visit, table, base))
            sight = eye.look(table, await around(self.site, table))
            if reader is None:
                reader = Reader(eye, self.site.assets.version, visit.id)
                if (
                    at == str(table.number) and table.phase != GATHERING
                ):  # before the game pages show how far the rules are prepared, too
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
