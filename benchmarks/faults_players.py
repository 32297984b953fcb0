"""The players of `faults.py`: they repeat by its key what was not answered, and remember all that was."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import sarai
from clients import LOST, Browser, Table, start_table

PACE = 4.0  # seconds between two moves at a table, on average
ANSWER = 15.0  # seconds after which an answer is not waited for any longer
PATIENCE = 60.0  # seconds after the last fault in which a request has to be answered, repeated or not
AGAIN = 0.1  # seconds before a request is repeated
TALK = 0.1  # of what people send, the part that is talk
WATCHED = 5  # every fifth table has a spectator
AT_ONCE = 8  # tables that are laid at the same time
CLOCK = {"kind": "live", "minutes": 30, "increment": 5}


@dataclass
class Sent:
    """A command that was answered: done, with the table's number, or refused for a reason."""

    table: str
    name: str  # of the person
    key: str
    command: dict[str, Any]
    number: int | None  # the moment it was meant for
    known: int  # the table's number that somebody had been told before
    answered: int = 0
    reason: str = ""
    latest: int = 0  # the table's number when it was refused


@dataclass
class Notes:
    """What all players were answered."""

    done: list[Sent] = field(default_factory=list)
    refused: list[Sent] = field(default_factory=list)
    failed: list[tuple[float, float, str]] = field(default_factory=list)  # 5xx: when asked, when answered, and why
    repeated: int = 0  # requests that were not answered
    stuck: list[str] = field(default_factory=list)


class PlayedTable(Table):
    """A table, with what its players know of it."""

    known = 0
    is_over = False

    def names(self) -> dict[str, Browser]:
        """Return the people by the names that they gave."""
        return {f"{self.label} {number}": person for number, person in enumerate(self.people)}

    label = ""


