"""What one connection may do: how long it may take for a request, how much it may send, how little it may read.

Slow and endless requests cost their sender more than the house: a header and a body have a time in which they are
complete, whatever trickles in, and whoever does not read what was asked for is cut off.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import sys
import time
from collections import Counter
from typing import Any, ClassVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from sarai.table.refusals import Refused
from sarai.table.service.rate_limit import Limit, Limiter
from sarai.web.client_addresses import ADDRESSES_OF_SITE, TrustedProxies, counted_address, with_site
from sarai.web.connection_routing import ConnectionRouting

HEADER_SECONDS = 20.0  # from the connection or the first byte of a request to the end of its header
BODY_SECONDS = 30.0  # from there to the end of its body
WRITE_SECONDS = 60.0  # in which a client reads what the house holds ready for it: 48 KB
KEEP_ALIVE = 75  # seconds that an idle connection is kept
SWEEP = 1.0  # seconds between two looks at all connections
MOST_HEADERS, MOST_HEADER_BYTES = 100, 32 * 1024
# reading them takes time even if the request is refused then: of an address, and of one line of the header
MOST_ADDRESS_BYTES, MOST_LINE_BYTES = 2 * 1024, 8 * 1024
MOST_BODY_BYTES = 1024 * 1024  # more than any page takes, less than is worth reading to its end
MOST_BODY_PARTS = 2000  # as its sender divides it: each takes time
MOST_PIPELINED = 8  # requests that are sent before the answer to the first
MOST_OF_ADDRESS, MOST_OF_HOUSE = 400, 30_000  # connections
NEW_OF_ADDRESS = Limit(1200, 30.0)  # connections that begin
NEW_OF_SITE = Limit(ADDRESSES_OF_SITE * NEW_OF_ADDRESS.most, NEW_OF_ADDRESS.seconds)
SPARE_FILES = 200  # for the database and for processes
TOO_LARGE, TOO_LONG = 431, 414
BACKLOG = 512  # connections that wait for the next turn of the loop, which accepts all of them
log = logging.getLogger("sarai.web")
quiet = logging.getLogger("sarai.connections")  # what strangers send must not fill the log
quiet.setLevel(logging.ERROR)


def most_connections() -> int:
    """Return how many connections this process can hold, after asking for as many files as it may have."""
    if sys.platform == "win32":
        return MOST_OF_HOUSE
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_OF_HOUSE + SPARE_FILES
    if soft < wanted:
        soft = min(wanted, hard) if hard != resource.RLIM_INFINITY else wanted
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(SPARE_FILES, min(MOST_OF_HOUSE, soft - SPARE_FILES))


class Connections:
    """All connections of a server, and how many each address has."""

    def __init__(self, proxies: list[str], most: int | None = None) -> None:
        self.proxies, self.most = TrustedProxies(proxies), most or most_connections()
        self._open: set[BoundedProtocol] = set()
        self._of_address: Counter[str] = Counter()  # and of each site of IPv6
        self._begun = Limiter(lambda: self.now(), {"address": NEW_OF_ADDRESS, "site": NEW_OF_SITE})
        self._sweeping: asyncio.TimerHandle | None = None
        self._is_proxy_told = False
        self.now = time.monotonic

    def admit(self, connection: BoundedProtocol) -> bool:
        """Count a connection; say whether there is room for it."""
        host = connection.client[0] if connection.client else ""
        connection.counted_as = None if host in self.proxies else counted_address(host)
        if len(self._open) >= self.most:
            return False
        keys = with_site(connection.counted_as, MOST_OF_ADDRESS)
        if any(self._of_address[key] >= most for key, most in keys):
            return False
        try:
            for limit, (key, _) in zip(self._begun.limits, keys, strict=False):
                self._begun.spend(limit, key)
        except Refused:
            return False
        self._of_address.update(key for key, _ in keys)
        self._open.add(connection)
        if self._sweeping is None:
            self._sweeping = connection.loop.call_later(SWEEP, self._sweep, connection.loop)
        return True

    @property
    def is_crowded(self) -> bool:
        """Whether half of the room is taken."""
        return 2 * len(self._open) > self.most

    def leave(self, connection: BoundedProtocol) -> None:
        """Count a connection no longer."""
        if connection not in self._open:
            return
        self._open.discard(connection)
        for key, _ in with_site(connection.counted_as, MOST_OF_ADDRESS):
            self._of_address[key] -= 1
            if not self._of_address[key]:
                del self._of_address[key]

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cut off those whose time is over."""
        now = self.now()
        for connection in [one for one in self._open if one.is_late(now)]:
            connection.transport.abort()
        self._sweeping = loop.call_later(SWEEP, self._sweep, loop) if self._open else None

    def tell_of_proxy(self, host: str) -> None:
        """Say once that a proxy of this machine or network forwards addresses, but is not trusted."""
        if not self._is_proxy_told and host not in self.proxies and is_near(host):
            self._is_proxy_told = True
            log.warning("a proxy sends X-Forwarded-For: name its address with --trusted-proxies to limit by address")


