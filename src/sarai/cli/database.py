"""The commands `sarai db …`: a database is checked, saved, restored or moved."""

from functools import cache
from pathlib import Path

import sarai
from sarai.cli.terminal_io import Screen
from sarai.core.errors import Error
from sarai.core.kernels.warm import TO_REPLAY
from sarai.table.storage import backup_and_move
from sarai.table.storage.backup_and_move import Counts, connected, counts
from sarai.table.storage.store import address

__all__ = ["address", "back_up", "check", "move", "restore"]


def check(url: str) -> None:
    """Say what is wrong with a database, or that nothing is."""
    from sarai.cli.warm import warm_game

    @cache
    def load(game_id: str) -> None:
        warm_game(sarai.game(game_id), TO_REPLAY)

    screen, found = Screen(), 0
    with connected(url) as engine:
        for problem in backup_and_move.check(engine, load):
            found += 1
            screen.tell(f"{problem.table}: {problem.what}" if problem.table else problem.what)
        if found:
            raise Error("database_problems", count=found)
        say_counts(screen, "Everything is in order", counts(engine))


def back_up(url: str, file: Path, force: bool) -> None:
    """Save a database."""
    say_counts(Screen(), f"Saved to {file}", backup_and_move.back_up(url, file, force=force))


def restore(file: Path, url: str, force: bool) -> None:
    """Restore a database."""
    say_counts(Screen(), "Restored", backup_and_move.restore(file, url, force=force))


def move(url: str, target: str, force: bool) -> None:
    """Move a house."""
    moved = backup_and_move.move(url, target, force=force)
    say_counts(Screen(), "Moved and compared; the old database can only be read now", moved)


def say_counts(screen: Screen, what: str, found: Counts) -> None:
    """Say what was done, and to how much."""
    screen.tell(f"{what}: {found.tables} tables, {found.events} events.")
