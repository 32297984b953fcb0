"""The house that `fuzz.py` attacks: an app called directly, people, tables in all phases, all changes counted."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from starlette.types import ASGIApp, Message

import sarai
from houses import same
from quick_bots import QuickBots
from sarai.table.refusals import Refused
from sarai.table.service.erasing import Erasing
from sarai.table.service.house import House
from sarai.table.service.rate_limit import Limiter
from sarai.table.table import Table
from sarai.web.app import make_app, make_site
from sarai.web.site import Site

HOST = "127.0.0.1"
PEOPLE = 8
PHASES = ("gathering", "full", "playing", "bots", "asked", "clock", "left", "over")
PATIENCE = 20.0  # seconds for one answer
# What changes by itself: the index follows the log, push messages are counted, processes say that they live.
OWN_WORK = frozenset({"alembic_version", "processes", "bot_leases"})
WATCHED = {
    "tables": ("INSERT", "DELETE", "UPDATE OF game, public, created, secret"),
    "members": ("INSERT", "DELETE"),
    "push_subscriptions": ("INSERT",),
}


WHICH_EVENT = "'INSERT events ' || NEW.table_id || ' ' || CAST(NEW.body AS TEXT)"
# what goes on in the house when whoever asked for it has hung up
WRITING = frozenset({House._act.__qualname__, House._use_name.__qualname__})


class Answer(NamedTuple):
    """What the app answered; `seconds` are of this thread's processor time."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float

    @property
    def is_refusal(self) -> bool:
        """Whether nothing may have changed."""
        return self.status >= 400


