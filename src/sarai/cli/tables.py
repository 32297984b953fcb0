"""The commands `sarai tables` and `export`: tables of the database listed, and written as records."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from rich.table import Table as Grid
from rich.text import Text

import sarai
from sarai.cli.terminal_io import Screen
from sarai.core.errors import BadRecord, Error
from sarai.core.kernels.warm import TO_REPLAY
from sarai.core.records import SUFFIX, Record, from_json
from sarai.table import event_types
from sarai.table.refusals import Refused
from sarai.table.storage.store import Entry, Store, address
from sarai.table.storage.summaries import read_summaries
from sarai.table.table import FINISHED, PLAYING, Table

__all__ = ["address", "export", "show_tables"]

T = TypeVar("T")
MOST_TABLES = 10_000


def read_database(url: str, ask: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
    """Return what is read from a database; a file that does not exist is not made."""
    path = Path(url.removeprefix("sqlite+aiosqlite:///"))
    if url.startswith("sqlite") and not path.is_file():
        raise Error("file_unreadable", path=path, why="there is no such file")

    async def run() -> T:
        store = await Store.open(url)
        try:
            return await ask(store)
        finally:
            await store.close()

    return asyncio.run(run())


def show_tables(url: str, running: bool) -> None:
    """Print the tables."""

    async def ask(store: Store) -> list[bytes]:
        return await store.summaries(phases=(PLAYING,) if running else (), most=MOST_TABLES)

    screen, grid = Screen(), Grid("table", "game", "players", "state", "last change", header_style="bold")
    rows = read_database(url, ask)
    for summary in read_summaries(rows, None):
        seats = ", ".join(f"{seat.name} ({seat.bot})" if seat.bot else seat.name or "–" for seat in summary.seats)
        changed = f"{datetime.fromtimestamp(summary.changed):%Y-%m-%d %H:%M}"
        grid.add_row(
            summary.id,
            summary.game,
            Text("".join(letter if letter.isprintable() else " " for letter in seats)),
            summary.phase,
            changed,
        )
    if grid.row_count:
        screen.show(grid)
    if damaged := len(rows) - grid.row_count:
        screen.tell(f"Tables that cannot be read: {damaged}; sarai db check says why.")
    elif not rows:
        screen.tell("There are no tables.")


def export(url: str, ids: list[str], folder: Path, everything: bool) -> None:
    """Write records of tables whose games are over."""
    from sarai.cli.warm import warm_game

    async def ask(store: Store) -> dict[str, list[Entry]]:
        over = (
            [one.id for one in read_summaries(await store.summaries(phases=(FINISHED,), most=MOST_TABLES), None)]
            if everything
            else []
        )
        return {name: await store.log(name) for name in dict.fromkeys([*ids, *over])}

    if not folder.is_dir():
        raise BadRecord("file_unwritable", path=folder, why="there is no such folder")
    screen, logs = Screen(), read_database(url, ask)
    for name, entries in logs.items():
        if not entries or not isinstance(entries[0].event, event_types.Created) or not name.isalnum():
            raise Refused("no_such_table")
        if not any(isinstance(entry.event, event_types.Ended) for entry in entries):
            raise Refused("not_over")
        warm_game(sarai.game(entries[0].event.game), TO_REPLAY)
        record = record_of(name, entries)
        path = folder / f"{record.game.id}-{name}{SUFFIX}"
        record.save(path)
        screen.tell(str(path))
    if not logs:
        screen.tell("There is nothing to write: name tables, or ask for --all.")


def record_of(id: str, entries: list[Entry]) -> Record:
    """Return the record of a finished table."""
    table = Table.fold(id, [(entry.number, entry.event) for entry in entries])
    return from_json(json.loads(json.dumps(table.record(None))))
