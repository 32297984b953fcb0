"""A served house whose tables move only when a test moves them, and a clock in the browser that a test steps."""

import asyncio
import contextlib
import itertools
import socket
import threading
from types import SimpleNamespace

from in_memory_table import PEOPLE
from sarai.core.kernels.compile import COMPILED
from sarai.table.bots.pool import READY
from sarai.table.service.presence import Presence
from sarai.table.service.rate_limit import Limiter
from sarai.table.service.room import Absent
from sarai.table.storage.sessions import Session
from sarai.web.app import make_app
from sarai.web.connection_limits import server_config
from sarai.web.cookies import COOKIE, sign
from sarai.web.site import Site

SECRET = b"a still house"
CLOCK = """globalThis.saraiClock = { time: 0, waiting: null, now() { return this.time },
    next(tick) { this.waiting = tick },
    step(ms) { this.time += ms; const tick = this.waiting; this.waiting = null; tick?.() } }"""
PATIENCE = 15_000 if COMPILED else 240_000  # milliseconds


class NoTurns:
    """The turns of nobody, who is told so once."""

    told = False

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.told:
            await asyncio.Event().wait()
        self.told = True
        return []


class StillHouse:
    """The tables of a site, each a `Sitting`, by their ids."""

    def __init__(self):
        self.sittings, self.watches = {}, set()
        self.games = SimpleNamespace(status=lambda _: READY)
        self.presence = Presence(self.now)
        self.turns = SimpleNamespace(of=lambda _: [], watch=self.no_turns)
        self.limiter = Limiter(itertools.count(0.0, 1000.0).__next__)
        self.commands = []
        self.obeys = False  # whether commands of people are done, or only noted

    def now(self):
        return 0.0

    @contextlib.asynccontextmanager
    async def no_turns(self, _):
        yield NoTurns()

    async def table(self, id):
        return self.sittings[id].table

    async def look(self, id, *_):
        return self.sittings[id].table

    async def watchers(self, _):
        return 0

    @property
    def mutes(self):
        return self

    async def of(self, *_):
        return frozenset()

    @property
    def sessions(self):
        return self

    async def find(self, token):
        return Session("session", token[:22], "", 0.0, 0.0)

    async def holds(self, _):
        return True

    def note_address(self, *_):
        pass

    async def absent(self, *_):
        return Absent([], [])

    @property
    def people(self):
        return self

    async def person(self, id):
        return next(person for person in PEOPLE if person.id == id)

    async def arrive(self, *_):
        pass

    async def leave(self, *_):
        pass

    async def act(self, id, person, command, key=None, number=None):
        self.commands.append((id, person.name, command, number))
        if self.obeys:
            self.sittings[id].do(person, command)
            self.wake()
        return self.sittings[id].table.number

    def wake(self):
        for news in self.watches:
            news.set()

    @contextlib.asynccontextmanager
    async def watch(self, *_):
        news = asyncio.Event()
        news.set()
        self.watches.add(news)

        async def numbers():
            while True:
                await news.wait()
                news.clear()
                yield 0

        try:
            yield numbers()
        finally:
            self.watches.discard(news)


class ServedStillHouse(threading.Thread):
    """A still house on a socket while the block runs."""

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        import uvicorn

        self.loop, self.house = asyncio.get_running_loop(), StillHouse()
        opened = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{opened.getsockname()[1]}"
        self.site = Site(self.house, SECRET)
        self.server = uvicorn.Server(server_config(make_app(self.site), []))
        self.ready.set()
        await self.server.serve(sockets=[opened])

    def __enter__(self):
        self.ready = threading.Event()
        self.start()
        assert self.ready.wait(60)
        return self

    def __exit__(self, *error):
        self.loop.call_soon_threadsafe(self.site.close)
        self.server.should_exit = True
        self.join(60)

    def add(self, sitting, id):
        """Put a table into the house; return its path."""
        sitting.table.id = id
        self.house.sittings[id] = sitting
        return f"/tables/{id}"

    def play(self, id, moves):
        """Make moves (seat, move) at a table, then let its watchers look once."""

        async def go():
            for seat, move in moves:
                self.house.sittings[id].move(move, seat)
            self.house.wake()

        asyncio.run_coroutine_threadsafe(go(), self.loop).result(60)

    def visit(self, browser, seat=None, clock=True, **more):
        """Open a page of somebody with a browser of their own, the person of a seat or a stranger."""
        context = browser.new_context(base_url=self.address, **more)
        context.set_default_timeout(PATIENCE)
        if seat is not None:
            signed = sign(SECRET, f"{PEOPLE[seat].id} in a session")
            context.add_cookies([{"name": COOKIE, "value": signed, "url": self.address}])
        if clock:
            context.add_init_script(CLOCK)
        return context.new_page()
