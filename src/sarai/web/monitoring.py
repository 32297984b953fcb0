"""Monitoring the server: whether it is ready, its metrics, and an app that counts every request."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sized
from functools import cache
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Histogram, generate_latest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sarai.core.registry import game_ids
from sarai.table import metrics
from sarai.table.service.aligned_timers import seconds_to_tick
from sarai.table.storage.failures import StorageFailed

if TYPE_CHECKING:
    from sarai.table.service.house import House

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BEAT = 0.5  # seconds between two looks at the event loop
LATELY = 20  # looks that count: ten seconds
TOO_LATE = 2.0  # seconds; an event loop that was held up for longer is not ready
DATABASE_SECONDS = 2.0  # in which the database has to answer
requests_log = logging.getLogger("sarai.requests")


class LoopLag:
    """How late the event loop is: a task that wants to wake twice a second, and does not if something blocks."""

    def __init__(self) -> None:
        self._late: deque[float] = deque([0.0], LATELY)

    @property
    def worst(self) -> float:
        """The longest that the loop was late in the last seconds."""
        return max(self._late)

    async def run(self) -> None:
        """Look for ever."""
        while True:
            pause = seconds_to_tick(BEAT)
            wanted = time.monotonic() + pause
            await asyncio.sleep(pause)
            self.note(max(0.0, time.monotonic() - wanted))

    def note(self, late: float) -> None:
        """Count one look."""
        self._late.append(late)
        metrics.LOOP_LAGS.observe(late)


class Monitoring:
    """What a monitor asks of a house; `streams` are those that are open."""

    def __init__(self, house: House, streams: Sized = ()) -> None:
        self.house, self.lag, self._streams = house, LoopLag(), streams

    def routes(self) -> list[Route]:
        """Return the routes that everybody may ask."""
        return [Route("/health", health), Route("/ready", self.ready)]

    def metrics_app(self) -> Starlette:
        """Return the app of the port for metrics, which only this machine can reach."""
        return Starlette(routes=[*self.routes(), Route("/metrics", self.metrics)])

    async def ready(self, _: Request) -> Response:
        """Say whether requests can be answered, and if not, why not; and why nothing can be written, if so."""
        reason = await self.reason_not_ready()
        answer = {"ready": reason is None, "reason": reason, "writing": self.house.store.writer.failure or "ok"}
        return JSONResponse(answer, 200 if reason is None else 503)

    async def reason_not_ready(self) -> str | None:
        """Return the reason why the server cannot answer as it should, None if it can."""
        if self.lag.worst > TOO_LATE:
            return "loop_blocked"
        try:
            async with asyncio.timeout(DATABASE_SECONDS), self.house.store.engine.connect() as connection:
                await connection.execute(text("SELECT 1 FROM settings"))
        except StorageFailed as error:
            return error.key
        except (SQLAlchemyError, OSError, TimeoutError):
            return "database_away"
        return None

    async def metrics(self, _: Request) -> Response:
        """Return all metrics in the text format of Prometheus."""
        self.look()
        return Response(generate_latest(metrics.REGISTRY), headers={"content-type": CONTENT_TYPE_LATEST})

    def look(self) -> None:
        """Take over what is not counted as it happens."""
        house = self.house
        metrics.TABLES.set(len(house.rooms))
        metrics.STREAMS.set(len(self._streams))
        metrics.LOOP_LAG.set(self.lag.worst)
        metrics.WRITER_QUEUE.set(house.store.writer.waiting)
        for game_id in game_ids():
            progress = house.games.status(game_id)
            metrics.PREPARED.labels(game_id).set(progress.ready)
            metrics.PREPARATION_STEPS.labels(game_id).set(progress.done)


async def health(_: Request) -> Response:
    """Say that the process runs."""
    return Response("ok\n", media_type="text/plain")


class CountedApp(Starlette):
    """An app that counts its requests by the pattern of their route, never by their path."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        began, method = time.perf_counter(), scope["method"] if scope["method"] in METHODS else "other"

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route, seconds = route_of(scope), time.perf_counter() - began
                requests_of(method, route, message["status"]).inc()
                request_seconds_of(route).observe(seconds)
                if requests_log.isEnabledFor(logging.INFO):
                    facts = {
                        "method": method,
                        "route": route,
                        "status": message["status"],
                        "ms": round(seconds * 1000, 1),
                    }
                    requests_log.info("request", extra={"facts": facts})
            await send(message)

        await super().__call__(scope, receive, send_counted)


@cache
def requests_of(method: str, route: str, status: int) -> Counter:
    """Return what counts the requests of a route; there are few of them, and looking them up takes longer."""
    return metrics.REQUESTS.labels(method, route, status)


@cache
def request_seconds_of(route: str) -> Histogram:
    """Return what measures the answers of a route."""
    return metrics.REQUEST_SECONDS.labels(route)


def route_of(scope: Scope) -> str:
    """Return the pattern of a request's route, such as `/tables/{id}`: paths hold ids and tokens."""
    return str(getattr(scope.get("route"), "path", "none"))


class ByPort:
    """An app that answers connections to one port by another app."""

    def __init__(self, app: ASGIApp, port: int, other: ASGIApp) -> None:
        self.app, self.port, self.other = app, port, other

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; the port is that of the socket, not what a header says."""
        is_other = scope["type"] == "http" and (scope.get("server") or ("", None))[1] == self.port
        await (self.other if is_other else self.app)(scope, receive, send)