class Changes:
    """Counts every row that is changed in a database, by triggers."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        names = [name for (name,) in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.connection.execute("CREATE TABLE fuzz_changes (what TEXT)")
        for name in names:
            for number, kind in enumerate(WATCHED.get(name, ("INSERT", "DELETE", "UPDATE"))):
                if name not in OWN_WORK and not name.startswith("sqlite_"):
                    told = WHICH_EVENT if (name, kind) == ("events", "INSERT") else f"'{kind.split()[0]} {name}'"
                    row = f"INSERT INTO fuzz_changes VALUES ({told})"
                    self.connection.execute(
                        f"CREATE TRIGGER fuzz_{name}_{number} AFTER {kind} ON {name} BEGIN {row}; END"
                    )

    def count(self) -> int:
        """Return how many rows have changed so far."""
        return int(self.connection.execute("SELECT max(rowid) FROM fuzz_changes").fetchone()[0] or 0)

    def since(self, count: int) -> list[str]:
        """Return what has changed since."""
        return [what for (what,) in self.connection.execute("SELECT what FROM fuzz_changes WHERE rowid > ?", [count])]


class Target:
    """The house, with people and tables that are replaced now and then."""

    def __init__(self, house: House, site: Site, app: ASGIApp, changes: Changes, rng: random.Random) -> None:
        self.house, self.site, self.app, self.changes, self.rng = house, site, app, changes, rng
        self.people: dict[str, str] = {}  # names and cookies
        self.tables: dict[tuple[str, str], str] = {}  # ids, by game and phase

    async def call(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b"", *, leaves: bool = False
    ) -> Answer:
        """Send a request to the app; `leaves`: the client is gone before the body has ended."""
        raw_path, _, query = target.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(raw_path),
            "raw_path": raw_path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()],
            "client": (f"10.{self.rng.randrange(256)}.{self.rng.randrange(256)}.{self.rng.randrange(256)}", 50_000),
            "server": (HOST, 80),
            "state": {},
        }
        gone, started, chunks = asyncio.Event(), list[Message](), list[bytes]()
        half = len(body) // 2 if len(body) > 20 else 0
        parts = [body[:half], body[half:]] if half else [body]
        if leaves:
            parts = [body[:half]]

        async def receive() -> Message:
            if parts:
                part = parts.pop(0)
                return {"type": "http.request", "body": part, "more_body": bool(parts) or leaves}
            if not leaves:
                await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
                return
            chunks.append(message.get("body", b""))
            if len(chunks) > 1 or not message.get("more_body"):
                gone.set()  # of a stream, what comes first is enough

        began = time.thread_time()
        async with asyncio.timeout(PATIENCE):
            await self.app(scope, receive, send)
        seconds = time.thread_time() - began
        if leaves and not started:
            return Answer(499, {}, b"", seconds)
        given = {name.decode(): value.decode("latin-1") for name, value in started[0]["headers"]}
        return Answer(started[0]["status"], given, b"".join(chunks), seconds)

    # --- people and tables ----------------------------------------------------------------------------------------

    async def ask(self, who: str, path: str, body: object) -> Any:
        """Send something that is right; return what was answered."""
        headers = {"host": HOST, "content-type": "application/json", "cookie": self.people.get(who, "")}
        answer = await self.call("POST", path, headers, json.dumps(body).encode())
        if answer.is_refusal:
            raise ConnectionError(f"{path} {body}: {answer.status} {answer.body!r}")
        if found := re.search(r"((?:__Host-)?sarai=[^;]*)", answer.headers.get("set-cookie", "")):
            self.people[who] = found[1]
        return json.loads(answer.body)

    async def act(self, who: str, table: str, kind: str, **fields: object) -> None:
        """Send a command that may be refused."""
        with contextlib.suppress(ConnectionError):
            await self.ask(who, f"/api/tables/{table}/act", {"command": {"type": kind, **fields}})

    async def meet(self, who: str) -> None:
        """Make a person anew."""
        self.people.pop(who, None)
        await self.ask(who, "/api/me", {"name": who})

    async def lay(self, game: str, phase: str) -> None:
        """Make a table of a game and bring it to a phase."""
        one, two = self.rng.sample(list(self.people), 2)
        for who in (one, two):  # whose session an input may have ended, or who was erased by one
            if (await self.call("GET", "/api/me", {"host": HOST, "cookie": self.people[who]})).is_refusal:
                await self.meet(who)
        wish: dict[str, object] = {"game": game, "players": sarai.game(game).players[0], "public": True}
        if phase == "bots":
            wish |= {"players": 3, "bots": ["novice"]}
        if phase == "clock":
            wish["clock"] = {"kind": "live", "minutes": 5, "increment": 5}
        if phase == "over" and game == "sixnimmt":
            wish["options"] = {"rounds": 1}
        table = (await self.ask(one, "/api/tables", wish))["id"]
        self.tables[game, phase] = table
        if phase == "gathering":
            return
        await self.act(two, table, "Sit")
        if phase == "full":
            return
        await self.act(one, table, "Start")
        await self.play(table, (one, two), 40 if phase == "over" else self.rng.randrange(12))
        if phase == "asked":
            await self.act(one, table, "AskBack")
        if phase == "left":
            await self.act(one, table, "Lend", seat=0)
            await self.act(two, table, "Chat", text="hello?")
        if phase == "over":
            await self.act(one, table, "Resign")

    async def play(self, id: str, people: tuple[str, ...], most: int) -> None:
        """Make some random moves."""
        for _ in range(most):
            await self.settle()
            table = await self.house.table(id)
            movers = [seat for seat in table.to_act if table.seats[seat].name in people]
            if not movers or table.state is None:
                return
            move = self.rng.choice(table.state.legal(movers[0]))
            await self.act(table.seats[movers[0]].name, id, "Move", move=move)

    async def open(self) -> None:
        """Invite people, and lay all tables."""
        for number in range(PEOPLE):
            await self.meet(f"Guest {number}")
        for game in sarai.game_ids():
            for phase in PHASES:
                await self.lay(game, phase)

    async def renew(self, turn: int) -> None:
        """Replace one table, and now and then a person."""
        if turn % 10 == 0:
            await self.meet(f"Guest {turn // 10 % PEOPLE}")
        places = list(self.tables)
        await self.lay(*places[turn % len(places)])
        await self.settle()

    async def settle(self) -> None:
        """Wait until bots have moved, new names have reached tables and everything is written."""
        while self.is_busy():
            await asyncio.sleep(0)
        await self.house.store.writer.write_index()

    def is_busy(self) -> bool:
        """Say whether the house still carries out what an earlier input asked for."""
        is_thinking = any(room.is_thinking for room in self.house.rooms.loaded())
        return is_thinking or any(coroutine_of(task) in WRITING for task in asyncio.all_tasks())

    async def differing(self) -> list[str]:
        """Return the tables whose memory is not what their log says, after all who asked for it are erased."""
        with contextlib.suppress(Refused):
            await self.house.erasing.finish()
        found = []
        for id in self.tables.values():
            kept = await self.house.table(id)
            entries = await self.house.store.log(id)
            try:
                same(kept, Table.fold(id, [(entry.number, entry.event) for entry in entries]))
            except AssertionError as error:
                found.append(f"{id}: {str(error)[:300]}")
        return found


def coroutine_of(task: asyncio.Task[Any]) -> str:
    """Return the name of what a task runs."""
    return str(getattr(task.get_coro(), "__qualname__", ""))


async def wait_for_ever(_: Erasing) -> None:
    """Erase nobody in the background, where it would be taken for an input's doing."""
    await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def open_target(folder: Path, rng: random.Random) -> AsyncIterator[Target]:
    """Open a house without limits in a folder, and give what is attacked."""
    spend, Limiter.spend = Limiter.spend, lambda *_: None  # type: ignore[method-assign]
    run, Erasing.run = Erasing.run, wait_for_ever  # type: ignore[method-assign]  # `differing` erases
    house = await House.open(f"sqlite:///{folder}/house.db", QuickBots(), lambda: 1_800_000_000.0)
    try:
        for game_id in sarai.game_ids():
            house.games.prepare(game_id)
            await house.games.wait(game_id)
        site = await make_site(house)
        site.monitoring.lag.note = lambda _: None  # type: ignore[method-assign]  # inputs are drawn in the same loop
        target = Target(house, site, make_app(site), Changes(folder / "house.db"), rng)
        await target.open()
        await target.settle()
        yield target
    finally:
        await house.close()
        Limiter.spend = spend  # type: ignore[method-assign]
        Erasing.run = run  # type: ignore[method-assign]
