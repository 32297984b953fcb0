"""`sarai work`: a server without pages, which computes bots' moves for houses on the same database."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import uvicorn
from sqlalchemy.engine import make_url

from sarai.core.registry import game_ids
from sarai.table.bots.pool import BotPool
from sarai.table.refusals import Refused
from sarai.table.service.house import House
from sarai.table.storage.processes import WORK
from sarai.table.storage.store import address
from sarai.web.connection_limits import server_config
from sarai.web.garbage import collect, collect_when_quiet
from sarai.web.log_lines import LogFormat, set_up_log
from sarai.web.monitoring import Monitoring
from sarai.web.push.subscribe_and_send import PushSettings, WebPush
from sarai.web.push.vapid import contact_of
from sarai.web.serve import LOOPBACK, listen


@dataclass(frozen=True)
class BotServerSettings:
    """Which database to think for, and how."""

    db: str | None = None
    bots: int | None = None  # processes that think; one for each processor if not said
    bot_pause: float = 0.7  # seconds before a bot's move
    public_url: str | None = None
    push_contact: str | None = None
    log_format: LogFormat = "plain"
    metrics_port: int | None = None  # of this machine only; without one there are no metrics


class MetricsServer(uvicorn.Server):
    """Serves metrics beside the work, which is told to stop and then ends it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


async def work(settings: BotServerSettings, announce: Callable[[str], None]) -> None:
    """Think until stopped; `announce` gets the database when that begins."""
    # a bot's move may begin a person's turn: who writes it tells them
    push = PushSettings(contact_of(settings.public_url, settings.push_contact))
    database = address(settings.db)
    if make_url(database).get_backend_name() == "sqlite":
        raise Refused("workers_need_postgresql")
    set_up_log(settings.log_format)
    opened = [listen(LOOPBACK, settings.metrics_port)] if settings.metrics_port is not None else []
    bots = BotPool(settings.bots, games=())
    try:
        house = await House.open(database, bots, pause=settings.bot_pause, kind=WORK)
    except BaseException:
        for one in opened:
            one.close()
        raise
    monitoring = Monitoring(house)
    metrics = MetricsServer(server_config(monitoring.metrics_app()))
    bots.start()
    try:
        await WebPush.open(house, push)
        stopped = stop_signal()
        announce(database)
        house.start(prepare_all(house))
        house.start(collect_when_quiet())
        house.start(monitoring.lag.run())
        serving = asyncio.create_task(metrics.serve(opened)) if opened else None
        await stopped.wait()
        metrics.should_exit = True
        if serving is not None:
            await serving
    finally:
        await house.close()
        await bots.close()


async def prepare_all(house: House) -> None:
    """Have all games ready before they are asked for."""
    for game_id in game_ids():
        await house.games.prepare_ahead(game_id)
    collect()  # what loading them left


def stop_signal() -> asyncio.Event:
    """Return what is set at Ctrl-C, and when this process is asked to terminate."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    return stopped