class Players:
    """All people at all tables of a house."""

    def __init__(self, port: int, tables: int, rng: random.Random, last_number: Callable[[str], int]) -> None:
        self.port, self.count, self.rng, self.last_number = port, tables, rng, last_number
        self.notes = Notes()
        self.tables: list[PlayedTable] = []
        self.hurry: list[asyncio.Event] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.watching: list[asyncio.Task[None]] = []
        self.is_ending, self.until = False, float("inf")  # when there is no more patience
        self.keys = self.addresses = 0

    def browser(self) -> Browser:
        """Return a person's browser, at an address of its own on this machine."""
        self.addresses += 1
        high, low = divmod(self.addresses, 250)
        return Browser(self.port, f"127.2.{high}.{low + 1}")

    async def sit_down(self) -> None:
        """Lay all tables; then everybody plays."""
        numbers = iter(range(self.count))

        async def lay_some() -> None:
            for number in numbers:
                self.tables.append(await self.lay(number))

        await asyncio.gather(*(lay_some() for _ in range(AT_ONCE)))
        for number, table in enumerate(self.tables):
            self.hurry.append(asyncio.Event())
            self.tasks.append(asyncio.create_task(self.play(number)))
            if number % WATCHED == 0:
                table.viewers.append(self.browser())
                self.watching.append(asyncio.create_task(self.watch(table)))

    async def lay(self, number: int) -> PlayedTable:
        """Lay one table: two or three people, at every third table a bot or two."""
        game = sarai.game_ids()[number % len(sarai.game_ids())]
        bots = ("novice",) * (1 + number % 2) if number % 3 == 0 else ()
        people = [self.browser() for _ in range(2 if bots else 2 + number % 2)]
        clock = CLOCK if number % 4 == 1 else {}
        begun = await start_table(people, game, f"P{number}", bots, clock)
        table = PlayedTable(begun.id, game, people, len(bots))
        table.label = f"P{number}"
        return table

    def hurry_some(self, count: int) -> None:
        """Let people at some tables move at once."""
        for event in self.rng.sample(self.hurry, min(count, len(self.hurry))):
            event.set()

    async def play(self, number: int) -> None:
        """Play at a table until the end."""
        table, hurry = self.tables[number], self.hurry[number]
        while not (self.is_ending or table.is_over):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(hurry.wait(), self.rng.expovariate(1 / PACE))
            hurry.clear()
            try:
                await self.turn(table)
            except TimeoutError as error:
                self.notes.stuck.append(f"{table.id}: {error}")
                return

    async def turn(self, table: PlayedTable) -> bool:
        """Let somebody move who can, or talk; say whether anybody could move or the game is over."""
        names = table.names()
        asker = self.rng.choice(list(names))
        seen = await self.look(table, names[asker])
        if seen["phase"] == "over":
            table.is_over = True
            return True
        seats = [seen["seats"][seat] for seat in seen["to_act"]]
        movers = [seat["name"] for seat in seats if seat["name"] in names and not (seat["bot"] or seat["lent"])]
        if self.rng.random() < TALK and not self.is_ending:
            await self.act(table, asker, {"type": "Chat", "text": f"line {self.keys}"}, None)
        if not movers:
            return False
        mover = self.rng.choice(movers)
        if mover != asker:
            seen = await self.look(table, names[mover])
        if not seen["moves"]:
            return False
        await self.act(table, mover, {"type": "Move", "move": self.rng.choice(seen["moves"])}, seen["number"])
        return True

    async def look(self, table: PlayedTable, person: Browser) -> Any:
        """Return a table as a person sees it."""
        status, seen = await self.ask(person, "GET", f"/api/tables/{table.id}")
        if status != 200:
            await self.refuse(Sent(table.id, "", "", {"type": "look"}, None, table.known, reason=seen["reason"]))
            return {"phase": "?", "seats": [], "to_act": [], "moves": []}
        table.known = max(table.known, seen["number"])
        return seen

    async def act(self, table: PlayedTable, name: str, command: dict[str, Any], number: int | None) -> None:
        """Send a command until it is answered, and remember the answer."""
        self.keys += 1
        sent = Sent(table.id, name, f"key-{self.keys}", command, number, table.known)
        body = {"command": command, "key": sent.key, "number": number}
        status, said = await self.ask(table.names()[name], "POST", f"/api/tables/{table.id}/act", body)
        if status == 200:
            sent.answered = said["number"]
            table.known = max(table.known, sent.answered)
            self.notes.done.append(sent)
        else:
            sent.reason = said["reason"]
            await self.refuse(sent)

    async def refuse(self, sent: Sent) -> None:
        """Remember a refusal, and how far the table had come by then."""
        sent.latest = await asyncio.to_thread(self.last_number, sent.table)
        self.notes.refused.append(sent)

    async def ask(self, person: Browser, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request again and again, until the answer is not that something failed."""
        while time.monotonic() < self.until:
            asked = time.monotonic()
            try:
                status, said = await asyncio.wait_for(person.ask(method, path, body), ANSWER)
                if status < 500:
                    return status, said
                self.notes.failed.append((asked, time.monotonic(), f"{status} {said['reason']}"))
            except (*LOST, OSError):
                self.notes.repeated += 1
            await asyncio.sleep(AGAIN * (1 + self.rng.random()))
        raise TimeoutError(f"{method} {path} was not answered")

    async def watch(self, table: PlayedTable) -> None:
        """Watch a table, by a new stream whenever one ends."""
        while True:
            with contextlib.suppress(*LOST, OSError):
                await table.viewers[0].listen(table.id)
            await asyncio.sleep(0.7)

    # --- the end ----------------------------------------------------------------------------------------------------

    async def end(self) -> None:
        """After the last fault, see that every table goes on and every spectator sees it."""
        self.is_ending, self.until = True, time.monotonic() + PATIENCE
        self.hurry_some(len(self.hurry))
        await asyncio.gather(*self.tasks)
        self.until = time.monotonic() + 2 * PATIENCE
        await asyncio.gather(*(self.go_on(table) for table in self.tables))
        watched = [table for table in self.tables if table.viewers]
        await asyncio.gather(*(self.see_the_last(table) for table in watched))
        for task in self.watching:
            task.cancel()
        await asyncio.gather(*self.watching, return_exceptions=True)

    async def go_on(self, table: PlayedTable) -> None:
        """See that people can move at a table, and that bots do."""

        async def is_moving() -> bool:
            return await self.turn(table)

        await self.wait_for(table, "nobody can move, and no bot does", is_moving)

    async def see_the_last(self, table: PlayedTable) -> None:
        """See that a spectator is shown the last event."""
        last = table.known

        async def is_shown() -> bool:
            return table.viewers[0].number >= last

        await self.wait_for(table, f"a spectator is shown {table.viewers[0].number}, not {last}", is_shown)

    async def wait_for(self, table: PlayedTable, what: str, is_so: Callable[[], Awaitable[bool]]) -> None:
        """Wait until something is so; a table at which it never is, is stuck."""
        until = time.monotonic() + PATIENCE
        try:
            while not await is_so():
                if time.monotonic() > until:
                    raise TimeoutError(what)
                await asyncio.sleep(0.2)
        except TimeoutError as error:
            self.notes.stuck.append(f"{table.id}, {table.game}: {error}")
