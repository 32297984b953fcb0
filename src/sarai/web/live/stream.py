"""Streams: when a table's number grows, each client is sent what changed for it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from sarai.table.look_sit_talk_permissions import why_not_look
from sarai.table.service.room import Watch
from sarai.table.table import GATHERING
from sarai.web.compression import Block, Blocks, Body, accepts_gzip
from sarai.web.live.viewer import live_info, page_clocks, viewer_of
from sarai.web.live.viewer_page import PageUpdates
from sarai.web.monitoring import route_of
from sarai.web.site import SESSION, Site, Visit

log = logging.getLogger("sarai.web")
HEARTBEAT = 20.0  # seconds after which a silent stream sends a comment
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"vary", b"accept-encoding"),
    (b"x-accel-buffering", b"no"),
]
RETRY = (Block(b"retry: 700\n\n"),)  # milliseconds after which a browser connects again, if a server was replaced
AS_SHOWN, STILL_HERE = (Block(b": as shown\n\n"),), (Block(b": still here\n\n"),)
SHUT_OUT = (Block(b"event: gone\ndata: 1\n\n"),)  # the page is asked for again, and says why
Events = AsyncGenerator[Blocks, None]


async def disconnected(receive: Receive) -> None:
    """Wait until the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def send_all(events: Events, body: Body, send: Send) -> None:
    """Send events as they come."""
    async with contextlib.aclosing(events):
        await send_event(RETRY, body, send)
        async for event in events:
            await send_event(event, body, send)


async def send_event(event: Blocks, body: Body, send: Send) -> None:
    """Send an event."""
    await send({"type": "http.response.body", "body": body.encode(event), "more_body": True})
    body.count(event)


class EventStream:
    """An ASGI app: one answer that goes on until the client leaves or the site closes.

    An event is made of blocks, each compressed by itself and once for all clients that are sent the same block.
    """

    def __init__(self, site: Site, begin: Callable[[Request], Awaitable[Events]]) -> None:
        self.site, self.begin = site, begin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is to send."""
        request = Request(scope, receive)
        events = await self.begin(request)
        with self.site.limits.stream(scope):
            await self._send(events, request, receive, send)

    async def _send(self, events: Events, request: Request, receive: Receive, send: Send) -> None:
        scope, body = request.scope, Body(accepts_gzip(request.headers))
        headers = [*HEADERS, *([(b"content-encoding", b"gzip")] if body.is_gzip else [])]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        sending = asyncio.create_task(send_all(events, body, send))
        leaving = asyncio.create_task(disconnected(receive))
        session = self.site.streams[sending] = scope.get(SESSION)
        try:
            # from here on ending its session ends it; that may have been while the table was looked up
            if session is None or await self.site.house.sessions.holds(session):
                await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self.site.streams[sending]
            for task in (sending, leaving):
                task.cancel()
            ended, _ = await asyncio.gather(sending, leaving, return_exceptions=True)
            if isinstance(ended, Exception) and not isinstance(ended, OSError):
                log.error("the stream of %s", route_of(scope), exc_info=ended)
        await send({"type": "http.response.body", "body": body.end()})


class Silence:
    """How long a stream has sent nothing: after a while it is woken, to say that it is still here.

    There is one timer for a stream as long as it lasts; a timeout for every wait would cost something with every move.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch, self._loop = watch, asyncio.get_running_loop()
        self.end()
        self._timer = self._loop.call_later(HEARTBEAT, self._look)

    def end(self) -> None:
        """Note that something is sent."""
        self._since, self.is_long = time.monotonic(), False

    def _look(self) -> None:
        passed = time.monotonic() - self._since
        if passed >= HEARTBEAT:
            self.is_long, passed = True, 0.0
            self._watch.wake()
        self._timer = self._loop.call_later(HEARTBEAT - passed, self._look)

    def close(self) -> None:
        """Wake nobody any more."""
        self._timer.cancel()


class TableStream(EventStream):
    """The stream of a table's page; a person who reads it is present at the table."""

    def __init__(self, site: Site) -> None:
        super().__init__(site, self.open)

    async def open(self, request: Request) -> Events:
        """Return the events for a visitor of a table."""
        visit = await self.site.visit(request)
        table = await self.site.house.look(request.path_params["id"], visit.person_id)
        return self.events_while_present(request, visit, table.id)

    async def events_while_present(self, request: Request, visit: Visit, id: str) -> Events:
        """Yield events; the visitor is present until they end."""
        async with contextlib.AsyncExitStack() as stack:
            if visit.person is not None:
                await self.site.house.arrive(id, visit.person)
                stack.push_async_callback(self.site.house.leave, id, visit.person)
            numbers = await stack.enter_async_context(self.site.house.watch(id, visit.person_id))
            events = await stack.enter_async_context(contextlib.aclosing(self.events(request, visit, id, numbers)))
            async for event in events:
                yield event

    async def events(self, request: Request, visit: Visit, id: str, numbers: Watch) -> Events:
        """Yield what to send: everything first, unless the page is as new as the table, then what changed."""
        updates = None
        shown = request.query_params.get("at") if "last-event-id" not in request.headers else None
        with contextlib.closing(Silence(numbers)) as silence:
            async for _ in numbers:
                table = await self.site.house.table(id)
                if why_not_look(table, visit.person_id) is not None:
                    yield SHUT_OUT
                    return
                page = self.site.viewer_pages.page(table, viewer_of(visit, table))
                snapshot = page.snapshot(table, await live_info(self.site.house, table))
                muted = await self.site.house.mutes.of(visit.person_id, table)
                if updates is None:
                    updates = PageUpdates(page, visit.person_id)
                    # Before the game everything is sent: pages show how far the rules are prepared, too.
                    if shown == str(table.number) and table.phase != GATHERING:
                        updates.mark_sent(snapshot, updates.chat(table, muted))
                        yield AS_SHOWN
                updates.switch_to(page)
                events = updates.events(table, snapshot, page_clocks(table, self.site.house.now()), muted)
                if not events and silence.is_long:
                    events = [STILL_HERE]
                for event in events:
                    silence.end()
                    yield event
