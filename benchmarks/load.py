"""How many tables a house serves: people at many tables of all games move by a timetable, whatever the house does.

`python benchmarks/load.py --tables 1000 --rate 200 --seconds 60 --db sqlite` starts `sarai serve` on data of its own,
lays tables for two to four people, some with bots or with spectators, opens everybody's stream, and then sends moves,
lines of talk and requests for pages at moments drawn beforehand. Each is timed from that moment: a house that falls
behind is charged for what waits. It ends with 1 if a promise is broken. `--workers 1 2 4` measures one after the other.
A machine is not always as fast. To compare what a move costs with one, two and four processes, `--workers 1 2 4
--turns 12` has three servers run at once, each with tables of its own, and asks for moves at one after the other.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import sys
import time
from collections import Counter, defaultdict, deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from statistics import mean, stdev
from typing import Any

import psutil
import uvloop

import sarai
from clients import LOST, Browser, Table, start_table, wait_for_games
from servers import STORES, Server, megabytes, processor_seconds, served, touch_memory, tree

AT_ONCE = 8  # tables that are laid at the same time
CALM = 3.0  # seconds between the last table and the first move
VISITS = 8  # of each page and process before the first move: what a process makes once is not what a move costs
TAIL = 0.5  # seconds between two turns: what one server has still to do is not done in the other's
PATIENCE = 10.0  # seconds after the last moment of the timetable in which everything has to be answered
WATCHED = 5  # every fifth table has a spectator
BOTS = {10: ("novice",), 25: ("regular",)}  # every tenth table has a novice, every 25th a regular bot
PAGES = ("/", "/rules/desert", "/mine", "/tables/{id}", "/tables/{id}", "/api/tables/{id}")
KEPT_MOVES = 0.98  # of the moves that were asked for, the part that must be made
SHARED_COST = 1.15  # how much more a move may cost with several processes than with one


@dataclass
class Figures:
    """What was measured; times in seconds from the moment that the timetable named."""

    asked: int = 0
    answers: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)  # at another client
    talk: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)  # 5xx, lost connections, what never arrived
    games: int = 0  # that ended, and were followed by others


class Play:
    """One run against a server."""

    def __init__(self, port: int, wishes: argparse.Namespace) -> None:
        self.port, self.wishes, self.rng = port, wishes, random.Random(wishes.seed)
        self.figures = Figures()
        self.tables: list[Table] = []
        self.table_of: dict[Browser, Table] = {}
        self.ready: deque[Browser] = deque()  # who can move, who waited longest first
        self.is_ready: set[Browser] = set()
        self.is_moving: set[Browser] = set()  # whose move is not answered yet: its stream may be quicker
        self.backlog: deque[float] = deque()  # moments at which nobody could move
        self.waits: dict[Browser, deque[tuple[int, float]]] = {}  # numbers that have to be seen, and their moments
        self.streams: dict[Browser, asyncio.Task[None]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.numbers: dict[str, int] = {}  # of tables: what kind they are
        self.addresses = 0
        self.is_over = False

    # --- tables ---------------------------------------------------------------------------------------------------

    def browser(self, cookie: str = "") -> Browser:
        """Return a person's browser, at an address of its own on this machine."""
        self.addresses += 1
        high, low = divmod(self.addresses, 250)
        return Browser(self.port, f"127.1.{high}.{low + 1}", cookie)

    async def lay_all(self) -> None:
        """Lay all tables, and open all streams."""
        numbers = iter(range(self.wishes.tables))

        async def lay_some() -> None:
            for number in numbers:
                await self.lay(number)

        await asyncio.gather(*(lay_some() for _ in range(AT_ONCE)))

    async def lay(self, number: int, people: list[Browser] | None = None) -> None:
        """Lay a table with its people, bots and spectators; open their streams."""
        game, kinds = sarai.game_ids()[number % len(sarai.game_ids())], sorted(BOTS, reverse=True)
        bots = next((BOTS[every] for every in kinds if number % every == 0 and self.wishes.bots), ())
        if people is None:
            people = [self.browser() for _ in range(1 if bots else 2 + (number // 5) % 3)]
        players = sarai.game(game).players
        bots += bots[:1] * (players[0] - len(people) - len(bots))
        table = await start_table(people[: players[-1]], game, f"P{number}", bots)
        if number % WATCHED == 0:
            table.viewers.append(self.browser())
        self.tables.append(table)
        self.numbers[table.id] = number
        for browser in (*table.people, *table.viewers):
            self.table_of[browser] = table
            self.waits[browser] = deque()
            self.streams[browser] = asyncio.create_task(self.listen(browser, table.id))

    async def visit_pages(self, processes: int) -> None:
        """Load every page at every process, which one takes a connection is chance; none of it counts."""
        for number in range(VISITS * processes):
            for page in dict.fromkeys(PAGES):
                table = self.tables[number % len(self.tables)]
                visitor = self.browser(table.people[0].cookie)  # one person may not ask for so many
                await self.ask(visitor, "GET", page.replace("{id}", table.id))
                visitor.hang_up()

    async def lay_again(self, table: Table) -> None:
        """Lay another table for the people of one whose game is over."""
        for browser in (*table.people, *table.viewers):
            self.streams[browser].cancel()
        await self.lay(self.numbers[table.id], table.people)

    async def listen(self, browser: Browser, table: str) -> None:
        """Read a stream; one that ends before the game is a failure."""
        with contextlib.suppress(*LOST):
            await browser.listen(table, self.on_event)
        if not (self.is_over or browser.over):
            self.figures.failed["stream ended"] += 1

    def on_event(self, browser: Browser) -> None:
        """Note what a client was shown, and whether it can move now."""
        waits, now = self.waits[browser], time.perf_counter()
        while waits and waits[0][0] <= browser.number:
            self.figures.shown.append(now - waits.popleft()[1])
        if len(browser.arrived) > 100:
            browser.arrived = {number: at for number, at in browser.arrived.items() if number > browser.number - 20}
        self.note_ready(browser)
        table = self.table_of[browser]
        if browser.over and table in self.tables and not self.is_over:
            self.tables.remove(table)
            self.figures.games += 1
            self.start(self.lay_again(table))  # nobody waits for it

    def note_ready(self, browser: Browser) -> None:
        """Note whether a person can move now; one who does may be waited for."""
        if browser.moves and browser not in self.is_ready and browser not in self.is_moving:
            self.is_ready.add(browser)
            self.ready.append(browser)
            if self.backlog:
                self.move(self.backlog.popleft())

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside the timetable."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.end)

    def end(self, task: asyncio.Task[None]) -> None:
        """Forget a task that has ended; one that went wrong is a failure."""
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.figures.failed[repr(error)] += 1

    # --- the timetable --------------------------------------------------------------------------------------------

    async def keep_timetable(self, seconds: float) -> None:
        """Ask for moves, talk and pages at their moments, which do not depend on any answer."""
        wishes, rng = self.wishes, self.rng
        whole = wishes.rate + wishes.talk + wishes.pages
        due = time.perf_counter()
        until = due + seconds
        while True:
            due += rng.expovariate(whole) if wishes.timetable == "poisson" else 1 / whole
            if due >= until:
                return
            if (now := time.perf_counter()) < due:
                await asyncio.sleep(due - now)
            kind = rng.random() * whole
            if kind < wishes.rate:
                self.figures.asked += 1
                self.move(due)
            elif kind < wishes.rate + wishes.talk:
                self.start(self.say(due, rng.choice(self.tables)))
            else:
                self.start(self.load_page(due, rng.choice(self.tables)))

    def move(self, due: float) -> None:
        """Let the person move who has waited longest; if nobody can, the next who can."""
        while self.ready:
            mover = self.ready.popleft()
            self.is_ready.discard(mover)
            if mover.moves:
                self.start(self.send_move(due, mover))
                return
        self.backlog.append(due)

    async def send_move(self, due: float, mover: Browser) -> None:
        """Send a move, and note when it is answered and when another client sees it."""
        table, moves = self.table_of[mover], mover.moves
        mover.moves = []
        command = {"type": "Move", "move": self.rng.choice(moves)}
        action = {"command": command, "key": f"{self.rng.getrandbits(60)}", "number": mover.number}
        self.is_moving.add(mover)
        said = await self.ask(mover, "POST", f"/api/tables/{table.id}/act", action)
        self.is_moving.discard(mover)
        if said is None:
            mover.moves = mover.moves or moves
        self.note_ready(mover)
        if said is None:
            return
        self.figures.answers.append(time.perf_counter() - due)
        others = [other for other in (*table.people, *table.viewers) if other is not mover] or [mover]
        other, number = self.rng.choice(others), said["number"]
        if other.number >= number:
            self.figures.shown.append(other.arrived.get(number, time.perf_counter()) - due)
        else:
            self.waits[other].append((number, due))

    async def say(self, due: float, table: Table) -> None:
        """Write a line of talk."""
        command = {"type": "Chat", "text": f"hello {self.rng.randrange(1000)}"}
        speaker = self.browser(self.rng.choice(table.people).cookie)
        if await self.ask(speaker, "POST", f"/api/tables/{table.id}/act", {"command": command}) is not None:
            self.figures.talk.append(time.perf_counter() - due)
        speaker.hang_up()

    async def load_page(self, due: float, table: Table) -> None:
        """Load a page as a player does who opens another tab."""
        visitor = self.browser(self.rng.choice(table.people).cookie)
        if await self.ask(visitor, "GET", self.rng.choice(PAGES).replace("{id}", table.id)) is not None:
            self.figures.pages.append(time.perf_counter() - due)
        visitor.hang_up()

    async def ask(self, browser: Browser, method: str, path: str, body: object = None) -> Any:
        """Send a request; return what was answered, None if it was not what one asked for."""
        try:
            status, content = await browser.send(method, path, body)
        except LOST as error:
            self.figures.failed[type(error).__name__] += 1
            return None
        said: Any = {} if not path.startswith("/api/") else json.loads(content)
        if status == 200:
            return said
        reason = f"{status} {said.get('reason', '')}"
        (self.figures.failed if status >= 500 else self.figures.refused)[reason] += 1
        return None

    async def finish(self) -> None:
        """Wait for what was asked for; what does not come is a failure. Then hang up."""
        until = time.perf_counter() + PATIENCE
        while (self.tasks or self.backlog or any(self.waits.values())) and time.perf_counter() < until:
            await asyncio.sleep(0.02)
        unseen = sum(map(len, self.waits.values()))
        self.figures.failed += Counter({"never moved": len(self.backlog), "never shown": unseen})
        self.is_over = True
        for stream in (*self.streams.values(), *self.tasks):
            stream.cancel()
        await asyncio.gather(*self.streams.values(), *self.tasks, return_exceptions=True)


class Measurement:
    """A server that is measured, once or in several turns, and what it used."""

    def __init__(self, server: Server, database: int | None, wishes: argparse.Namespace) -> None:
        self.server, self.database, self.play = server, database, Play(server.port, wishes)
        self.groups: dict[str, list[psutil.Process]] = {}
        self.used: Counter[str] = Counter()  # seconds of processors, by group
        self.each: list[float] = []  # those of each web process
        self.costs: list[float] = []  # of a move, in processor milliseconds of web processes, in each turn
        self.passed = 0.0
        self.memory: dict[str, float] = {}

    async def prepare(self) -> None:
        """Lay the tables, and have everything made that is made once."""
        await wait_for_games(self.server.port)
        await self.play.lay_all()
        await asyncio.sleep(min(CALM, self.play.wishes.seconds))
        web, bots = self.server.processes()
        await self.play.visit_pages(len(web))
        database = tree(self.database) if self.database else []
        self.groups = {"web": web, "bots": bots, "database": database, "generator": [psutil.Process()]}
        self.each = [0.0] * len(web)
        told = f"{len(self.play.tables)} tables are laid, {len(self.play.streams)} streams open"
        print(told, file=sys.stderr, flush=True)

    async def take_turn(self, seconds: float) -> None:
        """Ask for moves for some seconds, and add up what that takes."""
        made = len(self.play.figures.answers)
        before = {name: processor_seconds(group) for name, group in self.groups.items()}
        each_before = [processor_seconds([process]) for process in self.groups["web"]]
        began = time.perf_counter()
        await self.play.keep_timetable(seconds)
        self.passed += time.perf_counter() - began
        used = {name: processor_seconds(group) - before[name] for name, group in self.groups.items()}
        self.used.update(used)
        for number, process in enumerate(self.groups["web"]):
            self.each[number] += processor_seconds([process]) - each_before[number]
        self.costs.append(1000 * used["web"] / max(1, len(self.play.figures.answers) - made))

    async def finish(self) -> None:
        """Wait for what was asked for, and hang up."""
        self.memory = {name: megabytes(group) for name, group in self.groups.items() if group}
        await self.play.finish()


async def measure_in_turns(measured: Sequence[Measurement], wishes: argparse.Namespace) -> None:
    """Ask for moves at one server after the other, as often as was wished."""
    for one in measured:
        await one.prepare()
    for turn in range(wishes.turns):
        for one in measured if turn % 2 == 0 else reversed(measured):
            await one.take_turn(wishes.seconds / wishes.turns)
            if len(measured) > 1:
                await asyncio.sleep(TAIL)
    for one in measured:
        await one.finish()


def within(times: list[float], share: float) -> float:
    """Return the milliseconds within which a share of the times lie."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("inf")


def report(measured: Measurement, wishes: argparse.Namespace, workers: int) -> list[str]:
    """Print the figures; return which promises are broken."""
    figures, passed, used = measured.play.figures, measured.passed, measured.used
    made = len(figures.answers)
    print(f"{wishes.db}, {workers} web processes, {wishes.tables} tables, {len(measured.play.streams)} streams")
    print(f"  moves a second: {figures.asked / passed:.1f} asked, {made / passed:.1f} made, seed {wishes.seed}")
    for name, times in (
        ("to the answer", figures.answers),
        ("to another client", figures.shown),
        ("talk", figures.talk),
        ("pages", figures.pages),
    ):
        shares = ", ".join(f"{100 * share:.0f} % {within(times, share):.0f}" for share in (0.5, 0.95, 0.99, 1.0))
        print(f"  ms from the timetable, {name:18} {shares}  ({len(times)})")
    shares = ", ".join(f"{name} {1000 * seconds / max(1, made):.2f}" for name, seconds in used.items())
    print(f"  processor ms a move: {shares}")
    shares = ", ".join(f"{1000 * seconds / passed:.0f}" for seconds in measured.each)
    print(f"  processor ms a second of each web process: {shares}")
    print("  megabytes: " + ", ".join(f"{name} {size:.0f}" for name, size in measured.memory.items()))
    print(f"  refused: {dict(figures.refused)}, failed: {dict(figures.failed)}, games ended: {figures.games}")
    broken = [f"failed: {what}" for what in figures.failed]
    if made < KEPT_MOVES * figures.asked:
        broken.append(f"{made} of {figures.asked} moves were made")
    for name, times in (("to the answer", figures.answers), ("to another client", figures.shown)):
        if within(times, 0.95) >= wishes.p95:
            broken.append(f"95 % of the moves took {within(times, 0.95):.0f} ms {name}")
    return broken


def compare(costs: dict[int, list[float]], first: int) -> list[str]:
    """Print what a move costs with each number of processes beside the first; return which are too dear."""
    broken = []
    for workers in [number for number in costs if number != first]:
        ratio = mean(costs[workers]) / mean(costs[first])
        told = f"{workers} web processes: a move costs {ratio:.3f} times as much as with {first}"
        ratios = [cost / beside for cost, beside in zip(costs[workers], costs[first], strict=False)]
        error = stdev(ratios) / len(ratios) ** 0.5 if len(ratios) > 1 else float("nan")
        print(f"{told}, standard error {error:.3f} ({', '.join(f'{cost:.2f}' for cost in costs[workers])} ms)")
        if ratio > SHARED_COST:
            broken.append(told)
    return broken


def main() -> None:
    """Start a server for each number of processes, measure it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=200, help="moves a second at all tables together")
    parser.add_argument("--talk", type=float, default=4, help="lines of talk a second")
    parser.add_argument("--pages", type=float, default=4, help="pages a second")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--turns", type=int, default=1, help="in which servers that run at once have their seconds")
    parser.add_argument("--timetable", choices=("poisson", "fixed"), default="poisson")
    parser.add_argument("--db", choices=STORES, default="sqlite")
    parser.add_argument("--workers", type=int, nargs="+", default=[1], help="web processes; several need PostgreSQL")
    parser.add_argument("--bots", action=argparse.BooleanOptionalAction, default=True, help="bots at some tables")
    parser.add_argument("--p95", type=float, default=250, help="milliseconds that are promised for 95 %% of the moves")
    parser.add_argument("--seed", type=int, default=1)
    wishes = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is stopped first
    costs, broken = defaultdict[int, list[float]](list), list[str]()
    print(f"{time.strftime('%Y-%m-%d')}, {' '.join(sys.argv[1:])}")
    touch_memory(wishes.tables * len(set(wishes.workers)) if wishes.turns > 1 else wishes.tables)
    at_once = [wishes.workers] if wishes.turns > 1 else [[workers] for workers in wishes.workers]
    for together in at_once:
        with contextlib.ExitStack() as servers:
            measured = [Measurement(*servers.enter_context(served(wishes.db, workers)), wishes) for workers in together]
            uvloop.run(measure_in_turns(measured, wishes))
        for workers, one in zip(together, measured, strict=True):
            costs[workers] += one.costs
            broken += [f"{workers} web processes: {what}" for what in report(one, wishes, workers)]
    broken += compare(costs, wishes.workers[0])
    for what in broken:
        print(f"BROKEN: {what}")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
