"""How many tables one process serves: people at many tables of all games move at a rate, each with an open stream.

Run it with `python benchmarks/load.py`: it starts `sarai serve` on data of its own, plays, and prints the figures.
"""

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psutil

import sarai

HOST = "127.0.0.1"


class Browser:
    """One person: a connection that is kept for requests, another for the stream."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""
        self.reader: asyncio.StreamReader | None = None
        self.moves: list[int] = []
        self.number = 0
        self.arrived: dict[int, float] = {}
        self.sizes: list[tuple[int, int, int]] = []  # of events: number, bytes before compression, bytes on the wire
        self.over = False

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, dict]:
        """Send a request; return the status and the body of the answer."""
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection(HOST, self.port)
        data = b"" if body is None else json.dumps(body).encode()
        about = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nCookie: {self.cookie}"
        self.writer.write(f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\n{about}\r\n\r\n".encode() + data)
        answered = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        if cookie := re.search(r"set-cookie: (sarai=[^;]*)", answered):
            self.cookie = cookie[1]
        length = int(re.search(r"content-length: (\d+)", answered)[1])
        return int(answered.split(" ", 2)[1]), json.loads(await self.reader.readexactly(length))

    async def events(self, path: str) -> AsyncIterator[tuple[bytes, int]]:
        """Read a stream as browsers do, compressed if the server can; yield each event and its bytes on the wire."""
        reader, writer = await asyncio.open_connection(HOST, self.port, limit=1 << 20)
        about = f"Host: {HOST}:{self.port}\r\nAccept-Encoding: gzip\r\nCookie: {self.cookie}"
        writer.write(f"GET {path} HTTP/1.1\r\n{about}\r\n\r\n".encode())
        headers = await reader.readuntil(b"\r\n\r\n")
        inflater = zlib.decompressobj(31) if b"content-encoding: gzip" in headers else None
        while size := await reader.readline():
            chunk = (await reader.readexactly(int(size, 16) + 2))[:-2]
            yield inflater.decompress(chunk) if inflater else chunk, len(size) + len(chunk) + 2

    async def listen(self, table: str) -> None:
        """Read a table's stream until it ends; note when each event arrived and which moves are legal."""
        async for event, wire in self.events(f"/tables/{table}/stream"):
            if not event.startswith(b"id: "):
                continue
            now, news = time.perf_counter(), json.loads(event[event.index(b"data: ") + 6 :])
            for number in range(self.number + 1, news["number"] + 1):
                self.arrived[number] = now
            self.sizes.append((news["number"], len(event), wire))
            self.number = news["number"]
            self.over = self.over or news.get("phase") == "over"
            if "choices" in news:
                self.moves = sorted({move for spots in news["choices"].values() for move in spots.values()})


@dataclass
class Play:
    """A table with its people."""

    table: str
    people: list[Browser]
    waits: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    moves: int = 0
    refused: int = 0

    async def go_on(self, pause: float, until: float, rng: random.Random) -> None:
        """Move every `pause` seconds until the time is up."""
        await asyncio.sleep(rng.random() * pause)
        due = time.perf_counter()
        while (now := time.perf_counter()) < until and not any(person.over for person in self.people):
            if due >= until:
                return
            if now < due:
                await asyncio.sleep(due - now)
            mover = next((person for person in self.people if person.moves), None)
            if mover is None:
                await asyncio.sleep(0.005)
                continue
            due = max(due + pause, time.perf_counter() - pause)
            move, mover.moves = rng.choice(mover.moves), []
            begun = time.perf_counter()
            command = {
                "command": {"type": "Move", "move": move},
                "key": f"{rng.getrandbits(60)}",
                "number": mover.number,
            }
            status, said = await mover.ask("POST", f"/api/tables/{self.table}/act", command)
            if status != 200:
                self.refused += 1
                continue
            self.moves += 1
            self.answers.append(time.perf_counter() - begun)
            other = next(person for person in self.people if person is not mover)
            while said["number"] not in other.arrived and time.perf_counter() < until + 5:
                await asyncio.sleep(0.001)
            if said["number"] in other.arrived:
                self.waits.append(other.arrived[said["number"]] - begun)


async def start_table(port: int, game: str, name: str, players: int = 2) -> Play:
    """Make a table for people and begin its game."""
    people = [Browser(port) for _ in range(players)]
    for number, person in enumerate(people):
        await person.ask("POST", "/api/me", {"name": f"{name} {number}"})
    _, made = await people[0].ask("POST", "/api/tables", {"game": game, "players": players})
    for person in people[1:]:
        await person.ask("POST", f"/api/tables/{made['id']}/act", {"command": {"type": "Sit"}})
    await people[0].ask("POST", f"/api/tables/{made['id']}/act", {"command": {"type": "Start"}})
    return Play(made["id"], people)


async def wait_for_games(port: int) -> None:
    """Wait until all games are prepared."""
    first = Browser(port)
    while not all(game["ready"] for game in (await first.ask("GET", "/api/games"))[1]):
        await asyncio.sleep(0.5)


async def measure(port: int, process: psutil.Process, tables: int, rate: float, seconds: float) -> dict[str, float]:
    """Play at many tables at once for some seconds; return rates, waiting times and processor time."""
    await wait_for_games(port)
    plays = [
        await start_table(port, sarai.game_ids()[number % len(sarai.game_ids())], f"P{number}")
        for number in range(tables)
    ]
    streams = [asyncio.create_task(person.listen(play.table)) for play in plays for person in play.people]
    await asyncio.sleep(3)
    before, begun, until = process.cpu_times(), time.perf_counter(), time.perf_counter() + seconds
    await asyncio.gather(
        *(play.go_on(tables / rate, until, random.Random(number)) for number, play in enumerate(plays))
    )
    passed, after = time.perf_counter() - begun, process.cpu_times()
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    moves, waits = sum(play.moves for play in plays), sorted(wait for play in plays for wait in play.waits)
    used = after.user + after.system - before.user - before.system
    return {
        "tables": tables,
        "streams": len(streams),
        "moves": moves,
        "refused": sum(play.refused for play in plays),
        "moves a second": moves / passed,
        "answer, median ms": 1000 * statistics.median(answer for play in plays for answer in play.answers),
        "at the other client, median ms": 1000 * statistics.median(waits),
        "at the other client, 95 % within ms": 1000 * waits[int(0.95 * len(waits))],
        "processor seconds of the server a second": used / passed,
        "processor ms of the server a move": 1000 * used / moves,
    }


@contextmanager
def served() -> Iterator[tuple[int, psutil.Process]]:
    """Run a server on data of its own; give its port and its process."""
    serve = ["-c", "from sarai.cli import main; main()", "serve", "--no-browser", "--port", "0", "--data-dir"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        server = subprocess.Popen([sys.executable, *serve, folder], stdout=subprocess.PIPE, text=True, env=environment)
        try:
            yield int(re.search(r":(\d+)$", server.stdout.readline().strip())[1]), psutil.Process(server.pid)
        finally:
            server.terminate()
            server.wait(30)


def main() -> None:
    """Start a server, measure it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument(
        "--rate",
        type=float,
        default=320,
        help="moves a second that are asked for; some games end before the time is up",
    )
    parser.add_argument("--seconds", type=float, default=20)
    wishes = parser.parse_args()
    with served() as (port, process):
        for name, value in asyncio.run(measure(port, process, wishes.tables, wishes.rate, wishes.seconds)).items():
            print(f"{name:42} {value:10.1f}" if isinstance(value, float) else f"{name:42} {value:10}")


if __name__ == "__main__":
    main()
