"""`sarai serve`, and `sarai` alone: the house in the browser."""

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path

from rich.text import Text
from sqlalchemy.engine import make_url

from sarai.cli.screen import output
from sarai.web.log_lines import LogFormat
from sarai.web.serve import ServeSettings, serve


def announce(url: str, database: str) -> None:
    """Say where the house is, and where it keeps its tables."""
    console = output()
    parsed = make_url(database)
    kept = parsed.database if parsed.get_backend_name() == "sqlite" else parsed.render_as_string(hide_password=True)
    console.print(Text("Sarai is open: ", "bold").append(url, "bold cyan underline"), soft_wrap=True)
    console.print(Text(f"Tables are kept in {kept}. Ctrl-C closes the house; no move is lost.", "dim"), soft_wrap=True)


def run(work: Coroutine[object, object, None]) -> None:
    """Run something to its end, on the faster loop where there is one."""
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop

        uvloop.run(work)


def open_house(
    host: str,
    port: int | None,
    db: str | None,
    public_url: str | None,
    data_dir: Path | None,
    browser: bool,
    bot_pause: float,
    push_contact: str | None,
    metrics_port: int | None,
    log_format: LogFormat,
    trusted_proxies: str,
) -> None:
    """Serve until Ctrl-C."""
    settings = ServeSettings(
        host,
        port,
        db,
        public_url,
        data_dir,
        browser,
        bot_pause,
        push_contact,
        metrics_port,
        log_format,
        trusted_proxies,
    )
    run(serve(settings, announce))
