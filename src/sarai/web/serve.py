"""The server: one process for pages, others for bots, until it is stopped.

On an empty cache the process for pages runs without a compiler, so that games begin at once, while other processes
compile. When all is compiled it replaces itself by one that uses it: the same process number, the same socket, which
keeps the connections that come meanwhile waiting. Browsers connect again by themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from sarai.core.kernels.cache import was_compiled
from sarai.core.registry import game_ids
from sarai.table.bots.pool import BotPool
from sarai.table.refusals import Refused
from sarai.table.service.house import House
from sarai.table.storage.store import address
from sarai.web.app import make_app, make_site
from sarai.web.push.vapid import contact_of
from sarai.web.push.web_push import PushSettings
from sarai.web.site import Site

USUAL_PORT = 8080
MORE_PORTS = 50  # that are tried if none was asked for
FIRST_CHOICE = 5.0  # seconds in which the first visitor can choose a game before all are prepared in turn
BACKLOG = 2048
UNCOMPILED = "NUMBA_DISABLE_JIT"  # variables of the environment
SOCKET = "SARAI_SOCKET"
KEEP_ALIVE = 75  # seconds that an idle connection is kept
UNANSWERED = 20_000  # milliseconds after which a connection is given up whose client does not acknowledge what was sent


@dataclass(frozen=True)
class ServeSettings:
    """Where to listen, what to store where, and how it is shown."""

    host: str = "127.0.0.1"
    port: int | None = None
    db: str | None = None
    public_url: str | None = None
    data_dir: Path | None = None
    browser: bool = True
    bot_pause: float = 0.7  # seconds before a bot's move
    push_contact: str | None = None


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

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self.site = site
        self.is_replaced = False

    async def prepare(self, house: House) -> None:
        """Have all games prepared; then stop, to be replaced, if this process runs without a compiler."""
        is_compiled = await prepare_all(house)
        if is_compiled and house.games.bots.is_interpreted:
            self.is_replaced = self.should_exit = True

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
        self.site.close()
        await super().shutdown(sockets)


async def prepare_all(house: House) -> bool:
    """Have all games prepared; a game that a visitor chooses in the first seconds comes before them.

    Say whether all could be compiled.
    """
    if house.games.bots.is_interpreted:
        for game_id in game_ids():
            await house.games.load_here(game_id)
    await asyncio.sleep(FIRST_CHOICE)
    for game_id in game_ids():
        house.games.bots.prepare_later(game_id)
    for game_id in game_ids():  # one after the other: what people wait for comes in between
        await house.games.prepare_ahead(game_id)
    return all([await house.games.wait_for_compiler(game_id) for game_id in game_ids()])


# --- a server without a compiler replaces itself by one with it -----------------------------------------------------


def begins_uncompiled() -> bool:
    """Say whether to run without a compiler until all games are compiled, and see to it that Numba does."""
    is_cold = sys.platform != "win32" and not all(map(was_compiled, game_ids()))
    if is_cold:
        os.environ[UNCOMPILED] = "1"
    return is_cold


def inherited_socket() -> socket.socket | None:
    """Return the socket of the server that this one replaces, if it replaces one."""
    number = os.environ.pop(SOCKET, None)
    if number is None:
        return None
    opened = socket.socket(fileno=int(number))
    opened.set_inheritable(False)
    with contextlib.suppress(ChildProcessError):  # that the other server started and that end with it
        for _ in range(100):
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
    return opened


def replace_process(opened: socket.socket) -> None:
    """Run this program anew in this process, with its socket and with a compiler."""
    opened.set_inheritable(True)
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, sys.orig_argv, environment | {SOCKET: str(opened.fileno())})


async def load_all(house: House) -> None:
    """Load all games before the first request, which waits for it rather than being refused."""
    for game_id in game_ids():
        await house.games.prepare_ahead(game_id)


async def serve(settings: ServeSettings, announce: Callable[[str, str], None]) -> None:
    """Serve until stopped; `announce` gets the address and the database when pages can be opened."""
    push = PushSettings(contact_of(settings.public_url, settings.push_contact))
    replaced = inherited_socket()
    opened = replaced or listen(settings.host, settings.port)
    url, database = url_of(opened), address(settings.db, settings.data_dir)
    is_uncompiled = begins_uncompiled()
    bots = BotPool(games=(), is_interpreted=is_uncompiled)
    try:
        house = await House.open(database, bots, pause=settings.bot_pause)
    except BaseException:
        opened.close()
        raise
    bots.start()
    kept = opened.dup() if is_uncompiled else None  # the server closes its own when it stops
    try:
        if replaced is not None:
            await load_all(house)
        site = await make_site(house, settings.public_url, push)
        config = uvicorn.Config(
            make_app(site),
            http="httptools",
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=2,
            ws="none",
            backlog=BACKLOG,
        )
        gc.freeze()  # what is here now stays: the collector need not look at it again
        gc.set_threshold(50_000, 20, 50)
        if replaced is None:
            announce(settings.public_url or url, database)
            if settings.browser and has_desktop():
                asyncio.get_running_loop().call_later(0.3, webbrowser.open, url)
        server = Server(config, site)
        preparing = asyncio.create_task(server.prepare(house))
        await server.serve(sockets=[opened])
        preparing.cancel()
    finally:
        await house.close()
        await bots.close()
    if kept is not None and server.is_replaced:
        replace_process(kept)
