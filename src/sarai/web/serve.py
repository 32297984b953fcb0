"""The server: one process for pages, others for bots, until it is stopped.

On an empty cache the process for pages runs without a compiler, so that games begin at once, while other processes
compile. When all is compiled it replaces itself by one that uses it: the same process number, the same socket, which
keeps the connections that come meanwhile waiting. Browsers connect again by themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import uvicorn
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from sarai.core.errors import Error
from sarai.core.kernels.cache import was_tried
from sarai.core.language import offered_languages
from sarai.core.processor_affinity import processors, stay_on_processor, use_all_processors
from sarai.core.registry import game_ids
from sarai.table.bots.pool import BotPool
from sarai.table.refusals import Refused
from sarai.table.service.aligned_timers import seconds_to_tick
from sarai.table.service.house import House
from sarai.table.storage.file_lock import FileLock
from sarai.table.storage.store import address
from sarai.web.app import make_app, make_site
from sarai.web.client_addresses import read_proxies
from sarai.web.connection_limits import BACKLOG, BoundedProtocol, server_config
from sarai.web.connection_routing import ConnectionRouting, sockets_folder
from sarai.web.garbage import collect, collect_when_quiet
from sarai.web.log_lines import LogFormat, set_up_log
from sarai.web.push.subscribe_and_send import PushSettings
from sarai.web.push.vapid import contact_of
from sarai.web.site import Site
from sarai.web.workers import SOCKETS, Place, Supervisor, share_of

USUAL_PORT = 8080
MORE_PORTS = 50  # that are tried if none was asked for
FIRST_CHOICE = 5.0  # seconds in which the first visitor can choose a game before all are prepared in turn
LOOPBACK = "127.0.0.1"
UNCOMPILED = "NUMBA_DISABLE_JIT"  # variables of the environment
Announce = Callable[[str, str], None]
LOOK_SECONDS = 0.5  # between two looks whether to stop, at which the date in answers is set, too
DATABASE_SECONDS = 0.3  # between two tries of a worker to open the database
T = TypeVar("T")
UNANSWERED = 20_000  # milliseconds after which a connection is given up whose client does not acknowledge what was sent
UNSENT = 128 << 10  # bytes that the kernel holds for a client beyond what is on its way to it


@dataclass(frozen=True)
class ServeSettings:
    """Where to listen, what to store where, and how it is shown."""

    host: str = LOOPBACK
    port: int | None = None
    db: str | None = None
    public_url: str | None = None
    data_dir: Path | None = None
    browser: bool = True
    bot_pause: float = 0.7  # seconds before a bot's move
    push_contact: str | None = None
    metrics_port: int | None = None  # of this machine only; without one there are no metrics
    log_format: LogFormat = "plain"
    trusted_proxies: str = ""  # addresses and networks, with commas between
    workers: int = 1  # processes that serve pages
    bots: int | None = None  # processes that think, of all workers together; one for each processor if not said


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens: at the port asked for, or at the first free one from the usual on."""
    ports = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + MORE_PORTS), 0]
    for candidate in ports:
        try:
            return bound(host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or port is not None:
                taken = error.errno == errno.EADDRINUSE
                why = error.strerror or str(error)
                raise Refused(
                    "port_taken" if taken else "cannot_listen",
                    host=host,
                    port=candidate,
                    **({} if taken else {"why": why}),
                ) from None
    raise AssertionError("port 0 is always free")


def listen_all(settings: ServeSettings) -> list[socket.socket]:
    """Return the socket for people and, if a port for metrics was asked for, one for the metrics of each worker."""
    opened = [listen(settings.host, settings.port)]
    try:
        for index in range(settings.workers if settings.metrics_port is not None else 0):
            opened += [listen(LOOPBACK, settings.metrics_port and settings.metrics_port + index)]
    except Refused:
        for one in opened:
            one.close()
        raise
    return opened


def bound(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, place = found[0]
    opened = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it: whoever lost the network is soon gone
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # the kernel would keep megabytes for each client that does not read
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
        opened.bind(place)
        opened.listen(BACKLOG)
    except OSError:
        opened.close()
        raise
    return opened


def url_of(opened: socket.socket) -> str:
    """Return the address of a socket as one types it into a browser."""
    host, port = opened.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def has_desktop() -> bool:
    """Say whether a browser can be opened here."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Server(uvicorn.Server):
    """A server that ends the streams first when it is asked to stop."""

    _should_exit = False
    _wake: Callable[[], object] = staticmethod(lambda: None)

    def __init__(
        self, config: uvicorn.Config, site: Site, place: Place | None, routing: ConnectionRouting | None = None
    ) -> None:
        super().__init__(config)
        self.site, self.place, self.routing = site, place, routing
        self.is_replaced = False

    @property
    def should_exit(self) -> bool:
        """Whether the server is to stop."""
        return self._should_exit

    @should_exit.setter
    def should_exit(self, value: bool) -> None:
        self._should_exit = value
        if value:
            self._wake()

    async def main_loop(self) -> None:
        """Serve until it is to stop; it looks twice a second, and at once when it is told to."""
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        self._wake = lambda: loop.call_soon_threadsafe(stopped.set)
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), seconds_to_tick(LOOK_SECONDS))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        if self.routing is not None:
            self.routing.open(self._take)
        if self.place is not None:
            self.place.tell_ready()

    def _take(self, first: bytes) -> BoundedProtocol:
        """Return the protocol of a connection of which another worker has read the first bytes."""
        protocol: BoundedProtocol = self.config.http_protocol_class(  # type: ignore[call-arg, assignment]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        protocol.first = first
        return protocol

    async def on_tick(self, counter: int) -> bool:
        """Say whether to stop; a worker does when nobody is there who would start it again."""
        if self.place is not None and self.place.is_orphan:
            self.should_exit = True
        return await super().on_tick(counter)

    async def prepare(self, house: House) -> None:
        """Have all games prepared; then stop, to be replaced, if this process runs without a compiler."""
        await prepare_all(house)
        if house.games.bots.is_interpreted and all(map(was_tried, game_ids())):
            self.is_replaced = self.should_exit = True
        else:
            collect()  # what loading the games left

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at Ctrl-C and when asked to terminate, whatever these signals did before; then close in order."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything else."""
        if self.routing is not None:
            await self.routing.close()
        self.site.close()
        await super().shutdown(sockets)


async def prepare_all(house: House) -> None:
    """Have all games prepared; a game that a visitor chooses in the first seconds comes before them."""
    if house.games.bots.is_interpreted:
        for game_id in game_ids():
            await house.games.load_here(game_id)
    await asyncio.sleep(FIRST_CHOICE)
    for game_id in game_ids():
        house.games.bots.prepare_later(game_id)
    for game_id in game_ids():  # one after the other: what people wait for comes in between
        await house.games.prepare_ahead(game_id)
    for game_id in game_ids():
        await house.games.wait_for_compiler(game_id)


# --- a server without a compiler replaces itself by one with it -----------------------------------------------------


def begins_uncompiled() -> bool:
    """Say whether to run without a compiler until all games are compiled, and see to it that Numba does."""
    is_cold = sys.platform != "win32" and not all(map(was_tried, game_ids()))
    if is_cold:
        os.environ[UNCOMPILED] = "1"
    return is_cold


def inherited_sockets() -> list[socket.socket]:
    """Return the sockets of the server that this one replaces, none if it replaces none."""
    if not (numbers := os.environ.pop(SOCKETS, "")):
        return []
    opened = [socket.socket(fileno=int(number)) for number in numbers.split(",")]
    for one in opened:
        one.set_inheritable(False)
    with contextlib.suppress(ChildProcessError):  # that the other server started and that end with it
        for _ in range(100):
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
    return opened


def replace_process(opened: Sequence[socket.socket], lock: FileLock | None = None) -> None:
    """Run this program anew in this process, with its sockets, its lock of the database and with a compiler."""
    for one in opened:
        one.set_inheritable(True)
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    sys.stdout.flush()
    sys.stderr.flush()
    environment |= {SOCKETS: ",".join(str(one.fileno()) for one in opened)} | (lock.variables() if lock else {})
    use_all_processors()  # the new program would only know of the one on which the event loop was kept
    os.execve(sys.executable, sys.orig_argv, environment)


async def load_all(house: House) -> None:
    """Load all games before the first request, which waits for it rather than being refused."""
    for game_id in game_ids():
        await house.games.prepare_ahead(game_id)


async def load_played(house: House) -> None:
    """Load the games that are being played before the first request: who plays waits, and is not refused."""
    for game_id in await house.store.games_played():
        if game_id in game_ids():
            await house.games.prepare_ahead(game_id)


def require_shared(settings: ServeSettings, database: str) -> None:
    """Refuse what needs several processes where there can be only one."""
    if settings.workers > 1 and sys.platform == "win32":
        raise Refused("workers_unsupported")
    if (settings.workers > 1 or settings.bots == 0) and make_url(database).get_backend_name() == "sqlite":
        raise Refused("workers_need_postgresql")


def open_doors(settings: ServeSettings, url: str, database: str, announce: Announce) -> None:
    """Say that pages can be opened, and open one in a browser if there is one."""
    address = settings.public_url or url
    announce(address, database)
    if settings.browser and has_desktop():
        opening = threading.Timer(0.3, webbrowser.open, [address if address.startswith("https:") else url])
        opening.daemon = True
        opening.start()


def serve_by_workers(settings: ServeSettings, announce: Announce) -> int:
    """Have workers serve until stopped; return the exit code."""
    database = address(settings.db, settings.data_dir)
    require_shared(settings, database)
    contact_of(settings.public_url, settings.push_contact)
    set_up_log(settings.log_format)
    people, *metrics = listen_all(settings)
    sockets = [[people, *metrics[index : index + 1]] for index in range(settings.workers)]
    try:
        with sockets_folder() as variables:
            opens = partial(open_doors, settings, url_of(people), database, announce)
            return Supervisor(sockets, opens, variables).run()
    finally:
        for one in (people, *metrics):
            one.close()


async def with_database(place: Place | None, work: Callable[[], Awaitable[T]]) -> T:
    """Do what needs the database; a worker of a server that is open already waits for it.

    Starting takes longer than an outage: a worker that gave up each time would not come to serve between two of them.
    """
    while True:
        try:
            return await work()
        except (Error, DBAPIError, OSError):
            if place is None or not place.is_later or place.is_orphan:
                raise
            await asyncio.sleep(DATABASE_SECONDS)


def keep_loop_on(processor: int) -> None:
    """Keep the event loop's thread on a processor; the threads of its executor may run on all of them.

    Otherwise the system moves it between processors with nearly every move, which then costs up to a quarter more.
    """
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(initializer=use_all_processors))
    stay_on_processor(processor)


async def serve(settings: ServeSettings, announce: Announce) -> None:
    """Serve until stopped; `announce` gets the address and the database when pages can be opened."""
    proxies = read_proxies(settings.trusted_proxies)
    push = PushSettings(contact_of(settings.public_url, settings.push_contact))
    database = address(settings.db, settings.data_dir)
    require_shared(settings, database)
    set_up_log(settings.log_format)
    inherited, place = inherited_sockets(), Place.of_this_process()
    opened = inherited or listen_all(settings)
    port = opened[0].getsockname()[1]
    routing = ConnectionRouting.of_worker(place.number, settings.workers, port) if place is not None else None
    if routing is not None and routing.processor is not None:
        keep_loop_on(routing.processor)
    is_uncompiled = begins_uncompiled()
    thinkers = processors() if settings.bots is None else settings.bots
    if place is not None:
        thinkers = share_of(thinkers, settings.workers, place.number)
    bots = BotPool(thinkers, games=(), is_interpreted=is_uncompiled)
    try:
        house = await with_database(place, lambda: House.open(database, bots, pause=settings.bot_pause))
    except BaseException:
        for one in opened:
            one.close()
        raise
    bots.start()
    await asyncio.to_thread(offered_languages)  # catalogs are read once: no visitor waits for it
    kept = [one.dup() for one in opened] if is_uncompiled else []  # the server closes its own when it stops
    lock = house.lock.leave() if is_uncompiled and house.lock is not None else None
    try:
        if inherited and not is_uncompiled:
            await load_all(house)
        elif not is_uncompiled:
            await load_played(house)
        site = await with_database(place, lambda: make_site(house, settings.public_url, push))
        app = make_app(site, opened[1].getsockname()[1] if opened[1:] else None)
        if routing is not None:
            house.may_make = routing.may_make
        config = server_config(app, proxies, routing)
        house.start(collect_when_quiet())
        if not inherited:
            open_doors(settings, url_of(opened[0]), database, announce)
        server = Server(config, site, place, routing)
        preparing = asyncio.create_task(server.prepare(house))
        await server.serve(sockets=opened)
        preparing.cancel()
    finally:
        await house.close()
        await bots.close()
    if kept and server.is_replaced:
        replace_process(kept, lock)
