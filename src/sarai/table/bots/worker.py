"""What the processes beside a server do: compile a game, or choose moves for bots."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection

from sarai.core.kernels.cache import mark_compiled
from sarai.core.registry import game as find

NICE_THINKING = 5  # pages come before bots, and bots before games that are compiled
NICE_COMPILING = 10
USES = ("start", "chance", "legal", "tell", "view", "refuse", "scores", "sample")  # what a table and its pages need
LEVELS = ("novice", "regular", "expert", "master")
QUICK_LEVELS = ("random", "novice", "regular")  # they think quickly enough without compiled kernels


def compile_game(pipe: Connection, game_id: str, levels: Sequence[str]) -> None:
    """Compile a game and its bots, telling each step over a pipe; a process that compiled keeps much memory, so end."""
    be_nice(NICE_COMPILING)
    os.environ.pop("NUMBA_DISABLE_JIT", None)  # the server that started this process may have none
    try:
        for done in prepare(game_id, levels):
            pipe.send(("step", done))
        if tuple(levels) == LEVELS:
            mark_compiled(game_id)
        pipe.send(("done", 0))
    except (EOFError, OSError):
        raise
    except Exception as error:
        pipe.send(("failed", f"{type(error).__name__}: {error}"))


def think(pipe: Connection, is_interpreted: bool) -> None:
    """Choose moves: what comes over a pipe is the game, the view, the level and the seed."""
    be_nice(NICE_THINKING)
    if is_interpreted:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    else:
        os.environ.pop("NUMBA_DISABLE_JIT", None)
    while True:
        game_id, view, level, seed = pipe.recv()
        try:
            pipe.send((True, choose(game_id, view, level, seed, is_quick=is_interpreted)))
        except (EOFError, OSError):
            raise
        except Exception as error:
            pipe.send((False, f"{type(error).__name__}: {error}"))


def be_nice(value: int) -> None:
    """Let other processes come before this one."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(value)


def prepare(game_id: str, levels: Sequence[str]) -> Iterator[int]:
    """Compile a game and its bots, or load them from the cache; yield how many steps are done before each."""
    from sarai.bots.named_bots import warm_bots
    from sarai.core.kernels.warm import warm

    game = find(game_id)
    for done, _ in enumerate(warm(game, USES)):
        yield done
    yield len(USES)  # the rules are ready: what fails from here on concerns bots only
    for done, _ in enumerate(warm_bots(game, levels), len(USES)):
        yield done


def choose(game_id: str, view: bytes, level: str, seed: int, is_quick: bool = False) -> int:
    """Choose a move for the seat of a view; quickly where nothing is compiled."""
    from sarai.bots.named_bots import bot
    from sarai.core.policy.dispatch import weigh_quickly

    game = find(game_id)
    player = bot(game, level, seed)
    if is_quick:
        weigh_quickly(game.definition.state)
    return int(player.choose(game.view_from_bytes(view)))
