"""`sarai serve`, and `sarai` alone: the house in the browser; and `sarai work`, which thinks for its bots."""

import asyncio
import sys
from collections.abc import Coroutine

from rich.text import Text
from sqlalchemy.engine import make_url

from sarai.cli.terminal_io import output
from sarai.web.bot_only_server import BotServerSettings, work
from sarai.web.serve import ServeSettings, serve, serve_by_workers
from sarai.web.workers import Place


def announce(url: str, database: str) -> None:
    """Say where the house is, and where it keeps its tables."""
    console = output()
    parsed = make_url(database)
    kept = parsed.database if parsed.get_backend_name() == "sqlite" else parsed.render_as_string(hide_password=True)
    console.print(Text("Sarai is open: ", "bold").append(url, "bold cyan underline"), soft_wrap=True)
    console.print(Text(f"Tables are kept in {kept}. Ctrl-C closes the house; no move is lost.", "dim"), soft_wrap=True)


def announce_work(database: str) -> None:
    """Say for which tables this process thinks."""
    kept = make_url(database).render_as_string(hide_password=True)
    output().print(Text(f"Thinking for the bots of {kept}. Ctrl-C stops it; others go on.", "dim"), soft_wrap=True)


def think(settings: BotServerSettings) -> None:
    """Think for bots until Ctrl-C."""
    run(work(settings, announce_work))


def run(serving: Coroutine[object, object, None]) -> None:
    """Run something to its end, on the faster loop where there is one."""
    if sys.platform == "win32":
        asyncio.run(serving)
    else:
        import uvloop

        uvloop.run(serving)


def open_house(settings: ServeSettings) -> int:
    """Serve until Ctrl-C; return the exit code."""
    if settings.workers > 1 and Place.of_this_process() is None:
        return serve_by_workers(settings, announce)
    run(serve(settings, announce))
    return 0