def is_near(host: str) -> bool:
    """Say whether an address belongs to this machine or a private network."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False


class BoundedProtocol(HttpToolsProtocol):
    """A connection with limits."""

    bounds: ClassVar[Connections]
    routing: ClassVar[ConnectionRouting | None] = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = quiet
        self.counted_as: str | None = None
        self.deadline: float | None = None  # of the header or the body that is being sent
        self.write_deadline: float | None = None
        # bytes of the header, or after it: all, and those that count
        self._is_header, self._fed, self._size = True, 0, 0
        self._parts = 0  # of the body
        self._refusal: int | None = None  # the status that says what is too large
        self._is_between = True  # nothing of the next request was read yet
        self.first = b""  # what another worker has read of it
        self._answered: RequestResponseCycle | None = None  # the request that is being answered; `cycle` is the newest

    def is_late(self, now: float) -> bool:
        """Say whether the client takes too long for what it sends or reads."""
        return (self.deadline is not None and self.deadline < now) or (
            self.write_deadline is not None and self.write_deadline < now
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if there is room."""
        super().connection_made(transport)
        self.deadline = self.bounds.now() + HEADER_SECONDS
        if not self.bounds.admit(self):
            transport.abort()
        elif self.first:
            self._read(self.first)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; who answers the first of several requests learns it, too, and writes nothing any more.

        Nothing keeps what was sent then, neither a timer that uvicorn leaves nor requests that wait for their turn.
        """
        self.bounds.leave(self)
        if self._is_answering and self._answered is not None:
            self._answered.disconnected = True
            self._answered.message_event.set()
            self._answered.body.clear()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Read what came, or let another worker go on with it."""
        if self.transport.is_closing():
            return
        if self.routing is not None and self._is_free and self.routing.send(data, self.transport, self.server):
            self.transport.abort()  # this end only: the connection is the other worker's now
        else:
            self._read(data)

    @property
    def _is_free(self) -> bool:
        """Whether nothing that came before is still being read or answered."""
        return self._is_between and not self.pipeline and (self.cycle is None or self.cycle.response_complete)

    def _read(self, data: bytes) -> None:
        """Read what came; a header that does not end, or bytes between requests, do not buy time.

        What is around the body counts, too: the parser keeps a line after it until it ends.
        """
        super().data_received(data)
        self._fed += len(data)
        if self._fed > (MOST_HEADER_BYTES if self._is_header else MOST_BODY_BYTES) and not self.transport.is_closing():
            self._refusal = TOO_LARGE if self._is_header else None
            self.send_400_response("The request is too large.")
        if self.deadline is None and (self.cycle is None or self.cycle.response_complete):
            self.deadline = self.bounds.now() + HEADER_SECONDS

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Begin to answer a request."""
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """Go on after an answer; a body that nobody has read is kept no longer."""
        if self._answered is not None:
            self._answered.body.clear()
        super().on_response_complete()

    @property
    def _is_answering(self) -> bool:
        """Whether a request that was read is not answered yet."""
        return self._answered is not None and not self._answered.response_complete

    @property
    def _is_half_read(self) -> bool:
        """Whether it is the request being answered that is still being read, and nothing was sent yet."""
        answered = self._answered
        return answered is self.cycle and answered.more_body and not answered.response_started

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, or what is too large; whoever waits for another answer would take it for that."""
        if self._is_answering and not self._is_half_read:
            self.transport.close()
        elif self._refusal is not None:
            self.transport.write(STATUS_LINE[self._refusal] + b"connection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()
        else:
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._is_between = False
        self._is_header, self._fed, self._size = True, 0, 0
        self.deadline = self.bounds.now() + HEADER_SECONDS

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        super().on_url(url)
        self._count_header(len(url))
        if len(self.url) > MOST_ADDRESS_BYTES:
            self._refusal = TOO_LONG
            raise ValueError("a long address")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of the header."""
        super().on_header(name, value)
        self._count_header(len(name) + len(value))
        if len(self.headers) > MOST_HEADERS or len(value) > MOST_LINE_BYTES:
            self._refusal = TOO_LARGE
            raise ValueError("too many lines, or a long one")
        if self.client is not None and self.headers[-1][0] == b"x-forwarded-for":
            self.bounds.tell_of_proxy(self.client[0])

    def _count_header(self, size: int) -> None:
        self._size += size
        if self._size > MOST_HEADER_BYTES:
            self._refusal = TOO_LARGE
            raise ValueError("too many bytes")

    def on_headers_complete(self) -> None:
        """Begin with the body, and the answer."""
        if len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too many requests at once")
        self._is_header, self._fed, self._size, self._parts = False, 0, 0, 0
        self.deadline = self.bounds.now() + BODY_SECONDS
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._size += len(body)
        self._parts += 1
        if self._size > MOST_BODY_BYTES or self._parts > MOST_BODY_PARTS:
            raise ValueError("too many bytes, or too many parts")
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self.deadline = None
        self._is_between = not self.parser.should_upgrade()
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self.write_deadline = self.bounds.now() + WRITE_SECONDS

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        super().resume_writing()
        self.write_deadline = None


def server_config(
    app: ASGIApp, proxies: list[str] | None = None, routing: ConnectionRouting | None = None
) -> uvicorn.Config:
    """Return the settings of a server: its connections bounded, addresses taken from trusted proxies only."""
    trusted = proxies or []
    bounds = Connections(trusted)
    protocol = type("Protocol", (BoundedProtocol,), {"bounds": bounds, "routing": routing})
    if routing is not None:
        routing.is_full = lambda: bounds.is_crowded
    return uvicorn.Config(
        app,
        http=protocol,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        proxy_headers=bool(trusted),
        forwarded_allow_ips=trusted,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=2,
        ws="none",
        backlog=BACKLOG,
    )
