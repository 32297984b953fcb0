"""The command `sarai warm`, and the progress that every command shows while it compiles rules."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import Connection, wait
from typing import Any

from numba.core import event
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

import sarai
from sarai.cli.errors import CommandError
from sarai.cli.terminal_io import IN_ENGLISH, Screen, output
from sarai.core.game import Game
from sarai.core.kernels.warm import USES, warm
from sarai.core.messages import Name, Say
from sarai.core.policy.levels import LEVELS
from sarai.core.worker_processes import start_worker, stop_workers


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


def warm_game(game: Game, uses: Iterable[str], say: Say = IN_ENGLISH) -> None:
    """Compile what a command needs of a game, or load it from the cache."""
    names = list(uses)
    announcement = say(
        "Compiling the rules of {game} for this machine; next time they are ready.", game=Name(say(game.title))
    )
    with compile_progress(announcement, len(names)) as (progress, task):
        progress.update(task, description=say(game.title))
        for done, _ in enumerate(warm(game, names)):
            progress.update(task, completed=done)


def warm_all(jobs: int = 1) -> None:
    """Compile all games and their bots in some processes, or load them from the cache."""
    began, games, steps = time.perf_counter(), sarai.game_ids(), len(USES) + len(LEVELS)
    announcement = "Compiling the rules and bots of all games for this machine."
    with compile_progress(announcement, len(games) * steps) as (progress, task):
        if jobs > 1:
            for _ in warm_in_processes(games, jobs):
                progress.advance(task)
        else:
            for game in map(sarai.game, games):
                progress.update(task, description=game.title)
                for _ in warm_steps(game):
                    progress.advance(task)
    Screen().tell(f"All games are ready, after {time.perf_counter() - began:.1f} s.")


def warm_steps(game: Game) -> Iterator[str]:
    """Compile everything of a game; yield the name of each step before it is done."""
    from sarai.bots.named_bots import warm_bots
    from sarai.core.kernels.cache import mark_compiled

    yield from chain(warm(game), warm_bots(game))
    mark_compiled(game.id)


def warm_in_processes(games: Sequence[str], jobs: int) -> Iterator[str]:
    """Compile games in some processes; yield the name of each step."""
    left = iter(games)
    workers = {worker.pipe: worker for worker in (start_worker(warm_games) for _ in range(min(jobs, len(games))))}
    try:
        idle = list(workers)
        busy: set[Connection] = set()
        while True:
            for pipe, game_id in zip(idle, left, strict=False):
                pipe.send(game_id)
                busy.add(pipe)
            if not busy:
                return
            answering = wait(list(busy))
            idle = []
            for pipe in [pipe for pipe in workers if pipe in answering]:
                try:
                    step = pipe.recv()
                except (EOFError, OSError):
                    workers[pipe].process.join()
                    raise CommandError("compiler_lost", code=workers[pipe].process.exitcode) from None
                if step:
                    yield step
                else:
                    busy.discard(pipe)
                    idle.append(pipe)
    finally:
        stop_workers(workers.values())


def warm_games(pipe: Connection) -> None:
    """Compile the games whose ids come over a pipe, and send the name of each step; runs in a worker process."""
    while True:
        for step in warm_steps(sarai.game(pipe.recv())):
            pipe.send(step)
        pipe.send("")
