"""What a process of the bot room does: prepare games, and choose moves."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

from sarai.core.kernels.compiled_markers import remember

NICE = 5  # pages come before thoughts
USES = ("start", "chance", "legal", "tell", "view", "refuse", "scores", "sample")  # what a table and its pages need
LEVELS = ("novice", "regular", "expert", "master")


def work(pipe: Connection, levels: Sequence[str]) -> None:
    """Be a process that does what it is told until the one that tells is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=die_with_parent, daemon=True).start()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)

    with contextlib.suppress(EOFError, OSError):
        while True:
            kind, game, arguments = pipe.recv()
            try:
                if kind == "warm":
                    for done, _ in enumerate(prepare(game, levels)):
                        pipe.send(("step", done))
                    if levels == LEVELS:
                        remember(game)
                    pipe.send(("done", 0))
                else:
                    pipe.send(("done", choose(game, *arguments)))
            except (EOFError, OSError):
                raise
            except Exception as error:
                pipe.send(("failed", f"{type(error).__name__}: {error}"))


def die_with_parent() -> None:
    """Stop at once when the parent is gone, in the middle of a thought."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def prepare(id: str, levels: Sequence[str]) -> Iterator[str]:
    """Compile a game and its bots of some levels, or load them from the cache; yield the name of each step before it is done."""
    from sarai.bots.ladder import warm_bots
    from sarai.core.kernels.warm import warm
    from sarai.core.registry import game as find

    game = find(id)
    yield from warm(game, USES)
    yield from warm_bots(game, levels)


def choose(id: str, view: dict[str, Any], level: str, seed: int) -> int:
    """Choose a move for the seat of a view."""
    from sarai.bots.ladder import bot
    from sarai.core.registry import game as find

    game = find(id)
    return int(bot(game, level, seed).choose(game.read_view(view)))
