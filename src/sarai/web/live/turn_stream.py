"""The stream of notices: one for a browser, with the turns that wait for its person; whoever reads it is here."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request

from sarai.web.compression import Block
from sarai.web.language import Language
from sarai.web.live.stream import Events, EventStream
from sarai.web.live.viewer_page import encode
from sarai.web.live.waiting_turns import describe_turns
from sarai.web.site import Site

HEARTBEAT = 10.0  # seconds after which a silent stream sends a comment
RENEW = 60.0  # seconds after which the browser is asked to open a new stream, so that one that is gone is noticed
RENEWED, STILL_HERE = (Block(b"event: renew\ndata: 1\n\n"),), (Block(b":\n\n"),)
PATIENCE = 15.0  # seconds in which it should have done so


class TurnStream(EventStream):
    """The stream of the turns that wait for a person: all of them at first, and again when they change."""

    def __init__(self, site: Site) -> None:
        super().__init__(site, self.open)

    async def open(self, request: Request) -> Events:
        """Return the events for a person; Refused if the visitor is not known."""
        visit = await self.site.visit(request)
        return self.events(visit.require_person().id, visit.language)

    async def events(self, person: str, language: Language) -> Events:
        """Yield what to send; the person is here until they end."""
        house, opened, is_asked = self.site.house, time.monotonic(), False
        with house.presence.page(person):
            async with house.turns.watch(person) as lists:
                while (age := time.monotonic() - opened) < RENEW + PATIENCE:
                    if age > RENEW and not is_asked:
                        is_asked = True
                        yield RENEWED
                    try:
                        async with asyncio.timeout(HEARTBEAT):  # Python 3.11's wait_for can lose a cancellation
                            turns = await anext(lists)
                        yield (Block(b"data: %b\n\n" % encode(describe_turns(turns, language))),)
                    except TimeoutError:
                        yield STILL_HERE
