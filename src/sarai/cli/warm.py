"""The command `sarai warm`, and the progress that every command shows while it compiles rules."""

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


class CompileListener(event.Listener):  # type: ignore[misc]
    """Shows a progress bar as soon as Numba really compiles; nothing while kernels come from the cache."""

    def __init__(self, progress: Progress, task: TaskID, announcement: str) -> None:
        self.progress = progress
        self.task = task
        self.announcement = announcement

    def on_start(self, event: Any) -> None:
        """Name the kernel that is being compiled."""
        if self.announcement:
            self.progress.console.print(self.announcement, soft_wrap=True)
            self.announcement = ""
            if self.progress.console.is_terminal:
                self.progress.start()
        self.progress.update(self.task, rule=event.data["dispatcher"].__name__)

    def on_end(self, event: Any) -> None:
        """Go on showing the last kernel until the next begins."""


@contextmanager
def compile_progress(announcement: str, steps: int | None = None) -> Iterator[tuple[Progress, TaskID]]:
    """Show a progress bar on the error output from the first kernel on that is compiled inside."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[rule]}", style="dim"),
    )
    progress = Progress(*columns, console=output(stderr=True), transient=True)
    task = progress.add_task("compiling", total=steps, rule="")
    with event.install_listener("numba:compile", CompileListener(progress, task, announcement)):
        try:
            yield progress, task
        finally:
            if progress.live.is_started:
                progress.stop()


def warm_game(game: Game, uses: Iterable[str]) -> None:
    """Compile what a command needs of a game, or load it from the cache."""
    names = list(uses)
    announcement = f"Compiling the rules of {game.title} for this machine; next time they are ready."
    with compile_progress(announcement, len(names)) as (progress, task):
        progress.update(task, description=game.title)
        for done, _ in enumerate(warm(game, names)):
            progress.update(task, completed=done)


def warm_all() -> None:
    """Compile all games and their bots, or load them from the cache."""
    from sarai.bots.ladder import warm_bots
    from sarai.core.kernels.cache import mark_compiled
    from sarai.core.policy.plan import LEVELS

    began = time.perf_counter()
    games = list(map(sarai.game, sarai.game_ids()))
    steps = len(USES) + len(LEVELS)
    announcement = "Compiling the rules and bots of all games for this machine."
    with compile_progress(announcement, len(games) * steps) as (progress, task):
        for number, game in enumerate(games):
            progress.update(task, description=game.title)
            for done, _ in enumerate(chain(warm(game), warm_bots(game))):
                progress.update(task, completed=number * steps + done)
            mark_compiled(game.id)
    Screen().say(f"All games are ready, after {time.perf_counter() - began:.1f} s.")
