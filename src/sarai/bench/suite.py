"""One run of everything: measurements take turns in short slices, and the median slice counts, so that noise hits all alike."""

import platform
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from random import Random
from statistics import median
from typing import Any

import numba
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import sarai
from sarai.bench import others, plain, searching
from sarai.bench.ours import chance_work, collect, engine_work, move_work
from sarai.bench.pace import Pace, pace
from sarai.bench.uncompiled import Uncompiled
from sarai.core.game import Game
from sarai.core.kernels.warm import warm

SLICES = 5
USUAL = 4  # players, where a game is for so many

Key = tuple[str, ...]  # what is measured, and of which game with how many players
Measure = Callable[[float], Pace]  # works for so many seconds


def seatings(game: Game) -> list[int]:
    """Return the player counts that a game is measured with: the fewest, and the usual number."""
    return sorted({game.players[0], USUAL} & set(game.players))


def measures(game: Game, uncompiled: Uncompiled, rng: Random) -> dict[Key, Measure]:
    """Return everything that is measured of a game."""
    found: dict[Key, Measure] = {}
    for players in seatings(game):
        key = game.id, str(players)
        found["compiled", *key] = partial(pace, engine_work(game, players, {}, rng))
        found["uncompiled", *key] = partial(uncompiled.pace, game.id, players)
        player_nodes, chance_nodes = collect(game, players, rng)
        found["moves", *key] = partial(pace, move_work(player_nodes, rng))
        if chance_nodes:
            found["chances", *key] = partial(pace, chance_work(chance_nodes, rng))
    if program := plain.plain_program(game.id):
        found["plain", game.id] = partial(pace, plain.plain_work(program, rng))
        found["beside_plain", game.id] = partial(pace, engine_work(game, program.PLAYERS, program.OPTIONS, rng))
    if game.id in searching.SEARCHED:
        found["search", game.id] = partial(pace, searching.our_search(game, searching.SEARCHED[game.id]))
    return found


def run(games: Sequence[Game], seconds: float, progress: Progress) -> dict[str, Any]:
    """Measure games, each thing for so many seconds in all, beside everything that is there to compare with; return all numbers and ratios."""
    rng = Random(0)
    found: dict[Key, Measure] = {("other", name): partial(pace, work) for name, work in others.others(rng)}
    if any(game.id in searching.SEARCHED for game in games) and (search := searching.openspiel_search()):
        found["other_search", searching.OPENSPIEL] = partial(pace, search)
    notes = [
        note for note, missing in ((others.MISSING, not found), (plain.MISSING, not plain.FOLDER.is_dir())) if missing
    ]
    with ExitStack() as stack:
        uncompiled = stack.enter_context(Uncompiled())
        task = progress.add_task("compiling", total=len(games))
        for game in games:
            list(warm(game))
            found |= measures(game, uncompiled, rng)
            progress.advance(task)
        progress.update(task, description="warming up", completed=0, total=len(found))
        for measure in found.values():
            measure(0)
            progress.advance(task)
        slices: dict[Key, list[Pace]] = {key: [] for key in found}
        progress.update(task, description="measuring", completed=0, total=SLICES * len(found))
        for _ in range(SLICES):
            for key, measure in found.items():
                slices[key].append(measure(seconds / SLICES))
                progress.advance(task)
    return summary(
        games, {key: Pace(*map(median, zip(*some, strict=True))) for key, some in slices.items()}, seconds, notes
    )


def summary(games: Sequence[Game], paces: dict[Key, Pace], seconds: float, notes: list[str]) -> dict[str, Any]:
    """Return the numbers as plain data, with their ratios."""
    elsewhere = {key[1]: value for key, value in paces.items() if key[0] == "other"}
    return {
        "sarai": sarai.__version__,
        "python": platform.python_version(),
        "numba": numba.__version__,
        "seconds": seconds,
        "notes": notes,
        "others": {name: {"games": value.games, "nodes": value.nodes} for name, value in elsewhere.items()},
        "plain": [beside_plain(game, paces) for game in games if ("plain", game.id) in paces],
        "searches": [beside_search(game, paces) for game in games if ("search", game.id) in paces],
        "games": [numbers(game.id, players, paces, elsewhere) for game in games for players in seatings(game)],
    }


def numbers(id: str, players: int, paces: dict[Key, Pace], elsewhere: dict[str, Pace]) -> dict[str, Any]:
    """Return what was measured of a game with so many players, a second, and the ratios."""
    key = id, str(players)
    compiled, uncompiled, moves, chances = (
        paces.get((what, *key)) for what in ("compiled", "uncompiled", "moves", "chances")
    )
    assert compiled and uncompiled and moves
    return {
        "game": id,
        "players": players,
        "compiled": compiled._asdict(),
        "uncompiled": uncompiled._asdict(),
        "contract": {"moves": moves.moves, "chances": chances.chances if chances else None},
        "ratios": {
            "compiled to uncompiled": compiled.moves / uncompiled.moves,
            **{f"contract to {name}": moves.moves / other.nodes for name, other in elsewhere.items()},
        },
    }


def beside_plain(game: Game, paces: dict[Key, Pace]) -> dict[str, Any]:
    """Return how a plain program and the engine do at the same game."""
    program = plain.plain_program(game.id)
    assert program
    ours, its = paces["beside_plain", game.id].games, paces["plain", game.id].games
    return {
        "game": game.id,
        "players": program.PLAYERS,
        "options": program.OPTIONS,
        "compiled": ours,
        "plain": its,
        "ratio": ours / its,
    }


def beside_search(game: Game, paces: dict[Key, Pace]) -> dict[str, Any]:
    """Return how many simulations a second a search runs, here and elsewhere."""
    ours, its = paces["search", game.id].games, paces.get(("other_search", searching.OPENSPIEL))
    ratios = {searching.OPENSPIEL: {"simulations": its.games, "ratio": ours / its.games}} if its else {}
    return {"game": game.id, "players": searching.SEARCHED[game.id], "simulations": ours, "others": ratios}


def bar(console: Any) -> Progress:
    """Return a progress bar for a run."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
