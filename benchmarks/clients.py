"""Clients for the programs that play at a served house: raw sockets, which take little of the machine they share."""

from __future__ import annotations

import asyncio
import json
import re
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

HOST = "127.0.0.1"
LOST = (ConnectionError, asyncio.IncompleteReadError, TimeoutError)  # what a request ends with if the server is gone
LARGEST = 1 << 20  # bytes of an event
IDLE = 60.0  # seconds after which a connection is not used again: the server closes it at about that time
decode = json.JSONDecoder().raw_decode


class Browser:
    """One person: a connection that is kept for requests, another for the stream."""

    def __init__(self, port: int, address: str = HOST, cookie: str = "") -> None:
        self.port, self.address, self.cookie = port, address, cookie  # the address it comes from
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.used = 0.0  # when the connection was last used
        self.moves: list[int] = []
        self.number = 0
        self.arrived: dict[int, float] = {}  # when each of the table's events was seen
        self.sizes: list[tuple[int, int, int]] | None = None  # of events: number, bytes, bytes on the wire; if wanted
        self.over = False

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection from this person's address."""
        return await asyncio.open_connection(HOST, self.port, local_addr=(self.address, 0), limit=LARGEST)

    def hang_up(self) -> None:
        """Close the connection for requests."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None

    async def send(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer. One of LOST if there is none."""
        now = time.perf_counter()
        if self.reader is not None and (self.reader.at_eof() or now - self.used > IDLE):
            self.hang_up()
        self.used = now
        try:
            if self.reader is None or self.writer is None:
                self.reader, self.writer = await self.connect()
            data = b"" if body is None else json.dumps(body).encode()
            about = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nCookie: {self.cookie}"
            request = f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\n{about}\r\n\r\n"
            self.writer.write(request.encode() + data)
            answered = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            if cookie := re.search(r"set-cookie: ((?:__Host-)?sarai=[^;]+)", answered):
                self.cookie = cookie[1]
            length = re.search(r"content-length: (\d+)", answered)
            content = await self.reader.readexactly(int(length[1])) if length else b""
        except BaseException:
            self.hang_up()
            raise
        if "connection: close" in answered:
            self.hang_up()
        return int(answered.split(" ", 2)[1]), content

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request to the JSON interface; return the status and what the answer says."""
        status, content = await self.send(method, path, body)
        return status, json.loads(content)

    async def events(self, path: str) -> AsyncIterator[tuple[bytes, int]]:
        """Read a stream as browsers do, compressed if the server can; yield each event and its bytes on the wire."""
        reader, writer = await self.connect()
        try:
            about = f"Host: {HOST}:{self.port}\r\nAccept-Encoding: gzip\r\nCookie: {self.cookie}"
            writer.write(f"GET {path} HTTP/1.1\r\n{about}\r\n\r\n".encode())
            headers = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in headers[:16]:
                raise ConnectionRefusedError(headers[:16].decode())
            inflater = zlib.decompressobj(31) if b"content-encoding: gzip" in headers else None
            while size := await reader.readline():
                chunk = (await reader.readexactly(int(size, 16) + 2))[:-2]
                if not chunk:
                    return
                yield inflater.decompress(chunk) if inflater else chunk, len(size) + len(chunk) + 2
        finally:
            writer.close()

    async def listen(self, table: str, on_event: Callable[[Browser], None] | None = None) -> None:
        """Read a table's stream until it ends; note when each event arrived and which moves are legal.

        Of an event only the number, the phase and the choices are read.
        """
        async for event, wire in self.events(f"/tables/{table}/stream"):
            if not event.startswith(b"id: "):
                continue
            now, number = time.perf_counter(), int(event[4 : event.index(b"\n")])
            for new in range(self.number + 1, number + 1):
                self.arrived[new] = now
            if self.sizes is not None:
                self.sizes.append((number, len(event), wire))
            self.number = number
            self.over = self.over or b'"phase":"over"' in event
            if (place := event.find(b'"choices":')) >= 0:  # in a text of HTML it would stand with \"
                choices, _ = decode(event[place + 10 :].decode())
                self.moves = sorted({move for spots in choices.values() for move in spots.values()})
            if on_event is not None:
                on_event(self)


class Table:
    """A table with its people; `viewers` watch."""

    def __init__(self, id: str, game: str, people: list[Browser], bots: int = 0) -> None:
        self.id, self.game, self.people, self.bots = id, game, people, bots
        self.viewers: list[Browser] = []


async def start_table(
    people: list[Browser], game: str, name: str, bots: tuple[str, ...] = (), clock: Mapping[str, object] | None = None
) -> Table:
    """Let people give their names if they have none, make a table for them and bots, and begin its game."""
    for number, person in enumerate(people):
        if not person.cookie:
            expect(await person.ask("POST", "/api/me", {"name": f"{name} {number}"}))
        person.moves, person.number, person.over = [], 0, False
        person.arrived.clear()
    host, wish = people[0], {"game": game, "players": len(people) + len(bots), "bots": list(bots), "clock": clock or {}}
    table: str = expect(await host.ask("POST", "/api/tables", wish))["id"]
    for person in people[1:]:
        expect(await person.ask("POST", f"/api/tables/{table}/act", {"command": {"type": "Sit"}}))
    expect(await host.ask("POST", f"/api/tables/{table}/act", {"command": {"type": "Start"}}))
    return Table(table, game, people, len(bots))


def expect(answer: tuple[int, Any]) -> Any:
    """Return what an answer says that must not be a refusal."""
    status, said = answer
    if status >= 300:
        raise RuntimeError(f"{status}: {said}")
    return said


async def wait_for_games(port: int) -> None:
    """Wait until all games are prepared."""
    first = Browser(port)
    while not all(game["ready"] for game in (await first.ask("GET", "/api/games"))[1]):
        await asyncio.sleep(0.5)
    first.hang_up()
