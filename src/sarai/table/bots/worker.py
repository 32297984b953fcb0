"""What a process of the bot pool does: compile games, and choose moves."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection

from sarai.core.kernels.cache import mark_compiled
from sarai.core.registry import game as find

NICE = 5  # pages come before bots
USES = ("start", "chance", "legal", "tell", "view", "refuse", "scores", "sample")  # what a table and its pages need
LEVELS = ("novice", "regular", "expert", "master")


def work(pipe: Connection, levels: Sequence[str]) -> None:
    """Carry out the tasks that come over a pipe: ("prepare", game id) and ("choose", game id, view, level, seed)."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    while True:
        kind, game_id, *arguments = pipe.recv()
        try:
            if kind == "prepare":
                for done in prepare(game_id, levels):
                    pipe.send(("step", done))
                if levels == LEVELS:
                    mark_compiled(game_id)
                pipe.send(("done", 0))
            else:
                pipe.send(("done", choose(game_id, *arguments)))
        except (EOFError, OSError):
            raise
        except Exception as error:
            pipe.send(("failed", f"{type(error).__name__}: {error}"))


def prepare(game_id: str, levels: Sequence[str]) -> Iterator[int]:
    """Compile a game and its bots, or load them from the cache; yield how many steps are done before each."""
    from sarai.bots.ladder import warm_bots
    from sarai.core.kernels.warm import warm

    game = find(game_id)
    for done, _ in enumerate(warm(game, USES)):
        yield done
    yield len(USES)  # the rules are ready: what fails from here on concerns bots only
    for done, _ in enumerate(warm_bots(game, levels), len(USES)):
        yield done


def choose(game_id: str, view: bytes, level: str, seed: int) -> int:
    """Choose a move for the seat of a view."""
    from sarai.bots.ladder import bot

    game = find(game_id)
    return int(bot(game, level, seed).choose(game.view_from_bytes(view)))
