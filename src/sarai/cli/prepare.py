"""Say what is going on while rules are compiled; nothing when they come from the cache."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from numba.core import event
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

import sarai
from sarai.cli.screen import Screen, output
from sarai.core.game import Game
from sarai.core.kernels.warm import USES, warm


class Announcer(event.Listener):  # type: ignore[misc]
    """Listens to the compiler, and lets the display begin when it really has something to do."""

    def __init__(self, progress: Progress, task: TaskID, announcement: str) -> None:
        self.progress = progress
        self.task = task
        self.announcement = announcement

    def on_start(self, event: Any) -> None:
        """Name the rule that is being compiled."""
        if self.announcement:
            self.progress.console.print(self.announcement, soft_wrap=True)
            self.announcement = ""
            if self.progress.console.is_terminal:
                self.progress.start()
        self.progress.update(self.task, rule=event.data["dispatcher"].__name__)

    def on_end(self, event: Any) -> None:
        """Go on showing the last rule until the next begins."""


@contextmanager
def announced(announcement: str, steps: int | None = None) -> Iterator[tuple[Progress, TaskID]]:
    """Show a progress bar, on the error output, from the first rule on that is compiled inside."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[rule]}", style="dim"),
    )
    progress = Progress(*columns, console=output(stderr=True), transient=True)
    task = progress.add_task("compiling", total=steps, rule="")
    with event.install_listener("numba:compile", Announcer(progress, task, announcement)):
        try:
            yield progress, task
        finally:
            if progress.live.is_started:
                progress.stop()


def prepare(game: Game, uses: Iterable[str]) -> None:
    """Have what a command needs of a game compiled."""
    names = list(uses)
    with announced(f"Compiling the rules of {game.title} for this machine; next time they are ready.", len(names)) as (
        progress,
        task,
    ):
        progress.update(task, description=game.title)
        for done, _ in enumerate(warm(game, names)):
            progress.update(task, completed=done)


def warm_all() -> None:
    """Have everything of all games and of their bots compiled."""
    from sarai.bots.ladder import LEVELS, warm_bots
    from sarai.core.kernels.cache import mark_compiled

    began = time.perf_counter()
    games = list(map(sarai.game, sarai.game_ids()))
    screen = Screen()
    steps = len(USES) + len(LEVELS)
    with announced("Compiling the rules and bots of all games for this machine.", len(games) * steps) as (
        progress,
        task,
    ):
        for number, game in enumerate(games):
            progress.update(task, description=game.title)
            for done, _ in enumerate(chain(warm(game), warm_bots(game))):
                progress.update(task, completed=number * steps + done)
            mark_compiled(game.id)
    screen.say(f"All games are ready, after {time.perf_counter() - began:.1f} s.")
